// A kernel with its worker, as the model's commands need it: the baseline's text and facts, and a judge for candidates.
// Used by prompt, import, propose and evaluate.
#pragma once

#include "kernel_argument.h"
#include "llm/loop.h"
#include "worker/client.h"

#include <memory>
#include <nlohmann/json_fwd.hpp>

namespace ptxwb::cli {

class KernelJudge {
public:
    KernelJudge(KernelArgument kernel, std::unique_ptr<worker::WorkerClient> worker, verify::Plan plan)
        : m_kernel(std::move(kernel)), m_worker(std::move(worker)), m_plan(std::move(plan)) {}

    const KernelArgument& kernel() const { return m_kernel; }
    std::string arch() const;

    /// The recorded baseline, or nvcc's where there is none. Errors: a kernel with neither baseline nor source.
    Expected<std::string> baseline(std::stop_token stop);
    /// An element of `results` of `ptxwb verify --json`, with `counters` of one run on the emulator beside it where
    /// that works. `text` absent: the baseline. `stages` empty: all.
    Expected<nlohmann::json> judge(const std::string& name, const std::optional<std::string>& text,
                                   std::vector<verify::Stage> stages, std::stop_token stop);
    /// PTX of a CUDA source in place of the kernel's own.
    Expected<std::string> compile(const std::string& cuda, std::stop_token stop);

    /// Everything that a prompt can say: limits of the target, the baseline's figures (where the worker can give them;
    /// what it cannot is a note on stderr).
    Expected<llm::PromptInput> promptInput(std::stop_token stop);

private:
    nlohmann::json counters(const std::string& name, const std::string& text, std::stop_token stop);
    KernelArgument m_kernel;
    std::unique_ptr<worker::WorkerClient> m_worker;
    verify::Plan m_plan;
    std::string m_baseline;
};

/// `judge`'s answer for the loop.
Expected<llm::Outcome> outcomeOf(const nlohmann::json& judged);

/// "120:184", or "hot" for the innermost loop of `base`. Errors say what was expected.
Expected<llm::RegionRequest> regionOf(const std::string& text, const std::string& base, const std::string& entry);

} // namespace ptxwb::cli

// A kernel with its worker, as the model's side needs it: the baseline's text and facts, and a judge for candidates.
// Used by `ptxwb` prompt, import, propose, evaluate, and by the window's Model panel.
#pragma once

#include "llm/loop.h"
#include "verify/plan.h"
#include "worker/client.h"

#include <memory>
#include <nlohmann/json_fwd.hpp>

namespace ptxwb::proposals {

/// What a question begins with in place of the baseline.
struct BaseText {
    std::string name, text;
};

/// All may be absent, and are called from whichever thread judges.
struct JudgeCallbacks {
    std::function<void(const std::string& message)> onNote; ///< what a prompt will lack, and why
    std::function<void(const std::string& name, const verify::StageResult& stage)> onStage;
    /// The whole answer of `ptxwb verify --json` for one candidate.
    std::function<void(const std::string& name, const nlohmann::json& report)> onReport;
};

/// Several threads may judge at once; they wait for one another.
class KernelJudge {
public:
    KernelJudge(kernel::Kernel kernel, std::unique_ptr<worker::WorkerClient> worker, verify::Plan plan,
                JudgeCallbacks callbacks = {});

    const kernel::Kernel& kernel() const { return m_kernel; }
    std::string arch() const;

    /// The recorded baseline, or nvcc's where there is none. Errors: a kernel with neither baseline nor source.
    Expected<std::string> baseline(std::stop_token stop);
    /// An element of `results` of `ptxwb verify --json`, with `counters` of one run on the emulator beside it where
    /// that works. `text` absent: the baseline. `stages` empty: all.
    Expected<nlohmann::json> judge(const std::string& name, const std::optional<std::string>& text,
                                   std::vector<verify::Stage> stages, std::stop_token stop);
    /// PTX of a CUDA source in place of the kernel's own.
    Expected<std::string> compile(const std::string& cuda, std::stop_token stop);

    /// Everything that a prompt can say: limits of the target, the base's figures (where the worker can give them; what
    /// it cannot is a note). `base` absent: the baseline.
    Expected<llm::PromptInput> promptInput(std::stop_token stop, const std::optional<BaseText>& base = {});

    /// The loop of `text` that does most: by `weights` where a GPU has sampled the text, else by a run on the emulator,
    /// else by its structure. Errors (Cause::badRequest): the entry is not there, or it has no loop.
    Expected<llm::HotLoop> hottestLoop(const std::string& text, std::stop_token stop,
                                       const llm::LineWeights* weights = nullptr);

private:
    Expected<nlohmann::json> countingRun(const std::string& name, const std::string& text, std::stop_token stop);
    void note(const std::string& message) const;

    kernel::Kernel m_kernel;
    std::unique_ptr<worker::WorkerClient> m_worker;
    verify::Plan m_plan;
    JudgeCallbacks m_callbacks;
    std::string m_baseline;
};

/// `judge`'s answer for the loop.
Expected<llm::Outcome> outcomeOf(const nlohmann::json& judged);

} // namespace ptxwb::proposals

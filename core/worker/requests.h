// The bodies of the worker protocol's requests as values, and their JSON.
// Made by the command line and the window; read by the handlers of `ptxwb worker`.
#pragma once

#include "emulator/emulator.h"
#include "verify/bench_report.h"
#include "verify/plan.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb::worker {

struct CompileRequest {
    kernel::Kernel kernel;
    std::vector<std::string> architectures; ///< empty: the spec's
};

struct AssembleRequest {
    std::string file, text;
    std::vector<std::string> architectures; ///< empty: the text's `.target`
    std::vector<std::string> toolkits;      ///< folders; empty: the first ptxas found
};

/// PTX, or a cubin as ptxas made it.
struct SassInput {
    std::string file, text, cubin; ///< one of `text` and `cubin` is empty
};

struct SassRequest {
    SassInput input;
    std::optional<SassInput> against;
    std::string arch; ///< of PTX; empty: the target of `input`
};

struct RunRequest {
    kernel::Kernel kernel;
    verify::CandidateText candidate;
    kernel::Symbols sizes;         ///< the symbols that are set; the others take the spec's first `function` size
    std::vector<std::string> dump; ///< arguments whose words are wanted
    std::optional<std::uint64_t> seed;
    std::uint64_t instructionLimit = verify::Plan{}.instructionLimit;
    bool counting = true;                                        ///< of work, by line
    std::optional<emulator::RecordRequest> record = {};          ///< a warp whose steps are wanted
    std::chrono::milliseconds deadline{};                        ///< of the launch; 0: none
    std::uint64_t memoryLimit = emulator::Options{}.memoryLimit; ///< bytes beside the buffers
    std::optional<kernel::FillKind> fill = {};          ///< of the inputs that are free, in place of the spec's
    verify::ReferenceTrust reference = verify::ReferenceTrust::refused; ///< whether the spec's `inputs` may run
};

struct ProfileRequest {
    verify::VerifyInput input;
    std::vector<std::string> metrics; ///< as Nsight Compute spells them; empty: a set that explains kernels
};

struct BenchRequest {
    verify::VerifyInput input;                    ///< with a candidate
    std::optional<verify::CandidateText> against; ///< absent: the baseline
    verify::BenchMode mode = verify::BenchMode::cold;
};

struct ReplayRequest {
    verify::VerifyInput input;
    verify::RunCase run; ///< that is wanted again
};

/// Files that are no UTF-8 travel as base64 under `files_base64`; the spec's candidates stay behind.
nlohmann::json toJson(const verify::VerifyInput& input);
nlohmann::json toJson(const CompileRequest& request);
nlohmann::json toJson(const AssembleRequest& request);
nlohmann::json toJson(const SassRequest& request);
nlohmann::json toJson(const RunRequest& request);
nlohmann::json toJson(const ProfileRequest& request);
nlohmann::json toJson(const BenchRequest& request);
nlohmann::json toJson(const ReplayRequest& request);

/// Errors name the key. The spec is loaded and checked as if it came from a file.
Expected<verify::VerifyInput> verifyInputFromJson(const nlohmann::json& body);
Expected<CompileRequest> compileRequestFromJson(const nlohmann::json& body);
Expected<AssembleRequest> assembleRequestFromJson(const nlohmann::json& body);
Expected<SassRequest> sassRequestFromJson(const nlohmann::json& body);
Expected<RunRequest> runRequestFromJson(const nlohmann::json& body);
Expected<ProfileRequest> profileRequestFromJson(const nlohmann::json& body);
Expected<BenchRequest> benchRequestFromJson(const nlohmann::json& body);
Expected<ReplayRequest> replayRequestFromJson(const nlohmann::json& body);

/// A command line of the settings or of PTXWB_WORKER as an argument vector: blanks separate, single and double quotes
/// and backslashes work as in a shell, nothing is expanded. Errors: an open quote, no word at all.
Expected<std::vector<std::string>> splitCommandLine(std::string_view text);

} // namespace ptxwb::worker

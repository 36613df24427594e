// The lines that a worker and its client exchange: one JSON value a line, at most 64 MiB. Source: interfaces.md.
// Written and read by client.cpp and serve.cpp only; the values inside come from requests.h and verify/result.h.
#pragma once

#include "support/diagnostic.h"
#include "verify/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace ptxwb::worker {

inline constexpr int protocolVersion = 1;
inline constexpr std::size_t longestLine = std::size_t{64} << 20;

/// What a worker can be asked for.
enum class Job : std::uint8_t { verify, compile, assemble, sass, run, profile, bench, replay };
std::string_view name(Job job);
std::optional<Job> job(std::string_view name);

/// How far a job is. `of` is 0 where the number of steps is not known yet.
struct Progress {
    std::uint32_t done = 0, of = 0;
    std::string what; ///< for a person, the stage first: "stress: n = 4097"
};

/// From the client to the worker.
struct ToWorker {
    std::uint64_t id = 0;
    std::optional<Job> job; ///< absent: cancel `id`
    std::shared_ptr<const nlohmann::json> body;
};

enum class AnswerKind : std::uint8_t { hello, stage, progress, done, error };

/// From the worker to the client. Only the member that `kind` names is set.
struct FromWorker {
    AnswerKind kind = AnswerKind::hello;
    std::uint64_t id = 0;
    std::shared_ptr<const nlohmann::json> body; ///< hello and done
    std::optional<verify::StageResult> stage;
    std::optional<Progress> progress;
    std::optional<Diagnostic> error;
    bool cancelled = false;
    bool ending = false; ///< of done and error: the worker ends after it, and takes no more
};

/// Lines without their newline. What is no UTF-8 in a text becomes U+FFFD: a compiler's message must not end the
/// worker.
std::string requestLine(std::uint64_t id, Job job, const nlohmann::json& body);
std::string cancelLine(std::uint64_t id);
std::string helloLine(const nlohmann::json& hello);
std::string stageLine(std::uint64_t id, const verify::StageResult& result);
std::string progressLine(std::uint64_t id, const Progress& progress);
enum class Afterwards : std::uint8_t { stays, ends };
std::string doneLine(std::uint64_t id, const nlohmann::json& result, Afterwards afterwards = Afterwards::stays);
std::string cancelledLine(std::uint64_t id);
std::string errorLine(std::uint64_t id, const Diagnostic& diagnostic, Afterwards afterwards = Afterwards::stays);

/// Errors say what the line lacks. `id` of a request that could be read is kept in `idOf`, so that the error can be
/// sent as its answer.
Expected<ToWorker> parseToWorker(std::string_view line, std::uint64_t& idOf);
Expected<FromWorker> parseFromWorker(std::string_view line);

/// The first 120 bytes of `line` with everything unprintable as \xNN, in double quotes, for messages.
std::string excerpt(std::string_view line);

} // namespace ptxwb::worker

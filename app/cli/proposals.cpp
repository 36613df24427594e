#include "proposals.h"

#include "support/finding_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace fs = std::filesystem;
using nlohmann::json;

Expected<fs::path> makeProposalsFolder(const std::string& kernel, const std::string& where) {
    const fs::path parent = fs::path(where) / (kernel + ".proposals");
    std::error_code error;
    fs::create_directories(parent, error);
    for (unsigned number = 1; !error && number < 100'000; ++number) {
        const fs::path folder = parent / fmt::format("{:03}", number);
        if (fs::create_directory(folder, error)) return folder;
    }
    return failure(Cause::badRequest,
                   fmt::format("{}: no folder for the candidates can be made: {}", parent.string(), error.message()),
                   "name another place: -o DIR");
}

std::string withOrigin(const std::string& ptx, const std::string& origin) {
    return fmt::format("//@ origin {}\n{}", origin, ptx);
}

json toJson(const llm::Attempt& attempt, const json& result, const std::string& file) {
    json problems = json::array();
    for (const Diagnostic& problem : attempt.problems) problems.push_back(toJson(problem));
    return {{"name", attempt.name},
            {"candidate", attempt.candidate},
            {"round", attempt.round},
            {"parent", attempt.parent.empty() ? json(nullptr) : json(attempt.parent)},
            {"prompt_sha256", attempt.promptSha256.empty() ? json(nullptr) : json(attempt.promptSha256)},
            {"provider", attempt.provider},
            {"model", attempt.model},
            {"file", file.empty() ? json(nullptr) : json(file)},
            {"title", attempt.title},
            {"notes", attempt.notes},
            {"problems", std::move(problems)},
            {"region", attempt.region ? json{attempt.region->firstLine, attempt.region->lastLine} : json(nullptr)},
            {"verdict", attempt.outcome ? json(attempt.outcome->verdict) : json(nullptr)},
            {"better", attempt.isBetter},
            {"result", result}};
}

} // namespace ptxwb::cli

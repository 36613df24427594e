// Everything that a spec can say, each as a kernel of its own (tests/data/gpu/features), judged by `ptxwb verify`: on
// the GPU where there is one, else on the emulator. Prints a table; ends with 1 where a verdict is another than
// expected.json says, where on a GPU function or stress were not judged by it, or where what passed there was not
// timed.
//   gpu_features PTXWB [--deep] [NAME]...
#include "support/child_process.h"
#include "support/files.h"
#include "support/json.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace ptxwb;
using nlohmann::json;

namespace {

const std::filesystem::path folder = std::filesystem::path(PTXWB_SOURCE_DIR) / "tests/data/gpu/features";

struct Options {
    std::string program;
    bool deep = false;
    std::vector<std::string> names;
};

Options optionsOf(int count, char** words) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        if (word == "--deep")
            options.deep = true;
        else if (options.program.empty())
            options.program = word;
        else
            options.names.push_back(word);
    }
    if (!options.names.empty()) return options;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.is_directory()) options.names.push_back(entry.path().filename().string());
    std::ranges::sort(options.names);
    return options;
}

std::string textOr(const json& value, const char* without) {
    return value.is_string() ? value.get<std::string>() : std::string(without);
}

/// What is not as it must be; empty where all is.
std::string wrong(const json& result, const json& expected) {
    const bool mustPass = expected.at("verdict") == "pass";
    if (result.at("verdict") != expected.at("verdict"))
        return fmt::format("expected {}", expected.at("verdict").get<std::string>());
    if (!mustPass) {
        for (const json& check : result.at("checks"))
            if (check.at("check") == expected.at("check") && check.at("status") == "failed") return {};
        return fmt::format("{} did not fail", expected.at("check").get<std::string>());
    }
    const json& evidence = result.at("evidence");
    if (evidence.at("device").is_null()) return {};
    for (const char* stage : {"function", "stress"})
        if (evidence.at(stage) != "gpu") return fmt::format("{} was not judged by the GPU", stage);
    const bool isSame = !result.at("same_machine_code_as").is_null();
    return result.at("timing").is_null() && !isSame ? std::string("it was not timed") : std::string();
}

std::string stageReason(const json& result, const std::string& name) {
    for (const json& stage : result.at("stages"))
        if (stage.at("stage") == name)
            return fmt::format("{} {}", textOr(stage.at("status"), ""), textOr(stage.at("reason"), ""));
    return {};
}

} // namespace

int main(int count, char** words) {
    const Options options = optionsOf(count, words);
    if (options.program.empty()) {
        std::fprintf(stderr, "gpu_features PTXWB [--deep] [NAME]...\n");
        return 2;
    }
    fmt::print("{:<18} {:<20} {:<10} {:<10} {:<10} {:<10} {:>10} {:>8}  {}\n", "feature", "candidate", "verdict",
               "function", "stress", "sanitize", "us", "ratio", "");
    bool allRight = true;
    for (const std::string& name : options.names) {
        const auto expectations = parseJson(readFile(folder / name / "expected.json").value_or("{}"));
        ChildRequest request;
        request.arguments = {options.program, "verify", (folder / name).string(), "--trust", "--json", "--no-cache"};
        if (options.deep) request.arguments.emplace_back("--deep");
        request.deadline = std::chrono::minutes(8);
        const ChildResult ran = runChild(request);
        const auto answer = parseJson(ran.output);
        if (!answer || !answer->contains("results") || !expectations) {
            fmt::print("{:<18} {}\n", name, ran.errors.empty() ? describe(ran, request.deadline) : ran.errors);
            allRight = false;
            continue;
        }
        for (const json& result : answer->at("results")) {
            const std::string candidate = result.at("candidate");
            const json passes{{"verdict", "pass"}};
            const std::string problem =
                wrong(result, candidate == "baseline" ? passes : expectations->value(candidate, passes));
            allRight = allRight && problem.empty();
            const json& evidence = result.at("evidence");
            const json& timing = result.at("timing");
            const json& speedup = result.at("speedup");
            fmt::print("{:<18} {:<20} {:<10} {:<10} {:<10} {:<10} {:>10} {:>8}  {}\n", name, candidate,
                       result.at("verdict").get<std::string>(), textOr(evidence.at("function"), "-"),
                       textOr(evidence.at("stress"), "-"), textOr(evidence.at("sanitize"), "-"),
                       timing.is_null() ? "-" : fmt::format("{:.1f}", timing.at("median_us").get<double>()),
                       speedup.is_null() ? "-" : fmt::format("{:.3f}", speedup.at("ratio").get<double>()), problem);
            if (!problem.empty())
                for (const char* stage : {"parse", "assemble", "function", "stress", "sanitize", "benchmark"})
                    fmt::print("    {}: {}\n", stage, stageReason(result, stage));
        }
        std::fflush(stdout);
    }
    return allRight ? 0 : 1;
}

// `ptxwb sass`: machine code with the PTX and CUDA lines that it came from, or two of them side by side.
#include "command.h"

#include "compare/sass_rows.h"
#include "support/files.h"
#include "worker/requests.h"
#include "worker_process.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

using nlohmann::json;

struct SassOptions {
    std::string file, against, arch, worker;
};

Expected<worker::SassInput> inputFrom(const std::string& file) {
    auto content = readFile(file);
    if (!content) return std::unexpected(std::move(content.error()));
    worker::SassInput input{file, {}, {}};
    const bool isElf = content->starts_with("\x7f"
                                            "ELF");
    (isElf ? input.cubin : input.text) = std::move(*content);
    return input;
}

std::vector<std::string> textsOf(const json& function) {
    std::vector<std::string> texts;
    for (const json& instruction : function.at("instructions")) texts.push_back(instruction.at("text"));
    return texts;
}

/// Functions of the same name; of two files with one function each, those.
const json* partnerOf(const json& function, const json& functions, std::size_t ownCount) {
    for (const json& other : functions)
        if (other.at("name") == function.at("name")) return &other;
    return ownCount == 1 && functions.size() == 1 ? &functions.front() : nullptr;
}

json compared(const json& left, const json& right) {
    json list = json::array();
    for (const json& function : left.at("functions")) {
        const json* const partner = partnerOf(function, right.at("functions"), left.at("functions").size());
        if (!partner) continue;
        json rows = json::array(), counts = json::object();
        for (const compare::SassRow& row : compare::sassRows(textsOf(function), textsOf(*partner))) {
            const std::string kind(name(row.kind));
            rows.push_back({{"kind", kind},
                            {"left", row.kind == compare::SassRowKind::added ? json(nullptr) : json(row.left)},
                            {"right", row.kind == compare::SassRowKind::removed ? json(nullptr) : json(row.right)}});
            counts[kind] = counts.value(kind, 0) + 1;
        }
        list.push_back({{"left", function.at("name")},
                        {"right", partner->at("name")},
                        {"counts", std::move(counts)},
                        {"rows", std::move(rows)}});
    }
    return list;
}

std::string placeText(const json& instruction) {
    std::string text;
    if (!instruction.at("line").is_null()) text = fmt::format("line {}", instruction.at("line").get<int>());
    if (const json& cuda = instruction.at("cuda"); !cuda.is_null())
        text += fmt::format("{}{}:{}", text.empty() ? "" : ", ",
                            std::filesystem::path(cuda.at("file").get<std::string>()).filename().string(),
                            cuda.at("line").get<int>());
    return text;
}

void printListing(const json& answer) {
    for (const json& function : answer.at("functions")) {
        fmt::print("{}:\n", function.at("name").get<std::string>());
        std::string last;
        for (const json& instruction : function.at("instructions")) {
            if (!instruction.at("label").is_null()) fmt::print("{}:\n", instruction.at("label").get<std::string>());
            const std::string place = placeText(instruction);
            fmt::print("  {:04x}  {:<60}  {}\n", instruction.at("offset").get<int>(),
                       instruction.at("text").get<std::string>(), place == last ? "" : place);
            last = place;
        }
    }
}

void printCompared(const json& answer) {
    const auto textOf = [](const json& function, const json& index) {
        return index.is_null() ? std::string()
                               : function.at("instructions").at(index.get<std::size_t>()).at("text").get<std::string>();
    };
    const auto named = [](const json& functions, const json& name) -> const json& {
        return *std::ranges::find_if(functions, [&](const json& one) { return one.at("name") == name; });
    };
    for (const json& pair : answer.at("comparison")) {
        const json& left = named(answer.at("functions"), pair.at("left"));
        const json& right = named(answer.at("against").at("functions"), pair.at("right"));
        fmt::print("{} | {}:", left.at("name").get<std::string>(), right.at("name").get<std::string>());
        for (const auto& [kind, count] : pair.at("counts").items()) fmt::print(" {} {}", count.get<int>(), kind);
        fmt::print("\n");
        for (const json& row : pair.at("rows")) {
            const std::string kind = row.at("kind");
            const char mark = kind == "same"      ? ' '
                              : kind == "renamed" ? '.'
                              : kind == "changed" ? '~'
                              : kind == "added"   ? '+'
                                                  : '-';
            fmt::print("{} {:<56} | {}\n", mark, textOf(left, row.at("left")), textOf(right, row.at("right")));
        }
    }
}

Expected<int> sassCommand(const SassOptions& options, const Invocation& invocation) {
    auto input = inputFrom(options.file);
    if (!input) return std::unexpected(std::move(input.error()));
    worker::SassRequest request{std::move(*input), std::nullopt, options.arch};
    if (!options.against.empty()) {
        auto against = inputFrom(options.against);
        if (!against) return std::unexpected(std::move(against.error()));
        request.against = std::move(*against);
    }
    const auto client = makeClient(options.worker);
    if (!client) return std::unexpected(client.error());
    auto answer = (*client)->call(worker::Job::sass, worker::toJson(request), {}, invocation.stop);
    if (!answer) return std::unexpected(std::move(answer.error()));
    if (request.against) (*answer)["comparison"] = compared(*answer, answer->at("against"));
    if (invocation.json)
        printJson(*answer);
    else if (options.against.empty())
        printListing(*answer);
    else
        printCompared(*answer);
    if (options.against.empty()) return passed;
    return answer->at("text_sha256") == answer->at("against").at("text_sha256") ? passed : failed;
}

} // namespace

void addSass(Invocation& invocation) {
    const auto options = std::make_shared<SassOptions>();
    CLI::App* command = addCommand(
        invocation, "sass", "machine code with its PTX and CUDA lines; with --against, two of them (needs nvdisasm)",
        "ptxwb sass candidate.ptx --against saxpy.sm_90.ptx",
        [options, &invocation] { return sassCommand(*options, invocation); });
    command->add_option("FILE", options->file, "a PTX file or a cubin")->required();
    command->add_option("--against", options->against, "another one; exit status 1 where the machine code differs");
    command->add_option("--arch", options->arch, "a target such as sm_90 (default: the PTX's own)");
    command->add_option("--worker", options->worker, workerHelp);
}

} // namespace ptxwb::cli

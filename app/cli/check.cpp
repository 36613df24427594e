// `ptxwb check`: our parser and checker over one file.
#include "command.h"

#include "ptx/check.h"
#include "ptx/parse.h"
#include "support/files.h"
#include "support/finding_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

constexpr std::size_t shownDiagnostics = 100; ///< a file of random bytes has thousands

nlohmann::json answer(const std::string& file, const ptx::Module& module, const std::vector<Diagnostic>& diagnostics) {
    nlohmann::json entries = nlohmann::json::array(), list = nlohmann::json::array();
    for (const ptx::Function* entry : module.entries()) entries.push_back(std::string(entry->name));
    for (const Diagnostic& diagnostic : diagnostics) list.push_back(toJson(diagnostic));
    const auto count = [&](Severity severity) {
        return std::ranges::count(diagnostics, severity, &Diagnostic::severity);
    };
    return {{"schema", 1},
            {"file", file},
            {"entries", std::move(entries)},
            {"diagnostics", std::move(list)},
            {"errors", count(Severity::error)},
            {"warnings", count(Severity::warning)},
            {"notes", count(Severity::note)}};
}

void printAnswer(const std::string& file, const ptx::Module& module, const std::vector<Diagnostic>& diagnostics) {
    for (std::size_t i = 0; i < std::min(shownDiagnostics, diagnostics.size()); ++i)
        fmt::print("{}", format(diagnostics[i], *module.text));
    if (diagnostics.size() > shownDiagnostics)
        fmt::print("and {} more; --json has them all\n", diagnostics.size() - shownDiagnostics);
    const auto count = [&](Severity severity) {
        return std::ranges::count(diagnostics, severity, &Diagnostic::severity);
    };
    const auto plural = [](std::ptrdiff_t n, std::string_view what) {
        return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
    };
    fmt::print("{}: {}, {}, {}\n", file, plural(count(Severity::error), "error"),
               plural(count(Severity::warning), "warning"), plural(count(Severity::note), "note"));
}

Expected<int> check(const std::string& file, bool json) {
    auto text = readFile(file);
    if (!text) return std::unexpected(std::move(text.error()));
    const auto module = ptx::parse(std::move(*text), file);
    const std::vector<Diagnostic> diagnostics = ptx::check(*module);
    if (json)
        printJson(answer(file, *module, diagnostics));
    else
        printAnswer(file, *module, diagnostics);
    const bool anyError = std::ranges::find(diagnostics, Severity::error, &Diagnostic::severity) != diagnostics.end();
    return anyError ? failed : passed;
}

} // namespace

void addCheck(Invocation& invocation) {
    const auto file = std::make_shared<std::string>();
    CLI::App* command = addCommand(invocation, "check", "parse and check a PTX file", "ptxwb check saxpy.sm_90.ptx",
                                   [file, &invocation] { return check(*file, invocation.json); });
    command->add_option("FILE", *file, "a PTX file")->required();
}

} // namespace ptxwb::cli

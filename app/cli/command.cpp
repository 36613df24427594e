#include "command.h"

#include "support/finding_json.h"
#include "support/nearest.h"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

CLI::App* addCommand(Invocation& invocation, const std::string& name, const std::string& what,
                     const std::string& example, std::function<Expected<int>()> run) {
    CLI::App* command = invocation.app.add_subcommand(name, what);
    command->footer("\nExample:\n  " + example);
    command->add_flag("--json", invocation.json, "print one JSON value on stdout and nothing else there");
    command->callback([&invocation, run = std::move(run)] { invocation.command = run; });
    return command;
}

void printDiagnostic(const Diagnostic& diagnostic, std::string_view source) {
    std::fputs(format(diagnostic, source).c_str(), stderr);
}

void printJson(const nlohmann::json& value) {
    fmt::print("{}\n", value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

int reportError(const Diagnostic& error, bool json) {
    const int status = exitStatus(error.cause);
    if (json)
        printJson({{"schema", 1}, {"error", toJson(error)}, {"status", status}});
    else
        printDiagnostic(error);
    return status;
}

Diagnostic unknownWord(std::string_view what, std::string_view word, const std::vector<std::string>& known) {
    const std::string nearest = nearestName(word, known);
    return failure(Cause::badRequest, fmt::format("{} {}", what, word),
                   nearest.empty() ? std::string{} : fmt::format("did you mean {}?", nearest))
        .error();
}

} // namespace ptxwb::cli

// ptxwb: the workbench with no window. One subcommand for each thing that it does.
#include "command.h"
#include "experiment_commands.h"
#include "interrupt.h"
#include "review_commands.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <optional>

namespace {

using namespace ptxwb;
using namespace ptxwb::cli;

void addCommands(Invocation& invocation) {
    for (const auto add :
         {addDoctor, addInit,     addCheck,         addCompile, addAssemble,  addSass,    addDiff,
          addRun,    addVerify,   addProfile,       addBench,   addOccupancy, addPropose, addPrompt,
          addImport, addEvaluate, addExportDataset, addReport,  addReview,    addBundle,  addVerifyBundle,
          addExport, addLesson,   addGrade,         addWorker})
        add(invocation);
}

/// CLI11 calls an unknown command an unexpected argument; say what it is and what is near.
std::optional<Diagnostic> unknownCommand(const CLI::App& app, int count, char** arguments) {
    if (count < 2 || arguments[1][0] == '-') return std::nullopt;
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    if (std::ranges::find(names, arguments[1]) != names.end()) return std::nullopt;
    Diagnostic unknown = unknownWord("there is no command", arguments[1], names);
    if (unknown.hint.empty()) unknown.hint = "`ptxwb --help` lists the commands";
    return unknown;
}

int runCommand(int count, char** arguments) {
    const Interrupt interrupt;
    Invocation invocation;
    invocation.stop = interrupt.token();
    invocation.app.set_version_flag("--version", PTXWB_VERSION);
    invocation.app.require_subcommand(1);
    addCommands(invocation);
    const bool wantsJson =
        std::any_of(arguments, arguments + count, [](const char* a) { return std::string_view(a) == "--json"; });
    if (const auto unknown = unknownCommand(invocation.app, count, arguments)) return reportError(*unknown, wantsJson);
    try {
        invocation.app.parse(count, arguments);
    } catch (const CLI::ParseError& problem) {
        if (problem.get_exit_code() == 0) return invocation.app.exit(problem); // --help, --version
        const std::string help =
            count > 1 && arguments[1][0] != '-' ? fmt::format("`ptxwb {} --help`", arguments[1]) : "`ptxwb --help`";
        return reportError(failure(Cause::badRequest, problem.what(), help + " shows what is expected").error(),
                           wantsJson);
    }
    const Expected<int> status = invocation.command();
    if (interrupt.happened()) return reportError(failure(Cause::cancelled, "interrupted").error(), wantsJson);
    return status ? *status : reportError(status.error(), wantsJson);
}

} // namespace

int main(int count, char** arguments) {
    try {
        return runCommand(count, arguments);
    } catch (const std::exception& problem) {
        std::fputs(fmt::format("ptxwb: internal error: {}\n", problem.what()).c_str(), stderr);
        return ptxwb::exitStatus(ptxwb::Cause::internal);
    }
}

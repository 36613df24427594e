// What every command of `ptxwb` has in common: registration, the --json switch, errors and exit status.
// Each command group's file implements one `add...`; main.cpp calls them all.
#pragma once

#include "support/diagnostic.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>

namespace ptxwb::cli {

/// Exit statuses that are no error. Source: interfaces.md.
inline constexpr int passed = 0;
inline constexpr int failed = 1;
inline constexpr int incomplete = 3;

/// The command line that is being parsed, then the command that it chose.
struct Invocation {
    CLI::App app{"Tune, teach and review PTX: compile, compare, run and verify GPU kernels, with or without a GPU."};
    bool json = false; ///< one JSON value on stdout, nothing else there
    std::stop_token stop;
    std::function<Expected<int>()> command; ///< the exit status, or what went wrong
};

/// A subcommand with --json, --help and an example under it. `run` becomes the invocation's command if it is chosen.
CLI::App* addCommand(Invocation& invocation, const std::string& name, const std::string& what,
                     const std::string& example, std::function<Expected<int>()> run);

void addDoctor(Invocation& invocation);
void addInit(Invocation& invocation);
void addCheck(Invocation& invocation);
void addCompile(Invocation& invocation);
void addAssemble(Invocation& invocation);
void addDiff(Invocation& invocation);
void addSass(Invocation& invocation);
void addRun(Invocation& invocation);
void addVerify(Invocation& invocation);
void addProfile(Invocation& invocation);
void addBench(Invocation& invocation);
void addOccupancy(Invocation& invocation);
void addWorker(Invocation& invocation);
void addPropose(Invocation& invocation);
void addPrompt(Invocation& invocation);
void addImport(Invocation& invocation);
void addReport(Invocation& invocation);
void addExport(Invocation& invocation);
void addLesson(Invocation& invocation);
void addGrade(Invocation& invocation);

/// Prints an error as text on stderr or as the JSON of `error.schema.json` on stdout. Returns its exit status.
int reportError(const Diagnostic& error, bool json);

/// As text on stderr, with the source line where `source` is the text of the diagnostic's file.
void printDiagnostic(const Diagnostic& diagnostic, std::string_view source = {});

/// One JSON value and a newline on stdout.
void printJson(const nlohmann::json& value);

/// An error of the command line for a word that is none of `known`, with the nearest one.
Diagnostic unknownWord(std::string_view what, std::string_view word, const std::vector<std::string>& known);

} // namespace ptxwb::cli

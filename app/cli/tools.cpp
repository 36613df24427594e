// `ptxwb compile` and `ptxwb assemble`: nvcc and ptxas, one answer for each target.
#include "command.h"

#include "compile_commands.h"
#include "kernel_argument.h"
#include "support/files.h"
#include "support/finding_json.h"
#include "worker/requests.h"
#include "worker_process.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

using nlohmann::json;

struct ToolOptions {
    std::string input, worker, outputFolder, compileCommands;
    std::vector<std::string> architectures, toolkits;
};

void printDiagnostics(const json& list, const std::string& source, const std::string& file) {
    for (const json& value : list) {
        auto diagnostic = diagnosticFromJson(value);
        if (!diagnostic) continue;
        if (diagnostic->place.file.empty()) diagnostic->place.file = file;
        printDiagnostic(*diagnostic, diagnostic->place.file == file ? source : std::string{});
    }
}

bool allOk(const json& answer) {
    for (const json& result : answer.at("results"))
        if (!result.at("ok").get<bool>()) return false;
    return true;
}

void printAssembled(const json& answer, const std::string& text, const std::string& file) {
    for (const json& result : answer.at("results")) {
        printDiagnostics(result.at("diagnostics"), text, file);
        const std::string arch = result.at("arch"),
                          version = result.at("toolkit").is_null() ? "?" : result.at("toolkit");
        fmt::print("{} with ptxas {}: {}\n", arch, version, result.at("ok").get<bool>() ? "assembled" : "failed");
        for (const json& r : result.at("resources"))
            fmt::print("  {:<24} {:>3} registers, spill stores {} B, spill loads {} B, stack {} B, shared {} B, "
                       "barriers {}, constant {} B\n",
                       r.at("entry").get<std::string>(), r.at("registers").get<int>(),
                       r.at("spill_store_bytes").get<int>(), r.at("spill_load_bytes").get<int>(),
                       r.at("stack_bytes").get<int>(), r.at("static_shared_bytes").get<int>(),
                       r.at("barriers").get<int>(), r.at("constant_bytes").get<int>());
    }
}

Expected<int> assemble(const ToolOptions& options, const Invocation& invocation) {
    auto text = readFile(options.input);
    if (!text) return std::unexpected(std::move(text.error()));
    const auto client = makeClient(options.worker);
    if (!client) return std::unexpected(client.error());
    const worker::AssembleRequest request{options.input, *text, options.architectures, options.toolkits};
    const auto answer = (*client)->call(worker::Job::assemble, worker::toJson(request), {}, invocation.stop);
    if (!answer) return std::unexpected(answer.error());
    if (invocation.json)
        printJson(*answer);
    else
        printAssembled(*answer, *text, options.input);
    return allOk(*answer) ? passed : failed;
}

/// NAME.ARCH.ptx in the folder asked for; by default the current one.
Expected<void> storePtx(json& answer, const std::string& name, const std::string& folder) {
    for (json& result : answer.at("results")) {
        if (result.at("ok").get<bool>()) {
            const std::filesystem::path file =
                std::filesystem::path(folder) / fmt::format("{}.{}.ptx", name, result.at("arch").get<std::string>());
            std::error_code error;
            if (!folder.empty()) std::filesystem::create_directories(folder, error);
            if (auto written = writeFileAtomically(file, result.at("ptx").get<std::string>()); !written)
                return std::unexpected(std::move(written.error()));
            result["ptx_file"] = file.string();
        }
        result.erase("ptx");
    }
    return {};
}

Expected<int> compile(const ToolOptions& options, const Invocation& invocation) {
    auto kernel = loadKernelArgument(options.input, invocation.json);
    if (!kernel) return std::unexpected(kernel.error());
    if (!options.compileCommands.empty()) {
        auto flags = projectFlags(options.compileCommands, *kernel);
        if (!flags) return std::unexpected(std::move(flags.error()));
        if (!invocation.json) fmt::print("flags of {}: {}\n", options.compileCommands, fmt::join(*flags, " "));
        kernel->kernel.spec.flags = std::move(*flags);
    }
    const auto client = makeClient(options.worker);
    if (!client) return std::unexpected(client.error());
    const worker::CompileRequest request{kernel->kernel, options.architectures};
    auto answer = (*client)->call(worker::Job::compile, worker::toJson(request), {}, invocation.stop);
    if (!answer) return std::unexpected(std::move(answer.error()));
    if (auto stored = storePtx(*answer, kernel->kernel.spec.name, options.outputFolder); !stored)
        return std::unexpected(std::move(stored.error()));
    if (invocation.json) {
        printJson(*answer);
    } else {
        const std::string& source = kernel->kernel.spec.source;
        const auto text = kernel->kernel.files.find(source);
        for (const json& result : answer->at("results")) {
            printDiagnostics(result.at("diagnostics"),
                             text == kernel->kernel.files.end() ? std::string{} : text->second, source);
            const bool ok = result.at("ok").get<bool>();
            fmt::print("{}: {}\n", result.at("arch").get<std::string>(),
                       ok ? result.at("ptx_file").get<std::string>() : "failed");
        }
    }
    return allOk(*answer) ? passed : failed;
}

void addTargets(CLI::App* command, const std::shared_ptr<ToolOptions>& options) {
    command->add_option("--arch", options->architectures, "a target such as sm_90; may be repeated");
    command->add_option("--worker", options->worker, workerHelp);
}

} // namespace

void addCompile(Invocation& invocation) {
    const auto options = std::make_shared<ToolOptions>();
    CLI::App* command = addCommand(
        invocation, "compile", "compile a kernel's CUDA source to PTX, with line information",
        "ptxwb compile saxpy --arch sm_90 -o build", [options, &invocation] { return compile(*options, invocation); });
    command->add_option("KERNEL", options->input, "a spec file, a folder with one, or the name of an example")
        ->required();
    command->add_option("--compile-commands", options->compileCommands,
                        "the project's compile_commands.json: its flags for the source stand in place of the spec's");
    command->add_option("-o,--output", options->outputFolder,
                        "the folder for NAME.ARCH.ptx (default: the current one)");
    addTargets(command, options);
}

void addAssemble(Invocation& invocation) {
    const auto options = std::make_shared<ToolOptions>();
    CLI::App* command = addCommand(invocation, "assemble",
                                   "assemble a PTX file with ptxas and report registers, spills and shared memory",
                                   "ptxwb assemble saxpy.sm_90.ptx --arch sm_80 --arch sm_90",
                                   [options, &invocation] { return assemble(*options, invocation); });
    command->add_option("FILE", options->input, "a PTX file")->required();
    command->add_option("--toolkit", options->toolkits, "a toolkit folder whose ptxas is used; may be repeated");
    addTargets(command, options);
}

} // namespace ptxwb::cli

// `ptxwb export`: a candidate as production needs it. Nothing is judged here: the hashes say what a verdict was about.
#include "command.h"

#include "kernel_argument.h"
#include "ship/ship.h"
#include "support/files.h"
#include "support/sha256.h"
#include "toolchain/discover.h"
#include "toolchain/ptxas.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

namespace fs = std::filesystem;

struct ExportOptions {
    std::string kernel, candidate, form, arch, folder = ".";
};

Expected<toolchain::PtxasResult> assembled(const std::string& text, const std::string& file, const std::string& arch,
                                           const toolchain::Toolkit& toolkit, const Invocation& invocation) {
    toolchain::PtxasRequest request;
    request.text = text;
    request.file = file;
    request.arch = arch;
    auto result = toolchain::assemble(request, toolkit, invocation.stop);
    if (!result) return result;
    if (result->ok) return result;
    const auto error = std::ranges::find(result->diagnostics, Severity::error, &Diagnostic::severity);
    Diagnostic problem = error == result->diagnostics.end()
                             ? failure(Cause::rejected, fmt::format("ptxas does not take {}", file)).error()
                             : *error;
    problem.cause = Cause::rejected;
    return std::unexpected(std::move(problem));
}

/// The symbol that the spec's entry means in this cubin.
Expected<toolchain::EntryResources> entryOf(const kernel::KernelSpec& spec, const toolchain::PtxasResult& result,
                                            const std::string& file) {
    const auto named = std::ranges::find(result.resources, spec.entry, &toolchain::EntryResources::entry);
    if (named != result.resources.end()) return *named;
    if (result.resources.size() == 1) return result.resources.front();
    return failure(Cause::rejected, fmt::format("{} has no entry {}", file, spec.entry),
                   "the spec's `entry` names the symbol");
}

Expected<int> writeExport(const ExportOptions& options, const Invocation& invocation) {
    const auto form = ship::as(options.form);
    if (!form)
        return std::unexpected(
            unknownWord("--as takes cubin, header or harness, not", options.form, {"cubin", "header", "harness"}));
    const auto kernel = loadKernelArgument(options.kernel, invocation.json);
    if (!kernel) return std::unexpected(kernel.error());
    const kernel::KernelSpec& spec = kernel->kernel.spec;
    const auto candidate = loadCandidate(options.candidate, *kernel);
    if (!candidate) return std::unexpected(candidate.error());
    const auto found = toolchain::discover({}, invocation.stop);
    if (!found) return std::unexpected(found.error());
    const auto toolkit =
        std::ranges::find_if(found->toolkits, [](const toolchain::Toolkit& t) { return t.ptxas.has_value(); });
    if (toolkit == found->toolkits.end())
        return failure(Cause::missing, "no ptxas was found: an export needs the candidate's machine code",
                       "`ptxwb doctor` says where it is looked for");

    ship::Shipment shipment;
    shipment.kernel = &kernel->kernel;
    shipment.candidate = candidate->name;
    shipment.ptx = candidate->text;
    shipment.arch = !options.arch.empty() ? options.arch : spec.arch.empty() ? "sm_90" : spec.arch;
    shipment.program = PTXWB_VERSION;
    auto result = assembled(candidate->text, candidate->file, shipment.arch, *toolkit, invocation);
    if (!result) return std::unexpected(std::move(result.error()));
    const auto entry = entryOf(spec, *result, candidate->file);
    if (!entry) return std::unexpected(entry.error());
    shipment.entry = entry->entry;
    shipment.registers = entry->registers;
    shipment.staticSharedBytes = entry->staticSharedBytes;
    shipment.ptxas = result->version;
    shipment.flags = result->flags;
    shipment.cubin = std::move(result->cubin);
    if (*form == ship::As::harness && spec.baseline)
        if (const auto text = kernel->kernel.files.find(spec.baseline->ptx); text != kernel->kernel.files.end()) {
            auto baseline = assembled(text->second, spec.baseline->ptx, shipment.arch, *toolkit, invocation);
            if (!baseline) return std::unexpected(std::move(baseline.error()));
            shipment.baselineCubin = std::move(baseline->cubin);
        }
    const auto files = ship::ship(shipment, *form);
    if (!files) return std::unexpected(files.error());

    nlohmann::json list = nlohmann::json::array();
    for (const ship::File& file : *files) {
        const fs::path path = fs::path(options.folder) / file.name;
        std::error_code error;
        fs::create_directories(path.parent_path(), error);
        if (error)
            return failure(Cause::badRequest,
                           fmt::format("cannot make the folder {}: {}", path.parent_path().string(), error.message()),
                           "-o names a folder that can be written to");
        if (auto written = writeFileAtomically(path, file.content); !written)
            return std::unexpected(std::move(written.error()));
        list.push_back({{"file", path.generic_string()}, {"sha256", sha256Hex(file.content)}});
        if (!invocation.json) fmt::print("{}\n", path.generic_string());
    }
    if (invocation.json)
        printJson({{"schema", 1},
                   {"kernel", spec.name},
                   {"candidate", candidate->name},
                   {"as", options.form},
                   {"arch", shipment.arch},
                   {"ptxas", shipment.ptxas},
                   {"files", std::move(list)}});
    return passed;
}

} // namespace

void addExport(Invocation& invocation) {
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* command = addCommand(invocation, "export",
                                   "write what production needs: a cubin with a C header, or a program that checks it",
                                   "ptxwb export saxpy --candidate vectorized --as cubin -o shipped",
                                   [options, &invocation] { return writeExport(*options, invocation); });
    command->add_option("KERNEL", options->kernel, "a spec file, a folder with one, or the name of an example")
        ->required();
    command->add_option("--candidate", options->candidate, "a PTX file or the name of one of the kernel's candidates")
        ->required();
    command
        ->add_option("--as", options->form,
                     "cubin (with a C header), header (the cubin inside) or harness (with a program that launches and "
                     "checks it)")
        ->required();
    command->add_option("--arch", options->arch, "a target for ptxas such as sm_90 (default: the spec's)");
    command->add_option("-o,--output", options->folder, "a folder (default: this one)");
}

} // namespace ptxwb::cli

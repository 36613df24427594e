// `ptxwb init`: a first spec for a kernel that has none.
#include "command.h"

#include "kernel/draft.h"
#include "kernel/trust.h"
#include "ptx/parse.h"
#include "support/files.h"
#include "support/finding_json.h"
#include "toolchain/discover.h"
#include "toolchain/nvcc.h"
#include "verify/entry.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct InitOptions {
    std::string file, entry, arch = "sm_90";
    std::vector<std::string> flags;
};

/// The PTX that the draft stands on, and what is known about where it came from.
struct Ground {
    std::shared_ptr<const ptx::Module> module;
    std::string source, sourceText, ptxFile, nvcc;
    fs::path folder;                   ///< where the spec goes
    std::optional<std::string> newPtx; ///< content of `ptxFile`, where that has to be written
    std::optional<kernel::TritonMetadata> triton;
    std::vector<fs::path> written;
    std::vector<Diagnostic> warnings;
};

std::unexpected<Diagnostic> exists(const fs::path& file, const std::string& hint) {
    return failure(Cause::badRequest, fmt::format("{} is there already and is not overwritten", file.string()), hint);
}

/// Compiles FILE.cu where it lies; the PTX is to be kept beside it, where it is not there from the kernel before.
Expected<Ground> compileSource(const InitOptions& options, std::stop_token stop) {
    const fs::path file = options.file;
    Ground ground;
    auto text = readFile(file);
    if (!text) return std::unexpected(std::move(text.error()));
    const auto found = toolchain::discover({}, stop);
    if (!found) return std::unexpected(found.error());
    const auto toolkit = std::ranges::find_if(found->toolkits, [](const auto& t) { return t.nvcc.has_value(); });
    if (toolkit == found->toolkits.end())
        return failure(Cause::missing, fmt::format("{} must be compiled, and no nvcc was found", options.file),
                       "install a CUDA toolkit or set PTXWB_NVCC, or start from PTX: ptxwb init FILE.ptx");
    toolchain::NvccRequest request;
    request.source = file.filename().string();
    request.folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    request.arch = options.arch;
    request.flags = options.flags;
    const auto result = toolchain::compileToPtx(request, *toolkit, stop);
    if (!result) return std::unexpected(result.error());
    if (!result->ok) {
        for (const Diagnostic& diagnostic : result->diagnostics) printDiagnostic(diagnostic, *text);
        return failure(Cause::rejected, fmt::format("nvcc refuses {}", options.file), "mend the source first");
    }
    ground.warnings = result->diagnostics;
    const fs::path ptx = request.folder / fmt::format("{}.{}.ptx", file.stem().string(), options.arch);
    std::error_code error;
    const bool isThere = fs::exists(ptx, error);
    if (const auto old = isThere ? readFile(ptx) : Expected<std::string>(std::string());
        !old || (isThere && *old != result->ptx))
        return exists(ptx, "remove it, or start from it: ptxwb init " + ptx.string());
    if (!isThere) ground.newPtx = result->ptx;
    ground.folder = request.folder;
    ground.module = ptx::parse(result->ptx, ptx.string());
    ground.source = file.filename().string();
    ground.sourceText = std::move(*text);
    ground.ptxFile = ptx.filename().string();
    ground.nvcc = result->version;
    return ground;
}

Expected<Ground> readPtx(const InitOptions& options) {
    auto text = readFile(options.file);
    if (!text) return std::unexpected(std::move(text.error()));
    Ground ground;
    ground.module = ptx::parse(std::move(*text), options.file);
    ground.ptxFile = fs::path(options.file).filename().string();
    if (ground.module->hasErrors()) {
        const auto error = std::ranges::find(ground.module->diagnostics, Severity::error, &Diagnostic::severity);
        Diagnostic refused = *error;
        refused.cause = Cause::rejected;
        return std::unexpected(std::move(refused));
    }
    return ground;
}

/// A folder of Triton's cache: one NAME.ptx with NAME.json, which says how it is launched.
Expected<Ground> readTriton(const InitOptions& options) {
    std::vector<fs::path> found;
    std::error_code error;
    for (auto entry = fs::directory_iterator(options.file, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
        if (entry->path().extension() == ".ptx") found.push_back(entry->path());
    std::ranges::sort(found);
    if (found.size() != 1) {
        std::vector<std::string> names;
        for (const fs::path& file : found) names.push_back(file.filename().string());
        return failure(Cause::badRequest,
                       found.empty() ? fmt::format("{} is a folder without a .ptx file", options.file)
                                     : fmt::format("{} is a folder with {} .ptx files: {}", options.file, found.size(),
                                                   fmt::join(names, ", ")),
                       found.empty() ? "name a .cu or .ptx file, or one folder below ~/.triton/cache"
                                     : "name one of them");
    }
    const fs::path metadataFile = fs::path(found.front()).replace_extension(".json");
    auto text = readFile(metadataFile);
    if (!text)
        return failure(Cause::badRequest,
                       fmt::format("{} has no {}: it is no folder of Triton's cache", options.file,
                                   metadataFile.filename().string()),
                       "name the .ptx file itself: ptxwb init " + found.front().string());
    auto metadata = kernel::readTritonMetadata(*text, metadataFile.string());
    if (!metadata) return std::unexpected(std::move(metadata.error()));
    InitOptions ptx = options;
    ptx.file = found.front().string();
    auto ground = readPtx(ptx);
    if (!ground) return ground;
    ground->folder = options.file;
    ground->triton = std::move(*metadata);
    return ground;
}

Expected<Ground> groundOf(const InitOptions& options, std::stop_token stop) {
    std::error_code error;
    if (fs::is_directory(options.file, error)) return readTriton(options);
    const std::string ending = fs::path(options.file).extension().string();
    if (ending == ".ptx") return readPtx(options);
    if (ending == ".cu") return compileSource(options, stop);
    return failure(Cause::badRequest,
                   fmt::format("{}: a draft starts from a .cu or a .ptx file, or from a folder of Triton's "
                               "cache",
                               options.file));
}

std::array<std::uint32_t, 3> maxThreads(const ptx::Function& entry) {
    for (const auto& directive : entry.directives) {
        if (directive.name != ".maxntid" && directive.name != ".reqntid") continue;
        std::array<std::uint32_t, 3> threads{1, 1, 1};
        std::copy_n(directive.values.begin(), std::min<std::size_t>(3, directive.values.size()), threads.begin());
        return threads;
    }
    return {};
}

/// What the code takes the parameter for where it loads it as the handle of a texture or surface; empty elsewhere.
std::string handleOf(const ptx::Function& entry, ptx::Index parameter) {
    const auto loads = [&](const ptx::Instruction& instruction, ptx::Index reg) {
        const auto operands = entry.operandsOf(instruction);
        return instruction.opcode == ptx::Opcode::ld && operands.size() == 2 &&
               operands[0].kind == ptx::OperandKind::reg && operands[0].symbol == reg && operands[1].childCount &&
               entry.childrenOf(operands[1]).front().kind == ptx::OperandKind::variable &&
               entry.childrenOf(operands[1]).front().symbol == parameter;
    };
    for (const ptx::Instruction& instruction : entry.instructions) {
        using O = ptx::Opcode;
        const O opcode = instruction.opcode;
        const bool ofTexture = opcode == O::tex || opcode == O::tld4 || opcode == O::txq;
        if (!ofTexture && opcode != O::suld && opcode != O::sust && opcode != O::sured && opcode != O::suq) continue;
        for (const ptx::Operand& operand : entry.operandsOf(instruction)) {
            if (operand.kind != ptx::OperandKind::address || !operand.childCount) continue;
            const ptx::Operand& base = entry.childrenOf(operand).front();
            if (base.kind != ptx::OperandKind::reg) continue;
            if (std::ranges::any_of(entry.instructions, [&](const auto& each) { return loads(each, base.symbol); }))
                return ofTexture ? "texture" : "surface";
        }
    }
    return {};
}

kernel::DraftRequest requestOf(const Ground& ground, const ptx::Function& entry) {
    kernel::DraftRequest request;
    request.entry = entry.name;
    request.source = ground.source;
    request.sourceText = ground.sourceText;
    request.ptx = ground.ptxFile;
    request.nvcc = ground.nvcc;
    request.maxThreads = maxThreads(entry);
    if (ground.triton) {
        request.maxThreads = {ground.triton->warps * ground.triton->warpSize, 1, 1};
        request.sharedBytes = ground.triton->sharedBytes;
        request.cluster = ground.triton->cluster;
        request.notes.push_back(
            "arguments: Triton adds pointers of its own behind the kernel's (scratch memory); where "
            "they are not used, make each {\"type\": \"null\"}");
        request.notes.push_back("arguments: integers that are multiples of 16 and pointers that are aligned to 16 are "
                                "assumed where Triton saw them: say so in \"require\" and \"align\"");
    }
    for (const std::string_view target : ground.module->targets)
        if (target.starts_with("sm_")) request.arch = target;
    const auto types = kernel::parameterTypes(kernel::demangle(request.entry));
    const auto named = kernel::sourceParameters(
        ground.sourceText, kernel::demangle(request.entry).substr(0, kernel::demangle(request.entry).find('(')));
    for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
        const ptx::Variable& parameter = entry.parameters[i];
        kernel::DraftParameter draft;
        draft.name = parameter.name;
        draft.ptxType = name(parameter.type);
        draft.size = static_cast<std::uint32_t>(parameter.sizeBytes);
        draft.align = parameter.align;
        draft.pointeeAlign = parameter.pointeeAlign;
        if (i < types.size()) draft.type = types[i];
        if (named && named->size() == entry.parameters.size()) {
            draft.name = (*named)[i].name;
            if (draft.type.empty()) draft.type = (*named)[i].type;
        }
        draft.handleOf = handleOf(entry, ptx::parameterBase + static_cast<ptx::Index>(i));
        draft.isPointer = parameter.isPointer || draft.type.find('*') != std::string::npos;
        request.parameters.push_back(std::move(draft));
    }
    return request;
}

/// Whether another kernel of the folder may stand on its reference.cpp.
bool hasOtherSpecs(const fs::path& folder) {
    std::error_code error;
    for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
        if (entry->path().filename().string().ends_with(".kernel.json")) return true;
    return false;
}

Expected<int> init(const InitOptions& options, const Invocation& invocation) {
    auto ground = groundOf(options, invocation.stop);
    if (!ground) return std::unexpected(std::move(ground.error()));
    const auto entry = verify::findEntry(
        *ground->module, options.entry.empty() && ground->triton ? ground->triton->entry : options.entry);
    if (!entry) {
        Diagnostic problem = entry.error();
        problem.cause = Cause::badRequest;
        if (options.entry.empty()) problem.hint = "say which one: --entry NAME";
        return std::unexpected(std::move(problem));
    }
    const fs::path folder = !ground->folder.empty()                    ? ground->folder
                            : fs::path(options.file).has_parent_path() ? fs::path(options.file).parent_path()
                                                                       : fs::path(".");
    std::error_code error;
    kernel::DraftRequest request = requestOf(*ground, **entry);
    request.ownReference = fs::exists(folder / "reference.cpp", error) && hasOtherSpecs(folder);
    const kernel::Draft draft = kernel::draftSpec(request);
    const fs::path specFile = folder / draft.specFile, referenceFile = folder / draft.spec.reference.file;
    if (fs::exists(specFile, error)) return exists(specFile, "remove it first, or edit it");
    if (ground->newPtx) {
        const fs::path ptx = folder / ground->ptxFile;
        if (auto written = writeFileAtomically(ptx, *ground->newPtx); !written)
            return std::unexpected(std::move(written.error()));
        ground->written.push_back(ptx);
    }
    const bool keepsReference = fs::exists(referenceFile, error);
    if (!keepsReference) {
        if (auto written = writeFileAtomically(referenceFile, draft.referenceText); !written)
            return std::unexpected(std::move(written.error()));
        ground->written.push_back(referenceFile);
    }
    if (auto written = writeFileAtomically(specFile, draft.specText); !written)
        return std::unexpected(std::move(written.error()));
    ground->written.insert(ground->written.begin(), specFile);
    // What was drafted here is the person's own: its reference will run without a question.
    if (const auto kept = kernel::TrustStore().trust(kernel::draftedHereMark(specFile)); !kept)
        printDiagnostic(kept.error());

    json files = json::array(), warnings = json::array();
    for (const fs::path& file : ground->written) files.push_back(file.string());
    for (const Diagnostic& warning : ground->warnings) warnings.push_back(toJson(warning));
    if (invocation.json) {
        printJson({{"schema", 1},
                   {"kernels",
                    {{{"entry", draft.spec.entry},
                      {"spec_file", specFile.string()},
                      {"files", std::move(files)},
                      {"notes", draft.spec.notes}}}},
                   {"diagnostics", std::move(warnings)}});
        return passed;
    }
    for (const fs::path& file : ground->written) fmt::print("wrote {}\n", file.string());
    if (keepsReference) fmt::print("kept {}\n", referenceFile.string());
    fmt::print("\nto decide in {}:\n", specFile.string());
    for (const std::string& decision : draft.spec.notes) fmt::print("  {}\n", decision);
    fmt::print("\nthen write {} and run: ptxwb verify {}\n", referenceFile.string(), specFile.string());
    return passed;
}

} // namespace

void addInit(Invocation& invocation) {
    const auto options = std::make_shared<InitOptions>();
    CLI::App* command =
        addCommand(invocation, "init", "draft a kernel spec and a reference from CUDA source or PTX",
                   "ptxwb init scale.cu --arch sm_90", [options, &invocation] { return init(*options, invocation); });
    command->add_option("FILE", options->file, "a .cu or .ptx file, or a folder of Triton's cache")->required();
    command->add_option("--entry", options->entry, "which kernel, where the file has several");
    command->add_option("--arch", options->arch, "the target for a .cu file");
    command->add_option("--flag", options->flags, "a further flag for nvcc; may be repeated")->allow_extra_args(false);
}

} // namespace ptxwb::cli

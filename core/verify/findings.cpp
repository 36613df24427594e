#include "verify/findings.h"

#include "toolchain/ptx_text.h"

#include <algorithm>

namespace ptxwb::verify {

namespace {

/// The `.loc` in force at a PTX line: that of the first instruction on it or, for a line without one, none.
const ptx::Location* locationAt(const ptx::Module& module, std::uint32_t line) {
    for (const ptx::Function& function : module.functions) {
        if (module.lineOf(function.span.offset) > line || module.lineOf(function.span.end()) < line) continue;
        const auto first =
            std::ranges::lower_bound(function.instructions, line, {}, [&](const ptx::Instruction& instruction) {
                return module.lineOf(instruction.span.offset);
            });
        if (first == function.instructions.end() || module.lineOf(first->span.offset) != line) continue;
        return first->location == ptx::noIndex ? nullptr : &function.locations[first->location];
    }
    return nullptr;
}

} // namespace

void place(Finding& finding, const ptx::Module& module, ptx::Span span) {
    const Place at = module.placeOf(span);
    finding.line = at.line;
    finding.column = at.column;
    finding.length = at.length;
}

Finding findingFrom(const Diagnostic& diagnostic, FindingKind kind, std::string check) {
    Finding finding;
    finding.kind = findingKind(diagnostic.kind).value_or(kind);
    finding.check = std::move(check);
    finding.message = diagnostic.message;
    finding.hint = diagnostic.hint;
    finding.line = diagnostic.place.line;
    finding.column = diagnostic.place.column;
    finding.length = diagnostic.place.length;
    for (const RelatedPlace& related : diagnostic.related) {
        RelatedFinding& added = finding.related.emplace_back();
        added.line = related.place.line;
        added.column = related.place.column;
        added.message = related.message;
    }
    return finding;
}

std::optional<CudaPlace> cudaPlaceOf(const ptx::Module& module, std::uint32_t line) {
    const ptx::Location* location = locationAt(module, line);
    if (!location || location->line == 0) return std::nullopt;
    const auto file = std::ranges::find(module.files, location->file, &ptx::FileEntry::index);
    if (file == module.files.end()) return std::nullopt;
    return CudaPlace{toolchain::decodePtxFileName(file->name), location->line};
}

void addCudaPlaces(std::vector<Finding>& findings, const ptx::Module& module) {
    for (Finding& finding : findings)
        if (finding.line != 0 && !finding.cuda) finding.cuda = cudaPlaceOf(module, finding.line);
}

} // namespace ptxwb::verify

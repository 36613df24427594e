#include "editors/source_links.h"

#include "ptx/line_map.h"

namespace ptxwb::ui {
namespace {

std::string_view lastPart(std::string_view path) {
    return path.substr(path.find_last_of("/\\") + 1);
}

} // namespace

std::uint32_t SourceLinks::sourceOf(std::uint32_t ptxLine) const {
    return ptxLine == 0 || ptxLine > sourceLines.size() ? 0 : sourceLines[ptxLine - 1];
}

const std::vector<std::uint32_t>& SourceLinks::linesOf(std::uint32_t sourceLine) const {
    static const std::vector<std::uint32_t> none;
    const auto found = ptxLines.find(sourceLine);
    return found == ptxLines.end() ? none : found->second;
}

SourceLinks makeSourceLinks(const ptx::Module& module, std::string_view sourceFile) {
    SourceLinks links;
    const ptx::LineMap map(module);
    if (map.empty()) return links;
    const std::string_view wanted = lastPart(sourceFile);
    links.sourceLines.resize(module.lineStarts.size());
    // Only lines with an instruction are linked: a `.loc` is in force on labels and blank lines too.
    for (const ptx::Function& function : module.functions)
        for (const ptx::Instruction& instruction : function.instructions) {
            const std::uint32_t line = module.lineOf(instruction.span.offset);
            if (line == 0 || line > links.sourceLines.size() || links.sourceLines[line - 1] != 0) continue;
            for (const ptx::SourcePlace& place : map.sourceOf(line)) {
                if (lastPart(place.file) != wanted || place.line == 0) continue;
                links.sourceLines[line - 1] = place.line;
                links.ptxLines[place.line].push_back(line);
                break;
            }
        }
    return links;
}

} // namespace ptxwb::ui

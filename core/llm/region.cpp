#include "llm/region.h"

#include "llm/region_flow.h"
#include "llm/reply_blocks.h"
#include "ptx/analysis/dominators.h"
#include "ptx/analysis/liveness.h"
#include "ptx/analysis/uniformity.h"
#include "ptx/print.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace ptxwb::llm {

namespace {

std::unexpected<Diagnostic> refused(const ptx::Module& module, std::uint32_t line, std::string message,
                                    std::string hint) {
    auto result = failure(Cause::rejected, std::move(message), std::move(hint));
    result.error().place = {module.name, line, 1, 1};
    return result;
}

RegionRegister registerOf(const ptx::Function& entry, ptx::Index id) {
    return {entry.registerName(id), std::string(ptx::name(entry.registerType(id)))};
}

/// Lines that a scope, a declaration or a call sequence has inside.
Expected<void> checkBorders(const ptx::Module& module, const ptx::Function& entry, const RegionView& view) {
    const auto lineOf = [&](std::uint32_t offset) { return module.lineOf(offset); };
    const auto inside = [&](std::uint32_t line) { return line >= view.firstLine && line <= view.lastLine; };
    for (std::size_t s = 1; s < entry.scopes.size(); ++s) {
        const auto first = lineOf(entry.scopes[s].span.offset), last = lineOf(entry.scopes[s].span.end() - 1);
        if (inside(first) == inside(last)) continue;
        return refused(module, inside(first) ? first : last,
                       fmt::format("the braces of lines {} to {} are only half inside of the region", first, last),
                       fmt::format("choose lines {} to {}, or lines inside of the braces",
                                   std::min(first, view.firstLine), std::max(last, view.lastLine)));
    }
    const auto declared = [&](ptx::Span span, ptx::Index scope) -> Expected<void> {
        if (scope != entry.instructions[view.first].scope || !inside(lineOf(span.offset))) return {};
        return refused(module, lineOf(span.offset), "the region holds a declaration that other lines may use",
                       "choose lines without declarations");
    };
    for (const ptx::RegisterGroup& group : entry.registers)
        if (auto fine = declared(group.span, group.scope); !fine) return fine;
    for (const ptx::Variable& variable : entry.variables)
        if (auto fine = declared(variable.span, variable.scope); !fine) return fine;
    for (const ptx::LabelledDirective& directive : entry.labelled)
        if (inside(lineOf(directive.span.offset)))
            return refused(module, lineOf(directive.span.offset),
                           fmt::format("the region holds the {} that other lines may use", directive.name),
                           "choose lines without it");
    if (entry.instructions[view.first].scope != entry.instructions[view.end - 1].scope)
        return refused(module, view.firstLine, "the region begins and ends in different braces",
                       "choose lines of one block");
    return {};
}

} // namespace

Expected<RegionView> regionOf(const ptx::Module& module, const ptx::Function& entry, RegionRequest lines) {
    const std::uint32_t bodyFirst = module.lineOf(entry.bodySpan.offset),
                        bodyLast = module.lineOf(entry.bodySpan.end());
    if (lines.firstLine > lines.lastLine || lines.firstLine < bodyFirst || lines.lastLine > bodyLast)
        return refused(
            module, lines.firstLine,
            fmt::format("lines {} to {} are not in the body of {}", lines.firstLine, lines.lastLine, entry.name),
            fmt::format("its body is lines {} to {}", bodyFirst, bodyLast));
    const ptx::ControlFlow flow = ptx::controlFlow(module, entry);
    const ptx::Liveness live = ptx::liveness(entry, flow);
    const auto region = ptx::regionLiveness(module, entry, flow, live, lines.firstLine, lines.lastLine);
    if (region.first == region.end)
        return refused(module, lines.firstLine,
                       fmt::format("lines {} to {} hold no instruction", lines.firstLine, lines.lastLine),
                       "choose lines with code");
    RegionView view;
    view.first = region.first;
    view.end = region.end;
    // From the first instruction to the last: what lies around them stays.
    view.firstLine = module.lineOf(entry.instructions[view.first].span.offset);
    view.lastLine = module.lineOf(entry.instructions[view.end - 1].span.end());
    for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
        const bool isInside = i >= view.first && i < view.end;
        const auto begin = module.lineOf(entry.instructions[i].span.offset),
                   last = module.lineOf(entry.instructions[i].span.end());
        if (!isInside && begin <= view.lastLine && last >= view.firstLine)
            return refused(module, begin,
                           fmt::format("an instruction of line {} is only half inside of the region", begin),
                           "choose whole lines");
    }
    const auto textFrom = [&](std::uint32_t from, std::uint32_t to) {
        return trimmed(module.textOf({from, to - from}));
    };
    const auto lineStart = [&](std::uint32_t line) {
        return line <= module.lineStarts.size() ? module.lineStarts[line - 1]
                                                : static_cast<std::uint32_t>(module.text->size());
    };
    if (!textFrom(lineStart(view.firstLine), entry.instructions[view.first].span.offset).empty())
        return refused(module, view.firstLine, "the first line of the region holds more than its instruction",
                       "put the label or brace on a line of its own");
    std::string_view rest = textFrom(entry.instructions[view.end - 1].span.end(), lineStart(view.lastLine + 1));
    if (rest.starts_with(';')) rest = trimmed(rest.substr(1));
    if (!rest.empty() && !rest.starts_with("//"))
        return refused(module, view.lastLine, "the last line of the region holds more than its instruction",
                       "put what follows on a line of its own");
    if (auto fine = checkBorders(module, entry, view); !fine) return std::unexpected(std::move(fine.error()));
    for (const std::string_view line :
         linesOf(module.textOf({lineStart(view.firstLine), lineStart(view.lastLine + 1) - lineStart(view.firstLine)})))
        if (!trimmed(line).starts_with(".loc")) view.text += std::string(line) + "\n";
    for (const ptx::Index id : region.liveIn) view.liveIn.push_back(registerOf(entry, id));
    for (const ptx::Index id : region.liveOut) view.liveOut.push_back(registerOf(entry, id));
    std::set<ptx::Index> insideIds, outsideIds;
    for (std::size_t i = 0; i < entry.instructions.size(); ++i)
        for (const ptx::RegisterAccess& access : live.accesses.of(i))
            (i >= view.first && i < view.end ? insideIds : outsideIds).insert(access.reg);
    for (const ptx::Index id : insideIds) {
        // What a scope inside declares goes with its lines.
        const std::uint32_t declared = module.lineOf(entry.groupOf(id).span.offset);
        const bool carried = std::ranges::binary_search(region.liveIn, id) ||
                             std::ranges::binary_search(region.liveOut, id); // around a loop
        if (!carried && !outsideIds.contains(id) && (declared < view.firstLine || declared > view.lastLine))
            view.inner.push_back(registerOf(entry, id));
    }
    const RegionFlow ways = regionFlow(module, entry, flow, view.first, view.end);
    view.keptLabels = ways.keptLabels;
    view.exits = ways.exits;
    view.fallsThrough = ways.fallsThrough;
    view.leaves = ways.leaves;
    view.barriers = barriersIn(module, entry, view.first, view.end);
    view.isDivergent = ptx::uniformity(module, entry, flow).divergentInside[flow.blockOf[view.first]];
    const auto pressure = ptx::registerPressure(entry, flow, live);
    for (std::uint32_t i = view.first; i < view.end; ++i) {
        view.pressureWords = std::max(view.pressureWords, pressure[i].words);
        view.pressurePredicates = std::max(view.pressurePredicates, pressure[i].predicates);
    }
    for (const ptx::Loop& loop : ptx::loops(flow, ptx::immediateDominators(flow)))
        if (std::ranges::binary_search(loop.blocks, flow.blockOf[view.first]))
            view.loopDepth = std::max(view.loopDepth, loop.depth);
    return view;
}

} // namespace ptxwb::llm

#include "ptx/analysis/outline.h"

#include "ptx/analysis/dominators.h"

namespace ptxwb::ptx {

std::vector<OutlineFunction> outline(const Module& module) {
    std::vector<OutlineFunction> all;
    for (Index f = 0; f < module.functions.size(); ++f) {
        const Function& function = module.functions[f];
        if (!function.hasBody) continue;
        OutlineFunction entry{std::string(function.name),
                              f,
                              function.isEntry,
                              module.lineOf(function.span.offset),
                              module.lineOf(function.span.end() - (function.span.length ? 1 : 0)),
                              {}};
        const ControlFlow flow = controlFlow(module, function);
        for (const Block& block : flow.blocks) {
            OutlineBlock one;
            one.firstLine = module.lineOf(function.instructions[block.first].span.offset);
            one.lastLine = module.lineOf(function.instructions[block.end - 1].span.end() - 1);
            one.reachable = block.reachable;
            entry.blocks.push_back(std::move(one));
        }
        for (const Label& label : function.labels) {
            if (label.directive != noIndex || label.target >= flow.blockOf.size()) continue;
            OutlineBlock& block = entry.blocks[flow.blockOf[label.target]];
            block.name += (block.name.empty() ? "" : ", ") + std::string(label.name);
            block.firstLine = std::min(block.firstLine, module.lineOf(label.span.offset));
        }
        for (const Loop& loop : loops(flow, immediateDominators(flow))) {
            entry.blocks[loop.header].isLoopHeader = true;
            for (const Index block : loop.blocks)
                entry.blocks[block].loopDepth = std::max(entry.blocks[block].loopDepth, loop.depth);
        }
        all.push_back(std::move(entry));
    }
    return all;
}

} // namespace ptxwb::ptx

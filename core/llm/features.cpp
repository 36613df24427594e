#include "llm/features.h"

#include "ptx/analysis/dominators.h"
#include "ptx/cfg.h"

#include <algorithm>

namespace ptxwb::llm {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;
using ptx::StateSpace;

const std::vector<std::string>& featureNames() {
    static const std::vector<std::string> names{"barrier_in_loop",
                                                "copy_to_shared",
                                                "f16_arithmetic",
                                                "fma_in_loop",
                                                "fragments_by_load",
                                                "loop",
                                                "mma",
                                                "scalar_global_loads",
                                                "scalar_global_stores",
                                                "shared_in_loop",
                                                "shared_reduction",
                                                "shuffle",
                                                "slow_division"};
    return names;
}

std::vector<std::string> features(const ptx::Module& module, const ptx::Function& entry) {
    const ptx::ControlFlow flow = ptx::controlFlow(module, entry);
    const auto allLoops = ptx::loops(flow, ptx::immediateDominators(flow));
    std::vector<bool> inLoop(flow.blocks.size(), false);
    for (const ptx::Loop& loop : allLoops)
        for (const ptx::Index block : loop.blocks) inLoop[block] = true;

    std::vector<std::string> found;
    const auto add = [&](const char* name, bool isThere) {
        if (isThere) found.emplace_back(name);
    };
    unsigned scalarLoads = 0, scalarStores = 0, fma = 0, shared = 0, barriers = 0, sharedAll = 0, barriersAll = 0,
             stores = 0;
    bool mma = false, ldmatrix = false, shuffle = false, half = false, asynchronous = false, division = false;
    for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
        const ptx::Instruction& instruction = entry.instructions[i];
        const bool repeated = inLoop[flow.blockOf[i]];
        const StateSpace space = entry.spaceOf(instruction);
        const unsigned bytes = ptx::sizeBytes(entry.typeOf(instruction)) * entry.vectorOf(instruction);
        switch (instruction.opcode) {
        case Opcode::ld:
            if (space == StateSpace::global && bytes > 0 && bytes <= 8) ++scalarLoads;
            if (space == StateSpace::shared) ++sharedAll, shared += repeated;
            break;
        case Opcode::st:
            if (space == StateSpace::global && bytes > 0 && bytes <= 8) ++scalarStores;
            if (space == StateSpace::shared) ++stores;
            break;
        case Opcode::fma:
        case Opcode::mad:
            if (ptx::isFloat(entry.typeOf(instruction))) fma += repeated;
            half =
                half || entry.typeOf(instruction) == ScalarType::f16 || entry.typeOf(instruction) == ScalarType::f16x2;
            break;
        case Opcode::bar:
        case Opcode::barrier: ++barriersAll, barriers += repeated; break;
        case Opcode::mma:
        case Opcode::wmma: mma = true; break;
        case Opcode::ldmatrix: ldmatrix = true; break;
        case Opcode::shfl: shuffle = true; break;
        case Opcode::cp: asynchronous = true; break;
        case Opcode::div: division = division || entry.has(instruction, Modifier::rn); break;
        default: break;
        }
    }
    add("barrier_in_loop", barriers > 0);
    add("copy_to_shared", stores > 0 && scalarLoads > 0 && barriersAll > 0 && !asynchronous && barriers > 0);
    add("f16_arithmetic", half);
    add("fma_in_loop", fma > 0);
    add("fragments_by_load", mma && !ldmatrix && sharedAll > 0);
    add("loop", !allLoops.empty());
    add("mma", mma);
    add("scalar_global_loads", scalarLoads > 0);
    add("scalar_global_stores", scalarStores > 0);
    add("shared_in_loop", shared > 0);
    add("shared_reduction", sharedAll > 0 && stores > 0 && barriersAll > 0 && fma == 0 && !shuffle);
    add("shuffle", shuffle);
    add("slow_division", division);
    return found;
}

} // namespace ptxwb::llm

#include "emulator/lanes.h"

#include "support/environment.h"

#include <vector>

namespace ptxwb::emulator {

namespace {

/// The best first.
std::vector<const LaneTable*> ofThisProcessor() {
    std::vector<const LaneTable*> tables;
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        tables.push_back(&lanesAvx512);
    if (avx2) tables.push_back(&lanesAvx2);
#endif
    tables.push_back(&lanesGeneric);
    return tables;
}

/// PTXWB_LANES names a lesser one, for tests of those on any machine.
const LaneTable& choose() {
    const auto tables = ofThisProcessor();
    const auto wanted = environmentVariable("PTXWB_LANES");
    for (const LaneTable* table : tables)
        if (wanted == table->name) return *table;
    return *tables.front();
}

const LaneTable& chosen() {
    static const LaneTable& choice = choose();
    return choice;
}

} // namespace

LaneFunction laneFunction(Lane row) {
    return chosen().functions[static_cast<unsigned>(row)];
}
AddressFunction addressFunction() {
    return chosen().addresses;
}
GatherFunction gatherFunction() {
    return chosen().gather;
}
ProductFunction productFunction() {
    return chosen().product;
}
FragmentFunction fragmentFunction() {
    return chosen().fragment;
}
CellFunction readCellsFunction() {
    return chosen().readCells;
}
CellFunction writeCellsFunction() {
    return chosen().writeCells;
}
QuadFunction readQuadsFunction() {
    return chosen().readQuads;
}
AtomicFunction atomicCellsFunction() {
    return chosen().atomicCells;
}
const char* laneInstructionSet() {
    return chosen().name;
}

} // namespace ptxwb::emulator

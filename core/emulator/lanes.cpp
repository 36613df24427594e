#include "emulator/lanes.h"

namespace ptxwb::emulator {

namespace {

const LaneTable& choose() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        return lanesAvx512;
    if (avx2) return lanesAvx2;
#endif
    return lanesGeneric;
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
const char* laneInstructionSet() {
    return chosen().name;
}

} // namespace ptxwb::emulator

// How near a kernel comes to what its device can do, by the work that the spec states: memory and arithmetic.
// Called by the benchmark stage.
#pragma once

#include "gpu/peaks.h"
#include "ptx/module.h"
#include "verify/result.h"

namespace ptxwb::verify {

struct Context;

/// The device's peaks: from the user's cache, else measured and put there. Errors: as gpu::measurePeaks.
Expected<gpu::Peaks> peaksOf(const Context& context, gpu::Gpu& gpu);

struct ArithmeticPeak {
    std::string rate; ///< as gpu::Peaks names it
    double operationsPerSecond = 0;
};

/// The fastest of the kinds of arithmetic that the module's instructions belong to. Nothing where it has an instruction
/// whose peak is not measured (sparse products, 4-bit and 1-bit types, tcgen05): no figure is better than a guess.
std::optional<ArithmeticPeak> arithmeticPeak(const ptx::Module& module, const gpu::Peaks& peaks);

/// Of one launch; 0 bytes or operations: the spec does not say.
struct Work {
    double bytes = 0, operations = 0;
};
Roofline rooflineOf(const Work& work, double seconds, const gpu::Peaks& peaks,
                    const std::optional<ArithmeticPeak>& arithmetic);

} // namespace ptxwb::verify

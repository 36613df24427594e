// Grid, block, cluster and shared memory of one launch, from the spec and a candidate's override.
// Called by layout.cpp, and by the window, which shows the shape and needs no buffers.
#pragma once

#include "kernel/layout.h"

namespace ptxwb::kernel {

/// Fills grid, block, cluster, sharedBytes and cooperative of `data` for `data.symbols`. `own` may be null. Errors as
/// of `buildLaunch`.
Expected<void> shapeLaunch(const LaunchShape& spec, const LaunchOverride* own, LaunchData& data);
/// The same for one of several launches; `path`: how messages call it, "launches[1].launch".
Expected<void> shapePart(const LaunchShape& spec, const LaunchOverride* own, const Symbols& symbols,
                         std::string_view path, LaunchPart& part);

/// The value, or the error with the field's path in front.
Expected<std::int64_t> evaluateAt(const Formula& formula, const Symbols& symbols, std::string_view path);
std::unexpected<Diagnostic> withPath(std::string_view path, Diagnostic problem);

} // namespace ptxwb::kernel

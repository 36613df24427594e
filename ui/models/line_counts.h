// What was counted of each PTX line, as texts for the margin: by the emulator, or samples of a GPU.
// Called by LineCounting; shown by CountStrip.
#pragma once

#include "editors/count_strip.h"
#include "ptx/module.h"
#include "verify/profile_report.h"
#include "verify/result.h"

#include <array>

namespace ptxwb::ui {

enum class CountKind : std::uint8_t { none, executed, sectors, wavefronts, samples, pressure, divergence };
inline constexpr std::array countKinds{CountKind::none,       CountKind::executed, CountKind::sectors,
                                       CountKind::wavefronts, CountKind::samples,  CountKind::pressure,
                                       CountKind::divergence};
/// Whether the text alone tells it, with no run.
constexpr bool isStatic(CountKind kind) {
    return kind == CountKind::pressure || kind == CountKind::divergence;
}

QString title(CountKind kind);   ///< for the menu: "Executed warps (emulator)"
QString meaning(CountKind kind); ///< one sentence

/// Of `work` or of `sampling`, as the kind asks; empty where there is none.
std::vector<LineCount> lineCounts(CountKind kind, const verify::WorkReport* work, const verify::PcSampling* sampling);
/// For the kinds that `isStatic` names: live registers, and where lanes of a warp may part. Analyses each function: not
/// on the window's thread.
std::vector<LineCount> staticLineCounts(CountKind kind, const ptx::Module& module);

} // namespace ptxwb::ui

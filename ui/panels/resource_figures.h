// What the resources panel says of a candidate, as texts and numbers, without a widget.
// Used by ResourcesPanel and its table.
#pragma once

#include "gpu/occupancy.h"
#include "session/session.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

namespace ptxwb::ui {

/// One figure of ptxas for one entry and target. `baseline` is absent where the baseline was not assembled for it.
struct ResourceCell {
    std::uint32_t value = 0;
    std::optional<std::uint32_t> baseline;
};

/// The figures in the order of `resourceNames()`.
struct ResourceColumn {
    std::string arch, entry;
    std::vector<ResourceCell> cells;
};

QStringList resourceNames();      ///< "Registers", "Stack", "Spill stores", ...
QString resourceMeaning(int row); ///< for a tooltip
/// "32", "1024 B"; what is counted has no unit.
QString resourceText(int row, std::uint32_t value);
/// "36 (+4)"; the value alone where nothing differs.
QString resourceText(int row, const ResourceCell& cell);

/// One column for each target and entry that ptxas answered for, targets in the session's order. The baseline's own
/// figures have nothing beside them.
std::vector<ResourceColumn> resourceColumns(const session::Session& session, const session::Candidate& candidate);

/// Why there are no figures: not verified, not asked for, refused, no ptxas. Empty where there are some.
QString whyNoFigures(const session::Candidate& candidate);

struct LaunchUsed {
    std::uint32_t block = 0;         ///< threads
    std::uint32_t sharedDynamic = 0; ///< bytes
};
/// The launch that the occupancy is about: that of the largest function size, with the candidate's own override. The
/// block is the judged one where a verification has said which. Errors: no kernel spec, and those of kernel::sizes,
/// kernel::readCandidateHeader and kernel::shapeLaunch.
Expected<LaunchUsed> launchUsed(const session::Session& session, const session::Candidate& candidate);

/// What to ask gpu::occupancy for. `from`: the target whose ptxas figures are used, which is another one where ptxas
/// was not asked for `arch`. nullopt without any figures.
struct OccupancyQuestion {
    gpu::OccupancyRequest request;
    std::string from;
};
std::optional<OccupancyQuestion> occupancyQuestion(const session::Session& session, const session::Candidate& candidate,
                                                   const std::string& arch, const LaunchUsed& launch);

/// "8 blocks and 64 of 64 warps per SM (100 %), limited by warps"; for 0 blocks the reason and what to do.
QString occupancyText(const gpu::Architecture& arch, const gpu::Occupancy& occupancy);
/// "4 registers fewer: 9 blocks per SM", or that fewer would not help.
QString nextStepText(const gpu::Occupancy& occupancy, std::uint32_t registers);

} // namespace ptxwb::ui

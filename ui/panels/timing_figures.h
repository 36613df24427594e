// What the timing panel says of a candidate, as texts, without a widget.
// Used by TimingPanel.
#pragma once

#include "panels/timing_strips.h"
#include "session/session.h"

#include <QString>

#include <vector>

namespace ptxwb::ui {

/// One figure, of the candidate and of what it was measured against; `baseline` is a dash where it is not known.
struct TimingRow {
    QString name, meaning;
    QString candidate, baseline;
};

/// What is shown of a candidate that has a time.
struct TimingFigures {
    QString call;        ///< "faster: 1.269 x, 95 % interval 1.266 to 1.271, against baseline"
    QString glyph;       ///< of the call; empty where nothing was compared
    QString explanation; ///< what unclear, same or "does not count" means here; may be empty
    QString measuredOn;  ///< the GPU
    QString note;        ///< where the baseline's hot and graph figures come from; may be empty
    QString against;     ///< the baseline's name; empty where nothing was compared
    std::vector<TimingRow> rows;
    TimingStrips strips;
};

/// `candidate` has a timing. `baseline`: what its own verification said; nullptr where it was not verified or is stale.
/// The paired rounds hold no hot and graph figures of the baseline: those are taken from there, but only of the same
/// GPU, size and method.
TimingFigures timingFigures(const session::Candidate& candidate, const verify::CandidateResult* baseline);

} // namespace ptxwb::ui

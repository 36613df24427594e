// What the candidates' table shows of one candidate, as texts and numbers, without a table.
// Used by CandidateModel; no Qt model, so that every figure can be tested alone.
#pragma once

#include "session/session.h"

#include <QString>

#include <optional>

namespace ptxwb::ui {

/// The figures of ptxas for a target, or for the first target that was judged. nullptr where there are none.
const verify::EntryResources* resourcesFor(const session::Candidate& candidate, const std::string& target);
const verify::OccupancyFigure* occupancyFor(const session::Candidate& candidate, const std::string& target);

/// Who judged: "emulator", "gpu NVIDIA H200"; the stage's own tool where nothing ran ("ptxas", "host"); empty where
/// nothing at all did.
QString evidence(const verify::CandidateResult& result);

/// "pass (emulator)", "fail (ptxas)", "incomplete (emulator)", "unverified".
QString verdictText(const session::Candidate& candidate);

/// The stage that decided, and why: "stress: a race on ...". Empty for a pass and where nothing was judged.
QString decidedBy(const verify::CandidateResult& result);

/// Name of the first candidate (the baseline before all) with the same machine code; empty where there is none.
QString sameCodeAs(const session::Session& session, const session::Candidate& candidate);

QString originText(const session::Origin& origin);

/// "32 (+4)", "32" where they are equal or there is nothing to compare with.
QString withDelta(const QString& shown, double value, std::optional<double> reference, int decimals);

} // namespace ptxwb::ui

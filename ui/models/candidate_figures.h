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

/// Who judged: "emulator", "H200"; the stage's own tool where nothing ran ("ptxas", "host"); empty where
/// nothing at all did.
QString evidence(const verify::CandidateResult& result);
/// Who judged a stage, as a person knows it: "emulator", "ptxas", "checker" for what needs no other.
QString judgeName(const std::string& backend);

/// "pass (emulator)", "fail (ptxas)", "incomplete (emulator)", "unverified".
QString verdictText(const session::Candidate& candidate);

/// The stage that decided, and why: "stress: a race on ...". Empty for a pass and where nothing was judged.
QString decidedBy(const verify::CandidateResult& result);

/// Name of the first candidate (the baseline before all) with the same machine code; empty where there is none.
QString sameCodeAs(const session::Session& session, const session::Candidate& candidate);

QString originText(const session::Origin& origin);

/// "187.0": four significant digits, whole numbers above 9999, never with an exponent.
QString fourDigits(double value);

/// "187.0 us ±0.5 %": the cold median, and half of the way from p10 to p90 as a share of it.
QString timeText(const verify::Timing& timing);

/// What the paired rounds say: `word` is faster, slower, same, unclear, or "does not count" where the benchmark found
/// the outputs to be wrong. Empty where nothing was compared.
struct Call {
    QString glyph, word;
};
Call callOf(const verify::CandidateResult& result);

/// "1.269 [1.266, 1.271]" as "1.269", "1.266", "1.271": three decimals, four digits for what is below a tenth.
QString ratioNumber(double ratio);
/// "▲ 1.269 faster [1.266, 1.271]"; without the glyph for a screen reader. Empty where nothing was compared.
enum class WithGlyph : unsigned char { no, yes };
QString ratioText(const verify::CandidateResult& result, WithGlyph glyph);

/// Why there is no time: not verified, no GPU, not right, broken off. Empty where there is one.
QString whyNoTime(const session::Candidate& candidate);

/// What stands behind the two columns, for a tooltip; `whyNoTime` where there is no time.
QString timeDetails(const session::Candidate& candidate);
QString ratioDetails(const session::Candidate& candidate);

/// "32 (+4)", "32" where they are equal or there is nothing to compare with.
QString withDelta(const QString& shown, double value, std::optional<double> reference, int decimals);

} // namespace ptxwb::ui

// An opened saxpy and results for it. Used by the tests of ui/models.
#pragma once

#include "models/document.h"
#include "support/sha256.h"

#include <QTest>

namespace ptxwb::test {

const QString examples = QStringLiteral(PTXWB_SOURCE_DIR "/resources/examples");

inline void openSaxpy(ui::Document& document) {
    const auto opened = document.open(QStringLiteral("saxpy"), examples);
    if (!opened) qFatal("%s", opened.error().message.c_str());
}

inline QStringList names(const ui::Document& document) {
    QStringList list;
    for (const auto& candidate : document.session().candidates) list += QString::fromStdString(candidate.name);
    return list;
}

struct Figures {
    std::uint32_t registers = 32, spills = 0;
    std::string code = "machine code";
    verify::Status stress = verify::Status::pass;
};

/// As a worker answers for this text.
inline verify::VerifyReport report(const QString& text, const Figures& figures = {}) {
    verify::CandidateResult result;
    result.sha256 = sha256Hex(text.toStdString());
    result.textSha256 = sha256Hex(figures.code);
    using enum verify::Stage;
    for (const verify::Stage stage : {parse, assemble, function, stress, sanitize, benchmark}) {
        verify::StageResult& made = result.stages.emplace_back();
        made.stage = stage;
        made.status = stage == stress ? figures.stress : verify::Status::pass;
        made.backend = stage == parse ? "host" : stage == assemble ? "ptxas" : "emulator";
    }
    result.stages.back().status = verify::Status::skipped;
    result.stages.back().backend.clear();
    result.stages.back().reason = "time is only measured on a GPU";
    result.resources.push_back({"sm_90", "saxpy", figures.registers, 0, figures.spills, figures.spills, 1024, 0, 24});
    result.occupancy.push_back({"sm_90", 256, 8, 64, 100.0, "warps"});
    result.verdict = verify::foldVerdict(result.stages);
    return {"saxpy", "sm_90", "13.0.88", 7, {result}};
}

} // namespace ptxwb::test

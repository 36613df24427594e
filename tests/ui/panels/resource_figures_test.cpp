#include "panels/resource_figures.h"

#include "../models/documents.h"

#include <QStandardPaths>

using namespace ptxwb;
using namespace ptxwb::ui;
using namespace ptxwb::test;

namespace {

/// As where a stage says why there is nothing.
session::Candidate judged(verify::Stage stage, verify::Status status, const std::string& reason,
                          const std::string& finding = {}) {
    session::Candidate candidate;
    verify::CandidateResult result;
    verify::StageResult said{stage, status, "ptxas", reason, 0, {}, 0};
    if (!finding.empty()) {
        said.findings.emplace_back().message = finding;
        said.findings.back().line = 12;
    }
    result.stages = {said};
    candidate.judgement = session::Judgement{result, {}, {}, {}, {}, 0, {}};
    return candidate;
}

} // namespace

class ResourceFiguresTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QStandardPaths::setTestModeEnabled(true); }

    void texts() {
        QCOMPARE(resourceNames().size(), 7);
        QCOMPARE(resourceText(0, ResourceCell{36, 32}), QString("36 (+4)"));
        QCOMPARE(resourceText(0, ResourceCell{30, 32}), QString::fromUtf8("30 (−2)"));
        QCOMPARE(resourceText(0, ResourceCell{32, 32}), QString("32"));
        QCOMPARE(resourceText(0, ResourceCell{32, {}}), QString("32"));
        QCOMPARE(resourceText(4, ResourceCell{1024, 0}), QString("1024 B (+1024)"));
    }

    void aColumnForEachTargetAndEntry() {
        Document document;
        openSaxpy(document);
        document.setTargets({"sm_80", "sm_90"});
        auto own = report(document.text("c1"), {.registers = 36});
        own.results[0].resources.push_back({"sm_80", "saxpy", 30, 0, 0, 0, 0, 0, 384});
        document.setResults("c1", own);
        document.setResults("baseline", report(document.text("baseline"), {.registers = 32}));
        const auto columns = resourceColumns(document.session(), *document.candidate("c1"));
        QCOMPARE(columns.size(), 2u);
        QCOMPARE(columns[0].arch, std::string("sm_80")); // the session's order
        QVERIFY(!columns[0].cells[0].baseline);
        QCOMPARE(columns[1].arch, std::string("sm_90"));
        QCOMPARE(columns[1].cells[0].value, 36u);
        QCOMPARE(columns[1].cells[0].baseline, std::optional<std::uint32_t>(32));
        QVERIFY(!resourceColumns(document.session(), *document.candidate("baseline"))[0].cells[0].baseline);
        QVERIFY(resourceColumns(document.session(), *document.candidate("c2")).empty());
    }

    void whyThereAreNone() {
        using enum verify::Stage;
        using enum verify::Status;
        QVERIFY(whyNoFigures(session::Candidate{}).contains("verified"));
        QVERIFY(whyNoFigures(judged(assemble, skipped, "no ptxas was found; install a CUDA toolkit or set PTXWB_PTXAS"))
                    .contains("no ptxas was found; install a CUDA toolkit"));
        QVERIFY(
            whyNoFigures(judged(assemble, fail, "", "unknown opcode")).contains("refuses the text: line 12: unknown"));
        QVERIFY(
            whyNoFigures(judged(verify::Stage::parse, fail, "", "no such label")).contains("line 12: no such label"));
        QVERIFY(whyNoFigures(judged(function, pass, "")).contains("before ptxas was asked"));
        Document document;
        openSaxpy(document);
        document.setResults("c1", report(document.text("c1")));
        QCOMPARE(whyNoFigures(*document.candidate("c1")), QString());
    }

    void theLaunchIsTheCandidatesOwn() {
        Document document;
        openSaxpy(document);
        const auto specs = launchUsed(document.session(), *document.candidate("baseline"));
        QCOMPARE(specs->block, 256u);
        QCOMPARE(specs->sharedDynamic, 0u);
        document.setText("c1",
                         "//@ launch {\"block\": [64, 2, 1], \"shared_bytes\": 4096}\n" + document.text("baseline"));
        const auto own = launchUsed(document.session(), *document.candidate("c1"));
        QVERIFY2(own.has_value(), own ? "" : own.error().message.c_str());
        QCOMPARE(own->block, 128u);
        QCOMPARE(own->sharedDynamic, 4096u);
        document.setText("c1", "//@ launch {\"block\": [2048, 1, 1]}\n" + document.text("baseline"));
        QVERIFY(!launchUsed(document.session(), *document.candidate("c1")));
        Document empty;
        empty.newCandidate("a");
        const auto none = launchUsed(empty.session(), empty.session().candidates[0]);
        QCOMPARE(none.error().message,
                 std::string("There is no kernel spec, so nothing says how many threads a block has."));
    }

    void questions() {
        Document document;
        openSaxpy(document);
        auto own = report(document.text("c1"), {.registers = 36});
        own.results[0].resources.insert(own.results[0].resources.begin(), {"sm_90", "helper", 99, 0, 0, 0, 0, 0, 0});
        document.setResults("c1", own);
        const auto ask = [&](const char* arch) {
            return occupancyQuestion(document.session(), *document.candidate("c1"), arch, {256, 512});
        };
        QCOMPARE(ask("sm_90")->request.registers, 36u); // the spec's entry, not the first
        QCOMPARE(ask("sm_90")->request.sharedStatic, 1024u);
        QCOMPARE(ask("sm_90")->request.sharedDynamic, 512u);
        QCOMPARE(ask("sm_90")->from, std::string("sm_90"));
        QCOMPARE(ask("sm_80")->request.registers, 36u);
        QCOMPARE(ask("sm_80")->from, std::string("sm_90"));
        QVERIFY(!occupancyQuestion(document.session(), *document.candidate("c2"), "sm_90", {256, 0}));
    }

    void occupancyInWords() {
        const auto arch = gpu::architecture("sm_90");
        const auto full = gpu::occupancy(*arch, {.block = 256, .registers = 32});
        QCOMPARE(ui::occupancyText(*arch, *full),
                 QString("8 blocks and 64 of 64 warps per SM (100 %), limited by warps."));
        QCOMPARE(nextStepText(*full, 32), QString("Fewer registers would not let more blocks in."));
        const auto less = gpu::occupancy(*arch, {.block = 256, .registers = 36});
        QCOMPARE(ui::occupancyText(*arch, *less),
                 QString("6 blocks and 48 of 64 warps per SM (75.0 %), limited by registers."));
        QCOMPARE(nextStepText(*less, 36), QString("4 registers fewer: 8 blocks per SM."));
        const auto none = gpu::occupancy(*arch, {.block = 1024, .registers = 100});
        QVERIFY2(ui::occupancyText(*arch, *none).startsWith("no block fits on an SM: "),
                 qPrintable(ui::occupancyText(*arch, *none)));
        QVERIFY(nextStepText(*none, 100).contains("1 block per SM"));
    }
};

QTEST_GUILESS_MAIN(ResourceFiguresTest)
#include "resource_figures_test.moc"

#include "reviewed.h"

#include "review/checklist.h"
#include "review/evidence.h"

using namespace ptxwb;
using namespace ptxwb::review;
using namespace ptxwb::test;
using session::ReviewState;

namespace {

std::string all(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

/// What keeps this wish from being granted, for comparing.
std::string why(const session::Session& session, const Wish& wish) {
    return all(obstacles(session, wish));
}

} // namespace

class DecisionTest : public QObject {
    Q_OBJECT

private slots:
    void whatAnH200HasJudgedCanBeApproved() {
        const session::Session session = approvedSaxpy();
        const Standing now = standing(session, named(const_cast<session::Session&>(session), "vectorized").id);
        QVERIFY2(now.isApproved(), all(now.changes).c_str());
        const session::Decision& decision = *now.decision;
        QCOMPARE(decision.bound.evidence.size(), 1u);
        QCOMPARE(describe(decision.bound.evidence[0]).substr(0, 66),
                 std::string("NVIDIA H200 (sm_90) for sm_90, driver 580.159.04, ptxas 13.0.88, s"));
        QVERIFY(decision.bound.evidence[0].isGpu);
        QVERIFY(decision.bound.files.contains("saxpy.cu"));
        QVERIFY(decision.bound.files.contains("reference.cpp"));
        QCOMPARE(describe(now), "approved by " + grace + ", 2026-12-01T10:00:00Z");
    }

    void whatKeepsFromAnApproval_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<QString>("expected");
        int number = 0;
        const auto row = [&](const char* name, const char* expected) {
            QTest::newRow(name) << number++ << QString(expected);
        };
        row("nothing", "");
        row("never verified", "it has not been verified");
        row("text changed", "its verdict is stale: its text has changed since it was verified");
        row("kernel changed",
            "its verdict is stale: the kernel's spec or one of its files has changed since it was verified");
        row("incomplete", "its verdict is incomplete: sanitize is inconclusive: the emulator cannot run it");
        row("no target", "no target is named that it would hold for");
        row("a target that nobody ran", "no GPU has judged it for sm_100: it was not verified for this target");
        row("by the emulator", "no GPU has judged it for sm_90: function was judged by the emulator");
        row("another GPU", "no GPU has judged it for sm_90: NVIDIA H200 is sm_80: it cannot run code for sm_90");
        row("an old result", "no GPU has judged it for sm_90: the result does not say which target NVIDIA H200 has: "
                             "verify again");
        row("its author", "Ada Lovelace <ada@example.org> is an author of it: another person must approve it");
        row("no author", "nobody is named as its author, so that nobody can tell whether another person reviews it");
        row("no name", "the reviewer's name is missing");
        row("no reason", "the reason is missing");
        row("the baseline", "the baseline is nvcc's own: there is nothing to decide about it");
        row("nobody", "there is no such candidate");
        row("no spec", "there is no kernel spec: nothing says what is right");
        row("wrong under another ptxas",
            "it fails (NVIDIA H200 (sm_90) for sm_90, driver 580.159.04, ptxas 12.8.93, seed ");
    }
    void whatKeepsFromAnApproval() {
        QFETCH(int, what);
        QFETCH(QString, expected);
        session::Session session = onH200("saxpy");
        session::Candidate& candidate = named(session, "vectorized");
        Wish wish = approval(candidate);
        verify::CandidateResult& result = candidate.judgement->result;
        const auto stageOf = [&](verify::Stage stage) {
            return std::ranges::find(result.stages, stage, &verify::StageResult::stage);
        };
        if (what == 1) candidate.judgement.reset();
        if (what == 2) candidate.text += "\n";
        if (what == 3) session.kernel.files.at("reference.cpp") += " ";
        if (what == 4) {
            const auto sanitize = stageOf(verify::Stage::sanitize);
            sanitize->status = verify::Status::inconclusive;
            sanitize->reason = "the emulator cannot run it";
            result.verdict = verify::foldVerdict(result.stages);
        }
        if (what == 5) wish.targets.clear();
        if (what == 6) wish.targets = {"sm_90", "sm_100"};
        if (what == 7) stageOf(verify::Stage::function)->backend = "emulator";
        if (what == 8) result.deviceArch = "sm_80";
        if (what == 9) result.deviceArch.clear();
        if (what == 10) wish.reviewer = ada;
        if (what == 11) candidate.authors.clear();
        if (what == 12) wish.reviewer = " ";
        if (what == 13) wish.reason = "\n";
        if (what == 14) wish.candidate = session::baselineId;
        if (what == 15) wish.candidate = "c99";
        if (what == 16) session.place = session::KernelPlace::none;
        if (what == 17) {
            session::Judgement other = *candidate.judgement;
            other.toolkit = "12.8.93";
            other.result.stages.front().status = verify::Status::fail;
            other.result.verdict = verify::foldVerdict(other.result.stages);
            candidate.otherJudgements.push_back(other);
        }
        const std::string got = why(session, wish);
        QVERIFY2(expected.isEmpty() ? got.empty() : got.find(expected.toStdString()) != std::string::npos,
                 (got.empty() ? std::string("nothing") : got).c_str());
        const auto decided = decide(session, wish);
        QCOMPARE(decided.has_value(), expected.isEmpty());
        if (!decided) QVERIFY(decided.error().message.starts_with("this cannot be approved: "));
    }

    void whatFailedCanBeRejectedButNotApproved() {
        session::Session session = onH200("saxpy");
        const session::Candidate& tail = named(session, "unmasked_tail");
        QCOMPARE(tail.judgement->result.verdict, verify::Verdict::fail);
        Wish wish = approval(tail);
        QVERIFY(why(session, wish).starts_with("it fails (NVIDIA H200 (sm_90)"));
        wish.state = ReviewState::rejected;
        QCOMPARE(why(session, wish), std::string());
        wish.state = ReviewState::changesRequested;
        wish.reviewer = ada; // its author may say so
        const session::Decision decision = need(decide(session, wish));
        session.review.decisions.push_back(decision);
        QVERIFY(describe(standing(session, tail.id)).starts_with("changes requested by Ada"));
        wish.state = ReviewState::open;
        QVERIFY(!decide(session, wish));
    }

    /// Each of them withdraws the approval, says why, and undoing it brings the approval back.
    void everyChangeWithdraws_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<QString>("said");
        int number = 0;
        const auto row = [&](const char* name, const char* said) { QTest::newRow(name) << number++ << QString(said); };
        row("a byte of the PTX", "the PTX has changed");
        row("the spec", "the spec has changed");
        row("the source", "the spec's file saxpy.cu has changed");
        row("the reference", "the spec's file reference.cpp has changed");
        row("the baseline", "the baseline has changed");
        row("the seed", "the seed for sm_90 is 8 instead of ");
        row("the toolkit", "the assembler for sm_90 is 12.8.93 instead of 13.0.88");
        row("the device", "the device for sm_90 is NVIDIA A100 instead of NVIDIA H200");
        row("the driver", "the driver for sm_90 is 590.1 instead of 580.159.04");
        row("the machine code", "the machine code for sm_90 is x instead of ");
        row("the judgement", "the judgement for sm_90 is gone");
        row("the verdict", "it fails");
        row("the author", "Grace Hopper <grace@example.org> is an author of it");
        row("the candidate", "the candidate is gone");
    }
    void everyChangeWithdraws() {
        QFETCH(int, what);
        QFETCH(QString, said);
        session::Session session = approvedSaxpy();
        session::Candidate& candidate = named(session, "vectorized");
        const std::string id = candidate.id;
        const session::Session before = session;
        session::Judgement& judgement = *candidate.judgement;
        if (what == 0) candidate.text[candidate.text.size() / 2] ^= 1;
        if (what == 1) session.kernel.spec.symbols.front().stress.push_back(77);
        if (what == 2) session.kernel.files.at("saxpy.cu") += " ";
        if (what == 3) session.kernel.files.at("reference.cpp")[0] ^= 1;
        if (what == 4) session.baseline.text += " ";
        if (what == 5) judgement.seed = 8;
        if (what == 6) judgement.toolkit = "12.8.93";
        if (what == 7) judgement.result.device = "NVIDIA A100";
        if (what == 8) judgement.result.driver = "590.1";
        if (what == 9) judgement.result.textSha256 = "x";
        if (what == 10) candidate.judgement.reset();
        if (what == 11) {
            judgement.result.stages.back().status = verify::Status::fail;
            judgement.result.verdict = verify::foldVerdict(judgement.result.stages);
        }
        if (what == 12) candidate.authors.push_back("grace@example.org <grace@example.org>");
        if (what == 13) session.candidates.clear();
        const Standing now = standing(session, id);
        QVERIFY(!now.isApproved());
        QVERIFY2(all(now.changes).find(said.toStdString()) != std::string::npos, all(now.changes).c_str());
        QVERIFY(describe(now).starts_with("approval withdrawn (Grace"));
        QVERIFY(standing(before, id).isApproved());
    }

    void theLastDecisionCounts() {
        session::Session session = approvedSaxpy();
        const session::Candidate& candidate = named(session, "vectorized");
        Wish wish = approval(candidate);
        wish.state = ReviewState::rejected;
        wish.reason = "the header says nothing about alignment";
        session.review.decisions.push_back(need(decide(session, wish)));
        QVERIFY(!standing(session, candidate.id).isApproved());
        QVERIFY(describe(standing(session, candidate.id)).starts_with("rejected by Grace"));
        QCOMPARE(describe(standing(session, "c2")), std::string("not decided"));
    }

    void aDecisionOfAnEarlierVersionIsBoundToNothing() {
        session::Session session = onH200("saxpy");
        session::Decision old;
        old.state = ReviewState::approved;
        QCOMPARE(changesSince(session, old),
                 std::vector<std::string>{"it was made by an earlier version and is bound to nothing"});
    }

    void anotherTargetsJudgementStaysBesideTheNewOne() {
        session::Session session = approvedSaxpy();
        session::Candidate& candidate = named(session, "vectorized");
        session::Judgement emulated = *candidate.judgement;
        emulated.result.device.clear();
        emulated.result.deviceArch.clear();
        for (verify::StageResult& stage : emulated.result.stages)
            if (stage.backend == "gpu") stage.backend = "emulator";
        session::take(candidate, emulated);
        QCOMPARE(candidate.otherJudgements.size(), 1u);
        QVERIFY2(standing(session, candidate.id).isApproved(), all(standing(session, candidate.id).changes).c_str());
        // The same judge again takes the place of what it said before.
        session::take(candidate, emulated);
        QCOMPARE(candidate.otherJudgements.size(), 1u);
        // What is about another text is kept for nobody.
        emulated.textSha256 = std::string(64, '0');
        session::take(candidate, emulated);
        QVERIFY(candidate.otherJudgements.empty());
    }

    void theChecklistIsTheFunnels() {
        session::Session session = onH200("saxpy");
        session::Candidate& candidate = named(session, "vectorized");
        const std::vector<std::string> targets{"sm_90", "sm_80"};
        auto items = checklist(session, candidate, targets);
        const auto item = [&](const std::string& check, std::size_t nth = 0) {
            for (const Item& each : items)
                if (each.check == check && nth-- == 0) return each;
            qFatal("no item %s", check.c_str());
        };
        QCOMPARE(item("written").state, ItemState::met);
        QCOMPARE(item("bounds").state, ItemState::met);
        QCOMPARE(item("sanitizer_memcheck").state, ItemState::open);
        QVERIFY(!item("sanitizer_memcheck").detail.empty());
        QCOMPARE(item("gpu_evidence", 0).state, ItemState::met);
        QCOMPARE(item("gpu_evidence", 1).state, ItemState::open);
        QCOMPARE(item("assemblers").detail, std::string("ptxas 13.0.88"));
        QCOMPARE(item("comments").state, ItemState::met);
        need(addComment(session, {candidate.id, 3, 1, "why?", grace, {}}));
        items = checklist(session, candidate, targets);
        QCOMPARE(item("comments").detail, std::string("1 open, the first on line 3"));
        const session::Candidate& tail = named(session, "unmasked_tail");
        items = checklist(session, tail, targets);
        QVERIFY(std::ranges::count(items, ItemState::failed, &Item::state) > 0);
        candidate.text += " ";
        items = checklist(session, candidate, targets);
        QCOMPARE(std::ranges::count(items, ItemState::met, &Item::state), 1); // its authors
    }
};

QTEST_APPLESS_MAIN(DecisionTest)
#include "decision_test.moc"

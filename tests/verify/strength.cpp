// How much the funnel would have noticed: code that no run reached, branches that went one way, mutants that lived.
#include "kernel/spec_load.h"
#include "ptx/parse.h"
#include "twice_kernel.h"
#include "verify/baseline.h"
#include "verify/context.h"
#include "verify/coverage.h"
#include "verify/funnel.h"
#include "verify/mutants.h"

#include <QtTest>
#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::verify;
using test::twiceBody, test::twicePtx;

namespace {

const std::string specText = R"json({"schema": 1, "name": "twice", "entry": "twice", "arch": "sm_80",
 "baseline": {"ptx": "twice.ptx"}, "symbols": {"n": {"function": [4, 100], "stress": [0, 33, 64]}},
 "launch": {"grid": ["ceil_div(n, 64)", 1, 1], "block": [64, 1, 1]},
 "arguments": [{"name": "n", "type": "u32", "value": "n"},
               {"name": "x", "type": "f32", "count": "n", "access": "in"},
               {"name": "y", "type": "f32", "count": "n", "access": "out"}]})json";

CandidateResult judged(const std::string& body, bool deep) {
    auto kernel =
        kernel::orFirstError(kernel::loadSpec(specText, "twice.kernel.json", {{"twice.ptx", twicePtx(twiceBody)}}));
    if (!kernel) qFatal("%s", kernel.error().message.c_str());
    VerifyInput input{std::move(*kernel), CandidateText{"candidate", "candidate.ptx", twicePtx(body)}, {}};
    input.plan.deep = deep;
    input.plan.backend = Backend::emulator;
    auto report = verifyCandidate(input, Machine{}, *makeOracleCache(), {});
    if (!report) qFatal("%s", report.error().message.c_str());
    return std::move(report->results.at(0));
}

std::uint32_t lineOf(const std::string& text, const std::string& what) {
    return static_cast<std::uint32_t>(1 + std::ranges::count(text.substr(0, text.find(what)), '\n'));
}

const CheckOutcome& outcome(const CandidateResult& result, std::string_view check) {
    return *std::ranges::find(result.checks, check, &CheckOutcome::check);
}

} // namespace

class StrengthTest : public QObject {
    Q_OBJECT

private slots:
    void everythingIsReached() {
        const auto result = judged(twiceBody, false);
        QVERIFY(result.strength);
        QCOMPARE(result.strength->reached, result.strength->instructions);
        QVERIFY(result.strength->instructions >= 14);
        QCOMPARE(result.strength->branchWays, 2U); // the one that leaves the threads past the end
        QCOMPARE(result.strength->waysTaken, 2U);
        QVERIFY(result.strength->unreached.empty());
        QVERIFY(outcome(result, "coverage").status == CheckStatus::passed);
        QVERIFY(outcome(result, "mutants").status == CheckStatus::notRun);
        QCOMPARE(result.strength->mutants, 0U);
    }

    void whatNoRunReachedIsListed() {
        const std::string rare =
            "\tsetp.gt.s32 %p, %r5, 1000000;\n\t@!%p bra USUAL;\n\tmov.u32 %r6, 1;\n\tmov.u32 %r7, "
            "2;\nUSUAL:\n\tsetp.lt.s32 %p, %r5, 0;\n\t@%p add.f32 %f3, %f1, %f1;\n";
        const std::string body = rare + twiceBody, text = twicePtx(body);
        const auto result = judged(body, false);
        QVERIFY(result.strength);
        const auto& list = result.strength->unreached;
        QCOMPARE(list.size(), std::size_t{3});
        QCOMPARE(list[0].line, lineOf(text, "@!%p bra USUAL"));
        QCOMPARE(list[0].what, std::string("the branch is always taken"));
        QCOMPARE(list[1].line, lineOf(text, "mov.u32 %r6, 1")); // two neighbours as one
        QCOMPARE(list[1].what, std::string("never reached"));
        QCOMPARE(list[2].line, lineOf(text, "@%p add.f32")); // its guard never held
        QCOMPARE(result.strength->instructions - result.strength->reached, 3U);
        QCOMPARE(result.strength->branchWays - result.strength->waysTaken, 1U);
        const CheckOutcome& coverage = outcome(result, "coverage");
        QVERIFY(coverage.status == CheckStatus::failed);
        QVERIFY2(coverage.reason.find("the branch is always taken") != std::string::npos, coverage.reason.c_str());
        QVERIFY(find(result.stages, Stage::sanitize)->status == Status::pass); // it is the tests that are weak
    }

    void marksKeepEveryLine() {
        const std::string text = twicePtx(twiceBody);
        const auto module = ptx::parse(text, "twice.ptx");
        const MarkedText marked = markText(*module, {module->entries().front()});
        QCOMPARE(std::ranges::count(marked.text, '\n'), std::ranges::count(text, '\n'));
        const auto again = ptx::parse(marked.text, "marked.ptx");
        QVERIFY2(!again->hasErrors(), again->diagnostics.empty() ? "" : again->diagnostics.front().message.c_str());
        QCOMPARE(again->entries().front()->instructions.size(),
                 module->entries().front()->instructions.size() + marked.marks.size());
    }

    void mutantsAreOfEachKind() {
        const std::string body = "\tbar.sync 0;\n\tadd.s32 %r6, %r5, 7;\n" + twiceBody, text = twicePtx(body);
        const auto module = ptx::parse(text, "twice.ptx");
        const auto mutants = mutantsOf(*module, *module->entries().front(), 100);
        const auto has = [&](const std::string& what, std::uint32_t line, const std::string& now) {
            return std::ranges::any_of(mutants, [&](const Mutant& mutant) {
                return mutant.what == what && mutant.line == line && mutant.text.find(now) != std::string::npos &&
                       std::ranges::count(mutant.text, '\n') == std::ranges::count(text, '\n');
            });
        };
        QVERIFY(has("bar.sync dropped", lineOf(text, "bar.sync"), "add.s32 %r6, %r5, 7"));
        QVERIFY(has("comparison ge became gt", lineOf(text, "setp.ge"), "setp.gt.s32"));
        QVERIFY(has("7 became 8", lineOf(text, "%r5, 7"), "add.s32 %r6, %r5, 8;"));
        QVERIFY(has("address 4 bytes further", lineOf(text, "ld.global"), "[%rd4+4]"));
        QVERIFY(has("address 4 bytes further", lineOf(text, "st.global"), "[%rd5+4]"));
        for (const Mutant& mutant : mutants) QVERIFY(!ptx::parse(mutant.text, "m.ptx")->hasErrors());
        QCOMPARE(mutantsOf(*module, *module->entries().front(), 2).size(), std::size_t{2});
    }

    void wrongMutantsAreNoticed() {
        const auto result = judged(twiceBody, true);
        QVERIFY(result.strength && result.strength->mutants >= 3);
        QCOMPARE(result.strength->killed, result.strength->mutants);
        QVERIFY(outcome(result, "mutants").status == CheckStatus::passed);
    }

    void whatMakesNoDifferenceLives() {
        const std::string body = "\tadd.s32 %r6, %r5, 7;\n" + twiceBody; // nobody reads %r6
        const auto result = judged(body, true);
        QVERIFY(result.strength);
        QCOMPARE(result.strength->survivors.size(), std::size_t{1});
        QCOMPARE(result.strength->survivors[0].line, lineOf(twicePtx(body), "%r5, 7"));
        QCOMPARE(result.strength->survivors[0].what, std::string("7 became 8"));
        QCOMPARE(result.strength->killed + 1, result.strength->mutants);
        const CheckOutcome& mutants = outcome(result, "mutants");
        QVERIFY(mutants.status == CheckStatus::failed);
        QVERIFY2(mutants.reason.find("7 became 8") != std::string::npos, mutants.reason.c_str());
    }

    void nothingIsSaidOfWhatIsWrong() {
        const auto result = judged("\tst.global.f32 [%rd5], %f1;\n", true);
        QVERIFY(!result.strength);
        QVERIFY(outcome(result, "coverage").status == CheckStatus::notRun);
    }
};

QTEST_APPLESS_MAIN(StrengthTest)
#include "strength.moc"

// The funnel on a machine that lacks things, and what it does when it is stopped. What it says of right and wrong
// candidates is tested through the program, in tests/cli/verify.cpp.
#include "verify/funnel.h"

#include "kernel/spec_load.h"
#include "twice_kernel.h"
#include "verify/context.h"

#include <QtTest>
#include <algorithm>
#include <thread>

using namespace ptxwb;
using test::twiceBody, test::twicePtx;
using namespace ptxwb::verify;

namespace {

const std::string specText = R"json({"schema": 1, "name": "twice", "entry": "twice", "arch": "sm_90",
 "baseline": {"ptx": "twice.ptx", "nvcc": "13.0.88"}, "symbols": {"n": {"function": [4], "stress": [0, 33]}},
 "launch": {"grid": ["ceil_div(n, 64)", 1, 1], "block": [64, 1, 1]},
 "arguments": [{"name": "n", "type": "u32", "value": "n"},
               {"name": "x", "type": "f32", "count": "n", "access": "in"},
               {"name": "y", "type": "f32", "count": "n", "access": "out"}]})json";

VerifyInput inputFor(const std::string& body, std::string spec = specText) {
    auto kernel = kernel::orFirstError(
        kernel::loadSpec(std::move(spec), "twice.kernel.json", {{"twice.ptx", twicePtx(twiceBody)}}));
    if (!kernel) qFatal("%s", kernel.error().message.c_str());
    return {std::move(*kernel), CandidateText{"candidate", "candidate.ptx", twicePtx(body)}, {}};
}

/// A machine that has nothing.
Expected<VerifyReport> judged(const VerifyInput& input, const FunnelCallbacks& callbacks = {},
                              std::stop_token stop = {}) {
    return verifyCandidate(input, Machine{}, *makeOracleCache(), callbacks, stop);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    return text.replace(text.find(what), what.size(), with);
}

} // namespace

class FunnelTest : public QObject {
    Q_OBJECT

private slots:
    void withoutPtxasNothingPasses() {
        const auto report = judged(inputFor(twiceBody));
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        const CandidateResult& result = report->results.at(0);
        const StageResult* assemble = find(result.stages, Stage::assemble);
        QVERIFY(assemble->status == Status::skipped);
        QVERIFY2(assemble->reason.starts_with("no ptxas was found"), assemble->reason.c_str());
        QVERIFY(find(result.stages, Stage::function)->status == Status::pass);
        QVERIFY(find(result.stages, Stage::sanitize)->status == Status::pass);
        QVERIFY(result.verdict == Verdict::incomplete);
        QVERIFY(result.textSha256.empty() && report->toolkit.empty());
    }

    /// What a candidate does at the last function size, from buffers that begin where a GPU's would.
    void workIsCounted() {
        const auto report = judged(inputFor(twiceBody));
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        const auto& work = report->results.at(0).work;
        QVERIFY(work);
        QCOMPARE(work->sizes.size(), std::size_t{1});
        const std::uint64_t n = static_cast<std::uint64_t>(work->sizes.at("n"));
        QCOMPARE(work->total.globalBytes, 8 * n);
        QCOMPARE(work->total.globalRequests, 2 * ((n + 31) / 32));
        QCOMPARE(work->total.globalSectors, 2 * ((n + 7) / 8));
        QCOMPARE(work->total.globalSectors, work->total.globalIdealSectors);
        QVERIFY(std::ranges::is_sorted(work->lines, {}, &WorkLine::line));
        VerifyInput without = inputFor(twiceBody);
        without.plan.stages = {Stage::parse, Stage::function};
        QVERIFY(!judged(without)->results.at(0).work);
        VerifyInput endless = inputFor("AGAIN:\n\tbra AGAIN;\n");
        endless.plan.instructionLimit = 1 << 20;
        QVERIFY(!judged(endless)->results.at(0).work);
    }

    /// What the baseline computes with is the kernel's own choice, in the baseline and in a candidate.
    void precisionOfTheBaseline() {
        const std::string halves = "\t.reg .b16 %h<3>;\n\tld.global.f32 %f1, [%rd4];\n\tcvt.rn.f16.f32 %h1, %f1;\n"
                                   "\tadd.f16 %h2, %h1, %h1;\n\tcvt.f32.f16 %f2, %h2;\n"
                                   "\tst.global.f32 [%rd5], %f2;\n";
        VerifyInput input = inputFor(halves);
        input.plan.stages = {Stage::parse};
        const auto parsed = [&] { return judged(input)->results.at(0).stages.at(0); };
        QVERIFY(parsed().status == Status::fail);
        QCOMPARE(parsed().findings.at(0).check, std::string("precision"));
        input.kernel.files["twice.ptx"] = twicePtx(halves);
        QVERIFY(parsed().status == Status::pass);
        input.candidate.reset();
        QVERIFY(parsed().status == Status::pass);
    }

    void everyStageIsToldInOrder() {
        std::vector<Stage> told;
        FunnelCallbacks callbacks;
        callbacks.onStage = [&](const StageResult& stage) { told.push_back(stage.stage); };
        QVERIFY(judged(inputFor(twiceBody), callbacks));
        QVERIFY((told == std::vector{Stage::parse, Stage::assemble, Stage::function, Stage::stress, Stage::sanitize,
                                     Stage::benchmark}));
        told.clear();
        QVERIFY(judged(inputFor("\tmov.u32 %nowhere, 1;\n"), callbacks)); // what is skipped is told too
        QVERIFY((told == std::vector{Stage::parse, Stage::assemble, Stage::function, Stage::stress, Stage::sanitize,
                                     Stage::benchmark}));
    }

    void aStopIsAnsweredSoon() {
        std::stop_source stop;
        VerifyInput input = inputFor("AGAIN:\n\tbra AGAIN;\n");
        input.plan.instructionLimit = std::uint64_t{1} << 50;
        FunnelCallbacks callbacks;
        std::jthread stopper;
        callbacks.onProgress = [&](Stage stage, std::uint32_t, std::uint32_t, const std::string&) {
            if (stage == Stage::function && !stopper.joinable())
                stopper = std::jthread([&] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(50));
                    stop.request_stop();
                });
        };
        const auto report = judged(input, callbacks, stop.get_token());
        // Either the stop came first, or the loop was found before it.
        if (!report)
            QCOMPARE(report.error().cause, Cause::cancelled);
        else
            QVERIFY(report->results.at(0).verdict == Verdict::fail);
    }

    void anEndlessLoopIsNamed() {
        const auto report = judged(inputFor("AGAIN:\n\tbra AGAIN;\n"));
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        const StageResult* function = find(report->results.at(0).stages, Stage::function);
        QVERIFY(function->status == Status::fail);
        QVERIFY(function->findings.at(0).kind == FindingKind::timeout);
        QVERIFY(function->findings.at(0).line > 0);
    }

    /// The element's right value is written first: what counts is who wrote last.
    void aWrongElementNamesItsLastWriter() {
        const std::string wrong = "\t@%p st.global.f32 [%rd5], %f1;\n";
        const VerifyInput input = inputFor(twiceBody + "\tsetp.eq.s32 %p, %r5, 2;\n" + wrong);
        const std::string& text = input.candidate->text;
        const auto line = 1 + std::ranges::count(text.substr(0, text.find(wrong)), '\n');
        const auto report = judged(input);
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        const StageResult* function = find(report->results.at(0).stages, Stage::function);
        QVERIFY(function->status == Status::fail);
        const Finding& finding = function->findings.at(0);
        QCOMPARE(finding.kind, FindingKind::mismatch);
        QCOMPARE(finding.argument, std::string("y"));
        QCOMPARE(finding.index, std::vector<std::uint64_t>{2});
        QCOMPARE(finding.line, static_cast<std::uint32_t>(line));
        QVERIFY(finding.block == Index3{} && finding.thread == (Index3{2, 0, 0}));
        QVERIFY(finding.column > 0 && finding.length > 0);
    }

    void anElementThatNobodyWroteHasNoLine() {
        const auto report = judged(inputFor(replaced(twiceBody, "\tst.", "\tsetp.ne.s32 %p, %r5, 2;\n\t@%p st.")));
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        const StageResult* function = find(report->results.at(0).stages, Stage::function);
        QCOMPARE(function->findings.at(0).kind, FindingKind::outputNotWritten);
        QCOMPARE(function->findings.at(0).index, std::vector<std::uint64_t>{2});
        QCOMPARE(function->findings.at(0).line, 0U);
        QVERIFY(!function->findings.at(0).thread);
    }

    void anInstructionThatTheEmulatorLacksIsInconclusive() {
        const auto report = judged(inputFor(
            "\tnanosleep.u32 20;\n\tbrkpt;\n\tpmevent 1;\n\ttxq.channel_order.b32 %r6, [%rd1];\n" + twiceBody));
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        const CandidateResult& result = report->results.at(0);
        if (find(result.stages, Stage::parse)->status != Status::pass) QSKIP("the checker knows better");
        QVERIFY(find(result.stages, Stage::function)->status == Status::inconclusive);
        QVERIFY(find(result.stages, Stage::function)->findings.at(0).kind == FindingKind::unsupported);
        QVERIFY(result.verdict == Verdict::incomplete);
    }

    void clustersRunOnTheEmulator() {
        std::string spec = replaced(specText, "ceil_div(n, 64)", "2 * ceil_div(n, 128)");
        spec = replaced(spec, "\"block\": [64, 1, 1]", "\"block\": [64, 1, 1], \"cluster\": [2, 1, 1]");
        const auto report = judged(inputFor(twiceBody, spec));
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        const StageResult* function = find(report->results.at(0).stages, Stage::function);
        QVERIFY2(function->status == Status::pass,
                 function->findings.empty() ? "" : function->findings[0].message.c_str());
    }

    void whatShipsAsPtxSaysThatTheDriverWasNotTried() {
        VerifyInput input = inputFor(twiceBody);
        input.kernel.spec.shipsAs = kernel::ShipsAs::ptx;
        const auto report = judged(input);
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        for (const Stage stage : {Stage::function, Stage::stress}) {
            const StageResult* result = find(report->results.at(0).stages, stage);
            QVERIFY(result->status == Status::pass);
            QVERIFY2(result->reason.ends_with("it ships as PTX, and the compiler of the driver was not tried: this "
                                              "process uses no GPU"),
                     result->reason.c_str());
        }
    }

    void whatIsTooLargeIsLeftOutAndDoesNotPass() {
        VerifyInput input = inputFor(twiceBody);
        input.plan.instructionLimit = 2000; // the 33 elements of stress need 1 block more than the 4 of function
        input.kernel.spec.symbols.at(0).stress = {100000};
        const auto report = judged(input);
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        const StageResult* stress = find(report->results.at(0).stages, Stage::stress);
        QVERIFY(stress->status == Status::inconclusive);
        QVERIFY2(stress->reason.find(
                     "n = 100000: the baseline needs more than the 2000 thread instructions that the emulator") !=
                     std::string::npos,
                 stress->reason.c_str());
    }

    void aHeaderThatCannotBeReadFailsTheParseStage() {
        VerifyInput input = inputFor(twiceBody);
        input.candidate->text = "//@ launch {\"grid\": [1, 1\n" + input.candidate->text;
        const auto report = judged(input);
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        const StageResult* parse = find(report->results.at(0).stages, Stage::parse);
        QVERIFY(parse->status == Status::fail);
        QVERIFY(parse->findings.at(0).kind == FindingKind::launch);
        QCOMPARE(parse->findings.at(0).line, 1u);
    }

    void aLaunchOfItsOwn() {
        VerifyInput input = inputFor(twiceBody);
        const std::string text = input.candidate->text;
        input.candidate->text = "//@ launch {\"grid\": [\"ceil_div(n, 32)\", 1, 1], \"block\": [32, 1, 1]}\n" + text;
        QVERIFY(find(judged(input).value().results.at(0).stages, Stage::stress)->status == Status::pass);
        input.candidate->text =
            "//@ launch {\"grid\": [1, 1, 1], \"block\": [32, 1, 1]}\n" + text; // too few threads for 33 elements
        const auto report = judged(input).value();
        QVERIFY(find(report.results.at(0).stages, Stage::function)->status == Status::pass);
        QVERIFY(find(report.results.at(0).stages, Stage::stress)->status == Status::fail);
    }

    void requirementsThatLeaveNothing() {
        VerifyInput input = inputFor(twiceBody);
        input.candidate->text = "//@ require n > 1000\n" + input.candidate->text;
        const auto report = judged(input);
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        const StageResult* function = find(report->results.at(0).stages, Stage::function);
        QVERIFY(function->status == Status::fail);
        QVERIFY(function->findings.at(0).kind == FindingKind::launch);
        QCOMPARE(function->findings.at(0).check, std::string("require"));
    }

    void theBaselineMustBeThere() {
        VerifyInput input = inputFor(twiceBody);
        input.candidate.reset();
        input.kernel.spec.baseline.reset();
        const auto report = judged(input);
        QVERIFY(!report);
        QCOMPARE(report.error().message, std::string("twice has no baseline to verify"));
    }
};

QTEST_APPLESS_MAIN(FunnelTest)
#include "funnel.moc"

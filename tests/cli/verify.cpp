// `ptxwb verify` over the bundled examples, whose candidates are right or wrong in known ways, and over kernels made
// here.
#include "../verify/twice_kernel.h"
#include "program.h"
#include "schema_check.h"

#include <QtTest>
#include <fstream>

using namespace ptxwb::test;
using nlohmann::json;

namespace {

/// What the candidates of the bundled examples must be called: verdict, failing stage, kinds of its findings.
json expectations() {
    std::ifstream file(PTXWB_SOURCE_DIR "/tests/data/cli/examples.json");
    return json::parse(file);
}

const json* stageOf(const json& result, const std::string& name) {
    for (const json& stage : result.at("stages"))
        if (stage.at("stage") == name) return &stage;
    return nullptr;
}

json twiceSpec() {
    return {{"schema", 1},
            {"name", "twice"},
            {"entry", "twice"},
            {"arch", "sm_90"},
            {"baseline", {{"ptx", "twice.ptx"}, {"nvcc", "13.0.88"}}},
            {"symbols", {{"n", {{"function", {1, 100}}, {"stress", {0, 31, 33, 257}}}}}},
            {"launch", {{"grid", {"ceil_div(n, 64)", 1, 1}}, {"block", {64, 1, 1}}}},
            {"arguments",
             {{{"name", "n"}, {"type", "u32"}, {"value", "n"}},
              {{"name", "x"}, {"type", "f32"}, {"count", "n"}, {"access", "in"}},
              {{"name", "y"}, {"type", "f32"}, {"count", "n"}, {"access", "out"}}}}};
}

const std::string reference = "void reference(unsigned n, const double* x, double* y) {\n"
                              "    for (unsigned i = 0; i < n; ++i) y[i] = 2 * x[i];\n}\n";

/// A kernel folder: spec, baseline, reference if `withReference`.
void writeTwice(const Program& program, bool withReference) {
    json spec = twiceSpec();
    if (withReference) {
        spec["reference"] = {{"file", "reference.cpp"}, {"function", "reference"}};
        program.write("twice/reference.cpp", reference);
    }
    program.write("twice/twice.kernel.json", spec.dump(1));
    program.write("twice/twice.ptx", twicePtx(twiceBody));
}

Answer verifyBody(const std::string& body, std::vector<std::string> more = {}, bool withReference = true) {
    const Program program;
    writeTwice(program, withReference);
    program.write("candidate.ptx", twicePtx(body));
    std::vector<std::string> arguments{"verify", "twice", "--candidate", "candidate.ptx", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return program.run(arguments);
}

} // namespace

class VerifyTest : public QObject {
    Q_OBJECT

private slots:
    void whatWasJudgedBeforeCostsNothing() {
        Program program;
        const std::string cache = (program.folder() / "cache").string();
        program.setEnvironment("XDG_CACHE_HOME", cache);
        program.setEnvironment("PTXWB_RESULT_CACHE", "on");
        const std::vector<std::string> arguments{"verify", "saxpy", "--trust", "--backend", "emulator", "--json"};
        const auto fromCache = [](const Answer& answer) {
            int count = 0;
            const json value = answer.json();
            for (const json& result : value.at("results")) count += result.value("from_cache", false) ? 1 : 0;
            return count;
        };
        /// Without what is of the moment.
        const auto judged = [](const Answer& answer) {
            json value = answer.json();
            for (json& result : value.at("results")) {
                result.erase("from_cache");
                for (json& stage : result.at("stages")) stage.erase("seconds");
            }
            return value;
        };
        const Answer first = program.run(arguments);
        QCOMPARE(fromCache(first), 0);
        const Answer second = program.run(arguments);
        QCOMPARE(QString::fromStdString(mismatch("verify", second.json())), QString());
        // Those without a ptxas are inconclusive, and so judged anew.
        if (haveTool("ptxas")) QCOMPARE(fromCache(second), static_cast<int>(second.json().at("results").size()));
        QVERIFY2(judged(second) == judged(first), describe(second));
        QCOMPARE(second.status, first.status);
        auto anew = arguments;
        anew.push_back("--no-cache");
        QCOMPARE(fromCache(program.run(anew)), 0);
        auto otherSeed = arguments;
        otherSeed.insert(otherSeed.end(), {"--seed", "77"});
        QCOMPARE(fromCache(program.run(otherSeed)), 0);
    }

    /// What -maxrregcount would make of the baseline stands in the table as baselines of its own.
    void theBaselineWithFewerRegisters() {
        if (!haveTool("ptxas")) QSKIP("no ptxas here");
        const Program program;
        const Answer answer =
            program.run({"verify", "layer_norm", "--register-sweep", "--candidate", "row_in_registers", "--json"});
        const json value = answer.json();
        QVERIFY2(answer.status == 0 && value.is_object(), describe(answer));
        QCOMPARE(QString::fromStdString(mismatch("verify", value)), QString());
        const json& results = value.at("results");
        QCOMPARE(results.size(), std::size_t{3});
        QCOMPARE(results[0].at("candidate").get<std::string>(), std::string("baseline"));
        QCOMPARE(results[1].at("candidate").get<std::string>(), std::string("baseline_maxnreg_32"));
        QVERIFY(results[0].at("resources")[0].at("registers").get<int>() > 32);
        QVERIFY(results[1].at("resources")[0].at("registers").get<int>() <= 32);
        QVERIFY(results[1].at("occupancy")[0].at("percent").get<double>() >
                results[0].at("occupancy")[0].at("percent").get<double>());
        const Answer full = program.run({"verify", "saxpy", "--register-sweep", "--candidate", "vectorized"});
        QVERIFY2(full.status == 0 && full.output.find("maxnreg") == std::string::npos, describe(full));
        QVERIFY2(full.errors.find("10 registers are not what limits it") != std::string::npos, describe(full));
    }

    void examples_data() {
        QTest::addColumn<QString>("kernel");
        const json all = expectations(); // outlives the loop
        for (const auto& [kernel, candidates] : all.items())
            QTest::newRow(kernel.c_str()) << QString::fromStdString(kernel);
    }
    void examples() {
        QFETCH(QString, kernel);
        const Program program;
        const Answer answer = program.run({"verify", kernel.toStdString(), "--json"});
        const json value = answer.json();
        QVERIFY2(value.is_object(), describe(answer));
        QCOMPARE(QString::fromStdString(mismatch("verify", value)), QString());
        QVERIFY2(answer.status == 1, describe(answer)); // each example has candidates that fail
        const json wanted = expectations().at(kernel.toStdString());
        QCOMPARE(value.at("results").size(), wanted.size());
        for (const json& result : value.at("results")) {
            const std::string name = result.at("candidate");
            QVERIFY2(wanted.contains(name), name.c_str());
            const json& want = wanted.at(name);
            // Without ptxas nothing can pass, but what is wrong stays wrong.
            const std::string verdict = want.at("verdict") == "pass" && !haveTool("ptxas")
                                            ? "incomplete"
                                            : want.at("verdict").get<std::string>();
            const QByteArray shown = QByteArray::fromStdString(name + ": " + result.dump(1).substr(0, 6000));
            QVERIFY2(result.at("verdict") == verdict, shown);
            const bool runs = want.value("stage", "") != "parse" && want.value("stage", "") != "assemble";
            if (runs) QVERIFY2(result.at("evidence").at("sanitize") == "emulator", shown);
            QVERIFY2(result.at("evidence").at("benchmark").is_null(), shown);
            if (!want.contains("stage")) continue;
            const json* stage = stageOf(result, want.at("stage"));
            QVERIFY2(stage && stage->at("status") == "fail", shown);
            const json& finding = stage->at("findings").at(0);
            QVERIFY2(finding.at("kind") == want.at("kind"), shown);
            // What nobody wrote has no line that did it.
            QVERIFY2(finding.at("line").is_number() == want.value("line", true), shown);
            if (want.contains("related_line"))
                QVERIFY2(!finding.at("related").empty() && finding.at("related").at(0).at("line").is_number(), shown);
        }
    }

    void theTableNamesEveryCandidateAndTheLine() {
        const Program program;
        const Answer answer = program.run({"verify", "saxpy", "--candidate", "unmasked_tail"});
        QVERIFY2(answer.status == 1, describe(answer));
        QVERIFY2(answer.output.starts_with("candidate"), describe(answer));
        QVERIFY2(answer.output.find("\nbaseline") != std::string::npos &&
                     answer.output.find("\nunmasked_tail  fail") != std::string::npos,
                 describe(answer));
        QVERIFY2(answer.output.find("judged on the emulator, time is not measured") != std::string::npos,
                 describe(answer));
        QVERIFY2(answer.output.find("unmasked_tail.ptx:") != std::string::npos &&
                     answer.output.find("^^^") != std::string::npos,
                 describe(answer));
    }

    void theListOfChecks() {
        const Program program;
        const Answer answer = program.run({"verify", "--list-checks", "--json"});
        QVERIFY2(answer.status == 0, describe(answer));
        const json list = answer.json();
        QCOMPARE(QString::fromStdString(mismatch("list_checks", list)), QString());
        const Answer human = program.run({"verify", "--list-checks"});
        for (const json& check : list.at("checks"))
            QVERIFY2(human.output.find("\n" + check.at("check").get<std::string>() + " ") != std::string::npos,
                     check.dump().c_str());
        // Every result says of each of them what became of it.
        const json results = program.run({"verify", "saxpy", "--candidate", "unmasked_tail", "--json"}).json();
        for (const json& result : results.at("results")) {
            QCOMPARE(result.at("checks").size(), list.at("checks").size());
            for (const json& outcome : result.at("checks"))
                QVERIFY2(outcome.at("status") != "not_run" || outcome.at("reason").is_string(), outcome.dump().c_str());
        }
    }

    /// More baselines stand in the table beside the first.
    void namedBaselines() {
        const Program program;
        json spec = twiceSpec();
        spec["baselines"] = {{{"name", "library"}, {"ptx", "library.ptx"}}};
        program.write("twice/twice.kernel.json", spec.dump(1));
        program.write("twice/twice.ptx", twicePtx(twiceBody));
        program.write("twice/library.ptx", twicePtx("\tbar.warp.sync 0xffffffff;\n" + twiceBody));
        const json value = program.run({"verify", "twice", "--json"}).json();
        QCOMPARE(QString::fromStdString(mismatch("verify", value)), QString());
        QCOMPARE(value.at("results").size(), std::size_t{2});
        QCOMPARE(value.at("results").at(1).at("candidate"), json("library"));
    }

    void otherFormats() {
        const Program program;
        const Answer markdown =
            program.run({"verify", "saxpy", "--candidate", "unmasked_tail", "--format", "markdown"});
        QVERIFY2(markdown.status == 1 && markdown.output.starts_with("### saxpy: sm_90"), describe(markdown));
        QVERIFY2(markdown.output.find("| unmasked_tail | fail | emulator |") != std::string::npos, describe(markdown));
        const Answer sarif = program.run({"verify", "saxpy", "--candidate", "unmasked_tail", "--format", "sarif"});
        QCOMPARE(sarif.status, 1);
        const json run = sarif.json().at("runs").at(0);
        QCOMPARE(run.at("results").at(0).at("ruleId"), json("out_of_bounds"));
        const json place = run.at("results").at(0).at("locations").at(0).at("physicalLocation");
        QVERIFY(place.at("region").at("startLine").get<int>() > 0);
        QVERIFY(place.at("artifactLocation").at("uri").get<std::string>().ends_with("unmasked_tail.ptx"));
    }

    void wrongInEachWay_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("stage");
        QTest::addColumn<QString>("kind");
        const QString load = "\tld.global.f32 %f1, [%rd4];\n", add = "\tadd.f32 %f2, %f1, %f1;\n",
                      store = "\tst.global.f32 [%rd5], %f2;\n";
        QTest::newRow("mismatch") << load + "\tmul.f32 %f2, %f1, %f1;\n" + store << "function" << "mismatch";
        QTest::newRow("a constant") << "\tmov.f32 %f2, 0f3F800000;\n" + store << "function" << "mismatch";
        QTest::newRow("not written") << load + add << "function" << "output_not_written";
        QTest::newRow("only even elements written")
            << load + add + "\tand.b32 %r6, %r5, 1;\n\tsetp.eq.u32 %p, %r6, 0;\n\t@%p st.global.f32 [%rd5], %f2;\n"
            << "function" << "output_not_written";
        QTest::newRow("input changed") << load + add + store + "\tst.global.f32 [%rd4], %f2;\n"
                                       << "function" << "input_modified";
        QTest::newRow("past the end") << load + add + store + "\tst.global.f32 [%rd5+4], %f2;\n"
                                      << "function" << "out_of_bounds";
        QTest::newRow("misaligned") << "\tld.global.v2.f32 {%f1, %f3}, [%rd4];\n" + add + store << "function"
                                    << "misaligned";
        QTest::newRow("not a number") << load + "\tsub.f32 %f2, %f1, %f1;\n\tdiv.rn.f32 %f2, %f2, %f2;\n" + store
                                      << "function" << "nonfinite";
        QTest::newRow("hangs") << "AGAIN:\n\tbra AGAIN;\n" << "function" << "timeout";
        QTest::newRow("right only for 100 elements")
            << "\tsetp.gt.s32 %p, %r5, 99;\n\t@%p bra DONE;\n" + load + add + store << "stress" << "output_not_written";
        QTest::newRow("reads a register that nobody wrote")
            << load + "\tadd.f32 %f2, %f1, %f1;\n\tmul.f32 %f3, %f0, 0f00000000;\n" + store << "sanitize"
            << "uninitialized";
    }
    void wrongInEachWay() {
        QFETCH(QString, body);
        QFETCH(QString, stage);
        QFETCH(QString, kind);
        const Answer answer = verifyBody(body.toStdString(), {"--trust"});
        QVERIFY2(answer.status == 1, describe(answer));
        const json value = answer.json();
        QCOMPARE(QString::fromStdString(mismatch("verify", value)), QString());
        const json& result = value.at("results").at(1);
        const json* judged = stageOf(result, stage.toStdString());
        QVERIFY2(judged && judged->at("status") == "fail", describe(answer));
        const auto& findings = judged->at("findings");
        QVERIFY2(std::any_of(findings.begin(), findings.end(),
                             [&](const json& f) { return f.at("kind") == kind.toStdString(); }),
                 describe(answer));
        QVERIFY2(findings.at(0).at("set").contains("n"), describe(answer));
        // A wrong value has been written by somebody: the line is there.
        for (const json& finding : findings)
            if (finding.at("kind") == "mismatch")
                QVERIFY2(finding.at("line").is_number() && finding.at("thread").is_array(), describe(answer));
    }

    void rightWithItsReference() {
        const Answer answer = verifyBody(twiceBody, {"--trust"});
        QVERIFY2(answer.status == (haveTool("ptxas") ? 0 : 3), describe(answer));
        const json candidate = answer.json().at("results").at(1);
        if (haveTool("ptxas")) {
            QCOMPARE(candidate.at("verdict"), json("pass"));
            QCOMPARE(candidate.at("same_machine_code_as"), json("baseline"));
            QVERIFY(candidate.at("occupancy").at(0).at("percent").get<double>() > 0);
        }
        QVERIFY2(stageOf(candidate, "function")->at("reason").is_null(), describe(answer));
        QCOMPARE(stageOf(candidate, "benchmark")->at("status"), json("skipped"));
        const std::string reason = stageOf(candidate, "benchmark")->at("reason");
        QVERIFY2(reason.starts_with("time is only measured on a GPU: "), describe(answer));
    }

    void anUntrustedReferenceDoesNotRun() {
        const Answer answer = verifyBody(twiceBody);
        QVERIFY2(answer.errors.find("the reference reference.cpp is native code that nobody has trusted here") !=
                     std::string::npos,
                 describe(answer));
        const json value = answer.json();
        // The baseline would be compared with itself: that is no pass.
        const json* own = stageOf(value.at("results").at(0), "function");
        QCOMPARE(own->at("status"), json("inconclusive"));
        QVERIFY2(own->at("reason").get<std::string>().find("nothing to compare the baseline with") != std::string::npos,
                 describe(answer));
        const json* function = stageOf(value.at("results").at(1), "function");
        QCOMPARE(function->at("status"), json("pass"));
        QCOMPARE(function->at("reason"), json("reference: baseline (reference.cpp was not trusted to run)"));
        QVERIFY2(answer.status == 3, describe(answer));
    }

    void theTableSaysWhatAPassRestsOn() {
        const Program program;
        writeTwice(program, true);
        program.write("candidate.ptx", twicePtx(twiceBody));
        const Answer answer = program.run({"verify", "twice", "--candidate", "candidate.ptx"});
        QVERIFY2(answer.output.find(
                     "candidate: function, stress pass: reference: baseline (reference.cpp was not trusted to run)") !=
                     std::string::npos,
                 describe(answer));
    }

    void aWrongCandidateFailsAgainstTheBaselineToo() {
        const Answer answer = verifyBody(
            "\tld.global.f32 %f1, [%rd4];\n\tmul.f32 %f2, %f1, %f1;\n\tst.global.f32 [%rd5], %f2;\n", {}, false);
        QVERIFY2(answer.status == 1, describe(answer));
        QCOMPARE(stageOf(answer.json().at("results").at(1), "function")->at("findings").at(0).at("kind"),
                 json("mismatch"));
    }

    void otherParametersAreRefused() {
        const Program program;
        writeTwice(program, false);
        std::string text = twicePtx(twiceBody);
        text.replace(text.find(".param .u32 n"), 13, ".param .u64 n");
        text.replace(text.find("ld.param.u32 %r1, [n]"), 21, "ld.param.u32 %r1, [n]");
        program.write("candidate.ptx", text);
        const Answer answer = program.run({"verify", "twice", "--candidate", "candidate.ptx", "--json"});
        QVERIFY2(answer.status == 1, describe(answer));
        const json finding = stageOf(answer.json().at("results").at(1), "function")->at("findings").at(0);
        QCOMPARE(finding.at("kind"), json("launch"));
        QCOMPARE(finding.at("message"),
                 json("parameter 1 (n) takes 8 bytes at offset 0, in the baseline (n) 4 bytes at offset 0"));
    }

    void onlyTheStagesAskedFor() {
        const Answer answer = verifyBody(twiceBody, {"--stage", "parse", "--stage", "function", "--trust"});
        QVERIFY2(answer.status == 3, describe(answer)); // what was not run never counts as passed
        const json candidate = answer.json().at("results").at(1);
        QCOMPARE(candidate.at("verdict"), json("incomplete"));
        QCOMPARE(stageOf(candidate, "function")->at("status"), json("pass"));
        QCOMPARE(stageOf(candidate, "stress")->at("status"), json("skipped"));
        QCOMPARE(stageOf(candidate, "stress")->at("reason"), json("not asked for"));
    }

    void theSameTwice() {
        const auto judged = [] {
            json value = verifyBody(twiceBody, {"--trust"}).json();
            for (json& result : value.at("results"))
                for (json& stage : result.at("stages")) stage.erase("seconds");
            return QString::fromStdString(value.dump(1));
        };
        QCOMPARE(judged(), judged());
    }

    void limitsOfTheSpec() {
        if (!haveTool("ptxas")) QSKIP("no ptxas here");
        const Program program;
        writeTwice(program, false);
        json spec = twiceSpec();
        spec["limits"] = {{"registers", 2}};
        program.write("twice/twice.kernel.json", spec.dump(1));
        const Answer answer = program.run({"verify", "twice", "--stage", "parse", "--stage", "assemble", "--json"});
        QVERIFY2(answer.status == 1, describe(answer));
        const json finding = stageOf(answer.json().at("results").at(0), "assemble")->at("findings").at(0);
        QCOMPARE(finding.at("kind"), json("out_of_specification"));
    }

    void withoutAnyBaseline() {
        const Program program;
        json spec = twiceSpec();
        spec.erase("baseline");
        spec["reference"] = {{"file", "reference.cpp"}, {"function", "reference"}};
        program.write("twice/reference.cpp", reference);
        program.write("twice/twice.kernel.json", spec.dump(1));
        program.write("candidate.ptx", twicePtx(twiceBody));
        const Answer answer = program.run({"verify", "twice", "--candidate", "candidate.ptx", "--trust", "--json"});
        QVERIFY2(answer.status == (haveTool("ptxas") ? 0 : 3), describe(answer));
        QCOMPARE(answer.json().at("results").size(), std::size_t{1});
    }

    void aBrokenReferenceIsTheSpecsFault() {
        const Program program;
        writeTwice(program, true);
        program.write("twice/reference.cpp", "void reference(unsigned n, const double* x, float* y) {}\n");
        const Answer answer = program.run({"verify", "twice", "--trust"});
        QVERIFY2(answer.status == 2, describe(answer));
        QVERIFY2(answer.errors.find("reference.cpp:1:") != std::string::npos, describe(answer));
    }
};

QTEST_APPLESS_MAIN(VerifyTest)
#include "verify.moc"

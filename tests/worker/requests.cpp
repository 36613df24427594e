#include "worker/requests.h"

#include "kernel/spec_load.h"
#include "kernel/spec_save.h"
#include "worker/base64.h"

#include <QtTest>
#include <nlohmann/json.hpp>

using namespace ptxwb;
using namespace ptxwb::worker;
using nlohmann::json;

namespace {

const std::string spec =
    R"({"schema": 1, "name": "k", "entry": "k", "source": "k.cu", "symbols": {"n": {"function": [4]}},
 "arguments": [{"name": "x", "type": "f32", "count": "n", "access": "in", "fill": {"file": "x.bin"}}],
 "launch": {"grid": [1, 1, 1], "block": [32, 1, 1]}, "candidates": ["c.ptx"]})";

const std::string binary("\xff\x00\x01\xfe not text \x80", 15);

kernel::Kernel kernelOf() {
    auto loaded = kernel::orFirstError(
        kernel::loadSpec(spec, "k.kernel.json", {{"k.cu", "// source"}, {"x.bin", binary}, {"c.ptx", "// candidate"}}));
    if (!loaded) qFatal("%s", loaded.error().message.c_str());
    return std::move(*loaded);
}

} // namespace

class RequestsTest : public QObject {
    Q_OBJECT

private slots:
    void benchComesBack() {
        const BenchRequest request{{kernelOf(), verify::CandidateText{"c", "c.ptx", "text"}, {}},
                                   verify::CandidateText{"d", "d.ptx", "other"},
                                   verify::BenchMode::hot};
        const auto back = benchRequestFromJson(json::parse(toJson(request).dump()));
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QCOMPARE(back->input.candidate->text, std::string("text"));
        QCOMPARE(back->against->name, std::string("d"));
        QVERIFY(back->mode == verify::BenchMode::hot);
        json unknown = toJson(request);
        unknown["mode"] = "warm";
        QVERIFY(benchRequestFromJson(unknown).error().message.find("unknown mode \"warm\"") != std::string::npos);
        json alone = toJson(request);
        alone.erase("against");
        alone.erase("mode");
        QVERIFY(!benchRequestFromJson(alone)->against && benchRequestFromJson(alone)->mode == verify::BenchMode::cold);
    }

    void replayComesBack() {
        ReplayRequest request{{kernelOf(), verify::CandidateText{"c", "c.ptx", "text"}, {}},
                              {{{"n", 4}}, "cancelling", 18446744073709551615u, "fills", verify::CaseStatus::fail}};
        const auto back = replayRequestFromJson(json::parse(toJson(request).dump()));
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QVERIFY(back->run == request.run);
        QCOMPARE(back->input.candidate->text, std::string("text"));
        json without = toJson(request);
        without.erase("case");
        QVERIFY(!replayRequestFromJson(without));
        without["case"] = {{"set", {{"n", 4}}}, {"status", "perhaps"}};
        const auto bad = replayRequestFromJson(without);
        QVERIFY2(!bad && bad.error().message.find("perhaps") != std::string::npos, "an unknown status is named");
    }

    void verifyComesBack() {
        verify::VerifyInput input{kernelOf(), verify::CandidateText{"c", "c.ptx", "text"}, {}};
        input.plan.stages = {verify::Stage::parse, verify::Stage::stress};
        input.plan.architectures = {"sm_80", "sm_90"};
        input.plan.toolkits = {"/opt/cuda-12.8"};
        input.plan.seed = 18446744073709551615u;
        input.plan.reference = verify::ReferenceTrust::granted;
        input.plan.rebuildBaseline = true;
        input.plan.instructionLimit = 1000;
        const json body = toJson(input);
        QVERIFY2(!body.at("files").contains("c.ptx"), "the spec's candidates stay behind");
        const auto back = verifyInputFromJson(json::parse(body.dump()));
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QCOMPARE(back->candidate->text, std::string("text"));
        QCOMPARE(back->candidate->file, std::string("c.ptx"));
        QVERIFY(back->plan.stages == input.plan.stages);
        QVERIFY(back->plan.architectures == input.plan.architectures);
        QVERIFY(back->plan.toolkits == input.plan.toolkits);
        QCOMPARE(back->plan.seed.value(), input.plan.seed.value());
        QVERIFY(back->plan.reference == verify::ReferenceTrust::granted && back->plan.rebuildBaseline);
        QCOMPARE(back->plan.instructionLimit, std::uint64_t{1000});
        QCOMPARE(back->kernel.files.at("x.bin"), binary);
        QCOMPARE(QString::fromStdString(kernel::toJson(back->kernel.spec).dump()),
                 QString::fromStdString(kernel::toJson(input.kernel.spec).dump()));
        QCOMPARE(verify::defaultSeed(back->kernel), verify::defaultSeed(input.kernel)); // the same seed on both sides
    }

    void aReferenceIsNotTrustedByOmission() {
        json body = toJson(verify::VerifyInput{kernelOf(), std::nullopt, {}});
        body.erase("plan");
        const auto back = verifyInputFromJson(body).value();
        QVERIFY(back.plan.reference == verify::ReferenceTrust::refused);
        QVERIFY(!back.candidate);
    }

    void theOthersComeBack() {
        const auto compile = compileRequestFromJson(toJson(CompileRequest{kernelOf(), {"sm_80"}})).value();
        QVERIFY(compile.architectures == std::vector<std::string>{"sm_80"});
        const auto assemble =
            assembleRequestFromJson(toJson(AssembleRequest{"a.ptx", "text", {"sm_90"}, {"/opt/cuda"}})).value();
        QCOMPARE(assemble.file, std::string("a.ptx"));
        QVERIFY(assemble.toolkits == std::vector<std::string>{"/opt/cuda"});
        RunRequest run{kernelOf(), {"c", "c.ptx", "text"}, {{"n", 12}}, {"x"}, 5, 77};
        const auto back = runRequestFromJson(toJson(run)).value();
        QCOMPARE(back.sizes.at("n"), std::int64_t{12});
        QVERIFY(back.dump == std::vector<std::string>{"x"});
        QCOMPARE(back.seed.value(), std::uint64_t{5});
        QCOMPARE(back.instructionLimit, std::uint64_t{77});
        QVERIFY(back.counting && !back.record);
        QCOMPARE(back.deadline.count(), 0);
        run.deadline = std::chrono::milliseconds(1500);
        run.memoryLimit = 12345;
        const auto limited = runRequestFromJson(toJson(run)).value();
        QCOMPARE(limited.deadline.count(), 1500);
        QCOMPARE(limited.memoryLimit, std::uint64_t{12345});
        run.counting = false;
        run.fill = kernel::FillKind::special;
        run.record = emulator::RecordRequest{{3, 2, 1}, 5, 1000};
        const auto recorded = runRequestFromJson(toJson(run)).value();
        QVERIFY(!recorded.counting && recorded.record);
        QVERIFY((recorded.record->block == Index3{3, 2, 1}));
        QCOMPARE(recorded.record->warp, 5U);
        QCOMPARE(recorded.record->byteLimit, std::size_t{1000});
        QVERIFY(!back.fill && recorded.fill == kernel::FillKind::special);
        json body = toJson(run);
        body["fill"] = "file";
        QVERIFY(QString::fromStdString(runRequestFromJson(body).error().message).contains("fill: file"));
        body.erase("fill");
        body["record"]["bytes"] = std::uint64_t{1} << 60; // an answer has to fit a line
        QCOMPARE(runRequestFromJson(body).value().record->byteLimit, emulator::RecordRequest{}.byteLimit);
        body["record"]["lane"] = 3;
        QVERIFY(QString::fromStdString(runRequestFromJson(body).error().message).contains("lane"));
        body["record"] = {{"block", {1, 2}}};
        QVERIFY(QString::fromStdString(runRequestFromJson(body).error().message).contains("record.block"));
    }

    void brokenRequestsNameTheKey_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("message");
        QTest::newRow("no spec") << "/spec" << "null" << "spec";
        QTest::newRow("spec") << "/spec/arguments" << "3" << "arguments";
        QTest::newRow("stages") << "/plan/stages" << "[\"polish\"]" << "plan: unknown stage \"polish\"";
        QTest::newRow("seed") << "/plan/seed" << "-4" << "plan.seed: expected a number from 0";
        QTest::newRow("candidate") << "/candidate" << "{\"name\":\"c\"}" << "candidate";
        QTest::newRow("files") << "/files" << "[]" << "files";
    }
    void brokenRequestsNameTheKey() {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, message);
        json body = toJson(verify::VerifyInput{kernelOf(), std::nullopt, {}});
        body[json::json_pointer(pointer.toStdString())] = json::parse(value.toStdString());
        const auto back = verifyInputFromJson(body);
        QVERIFY(!back);
        QVERIFY2(QString::fromStdString(back.error().message).contains(message), back.error().message.c_str());
    }

    void base64() {
        for (std::size_t length = 0; length < 7; ++length)
            QCOMPARE(fromBase64(toBase64(binary.substr(0, length))).value(), binary.substr(0, length));
        QCOMPARE(toBase64("Man"), std::string("TWFu")); // RFC 4648, section 10 style
        QVERIFY(!fromBase64("abc"));
        QVERIFY(!fromBase64("ab*="));
    }

    void commandLines_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("plain") << "ssh gpu-box ptxwb worker" << QStringList{"ssh", "gpu-box", "ptxwb", "worker"};
        QTest::newRow("quotes") << "'/my folder/ptxwb'  \"a \\\"b\\\"\" c\\ d ''"
                                << QStringList{"/my folder/ptxwb", "a \"b\"", "c d", ""};
        QTest::newRow("nothing is expanded") << "$HOME/* ~" << QStringList{"$HOME/*", "~"};
    }
    void commandLines() {
        QFETCH(QString, text);
        QFETCH(QStringList, words);
        QStringList got;
        const auto split = splitCommandLine(text.toStdString());
        QVERIFY(split.has_value());
        for (const std::string& word : *split) got += QString::fromStdString(word);
        QCOMPARE(got, words);
        QVERIFY(!splitCommandLine("  "));
        QVERIFY(!splitCommandLine("\"open"));
    }
};

QTEST_APPLESS_MAIN(RequestsTest)
#include "requests.moc"

// Commands that only a GPU or a whole toolkit can answer, over what an H200's machine answered.
#include "program.h"
#include "schema_check.h"

#include <QtTest>

using namespace ptxwb::test;
using nlohmann::json;

namespace {

const std::string example = PTXWB_SOURCE_DIR "/resources/examples/saxpy/";

std::string replaying(const std::string& recording) {
    return "'" PTXWB_BINARY_DIR "/tests/ptxwb_replay_worker' '" PTXWB_SOURCE_DIR "/tests/data/worker/h200/" +
           recording + "'";
}

} // namespace

class RecordedTest : public QObject {
    Q_OBJECT

    Program m_program;

    Answer sass(const std::vector<std::string>& more) const {
        std::vector<std::string> arguments{"sass", example + "saxpy.sm_90.ptx", "--worker",
                                           replaying("saxpy_sass.jsonl")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return m_program.run(arguments);
    }

private slots:
    void machineCodeWithItsLines() {
        const Answer answer = sass({"--json"});
        QVERIFY2(answer.status == 0, describe(answer));
        const json value = answer.json();
        QCOMPARE(QString::fromStdString(mismatch("sass", value)), QString());
        const json& load = value.at("functions").at(0).at("instructions").at(13);
        QCOMPARE(load.at("text").get<std::string>(), std::string("LDG.E R2, desc[UR4][R2.64]"));
        QCOMPARE(load.at("line").get<int>(), 48);
        QCOMPARE(load.at("cuda").at("line").get<int>(), 4);
        const Answer text = sass({});
        QVERIFY2(text.output.find("LDG.E R2, desc[UR4][R2.64]") != std::string::npos, describe(text));
        QVERIFY2(text.output.find("line 48, saxpy.cu:4") != std::string::npos, describe(text));
    }

    void twoOfThem() {
        const std::string other = example + "candidates/vectorized.ptx";
        const Answer answer = sass({"--against", other, "--json"});
        QVERIFY2(answer.status == 1, describe(answer)); // the machine code differs
        const json value = answer.json();
        QCOMPARE(QString::fromStdString(mismatch("sass", value)), QString());
        const json& pair = value.at("comparison").at(0);
        std::size_t rows = 0;
        for (const auto& [kind, count] : pair.at("counts").items()) rows += count.get<std::size_t>();
        QCOMPARE(rows, pair.at("rows").size());
        const Answer text = sass({"--against", other});
        QVERIFY2(text.output.find("+                                                          | LDG.E.128") !=
                     std::string::npos,
                 describe(text));
    }

    void whereTheWarpsStood() {
        const std::vector<std::string> arguments{"profile",    "saxpy",    "--candidate",
                                                 "vectorized", "--worker", replaying("saxpy_profile.jsonl")};
        const Answer answer = m_program.run(arguments);
        QVERIFY2(answer.status == 0, describe(answer));
        QVERIFY2(answer.output.find("where the warps of vectorized stood, by 69079 samples of 3 launches:") !=
                     std::string::npos,
                 describe(answer));
        QVERIFY2(answer.output.find("  94.8 %  line 60     long_scoreboard") != std::string::npos, describe(answer));
        auto withJson = arguments;
        withJson.push_back("--json");
        QCOMPARE(QString::fromStdString(mismatch("profile", m_program.run(withJson).json())), QString());
    }

    void noDisassembler() {
        Program program;
        program.setEnvironment("PATH", "/nowhere");
        for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) program.setEnvironment(name, "");
        const Answer answer = program.run({"sass", example + "saxpy.sm_90.ptx"});
        if (haveTool("nvdisasm") || answer.status == 0) QSKIP("this machine has an nvdisasm in a usual place");
        QCOMPARE(answer.status, 3);
        QVERIFY2(answer.errors.find("no nvdisasm was found") != std::string::npos &&
                     answer.errors.find("cuda-nvdisasm") != std::string::npos,
                 describe(answer));
    }
};

QTEST_GUILESS_MAIN(RecordedTest)
#include "recorded.moc"

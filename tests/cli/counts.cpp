// What the emulator counts and records, through `ptxwb run` and `ptxwb verify`.
#include "program.h"
#include "schema_check.h"
#include "worker/recording_json.h"

#include <QtTest>
#include <algorithm>

using namespace ptxwb::test;
using nlohmann::json;

namespace {

const std::string examples = PTXWB_SOURCE_DIR "/resources/examples/";

std::vector<std::string> saxpy(std::vector<std::string> more) {
    std::vector<std::string> arguments{"run", examples + "saxpy/saxpy.sm_90.ptx", "--spec", "saxpy", "--set", "n=1000"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

} // namespace

class CountsTest : public QObject {
    Q_OBJECT

private slots:
    /// 1000 threads load x and y and store y: 31 warps of four sectors, eight lanes of one.
    void sectorsOfSaxpy() {
        const Program program;
        const Answer answer = program.run(saxpy({"--json"}));
        QVERIFY2(answer.status == 0, describe(answer));
        const json value = answer.json();
        QCOMPARE(QString::fromStdString(mismatch("run", value)), QString());
        const json& work = value.at("work");
        QCOMPARE(work.at("set"), json({{"n", 1000}}));
        QCOMPARE(work.at("total").at("global_requests"), json(3 * 32));
        QCOMPARE(work.at("total").at("global_sectors"), json(3 * (31 * 4 + 1)));
        QCOMPARE(work.at("total").at("global_ideal_sectors"), json(3 * (31 * 4 + 1)));
        QCOMPARE(work.at("total").at("warp_instructions"), value.at("counters").at("warp_instructions"));
        std::size_t accessing = 0, placed = 0;
        for (const json& line : work.at("lines")) {
            placed += !line.at("cuda").is_null();
            if (!line.contains("global_requests")) continue;
            ++accessing;
            QCOMPARE(line.at("global_sectors"), json(125));
            QCOMPARE(line.at("warp_instructions"), json(32));
            QCOMPARE(line.at("thread_instructions"), json(1000));
        }
        QCOMPARE(accessing, std::size_t{3});
        QVERIFY(!value.contains("recording"));
    }

    void withoutCounts() {
        const Program program;
        const json value = program.run(saxpy({"--json", "--without-counts"})).json();
        QCOMPARE(QString::fromStdString(mismatch("run", value)), QString());
        QVERIFY(value.at("work").is_null());
        QVERIFY(value.at("counters").at("warp_instructions") > 0);
    }

    void timeoutNamesTheLine() {
        const Program program;
        const std::string file = program
                                     .write("endless.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n"
                                                           ".visible .entry saxpy(.param .u32 n, .param .f32 a,\n"
                                                           "    .param .u64 x, .param .u64 y)\n{\n"
                                                           "again:\n    bra again;\n}\n")
                                     .string();
        const Answer answer = program.run({"run", file, "--spec", "saxpy", "--timeout", "0.1", "--json"});
        QCOMPARE(answer.status, 1);
        const json value = answer.json();
        QCOMPARE(value.at("completed"), json(false));
        const json finding = value.at("findings").at(0);
        QCOMPARE(finding.at("kind"), json("timeout"));
        QCOMPARE(finding.at("line"), json(8));
        QCOMPARE(finding.at("message"), json("still running when its time was over"));
        QCOMPARE(program.run({"run", file, "--spec", "saxpy", "--timeout", "0"}).status, 2);
    }

    /// A sparse matrix is none whose offsets were filled at random: the spec's host function makes it.
    void inputsAreMadeByTheSpecsFunction() {
        const Program program;
        const std::string folder = examples + "spmv_csr";
        const Answer bundled = program.run({"run", folder + "/spmv_csr.sm_90.ptx", "--spec", "spmv_csr", "--json"});
        QVERIFY2(bundled.status == 0, describe(bundled));
        QCOMPARE(bundled.json().at("findings"), json::array());
        std::filesystem::copy(folder, program.folder() / "elsewhere", std::filesystem::copy_options::recursive);
        std::vector<std::string> arguments{"run", "elsewhere/spmv_csr.sm_90.ptx", "--spec", "elsewhere", "--json"};
        const Answer stranger = program.run(arguments);
        QCOMPARE(stranger.status, 3);
        QVERIFY2(stranger.output.find("inputs.cpp was not trusted to run") != std::string::npos, describe(stranger));
        arguments.push_back("--trust");
        const Answer trusted = program.run(arguments);
        QVERIFY2(trusted.status == 0, describe(trusted));
        QCOMPARE(trusted.json().at("digests"), bundled.json().at("digests"));
    }

    void recording() {
        const Program program;
        const Answer answer = program.run(saxpy({"--json", "--record", "3,7"}));
        QVERIFY2(answer.status == 0, describe(answer));
        const json value = answer.json();
        QCOMPARE(QString::fromStdString(mismatch("run", value)), QString());
        const auto recording = ptxwb::worker::recordingFromJson(value.at("recording"));
        QVERIFY2(recording.has_value(), recording ? "" : recording.error().message.c_str());
        QVERIFY((recording->block == ptxwb::Index3{3, 0, 0}));
        QCOMPARE(json(recording->steps.size()), value.at("recording").at("steps"));
        // Threads 992 to 1023 of the grid: eight of them have an element.
        const auto& last = recording->steps.back();
        QCOMPARE(last.lanes, ~0U);
        QVERIFY(std::ranges::any_of(recording->steps, [](const auto& step) { return step.lanes == 0xFF; }));
        json broken = value.at("recording");
        broken["data"] = broken.at("data").get<std::string>().substr(0, 400);
        QVERIFY(!ptxwb::worker::recordingFromJson(broken));
    }

    void texts() {
        const Program program;
        const Answer answer = program.run(saxpy({"--record", "3,7"}));
        QVERIFY2(answer.status == 0, describe(answer));
        for (const char* part : {"global_sectors         375\n", "125 sectors, ideal 125",
                                 "warp 7 of block (3, 0, 0): ", "lanes 000000ff", "ld.global"})
            QVERIFY2(answer.output.find(part) != std::string::npos, describe(answer));
    }

    void wrongRecords_data() {
        QTest::addColumn<QString>("record");
        QTest::addColumn<QString>("message");
        QTest::newRow("one number") << "3" << "--record 3: expected BLOCK,WARP";
        QTest::newRow("a word") << "x,1" << "expected a whole number, got \"x\"";
        QTest::newRow("negative") << "0,-1" << "--record 0,-1: numbers count from 0";
        QTest::newRow("no such block") << "4,0" << "block (4, 0, 0) cannot be recorded: the grid has 4 x 1 x 1";
        QTest::newRow("no such warp") << "0,8" << "warp 8 cannot be recorded: a block of 256 threads has 8";
    }
    void wrongRecords() {
        QFETCH(QString, record);
        QFETCH(QString, message);
        const Program program;
        const Answer answer = program.run(saxpy({"--record", record.toStdString()}));
        QVERIFY2(answer.status == 2, describe(answer));
        QVERIFY2(QString::fromStdString(answer.errors).contains(message), describe(answer));
    }

    /// Without a GPU: which of two right candidates does less.
    void candidatesCompare() {
        const Program program;
        const Answer answer =
            program.run({"verify", "saxpy", "--candidate", examples + "saxpy/candidates/vectorized.ptx", "--backend",
                         "emulator", "--stage", "sanitize", "--json"});
        const json value = answer.json();
        QVERIFY2(!value.is_discarded(), describe(answer));
        QCOMPARE(QString::fromStdString(mismatch("verify", value)), QString());
        const json& results = value.at("results");
        QCOMPARE(results.size(), std::size_t{2});
        const json &baseline = results.at(0).at("work"), &candidate = results.at(1).at("work");
        QCOMPARE(baseline.at("set"), candidate.at("set"));
        QVERIFY(candidate.at("total").at("thread_instructions") < baseline.at("total").at("thread_instructions"));
        QCOMPARE(candidate.at("total").at("global_sectors"), baseline.at("total").at("global_sectors"));
    }
};

QTEST_APPLESS_MAIN(CountsTest)
#include "counts.moc"

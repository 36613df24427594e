// What a GPU answered, played through the client: a recording holds what the protocol says.
#include "verify/result.h"
#include "worker/client.h"

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace ptxwb;
using namespace ptxwb::worker;
using nlohmann::json;

namespace {

const std::string program = PTXWB_BINARY_DIR "/tests/ptxwb_replay_worker";
const std::string recordings = PTXWB_SOURCE_DIR "/tests/data/worker/h200/";

WorkerCommand command(const std::string& file) {
    return {{program, file}};
}

std::string messageOf(const Expected<json>& answer) {
    return answer ? std::string("an answer: ") + answer->dump() : answer.error().message;
}

} // namespace

class ReplayTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string recording(const std::string& lines) const {
        const std::string file = m_folder.filePath("recording.jsonl").toStdString();
        std::ofstream(file) << lines;
        return file;
    }

private slots:
    void anH200JudgesSaxpy() {
        WorkerClient client(command(recordings + "saxpy.jsonl"));
        QCOMPARE(client.hello().value().at("devices").at(0).at("name").get<std::string>(), std::string("NVIDIA H200"));
        std::vector<std::string> judged;
        bool anyFaster = false;
        for (auto answer = client.call(Job::verify, json::object());;
             answer = client.call(Job::verify, json::object())) {
            if (!answer) {
                QCOMPARE(answer.error().message, std::string("the recording has no answer left"));
                break;
            }
            const auto report = verify::verifyReportFromJson(*answer);
            QVERIFY2(report, report ? "" : report.error().message.c_str());
            QCOMPARE(report->results.size(), 1u);
            const verify::CandidateResult& result = report->results.front();
            judged.push_back(result.candidate);
            QCOMPARE(result.device, std::string("NVIDIA H200"));
            // Time is only taken of what is right, and what was compared was compared in pairs.
            QCOMPARE(result.timing.has_value(), result.verdict == verify::Verdict::pass);
            if (!result.speedup) continue;
            QCOMPARE(result.speedup->baselineSamplesUs.size(), result.timing->samplesUs.size());
            QVERIFY(result.speedup->low <= result.speedup->ratio && result.speedup->ratio <= result.speedup->high);
            anyFaster |= result.speedup->call == "faster";
        }
        QCOMPARE(judged, (std::vector<std::string>{"baseline", "vectorized", "unmasked_tail", "misaligned_vector",
                                                   "does_not_assemble", "two_quads"}));
        QVERIFY(anyFaster);
    }

    void stagesComeBeforeTheirReport() {
        WorkerClient client(command(recordings + "saxpy.jsonl"));
        std::vector<verify::Stage> stages;
        const Callbacks callbacks{[&](const verify::StageResult& s) { stages.push_back(s.stage); }, {}};
        const auto answer = client.call(Job::verify, json::object(), callbacks);
        QVERIFY2(answer, messageOf(answer).c_str());
        const auto report = verify::verifyReportFromJson(*answer);
        QCOMPARE(stages.size(), report->results.front().stages.size());
        QCOMPARE(stages.back(), verify::Stage::benchmark);
    }

    void aWorkerThatWasReplacedGoesOnHere() {
        WorkerClient client(command(recording(R"({"hello":{"protocol":1}}
{"id":41,"progress":{"done":1,"of":2,"what":"function: n = 1"}}
{"id":41,"done":{"which":"first"},"ending":true}
{"hello":{"protocol":1}}
{"id":1,"error":{"message":"the second","cause":"missing"}}
{"id":2,"done":{"which":"third"}}
)")));
        const auto first = client.call(Job::verify, json::object());
        QVERIFY2(first && *first == json({{"which", "first"}}), messageOf(first).c_str());
        QCOMPARE(messageOf(client.call(Job::verify, json::object())), std::string("the second"));
        const auto third = client.call(Job::verify, json::object());
        QVERIFY2(third && *third == json({{"which", "third"}}), messageOf(third).c_str());
    }

    void whatIsNoRecordingIsSaid_data() {
        QTest::addColumn<QString>("lines");
        QTest::addColumn<QString>("said");
        QTest::newRow("no hello") << "{\"id\":1,\"done\":{}}\n"
                                  << "first line of a recording is the worker's hello";
        QTest::newRow("no JSON") << "hello\n"
                                 << "recording.jsonl:1:";
        QTest::newRow("empty") << ""
                               << "first line of a recording";
    }
    void whatIsNoRecordingIsSaid() {
        QFETCH(const QString, lines);
        QFETCH(const QString, said);
        WorkerClient client(command(recording(lines.toStdString())));
        const std::string message = messageOf(client.call(Job::verify, json::object()));
        QVERIFY2(message.find(said.toStdString()) != std::string::npos, message.c_str());
    }
};

QTEST_APPLESS_MAIN(ReplayTest)
#include "replay.moc"

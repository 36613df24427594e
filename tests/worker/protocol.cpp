#include "worker/protocol.h"

#include <QtTest>
#include <nlohmann/json.hpp>

using namespace ptxwb;
using namespace ptxwb::worker;
using nlohmann::json;

class ProtocolTest : public QObject {
    Q_OBJECT

private slots:
    void requestsComeBack() {
        std::uint64_t id = 0;
        const auto request =
            parseToWorker(requestLine(7, Job::verify, json{{"spec", {{"name", "saxpy"}}}}), id).value();
        QCOMPARE(request.id, 7u);
        QCOMPARE(id, 7u);
        QVERIFY(request.job == Job::verify);
        QCOMPARE(request.body->at("spec").at("name").get<std::string>(), std::string("saxpy"));
        const auto cancel = parseToWorker(cancelLine(8), id).value();
        QCOMPARE(cancel.id, 8u);
        QVERIFY(!cancel.job);
    }

    void answersComeBack() {
        verify::StageResult stage{verify::Stage::stress, verify::Status::fail, "emulator", "a reason", 0.25, {}, 12};
        stage.findings.emplace_back().kind = FindingKind::race;
        const auto back = parseFromWorker(stageLine(3, stage)).value();
        QVERIFY(back.kind == AnswerKind::stage);
        QCOMPARE(back.id, 3u);
        QVERIFY(back.stage->findings.at(0).kind == FindingKind::race);
        QCOMPARE(back.stage->runs, 12u);
        QCOMPARE(back.stage->reason, std::string("a reason"));

        const auto progress = parseFromWorker(progressLine(3, {2, 5, "stress: n = 1"})).value();
        QCOMPARE(progress.progress->done, 2u);
        QCOMPARE(progress.progress->of, 5u);
        QCOMPARE(progress.progress->what, std::string("stress: n = 1"));

        const auto done = parseFromWorker(doneLine(3, json{{"x", 1}})).value();
        QVERIFY(done.kind == AnswerKind::done && !done.cancelled);
        QCOMPARE(done.body->at("x").get<int>(), 1);
        QVERIFY(parseFromWorker(cancelledLine(3)).value().cancelled);

        const auto diagnostic = failure(Cause::missing, "no ptxas", "install one").error();
        QVERIFY(parseFromWorker(errorLine(3, diagnostic)).value().error == diagnostic);
        QVERIFY(parseFromWorker(helloLine(json{{"protocol", 1}})).value().kind == AnswerKind::hello);
    }

    void linesNeverHoldANewline() {
        const std::string line = doneLine(1, json{{"text", "two\nlines \xff and no UTF-8"}});
        QVERIFY(line.find('\n') == std::string::npos);
        QVERIFY(parseFromWorker(line));
    }

    void refusals_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("message");
        QTest::newRow("no JSON") << QByteArray("hello")
                                 << "a request is one JSON object a line, this is none: \"hello\"";
        QTest::newRow("array") << QByteArray("[1]") << "a request is one JSON object a line, this is none: \"[1]\"";
        QTest::newRow("no id") << QByteArray("{\"cancel\":true}")
                               << "a request without an `id` (a number from 0): \"{\\\"cancel\\\":true}\"";
        QTest::newRow("negative id") << QByteArray("{\"id\":-1}")
                                     << "a request without an `id` (a number from 0): \"{\\\"id\\\":-1}\"";
        QTest::newRow("unknown job")
            << QByteArray("{\"id\":1,\"polish\":{}}")
            << "a request that is none of verify, compile, assemble, sass, run, profile, bench, cancel: "
               "\"{\\\"id\\\":1,\\\"polish\\\":{}}\"";
    }
    void refusals() {
        QFETCH(QByteArray, line);
        QFETCH(QString, message);
        std::uint64_t id = 0;
        const auto request = parseToWorker(line.toStdString(), id);
        QVERIFY(!request);
        QCOMPARE(QString::fromStdString(request.error().message), message);
    }

    void excerptsAreSafeToPrint() {
        QCOMPARE(excerpt("a\x1b[31m\"\\"), std::string("\"a\\x1b[31m\\\"\\\\\""));
        QCOMPARE(excerpt(std::string(121, 'b')), "\"" + std::string(120, 'b') + "\" and 1 bytes more");
    }
};

QTEST_APPLESS_MAIN(ProtocolTest)
#include "protocol.moc"

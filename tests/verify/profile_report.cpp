// What the hardware counted, as the worker answers it: a recorded answer comes back as it was, a damaged one is named.
#include "verify/profile_report.h"
#include "verify/bench_report.h"

#include <QTest>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace ptxwb;
using namespace ptxwb::verify;
using nlohmann::json;

namespace {

/// The answer of an H200 to `ptxwb profile saxpy --candidate vectorized`.
json recorded() {
    std::ifstream stream(PTXWB_SOURCE_DIR "/tests/data/worker/h200/saxpy_profile.jsonl");
    std::string line;
    while (std::getline(stream, line)) {
        const json value = json::parse(line);
        if (value.contains("done")) return value.at("done");
    }
    return {};
}

} // namespace

class ProfileReportTest : public QObject {
    Q_OBJECT

private slots:
    void aRecordedAnswerComesBack() {
        const json answer = recorded();
        const auto report = profileReportFromJson(answer);
        QVERIFY2(report.has_value(), report ? "" : report.error().message.c_str());
        QCOMPARE(toJson(*report).dump(2), answer.dump(2));
        QCOMPARE(report->kernels.size(), std::size_t(2));
        const PcSampling& sampling = report->kernels.front().sampling.value();
        // Nearly all warps of the baseline stand where y's new value needs what was loaded.
        const auto busiest = std::ranges::max_element(sampling.lines, {}, &SampledLine::samples);
        QCOMPARE(busiest->line, 51u);
        QCOMPARE(QString::fromStdString(busiest->cudaFile).section('/', -1), QString("saxpy.cu"));
        QCOMPARE(busiest->cudaLine, 4u);
        QVERIFY(busiest->samples > sampling.samples * 8 / 10);
        QVERIFY(busiest->stalls.at("long_scoreboard") > busiest->samples * 8 / 10);
        std::uint64_t sum = 0;
        for (const SampledLine& line : sampling.lines) {
            std::uint64_t stalls = 0, instructions = 0;
            for (const auto& [reason, samples] : line.stalls) stalls += samples;
            for (const auto& [offset, samples] : line.instructions) instructions += samples;
            QCOMPARE(stalls, line.samples);
            QCOMPARE(instructions, line.samples);
            sum += line.samples;
        }
        QCOMPARE(sum, sampling.samples);
    }

    void withoutSamples() {
        json answer = recorded();
        answer["results"][0]["sampling"] = nullptr;
        answer["results"][0]["sampling_problem"] = "cuptiPCSamplingEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35)";
        const auto report = profileReportFromJson(answer);
        QVERIFY(report.has_value());
        QVERIFY(!report->kernels[0].sampling);
        QVERIFY(toJson(*report) == answer);
    }

    void whatIsDamagedIsNamed_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("place");
        QTest::newRow("kernel") << "/kernel" << "7" << "kernel";
        QTest::newRow("metric") << "/results/0/metrics/dram__bytes_read.sum" << "\"many\"" << "dram__bytes_read.sum";
        QTest::newRow("passes") << "/results/1/passes" << "-1" << "results[1].passes";
        QTest::newRow("samples") << "/results/0/sampling/samples" << "0.5" << "results[0].sampling.samples";
        QTest::newRow("line") << "/results/0/sampling/lines/2/line" << "-3" << "results[0].sampling.lines[2].line";
        QTest::newRow("stall") << "/results/0/sampling/lines/0/stalls/wait" << "\"x\"" << "stalls.wait";
        QTest::newRow("offset") << "/results/0/sampling/lines/0/instructions/0/offset" << "[]"
                                << "instructions[0].offset";
        QTest::newRow("unknown") << "/unknown" << "[1]" << "unknown";
    }
    void whatIsDamagedIsNamed() {
        QFETCH(const QString, pointer);
        QFETCH(const QString, value);
        QFETCH(const QString, place);
        json answer = recorded();
        answer[json::json_pointer(pointer.toStdString())] = json::parse(value.toStdString());
        const auto report = profileReportFromJson(answer);
        QVERIFY(!report);
        QVERIFY2(QString::fromStdString(report.error().message).contains(place), report.error().message.c_str());
    }

    /// Each of several launches has its own figures.
    void launchesAreToldApart() {
        json answer = recorded();
        answer["results"][0]["launch"] = "partial";
        const auto report = profileReportFromJson(answer);
        QVERIFY2(report.has_value(), report ? "" : report.error().message.c_str());
        QCOMPARE(report->kernels.front().launch, std::string("partial"));
        QCOMPARE(toJson(*report).dump(2), answer.dump(2));
    }

    void aBenchmarkComesBack_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"valid-cold.json", "valid-graph.json", "valid-not-measured.json"})
            QTest::newRow(file) << file;
    }
    void aBenchmarkComesBack() {
        QFETCH(QString, file);
        std::ifstream stream((PTXWB_SOURCE_DIR "/tests/data/schemas/bench/" + file).toStdString());
        const json answer = json::parse(stream);
        const auto report = benchReportFromJson(answer);
        QVERIFY2(report.has_value(), report ? "" : report.error().message.c_str());
        QCOMPARE(toJson(*report).dump(2), answer.dump(2));
        json broken = answer;
        broken["mode"] = "warm";
        QVERIFY(!benchReportFromJson(broken));
        broken = answer;
        broken.erase("stage");
        QVERIFY(!benchReportFromJson(broken));
    }
};

QTEST_APPLESS_MAIN(ProfileReportTest)
#include "profile_report.moc"

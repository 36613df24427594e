#include "panels/timing_figures.h"

#include "../models/timings.h"

#include <QStandardPaths>

using namespace ptxwb;
using namespace ptxwb::ui;
using namespace ptxwb::test;

namespace {

struct Opened {
    Document document;
    Opened() { openSaxpy(document); }

    const verify::CandidateResult* judgeBaseline(const Measured& measured) {
        document.setResults("baseline", measuredAlone(document.text("baseline"), measured));
        return &document.candidate("baseline")->judgement->result;
    }
    TimingFigures judge(const verify::VerifyReport& answer, const verify::CandidateResult* baseline = nullptr) {
        document.setResults("c1", answer);
        return timingFigures(*document.candidate("c1"), baseline);
    }
    QString text() { return document.text("c1"); }
};

TimingRow row(const TimingFigures& figures, const QString& name) {
    for (const TimingRow& one : figures.rows)
        if (one.name == name) return one;
    return {name, {}, "no such row", "no such row"};
}

const QString dash = QString::fromUtf8("–");

} // namespace

class TimingFiguresTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QStandardPaths::setTestModeEnabled(true); }

    void theCallInWords() {
        Opened opened;
        const TimingFigures figures = opened.judge(measuredAgainstBaseline(opened.text()));
        QCOMPARE(figures.call, QString("faster: 1.269 x, 95 % interval 1.266 to 1.271, against baseline"));
        QCOMPARE(figures.glyph, QString::fromUtf8("▲"));
        QCOMPARE(figures.explanation, QString());
        QCOMPARE(figures.measuredOn, QString("Measured on NVIDIA H200."));
        QCOMPARE(figures.strips.strips.size(), 2u);
        QCOMPARE(figures.strips.strips[0].name, QString("baseline")); // the topmost
        QCOMPARE(figures.strips.strips[1].name, QString("vectorized"));
        QVERIFY(figures.strips.strips[0].role == TimingRole::baseline);
        QVERIFY(figures.strips.strips[1].role == TimingRole::candidate);
    }

    void whatItDoesNotShowIsExplained_data() {
        QTest::addColumn<QString>("call");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<QString>("explanation");
        QTest::newRow("same") << "same" << 0.998 << 1.003 << "The whole interval lies within 0.5 % of 1.";
        QTest::newRow("wide") << "unclear" << 0.97 << 1.04
                              << "The interval holds 1 and is wider than 0.5 % around it: more rounds, or a quieter "
                                 "machine, may tell.";
        QTest::newRow("too little") << "unclear" << 1.001 << 1.006
                                    << "The difference is under 0.5 %, and the interval is not wholly within 0.5 % of "
                                       "1.";
        QTest::newRow("slower") << "slower" << 0.90 << 0.95 << "";
    }
    void whatItDoesNotShowIsExplained() {
        QFETCH(const QString, call);
        QFETCH(const double, low);
        QFETCH(const double, high);
        Opened opened;
        const TimingFigures figures = opened.judge(measuredAgainstBaseline(
            opened.text(), {.ratio = (low + high) / 2, .low = low, .high = high, .call = call.toStdString()}));
        QTEST(figures.explanation, "explanation");
        QVERIFY2(figures.call.startsWith(call + ": "), qPrintable(figures.call));
    }

    void theTimeOfAWrongResultIsNoCall() {
        Opened opened;
        auto wrong = measuredAgainstBaseline(opened.text());
        wrong.results[0].stages.back().status = verify::Status::fail;
        wrong.results[0].stages.back().findings.emplace_back().message = "y[3] is 1 and must be 2";
        const TimingFigures figures = opened.judge(wrong);
        QVERIFY2(figures.call.startsWith("does not count: "), qPrintable(figures.call));
        QCOMPARE(figures.explanation,
                 QString("The benchmark failed, so its times do not count: y[3] is 1 and must be 2"));
    }

    void figuresSideBySide() {
        Opened opened;
        const auto* baseline = opened.judgeBaseline({.medianUs = 238});
        const TimingFigures figures = opened.judge(measuredAgainstBaseline(opened.text()), baseline);
        const std::vector<std::array<QString, 3>> expected{
            {"Cold, median", "187.0 us", "237.3 us"}, // of the paired rounds, not 238 of its own
            {"Cold, p10", "186.2 us", "235.7 us"},
            {"Cold, p90", "187.8 us", "238.9 us"},
            {"Hot", "185.5 us", "236.5 us"}, // of its own verification
            {"In a graph", "185.0 us", "236.0 us"},
            {"Of the roofline", "96.8 % (memory)", "76.1 % (memory)"},
            {"Rounds", "110", "110"},
            {"Discarded", "3", "3"},
            {"SM clock", "1980 MHz", "1980 MHz"},
            {"Method", "CUPTI kernel records", "CUPTI kernel records"},
            {"Size", "n = 67108864", "n = 67108864"},
        };
        QCOMPARE(figures.rows.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE(figures.rows[i].name, expected[i][0]);
            QCOMPARE(figures.rows[i].candidate, expected[i][1]);
            QCOMPARE(figures.rows[i].baseline, expected[i][2]);
            QVERIFY(!figures.rows[i].meaning.isEmpty());
        }
        QCOMPARE(figures.note, QString("The hot and graph figures of baseline are from its own verification, not from "
                                       "the paired rounds."));
    }

    void anotherMachinesFiguresDoNotStandBeside_data() {
        QTest::addColumn<bool>("verified");
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("size");
        QTest::newRow("not verified") << false << "" << "";
        QTest::newRow("another GPU") << true << "NVIDIA L4" << "n = 67108864";
        QTest::newRow("another size") << true << "NVIDIA H200" << "n = 1024";
    }
    void anotherMachinesFiguresDoNotStandBeside() {
        QFETCH(const bool, verified);
        QFETCH(const QString, device);
        QFETCH(const QString, size);
        Opened opened;
        const auto* baseline =
            opened.judgeBaseline({.medianUs = 900, .device = device.toStdString(), .size = size.toStdString()});
        const TimingFigures figures =
            opened.judge(measuredAgainstBaseline(opened.text()), verified ? baseline : nullptr);
        QCOMPARE(row(figures, "Hot").baseline, dash);
        QCOMPARE(row(figures, "In a graph").baseline, dash);
        QCOMPARE(row(figures, "Cold, median").baseline, QString("237.3 us"));
        QCOMPARE(figures.note, QString("The hot and graph figures of baseline come with its own verification, on the "
                                       "same GPU and at this size."));
    }

    void whatWasNotMeasuredIsADash() {
        Opened opened;
        auto answer = measuredAgainstBaseline(opened.text());
        answer.results[0].timing->hotUs = 0;
        answer.results[0].timing->graphUs = 0;
        answer.results[0].timing->clockMhz = 0;
        const TimingFigures figures = opened.judge(answer);
        for (const char* name : {"Hot", "In a graph", "SM clock"}) QCOMPARE(row(figures, name).candidate, dash);
        QCOMPARE(figures.note, QString());
    }

    void withoutAComparison() {
        Opened opened;
        const TimingFigures alone = opened.judge(measuredAlone(opened.text()));
        QCOMPARE(alone.call, QString("Measured alone: there is no baseline to compare with."));
        QCOMPARE(alone.against, QString());
        QCOMPARE(alone.glyph, QString());
        QCOMPARE(row(alone, "Cold, median").baseline, dash);
        QCOMPARE(alone.strips.strips.size(), 1u);
        const auto* own = opened.judgeBaseline({});
        const TimingFigures baseline = timingFigures(*opened.document.candidate("baseline"), own);
        QCOMPARE(baseline.call, QString("The baseline: the candidates are measured against it."));
        QCOMPARE(baseline.strips.strips[0].name, QString("baseline"));
        QVERIFY(baseline.strips.strips[0].role == TimingRole::baseline);
        QCOMPARE(baseline.note, QString());
    }
};

QTEST_GUILESS_MAIN(TimingFiguresTest)
#include "timing_figures_test.moc"

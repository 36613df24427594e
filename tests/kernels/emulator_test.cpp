// Whole kernels on the emulator with every checker on: no finding, and what an H200 wrote for the same inputs.
#include "emulator_run.h"

#include <QTest>
#include <set>

using namespace ptxwb;

namespace {

const std::filesystem::path folder = PTXWB_SOURCE_DIR "/tests/data/kernels";

/// What is wrong with a run before its answer is looked at.
QStringList problems(const kernels::Case& one, const kernels::EmulatorRun& run) {
    QStringList out;
    if (!run.error.empty()) return {QString::fromStdString(run.error)};
    for (const Finding& finding : run.findings)
        out << QString("%1:%2: %3: %4")
                   .arg(QString::fromStdString(one.ptxFile))
                   .arg(finding.line)
                   .arg(QString::fromUtf8(name(finding.kind).data()), QString::fromStdString(finding.message));
    if (!run.completed) out << "it did not complete";
    for (const std::string& element : run.unwritten) out << QString::fromStdString(element) + " was never written";
    return out;
}

} // namespace

class EmulatorTest : public QObject {
    Q_OBJECT

    std::vector<kernels::Case> m_cases;
    kernels::Recording m_recording;

private slots:
    void initTestCase() {
        auto cases = kernels::readCases(folder);
        QVERIFY2(cases.has_value(), cases ? "" : format(cases.error()).c_str());
        m_cases = std::move(*cases);
        auto recording = kernels::readRecording(folder / "h200.txt");
        QVERIFY2(recording.has_value(), recording ? "" : format(recording.error()).c_str());
        m_recording = std::move(*recording);
    }

    void kernel_data() {
        QTest::addColumn<std::size_t>("number");
        for (std::size_t i = 0; i < m_cases.size(); ++i) QTest::newRow(m_cases[i].title.c_str()) << i;
    }
    void kernel() {
        QFETCH(std::size_t, number);
        const kernels::Case& one = m_cases[number];
        // Warps in order, then in an order that a seed draws.
        for (const std::uint64_t schedule : {std::uint64_t{0}, std::uint64_t{7}}) {
            const auto run = kernels::runOnEmulator(one, one.ptx, schedule);
            const QStringList wrong = problems(one, run);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("\n")));
            const kernels::Answer* recorded = m_recording.find(one.title);
            if (!recorded) continue;
            for (const std::string& line : kernels::differences(one, *recorded, run.answer)) QFAIL(line.c_str());
        }
    }

    void howManyAreConfirmed() {
        std::set<std::string> kernels, confirmed;
        std::size_t launches = 0;
        for (const kernels::Case& one : m_cases) {
            const std::string& kernelName = one.kernel.spec.name;
            kernels.insert(kernelName);
            if (!m_recording.find(one.title)) continue;
            confirmed.insert(kernelName);
            ++launches;
        }
        qInfo("%zu kernels in %zu launches; %zu kernels (%zu launches) are confirmed on silicon", kernels.size(),
              m_cases.size(), confirmed.size(), launches);
    }
};

QTEST_APPLESS_MAIN(EmulatorTest)
#include "emulator_test.moc"

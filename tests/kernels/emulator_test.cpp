// Whole kernels on the emulator with every checker on: no finding, and what an H200 wrote for the same inputs.
#include "cases.h"

#include "ptx/parse.h"
#include "support/sha256.h"
#include "verify/entry.h"
#include "verify/execute.h"

#include <QTest>
#include <set>

using namespace ptxwb;

namespace {

const std::filesystem::path folder = PTXWB_SOURCE_DIR "/tests/data/kernels";

struct Ran {
    QStringList problems;
    kernels::Answer answer;
    std::uint64_t threadInstructions = 0;
};

Ran runOnEmulator(const kernels::Case& one, std::uint64_t schedule) {
    Ran ran;
    verify::PtxKernel kernel;
    kernel.module = ptx::parse(one.ptx, one.ptxFile);
    const auto entry = verify::findEntry(*kernel.module, one.data.entry);
    if (!entry) {
        ran.problems << QString::fromStdString(format(entry.error()));
        return ran;
    }
    kernel.entry = *entry;
    if (const auto finding = verify::checkLaunch(kernel, one.data))
        ran.problems << QString::fromStdString(finding->message);
    if (const auto decoded = verify::decodeEntry(kernel); !decoded)
        ran.problems << QString::fromStdString(format(decoded.error()));
    if (!ran.problems.isEmpty()) return ran;
    verify::ExecuteOptions options;
    options.emulator.seed = schedule;
    options.emulator.instructionLimit = 500'000'000;
    const auto outcome = verify::execute(kernel, one.data, options, {});
    if (!outcome) {
        ran.problems << QString::fromStdString(format(outcome.error()));
        return ran;
    }
    for (const Finding& finding : outcome->findings)
        ran.problems << QString("%1:%2: %3: %4")
                            .arg(QString::fromStdString(one.ptxFile))
                            .arg(finding.line)
                            .arg(QString::fromUtf8(name(finding.kind).data()), QString::fromStdString(finding.message));
    if (!outcome->completed()) ran.problems << "it did not complete";
    std::vector<std::vector<std::uint8_t>> buffers;
    for (std::size_t i = 0; i < outcome->buffers.size(); ++i) {
        const auto& after = outcome->buffers[i];
        const auto missing = std::ranges::find(after.written, std::uint8_t{0}) - after.written.begin();
        if (missing < static_cast<std::ptrdiff_t>(after.written.size()))
            ran.problems << QString("%1[%2] was never written")
                                .arg(QString::fromStdString(one.data.buffers[i].name))
                                .arg(missing);
        buffers.push_back(after.bytes);
    }
    ran.answer = kernels::answerOf(one, buffers, outcome->printed);
    ran.threadInstructions = outcome->counters.threadInstructions;
    return ran;
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
            const Ran ran = runOnEmulator(one, schedule);
            QVERIFY2(ran.problems.isEmpty(), qPrintable(ran.problems.join("\n")));
            const kernels::Answer* recorded = m_recording.find(one.title);
            if (!recorded) continue;
            for (const std::string& line : kernels::differences(one, *recorded, ran.answer)) QFAIL(line.c_str());
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

// What each checker must find, with lines, threads and blocks, and correct twins in which it must find nothing
// (story.h). Every launch runs with one host thread and with four, and with drawn schedules, in which a race may be met
// from its other side; with the checker off, nothing is found.
#include "story.h"

#include <QDir>
#include <QTest>
#include <map>
#include <set>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

const std::map<std::string, bool Options::*> checkers = {
    {"bounds", &Options::bounds},     {"alignment", &Options::alignment},
    {"readOnly", &Options::readOnly}, {"initialisation", &Options::initialisation},
    {"races", &Options::races},       {"globalRaces", &Options::globalRaces},
    {"barriers", &Options::barriers}, {"asyncCopies", &Options::asyncCopies},
    {"printing", &Options::printing},
};

std::string described(const KernelAnswer& answer) {
    std::string out = answer.error;
    for (const Finding& f : answer.result.findings) out += summary(f) + "\n";
    return out;
}

} // namespace

class CheckersTest : public QObject {
    Q_OBJECT

    QStringList m_files;
    const QDir m_folder{PTXWB_SOURCE_DIR "/tests/data/emulator/checkers"};

private slots:
    void initTestCase() {
        m_files = m_folder.entryList({"*.ptx"}, QDir::Files, QDir::Name);
        QVERIFY(m_files.size() > 20);
    }

    void everyCheckerHasCases() {
        std::set<std::string> flagged, clean;
        for (const QString& file : m_files) {
            const Story story = readStory(m_folder.filePath(file));
            for (const StoryLaunch& launch : story.launches)
                (launch.findings.empty() ? clean : flagged).insert(story.checker);
        }
        for (const auto& [name, option] : checkers) {
            QVERIFY2(flagged.contains(name), name.c_str());
            QVERIFY2(clean.contains(name), name.c_str());
        }
    }

    void finds_data() {
        QTest::addColumn<QString>("path");
        for (const QString& name : m_files) QTest::newRow(qPrintable(name)) << m_folder.filePath(name);
    }
    void finds() {
        QFETCH(QString, path);
        const Story story = readStory(path);
        const auto checker = checkers.find(story.checker);
        QVERIFY2(checker != checkers.end() || story.checker == "always", story.checker.c_str());
        QVERIFY(story.launches.size() > 1);
        for (const StoryLaunch& launch : story.launches) {
            KernelRun run = launch.run;
            for (const unsigned threads : {1U, 4U}) {
                run.options.hostThreads = threads;
                const KernelAnswer answer = runKernel(run);
                const std::string wrong = problems(launch, answer);
                QVERIFY2(
                    wrong.empty(),
                    qPrintable(
                        QString("%1, %2 host threads: %3").arg(run.entry.c_str()).arg(threads).arg(wrong.c_str())));
            }
            for (std::uint64_t seed = 1; seed <= 5 && !story.inOrder; ++seed) {
                run.options.seed = seed;
                run.options.hostThreads = 1 + seed % 2;
                const KernelAnswer answer = runKernel(run);
                if (launch.hasRace()) {
                    QVERIFY2(described(answer).find("race line") != std::string::npos,
                             qPrintable(QString("%1, seed %2: no race").arg(run.entry.c_str()).arg(seed)));
                    continue;
                }
                const std::string wrong = problems(launch, answer);
                QVERIFY2(wrong.empty(),
                         qPrintable(QString("%1, seed %2: %3").arg(run.entry.c_str()).arg(seed).arg(wrong.c_str())));
            }
            if (checker == checkers.end()) continue;
            run.options = launch.run.options;
            run.options.*checker->second = false;
            const KernelAnswer off = runKernel(run);
            QCOMPARE(described(off), std::string());
        }
    }
};

QTEST_APPLESS_MAIN(CheckersTest)
#include "checkers_test.moc"

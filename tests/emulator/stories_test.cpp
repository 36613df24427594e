// Kernels in files with what must come of them at the top of the file (story.h). Run with one host thread, with four,
// and with three drawn schedules: what the story says holds for all of them, except that another schedule may meet a
// race from its other side.
#include "story.h"

#include <QDir>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::emulator;

class StoriesTest : public QObject {
    Q_OBJECT

private slots:
    void stories_data() {
        QTest::addColumn<QString>("path");
        const QDir folder(PTXWB_SOURCE_DIR "/tests/data/emulator/stories");
        const auto files = folder.entryList({"*.ptx"}, QDir::Files, QDir::Name);
        QVERIFY(files.size() > 10);
        for (const QString& name : files) QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
    void stories() {
        QFETCH(QString, path);
        Story story = readStory(path);
        QVERIFY(!story.launches.empty());
        struct Way {
            unsigned threads;
            std::uint64_t seed;
        };
        for (StoryLaunch& launch : story.launches)
            for (const Way way : {Way{1, 0}, Way{4, 0}, Way{2, 1}, Way{1, 2}, Way{3, 99}}) {
                if (story.inOrder && way.seed) continue;
                launch.run.options.hostThreads = way.threads;
                launch.run.options.seed = way.seed;
                const KernelAnswer answer = runKernel(launch.run);
                if (launch.hasRace() && way.seed) {
                    QVERIFY(std::ranges::any_of(answer.result.findings,
                                                [](const Finding& f) { return f.kind == FindingKind::race; }));
                    continue;
                }
                const std::string wrong = problems(launch, answer);
                QVERIFY2(wrong.empty(), qPrintable(QString("%1, %2 host threads, seed %3: %4")
                                                       .arg(launch.run.entry.c_str())
                                                       .arg(way.threads)
                                                       .arg(way.seed)
                                                       .arg(wrong.c_str())));
            }
    }
};

QTEST_APPLESS_MAIN(StoriesTest)
#include "stories_test.moc"

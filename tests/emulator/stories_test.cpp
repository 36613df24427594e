// Kernels in files with what must come of them at the top of the file: see the first lines of any story.
//   //! launch ENTRY grid G block B [shared S] [words W]
//   //! out WORD WORD ...       hex, `null` where nothing is written, `...` where the rest does not matter
//   //! finding KIND line L[, line M] [: text that the message, or one of its related places, holds]
//   //! in order                        schedules are not drawn: what is found depends on who comes first
// Every finding is listed, in order; a story without `finding` must have none. Run with one host thread, with four, and
// with three drawn schedules: what the story says holds for all of them, except that another schedule may meet a race
// from its other side.
#include "kernel_run.h"

#include <QDir>
#include <QTest>
#include <algorithm>
#include <sstream>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

struct ExpectedFinding {
    std::string place; ///< "race line 12, line 9"
    std::string text;
};

struct Story {
    KernelRun run;
    std::vector<std::string> out;
    bool outIsPrefix = false;
    bool hasRace = false, inOrder = false;
    std::vector<ExpectedFinding> findings;
};

Story readStory(const QString& path) {
    QFile file(path);
    Story story;
    if (!file.open(QIODevice::ReadOnly)) return story;
    story.run.text = file.readAll().toStdString();
    std::istringstream lines(story.run.text);
    std::size_t wordCount = 0;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("//! ")) continue;
        std::istringstream words(line.substr(4));
        std::string key, word;
        words >> key;
        if (key == "launch") {
            words >> story.run.entry;
            while (words >> word) {
                std::uint32_t value = 0;
                words >> value;
                if (word == "grid")
                    story.run.grid = {value, 1, 1};
                else if (word == "block")
                    story.run.block = {value, 1, 1};
                else if (word == "shared")
                    story.run.dynamicSharedBytes = value;
                else if (word == "words")
                    wordCount = value;
            }
        } else if (key == "in") {
            story.inOrder = true;
        } else if (key == "out") {
            while (words >> word) {
                if (word == "...")
                    story.outIsPrefix = true;
                else
                    story.out.push_back(word);
            }
        } else if (key == "finding") {
            std::string rest = line.substr(line.find("finding ") + 8);
            ExpectedFinding expected{rest, {}};
            if (const auto colon = rest.find(": "); colon != std::string::npos)
                expected = {rest.substr(0, colon), rest.substr(colon + 2)};
            story.hasRace |= rest.starts_with("race ");
            story.findings.push_back(expected);
        }
    }
    const bool exact = !story.out.empty() && !story.outIsPrefix;
    story.run.outWords = wordCount ? wordCount : exact ? story.out.size() : 64;
    story.run.options.instructionLimit = 1 << 24;
    return story;
}

bool says(const Finding& f, const std::string& text) {
    return f.message.find(text) != std::string::npos || std::ranges::any_of(f.related, [&](const RelatedFinding& r) {
               return r.message.find(text) != std::string::npos;
           });
}

std::string placeOf(const Finding& f) {
    std::string out = fmt::format("{} line {}", name(f.kind), f.line);
    for (const auto& r : f.related) out += fmt::format(", line {}", r.line);
    return out;
}

} // namespace

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
        struct Way {
            unsigned threads;
            std::uint64_t seed;
        };
        for (const Way way : {Way{1, 0}, Way{4, 0}, Way{2, 1}, Way{1, 2}, Way{3, 99}}) {
            if (story.inOrder && way.seed) continue;
            story.run.options.hostThreads = way.threads;
            story.run.options.seed = way.seed;
            const KernelAnswer answer = runKernel(story.run);
            QCOMPARE(QString::fromStdString(answer.error), QString());
            std::string seen;
            for (const Finding& f : answer.result.findings) seen += summary(f) + "\n";
            if (story.hasRace && way.seed) {
                QVERIFY2(seen.find("race line") != std::string::npos, seen.c_str());
                continue;
            }
            QVERIFY2(answer.result.findings.size() == story.findings.size(), seen.c_str());
            for (std::size_t i = 0; i < story.findings.size(); ++i) {
                QCOMPARE(QString::fromStdString(placeOf(answer.result.findings[i])),
                         QString::fromStdString(story.findings[i].place));
                QVERIFY2(says(answer.result.findings[i], story.findings[i].text), seen.c_str());
            }
            for (std::size_t i = 0; i < story.out.size(); ++i)
                QVERIFY2(answer.out[i] == story.out[i], qPrintable(QString("word %1 is %2, must be %3")
                                                                       .arg(i)
                                                                       .arg(QString::fromStdString(answer.out[i]),
                                                                            QString::fromStdString(story.out[i]))));
        }
    }
};

QTEST_APPLESS_MAIN(StoriesTest)
#include "stories_test.moc"

// One file for each situation: what it is about, both texts, and what the terminal shows.
// PTXWB_UPDATE=1 writes the expected part anew; the difference is then for a person to read.
#include "checks.h"

#include "compare/print_text.h"

#include <QDir>
#include <QFile>

using namespace ptxwb::compare;
using namespace ptxwb::compare::test;

class ScenarioTest : public QObject {
    Q_OBJECT

    struct Story {
        std::string what, left, right, level, expected;
    };

    static Story read(const QString& path) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) return {};
        const std::string text = file.readAll().toStdString();
        Story story;
        const std::size_t left = text.find("--- left\n"), right = text.find("--- right\n");
        const std::size_t end = text.find("--- ", right + 4), level = text.find('\n', end);
        story.what = text.substr(0, left);
        story.left = text.substr(left + 9, right - left - 9);
        story.right = text.substr(right + 10, end - right - 10);
        story.level = text.substr(end + 4, level - end - 4);
        story.expected = text.substr(level + 1);
        return story;
    }

private slots:
    void story_data() {
        QTest::addColumn<QString>("path");
        const QDir folder(PTXWB_SOURCE_DIR "/tests/data/compare");
        const QStringList names = folder.entryList({"*.story"}, QDir::Files, QDir::Name);
        QVERIFY2(names.size() >= 18, "tests/data/compare lacks its stories");
        for (const QString& name : names) QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
    void story() {
        QFETCH(QString, path);
        const Story story = read(path);
        PrintOptions options;
        options.level = story.level == "all" ? Level::all : story.level == "renamed" ? Level::renamed : Level::changed;
        options.context = 1;
        const Comparison c = compareTexts(story.left, story.right);
        COMPARE_IS_SOUND(c, story.left, story.right);
        const std::string shown = printText(c, "left.ptx", story.left, "right.ptx", story.right, options);
        if (qEnvironmentVariableIsSet("PTXWB_UPDATE") && shown != story.expected) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QByteArray::fromStdString(story.what + "--- left\n" + story.left + "--- right\n" + story.right +
                                                 "--- " + story.level + "\n" + shown));
            return;
        }
        if (shown != story.expected) qInfo("%s", shown.c_str());
        QVERIFY(shown == story.expected);
    }
};

QTEST_APPLESS_MAIN(ScenarioTest)
#include "scenario_test.moc"

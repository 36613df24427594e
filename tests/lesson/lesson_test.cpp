// The lessons that come with the program load; what does not fit in a teacher's own says where and what.
#include "lesson/lesson.h"

#include "lesson/lesson_text.h"
#include "lesson/metrics.h"

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

using namespace ptxwb;
using namespace ptxwb::lesson;

namespace {

const std::filesystem::path root = PTXWB_SOURCE_DIR "/resources/lessons";

void write(const QTemporaryDir& folder, const QString& name, const QString& text) {
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.toUtf8());
}

const QString text = "# A lesson\nIntro.\n\n## One\nWords.\nGoals: q\n\n## @questions\n- q: What?\n";
const QString json = R"({"schema": 1, "name": "own", "start": "s.txt", "solution": "t.txt",
 "texts": {"en": "en.md"}, "questions": [{"id": "q", "accept": ["a"]}]})";

} // namespace

class LessonTest : public QObject {
    Q_OBJECT

private slots:
    void theEightThatComeWithTheProgram() {
        std::vector<Diagnostic> problems;
        const auto lessons = loadLessons(root, &problems);
        QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().message.c_str());
        QStringList names;
        int german = 0;
        for (const Lesson& one : lessons) {
            names += QString::fromStdString(one.name);
            german += one.texts.contains("de");
            QVERIFY(one.text("en").steps.size() >= 3);
            QCOMPARE(one.folder.filename().string(), one.name);
            QVERIFY2(&one.text("xx") == &one.text("en"), "a language that it has not is English");
            for (const auto& [language, words] : one.texts) {
                QCOMPARE(words.steps.size(), one.text("en").steps.size());
                for (std::size_t i = 0; i < words.steps.size(); ++i)
                    QVERIFY(words.steps[i].goals == one.text("en").steps[i].goals);
            }
        }
        QCOMPARE(names, (QStringList{"coalescing", "bank_conflicts", "divergence", "latency_hiding", "shuffles",
                                     "tensor_cores", "async_copies", "reading_sass"}));
        QVERIFY(german >= 2);
    }

    void readsATextByItsParts() {
        const auto read =
            readLessonText("# Title\n\nIntro,\nmore.\n\n## First\n\nWords.\n\n```\n## no step\n```\n\n"
                           "Change: this,\nand that.\n\nLook: here.\n\nGoals: a, b\n\n## @goals\n- a: One.\n"
                           "- b: Two: three.\n",
                           "t.md");
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->title, std::string("Title"));
        QCOMPARE(read->intro, std::string("Intro,\nmore."));
        QCOMPARE(read->steps.size(), std::size_t{1});
        QCOMPARE(read->steps[0].text, std::string("Words.\n\n```\n## no step\n```"));
        QCOMPARE(read->steps[0].change, std::string("this,\nand that."));
        QCOMPARE(read->steps[0].look, std::string("here."));
        QVERIFY((read->steps[0].goals == std::vector<std::string>{"a", "b"}));
        QCOMPARE(read->goals.at("b"), std::string("Two: three."));
    }

    void saysWhatATextLacks_data() {
        QTest::addColumn<QString>("markdown");
        QTest::addColumn<QString>("said");
        QTest::newRow("empty") << "" << "no title";
        QTest::newRow("no step") << "# T\nwords\n" << "no step";
        QTest::newRow("words first") << "words\n# T\n" << "t.md:1: text in front of the title";
        QTest::newRow("step first") << "## S\n# T\n" << "t.md:1: a step before the title";
        QTest::newRow("two titles") << "# T\n# U\n" << "t.md:2: a second title";
        QTest::newRow("unknown part") << "# T\n## S\n## @gaols\n" << "t.md:3: there is no part @gaols";
        QTest::newRow("no sentence") << "# T\n## S\n## @goals\nsectors\n" << "t.md:4: expected `- id: a sentence`";
        QTest::newRow("twice") << "# T\n## S\n## @goals\n- a: x\n- a: y\n" << "t.md:5: a stands here twice";
        QTest::newRow("open fence") << "# T\n## S\n```\ncode\n" << "a code block that does not end";
    }
    void saysWhatATextLacks() {
        QFETCH(QString, markdown);
        QFETCH(QString, said);
        const auto read = readLessonText(markdown.toStdString(), "t.md");
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(read.error().message).contains(said), read.error().message.c_str());
    }

    void saysWhatALessonLacks_data() {
        QTest::addColumn<QString>("changed");
        QTest::addColumn<QString>("into");
        QTest::addColumn<QString>("said");
        QTest::newRow("nothing") << "" << "" << "";
        QTest::newRow("newer") << "\"schema\": 1" << "\"schema\": 2" << "schema 2 is newer";
        QTest::newRow("unknown key") << "\"name\"" << "\"nmae\"" << "nmae";
        QTest::newRow("missing file") << "t.txt" << "u.txt" << "u.txt";
        QTest::newRow("outside") << "s.txt" << "../s.txt"
                                 << "start: expected the name of a file in the lesson's folder";
        QTest::newRow("no English") << "\"en\": " << "\"de\": " << "English";
        QTest::newRow("no answer") << "[\"a\"]" << "[]" << "a question without a right answer";
        QTest::newRow("goal with questions")
            << "\"questions\"" << "\"goals\": [{\"id\": \"g\", \"holds\": \"1\"}], \"questions\""
            << "a kernel and goals, or questions";
        QTest::newRow("unknown metric") << "\"questions\""
                                        << "\"goals\": [{\"id\": \"g\", \"holds\": \"sektors > 1\"}], \"questions\""
                                        << "sektors";
        QTest::newRow("two kinds")
            << "\"questions\""
            << "\"goals\": [{\"id\": \"g\", \"holds\": \"1\", \"uses\": [\"mma\"]}], \"questions\""
            << "one of holds, uses and avoids";
        QTest::newRow("no instruction") << "\"questions\""
                                        << "\"goals\": [{\"id\": \"g\", \"uses\": [\"shuffle\"]}], \"questions\""
                                        << "\"shuffle\" is no instruction";
        QTest::newRow("correct") << "\"questions\""
                                 << "\"goals\": [{\"id\": \"correct\", \"uses\": [\"mma\"]}], \"questions\""
                                 << "is there by itself";
        QTest::newRow("limits") << "\"questions\"" << "\"limits\": {\"seconds\": 0}, \"questions\""
                                << "a number above 0";
        QTest::newRow("question without text") << "\"id\": \"q\"" << "\"id\": \"r\"" << "the question r has no text";
    }
    void saysWhatALessonLacks() {
        QFETCH(QString, changed);
        QFETCH(QString, into);
        QFETCH(QString, said);
        const QTemporaryDir folder;
        write(folder, "s.txt", "q:\n");
        write(folder, "t.txt", "q: a\n");
        write(folder, "en.md", text);
        write(folder, "lesson.json", changed.isEmpty() ? json : QString(json).replace(changed, into));
        const auto loaded = loadLesson(folder.path().toStdString());
        const QString message = loaded ? QString() : QString::fromStdString(loaded.error().message);
        if (said.isEmpty())
            QVERIFY2(loaded, qPrintable(message));
        else
            QVERIFY2(message.contains(said), qPrintable(message));
    }

    void namesTheNearest() {
        const auto found = findLesson("coalesing", root);
        QVERIFY(!found);
        QVERIFY2(found.error().hint.find("coalescing") != std::string::npos, found.error().hint.c_str());
        QVERIFY(findLesson("divergence", root));
        QVERIFY(findLesson((root / "divergence").string(), root));
    }

    void instructionsByTheirModifiers() {
        const std::string ptx =
            ".version 7.8\n.target sm_80\n.address_size 64\n.shared .b32 s;\n.visible .entry k()\n{\n"
            ".reg .b32 %r;\nld.shared.u32 %r, [s];\nst.volatile.shared.u32 [s], %r;\n"
            "ld.shared::cta.u32 %r, [s];\nret;\n}\n";
        QVERIFY((linesWith(ptx, "ld.shared") == std::vector<std::uint32_t>{8, 10}));
        QVERIFY((linesWith(ptx, "st.shared") == std::vector<std::uint32_t>{9}));
        QVERIFY((linesWith(ptx, "st") == std::vector<std::uint32_t>{9}));
        QVERIFY(linesWith(ptx, "ld.global").empty());
        QVERIFY(linesWith(ptx, "ld.share").empty());
    }
};

QTEST_APPLESS_MAIN(LessonTest)
#include "lesson_test.moc"

// `ptxwb lesson` and `ptxwb grade` through the program: every lesson's solution passes and its start does not.
#include "program.h"
#include "schema_check.h"

#include <QtTest>

using namespace ptxwb::test;
using nlohmann::json;

namespace {
const std::string lessons = PTXWB_SOURCE_DIR "/resources/lessons/";

std::string textOf(const std::string& file) {
    return ptxwb::readFile(file).value();
}
} // namespace

class LessonCommandTest : public QObject {
    Q_OBJECT

private slots:
    void listsAndShows() {
        const Program program;
        const Answer list = program.run({"lesson", "list", "--json"});
        QCOMPARE(list.status, 0);
        QCOMPARE(QString::fromStdString(mismatch("lesson_list", list.json())), QString());
        QCOMPARE(list.json().at("lessons").size(), std::size_t{8});
        const Answer show =
            program.run({"lesson", "show", "coalescing", "--language", "de", "-o", "mine.ptx", "--json"});
        QVERIFY2(show.status == 0, describe(show));
        QCOMPARE(QString::fromStdString(mismatch("lesson_show", show.json())), QString());
        QVERIFY(show.json().at("title").get<std::string>().starts_with("Zusammen"));
        QCOMPARE(textOf((program.folder() / "mine.ptx").string()), textOf(lessons + "coalescing/start.ptx"));
        const Answer words = program.run({"lesson", "show", "reading_sass"});
        QVERIFY2(words.output.find("LDG.E R2") != std::string::npos, describe(words));
    }

    void everyLesson_data() {
        QTest::addColumn<QString>("name");
        const json list = Program().run({"lesson", "list", "--json"}).json();
        for (const json& one : list.at("lessons"))
            QTest::newRow(one.at("name").get<std::string>().c_str()) << QString::fromStdString(one.at("name"));
    }
    void everyLesson() {
        QFETCH(QString, name);
        const std::string folder = lessons + name.toStdString() + '/';
        const json spec = json::parse(textOf(folder + "lesson.json"));
        QCOMPARE(QString::fromStdString(mismatch("lesson", spec)), QString());
        const Program program;
        const Answer solution = program.run(
            {"lesson", "check", name.toStdString(), folder + spec.at("solution").get<std::string>(), "--json"});
        QVERIFY2(solution.status == 0, describe(solution));
        QCOMPARE(QString::fromStdString(mismatch("lesson_check", solution.json())), QString());
        const Answer start =
            program.run({"lesson", "check", name.toStdString(), folder + spec.at("start").get<std::string>()});
        QVERIFY2(start.status == 1, describe(start));
        QVERIFY2(start.output.find("MISSED") != std::string::npos, describe(start));
    }

    void aClass() {
        const Program program;
        std::filesystem::create_directories(program.folder() / "class/ada");
        program.write("class/ada/mine.ptx", textOf(lessons + "divergence/solution.ptx"));
        program.write("class/bob.ptx", "// copied\n" + textOf(lessons + "divergence/solution.ptx"));
        program.write("class/carl.ptx", "no PTX at all\n");
        program.write("more.json", R"({"n": [77]})");
        const Answer csv =
            program.run({"grade", "divergence", "class", "--csv", "--seed", "5", "--sizes", "more.json"});
        QVERIFY2(csv.status == 1, describe(csv));
        QVERIFY2(csv.output.starts_with("file,result,problem,correct,together,lanes,message,duplicate_of"),
                 describe(csv));
        QVERIFY2(csv.output.find("\r\nbob.ptx,passed,,met,met,met,,ada/mine.ptx,solution,") != std::string::npos,
                 describe(csv));
        QVERIFY2(csv.output.find("\r\ncarl.ptx,failed,,missed,") != std::string::npos, describe(csv));
        QVERIFY2(csv.errors.find("seed 5") != std::string::npos, describe(csv));
        const Answer value = program.run({"grade", "divergence", "class", "--json", "--seed", "5"});
        QCOMPARE(QString::fromStdString(mismatch("grade", value.json())), QString());
        QCOMPARE(value.json().at("submissions").size(), std::size_t{3});
    }

    void saysWhatIsWrong() {
        const Program program;
        QCOMPARE(program.run({"lesson", "check", "coalesing", "x.ptx"}).status, 2);
        const Answer missing = program.run({"lesson", "check", "coalescing", "x.ptx"});
        QVERIFY2(missing.status == 2 && missing.errors.find("x.ptx") != std::string::npos, describe(missing));
        QCOMPARE(program.run({"grade", "coalescing", "nowhere"}).status, 2);
        QCOMPARE(program.run({"grade", "coalescing", ".", "--csv", "--json"}).status, 2);
        program.write("m.json", R"({"cols": [4], "k": [1]})");
        program.write("a.ptx", "x");
        const Answer symbol = program.run({"grade", "coalescing", ".", "--sizes", "m.json"});
        QVERIFY2(symbol.status == 2 && symbol.errors.find("no symbol k") != std::string::npos, describe(symbol));
        QCOMPARE(program.run({"lesson"}).status, 2);
        // A worker that dies with each submission stops nothing.
        program.write("b.ptx", textOf(lessons + "divergence/solution.ptx"));
        const Answer dead = program.run({"grade", "divergence", ".", "--csv", "--worker", "/bin/echo no worker"});
        QVERIFY2(dead.status == 1 || dead.status == 3 || dead.status == 4, describe(dead));
    }
};

QTEST_APPLESS_MAIN(LessonCommandTest)
#include "lesson.moc"

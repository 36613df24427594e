// What goes wrong with a command line, a spec or a file: exit status, text and JSON. The stories are in
// tests/data/cli/errors.json.
#include "program.h"
#include "schema_check.h"

#include <QtTest>
#include <fstream>

using namespace ptxwb::test;
using nlohmann::json;

namespace {

json readStories() {
    std::ifstream file(PTXWB_SOURCE_DIR "/tests/data/cli/errors.json");
    return json::parse(file);
}

} // namespace

class ErrorsTest : public QObject {
    Q_OBJECT

private slots:
    void stories_data() {
        QTest::addColumn<QString>("story");
        const json all = readStories(); // outlives the loop
        for (const json& story : all)
            QTest::newRow(story.at("name").get<std::string>().c_str()) << QString::fromStdString(story.dump());
    }
    void stories() {
        QFETCH(QString, story);
        const json told = json::parse(story.toStdString());
        Program program;
        if (const auto files = told.find("files"); files != told.end())
            for (const auto& [name, text] : files->items())
                program.write(name, text.is_string() ? text.get<std::string>() : text.dump());
        auto arguments = told.at("arguments").get<std::vector<std::string>>();

        const Answer human = program.run(arguments);
        QVERIFY2(human.status == told.at("status").get<int>(), describe(human));
        for (const std::string& text : told.at("says").get<std::vector<std::string>>())
            QVERIFY2((human.errors + human.output).find(text) != std::string::npos,
                     "misses: " + QByteArray::fromStdString(text) + "\n" + describe(human));

        arguments.push_back("--json");
        const Answer machine = program.run(arguments);
        QVERIFY2(machine.status == told.at("status").get<int>(), describe(machine));
        const json value = machine.json();
        QVERIFY2(value.is_object(), describe(machine));
        const std::string schema = told.value("schema", "error");
        const std::string reasons = mismatch(schema, value);
        QVERIFY2(reasons.empty(), reasons.c_str());
        if (schema == "error") QCOMPARE(value.at("status").get<int>(), told.at("status").get<int>());
    }
};

QTEST_APPLESS_MAIN(ErrorsTest)
#include "errors.moc"

// The JSON report fits its schema, whatever the session holds.
#include "report/json.h"
#include "reports.h"
#include "schema_check.h"

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

/// As a reader gets it.
nlohmann::json written(const session::Session& session) {
    const auto value = report::toJson(report::makeReport(session, "0.1.0"));
    return nlohmann::json::parse(value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

} // namespace

class JsonTest : public QObject {
    Q_OBJECT

private slots:
    void fitsTheSchema_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"saxpy", "reduce", "sgemm_tiled"}) QTest::newRow(name) << name;
    }
    void fitsTheSchema() {
        QFETCH(QString, name);
        const session::Session session = recorded(name.toStdString());
        const auto value = written(session);
        QCOMPARE(QString::fromStdString(mismatch("report", value)), QString());
        QCOMPARE(value.at("candidates").size(), session.candidates.size() + 1);
        QVERIFY(value.at("candidates")[0].at("comparison").is_null());
        QVERIFY(value.at("candidates")[1].at("comparison").at("counts").is_object());
        QVERIFY(written(session) == value);
    }

    void withAndWithoutResults() {
        QCOMPARE(QString::fromStdString(mismatch("report", written(example("saxpy")))), QString());
        session::Session session;
        QCOMPARE(QString::fromStdString(mismatch("report", written(session))), QString());
        session = example("saxpy");
        judged(session, session.candidates.front(), fullResult());
        const auto value = written(session);
        QCOMPARE(QString::fromStdString(mismatch("report", value)), QString());
        const auto& candidate = value.at("candidates")[1];
        QVERIFY(candidate.at("standing") == "fail");
        bool found = false;
        for (const auto& line : candidate.at("excerpts").at(0).at("lines"))
            found |= line.at("role") == "found" && line.at("line") == 21;
        QVERIFY(found);
        session.candidates.front().text += "// edited\n";
        QVERIFY2(written(session).at("candidates")[1].at("excerpts").empty(), "lines of another text");
    }
};

QTEST_APPLESS_MAIN(JsonTest)
#include "json_test.moc"

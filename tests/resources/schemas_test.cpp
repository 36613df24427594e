// Every format's examples: valid-*.json must fit its schema, invalid-*.json must not, and for the reason that
// reasons.json names. PTXWB_UPDATE=1 writes reasons.json anew; its diff is the review.
#include "schema_check.h"

#include <QDir>
#include <QTest>
#include <nlohmann/json.hpp>

using ptxwb::test::mismatch;

namespace {

const QString examples = QStringLiteral(PTXWB_SOURCE_DIR "/tests/data/schemas");
const QString reasonsFile = examples + "/reasons.json";

QByteArray contents(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read %s", qPrintable(path));
    return file.readAll();
}

nlohmann::json parsed(const QString& path) {
    return nlohmann::json::parse(contents(path).toStdString());
}

QStringList schemaNames() {
    QStringList names;
    for (const auto& file : QDir(PTXWB_SOURCE_DIR "/resources/schemas").entryList({"*.schema.json"})) {
        if (file != "common.schema.json") names += QString(file).remove(".schema.json");
    }
    return names;
}

/// Where a value may be one of several kinds, each kind says why not; the one that got furthest knows best.
QString deepest(const std::string& reasons) {
    QString best;
    for (const auto& line : QString::fromStdString(reasons).split('\n', Qt::SkipEmptyParts)) {
        const auto depth = [](const QString& text) { return text.section(": ", 0, 0).count('['); };
        if (best.isEmpty() || depth(line) > depth(best)) best = line;
    }
    return best;
}

} // namespace

class SchemasTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (qEnvironmentVariableIsSet("PTXWB_UPDATE"))
            m_reasons = nlohmann::json::object();
        else
            m_reasons = parsed(reasonsFile);
    }

    void everySchemaHasExamples_data() {
        QTest::addColumn<QString>("name");
        for (const auto& name : schemaNames()) QTest::newRow(qPrintable(name)) << name;
    }
    void everySchemaHasExamples() {
        QFETCH(QString, name);
        const QDir folder(examples + '/' + name);
        QVERIFY(!folder.entryList({"valid-*.json"}).isEmpty());
        QVERIFY(folder.entryList({"invalid-*.json"}).size() >= 2);
    }

    void example_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("file");
        for (const auto& name : schemaNames()) {
            for (const auto& file : QDir(examples + '/' + name).entryList({"*.json"}))
                QTest::newRow(qPrintable(name + '/' + file)) << name << file;
        }
    }
    void example() {
        QFETCH(QString, name);
        QFETCH(QString, file);
        const auto key = (name + '/' + file).toStdString();
        const auto reason = mismatch(name.toStdString(), parsed(examples + '/' + QString::fromStdString(key)));
        if (file.startsWith("valid-")) {
            QVERIFY2(reason.empty(), reason.c_str());
            return;
        }
        QVERIFY2(file.startsWith("invalid-"), "examples are named valid-*.json or invalid-*.json");
        QVERIFY2(!reason.empty(), "a file that must be refused fits the schema");
        qInfo("%s", reason.c_str());
        const auto line = deepest(reason);
        if (qEnvironmentVariableIsSet("PTXWB_UPDATE")) {
            m_reasons[key] = line.toStdString();
            return;
        }
        QVERIFY2(m_reasons.contains(key), "reasons.json has no line for this file: run with PTXWB_UPDATE=1");
        QCOMPARE(line, QString::fromStdString(m_reasons[key].get<std::string>()));
    }

    void bundledSpecs_data() {
        QTest::addColumn<QString>("file");
        QDir folder(PTXWB_SOURCE_DIR "/resources/examples");
        for (const auto& name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QTest::newRow(qPrintable(name)) << folder.filePath(name + '/' + name + ".kernel.json");
    }
    void bundledSpecs() {
        QFETCH(QString, file);
        const auto reason = mismatch("kernel", parsed(file));
        QVERIFY2(reason.empty(), reason.c_str());
    }

    void specOfTheReadme() {
        const auto readme = QString::fromUtf8(contents(QStringLiteral(PTXWB_SOURCE_DIR "/README.md")));
        const auto spec = readme.section("```json\n", 1, 1).section("```", 0, 0);
        QVERIFY(spec.startsWith('{'));
        const auto reason = mismatch("kernel", nlohmann::json::parse(spec.toStdString()));
        QVERIFY2(reason.empty(), reason.c_str());
    }

    void cleanupTestCase() {
        if (!qEnvironmentVariableIsSet("PTXWB_UPDATE")) return;
        QFile file(reasonsFile);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(m_reasons.dump(2)) + '\n');
    }

private:
    nlohmann::json m_reasons;
};

QTEST_APPLESS_MAIN(SchemasTest)
#include "schemas_test.moc"

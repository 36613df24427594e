// The bundled examples hold together: every file that a spec names exists, the recorded PTX belongs to the source that
// lies beside it, and ptxas says about each candidate what the example teaches.
#include <QCryptographicHash>
#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

namespace {

const QDir examples(QStringLiteral(PTXWB_SOURCE_DIR "/resources/examples"));

QByteArray contents(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read %s", qPrintable(path));
    return file.readAll();
}

nlohmann::json spec(const QString& name) {
    return nlohmann::json::parse(contents(examples.filePath(name + '/' + name + ".kernel.json")).toStdString());
}

QString text(const nlohmann::json& value) {
    return QString::fromStdString(value.get<std::string>());
}

QString ptxas() {
    const auto named = qEnvironmentVariable("PTXWB_PTXAS");
    if (!named.isEmpty()) return named;
    return QStandardPaths::findExecutable("ptxas",
                                          QStringList{"/usr/local/cuda/bin"} + qEnvironmentVariable("PATH").split(':'));
}

/// Empty where it assembles, else what ptxas wrote.
QString refusal(const QString& ptx, const QString& arch) {
    QTemporaryDir folder;
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(ptxas(), {"-arch=" + arch, "-o", folder.filePath("out.cubin"), ptx});
    if (!process.waitForFinished(60000)) return "ptxas did not end";
    const auto log = QString::fromUtf8(process.readAll());
    return process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0 ? QString() : log + ' ';
}

} // namespace

class ExamplesTest : public QObject {
    Q_OBJECT

    void addExamples() {
        QTest::addColumn<QString>("name");
        for (const auto& name : examples.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QTest::newRow(qPrintable(name)) << name;
    }
    void addCandidates() {
        QTest::addColumn<QString>("file");
        for (const auto& name : examples.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const auto described = spec(name);
            for (const auto& file : described["candidates"])
                QTest::newRow(qPrintable(name + '/' + text(file))) << examples.filePath(name + '/' + text(file));
        }
    }

private slots:
    void filesExist_data() { addExamples(); }
    void filesExist() {
        QFETCH(QString, name);
        const auto described = spec(name);
        QStringList files{text(described["source"]), text(described["baseline"]["ptx"]),
                          text(described["reference"]["file"]), "README.md"};
        for (const auto& file : described["candidates"]) files += text(file);
        for (const auto& file : files)
            QVERIFY2(QFile::exists(examples.filePath(name + '/' + file)), qPrintable(name + " lacks " + file));
        // And the other way round: a candidate that nobody names would never be verified.
        const QDir candidates(examples.filePath(name + "/candidates"));
        for (const auto& file : candidates.entryList({"*.ptx"}))
            QVERIFY2(files.contains("candidates/" + file), qPrintable(name + " does not name " + file));
    }

    void baselineBelongsToSource_data() { addExamples(); }
    void baselineBelongsToSource() {
        QFETCH(QString, name);
        const auto described = spec(name);
        const auto source = contents(examples.filePath(name + '/' + text(described["source"])));
        QCOMPARE(text(described["baseline"]["source_sha256"]),
                 QString(QCryptographicHash::hash(source, QCryptographicHash::Sha256).toHex()));
        const auto ptx =
            QString::fromUtf8(contents(examples.filePath(name + '/' + text(described["baseline"]["ptx"]))));
        QVERIFY(ptx.contains("V" + text(described["baseline"]["nvcc"])));
        QVERIFY(ptx.contains(".visible .entry " + text(described["entry"]) + "("));
        QVERIFY(ptx.contains(".loc\t1 "));
        // Paths of the machine that compiled it would differ everywhere else.
        static const QRegularExpression filePath("\\.file\\s+\\d+\\s+\"[^\"]*/");
        QVERIFY2(!filePath.match(ptx).hasMatch(), "a .file with a folder in it: make it with rebuild.sh");
    }

    void candidateSaysWhatItIs_data() { addCandidates(); }
    void candidateSaysWhatItIs() {
        QFETCH(QString, file);
        const auto lines = QString::fromUtf8(contents(file)).split('\n');
        QVERIFY(lines[0].startsWith("//@ title "));
        // "nvcc, edited": made from the CUDA file of the same name, or from another candidate that was.
        QVERIFY2(lines[1] == "//@ origin hand" || lines[1] == "//@ origin nvcc, edited", qPrintable(lines[1]));
        for (const auto& line : lines) {
            QVERIFY2(line.size() <= 120, qPrintable(line));
            if (line.startsWith("//@ launch ")) {
                const auto launch = nlohmann::json::parse(line.mid(11).toStdString());
                QCOMPARE(launch.size(), std::size_t{launch.contains("shared_bytes") ? 3U : 2U});
                QCOMPARE(launch["grid"].size(), std::size_t{3});
                QCOMPARE(launch["block"].size(), std::size_t{3});
            }
        }
    }

    /// The README's row of each candidate says what `ptxwb verify` is expected to say (tests/cli runs it).
    void readmeTellsTheVerdicts_data() { addExamples(); }
    void readmeTellsTheVerdicts() {
        QFETCH(QString, name);
        const auto all = nlohmann::json::parse(
            contents(QStringLiteral(PTXWB_SOURCE_DIR "/tests/data/cli/examples.json")).toStdString());
        QVERIFY2(all.contains(name.toStdString()), "tests/data/cli/examples.json says nothing about this example");
        const auto wanted = all[name.toStdString()];
        const auto readme = QString::fromUtf8(contents(examples.filePath(name + "/README.md")));
        const auto described = spec(name);
        int right = 0, wrong = 0;
        for (const auto& file : described["candidates"]) {
            const auto candidate = text(file).section('/', 1).chopped(4);
            QVERIFY2(wanted.contains(candidate.toStdString()), qPrintable(candidate));
            const auto want = wanted[candidate.toStdString()];
            const auto row = readme.section("| `" + candidate + ".ptx` |", 1, 1).section('\n', 0, 0);
            const auto verdict = row.section('|', -2, -2).trimmed();
            if (want["verdict"] == "pass") {
                ++right;
                QCOMPARE(verdict, "pass");
                continue;
            }
            ++wrong;
            QVERIFY2(verdict.startsWith("fail"), qPrintable(candidate + ": " + row));
            const auto stage = text(want["stage"]), kind = text(want["kind"]);
            if (stage == "parse") continue; // what ptxas says is in the README's words
            QVERIFY2(verdict.contains('`' + kind + '`'), qPrintable(candidate + " fails by " + kind + ": " + row));
        }
        // saxpy is the smallest first example, with one right candidate.
        QVERIFY2(contents(examples.filePath("README.md")).contains(("](" + name + "/README.md)").toUtf8()),
                 "resources/examples/README.md does not list this example");
        QVERIFY2(right >= (name == "saxpy" ? 1 : 2) && wrong >= 2,
                 qPrintable(QString("%1 right, %2 wrong").arg(right).arg(wrong)));
    }

    void assembles_data() { addCandidates(); }
    void assembles() {
        QFETCH(QString, file);
        if (ptxas().isEmpty()) QSKIP("no ptxas on this machine");
        static const std::map<QString, QString> expected = {
            {"saxpy", "Rounding modifier required for instruction 'fma'"},
            {"reduce", "Unknown symbol '%f8'"},
            {"sgemm_tiled", "Arguments mismatch for instruction 'add'"},
        };
        const auto ptx = QString::fromUtf8(contents(file));
        const QStringList archs =
            ptx.contains("\n.target sm_80")    ? QStringList{"sm_80", "sm_90"}
            : ptx.contains("\n.target sm_90a") ? QStringList{"sm_90a"}
                                               : QStringList{"sm_90"};
        for (const auto& arch : archs) {
            const auto log = refusal(file, arch);
            if (!file.endsWith("/does_not_assemble.ptx")) {
                QVERIFY2(log.isEmpty(), qPrintable(log));
                continue;
            }
            const auto example = QFileInfo(file).dir().path().section('/', -2, -2);
            QVERIFY2(log.contains(expected.at(example)), qPrintable(log));
        }
    }

    void candidateOfTheReadmeAssembles() {
        if (ptxas().isEmpty()) QSKIP("no ptxas on this machine");
        const auto readme = QString::fromUtf8(contents(QStringLiteral(PTXWB_SOURCE_DIR "/README.md")));
        const auto ptx = readme.section("```\n//@ title", 1, 1).section("```", 0, 0);
        QVERIFY(ptx.contains(".entry leaky_relu("));
        QTemporaryDir folder;
        QFile file(folder.filePath("max.ptx"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("//@ title" + ptx.toUtf8());
        file.close();
        const auto log = refusal(file.fileName(), "sm_90");
        QVERIFY2(log.isEmpty(), qPrintable(log));
    }

    void baselineAssembles_data() { addExamples(); }
    void baselineAssembles() {
        QFETCH(QString, name);
        if (ptxas().isEmpty()) QSKIP("no ptxas on this machine");
        const auto described = spec(name);
        const auto log =
            refusal(examples.filePath(name + '/' + text(described["baseline"]["ptx"])), text(described["arch"]));
        QVERIFY2(log.isEmpty(), qPrintable(log));
    }
};

QTEST_APPLESS_MAIN(ExamplesTest)
#include "examples_test.moc"

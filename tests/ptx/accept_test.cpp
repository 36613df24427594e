// Statements and declarations with ptxas's verdict: `+` taken, `-` refused. Ours must be the same, and where a ptxas is
// installed it is asked again, so that a newer one shows what changed.
#include "ptx/check.h"
#include "test_data.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace ptxwb;
using namespace ptxwb::ptx;

class AcceptTest : public QObject {
    Q_OBJECT

    std::string m_head;
    QString m_ptxas;

    std::string wrapped(const std::string& file, const std::string& row) const {
        constexpr std::string_view mark = "@BODY@\n";
        const std::size_t at = m_head.find(mark);
        if (file == "body.txt") return m_head.substr(0, at) + row + "\n" + m_head.substr(at + mark.size());
        return m_head.substr(0, at) + m_head.substr(at + mark.size()) + row + "\n";
    }

    static void addRows() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("row");
        QTest::addColumn<bool>("taken");
        for (const char* file : {"body.txt", "module.txt"}) {
            std::istringstream lines(readText(dataFolder() / "accept" / file));
            for (std::string line; std::getline(lines, line);) {
                QVERIFY(line.size() > 2 && (line[0] == '+' || line[0] == '-'));
                QTest::newRow(line.c_str())
                    << QString(file) << QString::fromStdString(line.substr(2)) << (line[0] == '+');
            }
        }
    }

private slots:
    void initTestCase() {
        m_head = readText(dataFolder() / "accept/head.ptx");
        QVERIFY(m_head.find("@BODY@") != std::string::npos);
        m_ptxas = QStandardPaths::findExecutable("ptxas");
        if (m_ptxas.isEmpty()) m_ptxas = QStandardPaths::findExecutable("ptxas", {"/usr/local/cuda/bin"});
    }

    void ours_data() { addRows(); }
    void ours() {
        QFETCH(QString, file);
        QFETCH(QString, row);
        QFETCH(bool, taken);
        const auto module = parse(wrapped(file.toStdString(), row.toStdString()), "row.ptx");
        const auto diagnostics = check(*module);
        const std::string all = formatAll(*module, diagnostics);
        QVERIFY2(hasErrors(diagnostics) != taken, all.empty() ? "no error was reported" : all.c_str());
    }

    void ptxas_data() { addRows(); }
    void ptxas() {
        QFETCH(QString, file);
        QFETCH(QString, row);
        QFETCH(bool, taken);
        if (m_ptxas.isEmpty()) QSKIP("no ptxas on this machine");
        QTemporaryDir folder;
        const QString path = folder.filePath("row.ptx");
        std::ofstream(path.toStdString()) << wrapped(file.toStdString(), row.toStdString());
        QProcess process;
        process.start(m_ptxas, {"-arch=compute_90a", path, "-o", folder.filePath("row.o")});
        QVERIFY(process.waitForFinished());
        const QByteArray said = process.readAllStandardError() + process.readAllStandardOutput();
        QVERIFY2((process.exitCode() == 0) == taken, said.constData());
    }
};

QTEST_APPLESS_MAIN(AcceptTest)
#include "accept_test.moc"

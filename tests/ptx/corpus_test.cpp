// What nvcc makes of the kernels in tests/data/ptx/corpus, for targets from sm_75 to sm_121: it parses and checks with
// no error, the text is kept to the byte, and no statement of it is missing in the tree. What nvcc answered is kept in
// the build folder.
//
// Each file is compiled for one target, another one for each file; PTXWB_CORPUS_ALL=1 takes all targets.
#include "ptx/check.h"
#include "ptx/lexer.h"
#include "test_data.h"

#include <QCryptographicHash>
#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QStandardPaths>

#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::ptx;

namespace {

constexpr const char* targets[] = {"sm_75",   "sm_80",  "sm_86",  "sm_89",  "sm_90",   "sm_90a", "sm_100",
                                   "sm_100a", "sm_103", "sm_110", "sm_120", "sm_120a", "sm_121"};
constexpr qint64 longestMs = 100'000; ///< no compilation is begun after this

/// The number in "sm_90a".
int number(std::string_view target) {
    return std::atoi(std::string(target.substr(3)).c_str());
}

/// Targets that the first line of the file allows: "// at least sm_80", "// only sm_90a".
std::vector<std::string> allowed(const std::string& source) {
    const std::string line = source.substr(0, source.find('\n'));
    if (const auto at = line.find("only "); at != std::string::npos) return {line.substr(at + 5)};
    const auto at = line.find("at least ");
    std::vector<std::string> all;
    for (const char* target : targets)
        if (at == std::string::npos || number(target) >= number(line.substr(at + 9))) all.push_back(target);
    return all;
}

/// The first line of a body that begins with a word or a guard and lies in no instruction; empty where there is none.
QString firstMissing(const Module& module) {
    for (const Function& function : module.functions) {
        const std::string_view body = module.textOf(function.bodySpan);
        Lexer lexer(body);
        std::size_t next = 0;
        for (Token token = lexer.next(); token.kind != TokenKind::end;) {
            const Token after = lexer.next();
            const bool begins = token.startsLine && (token.is('@') || token.kind == TokenKind::word) && !after.is(':');
            const std::uint32_t at = function.bodySpan.offset + token.offset;
            token = after;
            if (!begins) continue;
            const auto& all = function.instructions;
            while (next < all.size() && all[next].span.end() <= at) ++next;
            if (next < all.size() && all[next].span.offset <= at) continue;
            return QString("line %1: %2")
                .arg(module.lineOf(at))
                .arg(QString::fromStdString(
                    std::string(module.textOf({at, std::min(60u, function.bodySpan.end() - at)}))));
        }
    }
    return {};
}

} // namespace

class CorpusTest : public QObject {
    Q_OBJECT

    QString m_nvcc;
    QByteArray m_version;
    QElapsedTimer m_clock;

private slots:
    void initTestCase() {
        m_clock.start();
        m_nvcc = QStandardPaths::findExecutable("nvcc");
        if (m_nvcc.isEmpty()) m_nvcc = QStandardPaths::findExecutable("nvcc", {"/usr/local/cuda/bin"});
        if (m_nvcc.isEmpty()) QSKIP("no nvcc on this machine: nothing makes the PTX to read");
        QProcess process;
        process.start(m_nvcc, {"--version"});
        QVERIFY(process.waitForFinished());
        m_version = process.readAll();
    }

    void reads_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("target");
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(dataFolder() / "corpus")) files.push_back(entry);
        std::sort(files.begin(), files.end());
        for (std::size_t i = 0; i < files.size(); ++i) {
            std::vector<std::string> all = allowed(readText(files[i]));
            if (!qEnvironmentVariableIsSet("PTXWB_CORPUS_ALL")) all = {all[i % all.size()]};
            for (const std::string& target : all)
                QTest::addRow("%s %s", files[i].filename().c_str(), target.c_str())
                    << QString::fromStdString(files[i].string()) << QString::fromStdString(target);
        }
    }

    void reads() {
        QFETCH(QString, path);
        QFETCH(QString, target);
        const std::string source = readText(path.toStdString());
        QCryptographicHash hash(QCryptographicHash::Sha256);
        hash.addData(m_version + target.toUtf8() + QByteArray::fromStdString(source));
        const QString folder = QString(PTXWB_BINARY_DIR) + "/corpus";
        QVERIFY(QDir().mkpath(folder));
        const QString kept = folder + "/" + QString::fromLatin1(hash.result().toHex().left(32)) + ".ptx";
        if (!QFile::exists(kept)) {
            if (m_clock.elapsed() > longestMs && !qEnvironmentVariableIsSet("PTXWB_CORPUS_ALL"))
                QSKIP("the time for compiling is used up; the next run goes on from here");
            QProcess process;
            process.setProcessChannelMode(QProcess::MergedChannels);
            process.start(m_nvcc, {"-std=c++17", "-w", "-ptx", "-arch=" + target, path, "-o", kept + ".part"});
            QVERIFY(process.waitForFinished(280'000));
            QVERIFY2(process.exitCode() == 0, process.readAll().constData());
            QVERIFY(QFile::rename(kept + ".part", kept));
        }
        const std::string text = readText(kept.toStdString());
        const auto module = parse(text, "corpus.ptx");
        QVERIFY(!module->entries().empty());
        QVERIFY(*module->text == text);
        QCOMPARE(firstMissing(*module), QString());
        const auto diagnostics = check(*module);
        std::string errors;
        for (const Diagnostic& d : diagnostics)
            if (d.severity == Severity::error) errors += format(d, text);
        QVERIFY2(errors.empty(), errors.c_str());
    }
};

QTEST_APPLESS_MAIN(CorpusTest)
#include "corpus_test.moc"

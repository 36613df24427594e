// `ptxwb check` over good, bad, hostile and huge files.
#include "program.h"
#include "schema_check.h"

#include <QtTest>
#include <fstream>
#include <random>

using namespace ptxwb::test;
namespace fs = std::filesystem;

namespace {

const std::string small = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
                          "\t.reg .b32 %r<4>;\n\tmov.u32 %r1, 5;\n\tadd.s32 %r2, %r1, 1;\n\tret;\n}\n";

std::string randomBytes(std::size_t count) {
    std::mt19937_64 random(20240601);
    std::string bytes(count, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    return bytes;
}

} // namespace

class CheckTest : public QObject {
    Q_OBJECT

private slots:
    void goodFilesPass_data() {
        QTest::addColumn<QString>("file");
        for (const char* name : {"saxpy/saxpy", "reduce/reduce", "sgemm_tiled/sgemm_tiled"})
            QTest::newRow(name) << QString(PTXWB_SOURCE_DIR "/resources/examples/%1.sm_90.ptx").arg(name);
    }
    void goodFilesPass() {
        QFETCH(QString, file);
        const Program program;
        const Answer answer = program.run({"check", file.toStdString(), "--json"});
        QVERIFY2(answer.status == 0, describe(answer));
        const auto value = answer.json();
        QCOMPARE(QString::fromStdString(mismatch("check", value)), QString());
        QCOMPARE(value.at("errors").get<int>(), 0);
        QCOMPARE(value.at("entries").size(), std::size_t{1});
    }

    void anErrorShowsItsLineAndCaret() {
        const Program program;
        std::string text = small;
        text.replace(text.find("%r2, %r1"), 3, "%q2");
        program.write("k.ptx", text);
        const Answer answer = program.run({"check", "k.ptx"});
        QVERIFY2(answer.status == 1, describe(answer));
        QVERIFY2(answer.output.starts_with("k.ptx:8:10: error: "), describe(answer));
        QVERIFY2(answer.output.find("    \tadd.s32 %q2, %r1, 1;\n    \t        ^^^\n") != std::string::npos,
                 describe(answer));
        QVERIFY2(answer.output.find("k.ptx: 1 error, ") != std::string::npos, describe(answer));
        const Answer json = program.run({"check", "k.ptx", "--json"});
        QCOMPARE(json.status, 1);
        QCOMPARE(QString::fromStdString(mismatch("check", json.json())), QString());
        QCOMPARE(json.json().at("errors").get<int>(), 1);
    }

    void rubbishIsAFailedFile_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("random bytes") << QByteArray::fromStdString(randomBytes(200'000));
        QTest::newRow("zeros") << QByteArray(100'000, '\0');
        QTest::newRow("an ELF file's head") << QByteArray("\x7f"
                                                          "ELF\x02\x01\x01",
                                                          7);
        QTest::newRow("open braces") << QByteArray(100'000, '{');
        QTest::newRow("one long line") << QByteArray(3'000'000, 'x');
    }
    void rubbishIsAFailedFile() {
        QFETCH(QByteArray, bytes);
        const Program program;
        program.write("noise.ptx", bytes.toStdString());
        const Answer answer = program.run({"check", "noise.ptx"});
        QVERIFY2(answer.status == 1, describe(answer));
        QVERIFY(answer.output.size() < 200'000);
        const Answer json = program.run({"check", "noise.ptx", "--json"});
        QCOMPARE(json.status, 1);
        QCOMPARE(QString::fromStdString(mismatch("check", json.json())), QString());
    }

    void aHundredMegabytes() {
        const Program program;
        std::string line = "\tadd.s32 %r2, %r1, 1; // the same again and again\n";
        const fs::path file = program.folder() / "big.ptx";
        {
            std::ofstream stream(file, std::ios::binary);
            const auto at = small.find("\tret;");
            stream << small.substr(0, at);
            std::string block;
            while (block.size() < 1 << 20) block += line;
            for (std::size_t written = 0; written < 100u << 20; written += block.size()) stream << block;
            stream << small.substr(at);
        }
        const Answer answer = program.run({"check", "big.ptx"});
        QVERIFY2(answer.status == 0, describe(answer));
        QVERIFY2(answer.output.find("big.ptx: 0 errors") != std::string::npos, describe(answer));
    }

    void overOneGibibyteIsRefused() {
        const Program program;
        const fs::path file = program.write("huge.ptx", "");
        fs::resize_file(file, (std::uint64_t{1} << 30) + 1); // sparse: takes no room
        const Answer answer = program.run({"check", "huge.ptx"});
        QVERIFY2(answer.status == 2, describe(answer));
        QVERIFY2(answer.errors.find("huge.ptx") != std::string::npos &&
                     answer.errors.find("1 GiB") != std::string::npos,
                 describe(answer));
    }
};

QTEST_APPLESS_MAIN(CheckTest)
#include "check.moc"

// Looks into PTX text.
#include "toolchain/ptx_text.h"

#include <QtTest>

using namespace ptxwb;
using namespace ptxwb::toolchain;

class PtxTextTest : public QObject {
    Q_OBJECT

private slots:
    void replacesOnlyInsideComments() {
        const std::string ptx =
            "// caf\xC3\xA9\n.file 1 \"\xC3\xA9 // \xC3\xA9\"\n/* \xC3\xA9\n \xC3\xA9 */ ret; \xC3\xA9\n";
        const auto ascii = asciiComments(ptx);
        QCOMPARE(ascii.text, std::string("// caf??\n.file 1 \"\xC3\xA9 // \xC3\xA9\"\n/* ??\n ?? */ ret; \xC3\xA9\n"));
        QCOMPARE(ascii.replaced, std::size_t{6});
        QCOMPARE(ascii.firstLine, 1U);
        QCOMPARE(ascii.text.size(), ptx.size());
        QCOMPARE(asciiComments("/*/ \xC3 */ \xC3").text, std::string("/*/ ? */ \xC3"));
        QCOMPARE(asciiComments("ret;").replaced, std::size_t{0});
    }

    void findsDirectives() {
        const std::string ptx = "// .version 1.0\n/*\n.version 2.0\n*/\n  .version 8.0 // x\n.target sm_90a, debug\r\n";
        QCOMPARE(directiveValue(ptx, ".version"), std::string("8.0"));
        QCOMPARE(findDirective(ptx, ".version"), (Place{"", 5, 12, 3}));
        QCOMPARE(directiveValue(ptx, ".target"), std::string("sm_90a, debug"));
        QCOMPARE(targetOf(ptx), std::string("sm_90a"));
        QCOMPARE(directiveValue(ptx, ".address_size"), std::string());
        QCOMPARE(findDirective("", ".version").line, 0U);
        QCOMPARE(withVersion("/*\n.version 2.0\n*/\n  .version 8.0 // x\n", "9.0"),
                 std::string("/*\n.version 2.0\n*/\n  .version 9.0 // x\n"));
        QCOMPARE(withVersion("ret;", "9.0"), std::string("ret;"));
    }

    void findsWords() {
        const std::string ptx = "// k\n.entry kk(.param .u64 k) .visible .entry\n  k()";
        QCOMPARE(findWord(ptx, ".entry", "k"), (Place{"", 3, 3, 1}));
        QCOMPARE(findWord(ptx, {}, "k"), (Place{"", 2, 23, 1}));
        QCOMPARE(findWord(ptx, {}, "none").line, 0U);
        QCOMPARE(placeInLine(ptx, 9, "x"), (Place{"", 9, 1, 0}));
    }

    void fileNames_data() {
        QTest::addColumn<QByteArray>("quoted");
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("octal") << QByteArray("/p/my k\\303\\251rnels (v2)/a b.cu")
                               << QByteArray("/p/my k\xC3\xA9rnels (v2)/a b.cu");
        QTest::newRow("quotes") << QByteArray("a\\\"b\\\\c") << QByteArray("a\"b\\c");
        QTest::newRow("digit behind") << QByteArray("\\3031")
                                      << QByteArray("\xC3"
                                                    "1");
    }
    void fileNames() {
        QFETCH(QByteArray, quoted);
        QFETCH(QByteArray, name);
        QCOMPARE(QByteArray::fromStdString(decodePtxFileName(quoted.toStdString())), name);
        QCOMPARE(QByteArray::fromStdString(encodePtxFileName(name.toStdString())), quoted);
    }

    void shortEscapesAreRead() {
        QCOMPARE(decodePtxFileName("a\\7"), std::string("a\a"));
        QCOMPARE(decodePtxFileName("a\\"), std::string("a\\"));
        QCOMPARE(decodePtxFileName("a\\12b"), std::string("a\nb"));
    }
};

QTEST_APPLESS_MAIN(PtxTextTest)
#include "ptx_text_test.moc"

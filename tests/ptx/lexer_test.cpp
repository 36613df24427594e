// Tokens and number literals.
#include "ptx/lexer.h"
#include "test_data.h"

#include <bit>

using namespace ptxwb::ptx;

namespace {

/// Each token as kind:text, with blanks between.
std::string tokens(std::string_view text) {
    static constexpr const char* kinds[] = {"end", "word", "directive", "integer", "real", "string", "mark", "bad"};
    Lexer lexer(text);
    std::string all;
    for (Token token = lexer.next(); token.kind != TokenKind::end; token = lexer.next()) {
        if (!all.empty()) all += ' ';
        all += std::string(kinds[static_cast<int>(token.kind)]) + ':' +
               std::string(text.substr(token.offset, token.length));
    }
    return all;
}

Token only(std::string_view text) {
    Lexer lexer(text);
    return lexer.next();
}

} // namespace

class LexerTest : public QObject {
    Q_OBJECT

private slots:
    void split_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* text, const char* expected) {
            QTest::newRow(text) << QString(text) << QString(expected);
        };
        row("add.s32 %r1, a$b, _;", "word:add directive:.s32 word:%r1 mark:, word:a$b mark:, word:_ mark:;");
        row("ld.shared::cta.L2::128B", "word:ld directive:.shared::cta directive:.L2::128B");
        row("cp.async.bulk.tensor.1d.x",
            "word:cp directive:.async directive:.bulk directive:.tensor directive:.1d directive:.x");
        row("tcgen05.ld.16x64b.x2", "word:tcgen05 directive:.ld directive:.16x64b directive:.x2");
        row("mov.f32 f, .5;", "word:mov directive:.f32 word:f mark:, real:.5 mark:;");
        row("mov.f32 f,.5;", "word:mov directive:.f32 word:f mark:, real:.5 mark:;");
        row("%tid.x+4", "word:%tid directive:.x mark:+ integer:4");
        row("$L__BB0_1: bra $L__BB0_1;", "word:$L__BB0_1 mark:: word:bra word:$L__BB0_1 mark:;");
        row("a::b", "word:a mark:: mark:: word:b");
        row("5%3 5 % 3", "integer:5 word:%3 integer:5 mark:% integer:3");
        row("a<<b>>c<=d>=e==f!=g&&h||i<j", "word:a mark:<< word:b mark:>> word:c mark:<= word:d mark:>= word:e mark:== "
                                           "word:f mark:!= word:g mark:&& word:h mark:|| word:i mark:< word:j");
        row("a // b\nc /* d\n e */ f", "word:a word:c word:f");
        row("\"a \\\" b\" c", "string:\"a \\\" b\" word:c");
        row("\"open\nc", "bad:\"open word:c");
        row("a /* open", "word:a bad:/*");
        row("a # b", "word:a bad:# word:b");
        row("a \xC3\xA9 b", "word:a bad:\xC3\xA9 word:b");
        row("1.f 12u 08 0b12 0x 0f3F 0d0 1e 12ab",
            "bad:1.f bad:12u bad:08 bad:0b12 bad:0x bad:0f3F bad:0d0 bad:1e bad:12ab");
        row("\r\n\t\v\f a", "word:a");
    }

    void split() {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(tokens(text.toStdString())), expected);
    }

    void integers_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<quint64>("value");
        QTest::addColumn<bool>("isUnsigned");
        const auto row = [](const char* text, quint64 value, bool isUnsigned) {
            QTest::newRow(text) << QString(text) << value << isUnsigned;
        };
        row("0", 0, false);
        row("017", 15, false);
        row("017U", 15, true);
        row("0b101", 5, false);
        row("0B11U", 3, true);
        row("0XfF", 255, false);
        row("12U", 12, true);
        row("9223372036854775807", 0x7FFFFFFFFFFFFFFFull, false);
        row("9223372036854775808", 0x8000000000000000ull, true);
        row("18446744073709551615", ~0ull, true);
    }

    void integers() {
        QFETCH(QString, text);
        QFETCH(quint64, value);
        QFETCH(bool, isUnsigned);
        const Token token = only(text.toStdString());
        QVERIFY(token.kind == TokenKind::integer);
        QVERIFY(!token.isTooLarge);
        QCOMPARE(token.value, value);
        QCOMPARE(token.isUnsigned, isUnsigned);
    }

    void reals_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<quint64>("bits");
        QTest::addColumn<int>("width");
        const auto row = [](const char* text, quint64 bits, int width) {
            QTest::newRow(text) << QString(text) << bits << width;
        };
        row("0f3F800000", 0x3F800000, 32);
        row("0FbF800000", 0xBF800000, 32);
        row("0d3FF0000000000000", 0x3FF0000000000000ull, 64);
        for (const double value : {1.5, 0.5, 1000.0, 0.005, 1.0})
            QTest::newRow(("value " + std::to_string(value)).c_str())
                << QString::number(value, 'e', 17) << std::bit_cast<quint64>(value) << 64;
        row(".5", std::bit_cast<quint64>(0.5), 64);
        row("1.", std::bit_cast<quint64>(1.0), 64);
        row("1.e3", std::bit_cast<quint64>(1000.0), 64);
        row("1e3", std::bit_cast<quint64>(1000.0), 64);
        row("08.5", std::bit_cast<quint64>(8.5), 64);
    }

    void reals() {
        QFETCH(QString, text);
        QFETCH(quint64, bits);
        QFETCH(int, width);
        const Token token = only(text.toStdString());
        QVERIFY(token.kind == TokenKind::real);
        QCOMPARE(token.value, bits);
        QCOMPARE(int(token.floatBits), width);
    }

    void tooLarge() {
        QVERIFY(only("18446744073709551616").isTooLarge);
        QVERIFY(only("0x10000000000000000").isTooLarge);
        QVERIFY(only("1e400").isTooLarge);
    }

    void placesOnTheLine() {
        Lexer lexer("a b\nc");
        QVERIFY(lexer.next().startsLine);
        QVERIFY(!lexer.next().startsLine);
        QVERIFY(lexer.next().startsLine);
        QVERIFY(lexer.next().kind == TokenKind::end);
        QVERIFY(lexer.next().kind == TokenKind::end); // again and again
    }
};

QTEST_APPLESS_MAIN(LexerTest)
#include "lexer_test.moc"

#include "editors/long_lines.h"

#include <QTest>

using namespace ptxwb::ui;

class LongLinesTest : public QObject {
    Q_OBJECT
private slots:
    void roundTrips_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("shortens");
        const QByteArray limit(longLineBytes, 'a'), over(longLineBytes + 1, 'b');
        QTest::newRow("empty") << QByteArray() << false;
        QTest::newRow("short lines") << QByteArray("a\n\nb") << false;
        QTest::newRow("at the limit") << limit + "\nx" << false;
        QTest::newRow("over it") << over + "\nx\n" << true;
        QTest::newRow("the last line") << "x\n" + over << true;
        QTest::newRow("two alike") << over + "\n" + over + "\n" << true;
        QTest::newRow("carriage returns") << over + "\r\nx\r\n" + over + "\r\n" << true;
        QTest::newRow("zero bytes") << QByteArray(9000, '\0') + "\n" << true;
        QTest::newRow("characters of three bytes") << QByteArray("\u2195").repeated(4000) + "\n" << true;
        QTest::newRow("no UTF-8") << QByteArray(9000, '\xff') + "\n" << true;
    }

    void roundTrips() {
        QFETCH(QByteArray, text);
        LongLines lines;
        const QByteArray shown = lines.shorten(text);
        QTEST(shown != text, "shortens");
        QCOMPARE(lines.restore(shown), text);
        for (const QByteArray& line : shown.split('\n')) QVERIFY(line.size() <= qsizetype(longLineBytes));
        QCOMPARE(shown.count('\n'), text.count('\n'));
    }

    void aShortenedLineSaysSo() {
        LongLines lines;
        const QByteArray shown = lines.shorten(QByteArray(3'000'000, 'x'));
        QVERIFY2(shown.contains("3000000 bytes, kept whole, cannot be edited here"), shown.constData());
        QVERIFY(looksShortened({shown.constData(), std::size_t(shown.size())}));
        QVERIFY(!looksShortened("mov.u32 %r1, %r2; // , kept whole, cannot be edited here]"));
    }

    void movedAndDoubledLinesAreFoundAgain() {
        LongLines lines;
        const QByteArray first(9000, 'a'), second(9001, 'a');
        const QByteArray joined = "x" + lines.shorten(first) + "y";
        QCOMPARE(lines.restore(joined), "x" + first + "y");
        lines.clear();
        const QList<QByteArray> shown = lines.shorten(first + '\n' + second).split('\n');
        QCOMPARE(lines.restore(shown[1] + '\n' + shown[0] + '\n' + shown[1]), second + '\n' + first + '\n' + second);
    }
};

QTEST_APPLESS_MAIN(LongLinesTest)
#include "long_lines_test.moc"

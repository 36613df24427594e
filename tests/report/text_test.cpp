// Texts made harmless for HTML, Markdown and a shell.
#include "report/text.h"

#include <QProcess>
#include <QTest>

using namespace ptxwb::report;

class TextTest : public QObject {
    Q_OBJECT

private slots:
    void visible_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char* name, const char* text, const char* shown) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(shown);
        };
        row("plain", "a\tb\nc", "a\tb\nc");
        row("ends of lines", "a\r\nb\rc", "a\nb\\u{000D}c");
        row("umlaut", "\xC3\xA4", "\xC3\xA4");
        row("half a character", "\xC3", "\xEF\xBF\xBD");
        row("too long a form", "\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD");
        row("surrogate", "\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
        row("control", "\x01\x7F\x1B[1m", "\\u{0001}\\u{007F}\\u{001B}[1m");
        row("turned", "\xE2\x80\xAE", "\\u{202E}");
        row("no character", "\xEF\xBF\xBF", "\\u{FFFF}");
        row("beyond the plane", "\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80");
    }
    void visible() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, shown);
        QCOMPARE(QByteArray::fromStdString(ptxwb::report::visible(text.toStdString())), shown);
    }

    void escaped() { QCOMPARE(html("<a b=\"'\">&"), std::string("&lt;a b=&quot;&#39;&quot;&gt;&amp;")); }

    void spans() {
        QCOMPARE(codeSpan("a"), std::string("`a`"));
        QCOMPARE(codeSpan(""), std::string());
        QCOMPARE(codeSpan("a`b"), std::string("``a`b``"));
        QCOMPARE(codeSpan("`a"), std::string("`` `a ``"));
        QCOMPARE(codeSpan("a\nb|c"), std::string("`a b|c`"));
        QCOMPARE(codeSpan("a|b", Inside::cell), std::string("`a\\|b`"));
        QCOMPARE(codeBlock("x\n```\ny"), std::string("````\nx\n```\ny\n````\n"));
    }

    void shellWords_data() {
        QTest::addColumn<QString>("word");
        for (const char* word : {"a.ptx", "a b", "it's", "$(touch x)", "`id`", "a;b", "a\nb", "\xC3\xA4", "~", "*"})
            QTest::newRow(word) << QString::fromUtf8(word);
    }
    /// A real shell gives back what was put in.
    void shellWords() {
        QFETCH(QString, word);
        QProcess shell;
        shell.start("/bin/sh", {"-c", "printf %s " + QString::fromStdString(shellWord(word.toStdString()))});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), word);
    }
    void noWordIsAnOption() { QCOMPARE(shellWord("-rf"), std::string("'./-rf'")); }

    void lines() {
        QCOMPARE(linesOf("a\r\nb").size(), std::size_t{2});
        QCOMPARE(std::string(lineOf("a\r\nb", 1)), std::string("a"));
        QCOMPARE(std::string(lineOf("a\r\nb", 2)), std::string("b"));
        QCOMPARE(std::string(lineOf("a\n", 2)), std::string());
    }
};

QTEST_APPLESS_MAIN(TextTest)
#include "text_test.moc"

// How a diagnostic reads in a terminal.
#include "support/diagnostic.h"

#include <QTest>

using namespace ptxwb;

namespace {
Diagnostic at(std::uint32_t line, std::uint32_t column, std::uint32_t length) {
    Diagnostic d;
    d.place = {"k.ptx", line, column, length};
    d.message = "no name '%r9' is declared here";
    return d;
}
} // namespace

class DiagnosticTest : public QObject {
    Q_OBJECT

private slots:
    void lineCaretAndHint() {
        Diagnostic d = at(2, 5, 3);
        d.hint = "did you mean %r8?";
        QCOMPARE(format(d, "ret;\nadd %r9;\n"), std::string("k.ptx:2:5: error: no name '%r9' is declared here\n"
                                                            "    add %r9;\n"
                                                            "        ^^^\n"
                                                            "hint: did you mean %r8?\n"));
    }
    void tabsStayTabs() {
        QCOMPARE(format(at(1, 3, 2), "\t\tab"),
                 std::string("k.ptx:1:3: error: no name '%r9' is declared here\n    \t\tab\n    \t\t^^\n"));
    }
    void columnsCountBytesAndCaretsCountCharacters() {
        QCOMPARE(
            format(at(1, 7, 2), "// \xC3\xA9 \xC3\xA9x"),
            std::string("k.ptx:1:7: error: no name '%r9' is declared here\n    // \xC3\xA9 \xC3\xA9x\n         ^\n"));
    }
    void bytesThatAreNoTextAreQuestionMarks() {
        const std::string shown = format(at(1, 1, 1), std::string("a\x1B[31m\xFF\xC3(\0b", 11));
        QCOMPARE(shown, std::string("k.ptx:1:1: error: no name '%r9' is declared here\n    a?[31m?"
                                    "?(?b\n    ^\n"));
    }
    void longLinesAreCutAroundTheCaret() {
        const std::string shown = format(at(1, 5000, 4), std::string(10000, 'x'));
        QVERIFY(shown.size() < 500);
        QVERIFY(shown.find("...xxx") != std::string::npos);
        QVERIFY(shown.find("^^^^") != std::string::npos);
    }
    void placeBehindTheEnd() { QVERIFY(format(at(99, 7, 3), "one line").find("99:7") != std::string::npos); }
    void noPlace() {
        Diagnostic d;
        d.severity = Severity::warning;
        d.message = "text";
        QCOMPARE(format(d), std::string("warning: text\n"));
    }
    void exitStatuses() {
        QCOMPARE(exitStatus(Cause::rejected), 1);
        QCOMPARE(exitStatus(Cause::badRequest), 2);
        QCOMPARE(exitStatus(Cause::missing), 3);
        QCOMPARE(exitStatus(Cause::internal), 4);
        QCOMPARE(exitStatus(Cause::cancelled), 130);
    }
};

QTEST_APPLESS_MAIN(DiagnosticTest)
#include "diagnostic_test.moc"

// A click on a register marks its uses and where its value lives; the card of F1 tells where it comes from.
#include "editors/card_popup.h"
#include "editors/code_pane.h"
#include "editors/editor.h"
#include "editors/scintilla_numbers.h"
#include "ptx/parse.h"

#include <QTest>
#include <QTextBrowser>

using namespace ptxwb;
using namespace ptxwb::ui;

namespace {

using S = QsciScintillaBase;

constexpr auto kernel = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
                        "\t.reg .b32 %r<4>;\n\t.reg .b64 %d<2>;\n" // lines 6 and 7
                        "\tld.param.u64 %d0, [p];\n"               // 8
                        "\tmov.u32 %r1, %tid.x;\n"                 // 9
                        "\tadd.u32 %r2, %r1, 1;\n"                 // 10
                        "\tst.global.u32 [%d0], %r2;\n"            // 11
                        "\tmov.u32 %r1, 7;\n"                      // 12
                        "\tst.global.u32 [%d0+4], %r1;\n"          // 13
                        "\tret;\n}\n";

struct Shown {
    CodePane pane{Language::ptx, Access::edit, "Candidate"};
    Shown() {
        pane.resize(700, 500);
        pane.show();
        pane.setText(kernel);
        pane.setModule(ptx::parse(kernel, "k.ptx"));
        pane.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&pane));
    }
    /// A click between two characters of a line.
    void click(int line, int column) {
        Editor& editor = pane.editor();
        const long position = editor.lineStart(line - 1) + column - 1;
        const QPoint at(int(editor.send(S::SCI_POINTXFROMPOSITION, 0, position)) + 1,
                        int(editor.send(S::SCI_POINTYFROMPOSITION, 0, position)) + editor.lineHeight() / 2);
        QTest::mouseClick(editor.viewport(), Qt::LeftButton, {}, at);
        QTest::qWait(200);
    }
    QString linesWith(int number) {
        QStringList lines;
        for (int line = 0; line < pane.lineCount(); ++line)
            if (pane.editor().send(S::SCI_MARKERGET, std::uintptr_t(line)) & (1L << number))
                lines += QString::number(line + 1);
        return lines.join(' ');
    }
    /// Lines with boxes of an indicator, each as often as it has one.
    QString linesBoxed(int number) {
        QStringList lines;
        bool inside = false;
        for (long at = 0; at < pane.editor().length(); ++at) {
            const bool now = pane.editor().send(S::SCI_INDICATORVALUEAT, std::uintptr_t(number), at) != 0;
            if (now && !inside) lines += QString::number(pane.editor().lineFrom(at) + 1);
            inside = now;
        }
        return lines.join(' ');
    }
};

} // namespace

class RegisterMarksTest : public QObject {
    Q_OBJECT

private slots:
    void marksUsesAndLiveRange() {
        Shown shown;
        QCOMPARE(shown.linesWith(marker::live), QString());
        shown.click(10, 16); // %r1 of the add
        QCOMPARE(shown.linesBoxed(indicator::use), QString("9 10"));
        QCOMPARE(shown.linesBoxed(indicator::otherUse), QString("12 13"));
        QCOMPARE(shown.linesWith(marker::write), QString("9"));
        QCOMPARE(shown.linesWith(marker::read), QString("10"));
        QCOMPARE(shown.linesWith(marker::live), QString("10"));
        QVERIFY(shown.pane.editor().send(S::SCI_GETMARGINWIDTHN, margin::range) > 0);
        shown.click(13, 18); // the address
        QCOMPARE(shown.linesBoxed(indicator::use), QString("8 11 13"));
        QCOMPARE(shown.linesWith(marker::live), QString("9 10 11 12 13"));
        shown.click(14, 3); // ret
        QCOMPARE(shown.linesBoxed(indicator::use), QString());
        QCOMPARE(shown.linesWith(marker::live), QString());
        QCOMPARE(shown.pane.editor().send(S::SCI_GETMARGINWIDTHN, margin::range), 0L);
    }

    void anEditForgetsThem() {
        Shown shown;
        shown.click(10, 16);
        QVERIFY(!shown.linesWith(marker::live).isEmpty());
        QTest::keyClicks(&shown.pane.editor(), "9");
        QVERIFY(!shown.pane.module());
        QTRY_COMPARE(shown.linesWith(marker::live), QString());
        // The module of another text is not taken.
        shown.pane.setModule(ptx::parse(kernel, "k.ptx"));
        QVERIFY(!shown.pane.module());
    }

    void theCardTellsWhereItComesFrom() {
        Shown shown;
        shown.click(11, 25); // %r2 of the store
        shown.pane.showInstructionHelp();
        CardPopup* const card = shown.pane.card();
        QVERIFY(card && card->isVisible());
        const QString text = card->text();
        QVERIFY2(text.contains("%r2") && text.contains(".reg .b32 %r<4>;") && text.contains("add.u32 %r2, %r1, 1;"),
                 qPrintable(text));
        QVERIFY2(text.contains("st") && text.contains("Stores to memory"), qPrintable(text));
        QVERIFY2(card->browser().toHtml().contains("href=\"line:10\""), qPrintable(card->browser().toHtml()));
        emit card->browser().anchorClicked(QUrl("line:10"));
        QVERIFY(!card->isVisible());
        QCOMPARE(shown.pane.currentLine(), 10);
    }

    void theTooltipOfAnOperand() {
        Shown shown;
        Editor& editor = shown.pane.editor();
        const auto tip = [&](int line, int column) {
            return editor.toolTipAt(editor.lineStart(line - 1) + column - 1, line - 1);
        };
        QVERIFY2(tip(9, 16).contains("special register"), qPrintable(tip(9, 16)));
        QVERIFY2(tip(8, 21).contains("parameter"), qPrintable(tip(8, 21)));
        QVERIFY2(tip(10, 16).contains("written in"), qPrintable(tip(10, 16)));
        QVERIFY2(tip(10, 4).contains("Adds a and b"), qPrintable(tip(10, 4)));
        QVERIFY2(tip(10, 4).contains("results a clock and multiprocessor"), qPrintable(tip(10, 4)));
    }
};

QTEST_MAIN(RegisterMarksTest)
#include "register_marks_test.moc"

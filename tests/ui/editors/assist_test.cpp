// Completion and instruction help in the pane that edits PTX, through real keys.
#include "editors/card_popup.h"
#include "editors/code_pane.h"
#include "editors/completion_popup.h"
#include "editors/editor.h"
#include "editors/instruction_tip.h"

#include <QTest>
#include <QTextBrowser>

using namespace ptxwb::ui;

namespace {

constexpr auto kernel = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
                        "\t.reg .f32 %f<4>;\n\t.reg .b32 %r<4>;\n\t\n$L_end:\n\tret;\n}\n";

struct Shown {
    CodePane pane{Language::ptx, Access::edit, "Candidate"};
    CompletionPopup* popup = pane.findChild<CompletionPopup*>();
    Shown() {
        pane.resize(700, 500);
        pane.show();
        pane.setText(kernel);
        pane.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&pane));
        pane.goToLine(8, 2);
        pane.editor().setFocus();
    }
    void type(const char* text) { QTest::keyClicks(&pane.editor(), QString::fromLatin1(text)); }
    void key(Qt::Key key) { QTest::keyClick(&pane.editor(), key); }
    QStringList items() const {
        QStringList texts;
        for (int i = 0; i < popup->topLevelItemCount(); ++i) texts += popup->topLevelItem(i)->text(0);
        return texts;
    }
    QByteArray line() { return pane.line(8); }
};

} // namespace

class AssistTest : public QObject {
    Q_OBJECT

private slots:
    void completesAnOpcodeAndItsModifiers() {
        Shown shown;
        shown.type("fm");
        QTRY_VERIFY(shown.popup->isVisible());
        QVERIFY2(shown.items().contains("fma"), qPrintable(shown.items().join(' ')));
        while (shown.popup->currentItem()->text(0) != "fma") shown.key(Qt::Key_Down);
        shown.key(Qt::Key_Return);
        QCOMPARE(shown.line(), QByteArray("\tfma"));
        QVERIFY(!shown.popup->isVisible());
        shown.type(".");
        QTRY_VERIFY(shown.popup->isVisible());
        QVERIFY2(!shown.items().filter("rn").isEmpty(), qPrintable(shown.items().join(' ')));
        shown.key(Qt::Key_Escape);
        QVERIFY(!shown.popup->isVisible());
        QCOMPARE(shown.line(), QByteArray("\tfma."));
        // One step of undo each.
        shown.key(Qt::Key_Backspace);
        QCOMPARE(shown.line(), QByteArray("\tfma"));
    }

    void narrowsAsOneTypes() {
        Shown shown;
        shown.type("ld.glob");
        QTRY_VERIFY(shown.popup->isVisible());
        QTRY_VERIFY2(shown.items().contains(".global"), qPrintable(shown.items().join(' ')));
        shown.key(Qt::Key_Tab);
        QCOMPARE(shown.line(), QByteArray("\tld.global"));
    }

    void completesRegistersInScope() {
        Shown shown;
        shown.type("add.f32 %");
        QTRY_VERIFY(shown.popup->isVisible());
        QVERIFY2(!shown.items().filter("%f").isEmpty(), qPrintable(shown.items().join(' ')));
        shown.key(Qt::Key_Tab);
        QVERIFY2(shown.line().contains("%f") || shown.line().contains("%r"), shown.line().constData());
    }

    void theArrowKeysMoveTheCaretWhereNoListIsShown() {
        Shown shown;
        shown.key(Qt::Key_Down);
        QCOMPARE(shown.pane.currentLine(), 9);
        shown.key(Qt::Key_Return);
        QCOMPARE(shown.pane.lineCount(), 13);
    }

    void aReadOnlyPaneHasNone() {
        CodePane pane(Language::ptx, Access::readOnly, "nvcc PTX");
        QVERIFY(!pane.findChild<CompletionPopup*>());
    }

    void findsTheOpcodeOnALine_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<QByteArray>("opcode");
        QTest::newRow("plain") << QByteArray("\tld.global.f32 \t%f1, [%rd1];") << 4 << QByteArray("ld.global.f32");
        QTest::newRow("guarded") << QByteArray("\t@!%p1 bra \t$L_1;") << -1 << QByteArray("bra");
        QTest::newRow("behind a label") << QByteArray("$L_1: add.s32 %r1, %r1, 1;") << 7 << QByteArray("add.s32");
        QTest::newRow("two colons") << QByteArray("\tmbarrier.arrive.shared::cta.b64 %rd1, [%r1];") << 5
                                    << QByteArray("mbarrier.arrive.shared::cta.b64");
        QTest::newRow("on an operand") << QByteArray("\tadd.s32 %r1, %r1, 1;") << 12 << QByteArray();
        QTest::newRow("a directive") << QByteArray("\t.reg .b32 %r<4>;") << 3 << QByteArray();
        QTest::newRow("a comment") << QByteArray("// add.s32") << -1 << QByteArray();
        QTest::newRow("a label alone") << QByteArray("$L_end:") << -1 << QByteArray();
        QTest::newRow("nothing") << QByteArray() << -1 << QByteArray();
    }
    void findsTheOpcodeOnALine() {
        QFETCH(QByteArray, line);
        QFETCH(int, column);
        QFETCH(QByteArray, opcode);
        const auto found = opcodeOnLine({line.constData(), std::size_t(line.size())}, column);
        QCOMPARE(QByteArray(found.data(), qsizetype(found.size())), opcode);
    }

    void tellsWhatAnInstructionDoes() {
        const QString tip = instructionTip("fma.rn.f32");
        QVERIFY2(tip.contains("<b>fma</b>") && tip.contains("PTX ISA 9.0"), qPrintable(tip));
        QVERIFY(tip.contains("f32"));
        QVERIFY(instructionTip("nosuch.f32").isEmpty());
        Shown shown;
        shown.pane.goToLine(10);
        shown.pane.showInstructionHelp();
        CardPopup* const card = shown.pane.card();
        QVERIFY(card && card->isVisible());
        QVERIFY2(card->text().startsWith("ret"), qPrintable(card->text()));
        QTest::keyClick(static_cast<QWidget*>(&card->browser()), Qt::Key_Escape);
        QVERIFY(!card->isVisible());
    }
};

QTEST_MAIN(AssistTest)
#include "assist_test.moc"

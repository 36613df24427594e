#include "editors/comparison_view.h"

#include "editors/editor.h"
#include "editors/scintilla_numbers.h"
#include "long_kernel.h"
#include "ptx/parse.h"
#include "theme/theme.h"

#include <QAction>
#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::ui;
using S = QsciScintillaBase;

namespace {

QByteArray example(const char* name) {
    QFile file(QStringLiteral(PTXWB_SOURCE_DIR "/resources/examples/saxpy/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::shared_ptr<const ptx::Module> parsed(const QByteArray& text) {
    return ptx::parse(text.toStdString(), "a.ptx");
}

unsigned markers(CodePane& pane, int line) {
    return unsigned(pane.editor().send(S::SCI_MARKERGET, std::uintptr_t(line - 1)));
}

QByteArray glyph(CodePane& pane, int line) {
    QByteArray text(int(pane.editor().send(S::SCI_MARGINGETTEXT, std::uintptr_t(line - 1))) + 1, '\0');
    pane.editor().send(S::SCI_MARGINGETTEXT, std::uintptr_t(line - 1), text.data());
    return text.constData();
}

struct Shown {
    ComparisonView view;

    Shown(const QByteArray& left, const QByteArray& right, const QByteArray& source = {}) {
        view.resize(1200, 700);
        view.show();
        view.activateWindow();
        (void)QTest::qWaitForWindowActive(&view);
        view.setSourceText(source);
        view.setBaselineText(left);
        view.setCandidateText(right);
        compareAgain();
        view.candidate().setFocus();
    }

    void compareAgain() {
        const auto left = parsed(view.baseline().text()), right = parsed(view.candidate().text());
        QVERIFY(view.applyComparison(compare::compare(*left, *right), view.baseline().revision(),
                                     view.candidate().revision()));
    }

    void link() {
        view.setSourceLinks(makeSourceLinks(*parsed(view.baseline().text()), "saxpy.cu"),
                            makeSourceLinks(*parsed(view.candidate().text()), "saxpy.cu"));
    }

    /// Every row of the layout stands at one height on both sides, in the window's own pixels.
    void checkAligned() {
        QCoreApplication::processEvents();
        Editor &left = view.baseline().editor(), &right = view.candidate().editor();
        QCOMPARE(left.firstVisibleRow(), right.firstVisibleRow());
        QCOMPARE(left.lineHeight(), right.lineHeight());
        const auto y = [this](Editor& editor, std::uint32_t line) {
            const int own = int(editor.send(S::SCI_POINTYFROMPOSITION, 0, editor.lineStart(int(line) - 1)));
            return editor.viewport()->mapTo(&view, QPoint(0, own)).y();
        };
        const auto visible = [](Editor& editor, std::uint32_t line) {
            return editor.send(S::SCI_GETLINEVISIBLE, line - 1) != 0;
        };
        int both = 0;
        for (const DisplayRow& row : view.layoutOfRows().rows()) {
            if (row.left == 0 || row.right == 0) continue;
            if (visible(left, row.left) != visible(right, row.right))
                QFAIL(qPrintable(QStringLiteral("baseline line %1 or candidate line %2 is hidden, the other is not")
                                     .arg(row.left)
                                     .arg(row.right)));
            if (!visible(left, row.left)) continue;
            ++both;
            if (y(left, row.left) != y(right, row.right))
                QFAIL(qPrintable(QStringLiteral("baseline line %1 at %2, candidate line %3 at %4")
                                     .arg(row.left)
                                     .arg(y(left, row.left))
                                     .arg(row.right)
                                     .arg(y(right, row.right))));
        }
        QVERIFY(both > 0);
        // Fillers at the very end too: both sides have one height, or they could not scroll together.
        const auto rows = [](Editor& editor) {
            const int last = editor.lineTotal() - 1;
            return editor.rowOfLine(last) + int(editor.send(S::SCI_ANNOTATIONGETLINES, std::uintptr_t(last)));
        };
        if (view.level() == compare::Level::all) {
            QCOMPARE(rows(left), rows(right));
            QCOMPARE(rows(left) + 1, int(view.layoutOfRows().rows().size()));
        }
    }
};

constexpr char before[] = "\tmov.u32 %r1, 1;\n\tmov.u32 %r2, 2;\n\tadd.s32 %r3, %r1, %r2;\n\tmul.lo.s32 %r4, %r3, "
                          "%r3;\n\tst.global.u32 [%rd1], %r4;\n\tret;\n";

QByteArray kernel(QByteArray body) {
    return ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 %r<9>;\n\t.reg .b64 "
           "%rd<9>;\n" +
           body + "}\n";
}

} // namespace

class ComparisonTest : public QObject {
    Q_OBJECT
private slots:
    void saxpyIsAligned() {
        Shown shown(example("saxpy.sm_90.ptx"), example("candidates/vectorized.ptx"), example("saxpy.cu"));
        shown.checkAligned();
        QVERIFY2(shown.view.summary().contains(QStringLiteral("+ added")), qPrintable(shown.view.summary()));
        shown.view.baseline().editor().setFirstVisibleRow(20);
        shown.checkAligned();
        QCOMPARE(shown.view.candidate().editor().firstVisibleRow(), 20);
        shown.view.candidate().editor().verticalScrollBar()->setValue(7);
        shown.checkAligned();
        QCOMPARE(shown.view.baseline().editor().firstVisibleRow(), 7);
        QTest::keyClick(&shown.view.candidate().editor(), Qt::Key_PageDown);
        QVERIFY(shown.view.candidate().editor().firstVisibleRow() > 7);
        shown.checkAligned();
        shown.view.grab(); // the width of the text is known once it was painted
        QScrollBar* bar = shown.view.candidate().editor().horizontalScrollBar();
        QTRY_VERIFY(bar->maximum() > 40);
        bar->setValue(40);
        QCOMPARE(shown.view.baseline().editor().xOffset(), 40L);
    }

    void rowsHaveTintAndGlyph() {
        QByteArray body(before);
        body.replace("\tadd.s32 %r3", "\tsub.s32 %r3").replace("\tst.global", "\tadd.s32 %r5, %r4, 7;\n\tst.global");
        body.replace("\tmov.u32 %r2, 2;\n", "");
        Shown shown(kernel(before), kernel(body));
        CodePane &left = shown.view.baseline(), &right = shown.view.candidate();
        // Lines 8 to 13: the body.
        QVERIFY(markers(left, 9) & (1 << marker::removed));
        QCOMPARE(glyph(left, 9), QByteArray("-"));
        QVERIFY(markers(left, 10) & (1 << marker::removed));
        QCOMPARE(glyph(left, 10), QByteArray("~"));
        QVERIFY(markers(right, 9) & (1 << marker::added));
        QCOMPARE(glyph(right, 9), QByteArray("~"));
        QCOMPARE(glyph(right, 11), QByteArray("+"));
        QCOMPARE(glyph(right, 8), QByteArray());
        QCOMPARE(markers(right, 8) & marker::rowMask, 0u);
        const long opcode = right.editor().lineStart(8) + 1;
        QVERIFY(right.editor().send(S::SCI_INDICATORVALUEAT, indicator::addedSpan, opcode) != 0);
        QVERIFY(right.editor().send(S::SCI_INDICATORVALUEAT, indicator::addedSpan, opcode - 1) == 0);
        QVERIFY(shown.view.summary().contains(QStringLiteral("1 ~ opcode")));
        QVERIFY(shown.view.summary().contains(QStringLiteral("1 - removed")));
        shown.checkAligned();
        const auto changes = shown.view.changeList();
        QCOMPARE(changes.size(), std::size_t(2));
        QVERIFY2(changes[0].text.contains(QStringLiteral("baseline line 9")), qPrintable(changes[0].text));
        QCOMPARE(changes[0].baselineLine, 9);
    }

    void addedAtTheTop() {
        Shown shown(kernel(before), "// one\n// two\n// three\n" + kernel(before));
        shown.checkAligned();
        QCOMPARE(shown.view.baseline().editor().rowOfLine(1), 4);
    }

    void renamedRowsAreNoChange() {
        QByteArray other(before);
        other.replace("%r1", "%r8");
        Shown shown(kernel(before), kernel(other));
        CodePane& right = shown.view.candidate();
        QVERIFY(markers(right, 8) & (1 << marker::renamed));
        QCOMPARE(glyph(right, 8), QByteArray());
        QVERIFY(shown.view.summary().contains(QStringLiteral("the same code")));
        QSignalSpy message(&shown.view, &ComparisonView::message);
        shown.view.nextChange();
        QCOMPARE(message.last()[0].toString(), QStringLiteral("No change to go to."));
        shown.view.setLevel(compare::Level::renamed);
        right.goToLine(1);
        shown.view.nextChange();
        QCOMPARE(right.currentLine(), 8);
    }

    void editsKeepFillersRight() {
        QByteArray body(before);
        body.replace("\tst.global", "\tadd.s32 %r5, %r4, 7;\n\tadd.s32 %r5, %r4, 8;\n\tst.global");
        Shown shown(kernel(body), kernel(before));
        shown.checkAligned();
        Editor& right = shown.view.candidate().editor();
        QSignalSpy edited(&shown.view, &ComparisonView::candidateEdited);

        shown.view.candidate().goToLine(8, 99);
        QTest::keyClick(&right, Qt::Key_Return);
        QTest::keyClicks(&right, QStringLiteral("mov.u32 %r7, 3;"));
        QVERIFY(edited.size() > 10);
        shown.checkAligned();
        QTest::keyClick(&right, Qt::Key_Return);
        QTest::keyClick(&right, Qt::Key_Return);
        shown.checkAligned();
        // At a line's start, at the end of the text, over several lines.
        shown.view.candidate().goToLine(5, 1);
        QTest::keyClick(&right, Qt::Key_Return);
        shown.checkAligned();
        QTest::keyClick(&right, Qt::Key_End, Qt::ControlModifier);
        QTest::keyClick(&right, Qt::Key_Return);
        shown.checkAligned();
        shown.view.candidate().goToLine(9, 1);
        for (int i = 0; i < 4; ++i) QTest::keyClick(&right, Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(&right, Qt::Key_Delete);
        shown.checkAligned();
        // Undo loses annotations; they must be back before the next frame.
        for (int i = 0; i < 60 && shown.view.candidate().canUndo(); ++i) {
            QTest::keyClick(&right, Qt::Key_Z, Qt::ControlModifier);
            shown.checkAligned();
        }
        QCOMPARE(shown.view.candidate().text(), kernel(before));
        for (int i = 0; i < 60 && shown.view.candidate().canRedo(); ++i) {
            shown.view.candidate().redo();
            shown.checkAligned();
        }
        shown.compareAgain();
        shown.checkAligned();
    }

    void replacingAllKeepsFillersRight() {
        Shown shown(kernel(before), kernel(before));
        Editor& right = shown.view.candidate().editor();
        shown.view.candidate().selectAll();
        QTest::keyClick(&right, Qt::Key_Delete);
        QCoreApplication::processEvents();
        QCOMPARE(shown.view.layoutOfRows().rows().size(), std::size_t(shown.view.baseline().lineCount()));
        shown.checkAligned();
        shown.view.candidate().undo();
        shown.checkAligned();
    }

    void anOldAnswerIsRefused() {
        Shown shown(kernel(before), kernel(before));
        const quint64 left = shown.view.baseline().revision(), right = shown.view.candidate().revision();
        QTest::keyClicks(&shown.view.candidate().editor(), QStringLiteral("x"));
        QVERIFY(!shown.view.applyComparison({}, left, right));
        QVERIFY(shown.view.summary().contains(QStringLiteral("the same code")));
    }

    void goesFromChangeToChange() {
        QByteArray body(before);
        body.replace("\tmov.u32 %r2, 2;\n", "").replace("mul.lo", "mul.hi").replace("\tret;", "\tbar.sync 0;\n\tret;");
        Shown shown(kernel(before), kernel(body));
        CodePane &left = shown.view.baseline(), &right = shown.view.candidate();
        QSignalSpy message(&shown.view, &ComparisonView::message);
        right.goToLine(1);
        shown.view.nextChange();
        QCOMPARE(left.currentLine(), 9);  // the removed line
        QCOMPARE(right.currentLine(), 8); // above its filler
        QCOMPARE(message.last()[0].toString(), QStringLiteral("Change 1 of 3, in k"));
        shown.view.nextChange();
        QCOMPARE(left.currentLine(), 11);
        QCOMPARE(right.currentLine(), 10);
        shown.view.nextChange();
        QCOMPARE(right.currentLine(), 12);
        shown.view.nextChange();
        QCOMPARE(message.last()[0].toString(), QStringLiteral("No further change below."));
        QCOMPARE(right.currentLine(), 12);
        shown.view.previousChange();
        shown.view.previousChange();
        QCOMPARE(left.currentLine(), 9);
        shown.view.previousChange();
        QCOMPARE(message.last()[0].toString(), QStringLiteral("No further change above."));
        // From where the caret is.
        QTest::keyClick(&right.editor(), Qt::Key_End, Qt::ControlModifier);
        shown.view.previousChange();
        QCOMPARE(right.currentLine(), 12);
    }

    void takesHunksInOneStep() {
        QByteArray body(before);
        body.replace("\tmov.u32 %r2, 2;\n", "").replace("mul.lo", "mul.hi").replace("\tret;", "\tbar.sync 0;\n\tret;");
        Shown shown(kernel(before), kernel(body));
        CodePane& right = shown.view.candidate();
        QSignalSpy message(&shown.view, &ComparisonView::message);
        right.goToLine(1);
        shown.view.takeHunkFromBaseline();
        QVERIFY(message.last()[0].toString().startsWith(QStringLiteral("The caret stands on no change.")));
        shown.view.nextChange();
        shown.view.takeHunkFromBaseline();
        QByteArray wanted = body;
        wanted.replace("\tadd.s32", "\tmov.u32 %r2, 2;\n\tadd.s32");
        QCOMPARE(right.text(), kernel(wanted));
        shown.checkAligned();
        right.undo();
        QCOMPARE(right.text(), kernel(body));
        QVERIFY(!right.canUndo());
        shown.checkAligned();
        // Taking all of them gives the baseline.
        for (int i = 0; i < 3; ++i) {
            shown.compareAgain();
            right.goToLine(1);
            shown.view.nextChange();
            shown.view.takeHunkFromBaseline();
        }
        QCOMPARE(right.text(), kernel(before));
        shown.compareAgain();
        QVERIFY(shown.view.comparison().same);
    }

    /// Where rows are hidden it says how many and of which kernel what follows is; a click shows them.
    void whatIsHiddenIsSaid() {
        const QByteArray left = test::longKernel(300), right = test::longKernel(300, 0, 60);
        Shown shown(left, right);
        Editor& editor = shown.view.candidate().editor();
        for (int line = 0; line < editor.lineTotal(); ++line) QVERIFY(editor.hiddenText(line).isEmpty());
        shown.view.setLevel(compare::Level::changed);
        int above = -1, hidden = 0, said = 0;
        for (int line = 0; line < editor.lineTotal(); ++line) {
            if (editor.send(S::SCI_GETLINEVISIBLE, std::uintptr_t(line)) == 0) {
                ++hidden;
                continue;
            }
            if (const QString text = editor.hiddenText(line); !text.isEmpty()) {
                if (above < 0) {
                    above = line;
                    QVERIFY2(text.endsWith(QStringLiteral(" lines, k")), qPrintable(text));
                }
                said += text.section(QLatin1Char(' '), 1, 1).toInt();
            }
        }
        QVERIFY(above >= 0 && hidden > 0);
        QCOMPARE(said, hidden);
        editor.setFirstVisibleRow(0);
        QTest::qWait(50);
        const QPoint label(editor.viewport()->width() - 5,
                           (editor.rowOfLine(above) - editor.firstVisibleRow()) * editor.lineHeight() + 3);
        QTest::mouseClick(editor.viewport(), Qt::LeftButton, {}, label);
        QCOMPARE(shown.view.level(), compare::Level::all);
        QCOMPARE(shown.view.candidate().currentLine(), above + 2);
    }

    void levelsHideRows() {
        const QByteArray left = test::longKernel(300), right = test::longKernel(300, 5, 60);
        Shown shown(left, right);
        QSignalSpy level(&shown.view, &ComparisonView::levelChanged);
        shown.checkAligned();
        shown.view.setLevel(compare::Level::changed);
        QCOMPARE(level.size(), 1);
        shown.checkAligned();
        Editor& editor = shown.view.candidate().editor();
        const int last = editor.lineTotal() - 1;
        QVERIFY2(editor.rowOfLine(last) < 80, qPrintable(QString::number(editor.rowOfLine(last))));
        for (int i = 0; i < 4; ++i) {
            shown.view.nextChange();
            shown.checkAligned();
        }
        // An edit where rows are hidden.
        QTest::keyClick(&editor, Qt::Key_Return);
        shown.checkAligned();
        shown.view.cycleLevel();
        QCOMPARE(shown.view.level(), compare::Level::all);
        QCOMPARE(editor.rowOfLine(editor.lineTotal() - 1) > 290, true);
        shown.checkAligned();
        auto* box = shown.view.findChild<QComboBox*>();
        QCOMPARE(box->currentIndex(), 0);
        QTest::keyClick(box, Qt::Key_Down);
        QCOMPARE(shown.view.level(), compare::Level::renamed);
    }

    void cyclesPanes() {
        Shown shown(kernel(before), kernel(before), "int x;\n");
        QSignalSpy current(&shown.view, &ComparisonView::currentPaneChanged);
        QVERIFY(shown.view.candidate().editor().hasFocus());
        shown.view.cyclePanes();
        QVERIFY(shown.view.source().editor().hasFocus());
        shown.view.cyclePanes();
        QVERIFY(shown.view.baseline().editor().hasFocus());
        shown.view.cyclePanes();
        QVERIFY(shown.view.candidate().editor().hasFocus());
        QCOMPARE(current.size(), 3);
    }

    /// The window's actions own these; an editor that took one would leave the person without it.
    void keysReachTheWindow_data() {
        QTest::addColumn<QString>("keys");
        for (const char* keys :
             {"F5", "Shift+F5", "Ctrl+F5", "F6", "F7", "Shift+F7", "F8", "Shift+F8", "Ctrl+F10", "Alt+Return",
              "Ctrl+Alt+N", "Ctrl+F", "Ctrl+G", "F3", "F1", "Ctrl+Shift+P", "Ctrl+S", "Ctrl+0"})
            QTest::newRow(keys) << QString::fromLatin1(keys);
    }

    void keysReachTheWindow() {
        QFETCH(QString, keys);
        Shown shown(kernel(before), kernel(before));
        QAction action;
        action.setShortcut(QKeySequence(keys));
        shown.view.addAction(&action);
        QSignalSpy triggered(&action, &QAction::triggered);
        const QKeyCombination key = action.shortcut()[0];
        QTest::keyClick(&shown.view.candidate().editor(), key.key(), key.keyboardModifiers());
        QCOMPARE(triggered.size(), 1);
        QCOMPARE(shown.view.candidate().text(), kernel(before));
    }

    void aDroppedFileIsTheWindows() {
        Shown shown(kernel(before), kernel(before));
        QMimeData data;
        data.setUrls({QUrl(QStringLiteral("file:///tmp/a.ptx"))});
        Editor& editor = shown.view.candidate().editor();
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(editor.viewport(), &enter);
        QVERIFY(!enter.isAccepted());
        QDropEvent drop({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(editor.viewport(), &drop);
        QCOMPARE(shown.view.candidate().text(), kernel(before));
    }

    void hoverLinksAllPanes() {
        Shown shown(example("saxpy.sm_90.ptx"), example("saxpy.sm_90.ptx"), example("saxpy.cu"));
        shown.link();
        const QByteArray text = example("saxpy.sm_90.ptx");
        const int line = int(text.left(text.indexOf("mad.lo.s32")).count('\n')) + 1;
        Editor& source = shown.view.source().editor();
        QTest::mouseMove(source.viewport(), {60, source.lineHeight() * 5 / 2}); // line 3: int i = …
        QTRY_VERIFY(markers(shown.view.source(), 3) & (1 << marker::linked));
        QVERIFY(markers(shown.view.baseline(), line) & (1 << marker::linked));
        QVERIFY(markers(shown.view.candidate(), line) & (1 << marker::linked));
        QVERIFY(!(markers(shown.view.baseline(), line + 2) & (1 << marker::linked)));
        const unsigned stripe = markers(shown.view.source(), 3) & marker::stripeMask;
        QVERIFY(stripe != 0);
        QCOMPARE(markers(shown.view.baseline(), line) & marker::stripeMask, stripe);
        QTest::mouseMove(source.viewport(), {60, source.lineHeight() / 2}); // line 1: a comment
        QTRY_VERIFY(!(markers(shown.view.baseline(), line) & (1 << marker::linked)));
    }

    void aCandidateWithoutLocIsLinkedThroughRows() {
        Shown shown(example("saxpy.sm_90.ptx"), example("candidates/vectorized.ptx"), example("saxpy.cu"));
        shown.link();
        const QByteArray text = example("candidates/vectorized.ptx");
        const int line = int(text.left(text.indexOf("mad.lo.s32")).count('\n')) + 1;
        QVERIFY(markers(shown.view.candidate(), line) & marker::stripeMask);
        shown.view.candidate().goToLine(line);
        shown.view.revealInOtherPanes();
        QCOMPARE(shown.view.source().currentLine(), 3);
        QVERIFY(shown.view.baseline().line(shown.view.baseline().currentLine()).contains("mad.lo.s32"));
        shown.checkAligned();
        shown.view.source().editor().setFocus();
        shown.view.source().goToLine(3);
        shown.view.candidate().goToLine(1);
        shown.view.revealInOtherPanes();
        QVERIFY(shown.view.baseline().line(shown.view.baseline().currentLine()).contains("%ctaid.x"));
        QVERIFY(shown.view.candidate().currentLine() > 1);
    }

    void zoomIsShared() {
        Shown shown(kernel(before), kernel(before));
        shown.view.zoomIn();
        shown.view.zoomIn();
        QCOMPARE(shown.view.source().zoom(), 2);
        QCOMPARE(shown.view.baseline().zoom(), 2);
        shown.checkAligned();
        shown.view.resetZoom();
        QCOMPARE(shown.view.source().zoom(), 0);
    }

    void stateComesBack() {
        Shown shown(kernel(before), kernel(before));
        shown.view.setLevel(compare::Level::changed);
        const QByteArray state = shown.view.saveState();
        ComparisonView other;
        QVERIFY(other.restoreState(state));
        QCOMPARE(other.level(), compare::Level::changed);
        QVERIFY(!other.restoreState("rubbish"));
    }

    void tenThousandLines() {
        Shown shown(test::longKernel(10'000), test::longKernel(10'000, 7, 40));
        QVERIFY(shown.view.candidate().lineCount() > 9'900);
        shown.view.candidate().goToLine(9'000);
        shown.checkAligned();
        QTest::keyClick(&shown.view.candidate().editor(), Qt::Key_Return);
        shown.checkAligned();
    }

    /// What the comparison knows beside the class of a row: in the tip of both lines and in the plain list.
    void saysWhatIsPossiblyEquivalent() {
        QByteArray body(before);
        body.replace("\tadd.s32 %r3, %r1, %r2;", "\tadd.s32 %r3, %r2, %r1;");
        Shown shown(kernel(before), kernel(body));
        const QString note = QStringLiteral("Possibly equivalent: commuted operands");
        const int line = int(kernel(before).left(kernel(before).indexOf("\tadd.s32")).count('\n'));
        for (CodePane* pane : {&shown.view.baseline(), &shown.view.candidate()}) {
            QVERIFY2(pane->editor().toolTipAt(-1, line).contains(note), qPrintable(pane->editor().toolTipAt(-1, line)));
            const long opcode = pane->editor().lineStart(line) + 2;
            const QString card = pane->editor().toolTipAt(opcode, line);
            QVERIFY2(card.contains(note) && card.contains(QStringLiteral("add")), qPrintable(card));
            QVERIFY(!pane->editor().toolTipAt(-1, line - 1).contains(note));
        }
        const auto changes = shown.view.changeList();
        QCOMPARE(changes.size(), std::size_t{1});
        QVERIFY2(changes[0].text.endsWith(note), qPrintable(changes[0].text));
        // Of an edited text nothing is claimed.
        QTest::keyClick(&shown.view.candidate().editor(), Qt::Key_Return);
        QVERIFY(!shown.view.candidate().editor().toolTipAt(-1, line).contains(note));
    }

    void aCoarseComparisonSaysThatAFinerOneFollows() {
        Shown shown(kernel(before), kernel(before));
        const auto compared = compare::compare(*parsed(kernel(before)), *parsed(kernel(before)));
        const quint64 left = shown.view.baseline().revision(), right = shown.view.candidate().revision();
        QVERIFY(shown.view.applyComparison(compared, left, right, true));
        QVERIFY2(shown.view.summary().endsWith(QStringLiteral("still aligning\u2026")),
                 qPrintable(shown.view.summary()));
        QVERIFY(shown.view.applyComparison(compared, left, right));
        QVERIFY(!shown.view.summary().contains(QStringLiteral("aligning")));
    }

    void clearedIsClean() {
        Shown shown(example("saxpy.sm_90.ptx"), example("candidates/vectorized.ptx"));
        shown.view.setCandidateText(kernel(before));
        QVERIFY(shown.view.layoutOfRows().empty());
        for (CodePane* pane : {&shown.view.baseline(), &shown.view.candidate()})
            for (int line = 1; line <= pane->lineCount(); ++line) {
                QCOMPARE(markers(*pane, line) & marker::rowMask, 0u);
                QCOMPARE(pane->editor().rowOfLine(line - 1), line - 1);
            }
        shown.view.clearComparison(QStringLiteral("compiling\u2026"));
        QCOMPARE(shown.view.summary(), QStringLiteral("compiling\u2026"));
    }
};

QTEST_MAIN(ComparisonTest)
#include "comparison_test.moc"

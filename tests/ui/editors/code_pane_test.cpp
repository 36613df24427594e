#include "editors/code_pane.h"

#include "editors/editor.h"
#include "editors/long_lines.h"
#include "editors/pane_header.h"
#include "editors/ptx_styles.h"
#include "editors/scintilla_numbers.h"
#include "ptx/parse.h"
#include "theme/theme.h"

#include <QFile>
#include <QHelpEvent>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

using namespace ptxwb;
using namespace ptxwb::ui;
using S = QsciScintillaBase;

namespace {

QByteArray fileText(const char* name) {
    QFile file(QStringLiteral(PTXWB_SOURCE_DIR "/resources/examples/saxpy/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

int styleAt(CodePane& pane, const char* text) {
    const qsizetype at = pane.text().indexOf(text);
    return int(pane.editor().send(S::SCI_GETSTYLEAT, std::uintptr_t(at)));
}

bool hasIndicator(CodePane& pane, int number, long position) {
    return pane.editor().send(S::SCI_INDICATORVALUEAT, std::uintptr_t(number), position) != 0;
}

Diagnostic diagnostic(Severity severity, std::uint32_t line, std::uint32_t column, std::uint32_t length,
                      const char* message) {
    Diagnostic result;
    result.severity = severity;
    result.place = {"a.ptx", line, column, length};
    result.message = message;
    result.hint = "do this";
    return result;
}

/// A pane on the screen, as every test needs one.
struct Shown {
    CodePane pane;
    explicit Shown(Language language = Language::ptx, Access access = Access::edit)
        : pane(language, access, QStringLiteral("Candidate PTX")) {
        pane.resize(700, 500);
        pane.show();
        pane.activateWindow();
        pane.setFocus();
        (void)QTest::qWaitForWindowActive(&pane);
    }
    CodePane* operator->() { return &pane; }
    CodePane& operator*() { return pane; }
};

} // namespace

class CodePaneTest : public QObject {
    Q_OBJECT
private slots:
    void bytesComeBack_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("saxpy") << fileText("saxpy.sm_90.ptx");
        QTest::newRow("carriage returns") << QByteArray("a\r\nb\r\n");
        QTest::newRow("no newline at the end") << QByteArray("a\nb");
        QTest::newRow("zero byte") << QByteArray("a\0b\n", 4);
        QTest::newRow("no UTF-8") << QByteArray("// \xff\xfe\n");
        QTest::newRow("3 MB line") << "ret;\n// " + QByteArray(3'000'000, 'x') + "\nret;\n";
    }

    void bytesComeBack() {
        QFETCH(QByteArray, text);
        Shown pane;
        QSignalSpy edited(&*pane, &CodePane::textEdited);
        pane->setText(text);
        QCOMPARE(pane->text(), text);
        QCOMPARE(edited.size(), 0);
        QVERIFY(!pane->canUndo());
        QCOMPARE(pane->lineCount(), int(text.count('\n')) + 1);
    }

    void typingTakesThePlaceOfTheSelection() {
        Shown pane;
        const QByteArray text = fileText("saxpy.sm_90.ptx");
        pane->setText(text);
        Editor& editor = pane->editor();
        for (const bool isAnalysed : {false, true}) {
            if (isAnalysed) pane->setModule(ptx::parse(text.toStdString(), "saxpy.ptx"));
            const auto at = text.indexOf("%f1");
            QVERIFY(at > 0);
            editor.send(QsciScintillaBase::SCI_SETSEL, std::uintptr_t(at), long(at + 3));
            QCOMPARE(editor.selectedText(), QString("%f1"));
            QTest::keyClick(&editor, Qt::Key_X);
            QCOMPARE(pane->text(), QByteArray(text).replace(at, 3, "x"));
            pane->undo();
            QCOMPARE(pane->text(), text);
        }
    }

    void stylesPtx() {
        Shown pane;
        pane->setText(fileText("saxpy.sm_90.ptx"));
        pane->grab();
        QCOMPARE(styleAt(*pane, "// Generated"), int(PtxStyle::comment));
        QCOMPARE(styleAt(*pane, ".visible"), int(PtxStyle::directive));
        QCOMPARE(styleAt(*pane, "ld.param"), int(PtxStyle::opcode));
        QCOMPARE(styleAt(*pane, "%ctaid.x"), int(PtxStyle::specialRegister));
    }

    void stylesCuda() {
        Shown pane(Language::cuda);
        pane->setText(fileText("saxpy.cu"));
        pane->grab();
        QCOMPARE(styleAt(*pane, "__global__"), 16); // QsciLexerCPP::KeywordSet2
        QCOMPARE(styleAt(*pane, "void"), 5);        // QsciLexerCPP::Keyword
        QCOMPARE(styleAt(*pane, "blockIdx"), 16);
        QCOMPARE(styleAt(*pane, "// y ="), 2);
    }

    void anOpenCommentReachesDown() {
        Shown pane;
        pane->setText("ret;\nret;\nret;\n");
        pane->grab();
        pane->goToLine(1);
        QTest::keyClicks(&pane->editor(), QStringLiteral("/*"));
        pane->grab();
        QCOMPARE(int(pane->editor().send(S::SCI_GETSTYLEAT, 14)), int(PtxStyle::comment));
        QTest::keyClick(&pane->editor(), Qt::Key_Z, Qt::ControlModifier);
        pane->grab();
        QCOMPARE(int(pane->editor().send(S::SCI_GETSTYLEAT, 11)), int(PtxStyle::opcode));
    }

    void typingIsToldOf() {
        Shown pane;
        pane->setText("ret;\n");
        QSignalSpy edited(&*pane, &CodePane::textEdited);
        QSignalSpy line(&*pane, &CodePane::cursorLineChanged);
        const quint64 before = pane->revision();
        QTest::keyClicks(&pane->editor(), QStringLiteral("ab"));
        QTest::keyClick(&pane->editor(), Qt::Key_Return);
        QCOMPARE(pane->text(), QByteArray("ab\nret;\n"));
        QVERIFY(edited.size() >= 3);
        QVERIFY(pane->revision() > before);
        QTRY_COMPARE(line.size(), 1);
        QCOMPARE(line[0][0].toInt(), 2);
        QVERIFY(pane->canUndo());
    }

    void readOnlyTakesNoKey() {
        Shown pane(Language::ptx, Access::readOnly);
        pane->setText("ret;\n");
        QTest::keyClicks(&pane->editor(), QStringLiteral("ab"));
        QCOMPARE(pane->text(), QByteArray("ret;\n"));
        pane->setTextKeepingView("bra;\n");
        QCOMPARE(pane->text(), QByteArray("bra;\n"));
        QVERIFY(pane->isReadOnly());
    }

    void aShortenedLineTakesNoKey() {
        const QByteArray text = "ret;\n// " + QByteArray(20'000, 'x') + "\nret;\n";
        Shown pane;
        pane->setText(text);
        pane->grab();
        pane->goToLine(2, 5);
        QTest::keyClicks(&pane->editor(), QStringLiteral("ab"));
        QCOMPARE(pane->text(), text);
        pane->goToLine(3, 1);
        QTest::keyClick(&pane->editor(), Qt::Key_Backspace);
        pane->goToLine(1, 5);
        QTest::keyClick(&pane->editor(), Qt::Key_Delete);
        pane->selectAll();
        QTest::keyClicks(&pane->editor(), QStringLiteral("x"));
        pane->cut();
        QCOMPARE(pane->text(), text);
        pane->goToLine(1, 1);
        QTest::keyClicks(&pane->editor(), QStringLiteral("a"));
        QCOMPARE(pane->text(), "a" + text);
        pane->goToLine(2, 5);
        QTest::keyClick(&pane->editor(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(pane->text(), text);
        QTest::keyClick(&pane->editor(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        pane->redo();
        QCOMPARE(pane->line(2).size(), 20'003);
    }

    void anotherWordingKeepsTheView() {
        Shown pane;
        QByteArray text;
        for (int i = 0; i < 400; ++i) text += "add.s32 %r1, %r1, " + QByteArray::number(i) + ";\n";
        pane->setText(text);
        pane->goToLine(200, 4);
        pane->editor().setFirstVisibleRow(190);
        QByteArray other = text;
        other.replace("%r1, 150;", "%r9, 150;\nret;");
        QSignalSpy edited(&*pane, &CodePane::textEdited);
        pane->setTextKeepingView(other);
        QCOMPARE(pane->text(), other);
        QVERIFY(edited.size() >= 1);
        QCOMPARE(pane->currentLine(), 201);
        QCOMPARE(pane->currentColumn(), 4);
        QCOMPARE(pane->editor().firstVisibleRow(), 191);
        const quint64 revision = pane->revision();
        pane->setTextKeepingView(other);
        QCOMPARE(pane->revision(), revision);
        pane->undo();
        QCOMPARE(pane->text(), text);
        QVERIFY(!pane->canUndo());
    }

    void replacesLines_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("count");
        QTest::addColumn<QByteArray>("with");
        QTest::addColumn<QByteArray>("wanted");
        QTest::newRow("one by two") << QByteArray("a\nb\nc\n") << 2 << 1 << QByteArray("x\ny\n")
                                    << QByteArray("a\nx\ny\nc\n");
        QTest::newRow("insert") << QByteArray("a\nb\n") << 2 << 0 << QByteArray("x\n") << QByteArray("a\nx\nb\n");
        QTest::newRow("remove") << QByteArray("a\nb\nc\n") << 2 << 1 << QByteArray() << QByteArray("a\nc\n");
        QTest::newRow("insert below a last line without an end")
            << QByteArray("a\nb") << 3 << 0 << QByteArray("x") << QByteArray("a\nb\nx");
        QTest::newRow("no end, but lines below")
            << QByteArray("a\nb\n") << 1 << 1 << QByteArray("x") << QByteArray("x\nb\n");
        QTest::newRow("carriage returns")
            << QByteArray("a\r\nb\r\n") << 2 << 1 << QByteArray("x\ny\n") << QByteArray("a\r\nx\r\ny\r\n");
    }

    void replacesLines() {
        QFETCH(QByteArray, text);
        QFETCH(int, first);
        QFETCH(int, count);
        QFETCH(QByteArray, with);
        Shown pane;
        pane->setText(text);
        pane->replaceLines(first, count, with);
        QTEST(pane->text(), "wanted");
        pane->undo();
        QCOMPARE(pane->text(), text);
        QVERIFY(!pane->canUndo());
    }

    void squiggles() {
        Shown pane;
        pane->setText("ret;\n\tadd.s32 %r1, %r2;\n\n");
        const Diagnostic list[] = {diagnostic(Severity::error, 2, 2, 7, "one operand is missing: <b>"),
                                   diagnostic(Severity::warning, 1, 0, 0, "no column"),
                                   diagnostic(Severity::note, 3, 1, 5, "an empty line"),
                                   diagnostic(Severity::error, 99, 1, 1, "beyond the end")};
        pane->setDiagnostics(list);
        QVERIFY(hasIndicator(*pane, indicator::error, 6));
        QVERIFY(hasIndicator(*pane, indicator::error, 12));
        QVERIFY(!hasIndicator(*pane, indicator::error, 13));
        QVERIFY(!hasIndicator(*pane, indicator::error, 5));
        QVERIFY(hasIndicator(*pane, indicator::warning, 0));
        QVERIFY(pane->editor().send(S::SCI_MARKERGET, 2) & (1 << marker::note));
        QCOMPARE(
            pane->editor().toolTipAt(7, 1),
            QStringLiteral("<p style='white-space:pre-wrap'>Error: one operand is missing: &lt;b&gt;\ndo this</p>"));
        QVERIFY(pane->editor().toolTipAt(14, 1).isEmpty());
        QVERIFY(pane->editor().toolTipAt(-1, 1).contains(QStringLiteral("one operand")));

        // They move with their line.
        pane->goToLine(1);
        QTest::keyClick(&pane->editor(), Qt::Key_Return);
        QVERIFY(pane->editor().toolTipAt(8, 2).contains(QStringLiteral("one operand")));

        pane->setDiagnostics({});
        QVERIFY(!hasIndicator(*pane, indicator::error, 7));
        QVERIFY(pane->editor().toolTipAt(-1, 2).isEmpty());
    }

    void aToolTipShows() {
        Shown pane;
        pane->setText("add.s32 %r1;\n");
        const Diagnostic list[] = {diagnostic(Severity::error, 1, 1, 7, "an operand is missing")};
        pane->setDiagnostics(list);
        const int x = int(pane->editor().send(S::SCI_POINTXFROMPOSITION, 0, 2L));
        const QPoint at(x, pane->editor().lineHeight() / 2);
        QHelpEvent help(QEvent::ToolTip, at, pane->editor().viewport()->mapToGlobal(at));
        QApplication::sendEvent(pane->editor().viewport(), &help);
        QVERIFY2(QToolTip::text().contains(QStringLiteral("an operand is missing")), qPrintable(QToolTip::text()));
        QToolTip::hideText();
    }

    void bothSidesOfARace() {
        Shown pane;
        pane->setText("st.shared.f32 [%r1], %f1;\nret;\nld.shared.f32 %f2, [%r2];\n");
        pane->setFindings({{1, 0, FindingMark::Side::primary, 4, QStringLiteral("race with line 3")},
                           {3, 0, FindingMark::Side::related, 4, QStringLiteral("race with line 1")}});
        QVERIFY(pane->editor().send(S::SCI_MARKERGET, 0) & (1 << marker::finding));
        QVERIFY(pane->editor().send(S::SCI_MARKERGET, 2) & (1 << marker::relatedFinding));
        QVERIFY(pane->editor().toolTipAt(-1, 2).contains(QStringLiteral("race with line 1")));
        QSignalSpy clicked(&*pane, &CodePane::findingClicked);
        const int x = int(pane->editor().send(S::SCI_GETMARGINWIDTHN, margin::lineNumbers) +
                          pane->editor().send(S::SCI_GETMARGINWIDTHN, margin::changes)) +
                      4;
        QTest::mouseClick(pane->editor().viewport(), Qt::LeftButton, {}, {x, pane->editor().lineHeight() * 5 / 2});
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked[0][0].toInt(), 4);
    }

    void findsText() {
        Shown pane;
        pane->setText("mov.u32 %r1, 1;\nMOV.u32 %r2, 2;\nadd.u32 %r3, 3;\n");
        pane->showFind();
        auto* field = pane->findChild<QLineEdit*>();
        QVERIFY(field->isVisible());
        QTest::keyClicks(field, QStringLiteral("mov"));
        QCOMPARE(pane->currentLine(), 1);
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(pane->currentLine(), 2);
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(pane->currentLine(), 1);
        QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(pane->currentLine(), 2);
        QVERIFY(hasIndicator(*pane, indicator::match, 1));
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!field->isVisible());
        QVERIFY(pane->editor().hasFocus());
        QVERIFY(!hasIndicator(*pane, indicator::match, 1));
    }

    void goesToALine() {
        Shown pane;
        pane->setText(QByteArray("ret;\n").repeated(500));
        pane->showGoToLine();
        auto* field = pane->findChild<QLineEdit*>();
        QTest::keyClicks(field, QStringLiteral("900"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(field->isVisible());
        field->clear();
        QTest::keyClicks(field, QStringLiteral("321:3"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(pane->currentLine(), 321);
        QCOMPARE(pane->currentColumn(), 3);
        QVERIFY(!field->isVisible());
        const int row = 320 - pane->editor().firstVisibleRow();
        QVERIFY(row >= 0 && row < pane->editor().rowsOnScreen());
    }

    void headerSaysStateInWords() {
        Shown pane;
        pane->setTitle({QStringLiteral("vectorized"), QStringLiteral("sm_90"), QStringLiteral("-O3"), PaneState::passed,
                        QStringLiteral("emulator")});
        QCOMPARE(pane->header().chipText(), QStringLiteral("\u2713 Passed (emulator)"));
        QVERIFY(pane->header().accessibleName().contains(QStringLiteral("vectorized")));
        QVERIFY(pane->header().accessibleName().contains(QStringLiteral("sm_90")));
        pane->setTitle({QStringLiteral("vectorized"), {}, {}, PaneState::stale, {}});
        QCOMPARE(pane->header().chipText(), QStringLiteral("\u21BB Stale"));
        pane->setTitle({});
        QCOMPARE(pane->header().chipText(), QString());
        QVERIFY(!pane->editor().accessibleName().isEmpty());
    }

    void themeSwitches() {
        Shown pane;
        pane->setText(fileText("saxpy.sm_90.ptx"));
        for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
            pane->setTheme(*theme);
            const QImage image = pane->editor().viewport()->grab().toImage();
            QCOMPARE(image.pixelColor(image.width() - 5, image.height() / 2), theme->background);
            const long opcode = pane->editor().send(S::SCI_STYLEGETFORE, int(PtxStyle::opcode));
            const QColor wanted = theme->of(SyntaxColour::opcode);
            QCOMPARE(opcode, long(wanted.red() | (wanted.green() << 8) | (wanted.blue() << 16)));
        }
    }

    /// However the widest line came: the bar reaches its end, and an end that is not far off.
    void scrollsToTheEndOfTheWidestLine() {
        Shown pane;
        const auto endIsReached = [&](int line) {
            Editor& editor = pane->editor();
            QScrollBar* bar = editor.horizontalScrollBar();
            const long wide = editor.send(S::SCI_TEXTWIDTH, S::STYLE_DEFAULT, QByteArray(20, '9').constData());
            const auto x = [&] { return editor.send(S::SCI_POINTXFROMPOSITION, 0, editor.lineEnd(line)); };
            QTRY_VERIFY(bar->maximum() > 0);
            QTRY_VERIFY2((bar->setValue(bar->maximum()), x() < editor.viewport()->width()), "cut off");
            QVERIFY2(x() > editor.viewport()->width() - wide, "scrolls into nothing");
        };
        const QByteArray wide = "\t// " + QByteArray(300, 'w') + "\tend";
        pane->showText(QStringLiteral("wide"), "ret;\n" + wide + "\nret;\n");
        endIsReached(1);
        pane->setZoom(4);
        endIsReached(1);
        pane->setZoom(0);
        endIsReached(1);
        pane->goToLine(3, 5);
        for (int i = 0; i < 350; ++i) QTest::keyClick(&pane->editor(), Qt::Key_X);
        endIsReached(2);
        const QByteArray typed = pane->text();
        pane->showText(QStringLiteral("narrow"), "ret;\n");
        QTRY_COMPARE(pane->editor().horizontalScrollBar()->maximum(), 0);
        pane->showText(QStringLiteral("wide"), typed);
        endIsReached(2);
        pane->showText(QStringLiteral("empty"), {});
        QTRY_COMPARE(pane->editor().horizontalScrollBar()->maximum(), 0);
    }

    void tenThousandLinesOpen() {
        QByteArray text;
        for (int i = 0; i < 10'000; ++i) text += "\tfma.rn.f32 \t%f1, %f2, %f3, %f" + QByteArray::number(i) + ";\n";
        Shown pane;
        pane->setText(text);
        QCOMPARE(pane->lineCount(), 10'001);
        pane->goToLine(9'999);
        pane->grab();
        QCOMPARE(styleAt(*pane, "fma.rn.f32 \t%f1, %f2, %f3, %f9998"), int(PtxStyle::opcode));
        QCOMPARE(pane->text(), text);
    }
};

QTEST_MAIN(CodePaneTest)
#include "code_pane_test.moc"

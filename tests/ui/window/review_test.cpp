// The review as a person does it: comments by keyboard and mouse, a decision that an edit withdraws, a bundle, two
// sessions side by side. The session was judged by an H200 (tests/data/worker/h200/gallery).
#include "../../review/reviewed.h"
#include "editors/comment_marks.h"
#include "panels/review_panel.h"
#include "window.h"
#include "window/notice_bar.h"
#include "window/reviewing.h"
#include "window/session_comparison.h"

#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QStatusBar>
#include <QTableWidget>
#include <QTreeWidget>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

class Reviewer : public Person {
public:
    explicit Reviewer(const session::Session& judged) {
        session::Session session = judged;
        file = m_folder.filePath(QStringLiteral("tuning.ptxwb"));
        need(session::save(session, file.toStdString()));
        open(file);
        choose(QStringLiteral("vectorized"));
        auto* dock = window.findChild<QDockWidget*>(QStringLiteral("review"));
        dock->show();
        dock->raise();
    }

    template <class Widget>
    Widget* field(const char* name) {
        auto* found = window.findChild<Widget*>(QLatin1String(name));
        if (!found) qFatal("no %s", name);
        return found;
    }
    void fill(const char* name, const QString& text) {
        auto* line = field<QLineEdit>(name);
        line->setFocus();
        line->selectAll();
        QTest::keyClick(line, Qt::Key_Delete);
        QTest::keyClicks(line, text);
        QTest::keyClick(line, Qt::Key_Tab);
    }
    void write(const char* name, const QString& text) {
        auto* area = field<QPlainTextEdit>(name);
        area->setFocus();
        QTest::keyClicks(area, text);
    }
    void press(const char* name) {
        auto* button = field<QPushButton>(name);
        QTRY_VERIFY2(button->isEnabled(), qPrintable(window.reviewing().panel()->decision().obstacles()));
        QTest::mouseClick(button, Qt::LeftButton);
    }
    void showPage(ReviewPanel::Page page) { window.reviewing().panel()->showPage(page); }
    const session::Review& review() { return window.document().session().review; }
    CommentsPage& comments() { return window.reviewing().panel()->comments(); }
    DecisionPage& decision() { return window.reviewing().panel()->decision(); }

    QString file;

private:
    QTemporaryDir m_folder;
};

} // namespace

class ReviewTest : public QObject {
    Q_OBJECT

private slots:
    void aCommentFromASelection() {
        Reviewer person(onH200("saxpy"));
        person.showPage(ReviewPanel::Page::decision);
        person.fill("decisionReviewer", qt(grace));
        CodePane& pane = person.window.view().candidate();
        pane.goToLine(12);
        pane.editor().setFocus();
        for (int i = 0; i < 3; ++i) QTest::keyClick(&pane.editor(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(&pane.editor(), Qt::Key_M, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(person.comments().isWritingNew());
        QVERIFY(!person.field<QPushButton>("reviewSubmit")->isEnabled());
        person.write("reviewText", QStringLiteral("Why this order?"));
        person.press("reviewSubmit");
        QTRY_COMPARE(person.review().comments.size(), std::size_t(1));
        const session::Comment& comment = person.review().comments.front();
        QCOMPARE(comment.line, 12u);
        QCOMPARE(comment.lineCount(), 3u);
        QCOMPARE(comment.author, grace);
        QTRY_COMPARE(person.comments().tree().topLevelItemCount(), 1);
        QCOMPARE(person.window.reviewing().marks(PaneId::candidate).lines(), std::vector<int>{12});
        QVERIFY(person.window.reviewing().marks(PaneId::candidate).toolTip(12).contains("Why this order?"));

        // The thread: an answer, resolved, hidden, shown again, reopened.
        person.comments().choose(qt(comment.id));
        person.write("reviewText", QStringLiteral("To hide the latency."));
        person.press("reviewSubmit");
        QTRY_COMPARE(person.review().comments.front().replies.size(), std::size_t(1));
        QTRY_VERIFY(person.comments().thread().contains("To hide the latency."));
        QVERIFY(person.comments().thread().contains(pane.line(12)));
        person.press("reviewResolve");
        QTRY_VERIFY(person.review().comments.front().resolved);
        QTRY_COMPARE(person.comments().tree().topLevelItemCount(), 0);
        QTest::mouseClick(person.field<QWidget>("reviewShowResolved"), Qt::LeftButton, {}, QPoint(8, 8));
        QTRY_COMPARE(person.comments().tree().topLevelItemCount(), 1);
        person.comments().choose(qt(comment.id));
        person.press("reviewResolve");
        QTRY_VERIFY(!person.review().comments.front().resolved);
        person.press("reviewRemove");
        QTRY_VERIFY(person.review().comments.empty());
        QTRY_VERIFY(person.window.reviewing().marks(PaneId::candidate).lines().empty());
    }

    void aCommentFollowsItsLineAsOneTypes() {
        Reviewer person(onH200("saxpy"));
        CodePane& pane = person.window.view().candidate();
        pane.goToLine(20);
        pane.editor().setFocus();
        const QByteArray about = pane.line(20);
        QTest::keyClick(&pane.editor(), Qt::Key_M, Qt::ControlModifier | Qt::AltModifier);
        person.write("reviewText", QStringLiteral("here"));
        person.press("reviewSubmit");
        QTRY_COMPARE(person.review().comments.size(), std::size_t(1));
        pane.goToLine(2);
        person.type(QStringLiteral("// one\n// two\n"));
        person.waitForAnalysis();
        QTRY_COMPARE(person.review().comments.front().line, 22u);
        QCOMPARE(QByteArray::fromStdString(person.review().comments.front().anchor.lines.front()), about);
        QTRY_COMPARE(person.window.reviewing().marks(PaneId::candidate).lines(), std::vector<int>{22});
        // Another candidate has no such mark; coming back it is there again.
        person.choose(QStringLiteral("unmasked_tail"));
        QTRY_VERIFY(person.window.reviewing().marks(PaneId::candidate).lines().empty());
        person.choose(QStringLiteral("vectorized"));
        QTRY_COMPARE(person.window.reviewing().marks(PaneId::candidate).lines(), std::vector<int>{22});
        // A click on the flag opens the thread, a click on the row goes to the line.
        Editor& editor = pane.editor();
        pane.goToLine(22);
        const int y = int(editor.send(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0, editor.lineStart(21))) + 4;
        int x = 0;
        for (int margin = 0; margin < 2; ++margin)
            x += int(editor.send(QsciScintillaBase::SCI_GETMARGINWIDTHN, std::uintptr_t(margin)));
        QTest::mouseClick(editor.viewport(), Qt::LeftButton, {}, QPoint(x + 4, y));
        QTRY_COMPARE(person.comments().chosen(), qt(person.review().comments.front().id));
        pane.goToLine(1);
        QTreeWidget& tree = person.comments().tree();
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualItemRect(tree.topLevelItem(0)).center());
        QTRY_COMPARE(pane.currentLine(), 22);
    }

    void aCommentOnAChange() {
        Reviewer person(onH200("saxpy"));
        person.window.actions().nextChange->trigger();
        const auto [first, count] = person.window.view().changedLines();
        QVERIFY(first > 0);
        person.key(Qt::Key_M, Qt::ControlModifier | Qt::AltModifier | Qt::ShiftModifier);
        if (count == 0) QSKIP("the first change is one of the other side");
        person.write("reviewText", QStringLiteral("this change"));
        person.press("reviewSubmit");
        QTRY_COMPARE(person.review().comments.size(), std::size_t(1));
        QCOMPARE(int(person.review().comments.front().line), first);
        QCOMPARE(int(person.review().comments.front().lineCount()), count);
    }

    void whyTheButtonIsDisabled() {
        Reviewer person(onH200("saxpy"));
        person.showPage(ReviewPanel::Page::decision);
        QPushButton* decide = person.field<QPushButton>("decisionDecide");
        person.fill("decisionReviewer", {});
        QTRY_VERIFY(person.decision().obstacles().contains("the reviewer's name is missing"));
        QVERIFY(person.decision().obstacles().contains("the reason is missing"));
        QVERIFY(!decide->isEnabled());
        person.fill("decisionReviewer", qt(ada));
        person.write("decisionReason", QStringLiteral("fine"));
        QTRY_VERIFY(person.decision().obstacles().contains("is an author of it: another person must approve it"));
        person.fill("decisionReviewer", qt(grace));
        QTRY_VERIFY(decide->isEnabled());
        person.fill("decisionTargets", QStringLiteral("sm_90 sm_100"));
        QTRY_VERIFY(person.decision().obstacles().contains("no GPU has judged it for sm_100"));
        QVERIFY(!decide->isEnabled());
        // Sending it back is for any target.
        QTest::mouseClick(person.field<QRadioButton>("decisionRequest"), Qt::LeftButton, {}, QPoint(8, 8));
        QTRY_VERIFY(decide->isEnabled());
        QTest::mouseClick(person.field<QRadioButton>("decisionApprove"), Qt::LeftButton, {}, QPoint(8, 8));
        QTRY_VERIFY(!decide->isEnabled());
        person.fill("decisionTargets", QStringLiteral("sm_90"));
        person.choose(QStringLiteral("unmasked_tail"));
        QTRY_VERIFY(person.decision().obstacles().contains("it fails ("));
        person.choose(QStringLiteral("vectorized"));
        person.type(QStringLiteral(" "));
        QTRY_VERIFY(person.decision().obstacles().contains("its verdict is stale: its text has changed"));
    }

    void anEditWithdrawsAnApproval() {
        Reviewer person(onH200("saxpy"));
        person.showPage(ReviewPanel::Page::decision);
        person.fill("decisionReviewer", qt(grace));
        person.write("decisionReason", QStringLiteral("same results, half the instructions"));
        person.press("decisionDecide");
        QTRY_COMPARE(person.review().decisions.size(), std::size_t(1));
        QTRY_VERIFY(person.decision().standing().contains("vectorized: approved by Grace Hopper"));
        QVERIFY(person.window.document().isDirty());
        QVERIFY(person.window.reviewing().panel()->checklistSummary().contains("met"));
        // Grace becomes an author by typing; the approval is gone, and the window says so.
        Editor& editor = person.window.view().candidate().editor();
        person.window.view().candidate().goToLine(3);
        person.type(QStringLiteral("x"));
        QTRY_VERIFY(person.decision().standing().contains("approval withdrawn"));
        QVERIFY(person.decision().standing().contains("the PTX has changed"));
        QVERIFY(person.window.notices().text().contains("approval withdrawn"));
        QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
        // The bytes are those that were approved, but by now she has written at it.
        QTRY_VERIFY(person.decision().standing().contains("is an author of it"));
        person.fill("decisionAuthors", qt(ada));
        QTRY_VERIFY(person.decision().standing().contains("approved by Grace Hopper"));
    }

    void theReviewComesBackFromTheFile() {
        Reviewer person(approvedSaxpy());
        QTRY_VERIFY(person.decision().standing().contains("approved by Grace Hopper"));
        person.window.view().candidate().goToLine(5);
        person.key(Qt::Key_M, Qt::ControlModifier | Qt::AltModifier);
        person.write("reviewText", QStringLiteral("kept?"));
        person.press("reviewSubmit");
        QTRY_COMPARE(person.review().comments.size(), std::size_t(1));
        QVERIFY(person.window.files().save());
        Reviewer again(need(session::load(person.file.toStdString())).session);
        QCOMPARE(again.review(), person.review());
        QTRY_COMPARE(again.comments().tree().topLevelItemCount(), 1);
    }

    void openCommentsGoToTheModel() {
        Reviewer person(onH200("saxpy"));
        QVERIFY(!person.field<QPushButton>("reviewModel")->isEnabled());
        person.window.view().candidate().goToLine(20);
        person.key(Qt::Key_M, Qt::ControlModifier | Qt::AltModifier);
        person.write("reviewText", QStringLiteral("use one load of 16 bytes"));
        person.press("reviewSubmit");
        QSignalSpy asked(&person.window.reviewing(), &Reviewing::askModel);
        person.press("reviewModel");
        QTRY_COMPARE(asked.count(), 1);
        QVERIFY(asked.front().front().toString().contains("- line 20:\n"));
        QVERIFY(asked.front().front().toString().contains("use one load of 16 bytes"));
    }

    void aBundleFromTheWindow() {
        Reviewer person(approvedSaxpy());
        const QString bundle = QFileInfo(person.file).dir().filePath(QStringLiteral("x.ptxbundle"));
        int dialogs = 0;
        QTimer answers;
        connect(&answers, &QTimer::timeout, &answers, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!dialog || !dialog->isVisible()) return;
            if (++dialogs == 1) {
                dialog->selectFile(bundle);
                dialog->findChild<QLineEdit*>()->setText(bundle);
                QMetaObject::invokeMethod(dialog, "accept");
            } else {
                dialog->reject(); // not signed
            }
        });
        answers.start(50);
        person.showPage(ReviewPanel::Page::decision);
        person.press("decisionBundle");
        QTRY_VERIFY_WITH_TIMEOUT(!person.window.statusBar()->currentMessage().startsWith("Making"), 30000);
        const QString said = person.window.statusBar()->currentMessage();
        if (said.contains("is not here")) QSKIP("the recording's ptxas (13.0.88) is not here");
        QVERIFY2(QFileInfo::exists(bundle), qPrintable(said));
        QVERIFY2(said.contains("x.ptxbundle: approved by Grace Hopper"), qPrintable(said));
        QVERIFY2(said.endsWith("not signed."), qPrintable(said));
    }

    void twoSessionsSideBySide() {
        session::Session other = approvedSaxpy();
        named(other, "vectorized").text += "// another\n";
        SessionComparison window(onH200("saxpy"), "c1", other, lightTheme());
        window.show();
        QTRY_VERIFY(!window.isRunning());
        QVERIFY(window.view().candidate().isReadOnly());
        QCOMPARE(window.choice(0).currentText(), QStringLiteral("vectorized"));
        QCOMPARE(window.choice(1).currentText(), QStringLiteral("vectorized"));
        const auto cell = [&](const QString& what, int column) {
            QTableWidget& table = window.figures();
            for (int row = 0; row < table.rowCount(); ++row)
                if (table.verticalHeaderItem(row)->text() == what) return table.item(row, column)->text();
            return QStringLiteral("no such row");
        };
        QVERIFY(cell("Verdict", 0).startsWith("pass"));
        QVERIFY(cell("Verdict", 1).startsWith("stale"));
        QCOMPARE(cell("Review", 0), QStringLiteral("not decided"));
        QVERIFY(cell("Review", 1).startsWith("approval withdrawn"));
        QTest::keyClick(&window.choice(1), Qt::Key_Down);
        QTRY_VERIFY(window.choice(1).currentText() != "vectorized");
        QTRY_VERIFY(!window.isRunning());
        QVERIFY(!window.view().changeList().empty());
    }

    void everyActionIsInTheMenu() {
        Reviewer person(onH200("saxpy"));
        QStringList titles;
        for (QAction* each : person.window.menuBar()->actions()) titles += each->text();
        QVERIFY(titles.contains("Revie&w"));
        QCOMPARE(titles.last(), QStringLiteral("&Help"));
        for (QAction* each : person.window.reviewing().actions()) QVERIFY(!each->statusTip().isEmpty());
        std::map<QString, QString> keys;
        for (QAction* each : person.window.findChildren<QAction*>())
            if (!each->shortcut().isEmpty() && each->shortcutContext() == Qt::WindowShortcut) {
                const QString key = each->shortcut().toString();
                QVERIFY2(!keys.contains(key) || keys[key] == each->text(), qPrintable(key + each->text() + keys[key]));
                keys[key] = each->text();
            }
    }
};

int main(int count, char** arguments) {
    const OwnSettings own;
    QApplication application(count, arguments);
    ReviewTest test;
    return QTest::qExec(&test, count, arguments);
}

#include "review_test.moc"

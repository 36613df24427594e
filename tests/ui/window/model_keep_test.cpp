// What stays of a conversation: candidates, single changes, the history in the session, and never the key. And what
// works without a network: the prompt to copy, a reply to paste, recorded conversations.
#include "model_window.h"

#include "dialogs/paste_reply.h"

#include <QClipboard>
#include <QDirIterator>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

/// The first file below `folder` that holds five or more letters of the key.
QString leak(const QString& folder) {
    QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QByteArray content = file.readAll();
        for (int i = 0; i + 5 <= theKey.size(); ++i)
            if (content.contains(theKey.mid(i, 5).toLatin1())) return file.fileName();
    }
    return {};
}

/// The first widget that shows letters of it.
QString shownLeak(const QWidget& window) {
    const auto holds = [](const QString& text) {
        for (int i = 0; i + 5 <= theKey.size(); ++i)
            if (text.contains(theKey.mid(i, 5))) return true;
        return false;
    };
    for (const auto* view : window.findChildren<QPlainTextEdit*>())
        if (holds(view->toPlainText())) return view->objectName();
    for (const auto* label : window.findChildren<QLabel*>())
        if (holds(label->text() + label->toolTip())) return label->text();
    for (const auto* tree : window.findChildren<QTreeWidget*>())
        for (const QTreeWidgetItem* item : tree->findItems({}, Qt::MatchContains | Qt::MatchRecursive))
            if (holds(item->text(0) + item->text(1) + item->text(2))) return tree->objectName();
    return {};
}

} // namespace

class ModelKeepTest : public QObject {
    Q_OBJECT

    OwnSettings m_settings;

    void pasteReply(ModelPerson& person, const QString& reply) {
        NextDialog<PasteReply, std::function<void(PasteReply&)>> answer([&](PasteReply& dialog) {
            auto* text = dialog.findChild<QPlainTextEdit*>("pastedReply");
            QGuiApplication::clipboard()->setText(reply);
            text->setFocus();
            QTest::keyClick(text, Qt::Key_V, Qt::ControlModifier);
            QTest::mouseClick(dialog.findChild<QAbstractButton*>("pastedTake"), Qt::LeftButton);
        });
        person.press("modelPaste");
        QTRY_VERIFY(answer.wasShown);
        QTRY_COMPARE_WITH_TIMEOUT(int(person.window.model().page()), int(ModelPerson::Page::talk), 20000);
        person.waitForEnd();
    }

private slots:
    void initTestCase() {
        qputenv("PTXWB_KEYRING", "off");
        qunsetenv("TEST_MODEL_KEY");
    }

    void promptOutAndReplyIn() {
        ModelPerson person;
        person.open("saxpy");
        person.openPanel();
        person.typeInto(person.part<QPlainTextEdit>("modelWish"), "as short as it gets");
        QGuiApplication::clipboard()->clear();
        person.press("modelCopy");
        QTRY_VERIFY_WITH_TIMEOUT(QGuiApplication::clipboard()->text().contains("as short as it gets"), 20000);
        QVERIFY(QGuiApplication::clipboard()->text().contains(".visible .entry saxpy"));
        const auto before = person.names();
        pasteReply(person, QString::fromStdString(fenced(saxpyCandidate("vectorized"))));
        QCOMPARE(person.names().size(), before.size() + 1);
        const session::Candidate& added = person.window.document().session().candidates.back();
        QCOMPARE(int(added.origin.kind), int(session::OriginKind::import));
        QVERIFY(added.judgement.has_value());
        QCOMPARE(person.lastConversation().provider, std::string("pasted"));
        QCOMPARE(person.lastConversation().threads.front().turns.front().attempts.front().candidate, added.id);
        // Nothing usable: a row with the reason.
        person.part<QTabWidget>("modelTabs").setCurrentIndex(0);
        pasteReply(person, "I am sorry.");
        QCOMPARE(person.part<QTreeWidget>("talkTree").topLevelItem(0)->child(0)->text(1), QString("unusable"));
        QCOMPARE(person.names().size(), before.size() + 1);
    }

    void cudaIsOfferedToCompile() {
        ModelPerson person;
        person.open("saxpy");
        person.openPanel();
        const auto before = person.names().size();
        pasteReply(
            person,
            "```cuda\n__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = a * x[i] + y[i];\n}\n```\n");
        QCOMPARE(person.names().size(), before);
        QVERIFY(person.part<QAbstractButton>("talkCompile").isVisible());
        person.press("talkCompile");
        person.waitForEnd();
        QVERIFY(!person.part<QAbstractButton>("talkCompile").isVisible());
        auto& tree = person.part<QTreeWidget>("talkTree");
        const QString what = tree.topLevelItem(0)->child(1)->text(2);
        if (person.names().size() == before) {
            QVERIFY2(what.contains("nvcc"), qPrintable(what));
            QSKIP("there is no nvcc: the panel says so");
        }
        QVERIFY2(what.contains("by nvcc"), qPrintable(what));
    }

    void aRecordedConversationNeedsNoKey() {
        ModelPerson person;
        person.open("saxpy");
        person.openPanel();
        QCOMPARE(person.part<QComboBox>("modelProvider").currentText(), QString("Recorded conversation: saxpy"));
        QVERIFY(person.part<QLabel>("modelKeyState").text().contains("no key"));
        person.number("modelCandidates", 2);
        person.number("modelRounds", 3);
        person.preview();
        QVERIFY(person.part<QLabel>("previewHead").text().startsWith("Nothing leaves this machine"));
        person.send();
        person.waitForEnd();
        const session::Conversation& talk = person.lastConversation();
        bool failed = false, passed = false;
        for (const session::ChatThread& thread : talk.threads)
            for (const session::ChatTurn& turn : thread.turns)
                for (const session::ChatAttempt& attempt : turn.attempts) {
                    failed = failed || attempt.verdict == "fail";
                    passed = passed || (failed && attempt.verdict != "fail" && !attempt.candidate.empty());
                }
        QVERIFY(failed);
        QVERIFY2(passed, "no failed round was repaired");
        // Without ptxas nothing can pass, as nothing is assembled.
        if (talk.ended != "better") QVERIFY2(talk.ended == "exhausted", talk.ended.c_str());
        QVERIFY(person.window.model().costLine().startsWith("No question has left"));
    }

    void changesAreTakenOneByOne() {
        ModelPerson person;
        person.open("saxpy");
        person.openPanel();
        pasteReply(person, QString::fromStdString(fenced(saxpyCandidate("vectorized"))));
        Document& document = person.window.document();
        const QString proposal = QString::fromStdString(document.session().candidates.back().id);
        person.choose("unmasked_tail");
        const QString target = document.current(), start = document.text(target);
        auto& tree = person.part<QTreeWidget>("talkTree");
        tree.setCurrentItem(tree.topLevelItem(0)->child(0));
        person.press("talkChanges");
        ModelChanges& changes = person.window.model().changes();
        QTRY_VERIFY2(changes.reason().isEmpty(), qPrintable(changes.reason()));
        const std::size_t count = changes.open().size();
        QVERIFY(count > 1);
        QVERIFY(changes.taken().empty());

        const auto choose = [&](bool open, int index) {
            auto& list = person.part<QTreeWidget>("changesTree");
            list.setCurrentItem(list.topLevelItem(open ? 0 : 1)->child(index));
        };
        choose(true, 0);
        QVERIFY(person.text("changesDiff").contains('+') || person.text("changesDiff").contains('-'));
        person.press("changesAccept");
        QTRY_COMPARE(changes.open().size(), count - 1);
        QCOMPARE(changes.taken().size(), std::size_t{1});
        QVERIFY(document.text(target) != start);
        // One step of undo, and the change is proposed again.
        Editor& editor = person.window.view().candidate().editor();
        editor.setFocus();
        QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(document.text(target), start);
        QTRY_COMPARE(changes.open().size(), count);
        QVERIFY(changes.taken().empty());
        // Taken, then reverted from the list, which is one step as well.
        choose(true, 1);
        person.press("changesAccept");
        QTRY_COMPARE(changes.taken().size(), std::size_t{1});
        const QString after = document.text(target);
        choose(false, 0);
        person.press("changesRevert");
        QTRY_COMPARE(document.text(target), start);
        QTRY_VERIFY(changes.taken().empty());
        editor.setFocus();
        QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(document.text(target), after);
        // One after another they make the proposal.
        QTRY_COMPARE(changes.taken().size(), std::size_t{1});
        while (!changes.open().empty()) {
            const std::size_t left = changes.open().size();
            choose(true, 0);
            person.press("changesAccept");
            QTRY_VERIFY(changes.open().size() < left);
        }
        QCOMPARE(document.text(target), document.text(proposal));
        // All at once, which is one step too.
        editor.setFocus();
        while (document.text(target) != start && person.window.view().candidate().canUndo()) {
            QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
            person.waitForAnalysis();
        }
        QTRY_COMPARE(changes.open().size(), count);
        person.press("changesAcceptAll");
        QTRY_COMPARE(document.text(target), document.text(proposal));
        QTRY_VERIFY(changes.open().empty());
        editor.setFocus();
        QTest::keyClick(&editor, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(document.text(target), start);
        // The proposal itself takes nothing from itself.
        document.setCurrent(proposal);
        QTRY_VERIFY(changes.reason().contains("itself is the current candidate"));
        document.setCurrent(Document::baselineId());
        QTRY_VERIFY(changes.reason().contains("baseline takes no changes"));
    }

    void aRegion() {
        ModelPerson person;
        person.open("saxpy");
        person.openPanel();
        // Selected in the pane that is begun with.
        CodePane& pane = person.window.view().baseline();
        int body = 1;
        while (body < pane.lineCount() && !pane.line(body).contains("ld.global")) ++body;
        pane.goToLine(body);
        pane.editor().setFocus();
        for (int i = 0; i < 2; ++i) QTest::keyClick(&pane.editor(), Qt::Key_Home); // in front of the indentation
        QTest::keyClick(&pane.editor(), Qt::Key_Down, Qt::ShiftModifier);
        auto& region = person.part<QComboBox>("modelRegion");
        QTRY_COMPARE(region.itemText(1), QString("the selected lines %1 to %1").arg(body));
        region.setCurrentIndex(1);
        person.preview();
        QVERIFY2(person.text("previewText").contains(QString("Only lines %1 to %1").arg(body)),
                 qPrintable(person.text("previewText")));
        person.press("previewBack");
        // A kernel without a loop has no hottest one.
        region.setCurrentIndex(2);
        person.press("modelPreview");
        QTRY_VERIFY2(person.part<QLabel>("modelProblem").text().contains("has no loop"),
                     qPrintable(person.part<QLabel>("modelProblem").text()));
        person.open("sgemm_tiled");
        region.setCurrentIndex(2);
        person.preview();
        const auto labels = person.window.model().preview().findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->text().contains("% of the warp instructions that the emulator counted");
        }));
    }

    void theHistoryStaysAndTheKeyDoesNot() {
        TestServer server;
        useServer(m_settings, server);
        const std::string repeats = "Your key " + theKey.toStdString() + " is fine.\n" +
                                    fenced(saxpyCandidate("vectorized") + "// " + theKey.toStdString() + "\n");
        server.then(streams(openAiStream(repeats, "I see " + theKey.toStdString())));
        const QTemporaryDir folder;
        const QString file = folder.filePath("tuning.ptxwb");
        session::Conversation kept;
        {
            ModelPerson person;
            person.open("saxpy");
            person.setUp();
            person.preview();
            person.send();
            person.waitForEnd();
            QVERIFY(!server.received().empty());
            QCOMPARE(shownLeak(person.window), QString());
            QVERIFY(person.window.document().saveAs(file).has_value());
            person.window.document().autosaveNow();
            kept = person.lastConversation();
            QVERIFY(!kept.opening.empty());
            QVERIFY(QString::fromStdString(kept.threads.front().turns.front().text).contains("[key]"));
            // A person's settings are written when the window closes.
            person.window.close();
        }
        QCOMPARE(leak(folder.path()), QString());
        QCOMPARE(leak(m_settings.path()), QString());
        ModelPerson again;
        again.open(file);
        QCOMPARE(again.window.document().session().conversations.size(), std::size_t{1});
        QVERIFY(again.lastConversation() == kept);
        again.window.model().showPage(ModelPerson::Page::talk);
        QCOMPARE(again.part<QComboBox>("talkList").count(), 1);
        QVERIFY(again.text("talkText").contains("Your key [key] is fine."));
        again.part<QTabBar>("talkForms").setCurrentIndex(1);
        QVERIFY(again.text("talkText").contains(".visible .entry saxpy"));
        QVERIFY2(again.window.model().costLine().startsWith("1 request"), qPrintable(again.window.model().costLine()));
        // Forgotten: gone from the session, its candidate stays.
        QVERIFY(!again.window.document().isDirty());
        again.window.findChild<QDockWidget*>("model")->raise();
        const auto candidates = again.names();
        again.press("talkForget");
        QVERIFY(again.window.document().session().conversations.empty());
        QVERIFY(again.window.document().isDirty());
        QCOMPARE(again.names(), candidates);
        again.window.document().discardAutosave();
    }

    void anotherSessionEndsTheRun() {
        TestServer server;
        useServer(m_settings, server);
        server.then([](Connection& connection) {
            connection.send(head(200, "text/event-stream"));
            connection.send("data: {\"choices\":[{\"delta\":{\"content\":\"It began\"}}]}\n\n");
            while (!connection.serverEnds() && connection.wait(std::chrono::milliseconds(20))) {
            }
        });
        ModelPerson person;
        person.open("saxpy");
        person.setUp();
        person.preview();
        person.send();
        QTRY_VERIFY(person.text("talkText").contains("It began"));
        NextDialog<QMessageBox, std::function<void(QMessageBox&)>> discard(
            [](QMessageBox& box) { box.button(QMessageBox::Discard)->click(); });
        person.open("reduce");
        QVERIFY(!person.window.chat().isBusy());
        QVERIFY(person.window.document().session().conversations.empty());
        QTest::qWait(200);
        QVERIFY(person.window.document().session().conversations.empty());
    }
};

int main(int count, char** arguments) {
    ModelKeepTest test; // its settings come before the application
    const QApplication application(count, arguments);
    return QTest::qExec(&test, count, arguments);
}
#include "model_keep_test.moc"

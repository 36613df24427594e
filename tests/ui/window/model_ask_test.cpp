// Asking a model in the window: consent, stream, stop, again, what further questions need, what it may cost.
#include "model_window.h"

#include <QJsonDocument>
#include <QJsonObject>

using namespace ptxwb;
using namespace ptxwb::test;
using namespace std::chrono_literals;

class ModelAskTest : public QObject {
    Q_OBJECT

    OwnSettings m_settings;

private slots:
    void initTestCase() { qputenv("PTXWB_KEYRING", "off"); }

    void nothingLeavesBeforeConsent() {
        TestServer server;
        useServer(m_settings, server);
        server.then(streams(openAiStream(fenced(saxpyCandidate("vectorized")))));
        ModelPerson person;
        person.open("saxpy");
        person.setUp();
        person.typeInto(person.part<QPlainTextEdit>("modelWish"), "Wide loads; keep it READABLE.");
        person.preview();
        const QString shown = person.text("previewText");
        QVERIFY(shown.contains("Wide loads; keep it READABLE."));
        QVERIFY(shown.contains("ld.global") && shown.contains("y = a*x + y"));
        const QString head = person.part<QLabel>("previewHead").text();
        QVERIFY2(head.contains(QString::fromStdString(server.url()) + "/chat/completions"), qPrintable(head));
        person.part<QTabBar>("previewForms").setCurrentIndex(1);
        const QByteArray body = person.text("previewText").toUtf8();
        QCOMPARE(QJsonDocument::fromJson(body).object()["model"].toString(), QString("m"));
        QVERIFY(!body.contains(theKey.left(8).toLatin1()));
        QTest::qWait(300);
        QCOMPARE(server.received().size(), std::size_t{0});
        // Back: nothing was sent.
        person.press("previewBack");
        QCOMPARE(int(person.window.model().page()), int(ModelPerson::Page::ask));
        person.preview();
        QCOMPARE(server.received().size(), std::size_t{0});
        person.send();
        person.waitForEnd();
        const auto received = server.received();
        QCOMPARE(received.size(), std::size_t{1});
        QCOMPARE(QByteArray::fromStdString(received[0].body), body);
        QCOMPARE(QString::fromStdString(received[0].headers.at("authorization")), "Bearer " + theKey);
    }

    void candidatesArriveAndAreVerified() {
        TestServer server;
        useServer(m_settings, server);
        server.then([](Connection& connection) {
            connection.send(head(200, "text/event-stream"));
            const auto event = [&](const std::string& key, const std::string& text) {
                connection.send("data: {\"choices\":[{\"delta\":{\"" + key + "\":\"" + text + "\"}}]}\n\n");
            };
            event("reasoning_content", "Memory decides. ");
            event("content", "First part."); // what could begin the key waits for what follows
            connection.wait(1500ms);
            const std::string all = openAiStream(" and more.\n" + fenced(saxpyCandidate("vectorized")));
            connection.send(all);
        });
        ModelPerson person;
        person.open("saxpy");
        person.choose("unmasked_tail");
        person.setUp();
        person.preview();
        person.send();
        // While it arrives, reasoning apart.
        QTRY_VERIFY(person.text("talkText").contains("First part"));
        QVERIFY(!person.text("talkText").contains("Memory decides"));
        QVERIFY(person.part<QPlainTextEdit>("talkReasoning").isVisible());
        QCOMPARE(person.text("talkReasoning"), QString("Memory decides. "));
        QVERIFY(person.window.chat().isBusy());
        const int before = int(person.names().size());
        QTRY_COMPARE_WITH_TIMEOUT(int(person.names().size()), before + 1, 20000);
        const QString name = QString::fromStdString(person.window.document().session().candidates.back().name);
        person.waitForEnd();
        // What the person looked at stays.
        QCOMPARE(QString::fromStdString(person.window.document().candidate(person.window.document().current())->name),
                 QString("unmasked_tail"));
        const QString verdict = person.cell(name, CandidateModel::Verdict);
        QVERIFY2(verdict.startsWith("pass") || verdict.startsWith("incomplete"), qPrintable(verdict));
        QVERIFY(verdict.contains("emulator"));
        const auto& origin = person.window.document().session().candidates.back().origin;
        QCOMPARE(int(origin.kind), int(session::OriginKind::model));
        QCOMPARE(origin.promptSha256.size(), std::size_t{64});
        QVERIFY(person.text("talkText").contains("First part. and more."));
        QVERIFY2(person.window.model().costLine().startsWith("1 request"),
                 qPrintable(person.window.model().costLine()));
        // Enter on the answer shows the candidate.
        auto& tree = person.part<QTreeWidget>("talkTree");
        QCOMPARE(tree.topLevelItem(0)->childCount(), 1);
        tree.setCurrentItem(tree.topLevelItem(0)->child(0));
        tree.setFocus();
        QTest::keyClick(&tree, Qt::Key_Return);
        QTRY_COMPARE(
            QString::fromStdString(person.window.document().candidate(person.window.document().current())->name), name);
        // It came by one step, which can be taken back.
        person.key(Qt::Key_Z, Qt::ControlModifier | Qt::AltModifier);
        QTRY_VERIFY(!person.names().contains(name));
    }

    void findingsGoBackOnlyWithConsent() {
        TestServer server;
        useServer(m_settings, server);
        server.then(streams(openAiStream(fenced(saxpyCandidate("misaligned_vector")))));
        server.then(streams(openAiStream(fenced(saxpyCandidate("vectorized")))));
        ModelPerson person;
        person.open("saxpy");
        person.setUp(2);
        person.preview();
        person.send();
        QTRY_COMPARE_WITH_TIMEOUT(int(person.window.model().page()), int(ModelPerson::Page::preview), 60000);
        QCOMPARE(server.received().size(), std::size_t{1});
        const QString question = person.text("previewText");
        QVERIFY2(question.contains("misaligned"), qPrintable(question));
        QVERIFY(!question.contains("Here it is:"));
        person.send();
        person.waitForEnd();
        QCOMPARE(server.received().size(), std::size_t{2});
        QVERIFY(QString::fromStdString(server.received()[1].body).contains("misaligned"));
        QVERIFY(person.text("talkText").contains("sent back"));
        const auto& turns = person.lastConversation().threads.front().turns;
        QCOMPARE(turns.size(), std::size_t{3});
        QCOMPARE(turns[0].attempts.front().verdict, std::string("fail"));
        // The second answer is the child of the first.
        const auto& candidates = person.window.document().session().candidates;
        const auto second =
            person.window.document().candidate(QString::fromStdString(turns[2].attempts.front().candidate));
        QVERIFY(second);
        QCOMPARE(second->parent, turns[0].attempts.front().candidate);
        QVERIFY(!candidates.empty());
    }

    void aQuestionThatIsNotSent() {
        TestServer server;
        useServer(m_settings, server);
        server.then(streams(openAiStream(fenced(saxpyCandidate("misaligned_vector")))));
        ModelPerson person;
        person.open("saxpy");
        person.setUp(3);
        person.preview();
        person.send();
        QTRY_COMPARE_WITH_TIMEOUT(int(person.window.model().page()), int(ModelPerson::Page::preview), 60000);
        person.press("previewBack");
        person.waitForEnd();
        QCOMPARE(server.received().size(), std::size_t{1});
        QCOMPARE(int(person.window.model().page()), int(ModelPerson::Page::talk));
        QCOMPARE(person.lastConversation().ended, std::string("exhausted"));
    }

    void consentForAllThatFollow() {
        TestServer server;
        useServer(m_settings, server);
        server.then(streams(openAiStream(fenced(saxpyCandidate("misaligned_vector")))));
        ModelPerson person;
        person.open("saxpy");
        person.setUp(3);
        person.preview();
        person.press("previewFurther");
        person.send();
        person.waitForEnd();
        QCOMPARE(server.received().size(), std::size_t{3});
        QCOMPARE(person.lastConversation().threads.front().turns.size(), std::size_t{5});
    }

    void stopInTheMiddle() {
        TestServer server;
        useServer(m_settings, server);
        server.then([](Connection& connection) {
            connection.send(head(200, "text/event-stream"));
            connection.send("data: {\"choices\":[{\"delta\":{\"content\":\"It began\"}}]}\n\n");
            while (!connection.serverEnds() && connection.wait(20ms)) {
            }
        });
        ModelPerson person;
        person.open("saxpy");
        person.setUp(1, 2);
        person.preview();
        person.send();
        QTRY_VERIFY(person.text("talkText").contains("It began"));
        QVERIFY(!person.part<QAbstractButton>("talkAgain").isEnabled());
        person.press("talkStop");
        QTRY_VERIFY_WITH_TIMEOUT(!person.window.chat().isBusy(), 5000);
        QCOMPARE(person.lastConversation().ended, std::string("cancelled"));
        QVERIFY(!person.part<QAbstractButton>("talkStop").isEnabled());
        QVERIFY(person.part<QAbstractButton>("talkAgain").isEnabled());
    }

    void regenerate() {
        TestServer server;
        useServer(m_settings, server);
        server.then(streams(openAiStream("I cannot help with that.")));
        server.then(streams(openAiStream(fenced(saxpyCandidate("vectorized")))));
        ModelPerson person;
        person.open("saxpy");
        person.setUp();
        person.preview();
        person.send();
        person.waitForEnd();
        // An answer that cannot be used is a row with the reason.
        auto& tree = person.part<QTreeWidget>("talkTree");
        QCOMPARE(tree.topLevelItem(0)->child(0)->text(1), QString("unusable"));
        QVERIFY2(tree.topLevelItem(0)->child(0)->text(2).contains("no"),
                 qPrintable(tree.topLevelItem(0)->child(0)->text(2)));
        const auto count = person.window.document().session().candidates.size();
        person.press("talkAgain");
        QTRY_COMPARE(server.received().size(), std::size_t{2}); // the keyring answers first
        person.waitForEnd();
        QCOMPARE(server.received()[0].body, server.received()[1].body);
        QCOMPARE(person.window.document().session().candidates.size(), count + 1);
        QCOMPARE(person.part<QComboBox>("talkList").count(), 2);
        QCOMPARE(person.lastConversation().id, std::string("m2"));
    }

    void severalAtOnce() {
        TestServer server;
        useServer(m_settings, server);
        server.then(streams(openAiStream(fenced(saxpyCandidate("vectorized")))));
        ModelPerson person;
        person.open("saxpy");
        const auto before = person.names().size();
        person.setUp(1, 3);
        person.preview();
        QVERIFY(person.part<QLabel>("previewHead").text().contains("3 time"));
        person.send();
        person.waitForEnd();
        QCOMPARE(server.received().size(), std::size_t{3});
        QCOMPARE(person.names().size(), before + 3);
        QCOMPARE(person.part<QTreeWidget>("talkTree").topLevelItemCount(), 3);
    }

    void whatTheServerRefuses() {
        TestServer server;
        useServer(m_settings, server);
        server.then(sends(whole(401, "application/json",
                                "{\"error\":{\"message\":\"Incorrect API key: " + theKey.toStdString() + "\"}}")));
        ModelPerson person;
        person.open("saxpy");
        person.setUp();
        person.preview();
        person.send();
        person.waitForEnd();
        QVERIFY2(person.text("talkText").contains("401"), qPrintable(person.text("talkText")));
        QVERIFY(!person.text("talkText").contains("Zx81"));
        QCOMPARE(person.lastConversation().ended, std::string("failed"));
    }

    void theBudgetStopsBefore() {
        TestServer server;
        useServer(m_settings, server);
        server.then(streams(openAiStream(fenced(saxpyCandidate("vectorized")))));
        ModelPerson person;
        person.open("saxpy");
        person.setUp();
        person.typeInto(*person.part<QComboBox>("modelName").lineEdit(), "gpt-4.1");
        person.typeInto(*person.part<QWidget>("modelBudget").findChild<QLineEdit*>(), "0.01");
        person.preview();
        QVERIFY(person.part<QLabel>("previewHead").text().contains("$0."));
        person.send();
        person.waitForEnd();
        QCOMPARE(server.received().size(), std::size_t{0});
        QCOMPARE(person.lastConversation().ended, std::string("budget"));
        QVERIFY2(person.text("talkText").contains("budget of $0.01"), qPrintable(person.text("talkText")));
        QVERIFY2(person.window.model().costLine().contains("budget $0.01"),
                 qPrintable(person.window.model().costLine()));
        person.typeInto(*person.part<QWidget>("modelBudget").findChild<QLineEdit*>(), "0");
    }

    void whatIsMissingIsSaid() {
        TestServer server;
        useServer(m_settings, server);
        ModelPerson person;
        person.openPanel();
        person.press("modelPreview");
        QTRY_VERIFY2(person.part<QLabel>("modelProblem").text().contains("kernel spec"),
                     qPrintable(person.part<QLabel>("modelProblem").text()));
        person.open("saxpy");
        person.chooseProvider("Our server");
        QVERIFY(person.part<QLabel>("modelKeyState").text().contains("TEST_MODEL_KEY") || QTest::qWaitFor([&] {
                    return person.part<QLabel>("modelKeyState").text().contains("TEST_MODEL_KEY");
                }));
        QVERIFY(person.part<QLabel>("modelKeyState").text().contains("switched off"));
        person.part<QComboBox>("modelName").setEditText({});
        person.press("modelPreview");
        QTRY_VERIFY(person.part<QLabel>("modelProblem").text().contains("no model is named"));
    }

    void aKeyThatIsMissing() {
        TestServer server;
        useServer(m_settings, server);
        qunsetenv("TEST_MODEL_KEY");
        // A server on this machine may need none, so this one lies elsewhere.
        QFile file(m_settings.path() + "/XDG_CONFIG_HOME/ptxwb/providers.json");
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("{\"schema\": 1, \"providers\": {\"test\": {\"title\": \"Our server\", \"key\": \"TEST_MODEL_KEY\", "
                   "\"base_url\": \"https://models.example.invalid/v1\"}}}");
        file.close();
        ModelPerson person;
        person.open("saxpy");
        person.setUp();
        QTRY_VERIFY(person.part<QLabel>("modelKeyState").text().contains("There is no key"));
        person.preview();
        person.send();
        person.waitForEnd();
        QVERIFY2(person.text("talkText").contains("TEST_MODEL_KEY is not set"), qPrintable(person.text("talkText")));
    }
};

int main(int count, char** arguments) {
    ModelAskTest test; // its settings come before the application
    const QApplication application(count, arguments);
    return QTest::qExec(&test, count, arguments);
}
#include "model_ask_test.moc"

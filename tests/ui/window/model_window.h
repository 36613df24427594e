// A window whose Model panel talks to a server of our own, and what a person does in that panel.
// Used by the tests of the panel.
#pragma once

#include "window.h"

#include "panels/model_changes.h"
#include "panels/model_form.h"
#include "panels/model_panel.h"
#include "panels/model_preview.h"
#include "panels/model_talk.h"
#include "test_server.h"
#include "window/model_chat.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QDir>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTabBar>
#include <QTreeWidget>

namespace ptxwb::test {

inline const QString theKey = QStringLiteral("sk-proj-Zx81QvLm2TtRw9Yb");

/// Before the QApplication: our server is the provider "test", with a key in the environment.
inline void useServer(const OwnSettings& settings, const TestServer& server, const char* protocol = "openai") {
    const QString folder = settings.path() + QStringLiteral("/XDG_CONFIG_HOME/ptxwb");
    QDir().mkpath(folder);
    QFile file(folder + QStringLiteral("/providers.json"));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(QStringLiteral(R"({"schema": 1, "providers": {"test": {"title": "Our server", "base_url": "%1",
                              "protocol": "%2", "key": "TEST_MODEL_KEY"}}})")
                   .arg(QString::fromStdString(server.url()), QLatin1String(protocol))
                   .toUtf8());
    qputenv("TEST_MODEL_KEY", theKey.toLatin1());
}

/// A bundled candidate of saxpy.
inline std::string saxpyCandidate(const char* name) {
    QFile file(QStringLiteral(PTXWB_SOURCE_DIR "/resources/examples/saxpy/candidates/%1.ptx").arg(QLatin1String(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

inline std::string fenced(const std::string& ptx) {
    return "Here it is:\n```ptx\n" + ptx + "```\n";
}

class ModelPerson : public Person {
public:
    using Page = ModelPanel::Page;

    template <class Widget>
    Widget& part(const char* name) {
        auto* found = window.model().findChild<Widget*>(QLatin1String(name));
        if (!found) qFatal("the panel has no %s", name);
        return *found;
    }
    void press(const char* name) {
        auto& button = part<QAbstractButton>(name);
        QTRY_VERIFY2(button.isEnabled(), name);
        QVERIFY2(button.isVisible(), name);
        // A box is hit where its mark is, wherever its words end.
        const bool isBox = qobject_cast<QCheckBox*>(&button) != nullptr;
        QTest::mouseClick(&button, Qt::LeftButton, {}, isBox ? QPoint(8, button.height() / 2) : QPoint());
    }
    QString text(const char* name) { return part<QPlainTextEdit>(name).toPlainText(); }
    void openPanel() {
        key(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(window.model().isVisible());
        QTRY_VERIFY(part<QPlainTextEdit>("modelWish").hasFocus());
    }
    void chooseProvider(const QString& title) {
        auto& box = part<QComboBox>("modelProvider");
        box.setFocus();
        QTest::keyClick(&box, Qt::Key_Home);
        for (int i = 0; i < box.count() && box.currentText() != title; ++i) QTest::keyClick(&box, Qt::Key_Down);
        QCOMPARE(box.currentText(), title);
    }
    void typeInto(QWidget& widget, const QString& text) {
        widget.setFocus();
        QTest::keyClick(&widget, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(&widget, text);
    }
    void number(const char* name, int value) {
        auto& box = part<QSpinBox>(name);
        typeInto(*box.findChild<QLineEdit*>(), QString::number(value));
        QTest::keyClick(&box, Qt::Key_Tab);
        QCOMPARE(box.value(), value);
    }
    /// Our server, one candidate.
    void setUp(int rounds = 1, int candidates = 1) {
        openPanel();
        chooseProvider(QStringLiteral("Our server"));
        typeInto(*part<QComboBox>("modelName").lineEdit(), QStringLiteral("m"));
        number("modelCandidates", candidates);
        number("modelRounds", rounds);
        typeInto(*part<QWidget>("modelBudget").findChild<QLineEdit*>(), QStringLiteral("0"));
    }
    void preview() {
        press("modelPreview");
        QTRY_COMPARE_WITH_TIMEOUT(int(window.model().page()), int(Page::preview), 20000);
    }
    void send() {
        press("previewSend");
        QTRY_COMPARE(int(window.model().page()), int(Page::talk));
    }
    void waitForEnd() { QTRY_VERIFY_WITH_TIMEOUT(!window.chat().isBusy(), 60000); }
    const session::Conversation& lastConversation() { return window.document().session().conversations.back(); }
};

} // namespace ptxwb::test

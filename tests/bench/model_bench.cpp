// The window's event loop while eight answers arrive at once, 200 tokens a second each, with the Model panel shown.
// Run by hand: a server of our own speaks, the whole way over HTTP is gone. Ends with 1 where a step took 16 ms or more
// of the processor: what a machine does beside it is no fault of the window's.
#include "heartbeat.h"
#include "models/document.h"
#include "panels/model_form.h"
#include "panels/model_panel.h"
#include "panels/model_preview.h"
#include "panels/model_talk.h"
#include "test_server.h"
#include "window/live_analysis.h"
#include "window/main_window.h"
#include "window/model_chat.h"
#include "window/session_files.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>

#include <atomic>

using namespace ptxwb::ui;
using ptxwb::test::Heartbeat;
using ptxwb::test::TestServer;

namespace {

constexpr int streams = 8, tokensPerSecond = 200, seconds = 12;
constexpr double limitMilliseconds = 16;
std::atomic<int> sentTokens = 0;

/// A third of the time it thinks, then it writes PTX: lines of about ten tokens.
void speak(ptxwb::test::Connection& connection) {
    connection.send(ptxwb::test::head(200, "text/event-stream"));
    const auto start = std::chrono::steady_clock::now();
    for (int token = 0; token < tokensPerSecond * seconds && !connection.serverEnds(); ++token) {
        const bool thinks = token < tokensPerSecond * seconds / 3;
        const char* text = token % 10 == 9 ? "0;\\n" : token % 10 == 0 ? "\\tadd.f32 " : "%f12";
        const std::string event = std::string(R"(data: {"choices":[{"delta":{")") +
                                  (thinks ? "reasoning_content" : "content") + "\":\"" + text + "\"}}]}\n\n";
        if (!connection.send(event)) return;
        ++sentTokens;
        const auto due = start + std::chrono::microseconds(1'000'000LL * (token + 1) / tokensPerSecond);
        std::this_thread::sleep_until(due);
    }
    connection.send("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
}

template <class Condition>
bool wait(Condition done, int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    while (!done() && clock.elapsed() < milliseconds) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    return done();
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir home; // nothing of a person's own settings
    for (const char* each : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        qputenv(each, home.path().toLocal8Bit());
    qputenv("PTXWB_KEYRING", "off");
    qputenv("PTXWB_RESOURCES", PTXWB_SOURCE_DIR "/resources");
    qputenv("PTXWB_WORKER", "'" PTXWB_BINARY_DIR "/bin/ptxwb' worker");
    TestServer server;
    server.then(speak);
    QDir().mkpath(home.filePath(QStringLiteral("ptxwb")));
    QFile file(home.filePath(QStringLiteral("ptxwb/providers.json")));
    if (!file.open(QIODevice::WriteOnly)) return 2;
    file.write(QStringLiteral(R"({"schema": 1, "providers": {"test": {"title": "Our server", "base_url": "%1"}}})")
                   .arg(QString::fromStdString(server.url()))
                   .toUtf8());
    file.close();

    const QApplication application(argc, argv);
    MainWindow window;
    window.resize(1600, 960);
    window.show();
    window.files().open(QStringLiteral("saxpy"));
    if (!wait([&] { return window.document().session().hasKernel() && !window.analysis().isRunning(); }, 20'000))
        return 2;
    window.findChild<QDockWidget*>(QStringLiteral("model"))->raise();
    auto& form = window.model().form();
    form.chooseProvider(QStringLiteral("Our server"));
    form.findChild<QComboBox*>(QStringLiteral("modelName"))->setEditText(QStringLiteral("m"));
    form.findChild<QSpinBox*>(QStringLiteral("modelCandidates"))->setValue(streams);
    form.findChild<QSpinBox*>(QStringLiteral("modelRounds"))->setValue(1);
    form.findChild<QPushButton*>(QStringLiteral("modelPreview"))->click();
    if (!wait([&] { return window.model().page() == ModelPanel::Page::preview; }, 20'000)) return 2;
    window.model().preview().findChild<QPushButton*>(QStringLiteral("previewSend"))->click();
    auto* text = window.model().talk().findChild<QPlainTextEdit*>(QStringLiteral("talkReasoning"));
    if (!wait([&] { return text->isVisible(); }, 20'000)) return 2;

    Heartbeat heart;
    Heartbeat::spin(500);
    heart.reset();
    const int before = sentTokens;
    QElapsedTimer clock;
    clock.start();
    Heartbeat::spin((seconds - 2) * 1000);
    const double rate = 1e3 * (sentTokens - before) / double(clock.elapsed()) / streams;
    std::printf(
        "%d streams, %.0f tokens a second each: longest step of the event loop %.1f ms, of it processor %.1f ms\n",
        streams, rate, heart.longest(), heart.busiest());
    window.chat().stop();
    wait([&] { return !window.chat().isBusy(); }, 10'000);
    window.document().discardAutosave();
    if (rate < 0.9 * tokensPerSecond) std::printf("the server did not keep up: the figure says nothing\n");
    return rate < 0.9 * tokensPerSecond ? 2 : heart.busiest() < limitMilliseconds ? 0 : 1;
}

// Pictures of the window for the README and for looking at a change: packaging/screenshots.sh runs it.
//   screenshots FOLDER [light|dark|contrast] [WIDTHxHEIGHT]
// Opens saxpy, verifies it with the real worker, and saves each layout, and what a person would see at several moments.
#include "dialogs/history_dialog.h"
#include "dialogs/settings_dialog.h"
#include "editors/comparison_view.h"
#include "models/document.h"
#include "panels/candidate_panel.h"
#include "panels/heat_map.h"
#include "panels/lesson_panel.h"
#include "panels/model_changes.h"
#include "panels/model_panel.h"
#include "panels/model_talk.h"
#include "panels/sass_panel.h"
#include "panels/verification_panel.h"
#include "window/actions.h"
#include "window/lessons.h"
#include "window/live_analysis.h"
#include "window/main_window.h"
#include "window/model_chat.h"
#include "window/session_files.h"
#include "window/shortcuts.h"
#include "window/verification.h"
#include "window/warp_stepping.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTreeWidget>

#include <cstdio>

using namespace ptxwb::ui;

namespace {

/// Runs the event loop until `done`, at most two minutes.
template <class Condition> bool wait(Condition done) {
    QElapsedTimer clock;
    clock.start();
    while (!done() && clock.elapsed() < 120'000) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    return done();
}

void rest(int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < milliseconds) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

/// Takes the pictures of one theme and size; remembers whether all went well.
class Photographer {
public:
    Photographer(MainWindow& window, QDir folder, QString prefix)
        : m_window(window), m_folder(std::move(folder)), m_prefix(std::move(prefix)) {}

    void take(const char* name, QWidget* widget = nullptr) {
        rest(300);
        const QString file = m_folder.filePath(QStringLiteral("%1-%2.png").arg(m_prefix, QLatin1String(name)));
        const bool saved = (widget ? widget : &m_window)->grab().save(file);
        std::printf("%s%s\n", qPrintable(file), saved ? "" : ": could not be written");
        good = good && saved;
    }
    template <class Condition> void expect(Condition done) { good = wait(done) && good; }
    void show(const char* candidate) {
        for (const auto& each : m_window.document().session().candidates)
            if (each.name == candidate) m_window.document().setCurrent(QString::fromStdString(each.id));
        expect([this] { return !m_window.analysis().isRunning(); });
    }
    void layout(int index) { m_window.actions().layouts->actions().at(index)->trigger(); }
    void raise(const char* dock) {
        for (auto* each : m_window.findChildren<QDockWidget*>())
            if (each->objectName() == QLatin1String(dock)) {
                each->show();
                each->raise();
            }
    }
    bool good = true;

private:
    MainWindow& m_window;
    QDir m_folder;
    QString m_prefix;
};

/// The Model panel with the kernel's recorded conversation: nothing leaves the machine.
void takeModel(MainWindow& window, Photographer& p) {
    ModelPanel& panel = window.model();
    const auto press = [&](const char* name) { panel.findChild<QAbstractButton*>(QLatin1String(name))->click(); };
    p.raise("model");
    window.resizeDocks({window.findChild<QDockWidget*>(QStringLiteral("model"))}, {460}, Qt::Horizontal);
    panel.findChild<QPlainTextEdit*>(QStringLiteral("modelWish"))
        ->setPlainText(QStringLiteral("16-byte loads where the alignment allows them; the tail stays masked."));
    p.take("model-ask");
    press("modelPreview");
    p.expect([&] { return panel.page() == ModelPanel::Page::preview; });
    p.take("model-preview");
    press("previewSend");
    p.expect([&] { return panel.page() == ModelPanel::Page::talk; });
    p.expect([&] { return !window.chat().isBusy(); });
    auto* tree = panel.findChild<QTreeWidget*>(QStringLiteral("talkTree"));
    tree->setCurrentItem(tree->topLevelItem(0)->child(tree->topLevelItem(0)->childCount() - 1));
    p.take("model-talk");
    p.show("unmasked_tail");
    press("talkChanges");
    p.expect([&] { return panel.changes().reason().isEmpty(); });
    p.take("model-changes");
}

void takeAll(MainWindow& window, Photographer& photographer) {
    Photographer& p = photographer;
    p.take("empty");
    window.files().open(QStringLiteral("saxpy"));
    p.expect([&] { return !window.document().session().candidates.empty(); });
    p.expect([&] { return !window.analysis().isRunning(); });
    p.take("opened");
    window.view().setLevel(ptxwb::compare::Level::changed);
    p.take("changed-rows");
    window.view().setLevel(ptxwb::compare::Level::all);
    window.actions().verifyAll->trigger();
    p.expect([&] { return !window.verification().isBusy(); });
    p.show("vectorized");
    p.take("verified");
    // Each layout as it comes.
    p.layout(0);
    p.take("tune");
    p.layout(1);
    p.take("teach");
    p.layout(2);
    p.take("review");
    p.layout(0);
    p.show("misaligned_vector");
    window.actions().nextProblem->trigger();
    p.take("finding");
    p.raise("problems");
    p.take("problems");
    p.raise("sass");
    p.expect([&] { return !window.sass().findChildren<QAbstractItemView*>().isEmpty(); });
    rest(2000);
    p.take("sass");
    for (const char* dock : {"timing", "counters", "outline"}) {
        p.raise(dock);
        p.take(dock);
    }
    p.raise("resources");
    // Sizes against distributions, and a case run again.
    p.show("unmasked_tail");
    p.raise("verification");
    HeatMap& map = window.verificationPanel().heatMap();
    window.verificationPanel().tabs().setCurrentWidget(&map);
    map.replayButton().click();
    p.expect([&] { return map.answer().contains(QLatin1String("finding")); });
    p.take("cases");
    window.verificationPanel().tabs().setCurrentIndex(0);
    window.document().setText(window.document().current(),
                              window.document().text(window.document().current()) + QStringLiteral("\n// edited\n"));
    p.expect([&] { return !window.analysis().isRunning(); });
    p.take("stale");
    HistoryDialog history(&window.document(), window.document().current(), window.theme().current(), &window);
    history.show();
    p.expect([&] { return !history.isComparing(); });
    p.take("history", &history);
    history.close();
    SettingsDialog settings({}, QStringLiteral("ptxwb worker"), shortcutRows(window.actions()), &window);
    settings.show();
    p.take("settings", &settings);
    settings.tabs().setCurrentIndex(1);
    p.take("keys", &settings);
    settings.close();
}

/// The warp stepper in the middle of a recording, a lesson that is under way, and what the projector makes of it.
void takeTeaching(MainWindow& window, Photographer& p) {
    p.layout(1);
    p.show("vectorized");
    const QList<QAction*> steps = window.actions().warp->actions();
    steps.front()->trigger(); // record
    p.expect([&] { return !window.warp().isBusy() && !window.warp().replay().isEmpty(); });
    window.warp().replay().moveTo(window.warp().replay().steps() / 2);
    p.raise("warp");
    p.take("stepper");
    p.raise("effects");
    p.take("effects");
    p.raise("lesson");
    p.take("lessons");
}

} // namespace

int main(int count, char** arguments) {
    if (count < 2) {
        std::fprintf(stderr, "usage: %s FOLDER [light|dark|contrast] [WIDTHxHEIGHT]\n", arguments[0]);
        return 2;
    }
    const QTemporaryDir home; // nothing of the person's own settings in the pictures
    qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
    qputenv("XDG_DATA_HOME", home.path().toLocal8Bit());
    qputenv("PTXWB_KEYRING", "off");
    QApplication application(count, arguments);
    QApplication::setOrganizationName(QStringLiteral("ptxwb"));
    QApplication::setApplicationName(QStringLiteral("screenshots"));
    const QDir folder(QString::fromLocal8Bit(arguments[1]));
    const QString theme = count > 2 ? QString::fromLocal8Bit(arguments[2]) : QStringLiteral("light");
    const QStringList size =
        (count > 3 ? QString::fromLocal8Bit(arguments[3]) : QStringLiteral("1600x960")).split(QLatin1Char('x'));

    MainWindow window;
    window.theme().setChoice(theme == QLatin1String("dark")       ? ThemeChoice::dark
                             : theme == QLatin1String("contrast") ? ThemeChoice::contrast
                                                                  : ThemeChoice::light);
    window.resize(size.value(0).toInt(), size.value(1).toInt());
    window.show();
    Photographer photographer(window, folder,
                              count > 3 ? theme + QLatin1Char('-') + QString::fromLocal8Bit(arguments[3]) : theme);
    takeAll(window, photographer);
    takeModel(window, photographer);
    takeTeaching(window, photographer);
    window.document().discardAutosave();
    return photographer.good ? 0 : 1;
}

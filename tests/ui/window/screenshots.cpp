// Pictures of the window for the README and for looking at a change: packaging/screenshots.sh runs it.
//   screenshots FOLDER [light|dark]
// Opens saxpy, verifies it with the real worker, and saves what a person would see at several moments.
#include "editors/comparison_view.h"
#include "models/document.h"
#include "panels/candidate_panel.h"
#include "panels/verification_panel.h"
#include "window/actions.h"
#include "window/live_analysis.h"
#include "window/main_window.h"
#include "window/session_files.h"
#include "window/verification.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>

#include <cstdio>

using namespace ptxwb::ui;

namespace {

/// Runs the event loop until `done`, at most a minute.
template <class Condition>
bool wait(Condition done) {
    QElapsedTimer clock;
    clock.start();
    while (!done() && clock.elapsed() < 60'000) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    return done();
}

void rest(int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < milliseconds) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

bool save(MainWindow& window, const QString& file) {
    rest(300);
    const bool saved = window.grab().save(file);
    std::printf("%s%s\n", qPrintable(file), saved ? "" : ": could not be written");
    return saved;
}

void show(MainWindow& window, const char* candidate) {
    for (const auto& each : window.document().session().candidates)
        if (each.name == candidate) window.document().setCurrent(QString::fromStdString(each.id));
    wait([&] { return !window.analysis().isRunning(); });
}

} // namespace

int main(int count, char** arguments) {
    if (count < 2) {
        std::fprintf(stderr, "usage: %s FOLDER [light|dark]\n", arguments[0]);
        return 2;
    }
    const QTemporaryDir home; // nothing of the person's own settings in the pictures
    qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
    qputenv("XDG_DATA_HOME", home.path().toLocal8Bit());
    QApplication application(count, arguments);
    QApplication::setOrganizationName(QStringLiteral("ptxwb"));
    QApplication::setApplicationName(QStringLiteral("screenshots"));
    const QDir folder(QString::fromLocal8Bit(arguments[1]));
    const QString theme = count > 2 ? QString::fromLocal8Bit(arguments[2]) : QStringLiteral("light");

    MainWindow window;
    window.theme().setChoice(theme == QStringLiteral("dark") ? ThemeChoice::dark : ThemeChoice::light);
    window.resize(1600, 960);
    window.show();
    window.files().open(QStringLiteral("saxpy"));
    bool good = wait([&] { return !window.document().session().candidates.empty(); });
    good = wait([&] { return !window.analysis().isRunning(); }) && good;
    good = save(window, folder.filePath(theme + QStringLiteral("-opened.png"))) && good;

    window.actions().verifyAll->trigger();
    good = wait([&] { return !window.verification().isBusy(); }) && good;
    show(window, "vectorized");
    good = save(window, folder.filePath(theme + QStringLiteral("-verified.png"))) && good;
    show(window, "misaligned_vector");
    window.actions().nextProblem->trigger();
    good = save(window, folder.filePath(theme + QStringLiteral("-finding.png"))) && good;
    window.document().setText(window.document().current(),
                              window.document().text(window.document().current()) + QStringLiteral("\n// edited\n"));
    wait([&] { return !window.analysis().isRunning(); });
    good = save(window, folder.filePath(theme + QStringLiteral("-stale.png"))) && good;
    window.document().discardAutosave();
    return good ? 0 : 1;
}

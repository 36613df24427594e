// ptx-workbench: the window. Opens what the command line names, else what was open last, else the saxpy example.
#include "window/main_window.h"
#include "window/session_files.h"
#include "window/verification.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QTimer>

using namespace ptxwb::ui;

namespace {

const QString firstExample = QStringLiteral("saxpy");

void openFirst(MainWindow& window, const QString& named, bool verify) {
    const QStringList recent = Document::recentFiles();
    const QString wanted = !named.isEmpty() ? named : recent.isEmpty() ? firstExample : recent.front();
    if (verify)
        QObject::connect(&window.files(), &SessionFiles::opened, &window.verification(), &Verification::verifyAll,
                         Qt::SingleShotConnection);
    // A file that was open last and is damaged now must not leave an empty window.
    if (wanted != firstExample)
        QObject::connect(
            &window.files(), &SessionFiles::failedToOpen, &window, [&window] { window.files().open(firstExample); },
            static_cast<Qt::ConnectionType>(Qt::SingleShotConnection | Qt::QueuedConnection));
    window.files().open(wanted);
}

} // namespace

int main(int count, char** arguments) {
    QApplication application(count, arguments);
    QApplication::setOrganizationName(QStringLiteral("ptxwb"));
    QApplication::setApplicationName(QStringLiteral("PTX Workbench"));
    QApplication::setApplicationVersion(QStringLiteral(PTXWB_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("ptx-workbench"));

    QCommandLineParser line;
    line.setApplicationDescription(QApplication::translate("main", "Tune, teach and review PTX."));
    line.addHelpOption();
    line.addVersionOption();
    line.addPositionalArgument(QStringLiteral("file"),
                               QApplication::translate("main", "CUDA source, PTX, a kernel spec, a folder with one, a "
                                                               "session, or an example's name"),
                               QStringLiteral("[file]"));
    const QCommandLineOption verify(QStringLiteral("verify"),
                                    QApplication::translate("main", "Verify all candidates at once."));
    line.addOption(verify);
    line.process(application);

    MainWindow window;
    window.show();
    QTimer::singleShot(0, &window, [&] {
        openFirst(window, line.positionalArguments().value(0), line.isSet(verify));
        window.files().offerRecovery();
        window.greet();
    });
    return QApplication::exec();
}

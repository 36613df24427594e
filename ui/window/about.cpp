#include "window/about.h"

#include "editors/code_pane.h"
#include "jobs/verify_runner.h"

#include <QApplication>
#include <QJsonArray>
#include <QMessageBox>

namespace ptxwb::ui {

About::About(VerifyRunner* runner, QWidget* window) : QObject(window), m_window(window) {
    connect(runner, &VerifyRunner::described, this, [this](const QJsonObject& hello) { m_worker = hello; });
}

QString About::workerWords() const {
    if (m_worker.isEmpty()) return tr("The worker has not answered.");
    QStringList tools;
    for (const QJsonValue& each : m_worker.value(QLatin1String("toolkits")).toArray())
        tools += tr("CUDA %1").arg(each.toObject().value(QLatin1String("version")).toString());
    for (const QJsonValue& each : m_worker.value(QLatin1String("devices")).toArray())
        tools += each.toObject().value(QLatin1String("name")).toString();
    const QString version = m_worker.value(QLatin1String("version")).toString();
    if (tools.isEmpty()) return tr("The worker, version %1, has neither a toolkit nor a GPU.").arg(version);
    return tr("The worker, version %1, has: %2.").arg(version, tools.join(QStringLiteral(", ")).toHtmlEscaped());
}

void About::show() {
    QMessageBox::about(
        m_window, tr("About PTX Workbench"),
        tr("<b>PTX Workbench %1</b><p>Tune, teach and review PTX.<p>With Qt %2 and QScintilla %3. %4<p>The window is "
           "free software under the GNU General Public License, version 3 or later; the core and <tt>ptxwb</tt> are "
           "under the Apache License 2.0.")
            .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion()), CodePane::componentVersion(),
                 workerWords()));
}

} // namespace ptxwb::ui

// What leaves the window: the review report, and a candidate as production needs it.
// Made by the main window. A report is written here, off the window's thread; machine code is made by `ptxwb export`.
#pragma once

#include "jobs/latest_job.h"
#include "jobs/tool_call.h"
#include "support/diagnostic.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>
#include <memory>

class QMenu;
class QTemporaryDir;
class QWidget;

namespace ptxwb::ui {

class Document;
class NoticeBar;

class Exporting : public QObject {
    Q_OBJECT

public:
    /// `flush`: brings what was typed into the document.
    Exporting(Document* document, NoticeBar* notices, QWidget* window, std::function<void()> flush);
    ~Exporting() override;

    /// The forms of a candidate, into an empty menu.
    void fillMenu(QMenu* menu);
    /// Asks where to, and writes HTML, Markdown or JSON by the name's ending.
    void exportReport();
    bool isRunning() const { return m_report.isRunning() || m_isShipping; }

signals:
    void message(const QString& text);

private:
    enum class Form { cubin, header, harness };
    void exportCandidate(Form form);
    /// Writes the kernel and the current candidate where the program beside the window reads them. The candidate's
    /// file.
    Expected<std::filesystem::path> writeKernel();
    QString proposedFolder() const;
    void shipped(const QJsonObject& answer);
    void couldNotShip(const QString& why, const QString& hint);

    Document* m_document;
    NoticeBar* m_notices;
    QWidget* m_window;
    std::function<void()> m_flush;
    LatestJob<Expected<void>> m_report;
    ToolCall m_ship;
    std::unique_ptr<QTemporaryDir> m_folder; ///< with the kernel, while it is shipped
    QString m_shippedName;
    bool m_isShipping = false;
};

} // namespace ptxwb::ui

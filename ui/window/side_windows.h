// What is looked at beside the window until somebody closes it: the changes as a list, a candidate's history, what
// ptxas writes, the comparison with another session.
// Made by the main window.
#pragma once

#include <QAction>
#include <QObject>

#include <functional>

class QDialog;

namespace ptxwb::ui {

class AssemblerLog;
class ComparisonView;
class Document;
class ThemeSource;
class VerifyRunner;

class SideWindows : public QObject {
    Q_OBJECT

public:
    /// `flush`: brings what was typed into the document.
    SideWindows(Document* document, ComparisonView* view, VerifyRunner* runner, ThemeSource* theme, QWidget* window,
                std::function<void()> flush);

    QList<QAction*> everywhere; ///< whose keys work in these windows too

    void showChanges();
    void showHistory();     ///< of the current candidate
    void showAssemblerLog();
    void compareSessions(); ///< asks with which

signals:
    void message(const QString& text);

private:
    void showUntilClosed(QDialog* dialog);

    Document* m_document;
    ComparisonView* m_view;
    ThemeSource* m_theme;
    QWidget* m_window;
    std::function<void()> m_flush;
    AssemblerLog* m_log;
};

} // namespace ptxwb::ui

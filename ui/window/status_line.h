// The line at the bottom: what was said last, how far a verification is, where the caret stands.
// Made by the main window.
#pragma once

#include <QObject>

class QLabel;
class QProgressBar;
class QStatusBar;

namespace ptxwb::ui {

class ComparisonView;

class StatusLine : public QObject {
    Q_OBJECT

public:
    StatusLine(QStatusBar* bar, ComparisonView* view);

    void say(const QString& text);      ///< for a while; an empty text takes back what stands there
    void takeBack(const QString& text); ///< unless another stands there by now
    void setProgress(int done, int of, const QString& what);
    void setBusy(bool busy); ///< the progress can be seen

private:
    void updatePosition();

    QStatusBar* m_bar;
    ComparisonView* m_view;
    QLabel *m_progressText, *m_position;
    QProgressBar* m_progress;
};

} // namespace ptxwb::ui

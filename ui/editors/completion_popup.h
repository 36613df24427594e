// The list below the caret: what could stand there, each with what it is. Enter or Tab takes one, Escape closes it.
// A part of the code pane that edits PTX.
#pragma once

#include "jobs/latest_job.h"
#include "ptx/completion.h"

#include <QTreeWidget>

namespace ptxwb::ui {

class CodePane;

/// Asks off the window's thread after each letter of a word of two letters, after a dot, and at Ctrl+Space. The editor
/// keeps the focus; the list takes the arrow keys, Enter, Tab and Escape while it is shown.
class CompletionPopup : public QTreeWidget {
    Q_OBJECT

public:
    explicit CompletionPopup(CodePane* pane);

    /// Ctrl+Space: whatever has been typed.
    void ask();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void typed(int character);
    void start();
    void show(const ptx::Completions& completions, quint64 revision, long caret);
    void take();

    CodePane* m_pane;
    LatestJob<ptx::Completions> m_job;
    ptx::Span m_replaced;
};

} // namespace ptxwb::ui

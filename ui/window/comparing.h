// Candidate > Compare with: what stands beside the current candidate, in the panes and as machine code.
// Made by the main window.
#pragma once

#include <QObject>

class QMenu;

namespace ptxwb::ui {

class Document;

class Comparing : public QObject {
    Q_OBJECT

public:
    /// Fills the menu each time that it opens: the baseline, and every candidate but the current one.
    Comparing(Document* document, QMenu* menu, QObject* parent = nullptr);

private:
    void fill();

    Document* m_document;
    QMenu* m_menu;
};

} // namespace ptxwb::ui

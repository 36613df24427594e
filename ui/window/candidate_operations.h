// New, duplicate, rename, delete, import, next, previous: what a person does with candidates.
// Made by the main window; each operation is a step of the document's undo stack.
#pragma once

#include <QObject>
#include <QStringList>

class QWidget;

namespace ptxwb::ui {

class Actions;
class CandidatePanel;
class Document;

class CandidateOperations : public QObject {
    Q_OBJECT

public:
    CandidateOperations(Document* document, Actions* actions, CandidatePanel* panel, QWidget* window);

    /// Each file as a candidate under its own name, the last becomes current. What cannot be read is told and left out.
    void import(const QStringList& files);

signals:
    void message(const QString& text);
    void aboutToChange(); ///< what was typed must be in the document

private:
    void askAndImport();
    void step(int by);
    void updateEnabled();

    Document* m_document;
    Actions* m_actions;
    QWidget* m_window;
};

} // namespace ptxwb::ui

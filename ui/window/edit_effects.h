// What did this edit do: the dock of effects, filled off the window's thread when somebody looks at it.
// Made by the main window.
#pragma once

#include "jobs/latest_job.h"
#include "models/version_history.h"
#include "panels/effect_panel.h"

#include <QObject>
#include <QTimer>

class QAction;

namespace ptxwb::ui {

class Document;

class EditEffects : public QObject {
    Q_OBJECT

public:
    EditEffects(Document* document, QAction* verify, QObject* parent = nullptr);

    EffectPanel* panel() { return m_panel; } ///< belongs to the dock that takes it
    void setTheme(const Theme& theme) { m_panel->setTheme(theme); }
    bool isRunning() const { return m_job.isRunning(); }

signals:
    void lineWanted(int line);

private:
    void update();

    struct Answer {
        std::vector<report::Version> versions;
        std::vector<report::EditEffect> effects;
    };
    Document* m_document;
    VersionHistory m_history;
    EffectPanel* m_panel;
    QTimer m_rest; ///< while somebody types
    LatestJob<Answer> m_job;
};

} // namespace ptxwb::ui

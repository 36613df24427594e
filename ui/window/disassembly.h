// Keeps the SASS panel up to date while it is visible: assembles and disassembles the current candidate as it changes.
// Made by the main window.
#pragma once

#include "jobs/sass_job.h"

#include <QObject>
#include <QTimer>

class QAction;

namespace ptxwb::ui {

class CounterStore;
class Document;
class SassModel;
class SassPanel;
class VerifyRunner;

class Disassembly : public QObject {
    Q_OBJECT

public:
    /// What the panel offers while it has no code.
    struct Remedies {
        QAction *open, *machine;
    };
    Disassembly(Document* document, CounterStore* counters, VerifyRunner* runner, SassModel* model, SassPanel* panel,
                const Remedies& remedies, QObject* parent = nullptr);

private:
    void changed();
    void start();
    void showSamples();

    Document* m_document;
    CounterStore* m_counters;
    VerifyRunner* m_runner; ///< knows the worker's command line
    SassModel* m_model;
    SassPanel* m_panel;
    Remedies m_remedies;
    SassJob m_job;
    QTimer m_pause;       ///< while somebody types
    QString m_asked;      ///< the two texts that the last request was for
    QString m_shown;      ///< the two texts that the panel shows
    QString m_refused;    ///< the two texts of which there is no code
    QString m_shownTitle; ///< the candidate whose code that is
    QString m_askedTitle; ///< the candidate that was assembled last, whatever came of it
};

} // namespace ptxwb::ui

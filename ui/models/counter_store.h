// What was counted of each candidate, and whether it still is about the text that is shown. Not part of what is saved.
// Filled by the main window, read by the counters panel.
#pragma once

#include "verify/profile_report.h"

#include <QObject>
#include <QString>

#include <map>
#include <optional>

namespace ptxwb::ui {

class Document;

/// The last answer for one candidate: a report, or why there is none.
struct Counted {
    std::optional<verify::ProfileReport> report;
    QString failure, hint;
    std::string text, baseline; ///< the PTX that was counted
};

class CounterStore : public QObject {
    Q_OBJECT

public:
    explicit CounterStore(Document* document, QObject* parent = nullptr);

    /// What follows is the answer for `id` with the texts as they are now.
    void begin(const QString& id);
    void finish(const verify::ProfileReport& report);
    void fail(const QString& message, const QString& hint);
    /// No answer will come; what was known before stays.
    void drop();

    QString running() const { return m_running; } ///< the candidate being counted; empty where none is
    const Counted* counted(const QString& id) const;
    /// The candidate's text or the baseline's has changed since.
    bool isStale(const QString& id) const;

signals:
    void changed(const QString& id);
    void dropped(); ///< another session came while one was running

private:
    void end(Counted counted);

    Document* m_document;
    std::map<QString, Counted> m_counted;
    QString m_running;
    std::string m_text, m_baseline;
};

} // namespace ptxwb::ui

// The versions of a candidate that were verified, and those that it was made from: what a replay of its edits walks.
// Kept while the session is open; read by EditEffects.
#pragma once

#include "report/edit_effect.h"

#include <QObject>
#include <QString>

#include <map>
#include <vector>

namespace ptxwb::ui {

class Document;

class VersionHistory : public QObject {
    Q_OBJECT

public:
    explicit VersionHistory(Document* document, QObject* parent = nullptr);

    /// From the baseline (or the first ancestor) over the ancestors' last versions to the candidate's own, oldest
    /// first; the text as it stands now is the last one, verified or not.
    std::vector<report::Version> of(const QString& id) const;

signals:
    void changed();

private:
    void note(const QString& id);
    std::vector<report::Version> own(const QString& id) const;

    Document* m_document;
    std::map<QString, std::vector<report::Version>> m_versions; ///< verified ones, by candidate
};

} // namespace ptxwb::ui

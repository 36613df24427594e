#include "models/version_history.h"

#include "models/document.h"

#include <QTime>

#include <algorithm>
#include <set>

namespace ptxwb::ui {

namespace {
constexpr std::size_t mostVersions = 100; ///< of one candidate; the oldest go
}

VersionHistory::VersionHistory(Document* document, QObject* parent) : QObject(parent), m_document(document) {
    connect(document, &Document::resultsChanged, this, &VersionHistory::note);
    connect(document, &Document::sessionReplaced, this, [this] {
        m_versions.clear();
        emit changed();
    });
}

/// A verification has ended: its result belongs to the text only while that is still the same.
void VersionHistory::note(const QString& id) {
    const session::Candidate* const candidate = m_document->candidate(id);
    if (!candidate || !candidate->judgement || m_document->freshness(id) != session::Freshness::current) return;
    auto& versions = m_versions[id];
    report::Version version{candidate->name + ", " +
                                QTime::currentTime().toString(QStringLiteral("HH:mm:ss")).toStdString(),
                            candidate->text, candidate->judgement->result};
    if (!versions.empty() && versions.back().text == version.text)
        versions.back().result = std::move(version.result);
    else
        versions.push_back(std::move(version));
    if (versions.size() > mostVersions) versions.erase(versions.begin());
    emit changed();
}

/// What was verified of a candidate here; of one that was judged before the session was opened its judgement.
std::vector<report::Version> VersionHistory::own(const QString& id) const {
    const session::Candidate* const candidate = m_document->candidate(id);
    if (!candidate) return {};
    std::vector<report::Version> versions;
    if (const auto known = m_versions.find(id); known != m_versions.end()) versions = known->second;
    if (!versions.empty() && versions.back().text == candidate->text) return versions;
    report::Version now{candidate->name, candidate->text, {}};
    if (candidate->judgement && m_document->freshness(id) == session::Freshness::current)
        now.result = candidate->judgement->result;
    else
        now.name += tr(", not verified").toStdString();
    versions.push_back(std::move(now));
    return versions;
}

std::vector<report::Version> VersionHistory::of(const QString& id) const {
    std::vector<report::Version> versions = own(id);
    std::set<std::string> seen{id.toStdString()};
    QString parent = id;
    while (parent != Document::baselineId()) {
        const session::Candidate* const child = m_document->candidate(parent);
        if (!child) break;
        // What no candidate is named for was made from the baseline, as far as a comparison goes.
        parent = child->parent.empty() ? Document::baselineId() : QString::fromStdString(child->parent);
        if (!seen.insert(parent.toStdString()).second) break;
        std::vector<report::Version> before = own(parent);
        if (before.empty() || before.back().text.empty()) continue;
        versions.insert(versions.begin(), std::move(before.back()));
    }
    return versions;
}

} // namespace ptxwb::ui

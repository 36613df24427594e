// Document's memory of what its candidates were before.
#include "models/document.h"

#include "support/sha256.h"

#include <QDateTime>

#include <ranges>

namespace ptxwb::ui {

namespace {

constexpr int judgedVersions = 4; ///< from the newest: a verdict comes soon after its text was kept

} // namespace

void Document::keepVersion(const QString& id, session::VersionReason reason) {
    session::Candidate* candidate = id == baselineId() ? nullptr : writable(id);
    if (!candidate) return;
    // The first version is what the candidate was before anything was done to it.
    const auto saved = m_savedTexts.find(candidate->id);
    if (candidate->history.empty() && saved != m_savedTexts.end() && saved->second != candidate->text)
        candidate->history.push_back({session::VersionReason::saved, candidate->origin.time, std::nullopt,
                                      std::make_shared<const std::string>(saved->second)});
    const auto* last = candidate->history.empty() ? nullptr : candidate->history.back().text.get();
    session::keepVersion(*candidate, reason, QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString());
    if (candidate->history.back().text.get() != last) emit historyChanged(id);
}

void Document::restoreVersion(const QString& id, int version) {
    const session::Candidate* candidate = id == baselineId() ? nullptr : this->candidate(id);
    if (!candidate || version < 0 || version >= int(candidate->history.size())) return;
    const auto text = candidate->history[std::size_t(version)].text; // keeping one may drop this one
    replaceText(id, QString::fromStdString(*text));
}

void Document::replaceText(const QString& id, const QString& text) {
    keepVersion(id, session::VersionReason::replaced);
    setCurrent(id); // the step is the editor's, which shows the current one
    setText(id, text);
}

void Document::noteVerdict(session::Candidate& candidate, const verify::CandidateResult& result) {
    for (session::Version& version : candidate.history | std::views::reverse | std::views::take(judgedVersions)) {
        if (sha256Hex(*version.text) != result.sha256) continue;
        version.verdict = result.verdict;
        emit historyChanged(QString::fromStdString(candidate.id));
        return;
    }
}

} // namespace ptxwb::ui

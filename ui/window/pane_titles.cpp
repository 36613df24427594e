#include "window/pane_titles.h"

#include "editors/comparison_view.h"
#include "models/document.h"
#include "toolchain/ptx_text.h"
#include "window/verification.h"

namespace ptxwb::ui {

namespace {

const QString baseline = Document::baselineId();

QString target(const std::string& ptx) {
    return QString::fromStdString(toolchain::directiveValue(ptx, ".target"));
}

PaneTitle titleOf(const Document& document, const Verification& verification, const QString& id) {
    PaneTitle title;
    const session::Candidate* shown = document.candidate(id);
    if (!shown) return title;
    title.name = QString::fromStdString(shown->name);
    title.target = target(shown->text);
    title.state = verification.state(id);
    title.stateDetail = verification.evidence(id);
    return title;
}

/// nvcc's, of the spec.
QString flags(const session::Session& session) {
    QStringList all;
    for (const std::string& flag : session.kernel.spec.flags) all += QString::fromStdString(flag);
    return all.join(QLatin1Char(' '));
}

PaneTitle sourceTitle(const Document& document) {
    const session::Session& session = document.session();
    PaneTitle title;
    title.name = QString::fromStdString(session::sourceName(session));
    title.target = QString::fromStdString(session.kernel.spec.arch);
    title.flags = flags(session);
    return title;
}

PaneTitle baselineTitle(const Document& document, const Verification& verification) {
    if (document.left() != baseline) return titleOf(document, verification, document.left());
    const session::Candidate& shown = document.session().baseline;
    PaneTitle title;
    if (shown.text.empty()) return title;
    title.name =
        shown.origin.kind == session::OriginKind::nvcc ? CodePane::tr("nvcc PTX") : QString::fromStdString(shown.name);
    title.target = target(shown.text);
    title.flags = flags(document.session());
    if (const auto& recorded = document.session().kernel.spec.baseline; recorded && !recorded->nvcc.empty())
        title.flags += QStringLiteral("  nvcc %1").arg(QString::fromStdString(recorded->nvcc));
    title.state = verification.state(baseline);
    title.stateDetail = verification.evidence(baseline);
    return title;
}

/// An empty one while the baseline itself is chosen.
PaneTitle candidateTitle(const Document& document, const Verification& verification) {
    return document.current() == baseline ? PaneTitle{} : titleOf(document, verification, document.current());
}

} // namespace

void showPaneTitles(ComparisonView& view, const Document& document, const Verification& verification) {
    view.source().setTitle(sourceTitle(document));
    view.baseline().setTitle(baselineTitle(document, verification));
    view.candidate().setTitle(candidateTitle(document, verification));
}

} // namespace ptxwb::ui

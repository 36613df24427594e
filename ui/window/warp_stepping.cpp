#include "window/warp_stepping.h"

#include "editors/comparison_view.h"
#include "jobs/verify_runner.h"
#include "kernel/candidate_header.h"
#include "kernel/launch_shape.h"
#include "models/document.h"
#include "verify/emulated_device.h"
#include "verify/run_plan.h"

#include <QAction>
#include <QMenu>

namespace ptxwb::ui {

namespace {

/// The distribution that a finding's case had in place of the spec's own.
std::optional<kernel::FillKind> otherFill(const kernel::KernelSpec& spec, const Finding& finding) {
    if (finding.fill.empty() || finding.fill == verify::fillName(spec, {})) return std::nullopt;
    return kernel::fillKind(finding.fill);
}

QString sizesText(const std::map<std::string, std::int64_t>& sizes) {
    QStringList parts;
    for (const auto& [name, value] : sizes)
        parts += QStringLiteral("%1 = %2").arg(QString::fromStdString(name)).arg(value);
    return parts.join(QStringLiteral(", "));
}

/// Threads of a block at the request's sizes.
Expected<Index3> blockShape(const worker::RunRequest& request) {
    const kernel::KernelSpec& spec = request.kernel.spec;
    const auto header = kernel::readCandidateHeader(request.candidate.text, kernel::symbolNames(spec));
    if (!header) return std::unexpected(header.error());
    kernel::LaunchData data;
    data.symbols = verify::withDevice(request.sizes);
    const kernel::LaunchShape& launch = spec.launches.empty() ? spec.launch : spec.launches.front().launch;
    const auto shaped = kernel::shapeLaunch(launch, header->launch ? &*header->launch : nullptr, data);
    if (!shaped) return std::unexpected(shaped.error());
    return data.block;
}

} // namespace

Expected<kernel::Symbols> sizesFromText(const QString& text) {
    kernel::Symbols sizes;
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QStringList sides = part.split(QLatin1Char('='));
        bool isNumber = false;
        const qlonglong value = sides.value(1).trimmed().toLongLong(&isNumber);
        const QString name = sides.value(0).trimmed();
        if (sides.size() != 2 || !isNumber || name.isEmpty())
            return failure(Cause::badRequest, "sizes: \"" + part.trimmed().toStdString() + "\" is no size",
                           "write n = 1000, m = 33");
        sizes[name.toStdString()] = value;
    }
    return sizes;
}

WarpStepping::WarpStepping(Document* document, VerifyRunner* runner, ComparisonView* view, QObject* parent)
    : QObject(parent), m_document(document), m_runner(runner), m_view(view), m_panel(new WarpPanel(&m_replay)) {
    m_panel->showReason(tr("Nothing is recorded yet. Choose a block and one of its warps: the emulator runs the "
                           "candidate and keeps what the warp does, step by step."));
    connect(m_panel, &WarpPanel::recordWanted, this, &WarpStepping::record);
    connect(m_panel, &WarpPanel::message, this, &WarpStepping::message);
    connect(&m_job, &RecordJob::recorded, this, &WarpStepping::recorded);
    connect(&m_job, &RecordJob::failed, this, [this](const QString& why, const QString& hint) {
        const QString text =
            hint.isEmpty() ? tr("Not recorded: %1.").arg(why) : tr("Not recorded: %1.\nTo do: %2.").arg(why, hint);
        m_replay.clear();
        m_panel->showReason(text);
        m_panel->showSteps();
        emit message(text);
    });
    connect(&m_replay, &WarpReplay::moved, this, &WarpStepping::updateMark);
    connect(&m_replay, &WarpReplay::warpChanged, this, &WarpStepping::updateMark);
    connect(document, &Document::textChanged, this, &WarpStepping::textChanged);
    connect(document, &Document::currentChanged, this, &WarpStepping::updateMark);
    connect(document, &Document::sessionReplaced, this, &WarpStepping::forget);
    connect(document, &Document::kernelChanged, this, &WarpStepping::forget);
    m_panel->caretLine = [this] {
        return m_view->pane(m_id == Document::baselineId() ? PaneId::baseline : PaneId::candidate).currentLine();
    };
}

void WarpStepping::fillMenu(QMenu* menu) {
    for (QAction* action : m_panel->actions()) {
        menu->addAction(action);
        if (action == m_panel->recordAction || action == m_panel->endAction) menu->addSeparator();
    }
}

std::optional<worker::RunRequest> WarpStepping::request() {
    if (flush) flush();
    const QString id = m_document->current();
    auto input = m_document->verifyInput(id, {});
    const auto refuse = [this](const QString& text) {
        m_panel->showReason(text);
        emit message(text);
        emit dockWanted();
    };
    if (!input) {
        refuse(QString::fromStdString(input.error().message + ' ' + input.error().hint));
        return std::nullopt;
    }
    worker::RunRequest request;
    request.kernel = std::move(input->kernel);
    request.candidate = input->candidate.value_or(
        verify::CandidateText{"baseline", "baseline.ptx", m_document->session().baseline.text});
    if (request.candidate.text.empty()) {
        refuse(tr("There is no PTX to record yet."));
        return std::nullopt;
    }
    if (request.kernel.spec.inputs && trust) request.reference = trust();
    request.counting = false;
    m_id = id;
    m_text = m_document->text(id);
    return request;
}

void WarpStepping::record() {
    auto wanted = request();
    if (!wanted) return;
    const WarpPanel::Choice choice = m_panel->choice();
    auto sizes = sizesFromText(choice.sizes);
    if (!sizes) {
        emit message(QString::fromStdString(sizes.error().message + ": " + sizes.error().hint));
        return;
    }
    wanted->sizes = std::move(*sizes);
    wanted->record = emulator::RecordRequest{choice.block, choice.warp};
    start(std::move(*wanted), std::nullopt);
}

void WarpStepping::stepInto(const Finding& finding) {
    if (!finding.thread || finding.line == 0) {
        emit message(tr("This finding names no thread and line to step to."));
        return;
    }
    auto wanted = request();
    if (!wanted) return;
    wanted->sizes = {finding.set.begin(), finding.set.end()};
    wanted->seed = finding.seed;
    wanted->fill = otherFill(wanted->kernel.spec, finding);
    const auto shape = blockShape(*wanted);
    if (!shape) {
        emit message(QString::fromStdString(shape.error().message));
        return;
    }
    const Index3& size = *shape;
    const Index3& thread = *finding.thread;
    const std::uint32_t linear = thread[0] + size[0] * (thread[1] + size[1] * thread[2]);
    const Index3 block = finding.block.value_or(Index3{});
    wanted->record = emulator::RecordRequest{block, linear / 32};
    m_panel->setChoice({block, linear / 32, sizesText(finding.set)});
    start(std::move(*wanted), Wish{finding, linear % 32});
}

void WarpStepping::start(worker::RunRequest request, std::optional<Wish> wish) {
    m_wish = std::move(wish);
    m_panel->showBusy(tr("Recording…"));
    emit dockWanted();
    m_job.start(std::move(request), m_runner->effectiveCommandLine());
}

void WarpStepping::recorded(const RecordedWarp& warp) {
    m_replay.setWarp(warp);
    m_panel->setStale(m_document->text(m_id) != m_text);
    const QString steps =
        tr("Recorded %n step(s) of warp %1.", nullptr, int(m_replay.steps())).arg(m_replay.recording().warp);
    if (!m_wish) return emit message(steps);
    const Finding& finding = m_wish->finding;
    if (m_replay.toFinding(finding.kind, int(finding.line), m_wish->lane))
        emit message(
            m_replay.findingLines().isEmpty()
                ? tr("This is the last time that lane %1 comes to line %2.").arg(m_wish->lane).arg(finding.line)
                : tr("The next step is the one that goes wrong."));
    else
        emit message(tr("%1 It does not come to line %2: the case of the finding may have been run another way.")
                         .arg(steps)
                         .arg(finding.line));
}

/// The arrow stands beside the line of the step that comes next, as long as the pane shows the recorded text.
void WarpStepping::updateMark() {
    const bool isBaseline = m_id == Document::baselineId();
    const bool fits =
        !m_replay.isEmpty() && m_document->text(m_id) == m_text && (isBaseline || m_document->current() == m_id);
    for (const PaneId id : {PaneId::baseline, PaneId::candidate})
        m_view->pane(id).setStepLine(fits && isBaseline == (id == PaneId::baseline) ? m_replay.line() : 0);
}

void WarpStepping::textChanged(const QString& id) {
    if (id != m_id || m_replay.isEmpty()) return;
    m_panel->setStale(m_document->text(id) != m_text);
    updateMark();
}

void WarpStepping::forget() {
    m_job.cancel();
    m_id.clear();
    m_text.clear();
    m_replay.clear();
    m_panel->setChoice({});
    m_panel->showReason(tr("Nothing is recorded yet. Choose a block and one of its warps: the emulator runs the "
                           "candidate and keeps what the warp does, step by step."));
    m_panel->showSteps();
}

} // namespace ptxwb::ui

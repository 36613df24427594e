#include "window/model_question.h"

#include "editors/code_pane.h"
#include "editors/editor.h"
#include "models/counter_store.h"
#include "models/document.h"
#include "models/shown_kernel.h"
#include "verify/result.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::ui {

namespace {

constexpr std::size_t mostTried = 6; ///< rows of the prompt's table: more would only make it long

std::optional<llm::Outcome> outcomeOf(const session::Candidate& candidate) {
    if (!candidate.judgement) return std::nullopt;
    auto outcome = llm::outcomeFromJson(verify::toJson(candidate.judgement->result));
    return outcome ? std::optional(std::move(*outcome)) : std::nullopt;
}

/// The kernel of the newest count that is about this text; nullptr where it was not counted.
const verify::ProfiledKernel* profiled(const CounterStore& counters, const QString& base, const QString& current) {
    const bool isBaseline = base == Document::baselineId();
    const QString id = isBaseline ? current : base;
    const Counted* counted = counters.counted(id);
    if (!counted || !counted->report || counters.isStale(id) || counted->report->kernels.empty()) return nullptr;
    const auto& kernels = counted->report->kernels;
    if (!isBaseline) return &kernels.back();
    return kernels.front().name == "baseline" ? &kernels.front() : nullptr;
}

void addCounters(ModelQuestion& question, const verify::ProfiledKernel& kernel) {
    for (const auto& [name, value] : kernel.metrics)
        question.hardwareCounters.emplace_back(name, fmt::format("{:.6g}", value));
    if (!kernel.sampling || kernel.sampling->samples == 0) return;
    llm::LineWeights weights;
    weights.basis = llm::HotBasis::samples;
    for (const verify::SampledLine& line : kernel.sampling->lines)
        if (line.line > 0) weights.lines[line.line] += line.samples;
    question.samples = std::move(weights);
}

} // namespace

LineRange selectedLines(const CodePane& pane) {
    if (!pane.hasSelection()) return {};
    int first = 0, firstColumn = 0, last = 0, lastColumn = 0;
    pane.editor().getSelection(&first, &firstColumn, &last, &lastColumn);
    // A selection that ends at the beginning of a line was meant to end with the line above.
    if (lastColumn == 0 && last > first) --last;
    return {first + 1, last + 1};
}

Expected<ModelQuestion> modelQuestion(const Document& document, const CounterStore& counters, const ModelForm& form,
                                      LineRange selection, verify::ReferenceTrust trust, NeedsModel needs) {
    const auto& session = document.session();
    const auto refuse = [](const QString& message, const QString& hint) {
        return failure(Cause::badRequest, message.toStdString(), hint.toStdString());
    };
    if (!session.hasKernel())
        return refuse(ModelForm::tr("there is no kernel spec yet, so nothing says what the kernel must do"),
                      ModelForm::tr("open a spec or an example, or draft one from the source"));
    ModelQuestion question;
    question.kernel = shownKernel(session);
    question.plan.reference = trust;
    if (!session.targets.empty()) question.plan.architectures = {session.targets.front()};
    const bool isCurrent = form.base() == BaseChoice::current && document.current() != Document::baselineId();
    const QString id = isCurrent ? document.current() : Document::baselineId();
    const session::Candidate& base = *document.candidate(id);
    if (base.text.empty())
        return refuse(ModelForm::tr("there is no PTX to begin with"),
                      ModelForm::tr("compile the baseline, or choose a candidate"));
    question.baseId = base.id;
    question.base.text = base.text;
    question.base.name = isCurrent ? "the candidate \"" + base.name + "\"" : "nvcc's PTX";
    if (!isCurrent && session.kernel.spec.source.empty() && session.kernel.spec.baseline)
        question.base.name = session.kernel.spec.baseline->ptx;
    if (document.freshness(id) == session::Freshness::current) question.judged = outcomeOf(base);
    for (const session::Candidate& other : session.candidates) {
        const QString otherId = QString::fromStdString(other.id);
        if (!form.tellsTried() || otherId == id || question.tried.size() == mostTried ||
            document.freshness(otherId) != session::Freshness::current)
            continue;
        if (auto outcome = outcomeOf(other)) question.tried.push_back({other.name, {}, std::move(*outcome)});
    }
    if (const auto* kernel = profiled(counters, id, document.current())) addCounters(question, *kernel);
    question.region = static_cast<RegionChoice>(form.region());
    if (question.region == RegionChoice::lines) {
        if (selection.first == 0)
            return refuse(ModelForm::tr("no lines are selected"),
                          isCurrent ? ModelForm::tr("select them in the candidate's pane")
                                    : ModelForm::tr("select them in the pane of nvcc's PTX"));
        question.lines = {std::uint32_t(selection.first), std::uint32_t(selection.last)};
    }
    question.wish = form.wish().toStdString();
    const ProviderEntry* provider = form.provider();
    if (!provider)
        return refuse(ModelForm::tr("no provider is chosen"), ModelForm::tr("choose one from the list"));
    if (provider->recording.isEmpty()) {
        if (form.model().isEmpty() && needs == NeedsModel::yes)
            return refuse(ModelForm::tr("no model is named"), ModelForm::tr("type its name, or ask for the list"));
        question.choice.provider = provider->endpoint.name;
        question.choice.model = form.model().isEmpty() ? "any" : form.model().toStdString();
    } else {
        question.choice.replay = provider->recording.toStdString();
    }
    question.choice.maxTokens = form.maxTokens();
    question.candidates = form.candidates();
    question.rounds = form.rounds();
    question.stopAtFirst = form.stopAtFirst();
    return question;
}

} // namespace ptxwb::ui

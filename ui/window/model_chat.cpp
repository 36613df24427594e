#include "window/model_chat.h"

#include "dialogs/paste_reply.h"
#include "editors/comparison_view.h"
#include "jobs/verify_runner.h"
#include "models/candidate_model.h"
#include "models/document.h"
#include "panels/model_form.h"
#include "panels/model_panel.h"
#include "panels/model_preview.h"
#include "panels/model_talk.h"
#include "window/model_providers.h"
#include "window/model_question.h"
#include "window/model_review.h"

#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>

namespace ptxwb::ui {

namespace {

using Page = ModelPanel::Page;

constexpr int longestName = 48; ///< of a candidate: a title may be a sentence

/// What the conversations of a session have cost: its budget is one, however often it is opened.
llm::Spent spentBy(const session::Session& session) {
    llm::Spent spent;
    for (const session::Conversation& one : session.conversations) {
        spent.requests += one.requests;
        spent.usage.inputTokens += one.inputTokens;
        spent.usage.outputTokens += one.outputTokens;
        spent.dollars += one.dollars.value_or(0);
        spent.isEstimated = spent.isEstimated || one.isEstimated;
        spent.hasPrice = spent.hasPrice && (one.requests == 0 || one.dollars);
    }
    return spent;
}

} // namespace

ModelChat::ModelChat(const Parts& parts, QObject* parent)
    : QObject(parent), m_parts(parts),
      m_providers(new ModelProviders(parts.document, &parts.panel->form(), this)),
      m_review(new ModelReview(parts.document, parts.view, &parts.panel->changes(), this)) {
    connect(m_providers, &ModelProviders::message, this, &ModelChat::message);
    connect(m_review, &ModelReview::message, this, &ModelChat::message);
    m_review->flush = [this] {
        if (flush) flush();
    };
    connect(parts.document, &Document::sessionReplaced, this, &ModelChat::newSession);
    connect(parts.document, &Document::conversationsChanged, this,
            [this] { m_parts.panel->talk().setConversations(m_parts.document->session().conversations); });
    connectForm();
    connectTalk();
    newSession();
}

ModelChat::~ModelChat() = default;

void ModelChat::stop() {
    m_run->stop();
}

/// The run of the session before must not bring anything into this one.
void ModelChat::newSession() {
    m_run = std::make_unique<ModelRun>();
    connectRun();
    m_pending.clear();
    m_judging.clear();
    m_cuda.clear();
    m_budget = std::make_shared<llm::Budget>(llm::BudgetLimits{}, spentBy(m_parts.document->session()));
    m_parts.candidates->setProposed({});
    m_parts.panel->talk().setLive({});
    m_parts.panel->talk().setConversations(m_parts.document->session().conversations);
    m_parts.panel->showPage(Page::ask);
    m_parts.panel->setState({});
    m_parts.panel->form().setBusy(false);
    m_parts.panel->talk().setRunning(ModelTalk::Running::no, false);
    updateBudget();
    updateForm();
}

void ModelChat::connectForm() {
    ModelForm& form = m_parts.panel->form();
    connect(&form, &ModelForm::previewWanted, this, [this] { prepare(After::preview); });
    connect(&form, &ModelForm::copyWanted, this, [this] { prepare(After::copy); });
    connect(&form, &ModelForm::pasteWanted, this, &ModelChat::paste);
    connect(&form, &ModelForm::baseChanged, this, &ModelChat::updateForm);
    connect(&form, &ModelForm::budgetChanged, this, &ModelChat::updateBudget);
    connect(m_parts.document, &Document::currentChanged, this, &ModelChat::updateForm);
    connect(m_parts.document, &Document::candidateRenamed, this, &ModelChat::updateForm);
    for (const PaneId id : {PaneId::baseline, PaneId::candidate})
        connect(&m_parts.view->pane(id), &CodePane::cursorLineChanged, this, &ModelChat::updateForm);
    ModelPreview& preview = m_parts.panel->preview();
    connect(&preview, &ModelPreview::agreed, this, [this] { m_pending.empty() ? send() : answerConsent(true); });
    connect(&preview, &ModelPreview::refused, this,
            [this] { m_pending.empty() ? m_parts.panel->showPage(Page::ask) : answerConsent(false); });
    connect(&preview, &ModelPreview::copyWanted, this, [this] {
        m_after = After::copy;
        prepared();
    });
}

void ModelChat::updateForm() {
    ModelForm& form = m_parts.panel->form();
    const QString id = m_parts.document->current();
    const bool isBaseline = id == Document::baselineId();
    const session::Candidate* current = m_parts.document->candidate(id);
    form.setCurrentName(isBaseline || !current ? QString() : QString::fromStdString(current->name));
    const bool ofCandidate = form.base() == BaseChoice::current && !isBaseline;
    const LineRange lines = selectedLines(ofCandidate ? m_parts.view->candidate() : m_parts.view->baseline());
    form.setSelection(lines.first, lines.last);
}

void ModelChat::updateBudget() {
    llm::BudgetLimits limits;
    if (const double dollars = m_parts.panel->form().budget(); dollars > 0) limits.dollars = dollars;
    m_budget->setLimits(limits);
    m_parts.panel->setSpent(m_budget->spent(), limits);
}

void ModelChat::prepare(After after) {
    if (m_run->isBusy()) return;
    if (flush) flush();
    updateForm();
    ModelForm& form = m_parts.panel->form();
    form.setProblem({});
    const bool ofCandidate =
        form.base() == BaseChoice::current && m_parts.document->current() != Document::baselineId();
    const LineRange lines = selectedLines(ofCandidate ? m_parts.view->candidate() : m_parts.view->baseline());
    const auto mayRun = m_parts.document->session().hasKernel() && trust ? trust() : verify::ReferenceTrust::refused;
    auto question = modelQuestion(*m_parts.document, *m_parts.counters, form, lines, mayRun,
                                  after == After::preview ? NeedsModel::yes : NeedsModel::no);
    if (!question) {
        m_pasted.clear();
        return form.setProblem(sentence(question.error()));
    }
    m_after = after;
    m_run->prepare(std::move(*question), m_parts.runner->effectiveCommandLine());
}

void ModelChat::connectRun() {
    ModelRun* run = m_run.get();
    connect(run, &ModelRun::prepared, this, &ModelChat::prepared);
    connect(run, &ModelRun::failed, this, [this](const Diagnostic& why) {
        m_pasted.clear();
        m_parts.panel->showPage(Page::ask);
        m_parts.panel->form().setProblem(sentence(why));
    });
    connect(run, &ModelRun::busyChanged, this, [this] {
        m_parts.panel->form().setBusy(m_run->isBusy());
        m_parts.panel->setState(m_run->isRunning() || !m_run->isBusy() ? QString() : tr("Building the question…"));
    });
    connect(run, &ModelRun::consentWanted, this, &ModelChat::consentWanted);
    connect(run, &ModelRun::asked, this,
            [this](quint32 candidate, quint32 round, const std::vector<llm::Message>& messages) {
                m_log.asked(candidate, round, messages);
                m_sizes.erase(candidate);
                keep();
                m_parts.panel->talk().setState(candidate, tr("asked (%1)").arg(round));
            });
    connect(run, &ModelRun::streamed, this, &ModelChat::stream);
    connect(run, &ModelRun::noted, this, [this](quint32 candidate, const QString& note) {
        m_parts.panel->talk().addNote(candidate, note);
    });
    connect(run, &ModelRun::troubled, this, [this](quint32 candidate, const Diagnostic& why) {
        m_log.troubled(candidate, why);
        m_parts.panel->talk().setState(candidate, tr("ended"));
        keep();
    });
    connect(run, &ModelRun::replied, this, [this](quint32 candidate, quint32, const llm::ChatReply& reply) {
        m_log.answered(candidate, reply);
        m_parts.panel->talk().clearAnswer(candidate);
        m_parts.panel->talk().setState(candidate, tr("answered"));
        keep();
        updateBudget();
    });
    connect(run, &ModelRun::arrived, this, &ModelChat::arrived);
    connect(run, &ModelRun::reported, this, [this](const QString& attempt, const verify::VerifyReport& report) {
        if (const auto found = m_candidates.find(attempt.toStdString()); found != m_candidates.end())
            m_parts.document->setResults(found->second, report);
    });
    connect(run, &ModelRun::judged, this, &ModelChat::judged);
    connect(run, &ModelRun::ended, this, &ModelChat::ended);
}

void ModelChat::prepared() {
    const PreparedQuestion& question = m_run->preparedQuestion();
    switch (m_after) {
    case After::preview:
        m_parts.panel->preview().showQuestion(question, m_run->question().candidates, m_run->question().rounds);
        m_parts.panel->showPage(Page::preview);
        break;
    case After::copy: {
        QString text;
        for (const llm::Message& each : question.messages)
            text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + QString::fromStdString(each.text);
        QGuiApplication::clipboard()->setText(text);
        emit message(tr("Copied: about %1 tokens. Paste the reply with Paste reply….").arg(question.tokens));
        break;
    }
    case After::paste:
        beginConversation("pasted");
        m_log.answered(1, {m_pasted.toStdString(), {}, {}, llm::Finish::complete, {}});
        keep();
        m_run->read(std::exchange(m_pasted, {}));
        m_parts.panel->talk().setRunning(ModelTalk::Running::yes, false);
        break;
    }
}

void ModelChat::paste() {
    if (m_run->isBusy()) return;
    auto* dialog = new PasteReply(m_parts.panel);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_pasted = dialog->text();
        // The same question as would be asked now: the reply is about its text and its lines.
        prepare(After::paste);
    });
    dialog->open();
}

void ModelChat::beginConversation(const std::string& provider) {
    m_candidates.clear();
    m_judging.clear();
    m_pending.clear();
    m_sizes.clear();
    m_cuda.clear();
    m_spentBefore = m_budget->spent();
    m_log.begin(session::newConversationId(m_parts.document->session()), m_run->question(), m_run->preparedQuestion(),
                provider);
    ModelTalk& talk = m_parts.panel->talk();
    const QString id = QString::fromStdString(m_log.conversation().id);
    talk.setLive(id);
    talk.offerCompiling(false);
    m_parts.document->setConversation(m_log.conversation());
    talk.setConversations(m_parts.document->session().conversations, id);
    m_parts.panel->showPage(Page::talk);
}

void ModelChat::send() {
    if (m_run->isBusy() || !m_run->isPrepared()) return;
    const auto further = m_parts.panel->preview().sendsFurther() ? ModelRun::FurtherQuestions::send
                                                                 : ModelRun::FurtherQuestions::ask;
    const bool leaves = !m_run->preparedQuestion().url.empty();
    const auto start = [this, further, leaves, run = m_run.get()](std::shared_ptr<const llm::KeySource> keys) {
        if (run != m_run.get() || m_run->isBusy()) return; // another session came meanwhile
        beginConversation(m_run->preparedQuestion().provider);
        // What a recording answers costs nothing.
        m_run->ask(std::move(keys), leaves ? m_budget : std::make_shared<llm::Budget>(), further);
        m_parts.panel->talk().setRunning(ModelTalk::Running::yes, false);
    };
    m_providers->withKeys(m_run->preparedQuestion().keyName, start);
}

void ModelChat::connectTalk() {
    ModelTalk& talk = m_parts.panel->talk();
    connect(&talk, &ModelTalk::stopWanted, this, [this] {
        m_run->stop();
        emit message(tr("Stopping…"));
    });
    // The person agreed to this very question before, and it is in the conversation that they look at.
    connect(&talk, &ModelTalk::regenerateWanted, this, &ModelChat::send);
    connect(&talk, &ModelTalk::compileWanted, this, [this] {
        if (m_run->isBusy() || m_cuda.empty()) return;
        m_parts.panel->talk().offerCompiling(false);
        m_run->compile(std::exchange(m_cuda, {}));
        m_parts.panel->talk().setRunning(ModelTalk::Running::yes, false);
    });
    connect(&talk, &ModelTalk::candidateWanted, this, [this](const QString& id) {
        if (flush) flush();
        m_parts.document->setCurrent(id);
    });
    connect(&talk, &ModelTalk::changesWanted, this, [this](const QString& id) {
        if (!m_parts.document->candidate(id)) return emit message(tr("That candidate is no longer in the session."));
        m_review->begin(id);
        m_parts.panel->showPage(Page::changes);
    });
    connect(&talk, &ModelTalk::removeWanted, m_parts.document, &Document::removeConversation);
}

void ModelChat::consentWanted(const PendingQuestion& question) {
    m_pending.push_back(question);
    m_parts.panel->talk().setState(question.candidate, tr("waits for you"));
    if (m_pending.size() == 1) showNextConsent();
}

void ModelChat::showNextConsent() {
    if (m_pending.empty()) return m_parts.panel->showPage(Page::talk);
    m_parts.panel->preview().showFurther(m_pending.front(), m_run->preparedQuestion());
    m_parts.panel->showPage(Page::preview);
    emit message(tr("A question waits to be sent: read it in the Model panel."));
}

void ModelChat::answerConsent(bool agreed) {
    const bool all = agreed && m_parts.panel->preview().sendsFurther();
    const std::uint32_t candidate = m_pending.front().candidate;
    m_run->consent(candidate, !agreed ? ModelRun::Consent::no : all ? ModelRun::Consent::all : ModelRun::Consent::yes);
    if (!agreed) m_parts.panel->talk().setState(candidate, tr("not sent"));
    if (all)
        m_pending.clear();
    else
        m_pending.erase(m_pending.begin());
    showNextConsent();
}

void ModelChat::stream(const std::vector<StreamPiece>& pieces) {
    ModelTalk& talk = m_parts.panel->talk();
    talk.stream(pieces);
    for (const StreamPiece& piece : pieces) {
        auto& [answer, reasoning] = m_sizes[piece.candidate];
        if (piece.restart) answer = reasoning = 0;
        answer += piece.text.size();
        reasoning += piece.reasoning.size();
        talk.setState(piece.candidate, answer == 0 ? tr("thinks: %1 characters").arg(reasoning)
                                                   : tr("answers: %1 characters").arg(answer));
    }
}

void ModelChat::arrived(const llm::Attempt& attempt) {
    if (flush) flush();
    const session::Conversation& conversation = m_log.conversation();
    session::Origin origin;
    origin.kind = conversation.provider == "pasted" ? session::OriginKind::import : session::OriginKind::model;
    origin.provider = conversation.provider;
    origin.model = attempt.model;
    origin.promptSha256 = attempt.promptSha256;
    QString name = QString::fromStdString(attempt.title).simplified();
    if (name.size() > longestName) name = name.left(longestName - 1).trimmed() + QChar(0x2026);
    if (name.isEmpty()) name = tr("proposal %1").arg(QString::fromStdString(attempt.name));
    const auto parent = m_candidates.find(attempt.parent);
    const QString id = m_parts.document->importCandidate(
        name, QString::fromStdString(attempt.ptx), origin,
        parent == m_candidates.end() ? QString::fromStdString(conversation.base) : parent->second, Document::Show::no);
    m_candidates[attempt.name] = id;
    m_judging += id;
    m_parts.candidates->setProposed(m_judging);
    m_parts.panel->talk().setState(attempt.candidate, tr("verifying"));
}

void ModelChat::judged(const llm::Attempt& attempt) {
    const auto found = m_candidates.find(attempt.name);
    const QString id = found == m_candidates.end() ? QString() : found->second;
    m_judging.removeAll(id);
    m_parts.candidates->setProposed(m_judging);
    m_log.judged(attempt, id);
    m_cuda.insert(m_cuda.end(), attempt.cuda.begin(), attempt.cuda.end());
    m_parts.panel->talk().setState(attempt.candidate, attempt.outcome
                                                          ? QString::fromStdString(attempt.outcome->verdict)
                                                          : tr("unusable"));
    keep();
    emit message(QStringLiteral("%1: %2").arg(QString::fromStdString(attempt.name), attemptText(attempt)));
}

void ModelChat::ended(const QString& end, const std::vector<Diagnostic>& errors) {
    const bool wasAsked = !end.isEmpty();
    // Those whose verdict a stop kept from coming.
    m_judging.clear();
    m_parts.candidates->setProposed({});
    m_pending.clear();
    m_log.ended(end, m_spentBefore, m_budget->spent());
    keep();
    updateBudget();
    ModelTalk& talk = m_parts.panel->talk();
    talk.setRunning(ModelTalk::Running::no, wasAsked);
    talk.offerCompiling(!m_cuda.empty());
    if (m_parts.panel->page() == Page::preview) m_parts.panel->showPage(Page::talk);
    QStringList lines;
    for (const Diagnostic& error : errors) lines += sentence(error);
    m_parts.panel->setState(lines.join(QLatin1Char('\n')));
    emit message(lines.isEmpty() ? tr("The conversation has ended: %1.").arg(wasAsked ? end : tr("read"))
                                 : lines.front());
}

void ModelChat::keep() {
    m_parts.document->setConversation(m_log.conversation());
}

} // namespace ptxwb::ui

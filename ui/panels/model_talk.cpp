#include "panels/model_talk.h"

#include "panels/marks.h"

#include <QComboBox>
#include <QDateTime>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QTabBar>
#include <QTextCursor>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace ptxwb::ui {

namespace {

enum Role { ThreadRole = Qt::UserRole + 1, CandidateRole, VerdictRole };

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

/// Adds at the end; the view follows only where it stood there.
void append(QPlainTextEdit& view, const QString& text) {
    QScrollBar& bar = *view.verticalScrollBar();
    const bool follows = bar.value() >= bar.maximum() - 1;
    QTextCursor end(view.document());
    end.movePosition(QTextCursor::End);
    end.insertText(text);
    if (follows) bar.setValue(bar.maximum());
}

/// What stands there already stays, with the place that a person looks at.
void setText(QPlainTextEdit& view, const QString& text) {
    const QString before = view.toPlainText();
    if (text.startsWith(before) && !before.isEmpty())
        append(view, text.mid(before.size()));
    else
        view.setPlainText(text);
}

QString heading(const QString& text) {
    return QStringLiteral("── %1 ──\n").arg(text);
}

QPlainTextEdit* textView(const char* name, const QString& accessibleName) {
    auto* view = new QPlainTextEdit;
    view->setObjectName(QLatin1String(name));
    view->setReadOnly(true);
    view->setUndoRedoEnabled(false);
    view->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    view->setAccessibleName(accessibleName);
    return view;
}

QString titleOf(const session::Conversation& one) {
    const QString time = QDateTime::fromString(qt(one.time), Qt::ISODate).toLocalTime().toString("yyyy-MM-dd hh:mm");
    QString title = QStringLiteral("%1 · %2").arg(time, qt(one.model.empty() ? one.provider : one.model));
    if (!one.wish.empty()) title += QStringLiteral(" · ") + qt(one.wish).simplified().left(60);
    return title;
}

} // namespace

ModelTalk::ModelTalk(QWidget* parent)
    : QWidget(parent), m_list(new QComboBox), m_tree(new QTreeWidget), m_forms(new QTabBar),
      m_reasoning(textView("talkReasoning", tr("The model's reasoning"))),
      m_text(textView("talkText", tr("The conversation"))), m_empty(new QLabel), m_content(new QWidget),
      m_stop(new QPushButton(tr("S&top"))), m_again(new QPushButton(tr("&Regenerate"))),
      m_changes(new QPushButton(tr("&Changes…"))), m_remove(new QPushButton(tr("&Forget"))),
      m_compile(new QPushButton(tr("Co&mpile the CUDA answer with nvcc"))) {
    const std::pair<QWidget*, const char*> names[] = {
        {m_list, "talkList"},     {m_tree, "talkTree"},   {m_forms, "talkForms"},
        {m_stop, "talkStop"},     {m_again, "talkAgain"}, {m_changes, "talkChanges"},
        {m_remove, "talkForget"}, {m_empty, "talkEmpty"}, {m_compile, "talkCompile"}};
    for (const auto& [widget, name] : names) widget->setObjectName(QLatin1String(name));
    m_list->setAccessibleName(tr("Conversations of this session"));
    m_list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_list->setMinimumContentsLength(16);
    m_tree->setHeaderLabels({tr("Answer"), tr("State"), tr("What came of it")});
    m_tree->setAccessibleName(tr("Candidates that were asked for, with their answers"));
    m_tree->setUniformRowHeights(true);
    m_tree->header()->setStretchLastSection(true);
    m_tree->setRootIsDecorated(false);
    m_tree->setIndentation(12);
    m_tree->setItemDelegate(new MarkDelegate(
        [](const QModelIndex& index, const Theme& theme) {
            const QVariant verdict = index.data(VerdictRole);
            return index.column() == 1 && verdict.isValid() ? verdictMark(verdict.toString(), theme) : Mark{};
        },
        this));
    m_remove->setToolTip(tr("Takes this conversation out of the session; its candidates stay"));
    m_changes->setToolTip(tr("Compares the chosen answer with the current candidate, to take it change by change"));
    m_again->setToolTip(tr("Asks the same again"));
    m_forms->addTab(tr("Answer"));
    m_forms->addTab(tr("Sent"));
    m_forms->setDrawBase(false);
    m_forms->setExpanding(false);
    m_reasoning->hide();

    auto* texts = new QSplitter(Qt::Vertical);
    texts->addWidget(m_reasoning);
    texts->addWidget(m_text);
    texts->setStretchFactor(1, 3);
    texts->setChildrenCollapsible(false);
    auto* below = new QWidget;
    auto* lower = new QVBoxLayout(below);
    lower->setContentsMargins({});
    lower->setSpacing(2);
    lower->addWidget(m_forms);
    lower->addWidget(texts, 1);
    auto* parts = new QSplitter(Qt::Vertical);
    parts->addWidget(m_tree);
    parts->addWidget(below);
    parts->setStretchFactor(1, 2);
    parts->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins({});
    auto* top = new QHBoxLayout;
    top->addWidget(m_list, 1);
    top->addWidget(m_remove);
    column->addLayout(top);
    column->addWidget(parts, 1);
    m_compile->hide();
    column->addWidget(m_compile);
    auto* row = new QHBoxLayout;
    row->addWidget(m_stop);
    row->addWidget(m_again);
    row->addStretch(1);
    row->addWidget(m_changes);
    column->addLayout(row);
    m_empty->setText(tr("No conversation yet. Ask a model, or paste a reply from any chat."));
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    auto* all = new QVBoxLayout(this);
    all->addWidget(m_empty, 1);
    all->addWidget(m_content, 1);

    connect(m_list, &QComboBox::currentIndexChanged, this, &ModelTalk::choose);
    connect(m_forms, &QTabBar::currentChanged, this, &ModelTalk::showTexts);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (!item || m_filling) return;
        if (const auto thread = item->data(0, ThreadRole).toUInt(); thread != m_thread) showThread(thread);
        updateButtons();
    });
    connect(m_tree, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        if (const QString id = item->data(0, CandidateRole).toString(); !id.isEmpty()) emit candidateWanted(id);
    });
    connect(m_stop, &QPushButton::clicked, this, &ModelTalk::stopWanted);
    connect(m_again, &QPushButton::clicked, this, &ModelTalk::regenerateWanted);
    connect(m_compile, &QPushButton::clicked, this, &ModelTalk::compileWanted);
    connect(m_changes, &QPushButton::clicked, this, [this] { emit changesWanted(selectedCandidate()); });
    connect(m_remove, &QPushButton::clicked, this, [this] { emit removeWanted(shown()); });
    setConversations({});
}

void ModelTalk::setConversations(const std::vector<session::Conversation>& conversations, const QString& chosen) {
    const QString before = chosen.isEmpty() ? shown() : chosen;
    m_filling = true;
    m_conversations = conversations;
    m_list->clear();
    for (auto one = m_conversations.rbegin(); one != m_conversations.rend(); ++one)
        m_list->addItem(titleOf(*one), qt(one->id)); // the newest first
    m_list->setCurrentIndex(std::max(0, m_list->findData(before)));
    m_filling = false;
    m_empty->setVisible(m_conversations.empty());
    m_content->setVisible(!m_conversations.empty());
    if (shown() != before) m_thread = 0;
    fillTree();
    showTexts();
}

QString ModelTalk::shown() const {
    return m_list->currentData().toString();
}

const session::Conversation* ModelTalk::conversation() const {
    const auto found = std::ranges::find(m_conversations, shown().toStdString(), &session::Conversation::id);
    return found == m_conversations.end() ? nullptr : &*found;
}

void ModelTalk::choose() {
    if (m_filling) return;
    m_thread = 0;
    fillTree();
    showTexts();
}

void ModelTalk::setLive(const QString& id) {
    m_liveId = id;
    m_live.clear();
}

void ModelTalk::fillTree() {
    m_filling = true;
    const QString chosen = m_tree->currentItem() ? m_tree->currentItem()->text(0) : QString();
    m_tree->clear();
    const session::Conversation* one = conversation();
    const bool isLive = one && qt(one->id) == m_liveId;
    QTreeWidgetItem* wanted = nullptr;
    for (const session::ChatThread& thread : one ? one->threads : std::vector<session::ChatThread>{}) {
        auto* top =
            new QTreeWidgetItem(m_tree, {tr("Candidate %1").arg(thread.candidate), QString(), qt(thread.problem)});
        top->setData(0, ThreadRole, thread.candidate);
        top->setToolTip(2, qt(thread.problem));
        if (isLive) top->setText(1, m_live[thread.candidate].state);
        for (const session::ChatTurn& turn : thread.turns)
            for (const session::ChatAttempt& attempt : turn.attempts) {
                const QString verdict = qt(attempt.verdict);
                auto* item = new QTreeWidgetItem(top, {qt(attempt.name),
                                                       !verdict.isEmpty()          ? verdict
                                                       : attempt.candidate.empty() ? tr("unusable")
                                                                                   : tr("not judged"),
                                                       qt(attempt.text)});
                item->setData(0, ThreadRole, thread.candidate);
                item->setData(0, CandidateRole, qt(attempt.candidate));
                item->setData(1, VerdictRole, verdict);
                item->setToolTip(2, qt(attempt.text));
                if (item->text(0) == chosen) wanted = item;
            }
        if (m_thread == 0) m_thread = thread.candidate;
        if (!wanted && m_thread == thread.candidate) wanted = top;
    }
    m_tree->expandAll();
    for (int column = 0; column < 2; ++column) m_tree->resizeColumnToContents(column);
    m_tree->setCurrentItem(wanted);
    m_filling = false;
    updateButtons();
}

QTreeWidgetItem* ModelTalk::itemOf(std::uint32_t candidate) const {
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
        if (m_tree->topLevelItem(i)->data(0, ThreadRole).toUInt() == candidate) return m_tree->topLevelItem(i);
    return nullptr;
}

std::uint32_t ModelTalk::thread() const {
    return m_thread;
}

void ModelTalk::showThread(std::uint32_t candidate) {
    m_thread = candidate;
    if (QTreeWidgetItem* item = itemOf(candidate);
        item && (!m_tree->currentItem() || m_tree->currentItem()->data(0, ThreadRole).toUInt() != candidate))
        m_tree->setCurrentItem(item);
    showTexts();
}

void ModelTalk::showTexts() {
    const session::Conversation* one = conversation();
    const auto found = one ? std::ranges::find(one->threads, m_thread, &session::ChatThread::candidate)
                           : std::vector<session::ChatThread>::const_iterator{};
    QString text, reasoning;
    if (one && m_forms->currentIndex() == 1) {
        for (const session::ChatTurn& turn : one->opening) text += heading(qt(turn.role)) + qt(turn.text) + '\n';
        if (found != one->threads.end())
            for (const session::ChatTurn& turn : found->turns)
                if (turn.role != "assistant") text += heading(qt(turn.role)) + qt(turn.text) + '\n';
    } else if (one && found != one->threads.end()) {
        int answers = 0;
        for (const session::ChatTurn& turn : found->turns) {
            if (turn.role != "assistant") {
                text += heading(tr("sent back")) + qt(turn.text) + '\n';
                continue;
            }
            ++answers;
            text += heading(tr("answer %1").arg(answers)) + qt(turn.text) + '\n';
            if (!turn.reasoning.empty())
                reasoning += heading(tr("before answer %1").arg(answers)) + qt(turn.reasoning) + '\n';
        }
        if (qt(one->id) == m_liveId) {
            const Live& live = m_live[m_thread];
            for (const QString& note : live.notes) text += heading(note);
            text += live.text;
            reasoning += live.reasoning;
        }
        if (!found->problem.empty()) text += heading(qt(found->problem));
    }
    setText(*m_text, text);
    setText(*m_reasoning, reasoning);
    m_reasoning->setVisible(!reasoning.isEmpty());
}

void ModelTalk::stream(const std::vector<StreamPiece>& pieces) {
    const bool isShown = shown() == m_liveId && m_forms->currentIndex() == 0;
    for (const StreamPiece& piece : pieces) {
        Live& live = m_live[piece.candidate];
        if (piece.restart) {
            live.text.clear();
            live.reasoning.clear();
        }
        live.text += piece.text;
        live.reasoning += piece.reasoning;
        if (!isShown || piece.candidate != m_thread) continue;
        if (piece.restart) {
            showTexts();
            continue;
        }
        if (!piece.text.isEmpty()) append(*m_text, piece.text);
        if (piece.reasoning.isEmpty()) continue;
        if (m_reasoning->isHidden()) m_reasoning->show();
        append(*m_reasoning, piece.reasoning);
    }
}

void ModelTalk::clearAnswer(std::uint32_t candidate) {
    Live& live = m_live[candidate];
    live.text.clear();
    live.reasoning.clear();
    live.notes.clear();
}

void ModelTalk::setState(std::uint32_t candidate, const QString& text) {
    Live& live = m_live[candidate];
    if (live.state == text) return;
    live.state = text;
    if (shown() != m_liveId) return;
    if (QTreeWidgetItem* item = itemOf(candidate)) item->setText(1, text);
}

void ModelTalk::addNote(std::uint32_t candidate, const QString& note) {
    m_live[candidate].notes += note;
    if (shown() == m_liveId && candidate == m_thread) showTexts();
}

void ModelTalk::setRunning(Running running, bool mayRegenerate) {
    m_running = running == Running::yes;
    m_mayRegenerate = mayRegenerate;
    updateButtons();
}

void ModelTalk::offerCompiling(bool offered) {
    m_compile->setVisible(offered);
}

QString ModelTalk::selectedCandidate() const {
    const QTreeWidgetItem* item = m_tree->currentItem();
    return item ? item->data(0, CandidateRole).toString() : QString();
}

void ModelTalk::updateButtons() {
    m_stop->setEnabled(m_running);
    m_again->setEnabled(!m_running && m_mayRegenerate);
    m_changes->setEnabled(!selectedCandidate().isEmpty());
    m_remove->setEnabled(!(m_running && shown() == m_liveId));
}

} // namespace ptxwb::ui

#include "panels/decision_page.h"

#include "panels/marks.h"
#include "panels/panel_page.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QVBoxLayout>

namespace ptxwb::ui {

namespace {

StageModel::State stateOf(DecisionState state) {
    switch (state) {
    case DecisionState::holds: return StageModel::State::pass;
    case DecisionState::refused: return StageModel::State::fail;
    case DecisionState::withdrawn: return StageModel::State::inconclusive;
    case DecisionState::none: break;
    }
    return StageModel::State::skipped;
}

} // namespace

DecisionPage::DecisionPage(QWidget* parent)
    : QWidget(parent), m_standing(paragraph()), m_details(paragraph()), m_obstacles(paragraph()),
      m_approve(new QRadioButton(tr("&Approve"))), m_request(new QRadioButton(tr("Request &changes"))),
      m_reject(new QRadioButton(tr("Re&ject"))), m_targets(new QLineEdit), m_reviewer(new QLineEdit),
      m_authors(new QLineEdit), m_reason(new QPlainTextEdit), m_decide(new QPushButton(tr("&Decide"))),
      m_bundle(new QPushButton(tr("Export &bundle…"))) {
    QFont bold = m_standing->font();
    bold.setBold(true);
    m_standing->setFont(bold);
    m_approve->setChecked(true);
    m_targets->setPlaceholderText(tr("sm_90 sm_100"));
    m_reviewer->setPlaceholderText(tr("Ada Lovelace <ada@example.org>"));
    m_authors->setPlaceholderText(tr("who wrote it; several with ; between"));
    m_reason->setPlaceholderText(tr("Why: it is kept with the decision"));
    m_reason->setTabChangesFocus(true);
    m_reason->setFixedHeight(fontMetrics().lineSpacing() * 3 + 10);
    m_bundle->setToolTip(tr("One file with the PTX, machine code, spec, evidence, report and this decision"));
    for (const auto& [widget, name] :
         std::initializer_list<std::pair<QWidget*, const char*>>{{m_standing, "decisionStanding"},
                                                                 {m_obstacles, "decisionObstacles"},
                                                                 {m_approve, "decisionApprove"},
                                                                 {m_request, "decisionRequest"},
                                                                 {m_reject, "decisionReject"},
                                                                 {m_targets, "decisionTargets"},
                                                                 {m_reviewer, "decisionReviewer"},
                                                                 {m_authors, "decisionAuthors"},
                                                                 {m_reason, "decisionReason"},
                                                                 {m_decide, "decisionDecide"},
                                                                 {m_bundle, "decisionBundle"}})
        widget->setObjectName(QLatin1String(name));

    auto* kinds = new QHBoxLayout;
    for (QRadioButton* each : {m_approve, m_request, m_reject}) kinds->addWidget(each);
    kinds->addStretch();
    auto* form = new QFormLayout;
    form->addRow(tr("Verdict:"), kinds);
    form->addRow(tr("For &targets:"), m_targets);
    form->addRow(tr("&You:"), m_reviewer);
    form->addRow(tr("A&uthors:"), m_authors);
    form->addRow(tr("&Reason:"), m_reason);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_decide);
    buttons->addWidget(m_bundle);
    buttons->addStretch();
    auto* left = new QVBoxLayout;
    left->addLayout(form);
    left->addLayout(buttons);
    left->addStretch();
    auto* right = new QVBoxLayout;
    for (QLabel* each : {m_standing, m_details, m_obstacles}) right->addWidget(each);
    right->addStretch();
    auto* page = new QWidget;
    auto* row = new QHBoxLayout(page);
    row->addLayout(left, 3);
    row->addLayout(right, 2);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins({});
    all->addWidget(scrolling(page));

    for (QRadioButton* each : {m_approve, m_request, m_reject})
        connect(each, &QRadioButton::toggled, this, [this](bool on) {
            if (on) emit changed();
        });
    connect(m_targets, &QLineEdit::textChanged, this, &DecisionPage::changed);
    connect(m_reviewer, &QLineEdit::textChanged, this, &DecisionPage::changed);
    connect(m_reason, &QPlainTextEdit::textChanged, this, &DecisionPage::changed);
    connect(m_reviewer, &QLineEdit::editingFinished, this, &DecisionPage::reviewerEdited);
    connect(m_authors, &QLineEdit::editingFinished, this, &DecisionPage::authorsEdited);
    connect(m_decide, &QPushButton::clicked, this, &DecisionPage::decided);
    connect(m_bundle, &QPushButton::clicked, this, &DecisionPage::bundleWanted);
}

void DecisionPage::setStanding(const QString& candidate, DecisionState state, const QString& text,
                               const QStringList& details) {
    const Mark mark = markOf(stateOf(state), themeFor(palette()));
    m_standing->setText(QStringLiteral("%1 %2: %3").arg(mark.glyph, candidate, text));
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText,
                     state == DecisionState::none ? palette().color(QPalette::WindowText) : mark.colour);
    m_standing->setPalette(colours);
    m_isDecided = state != DecisionState::none;
    say(m_details, details.join(QLatin1Char('\n')));
}

void DecisionPage::setObstacles(const QStringList& obstacles) {
    m_decide->setEnabled(obstacles.isEmpty());
    // Below a decision that stands, what misses concerns a further one.
    const QString head = m_isDecided ? tr("To decide anew:") : tr("It cannot be decided so:");
    const QString bullet = QStringLiteral("\n\u2022 ");
    say(m_obstacles, obstacles.isEmpty() ? QString() : head + bullet + obstacles.join(bullet));
    m_decide->setToolTip(m_obstacles->text());
}

void DecisionPage::setTargets(const QString& targets) {
    if (!m_targets->isModified()) m_targets->setText(targets);
}
void DecisionPage::setReviewer(const QString& reviewer) {
    m_reviewer->setText(reviewer);
}
void DecisionPage::setAuthors(const QString& authors) {
    if (m_authors->text() != authors && !m_authors->hasFocus()) m_authors->setText(authors);
}
void DecisionPage::clearReason() {
    m_reason->clear();
}
void DecisionPage::setBundleProblem(const QString& why) {
    m_bundle->setEnabled(why.isEmpty());
    if (!why.isEmpty()) m_bundle->setToolTip(why);
}

DecisionKind DecisionPage::kind() const {
    return m_approve->isChecked()   ? DecisionKind::approve
           : m_request->isChecked() ? DecisionKind::requestChanges
                                    : DecisionKind::reject;
}

QStringList DecisionPage::targets() const {
    return m_targets->text().split(QRegularExpression(QStringLiteral("[\\s,]+")), Qt::SkipEmptyParts);
}
QString DecisionPage::reviewer() const {
    return m_reviewer->text().trimmed();
}
QString DecisionPage::reason() const {
    return m_reason->toPlainText().trimmed();
}
QStringList DecisionPage::authors() const {
    QStringList all;
    for (const QString& each : m_authors->text().split(QLatin1Char(';')))
        if (!each.trimmed().isEmpty()) all += each.trimmed();
    return all;
}
QString DecisionPage::standing() const {
    return m_standing->text();
}
QString DecisionPage::obstacles() const {
    return m_obstacles->text();
}

} // namespace ptxwb::ui

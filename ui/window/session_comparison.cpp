#include "window/session_comparison.h"

#include "editors/comparison_view.h"
#include "models/candidate_figures.h"
#include "ptx/parse.h"
#include "review/decision.h"
#include "theme/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace ptxwb::ui {

namespace {

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

QString sessionName(const session::Session& session) {
    return session.file.empty() ? qt(session::title(session)) : qt(session.file.filename().string());
}

/// The rows of the table: what, and what it is for one text.
std::vector<std::pair<QString, QString>> figuresOf(const session::Session& session, const session::Candidate* text) {
    std::vector<std::pair<QString, QString>> rows;
    const auto add = [&](const QString& what, const QString& value) {
        rows.emplace_back(what, value.isEmpty() ? QStringLiteral("-") : value);
    };
    const std::string target = session.targets.empty() ? std::string{} : session.targets.front();
    const verify::CandidateResult* result = text && text->judgement ? &text->judgement->result : nullptr;
    const auto* resources = text ? resourcesFor(*text, target) : nullptr;
    const auto* occupancy = text ? occupancyFor(*text, target) : nullptr;
    const bool stale = text && session::freshness(*text, session::kernelHash(session)) == session::Freshness::stale;
    add(SessionComparison::tr("Verdict"), !text   ? QString()
                                          : stale ? SessionComparison::tr("stale, %1").arg(verdictText(*text))
                                                  : verdictText(*text));
    add(SessionComparison::tr("Registers"), resources ? QString::number(resources->registers) : QString());
    add(SessionComparison::tr("Spilled, bytes"),
        resources ? QStringLiteral("%1 / %2").arg(resources->spillStoreBytes).arg(resources->spillLoadBytes)
                  : QString());
    add(SessionComparison::tr("Shared memory, bytes"),
        resources ? QString::number(resources->staticSharedBytes) : QString());
    add(SessionComparison::tr("Occupancy"), occupancy ? QStringLiteral("%1 %").arg(occupancy->percent) : QString());
    add(SessionComparison::tr("Median time"), result && result->timing ? timeText(*result->timing) : QString());
    add(SessionComparison::tr("Against its baseline"), result ? ratioText(*result, WithGlyph::yes) : QString());
    add(SessionComparison::tr("Assembler"), result ? qt(text->judgement->toolkit) : QString());
    add(SessionComparison::tr("Review"), text ? qt(review::describe(review::standing(session, text->id))) : QString());
    return rows;
}

} // namespace

SessionComparison::SessionComparison(session::Session left, const std::string& current, session::Session right,
                                     const Theme& theme, QWidget* parent)
    : QDialog(parent, Qt::Window), m_sessions{std::move(left), std::move(right)}, m_view(new ComparisonView),
      m_figures(new QTableWidget) {
    setWindowTitle(tr("%1 beside %2").arg(sessionName(m_sessions[0]), sessionName(m_sessions[1])));
    auto* head = new QHBoxLayout;
    for (int side = 0; side < 2; ++side) {
        QComboBox*& choice = m_choices[std::size_t(side)];
        choice = new QComboBox;
        choice->setObjectName(side == 0 ? QStringLiteral("leftText") : QStringLiteral("rightText"));
        auto* label = new QLabel(tr("%1:").arg(sessionName(m_sessions[std::size_t(side)])));
        label->setBuddy(choice);
        head->addWidget(label);
        head->addWidget(choice, 1);
        choice->setAccessibleName(label->text());
    }
    m_view->setTheme(theme);
    m_view->candidate().setReadOnly(Access::readOnly);
    m_view->source().hide(); // each session has its own
    m_figures->setColumnCount(2);
    m_figures->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_figures->setAccessibleName(tr("Figures of both texts"));
    m_figures->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(m_view);
    split->addWidget(m_figures);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(head);
    column->addWidget(split, 1);
    fillChoice(0, current);
    const session::Candidate* first = session::find(m_sessions[0], current);
    const auto& others = m_sessions[1].candidates;
    const auto named = first ? std::ranges::find(others, first->name, &session::Candidate::name) : others.end();
    fillChoice(1, named != others.end() ? named->id
                  : others.empty()      ? std::string(session::baselineId)
                                        : others.front().id);
    for (int side = 0; side < 2; ++side)
        connect(m_choices[std::size_t(side)], &QComboBox::currentIndexChanged, this, [this, side] {
            showChosen(side);
            startComparison();
        });
    showChosen(0);
    showChosen(1);
    startComparison();
    resize(1300, 860);
}

void SessionComparison::fillChoice(int side, const std::string& first) {
    const session::Session& session = m_sessions[std::size_t(side)];
    QComboBox* choice = m_choices[std::size_t(side)];
    if (!session.baseline.text.empty()) choice->addItem(tr("baseline"), qt(std::string(session::baselineId)));
    for (const session::Candidate& each : session.candidates) choice->addItem(qt(each.name), qt(each.id));
    choice->setCurrentIndex(std::max(0, choice->findData(qt(first))));
}

const session::Candidate* SessionComparison::shown(int side) const {
    return session::find(m_sessions[std::size_t(side)],
                         m_choices[std::size_t(side)]->currentData().toString().toStdString());
}

void SessionComparison::showChosen(int side) {
    const session::Candidate* text = shown(side);
    const QByteArray bytes = text ? QByteArray::fromStdString(text->text) : QByteArray();
    CodePane& pane = side == 0 ? m_view->baseline() : m_view->candidate();
    if (side == 0)
        m_view->setBaselineText(bytes);
    else
        m_view->setCandidateText(bytes);
    PaneTitle title;
    title.name =
        tr("%1: %2").arg(sessionName(m_sessions[std::size_t(side)]), m_choices[std::size_t(side)]->currentText());
    if (!m_sessions[std::size_t(side)].targets.empty())
        title.target = qt(m_sessions[std::size_t(side)].targets.front());
    pane.setTitle(title);
    pane.setEmptyText(tr("This session has no such text."));
}

void SessionComparison::startComparison() {
    fillFigures();
    m_view->clearComparison(tr("comparing…"));
    const quint64 left = m_view->baseline().revision(), right = m_view->candidate().revision();
    m_job.start(
        [a = m_view->baseline().text().toStdString(), b = m_view->candidate().text().toStdString()](std::stop_token) {
            return compare::compare(*ptx::parse(a, "left.ptx"), *ptx::parse(b, "right.ptx"));
        },
        [this, left, right](compare::Comparison comparison) {
            m_view->applyComparison(std::move(comparison), left, right);
        });
}

void SessionComparison::fillFigures() {
    const auto left = figuresOf(m_sessions[0], shown(0)), right = figuresOf(m_sessions[1], shown(1));
    m_figures->setRowCount(int(left.size()));
    m_figures->setHorizontalHeaderLabels({m_choices[0]->currentText(), m_choices[1]->currentText()});
    for (std::size_t row = 0; row < left.size(); ++row) {
        m_figures->setVerticalHeaderItem(int(row), new QTableWidgetItem(left[row].first));
        for (const auto& [column, value] : {std::pair{0, left[row].second}, {1, right[row].second}}) {
            auto* item = new QTableWidgetItem(value);
            item->setToolTip(value);
            // Not by colour alone: what differs is bold.
            QFont font = item->font();
            font.setBold(left[row].second != right[row].second);
            item->setFont(font);
            m_figures->setItem(int(row), column, item);
        }
    }
}

} // namespace ptxwb::ui

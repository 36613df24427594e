#include "dialogs/history_dialog.h"

#include "editors/code_pane.h"
#include "editors/comparison_bar.h"
#include "editors/comparison_paint.h"
#include "editors/editor.h"
#include "models/document.h"
#include "ptx/parse.h"
#include "theme/theme.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ptxwb::ui {

namespace {

QString reasonText(session::VersionReason reason) {
    switch (reason) {
    case session::VersionReason::verified: return HistoryDialog::tr("verified");
    case session::VersionReason::saved: return HistoryDialog::tr("saved");
    case session::VersionReason::replaced: return HistoryDialog::tr("before an earlier one came back");
    }
    return {};
}

QString verdictText(verify::Verdict verdict) {
    switch (verdict) {
    case verify::Verdict::pass: return HistoryDialog::tr("\u2713 pass");
    case verify::Verdict::fail: return HistoryDialog::tr("\u2717 fail");
    case verify::Verdict::incomplete: break;
    }
    return HistoryDialog::tr("? incomplete");
}

QString describe(const session::Version& version, bool isPresent) {
    const QDateTime time = QDateTime::fromString(QString::fromStdString(version.time), Qt::ISODate).toLocalTime();
    QStringList parts{time.isValid() ? QLocale().toString(time, HistoryDialog::tr("d MMM yyyy, hh:mm:ss"))
                                     : HistoryDialog::tr("at first")};
    parts += version.verdict ? verdictText(*version.verdict) : reasonText(version.reason);
    if (isPresent) parts += HistoryDialog::tr("as it is now");
    return parts.join(QStringLiteral("  "));
}

QByteArray bytes(const std::string& text) {
    return QByteArray::fromStdString(text);
}

/// A line of the version shows what became of it since; where nothing did, how it came about.
void paintMiddle(Editor& editor, const std::vector<compare::Row>& first, const std::vector<compare::Row>& second) {
    std::vector<bool> changes(std::size_t(editor.lineTotal()) + 1);
    for (const compare::Row& row : second)
        if (row.leftLine < changes.size()) changes[row.leftLine] = !row.trivia && compare::isChange(row.cls);
    for (const compare::Row& row : first)
        if (row.rightLine > 0 && row.rightLine < changes.size() && !changes[row.rightLine])
            paintRows(editor, {&row, 1}, Side::right);
    for (const compare::Row& row : second)
        if (row.leftLine > 0 && row.leftLine < changes.size() && changes[row.leftLine])
            paintRows(editor, {&row, 1}, Side::left);
}

} // namespace

HistoryDialog::HistoryDialog(Document* document, const QString& candidate, const Theme& theme, QWidget* parent)
    : QDialog(parent), m_document(document), m_candidate(candidate), m_list(new QListWidget(this)),
      m_summary(new QLabel(this)), m_restore(new QPushButton(tr("&Restore this version"), this)) {
    setWindowFlag(Qt::WindowMaximizeButtonHint);
    resize(1280, 680);
    auto* column = new QVBoxLayout(this);
    m_summary->setWordWrap(true);
    column->addWidget(m_summary);
    auto* splitter = new QSplitter(this);
    m_list->setAccessibleName(tr("Versions, the newest first"));
    m_list->setMinimumWidth(120);
    splitter->addWidget(m_list);
    makePanes(theme);
    for (CodePane* each : m_panes) splitter->addWidget(each);
    splitter->setSizes({250, 340, 340, 340});
    splitter->setChildrenCollapsible(false);
    column->addWidget(splitter, 1);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_restore->setToolTip(tr("Puts this version in place of the candidate's text; Ctrl+Z in the editor undoes it"));
    buttons->addButton(m_restore, QDialogButtonBox::ActionRole);
    const auto step = [&](const QString& text, const QString& tip, const QKeySequence& key,
                          void (HistoryDialog::*to)()) {
        auto* button = buttons->addButton(text, QDialogButtonBox::ActionRole);
        button->setToolTip(tip);
        button->setShortcut(key);
        connect(button, &QPushButton::clicked, this, to);
    };
    step(tr("&Previous change"), tr("Previous change (Shift+F7)"), QKeySequence(Qt::SHIFT | Qt::Key_F7),
         &HistoryDialog::previousChange);
    step(tr("&Next change"), tr("Next change (F7)"), QKeySequence(Qt::Key_F7), &HistoryDialog::nextChange);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_restore, &QPushButton::clicked, this, &HistoryDialog::restore);
    column->addWidget(buttons);
    // The editors keep Tab to themselves.
    auto* cycle = new QShortcut(QKeySequence(Qt::Key_F6), this);
    connect(cycle, &QShortcut::activated, this, [this] {
        const auto at = std::ranges::find_if(m_panes, [](CodePane* each) { return each->editor().hasFocus(); });
        if (at == m_panes.end())
            m_panes.front()->setFocus();
        else if (at + 1 == m_panes.end())
            m_list->setFocus();
        else
            (*(at + 1))->setFocus();
    });
    connect(m_list, &QListWidget::currentRowChanged, this, &HistoryDialog::showVersion);
    const auto concerns = [this](const QString& id) {
        if (id == m_candidate || id == Document::baselineId()) m_rest.start();
    };
    m_rest.setSingleShot(true);
    m_rest.setInterval(300);
    connect(&m_rest, &QTimer::timeout, this, &HistoryDialog::fillList);
    connect(document, &Document::historyChanged, this, concerns);
    connect(document, &Document::textChanged, this, concerns);
    connect(document, &Document::sessionAboutToBeReplaced, this, &QDialog::reject);
    connect(document, &Document::candidateRemoved, this, [this] {
        if (!m_document->candidate(m_candidate)) reject();
    });
    fillList();
    m_list->setFocus();
}

HistoryDialog::~HistoryDialog() = default;

void HistoryDialog::makePanes(const Theme& theme) {
    const QString names[] = {tr("Baseline"), tr("Version"), tr("Candidate")};
    for (int i = 0; i < 3; ++i) {
        auto* pane = m_panes[std::size_t(i)] = new CodePane(Language::ptx, Access::readOnly, names[i]);
        pane->setTheme(theme);
        pane->setMinimumWidth(120);
        pane->editor().setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
        connect(&pane->editor(), &Editor::scrolledVertically, this, [this, i] { scrolled(i); });
    }
}

void HistoryDialog::scrolled(int from) {
    if (m_syncing) return;
    const QScopedValueRollback guard(m_syncing, true);
    const int row = m_panes[std::size_t(from)]->editor().firstVisibleRow();
    for (CodePane* each : m_panes) each->editor().setFirstVisibleRow(row);
}

int HistoryDialog::version() const {
    const QListWidgetItem* item = m_list->currentItem();
    return item ? item->data(Qt::UserRole).toInt() : -1;
}

QString HistoryDialog::summary() const {
    return m_summary->text();
}

/// A person's choice stays where it was; at first the newest text that is not the candidate's own.
void HistoryDialog::fillList() {
    const session::Candidate* candidate = m_document->candidate(m_candidate);
    if (!candidate) return;
    setWindowTitle(tr("History of %1").arg(QString::fromStdString(candidate->name)));
    const int chosen = version();
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        int first = -1;
        for (int i = int(candidate->history.size()) - 1; i >= 0; --i) {
            const session::Version& each = candidate->history[std::size_t(i)];
            const bool isPresent = *each.text == candidate->text;
            auto* item = new QListWidgetItem(describe(each, isPresent), m_list);
            item->setData(Qt::UserRole, i);
            item->setToolTip(reasonText(each.reason));
            if (first < 0 && !isPresent) first = m_list->count() - 1;
        }
        const int kept = chosen >= 0 ? m_list->count() - 1 - chosen : first;
        m_list->setCurrentRow(std::clamp(kept, 0, std::max(0, m_list->count() - 1)));
    }
    showVersion();
}

void HistoryDialog::showVersion() {
    const session::Candidate* candidate = m_document->candidate(m_candidate);
    if (!candidate) return;
    const int shown = version();
    const std::string middle = shown < 0 ? std::string() : *candidate->history[std::size_t(shown)].text;
    const std::string& baseline = m_document->session().baseline.text;
    const std::string* texts[] = {&baseline, &middle, &candidate->text};
    for (std::size_t i = 0; i < 3; ++i) {
        clearRows(m_panes[i]->editor());
        m_panes[i]->setTextKeepingView(bytes(*texts[i]));
    }
    m_changedRows.clear();
    m_panes[0]->setTitle({tr("Baseline"), {}, {}, {}, {}});
    m_panes[1]->setTitle({shown < 0 ? tr("No version") : m_list->currentItem()->text(), {}, {}, {}, {}});
    m_panes[2]->setTitle({QString::fromStdString(candidate->name), {}, {}, {}, {}});
    m_panes[0]->setEmptyText(tr("There is no baseline yet."));
    m_panes[1]->setEmptyText(
        tr("No version is kept yet. One is kept whenever the candidate is verified (F5) or saved."));
    m_restore->setEnabled(shown >= 0 && middle != candidate->text);
    if (shown < 0) {
        m_job.cancel();
        m_summary->setText(tr("No earlier version is kept yet: verify (F5) or save the candidate, then change it."));
        return;
    }
    m_summary->setText(tr("Comparing…"));
    m_job.start(
        [baseline, middle, right = candidate->text](std::stop_token stop) {
            compare::CompareOptions options;
            options.lineInformation = compare::LineInformation::ignore;
            const auto version = ptx::parse(middle, "version.ptx");
            Answer answer;
            answer.first = compare::compare(*ptx::parse(baseline, "baseline.ptx"), *version, options, stop);
            if (!stop.stop_requested())
                answer.second = compare::compare(*version, *ptx::parse(right, "candidate.ptx"), options, stop);
            return answer;
        },
        [this](const Answer& answer) { apply(answer); });
}

void HistoryDialog::apply(const Answer& answer) {
    const auto rows = threeRows(answer.first.rows, answer.second.rows,
                                {std::uint32_t(m_panes[0]->lineCount()), std::uint32_t(m_panes[1]->lineCount()),
                                 std::uint32_t(m_panes[2]->lineCount())});
    std::uint32_t ThreeRow::* const columns[] = {&ThreeRow::left, &ThreeRow::middle, &ThreeRow::right};
    Editor& left = m_panes[0]->editor();
    Editor& middle = m_panes[1]->editor();
    Editor& right = m_panes[2]->editor();
    {
        const BatchUpdate batches[] = {BatchUpdate(left), BatchUpdate(middle), BatchUpdate(right)};
        for (std::size_t i = 0; i < 3; ++i) paintFillers(m_panes[i]->editor(), fillersOf(rows, columns[i]));
        paintRows(left, answer.first.rows, Side::left);
        paintMiddle(middle, answer.first.rows, answer.second.rows);
        paintRows(right, answer.second.rows, Side::right);
    }
    std::vector<bool> changedRight(std::size_t(m_panes[2]->lineCount()) + 1),
        changedMiddle(std::size_t(m_panes[1] -> lineCount()) + 1);
    for (const compare::Row& row : answer.second.rows) {
        if (row.trivia || !compare::isChange(row.cls)) continue;
        if (row.leftLine < changedMiddle.size()) changedMiddle[row.leftLine] = row.leftLine != 0;
        if (row.rightLine < changedRight.size()) changedRight[row.rightLine] = row.rightLine != 0;
    }
    m_changedRows.clear();
    bool before = false;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
        const bool changed = changedMiddle[rows[i].middle] || changedRight[rows[i].right];
        if (changed && !before) m_changedRows.push_back(i);
        before = changed;
    }
    m_summary->setText(tr("Since this version: %1.   From the baseline to it: %2.")
                           .arg(countsText(answer.second), countsText(answer.first)));
    if (std::exchange(m_shown, version()) == version()) return;
    m_change = -1;
    goToChange(1);
}

void HistoryDialog::goToChange(int step) {
    const int wanted = m_change + step;
    if (wanted < 0 || wanted >= int(m_changedRows.size())) return;
    m_change = wanted;
    const int row = int(m_changedRows[std::size_t(wanted)]);
    m_panes[2]->editor().setFirstVisibleRow(row - m_panes[2]->editor().rowsOnScreen() / 3);
    scrolled(2);
}

void HistoryDialog::nextChange() {
    goToChange(1);
}

void HistoryDialog::previousChange() {
    goToChange(-1);
}

void HistoryDialog::restore() {
    if (const int shown = version(); shown >= 0) m_document->restoreVersion(m_candidate, shown);
}

} // namespace ptxwb::ui

#include "panels/comments_page.h"

#include "panels/marks.h"
#include "review/comments.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTextEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace ptxwb::ui {

namespace {

enum Column { Place, Words, By, State, columns };
constexpr int idRole = Qt::UserRole, openRole = Qt::UserRole + 1;

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

QString escaped(const std::string& text) {
    return qt(text).toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br/>"));
}

/// "2026-12-01 10:00 UTC" of "2026-12-01T10:00:00Z".
QString shownTime(const std::string& time) {
    const QString text = qt(time);
    return text.size() == 20 && text.endsWith(QLatin1Char('Z'))
               ? QStringLiteral("%1 %2 UTC").arg(text.left(10), text.mid(11, 5))
               : text;
}

QString remark(const std::string& author, const std::string& time, const std::string& words) {
    return QStringLiteral("<p><b>%1</b> <small>%2</small><br/>%3</p>")
        .arg(author.empty() ? CommentsPage::tr("nobody named").toHtmlEscaped() : escaped(author),
             shownTime(time).toHtmlEscaped(), escaped(words));
}

QString threadHtml(const session::Comment& comment) {
    QString html;
    const auto& lines = comment.lost ? comment.quote : comment.anchor.lines;
    if (!lines.empty()) {
        html += QStringLiteral("<pre>");
        for (const std::string& line : lines) html += qt(line).toHtmlEscaped() + QLatin1Char('\n');
        html += QStringLiteral("</pre>");
    }
    if (comment.lost)
        html += CommentsPage::tr("<p><i>These lines are gone from the text; they stand here as they were.</i></p>");
    else if (!comment.quote.empty() && comment.quote != comment.anchor.lines)
        html += CommentsPage::tr("<p><i>The lines have changed since the comment was written.</i></p>");
    html += remark(comment.author, comment.time, comment.text);
    for (const session::Reply& reply : comment.replies) html += remark(reply.author, reply.time, reply.text);
    if (comment.resolved)
        html += comment.resolvedBy.empty()
                    ? CommentsPage::tr("<p><i>Resolved.</i></p>")
                    : CommentsPage::tr("<p><i>Resolved by %1.</i></p>").arg(escaped(comment.resolvedBy));
    return html;
}

Mark markOfRow(const QModelIndex& index, const Theme& theme) {
    if (index.column() != State) return {};
    return markOf(index.data(openRole).toBool() ? StageModel::State::inconclusive : StageModel::State::pass, theme);
}

} // namespace

CommentsPage::CommentsPage(QWidget* parent)
    : QWidget(parent), m_tree(new QTreeWidget), m_thread(new QTextEdit), m_text(new QPlainTextEdit),
      m_about(new QLabel), m_all(new QCheckBox(tr("Show &resolved"))), m_submit(new QPushButton(tr("&Answer"))),
      m_cancel(new QPushButton(tr("Cancel"))), m_resolve(new QPushButton(tr("Re&solve"))),
      m_remove(new QPushButton(tr("Delete"))), m_model(new QPushButton(tr("Send open comments to the &model"))) {
    m_tree->setColumnCount(columns);
    m_tree->setHeaderLabels({tr("Place"), tr("Comment"), tr("By"), tr("State")});
    m_tree->setRootIsDecorated(false);
    m_tree->setUniformRowHeights(true);
    m_tree->setAlternatingRowColors(true);
    m_tree->setAccessibleName(tr("Comments"));
    m_tree->setItemDelegate(new MarkDelegate(markOfRow, this));
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(Words, QHeaderView::Stretch);
    for (const int column : {Place, By, State})
        m_tree->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    m_thread->setReadOnly(true);
    m_thread->setAccessibleName(tr("Thread"));
    m_text->setAccessibleName(tr("Your words"));
    m_text->setTabChangesFocus(true);
    m_text->setFixedHeight(fontMetrics().lineSpacing() * 3 + 10);
    m_about->setTextFormat(Qt::PlainText);
    m_model->setToolTip(tr("Puts them, with their lines, into the wish of the Model panel"));
    for (const auto& [widget, name] :
         std::initializer_list<std::pair<QWidget*, const char*>>{{m_tree, "reviewComments"},
                                                                 {m_thread, "reviewThread"},
                                                                 {m_text, "reviewText"},
                                                                 {m_submit, "reviewSubmit"},
                                                                 {m_cancel, "reviewCancel"},
                                                                 {m_resolve, "reviewResolve"},
                                                                 {m_remove, "reviewRemove"},
                                                                 {m_model, "reviewModel"},
                                                                 {m_all, "reviewShowResolved"}})
        widget->setObjectName(QLatin1String(name));

    auto* left = new QWidget;
    auto* leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins({});
    leftColumn->addWidget(m_tree);
    auto* below = new QHBoxLayout;
    below->addWidget(m_all);
    below->addStretch();
    below->addWidget(m_model);
    leftColumn->addLayout(below);
    auto* right = new QWidget;
    auto* rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins({});
    rightColumn->addWidget(m_about);
    rightColumn->addWidget(m_thread, 1);
    rightColumn->addWidget(m_text);
    auto* buttons = new QHBoxLayout;
    for (QPushButton* each : {m_submit, m_cancel}) buttons->addWidget(each);
    buttons->addStretch();
    for (QPushButton* each : {m_resolve, m_remove}) buttons->addWidget(each);
    rightColumn->addLayout(buttons);
    auto* split = new QSplitter;
    split->addWidget(left);
    split->addWidget(right);
    split->setChildrenCollapsible(false);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(4, 4, 4, 4);
    all->addWidget(split);

    connect(m_tree, &QTreeWidget::currentItemChanged, this, [this] {
        if (m_filling) return;
        if (!chosen().isEmpty()) m_place = {};
        showThread();
    });
    const auto jump = [this](QTreeWidgetItem* item) {
        if (const session::Comment* comment = item ? find(item->data(0, idRole).toString()) : nullptr)
            emit placeWanted(qt(comment->candidate), int(comment->line));
    };
    connect(m_tree, &QTreeWidget::itemClicked, this, jump);
    connect(m_tree, &QTreeWidget::itemActivated, this, jump);
    connect(m_all, &QCheckBox::toggled, this, &CommentsPage::fill);
    connect(m_text, &QPlainTextEdit::textChanged, this, &CommentsPage::updateButtons);
    connect(m_submit, &QPushButton::clicked, this, &CommentsPage::submit);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_place = {};
        m_text->clear();
        showThread();
    });
    connect(m_resolve, &QPushButton::clicked, this, [this] {
        if (const session::Comment* comment = find(chosen())) emit resolved(chosen(), !comment->resolved);
    });
    connect(m_remove, &QPushButton::clicked, this, [this] { emit removed(chosen()); });
    connect(m_model, &QPushButton::clicked, this, &CommentsPage::modelWanted);
    showThread();
}

const session::Comment* CommentsPage::find(const QString& id) const {
    const auto found = std::ranges::find(m_comments, id.toStdString(), &session::Comment::id);
    return found == m_comments.end() ? nullptr : &*found;
}

QString CommentsPage::chosen() const {
    const QTreeWidgetItem* item = m_tree->currentItem();
    return item ? item->data(0, idRole).toString() : QString();
}

QString CommentsPage::thread() const {
    return m_thread->toPlainText();
}

void CommentsPage::setComments(const std::vector<session::Comment>& comments,
                               const std::map<std::string, QString>& names) {
    if (comments == m_comments && names == m_names) return;
    m_comments = comments;
    m_names = names;
    fill();
}

void CommentsPage::fill() {
    const QString before = chosen();
    m_filling = true;
    m_tree->clear();
    std::vector<const session::Comment*> shown;
    for (const session::Comment& each : m_comments)
        if (m_all->isChecked() || !each.resolved) shown.push_back(&each);
    std::ranges::stable_sort(shown, {}, [](const session::Comment* c) { return std::pair(c->candidate, c->line); });
    for (const session::Comment* comment : shown) {
        const auto name = m_names.find(comment->candidate);
        const QString where = QStringLiteral("%1, %2").arg(
            name == m_names.end() ? tr("a deleted candidate") : name->second, qt(review::place(*comment)));
        QString words = qt(comment->text).simplified();
        if (!comment->replies.empty()) words += tr(" (%n answer(s))", nullptr, int(comment->replies.size()));
        auto* item = new QTreeWidgetItem(
            m_tree, {where, words, qt(comment->author), comment->resolved ? tr("resolved") : tr("open")});
        item->setData(0, idRole, qt(comment->id));
        item->setData(State, openRole, !comment->resolved);
        item->setToolTip(Words, qt(comment->text));
        if (qt(comment->id) == before) m_tree->setCurrentItem(item);
    }
    m_filling = false;
    showThread();
}

void CommentsPage::choose(const QString& id) {
    if (const session::Comment* comment = find(id); comment && comment->resolved) m_all->setChecked(true);
    for (int row = 0; row < m_tree->topLevelItemCount(); ++row)
        if (m_tree->topLevelItem(row)->data(0, idRole).toString() == id) {
            m_place = {};
            m_tree->setCurrentItem(m_tree->topLevelItem(row));
            showThread();
            return;
        }
}

void CommentsPage::begin(const CommentPlace& place) {
    m_tree->setCurrentItem(nullptr);
    m_place = place;
    showThread();
    m_text->setFocus();
}

void CommentsPage::showThread() {
    const session::Comment* comment = find(chosen());
    if (isWritingNew()) {
        m_about->setText(m_place.count == 1 ? tr("New comment on %1, line %2").arg(m_place.name).arg(m_place.line)
                                            : tr("New comment on %1, lines %2-%3")
                                                  .arg(m_place.name)
                                                  .arg(m_place.line)
                                                  .arg(m_place.line + m_place.count - 1));
        m_thread->setPlainText({});
    } else if (comment) {
        m_about->setText(QStringLiteral("%1, %2").arg(
            m_names.contains(comment->candidate) ? m_names.at(comment->candidate) : tr("a deleted candidate"),
            qt(review::place(*comment))));
        m_thread->setHtml(threadHtml(*comment));
    } else {
        m_about->setText(tr("No comment is chosen"));
        m_thread->setPlainText(m_comments.empty() ? tr("Nobody has commented yet. Select lines of a PTX pane and press "
                                                       "Ctrl+Alt+M to write the first comment.")
                                                  : QString());
    }
    m_thread->setVisible(!isWritingNew());
    m_text->setPlaceholderText(isWritingNew() ? tr("What should be different, and why") : tr("Your answer"));
    updateButtons();
}

void CommentsPage::updateButtons() {
    const session::Comment* comment = find(chosen());
    const bool hasWords = !m_text->toPlainText().trimmed().isEmpty();
    m_submit->setText(isWritingNew() ? tr("&Add comment") : tr("&Answer"));
    m_submit->setEnabled(hasWords && (comment || isWritingNew()));
    m_text->setEnabled(comment || isWritingNew());
    m_cancel->setVisible(isWritingNew());
    m_resolve->setText(comment && comment->resolved ? tr("Re&open") : tr("Re&solve"));
    for (QPushButton* each : {m_resolve, m_remove}) each->setEnabled(comment && !isWritingNew());
    m_model->setEnabled(std::ranges::any_of(m_comments, [](const session::Comment& c) { return !c.resolved; }));
}

void CommentsPage::submit() {
    const QString words = m_text->toPlainText().trimmed();
    if (words.isEmpty()) return;
    if (isWritingNew()) {
        const CommentPlace place = m_place;
        m_place = {};
        m_text->clear();
        emit newComment(place, words);
    } else if (const QString id = chosen(); !id.isEmpty()) {
        m_text->clear();
        emit answered(id, words);
    }
}

} // namespace ptxwb::ui

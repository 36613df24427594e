#include "panels/model_changes.h"

#include "panels/empty_page.h"
#include "theme/theme.h"

#include <QAction>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QSyntaxHighlighter>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace ptxwb::ui {

namespace {

enum Role { IndexRole = Qt::UserRole + 1, OpenRole };

/// Rows that go and rows that come, in the comparison's colours; the sign says the same.
class DiffColours : public QSyntaxHighlighter {
public:
    explicit DiffColours(QTextDocument* document) : QSyntaxHighlighter(document) {}
    QColor added, removed;

protected:
    void highlightBlock(const QString& text) override {
        QTextCharFormat format;
        if (text.startsWith(QLatin1Char('+')))
            format.setBackground(added);
        else if (text.startsWith(QLatin1Char('-')))
            format.setBackground(removed);
        else
            return;
        setFormat(0, int(text.size()), format);
    }
};

QString marked(const QByteArray& lines, QChar sign) {
    QString text;
    for (const QString& line : QString::fromUtf8(lines).split(QLatin1Char('\n')))
        text += sign + QLatin1Char(' ') + line + QLatin1Char('\n');
    if (lines.isEmpty() || lines.endsWith('\n')) text.chop(3); // the piece behind the last line end
    return text;
}

} // namespace

ModelChanges::ModelChanges(QAction* create, QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget), m_empty(new EmptyPage(QString(), {create})), m_title(new QLabel),
      m_tree(new QTreeWidget), m_diff(new QPlainTextEdit), m_accept(new QPushButton(tr("&Accept"))),
      m_acceptAll(new QPushButton(tr("Accept a&ll"))), m_revert(new QPushButton(tr("Re&vert"))) {
    m_tree->setObjectName(QStringLiteral("changesTree"));
    m_diff->setObjectName(QStringLiteral("changesDiff"));
    m_accept->setObjectName(QStringLiteral("changesAccept"));
    m_acceptAll->setObjectName(QStringLiteral("changesAcceptAll"));
    m_revert->setObjectName(QStringLiteral("changesRevert"));
    m_title->setWordWrap(true);
    m_title->setTextFormat(Qt::PlainText);
    m_tree->setHeaderHidden(true);
    m_tree->setAccessibleName(tr("Changes of the proposal"));
    m_tree->setRootIsDecorated(false);
    m_tree->setUniformRowHeights(true);
    m_diff->setReadOnly(true);
    m_diff->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_diff->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_diff->setAccessibleName(tr("The chosen change"));
    m_diff->setPlaceholderText(tr("Choose a change to read it."));
    new DiffColours(m_diff->document());
    m_accept->setToolTip(tr("The candidate takes this change: one step of its undo"));
    m_acceptAll->setToolTip(tr("The candidate takes all changes of the proposal: one step of its undo"));
    m_revert->setToolTip(tr("The candidate's lines become again what they were when this review began: one step of "
                            "its undo"));
    auto* parts = new QSplitter(Qt::Vertical);
    parts->addWidget(m_tree);
    parts->addWidget(m_diff);
    parts->setStretchFactor(0, 2);
    parts->setStretchFactor(1, 3);
    parts->setChildrenCollapsible(false);
    auto* filled = new QWidget;
    auto* column = new QVBoxLayout(filled);
    column->addWidget(m_title);
    column->addWidget(parts, 1);
    auto* row = new QHBoxLayout;
    row->addWidget(m_accept);
    row->addWidget(m_revert);
    row->addStretch(1);
    row->addWidget(m_acceptAll);
    column->addLayout(row);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(filled);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins({});
    all->addWidget(m_pages);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, &ModelChanges::showSelected);
    connect(m_tree, &QTreeWidget::itemActivated, this, &ModelChanges::showSelected);
    connect(m_accept, &QPushButton::clicked, this, &ModelChanges::doSelected);
    connect(m_revert, &QPushButton::clicked, this, &ModelChanges::doSelected);
    connect(m_acceptAll, &QPushButton::clicked, this, &ModelChanges::acceptAllWanted);
    showReason(tr("Choose an answer of the conversation, then Changes…"));
}

void ModelChanges::setTheme(const Theme& theme) {
    auto* colours = static_cast<DiffColours*>(m_diff->document()->findChild<QSyntaxHighlighter*>());
    colours->added = theme.added;
    colours->removed = theme.removed;
    colours->rehighlight();
}

void ModelChanges::showReason(const QString& text) {
    m_open.clear();
    m_taken.clear();
    m_tree->clear();
    m_empty->setText(text);
    m_pages->setCurrentIndex(0);
}

QString ModelChanges::reason() const {
    return m_pages->currentIndex() == 0 ? m_empty->text() : QString();
}

void ModelChanges::setChanges(const QString& title, std::vector<TextChange> open, std::vector<TextChange> taken) {
    bool wasOpen = true;
    const int row = m_tree->currentItem() ? m_tree->currentItem()->data(0, IndexRole).toInt() : 0;
    if (m_tree->currentItem()) wasOpen = m_tree->currentItem()->data(0, OpenRole).toBool();
    m_open = std::move(open);
    m_taken = std::move(taken);
    m_tree->clear();
    QTreeWidgetItem* wanted = nullptr;
    const auto addGroup = [&](const QString& words, const std::vector<TextChange>& changes, bool isOpen) {
        auto* group = new QTreeWidgetItem(m_tree, {words});
        group->setFlags(Qt::ItemIsEnabled);
        QFont bold = font();
        bold.setBold(true);
        group->setFont(0, bold);
        for (int i = 0; i < int(changes.size()); ++i) {
            auto* item = new QTreeWidgetItem(group, {describe(changes[std::size_t(i)])});
            item->setData(0, IndexRole, i);
            item->setData(0, OpenRole, isOpen);
            // The next one takes the place of one that was dealt with.
            if (isOpen == wasOpen && i <= row) wanted = item;
        }
    };
    addGroup(tr("Proposed: %1").arg(m_open.size()), m_open, true);
    addGroup(tr("Changed since this review began: %1").arg(m_taken.size()), m_taken, false);
    m_tree->expandAll();
    m_title->setText(title);
    m_pages->setCurrentIndex(1);
    m_acceptAll->setEnabled(!m_open.empty());
    m_tree->setCurrentItem(wanted);
    showSelected();
}

const TextChange* ModelChanges::selected(bool* isOpen) const {
    const QTreeWidgetItem* item = m_tree->currentItem();
    if (!item || !item->parent()) return nullptr;
    *isOpen = item->data(0, OpenRole).toBool();
    const auto& list = *isOpen ? m_open : m_taken;
    const auto index = std::size_t(item->data(0, IndexRole).toInt());
    return index < list.size() ? &list[index] : nullptr;
}

void ModelChanges::showSelected() {
    bool isOpen = false;
    const TextChange* change = selected(&isOpen);
    m_accept->setEnabled(change && isOpen);
    m_revert->setEnabled(change && !isOpen);
    m_diff->setPlainText(change ? marked(change->replaced, '-') + marked(change->lines, '+') : QString());
    if (change) emit lineWanted(change->first);
}

void ModelChanges::doSelected() {
    bool isOpen = false;
    const TextChange* change = selected(&isOpen);
    if (!change) return;
    const TextChange copy = *change; // the answer brings new ones
    emit replaceWanted(copy);
}

} // namespace ptxwb::ui

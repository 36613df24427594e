#include "panels/outline_panel.h"

#include "panels/empty_page.h"

#include <QLabel>
#include <QSet>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace ptxwb::ui {

namespace {

constexpr int firstLine = Qt::UserRole, lastLine = Qt::UserRole + 1;

QString asQString(const std::string& text) {
    return QString::fromStdString(text);
}

void setLines(QTreeWidgetItem* item, std::uint32_t first, std::uint32_t last) {
    item->setData(0, firstLine, first);
    item->setData(0, lastLine, last);
    item->setText(1, first == last ? QString::number(first) : QStringLiteral("%1 to %2").arg(first).arg(last));
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
}

QString describe(const ptx::OutlineBlock& block) {
    QStringList words;
    if (block.isLoopHeader) words += OutlinePanel::tr("loop");
    if (block.loopDepth > 0 && !block.isLoopHeader) words += OutlinePanel::tr("in a loop");
    if (block.loopDepth > 1) words.back() += OutlinePanel::tr(", depth %1").arg(block.loopDepth);
    if (!block.reachable) words += OutlinePanel::tr("never reached");
    return words.join(QStringLiteral(", "));
}

} // namespace

OutlinePanel::OutlinePanel(QAction* open, QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget(this)), m_tree(new QTreeWidget) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pages);
    m_tree->setColumnCount(3);
    m_tree->setHeaderLabels({tr("Kernel or block"), tr("Lines"), tr("Notes")});
    m_tree->setAccessibleName(tr("Outline"));
    m_tree->setUniformRowHeights(true);
    auto* empty =
        new EmptyPage(tr("No kernel in this text: the outline appears as soon as one can be read. Open a kernel "
                         "(Ctrl+O), or see what is wrong with the text (F8)."),
                      {open});
    m_pages->addWidget(m_tree);
    m_pages->addWidget(empty);
    m_pages->setCurrentIndex(1);
    const auto jump = [this](const QTreeWidgetItem* item) { emit lineWanted(item->data(0, firstLine).toInt()); };
    connect(m_tree, &QTreeWidget::itemActivated, this, jump);
    connect(m_tree, &QTreeWidget::itemClicked, this, jump);
}

void OutlinePanel::setOutline(const std::vector<ptx::OutlineFunction>& functions) {
    QSet<QString> folded;
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
        if (!m_tree->topLevelItem(i)->isExpanded()) folded += m_tree->topLevelItem(i)->text(0);
    m_tree->clear();
    for (const ptx::OutlineFunction& function : functions) {
        auto* top = new QTreeWidgetItem(m_tree, {asQString(function.name)});
        setLines(top, function.firstLine, function.lastLine);
        top->setText(2, function.isEntry ? tr("kernel") : tr("function"));
        top->setToolTip(0, asQString(function.name));
        for (const ptx::OutlineBlock& block : function.blocks) {
            auto* item = new QTreeWidgetItem(top, {block.name.empty() ? tr("(no label)") : asQString(block.name)});
            setLines(item, block.firstLine, block.lastLine);
            item->setText(2, describe(block));
        }
        top->setExpanded(!folded.contains(top->text(0)));
    }
    m_pages->setCurrentIndex(functions.empty() ? 1 : 0);
    for (int i = 0; i < 2; ++i) m_tree->resizeColumnToContents(i);
}

void OutlinePanel::setCurrentLine(int line) {
    const auto holds = [line](const QTreeWidgetItem* item) {
        return item->data(0, firstLine).toInt() <= line && line <= item->data(0, lastLine).toInt();
    };
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem* top = m_tree->topLevelItem(i);
        if (!holds(top)) continue;
        QTreeWidgetItem* found = top;
        for (int j = 0; j < top->childCount(); ++j)
            if (holds(top->child(j))) found = top->child(j);
        m_tree->setCurrentItem(found->parent() && !found->parent()->isExpanded() ? top : found);
        return;
    }
}

} // namespace ptxwb::ui

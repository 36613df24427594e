#include "panels/heat_map.h"

#include "panels/case_table.h"
#include "panels/element_map.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>

namespace ptxwb::ui {

namespace {

QString asQString(const std::string& text) {
    return QString::fromStdString(text);
}

QLabel* paragraph() {
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString counted(int count, const QString& one, const QString& many) {
    return QStringLiteral("%1 %2").arg(count).arg(count == 1 ? one : many);
}

QString caseText(const verify::RunCase& run) {
    return HeatMap::tr("%1, %2, seed %3").arg(sizeText(run), asQString(run.fill)).arg(run.seed);
}

} // namespace

HeatMap::HeatMap(QWidget* parent)
    : QWidget(parent), m_summary(paragraph()), m_answer(paragraph()), m_cell(paragraph()), m_cases(new CaseTable),
      m_replay(new QPushButton(tr("Replay this case"))), m_output(new QComboBox), m_elements(new ElementMap),
      m_findings(new QListWidget), m_splitter(new QSplitter(Qt::Horizontal)) {
    m_replay->setToolTip(tr("Runs this launch again on the emulator, with every checker on, and shows which elements "
                            "are wrong"));
    m_output->setAccessibleName(tr("Output that is shown"));
    m_output->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_findings->setAccessibleName(tr("Findings of this launch"));
    m_findings->setMinimumHeight(40);
    m_findings->setMaximumHeight(90);
    m_findings->setWordWrap(true);
    auto* left = new QWidget;
    auto* leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins(4, 4, 2, 2);
    leftColumn->setSpacing(4);
    leftColumn->addWidget(m_summary);
    leftColumn->addWidget(m_cases, 1);
    leftColumn->addWidget(m_replay, 0, Qt::AlignLeft);
    auto* right = new QWidget;
    auto* rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins(2, 4, 4, 2);
    rightColumn->setSpacing(4);
    rightColumn->addWidget(m_answer);
    rightColumn->addWidget(m_output, 0, Qt::AlignLeft);
    rightColumn->addWidget(m_elements, 1);
    rightColumn->addWidget(m_cell);
    rightColumn->addWidget(m_findings);
    m_splitter->addWidget(left);
    m_splitter->addWidget(right);
    m_splitter->setChildrenCollapsible(false);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins({});
    all->addWidget(m_splitter);
    connect(m_cases, &CaseTable::caseWanted, this, [this](const verify::RunCase& run) {
        if (m_replay->isEnabled()) emit replayWanted(run);
    });
    connect(m_cases, &QTableWidget::currentItemChanged, this, &HeatMap::updateButton);
    connect(m_replay, &QPushButton::clicked, this, [this] {
        if (const auto run = m_cases->currentCase()) emit replayWanted(*run);
    });
    connect(m_output, &QComboBox::currentIndexChanged, this, &HeatMap::showOutput);
    connect(m_elements, &ElementMap::currentChanged, m_cell, &QLabel::setText);
    connect(m_findings, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        const Finding& finding = m_report.findings[std::size_t(m_findings->row(item))];
        if (finding.line > 0) emit ptxLineWanted(int(finding.line), int(finding.column));
    });
    setResult(nullptr, false);
    clearReplay();
}

void HeatMap::setResult(const verify::CandidateResult* result, bool stale) {
    m_stale = stale;
    m_cases->setStages(result ? result->stages : std::vector<verify::StageResult>{});
    m_cases->setVisible(m_cases->launches() > 0);
    m_replay->setVisible(m_cases->launches() > 0);
    if (!result)
        m_summary->setText(tr("No launch was made yet. A verification (F5) runs the candidate at many sizes and with "
                              "several kinds of inputs; each is a cell here."));
    else if (m_cases->launches() == 0)
        m_summary->setText(
            tr("No stage ran the kernel, or this was judged by an older version: verify it again (F5)."));
    else if (m_cases->failed() == 0)
        m_summary->setText(
            tr("%1, none of them wrong.").arg(counted(m_cases->launches(), tr("launch"), tr("launches"))));
    else
        m_summary->setText(tr("%1 of %2 launches wrong. Each stage stops after eight wrong ones.")
                               .arg(m_cases->failed())
                               .arg(m_cases->launches()));
    if (stale) m_summary->setText(tr("\u21BB Of an earlier text. %1").arg(m_summary->text()));
    updateButton();
}

void HeatMap::updateButton() {
    m_replay->setEnabled(m_cases->currentCase().has_value());
}

void HeatMap::setRunning(const verify::RunCase& run) {
    clearReplay();
    m_answer->setText(tr("Running %1 on the emulator\u2026").arg(caseText(run)));
}

void HeatMap::setFailure(const QString& text) {
    clearReplay();
    m_answer->setText(text);
}

void HeatMap::clearReplay() {
    m_report = {};
    m_output->clear();
    m_findings->clear();
    m_elements->clear();
    m_cell->clear();
    for (QWidget* each : std::initializer_list<QWidget*>{m_output, m_findings, m_elements, m_cell}) each->hide();
    m_answer->setText(tr("Choose a case and replay it: this shows which elements of the outputs are wrong."));
}

void HeatMap::setReport(const verify::ReplayReport& report) {
    clearReplay();
    m_report = report;
    QStringList parts{tr("%1 on the emulator: %2.")
                          .arg(caseText(report.run), report.findings.empty() ? tr("nothing wrong")
                                                                             : counted(int(report.findings.size()),
                                                                                       tr("finding"), tr("findings")))};
    if (!report.notCompared.empty())
        parts += tr("No element is shown: %1.").arg(asQString(report.notCompared));
    else if (!report.reference.empty())
        parts += tr("Compared with the %1.").arg(asQString(report.reference));
    m_answer->setText(parts.join(QLatin1Char(' ')));
    int worst = 0;
    for (std::size_t i = 0; i < report.outputs.size(); ++i) {
        const verify::OutputMap& map = report.outputs[i];
        m_output->addItem(
            tr("%1: %2 of %3 elements wrong").arg(asQString(map.argument)).arg(map.wrong).arg(map.elements));
        if (map.wrong > report.outputs[std::size_t(worst)].wrong) worst = int(i);
    }
    m_output->setVisible(!report.outputs.empty());
    m_elements->setVisible(!report.outputs.empty());
    m_cell->setVisible(!report.outputs.empty());
    if (!report.outputs.empty()) {
        m_output->setCurrentIndex(worst);
        showOutput(worst);
    }
    for (const Finding& finding : report.findings)
        m_findings->addItem(finding.line > 0 ? tr("line %1: %2").arg(finding.line).arg(asQString(finding.message))
                                             : asQString(finding.message));
    m_findings->setVisible(!report.findings.empty());
}

void HeatMap::showOutput(int index) {
    if (index < 0 || index >= int(m_report.outputs.size())) return;
    m_elements->setMap(m_report.outputs[std::size_t(index)]);
}

QString HeatMap::summary() const {
    return m_summary->text();
}

QString HeatMap::answer() const {
    return m_answer->text();
}

void HeatMap::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_splitter->setOrientation(width() < 420 && height() > 260 ? Qt::Vertical : Qt::Horizontal);
}

} // namespace ptxwb::ui

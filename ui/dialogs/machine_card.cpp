#include "dialogs/machine_card.h"

#include "theme/theme.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace ptxwb::ui {

namespace {

QString textOf(const QJsonObject& object, const char* key) {
    return object.value(QLatin1String(key)).toString();
}

/// "13.0.88 (/usr/local/cuda-13.0)"
QString versionAndPath(const QJsonObject& object) {
    const QString version = textOf(object, "version"), path = textOf(object, "path");
    return version.isEmpty() ? path : path.isEmpty() ? version : QStringLiteral("%1 (%2)").arg(version, path);
}

/// A toolkit counts by its tools: each of those that the program needs, from wherever it is.
MachineFact toolFact(const QJsonArray& toolkits, const QString& tool) {
    for (const QJsonValue& each : toolkits) {
        const QString path = each[QLatin1String("tools")][tool].toString();
        if (!path.isEmpty())
            return {true, tool, QStringLiteral("%1 (%2)").arg(textOf(each.toObject(), "version"), path), {}};
    }
    return {false, tool, {}, {}};
}

} // namespace

std::vector<MachineFact> machineFacts(const QJsonObject& doctor) {
    const QJsonArray toolkits = doctor.value(QLatin1String("toolkits")).toArray();
    std::vector<MachineFact> facts;
    for (const char* tool : {"nvcc", "ptxas"})
        if (const MachineFact fact = toolFact(toolkits, QLatin1String(tool)); fact.found) facts.push_back(fact);
    if (const QJsonObject compiler = doctor.value(QLatin1String("host_compiler")).toObject(); !compiler.isEmpty())
        facts.push_back({true, MachineCard::tr("Host compiler"), versionAndPath(compiler), {}});
    for (const QJsonValue& gpu : doctor.value(QLatin1String("gpus")).toArray())
        facts.push_back({true, MachineCard::tr("GPU"), textOf(gpu.toObject(), "name"), {}});
    if (const QJsonObject cupti = doctor.value(QLatin1String("cupti")).toObject(); !cupti.isEmpty())
        facts.push_back({true, QStringLiteral("CUPTI"), versionAndPath(cupti), {}});
    const QJsonObject counters = doctor.value(QLatin1String("counters")).toObject();
    if (const QJsonValue permitted = counters.value(QLatin1String("permitted")); permitted.toBool())
        facts.push_back({true, MachineCard::tr("Hardware counters"), MachineCard::tr("may be read"), {}});
    else if (permitted.isBool())
        facts.push_back({false, MachineCard::tr("Permission to read hardware counters"),
                         MachineCard::tr("no counters (%1)").arg(textOf(counters, "reason")),
                         MachineCard::tr("ask who administers the machine to let all users profile")});
    for (const QJsonValue& provider : doctor.value(QLatin1String("providers")).toArray())
        if (provider.toObject().value(QLatin1String("ready")).toBool())
            facts.push_back({true, MachineCard::tr("Model provider"), textOf(provider.toObject(), "name"), {}});
    facts.push_back({true, MachineCard::tr("PTX emulator"), MachineCard::tr("built in: every example runs here"), {}});
    for (const QJsonValue& each : doctor.value(QLatin1String("missing")).toArray()) {
        const QJsonObject missing = each.toObject();
        facts.push_back({false, textOf(missing, "what"), textOf(missing, "without_it"), textOf(missing, "how_to_get")});
    }
    return facts;
}

MachineCard::MachineCard(const Theme& theme, QWidget* parent)
    : QDialog(parent), m_theme(theme), m_state(new QLabel(this)), m_facts(new QVBoxLayout) {
    setWindowTitle(tr("What this machine has"));
    resize(620, 440);
    auto* column = new QVBoxLayout(this);
    m_state->setWordWrap(true);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setText(tr("Looking for a CUDA toolkit, a host compiler and a GPU…"));
    column->addWidget(m_state);
    auto* area = new QScrollArea(this);
    auto* inner = new QWidget(area);
    inner->setLayout(m_facts);
    m_facts->setSpacing(10);
    m_facts->addStretch(1);
    area->setWidget(inner);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(area, 1);
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(tr("&Start"), QDialogButtonBox::AcceptRole)->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    column->addWidget(buttons);
}

void MachineCard::clear() {
    while (m_facts->count() > 1) {
        QLayoutItem* item = m_facts->takeAt(0);
        delete item->widget();
        delete item;
    }
}

void MachineCard::addFact(const MachineFact& fact) {
    auto* row = new QWidget(this);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    auto* mark = new QLabel(fact.found ? QStringLiteral("\u2713") : QStringLiteral("\u2013"), row);
    QPalette colours = mark->palette();
    colours.setColor(QPalette::WindowText, fact.found ? m_theme.passed : m_theme.warning);
    mark->setPalette(colours);
    QFont bold = mark->font();
    bold.setBold(true);
    mark->setFont(bold);
    mark->setFixedWidth(mark->fontMetrics().horizontalAdvance(QLatin1Char('M')) * 2);
    mark->setAlignment(Qt::AlignTop | Qt::AlignHCenter);
    mark->setAccessibleName(fact.found ? tr("found") : tr("missing"));
    line->addWidget(mark);
    QString text = QStringLiteral("<b>%1</b> %2").arg(fact.what.toHtmlEscaped(), fact.detail.toHtmlEscaped());
    if (!fact.found)
        text = tr("<b>%1</b> not found. Without it: %2.<br>To get it: %3.")
                   .arg(fact.what.toHtmlEscaped(), fact.detail.toHtmlEscaped(), fact.toDo.toHtmlEscaped());
    auto* words = new QLabel(text, row);
    words->setTextFormat(Qt::RichText);
    words->setWordWrap(true);
    words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    line->addWidget(words, 1);
    m_facts->insertWidget(m_facts->count() - 1, row);
}

void MachineCard::setAnswer(const QJsonObject& doctor) {
    clear();
    const bool hasGpu = !doctor.value(QLatin1String("gpus")).toArray().isEmpty();
    m_state->setText(hasGpu
                         ? tr("This is what was found here. Candidates are verified on the GPU and with the emulator, "
                              "and timed on the GPU.")
                         : tr("This is what was found here. Candidates are verified with the emulator; nothing has to "
                              "be installed to begin."));
    for (const MachineFact& fact : machineFacts(doctor)) addFact(fact);
}

void MachineCard::setFailure(const QString& message, const QString& hint) {
    clear();
    m_state->setText(tr("The machine could not be examined: %1\n%2").arg(message, hint));
}

} // namespace ptxwb::ui

#include "panels/warp_panel.h"

#include "editors/elided_label.h"
#include "models/lane_tables.h"
#include "panels/access_picture.h"
#include "panels/empty_page.h"
#include "panels/flow_layout.h"
#include "panels/lane_grid.h"
#include "panels/marks.h"
#include "panels/panel_page.h"

#include <QAction>
#include <QComboBox>
#include <QFontDatabase>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <bit>

namespace ptxwb::ui {

namespace {

using Direction = WarpReplay::Direction;

/// Columns that hold every text of the format without being cut.
int charactersOf(WordFormat format) {
    switch (format) {
    case WordFormat::byType: return 10;
    case WordFormat::hex: return 8;
    case WordFormat::signedInteger:
    case WordFormat::unsignedInteger: return 11;
    case WordFormat::floating: return 12;
    case WordFormat::halves: break;
    }
    return 17;
}

QToolButton* buttonFor(QAction* action) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAutoRaise(true);
    return button;
}

QLabel* labelFor(const QString& text, QWidget* buddy) {
    auto* label = new QLabel(text);
    label->setBuddy(buddy);
    return label;
}

} // namespace

WarpPanel::WarpPanel(WarpReplay* replay, QWidget* parent)
    : QWidget(parent), m_replay(replay), m_pages(new QStackedWidget), m_empty(nullptr), m_warp(new QSpinBox),
      m_position(new QSpinBox), m_sizes(new QLineEdit), m_slider(new QSlider(Qt::Horizontal)), m_formats(new QComboBox),
      m_rows(new QComboBox), m_sentence(new ElidedLabel(Qt::ElideRight)), m_notice(paragraph()), m_finding(paragraph()),
      m_lanes(paragraph()), m_registerTable(new RegisterTable(replay, this)),
      m_sharedTable(new SharedTable(replay, this)), m_access(new AccessPicture), m_tabs(new QTabWidget) {
    makeActions();
    m_registers = new LaneGrid(LaneGrid::Kind::registers, m_registerTable, tr("Registers, a lane a column"));
    m_shared = new LaneGrid(LaneGrid::Kind::banks, m_sharedTable, tr("Shared memory, a bank a column"));
    m_empty = new EmptyPage({}, {recordAction});
    m_pages->addWidget(makeContent());
    m_pages->addWidget(m_empty);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 2, 0, 0);
    all->setSpacing(2);
    all->addWidget(makeBar());
    all->addWidget(m_pages, 1);
    connect(replay, &WarpReplay::warpChanged, this, &WarpPanel::reset);
    connect(replay, &WarpReplay::moved, this, &WarpPanel::update);
    setTheme(themeFor(palette()));
    showReason({});
    reset();
}

WarpPanel::~WarpPanel() = default;

void WarpPanel::makeActions() {
    const auto add = [this](const QString& text, const QString& tip, const QKeySequence& key, auto slot) {
        auto* action = new QAction(text, this);
        action->setShortcut(key);
        action->setStatusTip(tip);
        const QString keyText = key.toString(QKeySequence::NativeText);
        action->setToolTip(keyText.isEmpty() ? tip : tr("%1 (%2)").arg(tip, keyText));
        connect(action, &QAction::triggered, this, slot);
        m_actions += action;
        return action;
    };
    recordAction = add(tr("&Record the warp"), tr("Run the candidate on the emulator and keep what this warp does"),
                       QKeySequence(tr("Ctrl+F11")), [this] { emit recordWanted(); });
    backAction = add(tr("Step &back"), tr("Before the instruction that came last"),
                     QKeySequence(Qt::SHIFT | Qt::Key_F11), [this] { go(m_replay->back(), tr("This is the start.")); });
    forwardAction = add(tr("&Step"), tr("Behind the instruction that comes next"), QKeySequence(Qt::Key_F11),
                        [this] { go(m_replay->forward(), tr("This is the end of the recording.")); });
    startAction =
        add(tr("To the st&art"), tr("To the first step of the recording"), {}, [this] { m_replay->moveTo(0); });
    endAction = add(tr("To the &end"), tr("Behind the last step"), {}, [this] { m_replay->moveTo(m_replay->steps()); });
    toLineAction = add(tr("Run to &line"), tr("Forward to the caret's line"), QKeySequence(tr("Alt+F11")), [this] {
        const int line = caretLine();
        go(m_replay->toLine(line, Direction::forward), tr("The warp does not come to line %1 any more.").arg(line));
    });
    backToLineAction =
        add(tr("Back to l&ine"), tr("Back to the caret's line"), QKeySequence(tr("Alt+Shift+F11")), [this] {
            const int line = caretLine();
            go(m_replay->toLine(line, Direction::back), tr("The warp was not at line %1 before.").arg(line));
        });
    divergenceAction = add(tr("To &divergence"), tr("Forward to where lanes of the warp part"), {}, [this] {
        go(m_replay->toDivergence(Direction::forward), tr("The lanes do not part any more."));
    });
    backToDivergenceAction = add(tr("Bac&k to divergence"), tr("Back to where lanes of the warp part"), {}, [this] {
        go(m_replay->toDivergence(Direction::back), tr("The lanes did not part before."));
    });
    findingAction = add(tr("To &finding"), tr("Forward to what a checker found"), {}, [this] {
        go(m_replay->toFinding(Direction::forward), tr("No checker finds anything behind this step."));
    });
    backToFindingAction = add(tr("Back t&o finding"), tr("Back to what a checker found"), {}, [this] {
        go(m_replay->toFinding(Direction::back), tr("No checker found anything before this step."));
    });
}

QWidget* WarpPanel::makeBar() {
    auto* bar = new QWidget;
    auto* flow = new FlowLayout(bar, 4);
    const auto spin = [&](QSpinBox* box, const QString& name) {
        box->setAccessibleName(name);
        box->setToolTip(name);
        box->setRange(0, 1 << 30);
        box->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("00000")) + 28);
        return box;
    };
    const QString axes[] = {tr("Block, x"), tr("Block, y"), tr("Block, z")};
    for (std::size_t i = 0; i < 3; ++i) m_block[i] = spin(new QSpinBox, axes[i]);
    spin(m_warp, tr("Warp of the block"));
    m_sizes->setAccessibleName(tr("Sizes"));
    m_sizes->setPlaceholderText(tr("n = 1000"));
    m_sizes->setToolTip(tr("Sizes of the run, as n = 1000, m = 33; what is left out has its first size of the spec"));
    m_sizes->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("n = 10000, m = 10000")));
    flow->addWidget(labelFor(tr("Block"), m_block[0]));
    for (QSpinBox* box : m_block) flow->addWidget(box);
    flow->addWidget(labelFor(tr("Warp"), m_warp));
    flow->addWidget(m_warp);
    flow->addWidget(m_sizes);
    flow->addWidget(buttonFor(recordAction));
    const std::pair<QAction*, QString> buttons[] = {
        {startAction, QStringLiteral("|\u25C0")},
        {backAction, QStringLiteral("\u25C0")},
        {forwardAction, QStringLiteral("\u25B6")},
        {endAction, QStringLiteral("\u25B6|")},
        {toLineAction, tr("Line")},
        {divergenceAction, tr("Divergence")},
        {findingAction, tr("Finding")},
    };
    for (const auto& [action, text] : buttons) {
        QToolButton* button = buttonFor(action);
        action->setIconText(text);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        flow->addWidget(button);
    }
    m_position->setAccessibleName(tr("Step"));
    m_position->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("0000000 / 0000000")) + 28);
    m_slider->setAccessibleName(tr("Step of the recording"));
    m_slider->setFixedWidth(140);
    flow->addWidget(m_position);
    flow->addWidget(m_slider);
    for (const WordFormat format : wordFormats) m_formats->addItem(title(format), int(format));
    m_formats->setAccessibleName(tr("How values are written"));
    m_rows->addItem(tr("All registers"), int(RegisterTable::Rows::all));
    m_rows->addItem(tr("Live here"), int(RegisterTable::Rows::live));
    m_rows->addItem(tr("Of the instruction"), int(RegisterTable::Rows::mentioned));
    m_rows->setAccessibleName(tr("Which registers are shown"));
    flow->addWidget(m_formats);
    flow->addWidget(m_rows);
    connect(m_position, &QSpinBox::valueChanged, this, [this](int value) { m_replay->moveTo(std::uint32_t(value)); });
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) { m_replay->moveTo(std::uint32_t(value)); });
    connect(m_sizes, &QLineEdit::returnPressed, this, &WarpPanel::recordWanted);
    connect(m_formats, &QComboBox::currentIndexChanged, this, [this] {
        const auto format = WordFormat(m_formats->currentData().toInt());
        m_registerTable->setFormat(format);
        m_sharedTable->setFormat(format);
        m_registers->setColumnCharacters(charactersOf(format));
        m_shared->setColumnCharacters(charactersOf(format));
    });
    connect(m_rows, &QComboBox::currentIndexChanged, this,
            [this] { m_registerTable->setRows(RegisterTable::Rows(m_rows->currentData().toInt())); });
    return bar;
}

QWidget* WarpPanel::makeContent() {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins({});
    column->setSpacing(2);
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setBold(true);
    m_sentence->setFont(fixed);
    m_sentence->setContentsMargins(8, 0, 8, 0);
    m_sentence->setAccessibleName(tr("The step that comes next"));
    for (QLabel* each : {m_notice, m_finding}) each->setContentsMargins(8, 0, 8, 0);
    column->addWidget(m_sentence);
    column->addWidget(m_finding);
    column->addWidget(m_notice);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(m_registers);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_access, tr("Next access"));
    m_tabs->addTab(m_shared, tr("Shared memory"));
    m_lanes->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_lanes->setMargin(8);
    m_tabs->addTab(scrolling(m_lanes), tr("Lanes and barriers"));
    splitter->addWidget(m_tabs);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    column->addWidget(splitter, 1);
    m_registers->setColumnCharacters(charactersOf(WordFormat::byType));
    m_shared->setColumnCharacters(charactersOf(WordFormat::byType));
    return content;
}

void WarpPanel::setTheme(const Theme& theme) {
    m_registers->setTheme(theme);
    m_shared->setTheme(theme);
    m_access->setTheme(theme);
    QPalette red = m_finding->palette();
    red.setColor(QPalette::WindowText, theme.failed);
    m_finding->setPalette(red);
}

void WarpPanel::showReason(const QString& text) {
    m_empty->setText(text);
    if (m_replay->isEmpty()) m_pages->setCurrentIndex(1);
}

void WarpPanel::showBusy(const QString& text) {
    m_empty->setText(text);
    m_pages->setCurrentIndex(1);
}

void WarpPanel::showSteps() {
    m_pages->setCurrentIndex(m_replay->isEmpty() ? 1 : 0);
}

void WarpPanel::setStale(bool stale) {
    m_stale = stale;
    update();
}

WarpPanel::Choice WarpPanel::choice() const {
    Choice choice;
    for (std::size_t i = 0; i < 3; ++i) choice.block[i] = std::uint32_t(m_block[i]->value());
    choice.warp = std::uint32_t(m_warp->value());
    choice.sizes = m_sizes->text();
    return choice;
}

void WarpPanel::setChoice(const Choice& choice) {
    for (std::size_t i = 0; i < 3; ++i) m_block[i]->setValue(int(choice.block[i]));
    m_warp->setValue(int(choice.warp));
    m_sizes->setText(choice.sizes);
}

void WarpPanel::go(bool moved, const QString& otherwise) {
    if (!moved) emit message(m_replay->isEmpty() ? tr("There is no recording to step through yet.") : otherwise);
}

/// Another recording, or none.
void WarpPanel::reset() {
    m_stale = false;
    const int steps = int(m_replay->steps());
    {
        const QSignalBlocker first(m_position), second(m_slider);
        m_position->setRange(0, steps);
        m_position->setSuffix(QStringLiteral(" / %1").arg(steps));
        m_slider->setRange(0, steps);
    }
    for (QAction* action : m_actions)
        if (action != recordAction) action->setEnabled(!m_replay->isEmpty());
    for (QWidget* each : {static_cast<QWidget*>(m_position), static_cast<QWidget*>(m_slider),
                          static_cast<QWidget*>(m_formats), static_cast<QWidget*>(m_rows)})
        each->setEnabled(!m_replay->isEmpty());
    m_pages->setCurrentIndex(m_replay->isEmpty() ? 1 : 0);
    m_tabs->setTabEnabled(1, m_replay->sharedBytes() > 0);
    m_tabs->setTabToolTip(1, m_replay->sharedBytes() > 0 ? QString() : tr("The block has no shared memory."));
    update();
}

void WarpPanel::update() {
    if (m_replay->isEmpty()) return;
    const std::uint32_t at = m_replay->position();
    {
        const QSignalBlocker first(m_position), second(m_slider);
        m_position->setValue(int(at));
        m_slider->setValue(int(at));
    }
    const emulator::Recording& recording = m_replay->recording();
    const emulator::RecordedStep* const step = m_replay->stepper().step();
    const std::string_view text = m_replay->instruction();
    const QString instruction = QString::fromUtf8(text.data(), qsizetype(text.size())).simplified();
    m_sentence->setFullText(step ? tr("Line %1: %2   (%3 of %4 lanes)")
                                       .arg(m_replay->line())
                                       .arg(instruction)
                                       .arg(std::popcount(step->lanes))
                                       .arg(std::popcount(recording.startLanes))
                                 : tr("Behind the last step"));
    QStringList notices;
    if (m_stale) notices += tr("\u21BB Of an earlier text: record again.");
    if (!recording.stoppedEarly.empty())
        notices += tr("Not the whole way: %1.").arg(QString::fromStdString(recording.stoppedEarly));
    say(m_notice, notices.join(QLatin1Char(' ')));
    const QStringList findings = m_replay->findingLines();
    say(m_finding,
        findings.isEmpty() ? QString() : QStringLiteral("\u2717 ") + findings.join(QStringLiteral("\n\u2717 ")));
    m_access->setGrids(accessGrids(*m_replay), step ? tr("The next instruction touches no memory.")
                                                    : tr("Nothing comes behind the last step."));
    if (!m_sharedTable->touchedRows().empty() && m_shared->isVisible())
        m_shared->scrollTo(m_sharedTable->index(m_sharedTable->touchedRows().front(), 0));
    const QStringList barriers = m_replay->barrierLines();
    m_lanes->setText((m_replay->laneLines() + QStringList{QString()} +
                      (barriers.isEmpty() ? QStringList{tr("Nobody waits at a barrier of the block.")} : barriers))
                         .join(QLatin1Char('\n')));
}

QString WarpPanel::emptyText() const {
    return m_pages->currentIndex() == 1 ? m_empty->text() : QString();
}

QString WarpPanel::sentence() const {
    return m_sentence->fullText();
}

QString WarpPanel::notice() const {
    return m_notice->text();
}

void WarpPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    emit shown();
}

} // namespace ptxwb::ui

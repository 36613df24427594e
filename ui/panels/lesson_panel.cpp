#include "panels/lesson_panel.h"

#include "panels/marks.h"
#include "panels/panel_page.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ptxwb::ui {

namespace {

using lesson::GoalStatus;

constexpr int lineRole = Qt::UserRole + 1;
const QString languageKey = QStringLiteral("lessons/language");

QString text(const std::string& words) {
    return QString::fromStdString(words);
}

QToolButton* button(const QString& words, const QString& tip) {
    auto* made = new QToolButton;
    made->setText(words);
    made->setToolTip(tip);
    made->setFocusPolicy(Qt::StrongFocus);
    return made;
}

Mark markOf(GoalStatus status, const Theme& theme) {
    switch (status) {
    case GoalStatus::met: return {QStringLiteral("\u2713"), theme.passed};
    case GoalStatus::missed: return {QStringLiteral("\u2717"), theme.failed};
    case GoalStatus::notJudged: break;
    }
    return {QStringLiteral("\u25CB"), theme.unverified};
}

/// A step as Markdown.
QString markdownOf(const lesson::Step& step) {
    QString words = text(step.text);
    if (!step.change.empty()) words += LessonPanel::tr("\n\n**To change:** %1").arg(text(step.change));
    if (!step.look.empty()) words += LessonPanel::tr("\n\n**To look for:** %1").arg(text(step.look));
    return words;
}

} // namespace

LessonPanel::LessonPanel(QWidget* parent)
    : QWidget(parent), m_theme(std::make_unique<Theme>(themeFor(palette()))), m_chooser(new QComboBox),
      m_languages(new QComboBox), m_start(button(tr("&Start"), tr("Open the lesson's kernel with its starting state"))),
      m_check(button(tr("&Check"), tr("Judge the current candidate: is it right, and is it what the lesson asks?"))),
      m_next(button(QStringLiteral("\u25B6"), tr("Next step"))),
      m_back(button(QStringLiteral("\u25C0"), tr("The step before"))), m_heading(new QLabel), m_result(paragraph()),
      m_problem(paragraph()), m_words(new QTextBrowser), m_goals(new QListWidget), m_questions(new QWidget),
      m_form(new QFormLayout(m_questions)) {
    m_chooser->setAccessibleName(tr("Lesson"));
    m_languages->setAccessibleName(tr("Language of the lesson"));
    m_words->setAccessibleName(tr("The step"));
    m_goals->setAccessibleName(tr("Goals"));
    m_next->setAccessibleName(tr("Next step"));
    m_back->setAccessibleName(tr("The step before"));
    m_words->setOpenExternalLinks(true);
    m_goals->setWordWrap(true);
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_chooser->setMinimumContentsLength(12);
    QFont bold = font();
    bold.setBold(true);
    m_heading->setFont(bold);
    m_heading->setWordWrap(true);
    auto* top = new QHBoxLayout;
    top->addWidget(m_chooser, 1);
    top->addWidget(m_languages);
    top->addWidget(m_start);
    auto* steps = new QHBoxLayout;
    steps->addWidget(m_back);
    steps->addWidget(m_heading, 1);
    steps->addWidget(m_next);
    auto* bottom = new QHBoxLayout;
    bottom->addWidget(m_check);
    bottom->addWidget(m_result, 1);
    auto* lower = new QWidget;
    auto* lowerColumn = new QVBoxLayout(lower);
    lowerColumn->setContentsMargins({});
    m_form->setContentsMargins(6, 2, 6, 2);
    m_form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    lowerColumn->addWidget(scrolling(m_questions), 1);
    lowerColumn->addWidget(m_goals, 1);
    lowerColumn->addLayout(bottom);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(m_words);
    splitter->addWidget(lower);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 4, 6, 4);
    column->addLayout(top);
    column->addWidget(m_problem);
    column->addLayout(steps);
    column->addWidget(splitter, 1);
    connect(m_chooser, &QComboBox::currentIndexChanged, this, [this] {
        fillLanguages();
        setStep(0);
    });
    connect(m_languages, &QComboBox::activated, this, [this] {
        QSettings().setValue(languageKey, language());
        showStep();
        showGoals();
        emit languageChanged(language());
    });
    connect(m_start, &QToolButton::clicked, this, [this] {
        if (const auto lesson = chosen()) emit startWanted(lesson);
    });
    connect(m_check, &QToolButton::clicked, this, &LessonPanel::checkWanted);
    connect(m_next, &QToolButton::clicked, this, [this] { setStep(m_step + 1); });
    connect(m_back, &QToolButton::clicked, this, [this] { setStep(m_step - 1); });
    const auto follow = [this](const QListWidgetItem* item) {
        if (const int line = item->data(lineRole).toInt(); line > 0) emit lineWanted(line);
    };
    connect(m_goals, &QListWidget::itemClicked, this, follow);
    connect(m_goals, &QListWidget::itemActivated, this, follow);
    setOpened(nullptr);
}

LessonPanel::~LessonPanel() = default;

void LessonPanel::setTheme(const Theme& theme) {
    *m_theme = theme;
    showGoals();
}

std::shared_ptr<const lesson::Lesson> LessonPanel::chosen() const {
    const int index = m_chooser->currentIndex();
    return index < 0 || index >= int(m_lessons.size()) ? nullptr : m_lessons[std::size_t(index)];
}

QString LessonPanel::language() const {
    return m_languages->currentData().toString();
}

void LessonPanel::setLessons(std::vector<std::shared_ptr<const lesson::Lesson>> lessons, const QString& problem) {
    m_lessons = std::move(lessons);
    m_chooser->clear();
    for (const auto& one : m_lessons) m_chooser->addItem(text(one->text("en").title));
    say(m_problem, m_lessons.empty() ? tr("There is no lesson beside the program. %1").arg(problem) : problem);
    m_start->setEnabled(!m_lessons.empty());
    fillLanguages();
    setStep(0);
}

/// The language of the last time, else the desktop's, where the lesson has it.
void LessonPanel::fillLanguages() {
    const auto one = chosen();
    m_languages->clear();
    if (!one) return;
    const QString wanted = QSettings().value(languageKey, QLocale().name().left(2)).toString();
    for (const auto& [language, words] : one->texts) {
        QString name = QLocale(text(language)).nativeLanguageName();
        m_languages->addItem(name.isEmpty() ? text(language) : name, text(language));
    }
    const int known = m_languages->findData(wanted);
    m_languages->setCurrentIndex(known >= 0 ? known : m_languages->findData(QStringLiteral("en")));
}

void LessonPanel::setOpened(std::shared_ptr<const lesson::Lesson> opened) {
    m_opened = std::move(opened);
    m_judgement.reset();
    while (m_form->rowCount() > 0) m_form->removeRow(0);
    m_fields.clear();
    if (m_opened) {
        for (std::size_t i = 0; i < m_lessons.size(); ++i)
            if (m_lessons[i]->name == m_opened->name) m_chooser->setCurrentIndex(int(i));
        for (const lesson::Question& question : m_opened->questions) {
            auto* field = new QLineEdit;
            m_fields[question.id] = field;
            auto* label = new QLabel(text(m_opened->text(language().toStdString()).questions.at(question.id)));
            label->setWordWrap(true);
            label->setBuddy(field);
            field->setAccessibleName(label->text());
            m_form->addRow(label, field);
        }
    }
    m_questions->parentWidget()->parentWidget()->setVisible(!m_fields.empty());
    m_check->setEnabled(m_opened != nullptr);
    say(m_result, {});
    setStep(0);
}

void LessonPanel::setStep(int step) {
    const auto one = chosen();
    const int steps = one ? int(one->text(language().toStdString()).steps.size()) : 0;
    m_step = std::clamp(step, 0, std::max(0, steps - 1));
    m_back->setEnabled(m_step > 0);
    m_next->setEnabled(m_step + 1 < steps);
    showStep();
    showGoals();
}

void LessonPanel::showStep() {
    const auto one = chosen();
    if (!one) {
        m_heading->clear();
        m_words->clear();
        return;
    }
    const lesson::LessonText& words = one->text(language().toStdString());
    const lesson::Step& step = words.steps[std::size_t(m_step)];
    m_heading->setText(tr("%1 of %2: %3").arg(m_step + 1).arg(words.steps.size()).arg(text(step.title)));
    QString markdown = markdownOf(step);
    if (m_step == 0) {
        markdown = text(words.intro) + QStringLiteral("\n\n") + markdown;
        if (!one->reading.empty()) markdown += QStringLiteral("\n\n```\n%1```\n").arg(text(one->reading));
    }
    m_words->setMarkdown(markdown);
}

/// The goals of the lesson that is open; those of the step in bold.
void LessonPanel::showGoals() {
    m_goals->clear();
    const auto one = m_opened;
    if (!one) {
        m_goals->addItem(tr("Start the lesson: its kernel opens with a candidate to change."));
        return;
    }
    const lesson::LessonText& words = one->text(language().toStdString());
    const std::vector<std::string>& ofStep =
        std::size_t(m_step) < words.steps.size() ? words.steps[std::size_t(m_step)].goals : std::vector<std::string>{};
    std::vector<lesson::GoalResult> goals;
    if (m_judgement) {
        goals = m_judgement->goals;
    } else {
        if (one->kernel) goals.push_back({"correct", GoalStatus::notJudged, {}, 0});
        for (const lesson::Goal& goal : one->goals) goals.push_back({goal.id, GoalStatus::notJudged, {}, 0});
        for (const lesson::Question& question : one->questions)
            goals.push_back({question.id, GoalStatus::notJudged, {}, 0});
    }
    for (const lesson::GoalResult& goal : goals) {
        const auto sentence = words.goals.find(goal.id);
        const auto question = words.questions.find(goal.id);
        const Mark mark = markOf(goal.status, *m_theme);
        QString line =
            QStringLiteral("%1 %2").arg(mark.glyph, text(sentence != words.goals.end()       ? sentence->second
                                                         : question != words.questions.end() ? question->second
                                                                                             : goal.id));
        if (goal.status != GoalStatus::met && !goal.message.empty())
            line += QStringLiteral("\n    %1").arg(text(goal.message));
        auto* item = new QListWidgetItem(line);
        item->setForeground(mark.colour);
        item->setData(lineRole, one->kernel ? int(goal.line) : 0);
        item->setToolTip(text(goal.message));
        QFont font = item->font();
        font.setBold(std::ranges::find(ofStep, goal.id) != ofStep.end());
        item->setFont(font);
        m_goals->addItem(item);
    }
}

void LessonPanel::setBusy(bool busy) {
    m_check->setEnabled(!busy && m_opened);
    if (busy) say(m_result, tr("Checking…"));
}

void LessonPanel::setJudgement(const lesson::Judgement& judgement) {
    m_judgement = judgement;
    switch (judgement.result) {
    case lesson::Result::passed: say(m_result, tr("\u2713 Reached.")); break;
    case lesson::Result::failed: say(m_result, tr("\u2717 Not there yet.")); break;
    case lesson::Result::incomplete: say(m_result, tr("? Something could not be judged here.")); break;
    }
    showGoals();
}

void LessonPanel::setTrouble(const QString& words) {
    m_judgement.reset();
    say(m_result, words);
    showGoals();
}

void LessonPanel::clearJudgement() {
    if (!m_judgement) return;
    m_judgement.reset();
    say(m_result, tr("\u21BB Changed since the check."));
    showGoals();
}

std::string LessonPanel::answers() const {
    std::string lines;
    for (const auto& [id, field] : m_fields) lines += id + ": " + field->text().toStdString() + "\n";
    return lines;
}

QLineEdit* LessonPanel::answerField(const std::string& id) {
    const auto found = m_fields.find(id);
    return found == m_fields.end() ? nullptr : found->second;
}

QString LessonPanel::words() const {
    return m_words->toPlainText();
}

QString LessonPanel::result() const {
    return m_result->text();
}

} // namespace ptxwb::ui

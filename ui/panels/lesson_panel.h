// The dock of the lessons: which ones there are, the step that a learner is at, what to look for, the check.
// Made by Lessons, which opens a lesson's kernel and has a worker judge.
#pragma once

#include "lesson/judge.h"

#include <QWidget>

#include <map>
#include <memory>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QStackedWidget;
class QTextBrowser;
class QToolButton;

namespace ptxwb::ui {

struct Theme;

class LessonPanel : public QWidget {
    Q_OBJECT

public:
    explicit LessonPanel(QWidget* parent = nullptr);
    ~LessonPanel() override;

    void setTheme(const Theme& theme);
    /// `problem`: of lessons that could not be read; empty where all could.
    void setLessons(std::vector<std::shared_ptr<const lesson::Lesson>> lessons, const QString& problem);
    /// The lesson that was opened; nullptr: none.
    void setOpened(std::shared_ptr<const lesson::Lesson> opened);
    const std::shared_ptr<const lesson::Lesson>& opened() const { return m_opened; }
    void setBusy(bool busy);
    void setJudgement(const lesson::Judgement& judgement);
    void setTrouble(const QString& text); ///< in place of a judgement: it could not be made
    void clearJudgement();

    QString language() const;
    /// "id: answer" lines of the questions' fields.
    std::string answers() const;
    int step() const { return m_step; }
    void setStep(int step);

    // For tests.
    QComboBox& chooser() { return *m_chooser; }
    QComboBox& languages() { return *m_languages; }
    QToolButton& startButton() { return *m_start; }
    QToolButton& checkButton() { return *m_check; }
    QToolButton& nextButton() { return *m_next; }
    QToolButton& backButton() { return *m_back; }
    QListWidget& goals() { return *m_goals; }
    QLineEdit* answerField(const std::string& id);
    QString words() const;  ///< of the step, plain
    QString result() const; ///< the line beside the check

signals:
    void startWanted(std::shared_ptr<const ptxwb::lesson::Lesson> lesson);
    void checkWanted();
    void lineWanted(int line);
    void languageChanged(const QString& language);

private:
    void fillLanguages();
    void showStep();
    void showGoals();
    std::shared_ptr<const lesson::Lesson> chosen() const;

    std::vector<std::shared_ptr<const lesson::Lesson>> m_lessons;
    std::shared_ptr<const lesson::Lesson> m_opened;
    std::optional<lesson::Judgement> m_judgement;
    int m_step = 0;
    std::unique_ptr<Theme> m_theme;
    QComboBox *m_chooser, *m_languages;
    QToolButton *m_start, *m_check, *m_next, *m_back;
    QLabel *m_heading, *m_result, *m_problem;
    QTextBrowser* m_words;
    QListWidget* m_goals;
    QWidget* m_questions;
    QFormLayout* m_form;
    std::map<std::string, QLineEdit*> m_fields;
};

} // namespace ptxwb::ui

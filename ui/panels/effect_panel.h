// The dock that tells what edits did: every version of a candidate with its figures, and the lines that moved them.
// Made by EditEffects.
#pragma once

#include "report/edit_effect.h"
#include "theme/theme.h"

#include <QWidget>

#include <vector>

class QAction;
class QLabel;
class QStackedWidget;
class QTableWidget;

namespace ptxwb::ui {

class EmptyPage;

/// "128 (-12)": what it was before stands in brackets as the difference; "?" where it is not known.
QString figureText(const std::optional<double>& value, const std::optional<double>& before);

class EffectPanel : public QWidget {
    Q_OBJECT

public:
    explicit EffectPanel(QAction* verify = nullptr, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void showReason(const QString& text);
    /// `effects[i]` leads from version i to version i + 1.
    void setVersions(std::vector<report::Version> versions, std::vector<report::EditEffect> effects);

    QString emptyText() const;
    QString sentence() const; ///< what the chosen edit moved
    QTableWidget& versions() { return *m_table; }
    QTableWidget& lines() { return *m_lines; }

signals:
    void lineWanted(int line); ///< of the last version
    void shown();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fillVersions();
    void showEdit(int row);
    void addLine(const QString& before, const QString& after, const QString& what, const emulator::WorkCounts& was,
                 const emulator::WorkCounts& is, const QString& text, int line);

    std::vector<report::Version> m_versions;
    std::vector<report::EditEffect> m_effects;
    Theme m_theme;
    QStackedWidget* m_pages;
    EmptyPage* m_empty;
    QTableWidget *m_table, *m_lines;
    QLabel* m_sentence;
};

} // namespace ptxwb::ui

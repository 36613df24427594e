// The six stages as a row of chips with glyph, word and time, filling as answers come.
// Used by the verification panel, and by the window above the panes.
#pragma once

#include "models/stage_model.h"

#include <QWidget>

#include <array>

class QToolButton;

namespace ptxwb::ui {

/// The chips wrap onto further rows where there is no room for six. Each is reached with Tab and reads as
/// "stress: fail, 0.31 s".
class StageChips : public QWidget {
    Q_OBJECT

public:
    explicit StageChips(StageModel* model, QWidget* parent = nullptr);
    ~StageChips() override;

    QToolButton& chip(verify::Stage stage) { return *m_chips[static_cast<std::size_t>(stage)]; }

signals:
    void stageChosen(ptxwb::verify::Stage stage);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void updateChip(int row);
    void updateAll();
    QString textOf(int row) const; ///< glyph, stage, status, time
    bool isNarrow() const;

    static constexpr std::size_t stageCount = 6;
    StageModel* m_model;
    std::array<QToolButton*, stageCount> m_chips{};
    bool m_updatePending = false, m_isNarrow = false;
};

} // namespace ptxwb::ui

// The dock of resources and occupancy: what ptxas says of the current candidate, and how many blocks fit on a
// multiprocessor. Made by the main window.
#pragma once

#include <QString>
#include <QWidget>

#include <array>
#include <string>

class QAction;
class QComboBox;
class QLabel;
class QStackedWidget;

namespace ptxwb::ui {

class Document;
class EmptyPage;
class OccupancyPlot;
class ResourceTable;
struct Theme;

/// Occupancy is never shown as speed: the panel says so.
class ResourcesPanel : public QWidget {
    Q_OBJECT

public:
    /// `open`: for who has nothing open yet.
    ResourcesPanel(Document* document, QAction* verify, QAction* open = nullptr, QWidget* parent = nullptr);
    ~ResourcesPanel() override;

    void setTheme(const Theme& theme);

    QComboBox& target() { return *m_target; }
    ResourceTable& table() { return *m_table; }
    /// Block size, registers, shared memory.
    const std::array<OccupancyPlot*, 3>& plots() const { return m_plots; }
    QString occupancyText() const; ///< a line for each target
    QString emptyText() const;     ///< why there are no figures; empty where there are some

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeFigures();
    void fillTargets();
    void updateAll();
    void updateOccupancy();
    QString occupancyOf(const std::string& arch) const;
    void updatePlots();

    Document* m_document;
    QStackedWidget* m_pages;
    EmptyPage* m_empty;
    QAction *m_verify, *m_open;
    ResourceTable* m_table;
    QString m_chosenTarget;
    QComboBox* m_target;
    QLabel *m_stale, *m_launch, *m_occupancy, *m_noPlots;
    std::array<OccupancyPlot*, 3> m_plots{};
    bool m_updatePending = false;
};

} // namespace ptxwb::ui

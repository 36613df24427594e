// What this machine has: toolkit, host compiler, GPU, counters, model provider, each found or with what to do.
// Shown at the first start and from the Help menu.
#pragma once

#include <QDialog>
#include <QJsonObject>

class QLabel;
class QVBoxLayout;

namespace ptxwb::ui {

struct Theme;

/// One line of the card.
struct MachineFact {
    bool found = false;
    QString what;   ///< "CUDA toolkit"
    QString detail; ///< version and path; or what works without it
    QString toDo;   ///< how to get it, empty where it was found
};

/// From the answer of `ptxwb doctor --json`.
std::vector<MachineFact> machineFacts(const QJsonObject& doctor);

class MachineCard : public QDialog {
    Q_OBJECT

public:
    explicit MachineCard(const Theme& theme, QWidget* parent = nullptr);

    void setAnswer(const QJsonObject& doctor);
    void setFailure(const QString& message, const QString& hint);

private:
    void addFact(const MachineFact& fact);
    void clear();

    const Theme& m_theme;
    QLabel* m_state;
    QVBoxLayout* m_facts;
};

} // namespace ptxwb::ui

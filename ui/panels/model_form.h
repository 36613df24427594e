// What a person chooses before a model is asked: provider, model, their wish, what to begin with, how many, how much.
// A part of the Model panel.
#pragma once

#include "llm/endpoint.h"

#include <QString>
#include <QWidget>

#include <cstdint>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QCheckBox;
class QSpinBox;

namespace ptxwb::ui {

/// Whom to ask: an endpoint, or a recorded conversation.
struct ProviderEntry {
    QString title;
    llm::Endpoint endpoint; ///< of a server
    QString recording;      ///< file; empty for a server
};

enum class BaseChoice : unsigned char { baseline, current };

class ModelForm : public QWidget {
    Q_OBJECT

public:
    explicit ModelForm(QWidget* parent = nullptr);

    /// Keeps the choice where it is still among them.
    void setProviders(std::vector<ProviderEntry> providers);
    const ProviderEntry* provider() const; ///< nullptr: none is known
    void chooseProvider(const QString& title);
    QString model() const;
    void setModels(const QStringList& names); ///< what the endpoint has
    QString wish() const;
    void setWish(const QString& wish);
    void focusWish();
    BaseChoice base() const;
    void setCurrentName(const QString& name); ///< of the current candidate; empty: it is the baseline
    int region() const;                       ///< index: whole kernel, selected lines, hottest loop
    void setSelection(int firstLine, int lastLine); ///< of the text to begin with; 0: nothing is selected
    std::uint32_t candidates() const;
    std::uint32_t rounds() const;
    bool stopAtFirst() const;
    std::uint32_t maxTokens() const;
    double budget() const; ///< US dollars of the session; 0: none
    bool tellsTried() const;
    /// The line about the key: where it lies, or what is missing.
    void setKeyState(const QString& text, bool canStore);
    void setBusy(bool busy);
    void setProblem(const QString& text); ///< above the buttons; empty: none

signals:
    void providerChanged();
    void recordingWanted(); ///< a file with a recorded conversation shall be chosen
    void modelListWanted();
    void keyWanted();
    void previewWanted();
    void copyWanted();
    void pasteWanted();
    void baseChanged();
    void budgetChanged();

private:
    QFormLayout* makeFields();
    void remember() const;
    void recall();
    void updateProvider();

    std::vector<ProviderEntry> m_providers;
    QComboBox *m_provider, *m_model, *m_base, *m_region;
    QPushButton *m_list, *m_key, *m_preview, *m_copy, *m_paste;
    QLabel *m_keyState, *m_problem;
    QString m_picked; ///< the provider that the person chose here; empty: none yet
    QPlainTextEdit* m_wish;
    QSpinBox *m_candidates, *m_rounds, *m_maxTokens;
    QDoubleSpinBox* m_budget;
    QCheckBox *m_first, *m_tried;
    bool m_filling = false;
};

} // namespace ptxwb::ui

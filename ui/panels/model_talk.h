// A conversation with a model: what arrives while it arrives, reasoning apart, and what became of each answer.
// A part of the Model panel; shows the one that goes on, or one that the session has kept.
#pragma once

#include "jobs/model_run.h"
#include "session/conversation.h"

#include <QWidget>

#include <map>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTabBar;
class QTreeWidget;
class QTreeWidgetItem;

namespace ptxwb::ui {

struct Theme;

class ModelTalk : public QWidget {
    Q_OBJECT

public:
    explicit ModelTalk(QWidget* parent = nullptr);

    /// All that the session has; what is shown stays shown, or `chosen` where it is not empty.
    void setConversations(const std::vector<session::Conversation>& conversations, const QString& chosen = {});
    QString shown() const; ///< id of the conversation; empty: none
    /// Of the conversation `live`, which goes on.
    void setLive(const QString& id);
    void stream(const std::vector<StreamPiece>& pieces);
    void clearAnswer(std::uint32_t candidate); ///< it stands in the conversation from now on
    void setState(std::uint32_t candidate, const QString& text);
    void addNote(std::uint32_t candidate, const QString& note);
    enum class Running : unsigned char { no, yes };
    void setRunning(Running running, bool mayRegenerate);

    /// The model answered in CUDA: nvcc could make candidates of it.
    void offerCompiling(bool offered);

    std::uint32_t thread() const; ///< the candidate whose text is shown; 0: none
    void showThread(std::uint32_t candidate);

signals:
    void stopWanted();
    void regenerateWanted();
    void compileWanted();
    void candidateWanted(const QString& id); ///< an attempt's candidate shall be shown
    void changesWanted(const QString& id);
    void removeWanted(const QString& conversation);

private:
    struct Live {
        QString text, reasoning, state;
        QStringList notes;
    };
    const session::Conversation* conversation() const;
    void choose();
    void fillTree();
    void showTexts();
    QTreeWidgetItem* itemOf(std::uint32_t candidate) const;
    QString selectedCandidate() const;
    void updateButtons();

    std::vector<session::Conversation> m_conversations;
    QString m_liveId;
    std::map<std::uint32_t, Live> m_live;
    std::uint32_t m_thread = 0;
    QComboBox* m_list;
    QTreeWidget* m_tree;
    QTabBar* m_forms;
    QPlainTextEdit *m_reasoning, *m_text;
    QLabel* m_empty;
    QWidget* m_content;
    QPushButton *m_stop, *m_again, *m_changes, *m_remove, *m_compile;
    bool m_filling = false, m_running = false, m_mayRegenerate = false;
};

} // namespace ptxwb::ui

// What the Model panel does: builds the question, asks for consent, takes candidates into the session as they arrive,
// keeps the conversation. Made by the main window.
#pragma once

#include "jobs/model_run.h"
#include "models/conversation_log.h"

#include <QObject>
#include <QStringList>

#include <functional>
#include <map>

namespace ptxwb::ui {

class CandidateModel;
class ComparisonView;
class CounterStore;
class Document;
class ModelPanel;
class ModelProviders;
class ModelReview;
class VerifyRunner;

class ModelChat : public QObject {
    Q_OBJECT

public:
    struct Parts {
        Document* document;
        CounterStore* counters;
        ComparisonView* view;
        CandidateModel* candidates;
        VerifyRunner* runner; ///< knows the worker's command line
        ModelPanel* panel;
    };
    ModelChat(const Parts& parts, QObject* parent);
    ~ModelChat() override;

    /// What was typed is in the document afterwards.
    std::function<void()> flush;
    /// Whether the reference may run; may ask the person.
    std::function<verify::ReferenceTrust()> trust;

    bool isBusy() const { return m_run->isBusy(); }
    void stop();

signals:
    void message(const QString& text);

private:
    enum class After : unsigned char { preview, copy, paste };
    void connectForm();
    void connectRun();
    void connectTalk();
    void updateForm();
    void updateBudget();
    void prepare(After after);
    void prepared();
    void send();
    void paste();
    void beginConversation(const std::string& provider);
    void consentWanted(const PendingQuestion& question);
    void showNextConsent();
    void answerConsent(bool agreed);
    void stream(const std::vector<StreamPiece>& pieces);
    void arrived(const llm::Attempt& attempt);
    void judged(const llm::Attempt& attempt);
    void ended(const QString& end, const std::vector<Diagnostic>& errors);
    void keep();
    void newSession();

    Parts m_parts;
    std::unique_ptr<ModelRun> m_run;
    std::shared_ptr<llm::Budget> m_budget;
    llm::Spent m_spentBefore;
    ConversationLog m_log;
    ModelProviders* m_providers;
    ModelReview* m_review;
    After m_after = After::preview;
    QString m_pasted;                           ///< a reply that waits for its question
    std::vector<PendingQuestion> m_pending;     ///< wait for consent; the first is shown
    std::map<std::string, QString> m_candidates; ///< ids of this run's attempts
    std::vector<std::string> m_cuda;            ///< what the last replies held in place of PTX
    std::map<std::uint32_t, std::pair<qsizetype, qsizetype>> m_sizes; ///< characters of the answer, of the reasoning
    QStringList m_judging;                      ///< candidates of this run without a verdict yet
};

} // namespace ptxwb::ui

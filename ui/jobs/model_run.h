// A question to a model, from what a person chose to candidates that were judged: prepared, shown, asked, read.
// Owned by the window's Model panel; all of it runs on other threads, and what happens is told through the event loop.
#pragma once

#include "jobs/latest_job.h"
#include "llm/budget.h"
#include "llm/loop.h"
#include "proposals/kernel_judge.h"
#include "proposals/model_access.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace ptxwb::ui {

enum class RegionChoice : unsigned char { whole, lines, hottest };

/// What a person asked for, with the texts as they are at that moment.
struct ModelQuestion {
    kernel::Kernel kernel;
    verify::Plan plan;
    std::string baseId;
    proposals::BaseText base;
    std::vector<llm::TriedVersion> tried;
    std::vector<std::pair<std::string, std::string>> hardwareCounters; ///< of the base
    std::optional<llm::Outcome> judged;                                ///< what the session knows of the base
    RegionChoice region = RegionChoice::whole;
    llm::RegionRequest lines;                 ///< for RegionChoice::lines
    std::optional<llm::LineWeights> samples; ///< for RegionChoice::hottest: where a GPU has looked
    std::string wish;
    proposals::ModelChoice choice;
    std::uint32_t candidates = 1, rounds = 3;
    bool stopAtFirst = false;
};

/// What will be sent, before it is.
struct PreparedQuestion {
    std::vector<llm::Message> messages;
    std::string sha256;
    std::uint64_t tokens = 0;         ///< of one question, estimated
    std::string provider, model, url; ///< url empty: nothing leaves this machine
    std::string keyName;              ///< whose key goes with it; empty: none
    std::string body;                 ///< of the request as it travels
    std::string region;               ///< "lines 12 to 40, 83 % of ..."; empty for a whole kernel
    std::optional<llm::RegionRequest> lines;
    std::optional<double> mostDollars; ///< that all first questions with their answers can cost
    std::vector<std::string> omitted, notes;
};

struct StreamPiece {
    std::uint32_t candidate = 1;
    QString text, reasoning;
    bool restart = false; ///< what arrived of this answer so far is void
};

/// A further question that waits for the person's consent.
struct PendingQuestion {
    std::uint32_t candidate = 1, round = 1;
    std::vector<llm::Message> messages;
    std::string body; ///< as it travels
};

class ModelRun : public QObject {
    Q_OBJECT

public:
    explicit ModelRun(QObject* parent = nullptr);
    ~ModelRun() override; ///< ends what runs, without waiting for it

    /// `commandLine`: of the worker. One of `prepared` and `failed` follows.
    void prepare(ModelQuestion question, const QString& commandLine);
    bool isPrepared() const { return m_prepared != nullptr; }
    const ModelQuestion& question() const;
    const PreparedQuestion& preparedQuestion() const;

    enum class FurtherQuestions : unsigned char { ask, send };
    /// Asks what was prepared; again for another answer. `budget` outlives no run: it is shared. Ends with `ended`.
    void ask(std::shared_ptr<const llm::KeySource> keys, std::shared_ptr<llm::Budget> budget, FurtherQuestions further);
    /// A reply from elsewhere to what was prepared. Ends with `ended`.
    void read(const QString& reply);
    /// CUDA sources that stood in a reply become candidates by nvcc. Ends with `ended`.
    void compile(std::vector<std::string> cuda);
    /// The person's answer to `consentWanted`. `all`: and to all that follow of this run.
    enum class Consent : unsigned char { no, yes, all };
    void consent(std::uint32_t candidate, Consent consent);
    void stop();
    bool isRunning() const { return m_running; }
    /// `isRunning`, or preparing.
    bool isBusy() const { return m_running || m_preparing; }
    llm::Spent spent() const; ///< of the budget of the last `ask`

signals:
    void prepared();
    void failed(const ptxwb::Diagnostic& why); ///< of `prepare`
    void busyChanged();
    void consentWanted(const ptxwb::ui::PendingQuestion& question);
    void asked(quint32 candidate, quint32 round, const std::vector<ptxwb::llm::Message>& messages);
    void streamed(const std::vector<ptxwb::ui::StreamPiece>& pieces);
    void noted(quint32 candidate, const QString& note); ///< candidate 0: about all
    void troubled(quint32 candidate, const ptxwb::Diagnostic& why); ///< its conversation ended early
    void replied(quint32 candidate, quint32 round, const ptxwb::llm::ChatReply& reply);
    void arrived(const ptxwb::llm::Attempt& attempt);
    void reported(const QString& attempt, const ptxwb::verify::VerifyReport& report);
    void judged(const ptxwb::llm::Attempt& attempt);
    /// Everything of the run was told before. `end`: empty where a pasted reply was read.
    void ended(const QString& end, const std::vector<ptxwb::Diagnostic>& errors);

private:
    struct Shared;
    struct Prepared;
    struct End {
        QString end;
        std::vector<Diagnostic> errors;
    };
    static void judgeAll(Shared& shared, Prepared& prepared, std::vector<llm::Attempt> attempts);
    void begin(std::function<End(std::shared_ptr<Shared>, std::shared_ptr<Prepared>)> work);
    void drain();

    std::shared_ptr<Prepared> m_prepared;
    std::shared_ptr<Shared> m_shared;
    std::shared_ptr<llm::Budget> m_budget;
    LatestJob<Expected<std::shared_ptr<Prepared>>> m_prepare;
    LatestJob<End> m_work;
    std::stop_source m_prepareStop;
    QTimer m_pulse; ///< while it runs: what happened meanwhile is told at once, not piece by piece
    bool m_running = false, m_preparing = false;
};

} // namespace ptxwb::ui

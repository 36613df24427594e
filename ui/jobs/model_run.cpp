#include "jobs/model_run.h"

#include "proposals/pasted.h"
#include "verify/result.h"
#include "worker/requests.h"

#include <QThreadPool>

#include <condition_variable>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

namespace ptxwb::ui {

namespace {

constexpr int pulseMilliseconds = 33; ///< as often as an eye tells a text that flows from one that jumps

/// Runs wait for networks and workers: in the pool of the checker and the comparison they would keep those waiting.
QThreadPool* ownPool() {
    static QThreadPool pool;
    static const bool sized = [] {
        pool.setMaxThreadCount(16);
        return true;
    }();
    static_cast<void>(sized);
    return &pool;
}

} // namespace

/// Lives as long as a thread or the object needs it.
struct ModelRun::Prepared {
    ModelQuestion question;
    PreparedQuestion shown;
    llm::PromptInput input;
    llm::Prompt prompt;
    std::string commandLine;
    std::unique_ptr<proposals::KernelJudge> judge;
    /// Of the run that goes on; the judge's callbacks write to it.
    std::mutex mutex;
    std::shared_ptr<Shared> shared;
};

/// What a run's threads leave for the window, and what they wait for.
struct ModelRun::Shared {
    std::mutex mutex;
    std::condition_variable_any answered;
    std::stop_source stop;
    std::vector<std::function<void(ModelRun&)>> events; ///< in the order in which they happened
    std::map<std::uint32_t, StreamPiece> stream;        ///< since the last look
    std::map<std::uint32_t, Consent> consents;
    bool allConsented = false;
    std::string consentedHash; ///< of the first question, which was shown

    void post(std::function<void(ModelRun&)> event) {
        const std::scoped_lock lock(mutex);
        flushStream();
        events.push_back(std::move(event));
    }
    void addText(std::uint32_t candidate, const llm::Delta& delta) {
        const std::scoped_lock lock(mutex);
        StreamPiece& piece = stream[candidate];
        piece.candidate = candidate;
        // A provider hands on whole characters.
        piece.text += QString::fromStdString(delta.text);
        piece.reasoning += QString::fromStdString(delta.reasoning);
    }
    void restart(std::uint32_t candidate) {
        const std::scoped_lock lock(mutex);
        stream[candidate] = {candidate, {}, {}, true};
    }
    /// What arrived before an event is told before it.
    void flushStream() {
        if (stream.empty()) return;
        std::vector<StreamPiece> pieces;
        for (auto& [candidate, piece] : stream) pieces.push_back(std::move(piece));
        stream.clear();
        events.emplace_back([pieces = std::move(pieces)](ModelRun& run) { emit run.streamed(pieces); });
    }
    std::vector<std::function<void(ModelRun&)>> taken() {
        const std::scoped_lock lock(mutex);
        flushStream();
        return std::exchange(events, {});
    }
    bool askConsent(std::uint32_t candidate, std::uint32_t round, const std::vector<llm::Message>& messages,
                    const std::function<std::string()>& body, std::stop_token stopped) {
        if (llm::promptHash(messages) == consentedHash) return true;
        std::unique_lock lock(mutex);
        if (allConsented) return true;
        consents.erase(candidate);
        flushStream();
        events.emplace_back([question = PendingQuestion{candidate, round, messages, body()}](ModelRun& run) {
            emit run.consentWanted(question);
        });
        answered.wait(lock, stopped, [&] { return allConsented || consents.contains(candidate); });
        if (stopped.stop_requested()) return false;
        return allConsented || consents[candidate] != Consent::no;
    }
};

ModelRun::ModelRun(QObject* parent) : QObject(parent), m_prepare(ownPool()), m_work(ownPool()) {
    m_pulse.setInterval(pulseMilliseconds);
    connect(&m_pulse, &QTimer::timeout, this, &ModelRun::drain);
}

ModelRun::~ModelRun() {
    m_prepareStop.request_stop();
    if (m_shared) m_shared->stop.request_stop();
}

const ModelQuestion& ModelRun::question() const {
    return m_prepared->question;
}

const PreparedQuestion& ModelRun::preparedQuestion() const {
    return m_prepared->shown;
}

llm::Spent ModelRun::spent() const {
    return m_budget ? m_budget->spent() : llm::Spent{};
}

void ModelRun::prepare(ModelQuestion question, const QString& commandLine) {
    m_prepareStop.request_stop();
    m_prepareStop = {};
    m_preparing = true;
    emit busyChanged();
    const auto given = std::make_shared<ModelQuestion>(std::move(question));
    m_prepare.start(
        [given, line = commandLine.toStdString(),
         stop = m_prepareStop.get_token()](std::stop_token) -> Expected<std::shared_ptr<Prepared>> {
            const auto made = std::make_shared<Prepared>();
            made->question = *given;
            const ModelQuestion& asked = made->question;
            PreparedQuestion& shown = made->shown;
            auto access = proposals::ModelAccess::open(asked.choice, std::make_shared<llm::EnvironmentKeys>());
            if (!access) return std::unexpected(std::move(access.error()));
            auto words = worker::splitCommandLine(line);
            if (!words) return std::unexpected(std::move(words.error()));
            proposals::JudgeCallbacks callbacks;
            // Weak: the judge is a part of what it would keep alive.
            const std::weak_ptr<Prepared> weak = made;
            callbacks.onNote = [weak](const std::string& note) {
                if (const auto self = weak.lock()) self->shown.notes.push_back(note);
            };
            callbacks.onReport = [weak](const std::string& name, const nlohmann::json& value) {
                const auto self = weak.lock();
                const auto report = verify::verifyReportFromJson(value);
                if (!self || !report) return;
                const std::scoped_lock lock(self->mutex);
                if (self->shared)
                    self->shared->post([name, report = *report](ModelRun& run) {
                        emit run.reported(QString::fromStdString(name), report);
                    });
            };
            made->commandLine = line;
            made->judge = std::make_unique<proposals::KernelJudge>(
                asked.kernel, std::make_unique<worker::WorkerClient>(worker::WorkerCommand{std::move(*words)}),
                asked.plan, std::move(callbacks));
            auto input = made->judge->promptInput(stop, asked.base);
            if (!input) return std::unexpected(std::move(input.error()));
            made->input = std::move(*input);
            made->input.wish = asked.wish;
            made->input.tried = asked.tried;
            made->input.hardwareCounters = asked.hardwareCounters;
            made->input.window = (*access)->window();
            made->input.maxTokens = asked.choice.maxTokens;
            if (asked.judged && made->input.baseOutcome) {
                // Only a GPU tells time, and it told the session.
                made->input.baseOutcome->medianUs = asked.judged->medianUs;
                made->input.baseOutcome->device = asked.judged->device;
            }
            if (asked.region == RegionChoice::hottest) {
                const auto hot =
                    made->judge->hottestLoop(asked.base.text, stop, asked.samples ? &*asked.samples : nullptr);
                if (!hot) return std::unexpected(hot.error());
                made->input.region = hot->lines;
                shown.region = llm::describe(*hot);
            } else if (asked.region == RegionChoice::lines) {
                made->input.region = asked.lines;
                shown.region = fmt::format("lines {} to {}", asked.lines.firstLine, asked.lines.lastLine);
            }
            auto prompt = llm::buildPrompt(made->input, proposals::promptFolders());
            if (!prompt) return std::unexpected(std::move(prompt.error()));
            made->prompt = std::move(*prompt);
            shown.messages = made->prompt.messages;
            shown.sha256 = llm::promptHash(shown.messages);
            shown.tokens = made->prompt.tokens;
            shown.omitted = made->prompt.omitted;
            shown.lines = made->input.region;
            shown.provider = (*access)->providerName();
            shown.model = (*access)->model();
            llm::ChatRequest request{shown.model, shown.messages, asked.choice.maxTokens, std::nullopt, 1, 1};
            if (asked.choice.temperature >= 0) request.temperature = asked.choice.temperature;
            const llm::Outgoing outgoing = (*access)->provider().outgoing(request);
            shown.url = outgoing.url;
            shown.body = outgoing.body;
            if (!shown.url.empty()) shown.keyName = (*access)->keyName();
            if (const auto price = (*access)->facts().price)
                shown.mostDollars = asked.candidates * price->of(llm::Usage{shown.tokens, asked.choice.maxTokens});
            if (stop.stop_requested()) return failure(Cause::cancelled, "stopped");
            return made;
        },
        [this](Expected<std::shared_ptr<Prepared>> made) {
            m_preparing = false;
            if (made) m_prepared = std::move(*made);
            emit busyChanged();
            if (made)
                emit prepared();
            else
                emit failed(made.error());
        });
}

void ModelRun::begin(std::function<End(std::shared_ptr<Shared>, std::shared_ptr<Prepared>)> work) {
    m_shared = std::make_shared<Shared>();
    {
        const std::scoped_lock lock(m_prepared->mutex);
        m_prepared->shared = m_shared;
    }
    m_running = true;
    m_pulse.start();
    emit busyChanged();
    m_work.start([work = std::move(work), shared = m_shared,
                  prepared = m_prepared](std::stop_token) { return work(shared, prepared); },
                 [this](const End& end) {
                     drain();
                     m_pulse.stop();
                     m_running = false;
                     emit busyChanged();
                     emit ended(end.end, end.errors);
                 });
}

void ModelRun::ask(std::shared_ptr<const llm::KeySource> keys, std::shared_ptr<llm::Budget> budget,
                   FurtherQuestions further) {
    m_budget = budget;
    begin([keys = std::move(keys), budget = std::move(budget), further](const std::shared_ptr<Shared>& shared,
                                                                        const std::shared_ptr<Prepared>& prepared) {
        const ModelQuestion& asked = prepared->question;
        auto access = proposals::ModelAccess::open(asked.choice, keys, budget);
        if (!access) return End{"failed", {access.error()}};
        shared->consentedHash = prepared->shown.sha256;
        // Where nothing leaves the machine nothing has to be asked.
        shared->allConsented = further == FurtherQuestions::send || prepared->shown.url.empty();
        llm::LoopPlan plan;
        plan.candidates = asked.candidates;
        plan.rounds = asked.rounds;
        plan.stopAtFirst = asked.stopAtFirst;
        plan.model = (*access)->model();
        plan.maxTokens = asked.choice.maxTokens;
        if (asked.choice.temperature >= 0) plan.temperature = asked.choice.temperature;
        llm::LoopCallbacks callbacks;
        callbacks.consent = [&](std::uint32_t candidate, std::uint32_t round, const std::vector<llm::Message>& messages,
                                std::stop_token stop) {
            const auto body = [&] {
                return (*access)
                    ->provider()
                    .outgoing({plan.model, messages, plan.maxTokens, plan.temperature, candidate, round})
                    .body;
            };
            return shared->askConsent(candidate, round, messages, body, stop);
        };
        std::mutex roundMutex;
        std::map<std::uint32_t, std::uint32_t> rounds;
        callbacks.onQuestion = [&](std::uint32_t candidate, const std::vector<llm::Message>& messages) {
            std::uint32_t round = 0;
            {
                const std::scoped_lock lock(roundMutex);
                round = ++rounds[candidate];
            }
            shared->post([=](ModelRun& run) { emit run.asked(candidate, round, messages); });
        };
        callbacks.onDelta = [&](std::uint32_t candidate, const llm::Delta& delta) {
            shared->addText(candidate, delta);
        };
        callbacks.onRestart = [&](std::uint32_t candidate) { shared->restart(candidate); };
        callbacks.onNote = [&](std::uint32_t candidate, const std::string& note) {
            shared->post([=](ModelRun& run) { emit run.noted(candidate, QString::fromStdString(note)); });
        };
        callbacks.onTrouble = [&](std::uint32_t candidate, const Diagnostic& why) {
            shared->post([=](ModelRun& run) { emit run.troubled(candidate, why); });
        };
        callbacks.onReply = [&](std::uint32_t candidate, std::uint32_t round, const llm::ChatReply& reply) {
            shared->post([=](ModelRun& run) { emit run.replied(candidate, round, reply); });
        };
        callbacks.onArrived = [&](const llm::Attempt& attempt) {
            shared->post([=](ModelRun& run) { emit run.arrived(attempt); });
        };
        callbacks.onAttempt = [&](const llm::Attempt& attempt) {
            shared->post([=](ModelRun& run) { emit run.judged(attempt); });
        };
        const llm::Verifier verifier = [&](const std::string& name, const std::string& ptx,
                                           std::stop_token stop) -> Expected<llm::Outcome> {
            const auto judged = prepared->judge->judge(name, ptx, {}, stop);
            if (!judged) return std::unexpected(judged.error());
            return proposals::outcomeOf(*judged);
        };
        const auto result = llm::propose(prepared->input, proposals::promptFolders(), plan, (*access)->provider(),
                                         verifier, callbacks, shared->stop.get_token());
        if (!result) return End{"failed", {result.error()}};
        return End{QString::fromLatin1(llm::name(result->end).data()), result->errors};
    });
}

/// Judges them one after another, each told as it goes.
void ModelRun::judgeAll(Shared& shared, Prepared& prepared, std::vector<llm::Attempt> attempts) {
    const std::stop_token stop = shared.stop.get_token();
    for (llm::Attempt& attempt : attempts) {
        if (stop.stop_requested()) return;
        attempt.promptSha256 = prepared.shown.sha256;
        if (!attempt.ptx.empty()) {
            shared.post([attempt](ModelRun& run) { emit run.arrived(attempt); });
            const auto judged = prepared.judge->judge(attempt.name, attempt.ptx, {}, stop);
            auto outcome = judged ? proposals::outcomeOf(*judged) : std::unexpected(judged.error());
            if (outcome)
                attempt.outcome = std::move(*outcome);
            else
                attempt.problems.push_back(std::move(outcome.error()));
        }
        shared.post([attempt](ModelRun& run) { emit run.judged(attempt); });
    }
}

void ModelRun::read(const QString& reply) {
    begin(
        [text = reply.toStdString()](const std::shared_ptr<Shared>& shared, const std::shared_ptr<Prepared>& prepared) {
            auto pasted = proposals::readPasted(text, prepared->question.base.text,
                                                prepared->question.kernel.spec.entry, prepared->input.region);
            if (!pasted) return End{{}, {pasted.error()}};
            if (pasted->attempts.empty()) {
                pasted->attempts.emplace_back();
                pasted->attempts.front().name = "i1";
            }
            pasted->attempts.front().problems = std::move(pasted->problems);
            pasted->attempts.front().cuda = std::move(pasted->cuda);
            judgeAll(*shared, *prepared, std::move(pasted->attempts));
            return End{};
        });
}

void ModelRun::compile(std::vector<std::string> cuda) {
    begin([cuda = std::move(cuda)](const std::shared_ptr<Shared>& shared, const std::shared_ptr<Prepared>& prepared) {
        proposals::PastedReply pasted;
        pasted.cuda = cuda;
        proposals::compileInto(pasted, *prepared->judge, shared->stop.get_token());
        for (llm::Attempt& attempt : pasted.attempts) attempt.name = "nvcc" + attempt.name.substr(1);
        if (pasted.attempts.empty()) {
            pasted.attempts.emplace_back();
            pasted.attempts.front().name = "nvcc1";
            pasted.attempts.front().problems = std::move(pasted.problems);
        }
        judgeAll(*shared, *prepared, std::move(pasted.attempts));
        return End{};
    });
}

void ModelRun::consent(std::uint32_t candidate, Consent consent) {
    if (!m_shared) return;
    {
        const std::scoped_lock lock(m_shared->mutex);
        m_shared->consents[candidate] = consent;
        if (consent == Consent::all) m_shared->allConsented = true;
    }
    m_shared->answered.notify_all();
}

void ModelRun::stop() {
    m_prepareStop.request_stop();
    if (m_preparing) {
        m_prepare.cancel();
        m_preparing = false;
        emit busyChanged();
    }
    if (m_shared) m_shared->stop.request_stop();
}

void ModelRun::drain() {
    const auto shared = m_shared;
    if (!shared) return;
    for (const auto& event : shared->taken()) event(*this);
}

} // namespace ptxwb::ui

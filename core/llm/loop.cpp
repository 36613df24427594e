#include "llm/loop.h"

#include "llm/recording.h"
#include "llm/reply_blocks.h"
#include "llm/tokens.h"
#include "ptx/parse.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <fmt/format.h>
#include <mutex>
#include <thread>

namespace ptxwb::llm {

namespace {

class Loop {
public:
    Loop(const PromptInput& input, const PromptFolders& folders, const LoopPlan& plan, Provider& provider,
         const Verifier& verify, const LoopCallbacks& callbacks, std::stop_token stop, Prompt prompt)
        : m_input(input), m_folders(folders), m_plan(plan), m_provider(provider), m_verify(verify),
          m_callbacks(callbacks), m_prompt(std::move(prompt)), m_chained(stop, [this] { m_stop.request_stop(); }),
          m_outer(stop) {}

    LoopResult run() {
        {
            std::vector<std::jthread> threads;
            for (std::uint32_t candidate = 1; candidate <= m_plan.candidates; ++candidate)
                threads.emplace_back([this, candidate] { converse(candidate); });
        }
        std::ranges::stable_sort(m_result.attempts, {},
                                 [](const Attempt& a) { return std::tuple(a.candidate, a.round, a.name); });
        for (std::size_t i = 0; i < m_result.attempts.size(); ++i) {
            const Attempt& attempt = m_result.attempts[i];
            if (!attempt.outcome || !attempt.outcome->passed()) continue;
            if (!m_result.best || llm::isBetter(*attempt.outcome, *m_result.attempts[*m_result.best].outcome))
                m_result.best = i;
        }
        const bool better = std::ranges::any_of(m_result.attempts, &Attempt::isBetter);
        m_result.end = better                     ? LoopEnd::better
                       : m_outer.stop_requested() ? LoopEnd::cancelled
                       : m_budgetEnded            ? LoopEnd::budget
                       : m_result.best            ? LoopEnd::right
                       : m_failed                 ? LoopEnd::failed
                                                  : LoopEnd::exhausted;
        return std::move(m_result);
    }

private:
    /// One candidate's conversation, on its own thread.
    void converse(std::uint32_t candidate) {
        std::vector<Message> messages = m_prompt.messages;
        ReplyContext context = m_prompt.context;
        std::string parent;
        for (std::uint32_t round = 1; round <= m_plan.rounds; ++round) {
            if (m_stop.stop_requested()) return;
            fitWindow(messages);
            ChatRequest request{m_plan.model, messages, m_plan.maxTokens, m_plan.temperature, candidate, round};
            if (m_callbacks.consent && !m_callbacks.consent(candidate, round, messages, m_stop.get_token())) return;
            if (m_callbacks.onQuestion) m_callbacks.onQuestion(candidate, messages);
            const auto reply = m_provider.chat(request, chatCallbacks(candidate), m_stop.get_token());
            if (!reply) return end(candidate, reply.error());
            if (m_callbacks.onReply) m_callbacks.onReply(candidate, round, *reply);
            std::vector<Attempt> attempts = read(*reply, request, context, parent);
            for (Attempt& attempt : attempts) judge(attempt);
            const Attempt& next = continuation(attempts);
            const bool done = next.isBetter;
            if (done && m_plan.stopAtFirst) m_stop.request_stop();
            auto question = done || round == m_plan.rounds
                                ? Expected<std::string>(std::string{})
                                : repairText(m_input, m_folders, next.ptx, next.outcome ? &*next.outcome : nullptr,
                                             problemsOf(attempts, next));
            parent = next.name;
            // A diff of the next reply is about this text.
            if (!next.ptx.empty() && !m_input.region) context.base = next.ptx;
            {
                const std::scoped_lock lock(m_mutex);
                for (Attempt& attempt : attempts) m_result.attempts.push_back(std::move(attempt));
            }
            if (done) return;
            if (!question) return end(candidate, question.error());
            messages.push_back({Role::assistant, reply->text});
            messages.push_back({Role::user, std::move(*question)});
        }
    }

    ChatCallbacks chatCallbacks(std::uint32_t candidate) const {
        ChatCallbacks callbacks;
        if (m_callbacks.onDelta)
            callbacks.onDelta = [this, candidate](const Delta& delta) { m_callbacks.onDelta(candidate, delta); };
        if (m_callbacks.onNote)
            callbacks.onNote = [this, candidate](const std::string& note) { m_callbacks.onNote(candidate, note); };
        if (m_callbacks.onRestart) callbacks.onRestart = [this, candidate] { m_callbacks.onRestart(candidate); };
        return callbacks;
    }

    void end(std::uint32_t candidate, const Diagnostic& error) {
        if (error.cause == Cause::cancelled) return;
        if (m_callbacks.onTrouble) m_callbacks.onTrouble(candidate, error);
        const std::scoped_lock lock(m_mutex);
        if (error.kind == "budget")
            m_budgetEnded = true;
        else
            m_failed = true;
        m_result.errors.push_back(error);
    }

    /// Old rounds go first: the question and the last answer with its findings are what the next one needs.
    void fitWindow(std::vector<Message>& messages) const {
        if (m_input.window == 0) return;
        while (messages.size() > 4 && estimateTokens(messages) + m_plan.maxTokens > m_input.window)
            messages.erase(messages.begin() + 2, messages.begin() + 4);
    }

    std::vector<Attempt> read(const ChatReply& reply, const ChatRequest& request, const ReplyContext& context,
                              const std::string& parent) const {
        Attempt blank;
        blank.candidate = request.candidate;
        blank.round = request.round;
        blank.parent = parent;
        blank.promptSha256 = promptHash(request.messages);
        blank.provider = m_provider.providerName();
        blank.model = reply.model.empty() ? request.model : reply.model;
        std::vector<Attempt> attempts;
        const auto add = [&](Attempt attempt) {
            attempt.name = fmt::format("c{}r{}", request.candidate, request.round);
            if (!attempts.empty()) attempt.name += static_cast<char>('a' + attempts.size());
            if (attempts.empty()) attempt.usage = reply.usage;
            attempts.push_back(std::move(attempt));
        };
        if (m_input.region) {
            Attempt attempt = blank;
            readRegion(reply, attempt);
            add(std::move(attempt));
            return attempts;
        }
        Reading reading = readReply(reply.text, reply.finish, context);
        for (ReplyCandidate& candidate : reading.candidates) {
            Attempt attempt = blank;
            attempt.ptx = std::move(candidate.ptx);
            attempt.title = std::move(candidate.title);
            attempt.notes = std::move(candidate.notes);
            add(std::move(attempt));
        }
        if (attempts.empty()) add(blank);
        attempts.front().problems = std::move(reading.problems);
        attempts.front().cuda = std::move(reading.cuda);
        return attempts;
    }

    void readRegion(const ChatReply& reply, Attempt& attempt) const {
        const auto code = regionCode(reply.text, reply.finish);
        if (!code) return attempt.problems.push_back(code.error());
        const auto module = ptx::parse(m_input.base, m_input.baseName);
        const ptx::Function* entry = module->function(m_prompt.context.entry);
        const auto view = regionOf(*module, *entry, *m_input.region);
        if (!view) return attempt.problems.push_back(view.error());
        auto stitched = stitch(*module, *entry, *view, *code);
        if (!stitched) return attempt.problems.push_back(stitched.error());
        attempt.ptx = std::move(stitched->text);
        attempt.region = RegionRequest{stitched->firstLine, stitched->lastLine};
    }

    void judge(Attempt& attempt) {
        if (!attempt.ptx.empty() && !m_stop.stop_requested()) {
            if (m_callbacks.onArrived) m_callbacks.onArrived(attempt);
            auto outcome = m_verify(attempt.name, attempt.ptx, m_stop.get_token());
            if (outcome)
                attempt.outcome = std::move(*outcome);
            else if (outcome.error().cause != Cause::cancelled)
                attempt.problems.push_back(std::move(outcome.error()));
            attempt.isBetter = attempt.outcome && beatsBase(*attempt.outcome);
        }
        if (m_callbacks.onAttempt) m_callbacks.onAttempt(attempt);
    }

    bool beatsBase(const Outcome& outcome) const {
        if (!outcome.passed()) return false;
        if (outcome.speedup) return outcome.speedup->call == "faster";
        return m_input.baseOutcome && llm::isBetter(outcome, *m_input.baseOutcome);
    }

    /// Of several in one reply the best one goes on.
    static const Attempt& continuation(const std::vector<Attempt>& attempts) {
        const Attempt* best = &attempts.front();
        for (const Attempt& attempt : attempts)
            if (attempt.outcome && (!best->outcome || llm::isBetter(*attempt.outcome, *best->outcome))) best = &attempt;
        return *best;
    }

    /// Parts of a reply that could not be used matter only where nothing else could.
    static std::vector<Diagnostic> problemsOf(const std::vector<Attempt>& attempts, const Attempt& next) {
        if (next.outcome) return {};
        std::vector<Diagnostic> all;
        for (const Attempt& attempt : attempts) all.insert(all.end(), attempt.problems.begin(), attempt.problems.end());
        return all;
    }

    const PromptInput& m_input;
    const PromptFolders& m_folders;
    const LoopPlan& m_plan;
    Provider& m_provider;
    const Verifier& m_verify;
    const LoopCallbacks& m_callbacks;
    Prompt m_prompt;
    std::mutex m_mutex;
    LoopResult m_result;
    bool m_budgetEnded = false, m_failed = false;
    std::stop_source m_stop;
    std::stop_callback<std::function<void()>> m_chained;
    std::stop_token m_outer;
};

} // namespace

std::string_view name(LoopEnd end) {
    constexpr std::array<std::string_view, 6> names{"better", "right", "exhausted", "budget", "failed", "cancelled"};
    return names[static_cast<std::size_t>(end)];
}

Expected<std::string> regionCode(std::string_view reply, Finish finish) {
    const auto pieces = piecesOf(reply);
    const auto refuse = [](std::uint32_t line, std::string message, std::string hint) {
        auto result = failure(Cause::rejected, std::move(message), std::move(hint));
        result.error().place = {"reply", line, 1, 1};
        return result;
    };
    std::size_t blocks = 0;
    for (const Piece& piece : pieces) {
        if (piece.kind == PieceKind::prose) continue;
        ++blocks;
        if (piece.kind == PieceKind::module || piece.kind == PieceKind::kernel)
            return refuse(piece.line, "the reply holds a whole kernel where only the lines of the region are wanted",
                          "send the new lines alone");
        if (piece.kind != PieceKind::code) continue;
        if (!piece.isClosed || (finish == Finish::length && &piece == &pieces.back()))
            return refuse(piece.line, "the reply is cut off inside of the new lines", "allow a longer answer");
        return piece.text;
    }
    return refuse(1,
                  blocks == 0 ? "the reply holds no block of instructions, only prose"
                              : fmt::format("none of the {} blocks of the reply holds PTX instructions", blocks),
                  "send one fenced block with the new lines");
}

Expected<LoopResult> propose(const PromptInput& input, const PromptFolders& folders, const LoopPlan& plan,
                             Provider& provider, const Verifier& verify, const LoopCallbacks& callbacks,
                             std::stop_token stop) {
    auto prompt = buildPrompt(input, folders);
    if (!prompt) return std::unexpected(std::move(prompt.error()));
    return Loop(input, folders, plan, provider, verify, callbacks, stop, std::move(*prompt)).run();
}

} // namespace ptxwb::llm

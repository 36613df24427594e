#include "llm/budget.h"

#include "llm/tokens.h"

#include <fmt/format.h>

namespace ptxwb::llm {

namespace {

std::unexpected<Diagnostic> refusal(std::string message, std::string hint) {
    auto result = failure(Cause::badRequest, std::move(message), std::move(hint));
    result.error().kind = "budget";
    return result;
}

std::uint64_t sum(const Usage& usage) {
    return usage.inputTokens + usage.outputTokens;
}

class BudgetedProvider : public Provider {
public:
    BudgetedProvider(Provider& inner, Budget& budget, const ModelTable& models)
        : m_inner(inner), m_budget(budget), m_models(models) {}

    std::string providerName() const override { return m_inner.providerName(); }
    Outgoing outgoing(const ChatRequest& request) const override { return m_inner.outgoing(request); }
    Expected<std::vector<std::string>> models(std::stop_token stop) override { return m_inner.models(stop); }

    Expected<ChatReply> chat(const ChatRequest& request, const ChatCallbacks& callbacks,
                             std::stop_token stop) override {
        const ModelFacts model = m_models.find(request.model);
        const Usage most{estimateTokens(request.messages), request.maxTokens};
        if (auto reserved = m_budget.reserve(most, model); !reserved)
            return std::unexpected(std::move(reserved.error()));
        std::string heard;
        std::optional<Diagnostic> exhausted;
        std::stop_source ownStop;
        const std::stop_callback chained(stop, [&] { ownStop.request_stop(); });
        const auto soFar = [&] { return Usage{most.inputTokens, estimateTokens(heard)}; };
        ChatCallbacks watched = callbacks;
        watched.onDelta = [&](const Delta& delta) {
            heard += delta.text;
            heard += delta.reasoning;
            if (callbacks.onDelta) callbacks.onDelta(delta);
        };
        // What broke off was paid for, and the next try needs room of its own.
        watched.onRestart = [&] {
            m_budget.settle(most, model, soFar(), true);
            heard.clear();
            if (auto again = m_budget.reserve(most, model); !again) {
                exhausted = std::move(again.error());
                ownStop.request_stop();
            }
            if (callbacks.onRestart) callbacks.onRestart();
        };
        auto reply = m_inner.chat(request, watched, ownStop.get_token());
        if (exhausted) return std::unexpected(std::move(*exhausted));
        if (reply)
            m_budget.settle(most, model, reply->usage.known() ? reply->usage : soFar(), !reply->usage.known());
        else
            m_budget.settle(most, model, heard.empty() ? std::optional<Usage>{} : soFar(), true);
        return reply;
    }

private:
    Provider& m_inner;
    Budget& m_budget;
    const ModelTable& m_models;
};

} // namespace

void Budget::setLimits(BudgetLimits limits) {
    const std::scoped_lock lock(m_mutex);
    m_limits = limits;
}

BudgetLimits Budget::limits() const {
    const std::scoped_lock lock(m_mutex);
    return m_limits;
}

Expected<void> Budget::reserve(const Usage& most, const ModelFacts& model) {
    const std::scoped_lock lock(m_mutex);
    if (m_limits.tokens) {
        const std::uint64_t taken = sum(m_spent.usage) + m_reservedTokens;
        if (taken + sum(most) > *m_limits.tokens)
            return refusal(
                fmt::format("the budget of {} tokens could be passed: {} are used or promised, and this question "
                            "may take {}",
                            *m_limits.tokens, taken, sum(most)),
                "raise the budget, or ask for shorter answers");
    }
    if (m_limits.dollars) {
        if (!model.price)
            return refusal("a budget in dollars needs the model's price, and the table has none for it",
                           "add the model to models.json in your prompts folder, or set a budget in tokens");
        const double taken = m_spent.dollars + m_reservedDollars, next = model.price->of(most);
        if (taken + next > *m_limits.dollars)
            return refusal(fmt::format("the budget of ${:.4f} could be passed: ${:.4f} are spent or promised, and this "
                                       "question may cost ${:.4f}",
                                       *m_limits.dollars, taken, next),
                           "raise the budget, or ask for shorter answers");
    }
    m_reservedTokens += sum(most);
    if (model.price) m_reservedDollars += model.price->of(most);
    return {};
}

void Budget::settle(const Usage& most, const ModelFacts& model, const std::optional<Usage>& used, bool isEstimate) {
    const std::scoped_lock lock(m_mutex);
    m_reservedTokens -= sum(most);
    if (model.price) m_reservedDollars -= model.price->of(most);
    if (!used) return;
    ++m_spent.requests;
    m_spent.usage.inputTokens += used->inputTokens;
    m_spent.usage.outputTokens += used->outputTokens;
    m_spent.isEstimated = m_spent.isEstimated || isEstimate;
    if (model.price)
        m_spent.dollars += model.price->of(*used);
    else
        m_spent.hasPrice = false;
}

Spent Budget::spent() const {
    const std::scoped_lock lock(m_mutex);
    return m_spent;
}

std::unique_ptr<Provider> budgeted(Provider& inner, Budget& budget, const ModelTable& models) {
    return std::make_unique<BudgetedProvider>(inner, budget, models);
}

} // namespace ptxwb::llm

// What a session may cost, and a provider that keeps to it: it asks for no answer that could go beyond.
// Used by the loop through `budgeted`, and by the cost line.
#pragma once

#include "llm/models.h"
#include "llm/provider.h"

#include <mutex>

namespace ptxwb::llm {

struct BudgetLimits {
    std::optional<double> dollars;
    std::optional<std::uint64_t> tokens; ///< of questions and answers together
};

struct Spent {
    Usage usage;
    double dollars = 0;
    std::uint32_t requests = 0;
    bool isEstimated = false; ///< a server did not count, or an answer broke off: our own figures are among these
    bool hasPrice = true;     ///< false: a model without a price was asked, so `dollars` is too small
};

/// Thread-safe. The most that a request can cost is set aside before it is sent.
class Budget {
public:
    /// `before`: what was spent already, which counts.
    explicit Budget(BudgetLimits limits = {}, Spent before = {}) : m_limits(limits), m_spent(before) {}

    /// Counts for the next question; what was promised stays promised.
    void setLimits(BudgetLimits limits);

    /// Errors (Cause::badRequest, kind "budget"): the request could pass a limit; a limit in dollars for a model
    /// without a price.
    Expected<void> reserve(const Usage& most, const ModelFacts& model);
    /// Gives back what was set aside and counts what it was. `used` is absent where nothing was answered.
    void settle(const Usage& most, const ModelFacts& model, const std::optional<Usage>& used, bool isEstimate);
    Spent spent() const;
    BudgetLimits limits() const;

private:
    BudgetLimits m_limits;
    mutable std::mutex m_mutex;
    Spent m_spent;
    double m_reservedDollars = 0;
    std::uint64_t m_reservedTokens = 0;
};

/// `inner` within `budget`; both must outlive it.
std::unique_ptr<Provider> budgeted(Provider& inner, Budget& budget, const ModelTable& models);

} // namespace ptxwb::llm

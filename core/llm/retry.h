// When a request that failed is worth another try, and how long to wait before it.
// Used by the provider that speaks HTTP.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ptxwb::llm {

struct RetryPolicy {
    unsigned attempts = 4;                         ///< in all
    std::chrono::milliseconds firstWait{1000};     ///< doubled from try to try
    std::chrono::milliseconds longestWait{60'000}; ///< a server that asks for more gets an error instead
};

/// Statuses that may go away by themselves: 408, 409, 425, 429, 500, 502, 503, 504, 529.
bool isTransient(long status);

/// What `Retry-After` asks for: seconds ("3", "0.5") or an HTTP date, measured from `now`. A date that has passed is 0.
/// Nothing where it is neither. Source: RFC 9110, 10.2.3.
std::optional<std::chrono::milliseconds> retryAfter(std::string_view header, std::chrono::system_clock::time_point now);

/// The wait before try `attempt` (2 for the second) where the server names none: doubling, with up to a quarter taken
/// off by `seed`, so that many clients do not come back at once.
std::chrono::milliseconds backOff(const RetryPolicy& policy, unsigned attempt, std::uint64_t seed);

} // namespace ptxwb::llm

#include "llm/retry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <curl/curl.h>
#include <string>

namespace ptxwb::llm {

using std::chrono::milliseconds;

namespace {

/// curl_getdate takes more for a date than HTTP does: all of HTTP's have a comma.
std::optional<milliseconds> dateWait(std::string_view header, std::chrono::system_clock::time_point now) {
    const std::time_t date = curl_getdate(std::string(header).c_str(), nullptr);
    if (date < 0) return std::nullopt;
    const auto wait = std::chrono::system_clock::from_time_t(date) - now;
    return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(wait));
}

} // namespace

bool isTransient(long status) {
    constexpr std::array<long, 9> statuses{408, 409, 425, 429, 500, 502, 503, 504, 529};
    return std::ranges::find(statuses, status) != statuses.end();
}

std::optional<milliseconds> retryAfter(std::string_view header, std::chrono::system_clock::time_point now) {
    const auto first = header.find_first_not_of(" \t");
    if (first == std::string_view::npos) return std::nullopt;
    header = header.substr(first, header.find_last_not_of(" \t") - first + 1);
    double seconds = 0;
    if (header.front() < '0' || header.front() > '9') // from_chars takes "inf" too
        return header.find(',') == std::string_view::npos ? std::nullopt : dateWait(header, now);
    const auto [end, error] =
        std::from_chars(header.data(), header.data() + header.size(), seconds, std::chars_format::fixed);
    if (end == header.data() + header.size() && error == std::errc{}) {
        if (!(seconds >= 0)) return std::nullopt;
        // A year is as good as never, and does not overflow.
        return milliseconds(static_cast<std::int64_t>(std::min(seconds, 31'536'000.0) * 1000 + 0.5));
    }
    return std::nullopt;
}

milliseconds backOff(const RetryPolicy& policy, unsigned attempt, std::uint64_t seed) {
    auto wait = policy.firstWait;
    for (unsigned i = 2; i < attempt && wait < policy.longestWait; ++i) wait *= 2;
    wait = std::min(wait, policy.longestWait);
    // SplitMix64's finalizer: neighbouring seeds give unrelated waits.
    std::uint64_t bits = seed + attempt * 0x9E3779B97F4A7C15U;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
    return wait - milliseconds(wait.count() / 4 * static_cast<std::int64_t>(bits >> 57) / 128);
}

} // namespace ptxwb::llm

// Several HTTP requests at once over one libcurl multi handle, on one thread.
// Used by the provider that speaks HTTP; nothing else of the program talks to the network.
#pragma once

#include "llm/keys.h"

#include <chrono>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb::llm {

struct HttpLimits {
    std::chrono::milliseconds connect{15'000}; ///< until the connection stands, TLS included
    std::chrono::milliseconds idle{120'000};   ///< without a single byte; models may think for long before the first
    std::chrono::milliseconds total{1'800'000};
    std::size_t bytes = std::size_t{64} << 20; ///< of an answer
};

struct HttpRequest {
    std::string url; ///< of `checkUrl`, with a path
    bool isLoopback = false;
    std::vector<std::string> headers; ///< "Name: value", without secrets
    std::string keyHeader;            ///< "Authorization: Bearer " or "x-api-key: ", completed with the key
    Secret key;
    std::string body; ///< sent by POST as JSON; empty: a GET
    std::string caBundle, proxy;
    HttpLimits limits;
};

using HttpHeaders = std::map<std::string, std::string>; ///< names in lower case

struct HttpAnswer {
    long status = 0;
    HttpHeaders headers;
    std::size_t bytes = 0; ///< of the body
};

enum class HttpProblem : std::uint8_t {
    resolve,   ///< no such host
    connect,   ///< refused, unreachable, or not in time
    tls,       ///< no trust, no handshake
    idle,      ///< nothing came for too long
    total,     ///< it took too long in all
    cutOff,    ///< the connection ended in the middle of the answer
    tooLarge,  ///< over `HttpLimits::bytes`
    aborted,   ///< the receiver wanted no more
    cancelled, ///< the stop token asked
    other,
};

struct HttpFailure {
    HttpProblem problem = HttpProblem::other;
    std::string message; ///< a sentence without the key
    HttpAnswer soFar;
};

/// What arrives of a body, in pieces; false ends the transfer (`HttpProblem::aborted`). On the client's thread.
using HttpSink = std::function<bool(const HttpAnswer& soFar, std::string_view bytes)>;

class HttpClient {
public:
    HttpClient();
    ~HttpClient();
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    /// Blocks until the answer is complete; any number of threads may wait in here. Redirects are never followed, and
    /// cookies never kept. Requests to this machine go past all proxies.
    std::expected<HttpAnswer, HttpFailure> perform(const HttpRequest& request, const HttpSink& sink,
                                                   std::stop_token stop = {});

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace ptxwb::llm

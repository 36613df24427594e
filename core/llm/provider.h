// Whoever answers prompts: a server, or a recorded conversation.
// Used by the loop, the commands and the window's panel.
#pragma once

#include "llm/chat.h"
#include "llm/endpoint.h"
#include "llm/http.h"
#include "llm/keys.h"
#include "llm/retry.h"

#include <memory>
#include <stop_token>

namespace ptxwb::llm {

/// A request as it leaves this machine, the key apart. An empty URL: nothing leaves it.
struct Outgoing {
    std::string url, body;
};

class Provider {
public:
    virtual ~Provider() = default;
    /// "openai", "recording"
    virtual std::string providerName() const = 0;
    /// Blocks until the answer is complete; several threads may ask at once. Errors: Cause::missing (no key, no
    /// connection), Cause::badRequest (what the server refuses for good), Cause::rejected (an answer that cannot be
    /// used), Cause::cancelled. No message holds a key.
    virtual Expected<ChatReply> chat(const ChatRequest& request, const ChatCallbacks& callbacks = {},
                                     std::stop_token stop = {}) = 0;
    /// What `chat` would send for this request, for whoever wants to see it before.
    virtual Outgoing outgoing(const ChatRequest& request) const = 0;
    /// Names of the models that the endpoint has, sorted. Errors as of `chat`.
    virtual Expected<std::vector<std::string>> models(std::stop_token stop = {}) = 0;
};

struct ProviderSettings {
    Endpoint endpoint;
    HttpLimits limits;
    RetryPolicy retry;
};

/// A provider over HTTP. Errors: an endpoint whose URL `checkUrl` refuses. The key is fetched for each request and kept
/// for none.
Expected<std::unique_ptr<Provider>> makeProvider(ProviderSettings settings, std::shared_ptr<const KeySource> keys,
                                                 std::shared_ptr<HttpClient> client);

} // namespace ptxwb::llm

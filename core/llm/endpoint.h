// Where a model is asked: protocol, address, the name of its key, proxy and certificates.
// Made from resources/prompts/providers.json or by a person; used by providers.
#pragma once

#include "support/diagnostic.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::llm {

enum class Dialect : std::uint8_t {
    openai,    ///< POST /chat/completions, as most servers speak it
    anthropic, ///< POST /v1/messages
};
std::string_view name(Dialect dialect);

/// How the limit of the answer is called. Newer models of OpenAI refuse `max_tokens`, most other servers know no other.
enum class TokenField : std::uint8_t { automatic, maxTokens, maxCompletionTokens };

struct Endpoint {
    std::string name; ///< "openai", "local"
    std::string title;
    Dialect dialect = Dialect::openai;
    std::string baseUrl; ///< "https://api.openai.com/v1"
    std::string keyName; ///< environment variable, or entry of the keyring; empty: no key is sent
    TokenField tokenField = TokenField::automatic;
    std::string caBundle; ///< file with certificates; empty: the system's
    std::string proxy;    ///< empty: HTTPS_PROXY and its like
};

struct CheckedUrl {
    std::string url; ///< without a slash at the end
    std::string host;
    std::string port;
    bool isLoopback = false;
};

/// Errors (Cause::badRequest) name what is wrong: no URL, another scheme, http to a machine that is not this one, a
/// user or password inside, a query. The key would travel in clear or land in a log otherwise.
Expected<CheckedUrl> checkUrl(std::string_view baseUrl);

/// The endpoints of `file` (resources/prompts/providers.json), overlaid by those of `own` where that file exists.
/// Errors name file and field.
Expected<std::vector<Endpoint>> loadEndpoints(const std::filesystem::path& file, const std::filesystem::path& own = {});

/// Errors (Cause::badRequest) list what there is and name the nearest.
Expected<Endpoint> findEndpoint(const std::vector<Endpoint>& endpoints, std::string_view name);

} // namespace ptxwb::llm

#include "llm/endpoint.h"

#include "support/files.h"
#include "support/json.h"
#include "support/nearest.h"

#include <algorithm>
#include <arpa/inet.h>
#include <curl/curl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace ptxwb::llm {

namespace {

struct FreeUrl {
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

std::string part(CURLU* url, CURLUPart which) {
    char* text = nullptr;
    if (curl_url_get(url, which, &text, which == CURLUPART_PORT ? CURLU_DEFAULT_PORT : 0) != CURLUE_OK) return {};
    std::string result = text;
    curl_free(text);
    return result;
}

/// Names other than localhost are not looked up: whoever answers for DNS must not decide what loopback is.
bool isLoopback(std::string host) {
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    if (host == "localhost") return true; // libcurl answers this one itself
    in_addr four{};
    if (inet_pton(AF_INET, host.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
    in6_addr six{};
    return inet_pton(AF_INET6, host.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

Expected<Endpoint> endpointOf(const std::string& name, const JsonReader& reader) {
    if (auto known = reader.onlyKeys({"title", "protocol", "base_url", "key", "token_field", "ca_bundle", "proxy"});
        !known)
        return std::unexpected(std::move(known.error()));
    Endpoint endpoint;
    endpoint.name = name;
    const auto protocol = reader.textOr("protocol", "openai");
    const auto url = reader.text("base_url");
    const auto field = reader.textOr("token_field", "auto");
    const auto title = reader.textOr("title", name), key = reader.textOr("key", {});
    const auto bundle = reader.textOr("ca_bundle", {}), proxy = reader.textOr("proxy", {});
    for (const auto* text : {&protocol, &url, &field, &title, &key, &bundle, &proxy})
        if (!*text) return std::unexpected(text->error());
    if (*protocol != "openai" && *protocol != "anthropic")
        return reader.at("protocol")->fail(fmt::format("expected openai or anthropic, got \"{}\"", *protocol));
    endpoint.dialect = *protocol == "openai" ? Dialect::openai : Dialect::anthropic;
    if (*field != "auto" && *field != "max_tokens" && *field != "max_completion_tokens")
        return reader.at("token_field")
            ->fail(fmt::format("expected auto, max_tokens or max_completion_tokens, got \"{}\"", *field));
    endpoint.tokenField = *field == "auto"         ? TokenField::automatic
                          : *field == "max_tokens" ? TokenField::maxTokens
                                                   : TokenField::maxCompletionTokens;
    if (const auto checked = checkUrl(*url); !checked)
        return reader.at("base_url")->fail(checked.error().message, checked.error().hint);
    endpoint.baseUrl = *url;
    endpoint.title = *title;
    endpoint.keyName = *key;
    endpoint.caBundle = *bundle;
    endpoint.proxy = *proxy;
    return endpoint;
}

Expected<void> readInto(std::vector<Endpoint>& endpoints, const std::filesystem::path& file) {
    const auto text = readFile(file);
    if (!text) return std::unexpected(text.error());
    const auto json = parseJson(*text, file.string());
    if (!json) return std::unexpected(json.error());
    const JsonReader reader(*json, file.string());
    if (auto known = reader.onlyKeys({"schema", "providers"}); !known) return known;
    const auto list = reader.at("providers");
    if (!list) return std::unexpected(list.error());
    const auto members = list->members();
    if (!members) return std::unexpected(members.error());
    for (const auto& [name, member] : *members) {
        auto endpoint = endpointOf(name, member);
        if (!endpoint) return std::unexpected(std::move(endpoint.error()));
        const auto same = std::ranges::find(endpoints, name, &Endpoint::name);
        if (same == endpoints.end())
            endpoints.push_back(std::move(*endpoint));
        else
            *same = std::move(*endpoint);
    }
    return {};
}

} // namespace

std::string_view name(Dialect dialect) {
    return dialect == Dialect::openai ? "openai" : "anthropic";
}

Expected<CheckedUrl> checkUrl(std::string_view baseUrl) {
    const std::unique_ptr<CURLU, FreeUrl> url(curl_url());
    const std::string text(baseUrl);
    // The text itself is not repeated before it is known to hold no password.
    if (!url || curl_url_set(url.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK)
        return failure(Cause::badRequest, "the base URL is no URL", "for instance https://api.openai.com/v1");
    if (!part(url.get(), CURLUPART_USER).empty() || !part(url.get(), CURLUPART_PASSWORD).empty())
        return failure(Cause::badRequest, "the base URL holds a user or a password",
                       "take it out; keys come from the environment or the keyring");
    if (!part(url.get(), CURLUPART_QUERY).empty() || !part(url.get(), CURLUPART_FRAGMENT).empty())
        return failure(Cause::badRequest, "the base URL has a query or a fragment",
                       "end it at the path, as in https://host/v1");
    CheckedUrl checked;
    checked.host = part(url.get(), CURLUPART_HOST);
    checked.port = part(url.get(), CURLUPART_PORT);
    checked.isLoopback = isLoopback(checked.host);
    const std::string scheme = part(url.get(), CURLUPART_SCHEME);
    if (scheme != "https" && scheme != "http")
        return failure(Cause::badRequest, fmt::format("the base URL has the scheme {}", scheme), "only https works");
    if (scheme == "http" && !checked.isLoopback)
        return failure(Cause::badRequest,
                       fmt::format("http://{} would send the key and the kernel in clear text", checked.host),
                       "use https; http is for servers on this machine (localhost, 127.0.0.1, [::1])");
    checked.url = text;
    while (checked.url.ends_with('/')) checked.url.pop_back();
    return checked;
}

Expected<std::vector<Endpoint>> loadEndpoints(const std::filesystem::path& file, const std::filesystem::path& own) {
    std::vector<Endpoint> endpoints;
    if (auto read = readInto(endpoints, file); !read) return std::unexpected(std::move(read.error()));
    std::error_code error;
    if (!own.empty() && std::filesystem::exists(own, error))
        if (auto read = readInto(endpoints, own); !read) return std::unexpected(std::move(read.error()));
    return endpoints;
}

Expected<Endpoint> findEndpoint(const std::vector<Endpoint>& endpoints, std::string_view name) {
    std::vector<std::string> names;
    for (const Endpoint& endpoint : endpoints) {
        if (endpoint.name == name) return endpoint;
        names.push_back(endpoint.name);
    }
    const std::string nearest = nearestName(name, names);
    return failure(Cause::badRequest, fmt::format("there is no provider {}", name),
                   nearest.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                   : fmt::format("did you mean {}?", nearest));
}

} // namespace ptxwb::llm

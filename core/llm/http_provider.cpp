// One question to a server: request, retries, stream to answer.
#include "llm/protocol.h"
#include "llm/provider.h"

#include "llm/stream_json.h"
#include "support/child_process.h"

#include <algorithm>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>

namespace ptxwb::llm {

namespace {

using std::chrono::milliseconds;

/// What one try came to, where it was not an answer.
struct Trouble {
    Diagnostic error;
    bool mayRetry = false;
    std::optional<milliseconds> wait; ///< as the server asks
    std::string what;                 ///< short, for the note: "429 Too Many Requests"
};

std::string_view phrase(long status) {
    switch (status) {
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 408: return "Request Timeout";
    case 413: return "Content Too Large";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 500: return "Internal Server Error";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 529: return "Overloaded";
    default: return "";
    }
}

std::string header(const HttpAnswer& answer, const char* name) {
    const auto found = answer.headers.find(name);
    return found == answer.headers.end() ? std::string{} : found->second;
}

std::optional<milliseconds> waitOf(const HttpAnswer& answer) {
    const std::string exact = header(answer, "retry-after-ms");
    if (!exact.empty() && exact.size() < 10 && std::ranges::all_of(exact, [](char c) { return c >= '0' && c <= '9'; }))
        return milliseconds(std::stol(exact));
    return retryAfter(header(answer, "retry-after"), std::chrono::system_clock::now());
}

/// Waits, or returns false at once when `stop` asks.
bool waitFor(milliseconds time, std::stop_token stop) {
    std::mutex mutex;
    std::condition_variable_any condition;
    std::unique_lock lock(mutex);
    condition.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

class HttpProvider : public Provider {
public:
    HttpProvider(ProviderSettings settings, CheckedUrl url, std::shared_ptr<const KeySource> keys,
                 std::shared_ptr<HttpClient> client)
        : m_settings(std::move(settings)), m_url(std::move(url)), m_keys(std::move(keys)), m_client(std::move(client)) {
        const Endpoint& endpoint = m_settings.endpoint;
        // OpenAI itself takes the new name for all its models; most other servers know the old one only.
        m_variant.tokenField = endpoint.tokenField != TokenField::automatic ? endpoint.tokenField
                               : m_url.host == "api.openai.com"             ? TokenField::maxCompletionTokens
                                                                            : TokenField::maxTokens;
        m_root = m_url.url;
        if (endpoint.dialect == Dialect::anthropic && !m_root.ends_with("/v1")) m_root += "/v1";
    }

    std::string providerName() const override { return m_settings.endpoint.name; }

    Expected<ChatReply> chat(const ChatRequest& request, const ChatCallbacks& callbacks,
                             std::stop_token stop) override {
        auto http = prepared(chatUrl());
        if (!http) return std::unexpected(std::move(http.error()));
        http->headers.emplace_back("Accept: text/event-stream, application/json");
        unsigned variants = 0;
        for (unsigned attempt = 1;; ++attempt) {
            const RequestVariant variant = currentVariant();
            http->body = requestBody(m_settings.endpoint.dialect, request, variant);
            std::optional<RequestVariant> other;
            auto reply = chatOnce(*http, variant, callbacks, stop, other);
            if (reply) return std::move(*reply);
            if (other && variants++ < 4) {
                setVariant(*other);
                --attempt;
                continue;
            }
            if (auto given = retryOrGiveUp(reply.error(), attempt, callbacks, stop))
                return std::unexpected(std::move(*given));
        }
    }

    Outgoing outgoing(const ChatRequest& request) const override {
        return {chatUrl(), requestBody(m_settings.endpoint.dialect, request, currentVariant())};
    }

    Expected<std::vector<std::string>> models(std::stop_token stop) override {
        auto http = prepared(m_root + "/models");
        if (!http) return std::unexpected(std::move(http.error()));
        for (unsigned attempt = 1;; ++attempt) {
            std::string body;
            const auto answer = m_client->perform(
                *http, [&](const HttpAnswer&, std::string_view bytes) { return body += bytes, true; }, stop);
            std::optional<Trouble> trouble;
            if (!answer)
                trouble = troubleOf(answer.error(), *http);
            else if (answer->status != 200)
                trouble = troubleOf(*answer, body, *http);
            else
                return modelNames(body);
            if (auto given = retryOrGiveUp(*trouble, attempt, {}, stop)) return std::unexpected(std::move(*given));
        }
    }

private:
    std::string chatUrl() const {
        return m_root + (m_settings.endpoint.dialect == Dialect::anthropic ? "/messages" : "/chat/completions");
    }

    Expected<HttpRequest> prepared(std::string url) const {
        const Endpoint& endpoint = m_settings.endpoint;
        HttpRequest http;
        http.url = std::move(url);
        http.isLoopback = m_url.isLoopback;
        http.caBundle = endpoint.caBundle;
        http.proxy = endpoint.proxy;
        http.limits = m_settings.limits;
        if (!endpoint.keyName.empty()) {
            auto key = m_keys->key(endpoint.keyName);
            // A server on this machine may need none.
            if (!key && !(m_url.isLoopback && key.error().cause == Cause::missing))
                return std::unexpected(std::move(key.error()));
            if (key) http.key = std::move(*key);
        }
        http.keyHeader = endpoint.dialect == Dialect::anthropic ? "x-api-key: " : "Authorization: Bearer ";
        if (endpoint.dialect == Dialect::anthropic) http.headers.emplace_back("anthropic-version: 2023-06-01");
        return http;
    }

    std::expected<ChatReply, Trouble> chatOnce(const HttpRequest& http, const RequestVariant& variant,
                                               const ChatCallbacks& callbacks, std::stop_token stop,
                                               std::optional<RequestVariant>& other) {
        const auto reader = makeReplyReader(m_settings.endpoint.dialect);
        SseParser parser;
        Redactor text(http.key), reasoning(http.key);
        std::string body; // of an answer that is no stream
        bool told = false;
        const auto tell = [&](const Delta& delta) {
            const Delta clean{text.next(delta.text), reasoning.next(delta.reasoning)};
            if (callbacks.onDelta && !(clean.text.empty() && clean.reasoning.empty()))
                told = true, callbacks.onDelta(clean);
        };
        const auto take = [&](const SseEvent& event) {
            if (!reader->error() && !reader->isDone()) tell(reader->take(event));
        };
        const auto answer = m_client->perform(
            http,
            [&](const HttpAnswer& soFar, std::string_view bytes) {
                if (soFar.status == 200 && isStream(soFar)) {
                    parser.push(bytes, take);
                    return !reader->isDone() && !reader->error(); // some servers never close
                }
                body += bytes;
                return true;
            },
            stop);
        const HttpAnswer& got = answer ? *answer : answer.error().soFar;
        std::optional<Trouble> trouble;
        bool brokenEvent = false; // the connection ended in the middle of one
        if (got.status != 0 && got.status != 200 && (answer || answer.error().problem == HttpProblem::cutOff)) {
            trouble = troubleOf(got, body, http);
            if (got.status == 400 || got.status == 422) other = variantAfter(variant, errorMessage(body));
        } else if (got.status == 200 && isStream(got)) {
            const bool hadError = reader->error().has_value();
            if (answer) parser.finish(take);
            brokenEvent = !hadError && reader->error() && reader->error()->isUnreadable;
        } else if (answer) {
            if (looksLikeJson(got, body))
                tell(reader->takeWhole(body));
            else
                trouble = wrongType(got, body, http);
        }
        if (!trouble && reader->error() && !brokenEvent) trouble = inStream(*reader->error(), http);
        if (!trouble && !answer && answer.error().problem != HttpProblem::aborted &&
            !(reader->toldFinish() && answer.error().problem != HttpProblem::cancelled))
            trouble = troubleOf(answer.error(), http);
        if (!trouble) tell(reader->end());
        if (!trouble && !reader->isDone() && !reader->toldFinish()) trouble = unfinished(got, http);
        if (!trouble && reader->reply().text.empty() && reader->reply().finish == Finish::complete)
            trouble = noText(*reader, http);
        if (trouble) {
            if (told && callbacks.onRestart) callbacks.onRestart();
            return std::unexpected(std::move(*trouble));
        }
        if (callbacks.onDelta) {
            const Delta last{text.rest(), reasoning.rest()};
            if (!(last.text.empty() && last.reasoning.empty())) callbacks.onDelta(last);
        }
        ChatReply reply = reader->reply();
        const Redactor whole(http.key);
        reply.text = whole.all(reply.text);
        reply.reasoning = whole.all(reply.reasoning);
        return reply;
    }

    static bool isStream(const HttpAnswer& answer) {
        return header(answer, "content-type").starts_with("text/event-stream");
    }

    static bool looksLikeJson(const HttpAnswer& answer, std::string_view body) {
        const auto first = body.find_first_not_of(" \t\r\n");
        return header(answer, "content-type").find("json") != std::string::npos ||
               (first != std::string_view::npos && body[first] == '{');
    }

    std::string place() const { return fmt::format("{} ({})", m_settings.endpoint.name, m_url.host); }

    /// What a server said, short enough for one line, without anything of the key.
    static std::string quoted(std::string_view text, const HttpRequest& http) {
        std::string clean = Redactor(http.key, 4).all(text);
        for (char& c : clean)
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
        if (clean.size() > 400) clean = clean.substr(0, 400) + "...";
        return clean;
    }

    Trouble made(Cause cause, std::string message, std::string hint, bool mayRetry, std::string what) const {
        return {failure(cause, fmt::format("{}: {}", place(), message), std::move(hint)).error(),
                mayRetry,
                {},
                std::move(what)};
    }

    Trouble troubleOf(const HttpFailure& failed, const HttpRequest& http) const {
        const std::string message = quoted(failed.message, http);
        switch (failed.problem) {
        case HttpProblem::cancelled: return made(Cause::cancelled, "stopped", {}, false, "stopped");
        case HttpProblem::resolve:
            return made(Cause::missing, message, "check the provider's base URL, the network and the proxy", false,
                        message);
        case HttpProblem::connect:
            return made(Cause::missing, message,
                        m_url.isLoopback ? "is the server running? Its address is the provider's base URL"
                                         : "check the network and the proxy (HTTPS_PROXY)",
                        !m_url.isLoopback, message);
        case HttpProblem::tls:
            return made(
                Cause::missing, message,
                "a company's own certificates go into the provider's `ca_bundle`; checking them cannot be turned off",
                false, message);
        case HttpProblem::idle:
            return made(Cause::missing, message, "the server may be overloaded; try again", true, message);
        case HttpProblem::cutOff: return made(Cause::missing, message, "try again", true, message);
        case HttpProblem::total:
            return made(Cause::missing, message, "ask for a shorter answer, or allow more time", false, message);
        case HttpProblem::tooLarge: return made(Cause::rejected, message, {}, false, message);
        case HttpProblem::aborted:
        case HttpProblem::other: break;
        }
        return made(Cause::missing, message, {}, false, message);
    }

    Trouble troubleOf(const HttpAnswer& answer, std::string_view body, const HttpRequest& http) const {
        const long status = answer.status;
        const std::string said = quoted(errorMessage(body), http);
        const std::string what = fmt::format("{}{}{}", status, phrase(status).empty() ? "" : " ", phrase(status));
        if (status >= 300 && status < 400)
            return made(Cause::badRequest,
                        fmt::format("{}, a redirect to {}, which is not followed: the key is for {} only", what,
                                    quoted(redirectHost(answer), http), m_url.host),
                        "set the provider's base URL to where the server really is", false, what);
        std::string hint;
        if (status == 401 || status == 403)
            hint = m_settings.endpoint.keyName.empty()
                       ? "this server wants a key: name one in the provider's `key`"
                       : fmt::format("check the key in {}", m_settings.endpoint.keyName);
        else if (status == 404)
            hint = "check the model's name and the provider's base URL";
        else if (status == 429)
            hint = "wait, or ask for fewer candidates at once";
        Trouble trouble =
            made(status == 401 || status == 403 || isTransient(status) ? Cause::missing : Cause::badRequest,
                 said.empty() ? what : fmt::format("{}: {}", what, said), hint, isTransient(status), what);
        trouble.wait = waitOf(answer);
        // A quota that is used up does not come back by waiting a few seconds.
        if (errorMessage(body).find("quota") != std::string::npos && !trouble.wait) trouble.mayRetry = false;
        return trouble;
    }

    static std::string redirectHost(const HttpAnswer& answer) {
        const std::string location = header(answer, "location");
        const auto scheme = location.find("://");
        if (scheme == std::string::npos) return location.empty() ? "nowhere" : "another path";
        const std::string rest = location.substr(scheme + 3);
        return rest.substr(0, rest.find_first_of("/?#"));
    }

    Trouble wrongType(const HttpAnswer& answer, std::string_view body, const HttpRequest& http) const {
        const std::string type = header(answer, "content-type");
        return made(Cause::badRequest,
                    fmt::format("the answer is no event stream and no JSON but {}: {}",
                                type.empty() ? "of no type" : quoted(type, http), quoted(body.substr(0, 120), http)),
                    "is the base URL that of the API, not of a web page?", false, "wrong content type");
    }

    Trouble inStream(const StreamError& error, const HttpRequest& http) const {
        return made(error.isTransient ? Cause::missing : Cause::rejected,
                    fmt::format("an error inside the answer: {}", quoted(error.message, http)), {}, error.isTransient,
                    "an error inside the answer");
    }

    Trouble unfinished(const HttpAnswer& answer, const HttpRequest&) const {
        return made(Cause::missing, fmt::format("the answer ends without its end mark after {} bytes", answer.bytes),
                    "try again", true, "a broken off answer");
    }

    Trouble noText(const ReplyReader& reader, const HttpRequest&) const {
        return made(Cause::rejected,
                    reader.reply().reasoning.empty() ? "the answer is empty" : "the model reasoned but gave no answer",
                    "allow a longer answer, or another model", false, "an empty answer");
    }

    /// Waits and returns nothing, or the error to end with.
    std::optional<Diagnostic> retryOrGiveUp(const Trouble& trouble, unsigned attempt, const ChatCallbacks& callbacks,
                                            std::stop_token stop) const {
        const RetryPolicy& policy = m_settings.retry;
        Diagnostic error = trouble.error;
        if (!trouble.mayRetry) return error;
        const auto tries = [&] { return attempt == 1 ? std::string{} : fmt::format(" (asked {} times)", attempt); };
        if (attempt >= policy.attempts) {
            error.message += tries();
            return error;
        }
        const auto seed = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
        const milliseconds wait = trouble.wait.value_or(backOff(policy, attempt + 1, seed));
        if (wait > policy.longestWait) {
            error.message += fmt::format("; the server asks to wait {}{}", formatDuration(wait), tries());
            return error;
        }
        if (callbacks.onNote)
            callbacks.onNote(fmt::format("{}: {}; asking again in {}", place(), trouble.what, formatDuration(wait)));
        if (!waitFor(wait, stop)) return failure(Cause::cancelled, fmt::format("{}: stopped", place())).error();
        return std::nullopt;
    }

    Expected<std::vector<std::string>> modelNames(std::string_view body) const {
        const nlohmann::json value = nlohmann::json::parse(body, nullptr, false);
        const nlohmann::json& list = member(value, "data");
        if (!list.is_array())
            return failure(Cause::badRequest, fmt::format("{}: the answer holds no list of models", place()),
                           "not every server has one: name the model with --model");
        std::vector<std::string> names;
        for (const nlohmann::json& model : list)
            if (std::string id = textOf(member(model, "id")); !id.empty()) names.push_back(std::move(id));
        std::ranges::sort(names);
        return names;
    }

    RequestVariant currentVariant() const {
        const std::scoped_lock lock(m_mutex);
        return m_variant;
    }
    void setVariant(const RequestVariant& variant) {
        const std::scoped_lock lock(m_mutex);
        m_variant = variant;
    }

    ProviderSettings m_settings;
    CheckedUrl m_url;
    std::string m_root;
    std::shared_ptr<const KeySource> m_keys;
    std::shared_ptr<HttpClient> m_client;
    mutable std::mutex m_mutex;
    RequestVariant m_variant; ///< what this server takes, as far as it is known
};

} // namespace

Expected<std::unique_ptr<Provider>> makeProvider(ProviderSettings settings, std::shared_ptr<const KeySource> keys,
                                                 std::shared_ptr<HttpClient> client) {
    auto url = checkUrl(settings.endpoint.baseUrl);
    if (!url) return std::unexpected(std::move(url.error()));
    return std::make_unique<HttpProvider>(std::move(settings), std::move(*url), std::move(keys), std::move(client));
}

} // namespace ptxwb::llm

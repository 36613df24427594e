// One question to our server, and everything that came of it.
// Used by the tests of providers.
#pragma once

#include "llm/provider.h"
#include "test_server.h"

#include <nlohmann/json.hpp>

namespace ptxwb::test {

using namespace ptxwb::llm;
using namespace std::chrono_literals;

inline const std::string theKey = "sk-proj-Zx81QvLm2TtRw9Yb";
inline const std::string answerText = "Voil\xC3\xA0 \xE6\xBC\xA2: ```ptx\nret;\n``` done";

class OneKey : public KeySource {
public:
    Expected<Secret> key(std::string_view name) const override {
        if (name == "NONE") return failure(Cause::missing, "the environment variable NONE is not set");
        return Secret(theKey);
    }
};

/// Everything that a run let out.
struct Heard {
    std::string text, reasoning, notes;
    int restarts = 0;
};

struct Asked {
    Expected<ChatReply> reply;
    Heard heard;
    std::string all() const {
        return heard.text + heard.reasoning + heard.notes +
               (reply ? reply->text + reply->reasoning + reply->model : reply.error().message + reply.error().hint);
    }
};

inline bool holdsKey(const std::string& text) {
    for (std::size_t i = 0; i + 5 <= theKey.size(); ++i)
        if (text.find(theKey.substr(i, 5)) != std::string::npos) return true;
    return false;
}

inline ProviderSettings settingsFor(const std::string& url, Dialect dialect = Dialect::openai) {
    ProviderSettings settings;
    settings.endpoint = {"test", "Test", dialect, url, "TEST_KEY", TokenField::automatic, {}, {}};
    settings.limits = {2000ms, 300ms, 1500ms, 1 << 20};
    settings.retry = {3, 10ms, 5000ms};
    return settings;
}

inline Asked ask(const ProviderSettings& settings, std::stop_token stop = {}) {
    Heard heard;
    auto provider = makeProvider(settings, std::make_shared<OneKey>(), std::make_shared<HttpClient>());
    if (!provider) return {std::unexpected(provider.error()), heard};
    ChatCallbacks callbacks;
    callbacks.onDelta = [&](const Delta& delta) { heard.text += delta.text, heard.reasoning += delta.reasoning; };
    callbacks.onNote = [&](const std::string& note) { heard.notes += note + "\n"; };
    callbacks.onRestart = [&] { heard.text.clear(), heard.reasoning.clear(), ++heard.restarts; };
    auto reply = (*provider)->chat({"test-model", {{Role::system, "Be brief."}, {Role::user, "Hello"}}, 500, 0.5},
                                   callbacks, stop);
    return {std::move(reply), heard};
}

inline const std::string okStream = head(200, "text/event-stream") + openAiStream(answerText);

inline std::string openAiError(int status, const std::string& message, const std::string& more = {}) {
    return whole(status, "application/json", nlohmann::json{{"error", {{"message", message}, {"type", "x"}}}}.dump(),
                 more);
}

} // namespace ptxwb::test

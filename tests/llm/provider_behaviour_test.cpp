// Providers against a server that behaves well, and in each of the ways in which servers do not: every case ends in the
// right answer or in the right message, and nothing of the key is in either.
#include "asking.h"

#include <QtTest>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

/// The bytes one at a time, so that whatever can be cut is.
Behaviour drips(std::string bytes, std::chrono::microseconds pause) {
    return [bytes = std::move(bytes), pause](Connection& c) {
        for (const char byte : bytes) {
            if (c.serverEnds() || !c.send({&byte, 1})) return;
            std::this_thread::sleep_for(pause);
        }
    };
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

std::string chunked(std::string_view body, std::size_t size) {
    std::string out;
    char length[32];
    while (!body.empty()) {
        const std::string_view piece = body.substr(0, size);
        std::snprintf(length, sizeof length, "%zx\r\n", piece.size());
        out += length + std::string(piece) + "\r\n";
        body.remove_prefix(piece.size());
    }
    return out + "0\r\n\r\n";
}

std::string httpDate(std::time_t time) {
    char text[64];
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
    return text;
}

struct Case {
    std::vector<Behaviour> behaviours;
    std::string says; ///< in the error; empty: the answer is right
    std::string note; ///< among the notes
    unsigned requests = 1;
    Dialect dialect = Dialect::openai;
};

const std::string jsonAnswer =
    R"({"model":"m","choices":[{"message":{"role":"assistant","content":"Voil\u00e0 \u6f22: ```ptx\nret;\n``` done"},"finish_reason":"stop"}],"usage":{"prompt_tokens":120,"completion_tokens":34}})";

std::vector<std::pair<const char*, Case>> cases() {
    const std::string begun = head(200, "text/event-stream") + openAiStream(answerText).substr(0, 700);
    const std::string keepAlives =
        replaced(replaced(openAiStream(answerText), "\n\n", "\n\n: keep-alive\n\n"), "\n", "\r\n");
    std::vector<std::pair<const char*, Case>> all;
    const auto add = [&](const char* name, Case one) { all.emplace_back(name, std::move(one)); };
    add("a stream", {{sends(okStream)}, "", "", 1});
    add("a stream, Anthropic", {{streams(anthropicStream(answerText))}, "", "", 1, Dialect::anthropic});
    add("one byte at a time", {{drips(okStream, 50us)}, "", "", 1});
    add("one byte at a time, Anthropic",
        {{drips(head(200, "text/event-stream") + anthropicStream(answerText), 50us)}, "", "", 1, Dialect::anthropic});
    add("CR LF, comments, keep-alives", {{streams(keepAlives)}, "", "", 1});
    add("chunks of 5 bytes", {{sends(head(200, "text/event-stream; charset=utf-8", "Transfer-Encoding: chunked\r\n") +
                                     chunked(openAiStream(answerText), 5))},
                              "",
                              "",
                              1});
    add("no stream but one JSON value", {{sends(whole(200, "application/json", jsonAnswer))}, "", "", 1});
    add("JSON under a wrong type", {{sends(whole(200, "text/plain", jsonAnswer))}, "", "", 1});
    add("100 Continue first", {{sends("HTTP/1.1 100 Continue\r\n\r\n" + okStream)}, "", "", 1});
    add("[DONE], and the connection stays open", {{[](Connection& c) {
                                                      c.send(okStream);
                                                      c.wait(20s);
                                                  }},
                                                  "",
                                                  "",
                                                  1});
    add("429, Retry-After in seconds", {{sends(openAiError(429, "slow down", "Retry-After: 1\r\n")), sends(okStream)},
                                        "",
                                        "429 Too Many Requests; asking again in 1 s",
                                        2});
    add("429, Retry-After as a date",
        {{[](Connection& c) {
              c.send(openAiError(429, "slow down", "Retry-After: " + httpDate(std::time(nullptr) + 2) + "\r\n"));
          },
          sends(okStream)},
         "",
         "429 Too Many Requests; asking again in",
         2});
    add("429, Retry-After beyond all patience", {{sends(openAiError(429, "slow down", "Retry-After: 3600\r\n"))},
                                                 "429 Too Many Requests: slow down; the server asks to wait 3600 s",
                                                 "",
                                                 1});
    add("429, a quota that is used up",
        {{sends(openAiError(429, "You exceeded your current quota"))}, "You exceeded your current quota", "", 1});
    add("500, then an answer",
        {{sends(openAiError(500, "oops")), sends(okStream)}, "", "500 Internal Server Error; asking again", 2});
    add("500 again and again",
        {{sends(openAiError(500, "oops"))}, "500 Internal Server Error: oops (asked 3 times)", "asking again", 3});
    add("an error after 200",
        {{streams(
             "data: {\"error\":{\"message\":\"the context is too long\",\"type\":\"invalid_request_error\"}}\n\n")},
         "an error inside the answer: the context is too long",
         "",
         1});
    add("an error in the middle, Anthropic",
        {{streams(anthropicStream(answerText).substr(0, anthropicStream(answerText).find("event: content_block_stop")) +
                  "\n\nevent: error\ndata: "
                  "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"bad\"}}\n\n")},
         "an error inside the answer: bad",
         "",
         1,
         Dialect::anthropic});
    add("overloaded in the middle, then an answer",
        {{streams(anthropicStream(answerText).substr(0, anthropicStream(answerText).find("event: content_block_stop")) +
                  "event: error\ndata: "
                  "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n"),
          streams(anthropicStream(answerText))},
         "",
         "asking again",
         2,
         Dialect::anthropic});
    add("a stream that never ends", {{[](Connection& c) {
                                         c.send(head(200, "text/event-stream"));
                                         while (c.wait(50ms) && c.send(": keep-alive\n\n")) {
                                         }
                                     }},
                                     "the answer was not complete after 1.5 s",
                                     "",
                                     1});
    add("more than anybody reads", {{[](Connection& c) {
                                        c.send(head(200, "text/event-stream"));
                                        const std::string much(65536, 'x');
                                        while (!c.serverEnds() && c.send(": " + much + "\n")) {
                                        }
                                    }},
                                    "the answer is larger than 1 MiB",
                                    "",
                                    1});
    add("silence after the first words", {{[=](Connection& c) {
                                              c.send(begun);
                                              c.wait(20s);
                                          }},
                                          "nothing came for 300 ms",
                                          "asking again",
                                          3});
    add("silence from the beginning",
        {{[](Connection& c) { c.wait(20s); }}, "nothing came for 300 ms", "asking again", 3});
    add("slow drip", {{[](Connection& c) {
                          c.send(head(200, "text/event-stream"));
                          drips(openAiStream(answerText), 50ms)(c);
                      }},
                      "the answer was not complete after 1.5 s",
                      "",
                      1});
    add("a web page", {{sends(whole(200, "text/html", "<html>log in</html>"))},
                       "no event stream and no JSON but text/html: <html>log in</html>",
                       "",
                       1});
    add("broken JSON in the stream",
        {{streams("data: {\"choices\":[{\"delta\"\n\n")}, "the stream holds what is no JSON", "", 1});
    add("JSON of another shape",
        {{streams("data: [1, 2]\n\ndata: {\"choices\": 7}\n\ndata: [DONE]\n\n")}, "the answer is empty", "", 1});
    add("an empty answer", {{streams(openAiStream(""))}, "the answer is empty", "", 1});
    add("thoughts and no answer", {{streams(openAiStream("", "hm"))}, "the model reasoned but gave no answer", "", 1});
    add("the connection ends in the middle",
        {{sends(begun)}, "the answer ends without its end mark", "asking again", 3});
    add("the connection ends in the middle, then an answer", {{sends(begun), sends(okStream)}, "", "asking again", 2});
    add("a reset in the middle", {{[=](Connection& c) {
                                       c.send(begun);
                                       c.reset();
                                   },
                                   sends(okStream)},
                                  "",
                                  "asking again",
                                  2});
    add("no answer at all", {{[](Connection&) {}, sends(okStream)}, "", "asking again", 2});
    add("no HTTP", {{sends("SSH-2.0-OpenSSH_9.6\r\n")}, "HTTP/0.9", "", 1});
    add("a redirect",
        {{sends("HTTP/1.1 302 Found\r\nLocation: https://elsewhere.example/v1\r\nContent-Length: 0\r\n\r\n")},
         "302, a redirect to elsewhere.example, which is not followed",
         "",
         1});
    add("401 that repeats the key", {{sends(openAiError(401, "Incorrect API key provided: " + theKey + "."))},
                                     "401 Unauthorized: Incorrect API key provided: [key].",
                                     "",
                                     1});
    add("401 that repeats its ends", {{sends(openAiError(401, "Incorrect API key provided: sk-proj-****w9Yb."))},
                                      "provided: [key]****[key].",
                                      "",
                                      1});
    add("404", {{sends(openAiError(404, "The model `x` does not exist"))},
                "404 Not Found: The model `x` does not exist",
                "",
                1});
    add("404 of a web server",
        {{sends(whole(404, "text/html", "<h1>nothing here</h1>"))}, "404 Not Found: <h1>nothing here</h1>", "", 1});
    add("detail in place of an error", {{sends(whole(422, "application/json", R"({"detail":"model is missing"})"))},
                                        "422 Unprocessable Content: model is missing",
                                        "",
                                        1});
    add("max_tokens is not taken",
        {{sends(openAiError(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")),
          sends(okStream)},
         "",
         "",
         2});
    add("temperature is not taken",
        {{sends(openAiError(400, "Unsupported value: 'temperature' does not support 0.5")), sends(okStream)},
         "",
         "",
         2});
    add("stream_options are not known",
        {{sends(openAiError(422, "Extra inputs are not permitted: stream_options")), sends(okStream)}, "", "", 2});
    return all;
}

} // namespace

class ProviderBehaviourTest : public QObject {
    Q_OBJECT

private slots:
    void behaviours_data() {
        QTest::addColumn<int>("index");
        const auto all = cases();
        for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].first) << static_cast<int>(i);
    }
    void behaviours() {
        QFETCH(int, index);
        const Case one = cases()[static_cast<std::size_t>(index)].second;
        TestServer server;
        for (const Behaviour& behaviour : one.behaviours) server.then(behaviour);
        const Asked asked = ask(settingsFor(server.url(), one.dialect));
        QVERIFY2(!holdsKey(asked.all()), asked.all().c_str());
        if (one.says.empty()) {
            QVERIFY2(asked.reply.has_value(), asked.reply ? "" : asked.reply.error().message.c_str());
            QCOMPARE(asked.reply->text, answerText);
            QCOMPARE(asked.heard.text, answerText);
            QCOMPARE(asked.reply->usage, (Usage{120, 34}));
            QCOMPARE(asked.reply->finish, Finish::complete);
        } else {
            QVERIFY2(!asked.reply, asked.reply ? asked.reply->text.c_str() : "");
            QVERIFY2(asked.reply.error().message.find(one.says) != std::string::npos,
                     asked.reply.error().message.c_str());
            QVERIFY2(asked.reply.error().message.starts_with("test (127.0.0.1): "),
                     asked.reply.error().message.c_str());
        }
        QVERIFY2(asked.heard.notes.find(one.note) != std::string::npos, asked.heard.notes.c_str());
        QCOMPARE(server.received().size(), std::size_t{one.requests});
    }

    /// The connection ends after each of the first bytes: never half an answer that passes for a whole one.
    void theConnectionEndsAtEveryByte() {
        TestServer server;
        ProviderSettings settings = settingsFor(server.url());
        settings.retry.attempts = 1;
        const std::string body = openAiStream(answerText);
        // From here on the server has said why it ends, and no more text comes.
        const std::size_t told = body.find("\"finish_reason\":\"stop\"");
        const std::size_t headLength = okStream.size() - body.size();
        std::size_t right = 0;
        for (std::size_t cut = 0; cut < okStream.size(); ++cut) server.then(sends(okStream.substr(0, cut)));
        for (std::size_t cut = 0; cut < okStream.size(); ++cut) {
            const Asked asked = ask(settings);
            QVERIFY(!holdsKey(asked.all()) && !holdsKey(server.received().back().body));
            if (asked.reply) {
                QCOMPARE(asked.reply->text, answerText);
                ++right;
            } else {
                QVERIFY(!asked.reply.error().message.empty());
            }
        }
        QVERIFY(right > 50);
        QVERIFY(right <= okStream.size() - headLength - told);
    }
};

QTEST_APPLESS_MAIN(ProviderBehaviourTest)
#include "provider_behaviour_test.moc"

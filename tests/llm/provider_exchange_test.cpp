// What goes to a server and what is made of its answer: fields of both protocols, thoughts, ends, several at once.
#include "asking.h"

#include <QtTest>

using namespace ptxwb;
using namespace ptxwb::test;

class ProviderExchangeTest : public QObject {
    Q_OBJECT

private slots:
    /// What a person is shown before is what goes, to the byte.
    void whatIsShownBefore() {
        for (const Dialect dialect : {Dialect::openai, Dialect::anthropic}) {
            TestServer server;
            server.then(streams(dialect == Dialect::openai ? openAiStream("x") : anthropicStream("x")));
            const auto provider = makeProvider(settingsFor(server.url(), dialect), std::make_shared<OneKey>(),
                                               std::make_shared<HttpClient>());
            const ChatRequest request{"m", {{Role::system, "Be brief."}, {Role::user, "Hello"}}, 500, 0.5};
            const Outgoing shown = (*provider)->outgoing(request);
            QVERIFY((*provider)->chat(request));
            const Received received = server.received().front();
            QCOMPARE(shown.body, received.body);
            QVERIFY2(shown.url.ends_with(received.path), shown.url.c_str());
            QVERIFY(!holdsKey(shown.url + shown.body));
        }
    }

    void whatIsSent() {
        TestServer server;
        server.then(streams(openAiStream("x")));
        QVERIFY(ask(settingsFor(server.url())).reply);
        TestServer other;
        other.then(streams(anthropicStream("x")));
        QVERIFY(ask(settingsFor(other.url(""), Dialect::anthropic)).reply);
        const auto openai = server.received().front(), anthropic = other.received().front();
        QCOMPARE(openai.path, std::string("/v1/chat/completions"));
        QCOMPARE(openai.headers.at("authorization"), "Bearer " + theKey);
        const auto body = nlohmann::json::parse(openai.body);
        QCOMPARE(body.at("max_tokens").get<int>(), 500);
        QCOMPARE(body.at("messages").size(), std::size_t{2});
        QVERIFY(body.at("stream").get<bool>() && body.at("stream_options").at("include_usage").get<bool>());
        QCOMPARE(anthropic.path, std::string("/v1/messages"));
        QCOMPARE(anthropic.headers.at("x-api-key"), theKey);
        QVERIFY(!anthropic.headers.contains("authorization"));
        QVERIFY(anthropic.headers.contains("anthropic-version"));
        const auto said = nlohmann::json::parse(anthropic.body);
        QCOMPARE(said.at("system").get<std::string>(), std::string("Be brief."));
        QCOMPARE(said.at("messages").size(), std::size_t{1});
        QVERIFY(!said.contains("stream_options"));
    }

    void whatAServerRefusesIsLeftOut() {
        TestServer server;
        server.then(
            sends(openAiError(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")));
        server.then(sends(openAiError(400, "'temperature' is not supported")));
        server.then(sends(okStream));
        auto provider =
            makeProvider(settingsFor(server.url()), std::make_shared<OneKey>(), std::make_shared<HttpClient>());
        const ChatRequest request{"m", {{Role::user, "x"}}, 7, 0.5};
        QVERIFY((*provider)->chat(request));
        QVERIFY((*provider)->chat(request));
        const auto received = server.received();
        QCOMPARE(received.size(), std::size_t{4}); // the second question knows
        const auto last = nlohmann::json::parse(received.back().body);
        QCOMPARE(last.at("max_completion_tokens").get<int>(), 7);
        QVERIFY(!last.contains("max_tokens") && !last.contains("temperature"));
    }

    void thoughtsStayApart() {
        TestServer server;
        server.then(streams(openAiStream("answer", "a thought")));
        Asked asked = ask(settingsFor(server.url()));
        QCOMPARE(asked.reply->text, std::string("answer"));
        QCOMPARE(asked.reply->reasoning, std::string("a thought"));
        QCOMPARE(asked.heard.reasoning, std::string("a thought"));
        TestServer inline_;
        inline_.then(streams(openAiStream("\n<think>\nwith ```ptx\nbad\n``` inside</think>\n\nanswer </think>")));
        asked = ask(settingsFor(inline_.url()));
        QCOMPARE(asked.reply->text, std::string("answer </think>"));
        QCOMPARE(asked.heard.text, std::string("answer </think>"));
        QCOMPARE(asked.reply->reasoning, std::string("\nwith ```ptx\nbad\n``` inside"));
        TestServer anthropic;
        anthropic.then(streams(anthropicStream("answer", "a thought")));
        asked = ask(settingsFor(anthropic.url(), Dialect::anthropic));
        QCOMPARE(asked.reply->text, std::string("answer"));
        QCOMPARE(asked.reply->reasoning, std::string("a thought"));
    }

    void cutOffByLength() {
        TestServer server;
        server.then(streams(openAiStream("half", {}, "length")));
        QCOMPARE(ask(settingsFor(server.url())).reply->finish, Finish::length);
        TestServer anthropic;
        anthropic.then(streams(anthropicStream("half", {}, "max_tokens")));
        QCOMPARE(ask(settingsFor(anthropic.url(), Dialect::anthropic)).reply->finish, Finish::length);
    }

    void aServerThatRepeatsTheKeyInItsAnswer() {
        TestServer server;
        server.then(streams(openAiStream("your key is " + theKey + ", and its end is 2TtRw9Yb.", "so " + theKey)));
        const Asked asked = ask(settingsFor(server.url()));
        QCOMPARE(asked.reply->text, std::string("your key is [key], and its end is [key]."));
        QCOMPARE(asked.reply->reasoning, std::string("so [key]"));
        QVERIFY(!holdsKey(asked.all()));
    }

    /// One client, one thread, eight answers that arrive at the same time.
    void severalAtOnce() {
        TestServer server;
        std::atomic<int> open = 0, most = 0;
        server.then([&](Connection& c) {
            const int now = ++open;
            for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
            }
            c.send(okStream.substr(0, 400));
            for (int i = 0; i < 100 && most < 8; ++i) c.wait(20ms);
            c.send(okStream.substr(400));
            --open;
        });
        ProviderSettings settings = settingsFor(server.url());
        settings.limits.idle = 3000ms;
        auto provider = makeProvider(settings, std::make_shared<OneKey>(), std::make_shared<HttpClient>());
        std::atomic<int> right = 0;
        {
            std::vector<std::jthread> threads;
            for (int i = 0; i < 8; ++i)
                threads.emplace_back([&] {
                    const auto reply = (*provider)->chat({"m", {{Role::user, "x"}}, 7, {}});
                    if (reply && reply->text == answerText) ++right;
                });
        }
        QCOMPARE(right.load(), 8);
        QCOMPARE(most.load(), 8);
    }

    void modelList() {
        TestServer server;
        server.then(sends(whole(200, "application/json", R"({"data":[{"id":"b"},{"id":"a"},{"nothing":1}]})")));
        auto provider =
            makeProvider(settingsFor(server.url()), std::make_shared<OneKey>(), std::make_shared<HttpClient>());
        QCOMPARE((*provider)->models().value(), (std::vector<std::string>{"a", "b"}));
        QCOMPARE(server.received().front().method, std::string("GET"));
        QCOMPARE(server.received().front().path, std::string("/v1/models"));
        TestServer other;
        other.then(sends(whole(200, "application/json", "[]")));
        provider = makeProvider(settingsFor(other.url()), std::make_shared<OneKey>(), std::make_shared<HttpClient>());
        QVERIFY((*provider)->models().error().message.find("no list of models") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(ProviderExchangeTest)
#include "provider_exchange_test.moc"

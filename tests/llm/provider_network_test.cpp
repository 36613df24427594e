// The way to a server: certificates, proxies, nobody there, and a person who stops it.
#include "asking.h"
#include "support/files.h"

#include <QtTest>

using namespace ptxwb;
using namespace ptxwb::test;

class ProviderNetworkTest : public QObject {
    Q_OBJECT

private slots:
    void noSecureConnection() {
        TestServer plain;
        plain.then(sends(okStream));
        Asked asked = ask(settingsFor("https" + plain.url().substr(4)));
        QVERIFY(!asked.reply);
        QVERIFY2(asked.reply.error().message.find("no secure connection") != std::string::npos,
                 asked.reply.error().message.c_str());
        QCOMPARE(plain.received().size(), std::size_t{0});

        TestServer unknown(Tls::yes);
        unknown.then(sends(okStream));
        asked = ask(settingsFor(unknown.url()));
        QVERIFY(!asked.reply);
        QVERIFY2(asked.reply.error().message.find("no secure connection") != std::string::npos,
                 asked.reply.error().message.c_str());
        QVERIFY(asked.reply.error().hint.find("ca_bundle") != std::string::npos);
        QCOMPARE(unknown.received().size(), std::size_t{0}); // not a byte of the request

        const auto folder = TemporaryFolder::create().value();
        const auto bundle = folder.path() / "ca.pem";
        writeFileAtomically(bundle, unknown.certificate()).value();
        ProviderSettings trusting = settingsFor(unknown.url());
        trusting.endpoint.caBundle = bundle.string();
        asked = ask(trusting);
        QVERIFY2(asked.reply.has_value(), asked.reply ? "" : asked.reply.error().message.c_str());
        QCOMPARE(asked.reply->text, answerText);
    }

    /// A proxy hears the host's name and nothing else; requests to this machine do not go there at all.
    void proxies() {
        TestServer proxy;
        proxy.then(sends("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"));
        ProviderSettings settings = settingsFor("https://model.invalid/v1");
        settings.endpoint.proxy = proxy.url("");
        settings.retry.attempts = 1;
        const Asked asked = ask(settings);
        QVERIFY(!asked.reply);
        QVERIFY2(asked.reply.error().message.find("CONNECT") != std::string::npos, asked.reply.error().message.c_str());
        QCOMPARE(proxy.received().front().method, std::string("CONNECT"));
        QCOMPARE(proxy.received().front().path, std::string("model.invalid:443"));
        QVERIFY(!holdsKey(proxy.received().front().head));

        TestServer server;
        server.then(sends(okStream));
        ProviderSettings local = settingsFor(server.url());
        local.endpoint.proxy = proxy.url("");
        QVERIFY(ask(local).reply);
        QCOMPARE(proxy.received().size(), std::size_t{1});
    }

    void nobodyThere() {
        int port = 0;
        {
            port = TestServer().port();
        }
        const Asked asked = ask(settingsFor("http://127.0.0.1:" + std::to_string(port) + "/v1"));
        QVERIFY(!asked.reply);
        QVERIFY2(asked.reply.error().message.find("no connection") != std::string::npos,
                 asked.reply.error().message.c_str());
        QVERIFY(asked.reply.error().hint.find("is the server running?") != std::string::npos);
        ProviderSettings far = settingsFor("https://model.invalid/v1");
        QVERIFY(ask(far).reply.error().message.find("the host is not known") != std::string::npos);
        far.endpoint.keyName = "NONE";
        QVERIFY(ask(far).reply.error().message.find("NONE is not set") != std::string::npos);
    }

    void stoppedInTheMiddle() {
        TestServer server;
        server.then([](Connection& c) {
            c.send(okStream.substr(0, 500));
            c.wait(20s);
        });
        ProviderSettings settings = settingsFor(server.url());
        settings.limits.idle = 60s;
        std::stop_source stop;
        std::jthread stopper([&] {
            std::this_thread::sleep_for(100ms);
            stop.request_stop();
        });
        const auto start = std::chrono::steady_clock::now();
        const Asked asked = ask(settings, stop.get_token());
        QVERIFY(std::chrono::steady_clock::now() - start < 10s);
        QCOMPARE(asked.reply.error().cause, Cause::cancelled);
        // In the middle of waiting for another try, too.
        TestServer busy;
        busy.then(sends(openAiError(429, "x", "Retry-After: 4\r\n")));
        std::stop_source other;
        std::jthread again([&] {
            std::this_thread::sleep_for(100ms);
            other.request_stop();
        });
        QCOMPARE(ask(settingsFor(busy.url()), other.get_token()).reply.error().cause, Cause::cancelled);
    }
};

QTEST_APPLESS_MAIN(ProviderNetworkTest)
#include "provider_network_test.moc"

// Addresses that may carry a key, the bundled providers, and when a request is repeated.
#include "llm/endpoint.h"
#include "llm/retry.h"
#include "support/files.h"

#include <QtTest>
#include <set>

using namespace ptxwb;
using namespace ptxwb::llm;
using namespace std::chrono_literals;

class EndpointTest : public QObject {
    Q_OBJECT

private slots:
    void urls_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("problem"); // empty: it is fine
        QTest::addColumn<bool>("loopback");
        QTest::newRow("https") << "https://api.openai.com/v1/" << "" << false;
        QTest::newRow("https with a port") << "https://box.example:8443/v1" << "" << false;
        QTest::newRow("localhost") << "http://localhost:8080/v1" << "" << true;
        QTest::newRow("127.0.0.1") << "http://127.0.0.1:1/v1" << "" << true;
        QTest::newRow("127.8.8.8") << "http://127.8.8.8/v1" << "" << true;
        QTest::newRow("IPv6") << "http://[::1]:8080/v1" << "" << true;
        QTest::newRow("http elsewhere") << "http://api.openai.com/v1" << "clear text" << false;
        QTest::newRow("looks like loopback") << "http://localhost.example.com/v1" << "clear text" << false;
        QTest::newRow("a name that begins so") << "http://127.0.0.1.example.com/v1" << "clear text" << false;
        QTest::newRow("password") << "https://me:secret@host/v1" << "a user or a password" << false;
        QTest::newRow("user trick") << "http://127.0.0.1@evil.example/v1" << "a user or a password" << false;
        QTest::newRow("scheme") << "ftp://host/v1" << "the scheme ftp" << false;
        QTest::newRow("file") << "file:///etc/passwd" << "scheme file" << false;
        QTest::newRow("query") << "https://host/v1?key=1" << "a query" << false;
        QTest::newRow("nothing") << "" << "is no URL" << false;
        QTest::newRow("no scheme") << "api.openai.com/v1" << "is no URL" << false;
    }
    void urls() {
        QFETCH(QString, url);
        QFETCH(QString, problem);
        const auto checked = checkUrl(url.toStdString());
        QCOMPARE(checked.has_value(), problem.isEmpty());
        if (checked) {
            QTEST(checked->isLoopback, "loopback");
            QVERIFY(!checked->url.ends_with('/'));
        } else {
            QVERIFY2(checked.error().message.find(problem.toStdString()) != std::string::npos,
                     checked.error().message.c_str());
            QVERIFY(checked.error().message.find("secret") == std::string::npos);
        }
    }

    void bundled() {
        const auto endpoints = loadEndpoints(PTXWB_SOURCE_DIR "/resources/prompts/providers.json");
        QVERIFY2(endpoints.has_value(), endpoints ? "" : endpoints.error().message.c_str());
        QCOMPARE(findEndpoint(*endpoints, "anthropic")->dialect, Dialect::anthropic);
        const auto unknown = findEndpoint(*endpoints, "opnai");
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().hint, std::string("did you mean openai?"));
    }

    void own() {
        const auto folder = TemporaryFolder::create().value();
        const auto file = folder.path() / "providers.json";
        const auto load = [&](const char* name, const char* fields) {
            const QString text = QStringLiteral("{'schema': 1, 'providers': {'%1': {%2}}}").arg(name, fields);
            writeFileAtomically(file, QString(text).replace('\'', '"').toStdString()).value();
            return loadEndpoints(PTXWB_SOURCE_DIR "/resources/prompts/providers.json", file);
        };
        QVERIFY(loadEndpoints(PTXWB_SOURCE_DIR "/resources/prompts/providers.json", file)); // it need not exist
        const auto openai = findEndpoint(
            *load("openai", "'base_url': 'https://gateway.example/v1', 'key': 'K', 'ca_bundle': '/etc/ca.pem'"),
            "openai");
        QCOMPARE(openai->baseUrl, std::string("https://gateway.example/v1"));
        QCOMPARE(openai->caBundle, std::string("/etc/ca.pem"));
        const auto problem = [&](const char* fields) { return load("x", fields).error().message; };
        QVERIFY(problem("'base_url': 'http://far.example/v1'").find("providers.x.base_url") != std::string::npos);
        QVERIFY(problem("'base_url': 'https://far.example/v1', 'kee': 'A'").find("kee") != std::string::npos);
        QVERIFY(
            problem("'base_url': 'https://far.example/v1', 'protocol': 'smoke'").find("expected openai or anthropic") !=
            std::string::npos);
    }

    void retryAfterForms() {
        using namespace std::chrono;
        const auto now = system_clock::from_time_t(1700000000); // Tue, 14 Nov 2023 22:13:20 GMT
        QCOMPARE(retryAfter("3", now), std::optional<milliseconds>(3s));
        QCOMPARE(retryAfter(" 0 ", now), std::optional<milliseconds>(0s));
        QCOMPARE(retryAfter("1.5", now), std::optional<milliseconds>(1500ms));
        QCOMPARE(retryAfter("Tue, 14 Nov 2023 22:13:25 GMT", now), std::optional<milliseconds>(5s));
        QCOMPARE(retryAfter("Tuesday, 14-Nov-23 22:13:21 GMT", now), std::optional<milliseconds>(1s));
        QCOMPARE(retryAfter("Tue, 14 Nov 2023 22:13:00 GMT", now), std::optional<milliseconds>(0s));
        QCOMPARE(retryAfter("99999999999999999999", now), std::optional<milliseconds>(31536000s));
        for (const char* wrong : {"", "soon", "-1", "1e3", "3 s", "nan", "inf", "Tomorrow, maybe"})
            QVERIFY2(!retryAfter(wrong, now), wrong);
    }

    void waitsGrow() {
        const RetryPolicy policy{6, 1000ms, 5000ms};
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            QVERIFY(backOff(policy, 2, seed) <= 1000ms && backOff(policy, 2, seed) >= 750ms);
            QVERIFY(backOff(policy, 3, seed) <= 2000ms && backOff(policy, 3, seed) >= 1500ms);
            QVERIFY(backOff(policy, 9, seed) <= 5000ms && backOff(policy, 9, seed) >= 3750ms);
        }
        std::set<std::chrono::milliseconds> different;
        for (std::uint64_t seed = 0; seed < 100; ++seed) different.insert(backOff(policy, 2, seed));
        QVERIFY(different.size() > 20);
        QVERIFY(isTransient(429) && isTransient(529) && !isTransient(400) && !isTransient(200));
    }
};

QTEST_APPLESS_MAIN(EndpointTest)
#include "endpoint_test.moc"

// The client against a server that none of us wrote: the npm package @dwmkerr/mock-llm, which speaks OpenAI's protocol.
// Installed into the build folder the first time; skipped, with the reason, where npm, node or the registry is missing.
#include "llm/provider.h"
#include "support/files.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

using namespace ptxwb;
using namespace ptxwb::llm;
using namespace std::chrono_literals;

namespace {

constexpr const char* package = "@dwmkerr/mock-llm@0.1.29";

const char* const config = R"yaml(rules:
  - path: "/v1/chat/completions"
    match: "contains(body.messages[-1].content, 'refuse me')"
    response:
      status: 401
      content: '{"error": {"message": "Incorrect API key provided.", "type": "invalid_request_error", "code": "invalid_api_key"}}'
  - path: "/v1/chat/completions"
    match: "contains(body.messages[-1].content, 'a kernel')"
    response:
      status: 200
      content: '{"id": "c1", "object": "chat.completion", "model": "{{jmes request body.model}}", "choices": [{"message": {"role": "assistant", "content": "Here:\n```ptx\nret;\n``` \u00e9 \u6f22, said by the {{jmes request body.messages[0].role}}"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}}'
  - path: "/v1/models"
    match: "@"
    response:
      status: 200
      content: '{"object": "list", "data": [{"id": "gpt-4", "object": "model"}, {"id": "gpt-3.5-turbo", "object": "model"}]}'
)yaml";

class OneKey : public KeySource {
public:
    Expected<Secret> key(std::string_view) const override { return Secret("sk-something"); }
};

} // namespace

class MockLlmTest : public QObject {
    Q_OBJECT

    QProcess m_server;
    int m_port = 0;
    QString m_missing;

    std::unique_ptr<Provider> provider() const {
        ProviderSettings settings;
        settings.endpoint = {"mock",
                             "Mock",
                             Dialect::openai,
                             "http://127.0.0.1:" + std::to_string(m_port) + "/v1",
                             "KEY",
                             TokenField::automatic,
                             {},
                             {}};
        settings.retry.firstWait = 10ms;
        settings.limits = {5000ms, 20'000ms, 30'000ms, 1 << 20};
        return std::move(*makeProvider(settings, std::make_shared<OneKey>(), std::make_shared<HttpClient>()));
    }

    QString start() {
        const QString npm = QStandardPaths::findExecutable("npm"), node = QStandardPaths::findExecutable("node");
        if (npm.isEmpty() || node.isEmpty()) return "npm or node is not installed";
        const QString folder = PTXWB_BINARY_DIR "/tests/mock-llm";
        const QString program = folder + "/node_modules/@dwmkerr/mock-llm/dist/main.js";
        QDir().mkpath(folder);
        if (!QFile::exists(program)) {
            QProcess install;
            install.start(npm, {"install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder, package});
            if (!install.waitForFinished(180'000) || install.exitCode() != 0 || !QFile::exists(program))
                return QString("npm could not install %1: %2")
                    .arg(package, QString::fromUtf8(install.readAllStandardError().left(300)));
        }
        QFile file(folder + "/ptxwb-test.yaml");
        if (!file.open(QIODevice::WriteOnly) || file.write(config) < 0) return "the configuration cannot be written";
        file.close();
        // A port that is free now.
        for (m_port = 20000 + static_cast<int>(QCoreApplication::applicationPid() % 20000); m_port < 65000;
             m_port += 7) {
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("HOST", "127.0.0.1");
            environment.insert("PORT", QString::number(m_port));
            m_server.setProcessEnvironment(environment);
            m_server.start(node, {program, "--config", file.fileName()});
            if (!m_server.waitForStarted(10'000)) return "node does not start";
            for (int i = 0; i < 150 && m_server.state() == QProcess::Running; ++i) {
                if (provider()->models()) return {};
                m_server.waitForFinished(100);
            }
            if (m_server.state() == QProcess::Running) return "the server does not answer";
        }
        return "no free port";
    }

private slots:
    void initTestCase() {
        m_missing = start();
        if (!m_missing.isEmpty()) QSKIP(qPrintable(m_missing));
    }
    void cleanupTestCase() {
        m_server.kill();
        m_server.waitForFinished(5000);
    }

    void models() {
        if (!m_missing.isEmpty()) QSKIP(qPrintable(m_missing));
        QCOMPARE(provider()->models().value(), (std::vector<std::string>{"gpt-3.5-turbo", "gpt-4"}));
    }

    void anAnswer() {
        if (!m_missing.isEmpty()) QSKIP(qPrintable(m_missing));
        std::string heard;
        ChatCallbacks callbacks;
        callbacks.onDelta = [&](const Delta& delta) { heard += delta.text; };
        const auto reply = provider()->chat(
            {"gpt-4", {{Role::system, "Be brief."}, {Role::user, "Write a kernel"}}, 100, 0.0}, callbacks);
        QVERIFY2(reply.has_value(), reply ? "" : reply.error().message.c_str());
        QCOMPARE(QString::fromStdString(reply->text),
                 QString::fromUtf8("Here:\n```ptx\nret;\n``` \xC3\xA9 \xE6\xBC\xA2, said by the system"));
        QCOMPARE(heard, reply->text);
        QCOMPARE(reply->finish, Finish::complete);
    }

    void aRefusal() {
        if (!m_missing.isEmpty()) QSKIP(qPrintable(m_missing));
        const auto reply = provider()->chat({"gpt-4", {{Role::user, "refuse me"}}, 100, {}});
        QVERIFY(!reply);
        // This server streams its errors, too, under the status 200.
        QVERIFY2(reply.error().message.find("Incorrect API key provided.") != std::string::npos,
                 reply.error().message.c_str());
    }
};

QTEST_GUILESS_MAIN(MockLlmTest)
#include "mock_llm_test.moc"

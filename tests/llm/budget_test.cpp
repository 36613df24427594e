// What a session may spend, what models cost, and conversations as files.
#include "llm/budget.h"
#include "llm/recording.h"
#include "llm/tokens.h"
#include "support/files.h"

#include <QtTest>

using namespace ptxwb;
using namespace ptxwb::llm;

namespace {

/// Answers with a text; breaks off first as often as it is told to.
class Fake : public Provider {
public:
    std::string providerName() const override { return "fake"; }
    Expected<ChatReply> chat(const ChatRequest&, const ChatCallbacks& callbacks, std::stop_token stop) override {
        ++asked;
        for (int i = 0; i < breaks; ++i) {
            if (callbacks.onDelta) callbacks.onDelta({std::string(4000, ';'), {}});
            if (callbacks.onRestart) callbacks.onRestart();
            if (stop.stop_requested()) return failure(Cause::cancelled, "stopped");
        }
        if (fails) return failure(Cause::missing, "no");
        if (callbacks.onDelta) callbacks.onDelta({"answer", "thought"});
        return ChatReply{"answer", "thought", "m", Finish::complete, usage};
    }
    Outgoing outgoing(const ChatRequest&) const override { return {}; }
    Expected<std::vector<std::string>> models(std::stop_token) override { return std::vector<std::string>{"m"}; }

    int asked = 0, breaks = 0;
    bool fails = false;
    Usage usage{100, 50};
};

const ChatRequest question{"gpt-4.1", {{Role::user, "Hello there"}}, 1000, {}};

ModelTable bundled() {
    return ModelTable::load(PTXWB_SOURCE_DIR "/resources/prompts/models.json").value();
}

} // namespace

class BudgetTest : public QObject {
    Q_OBJECT

private slots:
    void prices() {
        const ModelTable models = bundled();
        QCOMPARE(models.find("gpt-4.1-2025-04-14").name, std::string("gpt-4.1"));
        QCOMPARE(models.find("gpt-4.1-mini-x").name, std::string("gpt-4.1-mini"));
        QCOMPARE(models.find("openai/gpt-4.1").name, std::string("gpt-4.1"));
        QVERIFY(!models.find("llama3").price);
        QCOMPARE((Price{2, 8}).of({1'000'000, 500'000}), 6.0);
        const auto folder = TemporaryFolder::create().value();
        const auto own = folder.path() / "models.json";
        writeFileAtomically(own, "{\"schema\": 1, \"models\": {\"llama3\": {\"window\": 8192, \"input_per_million\": "
                                 "0, \"output_per_million\": 0}}}")
            .value();
        const auto table = ModelTable::load(PTXWB_SOURCE_DIR "/resources/prompts/models.json", own);
        QCOMPARE(table->find("llama3:70b").window, std::optional<std::uint64_t>(8192));
        QVERIFY(table->find("gpt-4.1").price && table->find("llama3").price);
        writeFileAtomically(
            own, "{\"schema\": 1, \"models\": {\"x\": {\"input_per_million\": -1, \"output_per_million\": 0}}}")
            .value();
        QVERIFY(
            ModelTable::load(PTXWB_SOURCE_DIR "/resources/prompts/models.json", own).error().message.find("models.x") !=
            std::string::npos);
    }

    void neverBeyond() {
        const ModelTable models = bundled();
        const std::uint64_t most = estimateTokens(question.messages) + question.maxTokens;
        Fake fake;
        Budget budget({{}, most * 2 + 150});
        const auto provider = budgeted(fake, budget, models);
        // Each costs 150 in the end, but could cost `most`: asked as long as that fits.
        int answered = 0;
        while (provider->chat(question)) ++answered;
        QVERIFY(answered > 2);
        QCOMPARE(fake.asked, answered);
        QVERIFY(budget.spent().usage.inputTokens + budget.spent().usage.outputTokens <= most * 2 + 150);
        const auto refused = provider->chat(question);
        QCOMPARE(refused.error().kind, std::string("budget"));
        QVERIFY(!budget.spent().isEstimated && budget.spent().hasPrice);
        QVERIFY(std::abs(budget.spent().dollars - answered * (100 * 2 + 50 * 8) / 1e6) < 1e-12);
    }

    void whatBreaksOffIsPaid() {
        const ModelTable models = bundled();
        Fake fake;
        fake.breaks = 3;
        Budget budget({{}, 9000});
        const auto provider = budgeted(fake, budget, models);
        // 4000 each time: after the second there is no room for a third.
        const auto reply = provider->chat(question);
        QVERIFY(!reply);
        QCOMPARE(reply.error().kind, std::string("budget"));
        QVERIFY(budget.spent().isEstimated);
        QVERIFY(budget.spent().usage.outputTokens >= 8000);
    }

    void noAnswerNoCost() {
        const ModelTable models = bundled();
        Fake fake;
        fake.fails = true;
        Budget budget({{}, 2000});
        const auto provider = budgeted(fake, budget, models);
        for (int i = 0; i < 5; ++i) QCOMPARE(provider->chat(question).error().message, std::string("no"));
        QCOMPARE(budget.spent().requests, 0U);
        fake.fails = false;
        fake.usage = {};
        QVERIFY(provider->chat(question));
        QVERIFY(budget.spent().isEstimated);
        QCOMPARE(budget.spent().usage.outputTokens, estimateTokens(std::string_view("answerthought")));
    }

    void dollarsNeedAPrice() {
        const ModelTable models = bundled();
        Fake fake;
        Budget budget({1.0, {}});
        ChatRequest unknown = question;
        unknown.model = "llama3";
        QVERIFY(budgeted(fake, budget, models)->chat(unknown).error().message.find("needs the model's price") !=
                std::string::npos);
        QVERIFY(budgeted(fake, budget, models)->chat(question));
        QCOMPARE(fake.asked, 1);
    }

    void recordAndReplay() {
        Fake fake;
        Recording recording;
        const auto recorder = recorded(fake, recording);
        ChatRequest request = question;
        for (const auto& [candidate, round] : {std::pair{2U, 1U}, {1U, 2U}, {1U, 1U}}) {
            request.candidate = candidate;
            request.round = round;
            QVERIFY(recorder->chat(request));
        }
        recording.kernel = "k";
        recording.provider = "fake";
        recording.model = "m";
        const std::string text = writeRecording(recording);
        const auto again = readRecording(text, "r.json");
        QVERIFY2(again.has_value(), again ? "" : format(again.error()).c_str());
        QCOMPARE(writeRecording(*again), text);
        QCOMPARE(again->exchanges[0].candidate, 1U);
        QCOMPARE(again->exchanges[1].round, 2U);
        const auto replay = replaying(*again);
        std::string notes;
        ChatCallbacks callbacks;
        callbacks.onNote = [&](const std::string& note) { notes += note; };
        QCOMPARE(replay->chat(request, callbacks)->reasoning, std::string("thought"));
        QCOMPARE(notes, std::string());
        request.messages[0].text = "Something else";
        QVERIFY(replay->chat(request, callbacks));
        QVERIFY(notes.find("belongs to another prompt") != std::string::npos);
        request.round = 3;
        QVERIFY(replay->chat(request).error().message.find("no answer for candidate 1, round 3") != std::string::npos);
    }

    void brokenRecordings_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("no JSON") << "{" << "r.json:1";
        QTest::newRow("newer") << "{'schema': 2, 'kernel': 'k', 'provider': 'p', 'model': 'm', 'exchanges': []}"
                               << "reads recordings of schema 1";
        QTest::newRow("unknown key") << "{'schema': 1, 'kernl': 'k'}" << "kernl";
        QTest::newRow("round 0") << "{'schema': 1, 'kernel': 'k', 'provider': 'p', 'model': 'm', 'exchanges': "
                                    "[{'candidate': 1, 'round': 0, 'reply': {'text': ''}}]}"
                                 << "exchanges[0].round";
        QTest::newRow("finish") << "{'schema': 1, 'kernel': 'k', 'provider': 'p', 'model': 'm', 'exchanges': "
                                   "[{'candidate': 1, 'round': 1, 'reply': {'text': '', 'finish': 'x'}}]}"
                                << "expected complete, length or filtered";
    }
    void brokenRecordings() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const auto recording = readRecording(text.replace('\'', '"').toStdString(), "r.json");
        QVERIFY(!recording);
        QVERIFY2(QString::fromStdString(format(recording.error())).contains(says), format(recording.error()).c_str());
    }
};

QTEST_APPLESS_MAIN(BudgetTest)
#include "budget_test.moc"

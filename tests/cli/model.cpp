// Commands that talk to a model: recorded conversations of the examples, our own misbehaving server, copy and paste.
#include "program.h"
#include "schema_check.h"
#include "test_server.h"

#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

using namespace ptxwb;
using namespace ptxwb::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const fs::path resources = PTXWB_SOURCE_DIR "/resources";
const std::string theKey = "sk-proj-Zx81QvLm2TtRw9Yb";

std::string candidateText(const std::string& file) {
    return readFile(resources / "examples" / file).value();
}

/// A program whose own provider "test" is our server.
void useServer(Program& program, const TestServer& server, const std::string& protocol = "openai") {
    program.write(
        "config/ptxwb/providers.json",
        json{{"schema", 1},
             {"providers", {{"test", {{"base_url", server.url()}, {"protocol", protocol}, {"key", "TEST_MODEL_KEY"}}}}}}
            .dump());
    program.setEnvironment("TEST_MODEL_KEY", theKey);
}

/// The first place that repeats five or more bytes of the key: a file's name, or "stdout".
std::string leak(const Program& program, const Answer& answer) {
    const auto holds = [](const std::string& text) {
        for (std::size_t i = 0; i + 5 <= theKey.size(); ++i)
            if (text.find(theKey.substr(i, 5)) != std::string::npos) return true;
        return false;
    };
    if (holds(answer.output)) return "stdout";
    if (holds(answer.errors)) return "stderr";
    for (const auto& entry : fs::recursive_directory_iterator(program.folder()))
        if (entry.is_regular_file() && holds(readFile(entry.path()).value())) return entry.path().string();
    return {};
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class ModelTest : public QObject {
    Q_OBJECT

private slots:
    void conversations_data() {
        QTest::addColumn<QString>("name");
        int count = 0;
        for (const auto& file : fs::directory_iterator(resources / "conversations")) {
            QTest::newRow(file.path().stem().c_str()) << QString::fromStdString(file.path().stem().string());
            ++count;
        }
        QVERIFY(count >= 5);
    }
    /// No network, no key: a failed round, its findings, and a version that passes and is better.
    void conversations() {
        QFETCH(QString, name);
        const std::string kernel = name.toStdString();
        if (!fs::exists(resources / "examples" / kernel)) QSKIP("this tree does not have the example");
        if (!haveTool("ptxas")) QSKIP("there is no ptxas, so no verdict is complete");
        const std::string file = (resources / "conversations" / (kernel + ".json")).string();
        const json recording = json::parse(readFile(file).value());
        const std::string wrong = mismatch("conversation", recording);
        QVERIFY2(wrong.empty(), wrong.c_str());
        std::uint32_t count = 1;
        for (const json& exchange : recording.at("exchanges"))
            count = std::max(count, exchange.at("candidate").get<std::uint32_t>());
        Program program;
        const Answer answer = program.run({"propose", kernel, "--replay", file, "--count", std::to_string(count),
                                           "--rounds", "3", "--trust", "--backend", "emulator", "--json"});
        QVERIFY2(answer.status == 0, describe(answer));
        const json value = answer.json();
        const std::string reasons = mismatch("propose", value);
        QVERIFY2(reasons.empty(), reasons.c_str());
        QCOMPARE(value.at("ended").get<std::string>(), std::string("better"));
        QCOMPARE(value.at("attempts").size(), recording.at("exchanges").size());
        std::map<std::string, json> byName;
        for (const json& attempt : value.at("attempts")) byName[attempt.at("name")] = attempt;
        const json best = byName.at(value.at("best"));
        QVERIFY(best.at("better").get<bool>());
        QCOMPARE(best.at("verdict").get<std::string>(), std::string("pass"));
        bool repaired = false;
        for (const auto& [own, attempt] : byName) {
            if (attempt.at("parent").is_null()) {
                QCOMPARE(attempt.at("round").get<int>(), 1);
                continue;
            }
            const json& parent = byName.at(attempt.at("parent"));
            QCOMPARE(parent.at("candidate"), attempt.at("candidate"));
            QCOMPARE(parent.at("round").get<int>() + 1, attempt.at("round").get<int>());
            QVERIFY(parent.at("prompt_sha256") != attempt.at("prompt_sha256"));
            bool hasFinding = false;
            if (parent.at("result").is_object())
                for (const json& stage : parent.at("result").at("stages"))
                    hasFinding = hasFinding || !stage.at("findings").empty();
            repaired = repaired || (parent.at("verdict") == "fail" && hasFinding && attempt.at("verdict") == "pass");
        }
        QVERIFY2(repaired, "no failed round was repaired");
        const std::string ptx = readFile(program.folder() / best.at("file").get<std::string>()).value();
        QVERIFY2(ptx.starts_with("//@ origin model recording written-by-hand prompt "), ptx.substr(0, 100).c_str());
        const json tree =
            json::parse(readFile(program.folder() / value.at("folder").get<std::string>() / "tree.json").value());
        QCOMPARE(tree, value);
    }

    /// The findings of the failed round are in the question that follows it.
    void findingsAreSentBack() {
        TestServer server;
        const auto says = [](const std::string& file) {
            return streams(openAiStream("Here:\n```ptx\n" + candidateText(file) + "```\n"));
        };
        server.then(says("saxpy/candidates/misaligned_vector.ptx"));
        server.then(says("saxpy/candidates/vectorized.ptx"));
        Program program;
        useServer(program, server);
        const Answer answer = program.run({"propose", "saxpy", "--provider", "test", "--model", "m", "--trust",
                                           "--backend", "emulator", "--json", "--record", "talk.json"});
        if (haveTool("ptxas")) QVERIFY2(answer.status == 0, describe(answer));
        const auto received = server.received();
        QCOMPARE(received.size(), std::size_t{2});
        const json first = json::parse(received[0].body), second = json::parse(received[1].body);
        QCOMPARE(first.at("messages").size(), std::size_t{2});
        QCOMPARE(second.at("messages").size(), std::size_t{4});
        const std::string question = second.at("messages").at(3).at("content");
        QVERIFY2(has(question, "failed at the stage function") && has(question, "misaligned at line") &&
                     has(question, "ld.global.v4.f32"),
                 question.c_str());
        // What was recorded can be replayed, with the same prompts.
        if (!haveTool("ptxas")) return;
        const Answer again =
            program.run({"propose", "saxpy", "--replay", "talk.json", "--trust", "--backend", "emulator", "--json"});
        QVERIFY2(again.status == 0, describe(again));
        QVERIFY2(!has(again.errors, "another prompt"), again.errors.c_str());
        for (std::size_t i = 0; i < 2; ++i)
            QCOMPARE(again.json().at("attempts").at(i).at("prompt_sha256"),
                     answer.json().at("attempts").at(i).at("prompt_sha256"));
    }

    /// Whatever a server does with a key, nothing that the program writes holds five letters of it.
    void theKeyIsNowhere() {
        const std::string kernel = candidateText("saxpy/candidates/vectorized.ptx");
        const std::string repeats =
            "Your key " + theKey + " is fine.\n```ptx\n" + kernel + "// " + theKey + "\n```\nIts end is 2TtRw9Yb.\n";
        struct Case {
            Behaviour behaviour;
            int status;
            const char* protocol = "openai";
        };
        const std::vector<Case> cases{
            {streams(openAiStream(repeats, "I see " + theKey)), 0},
            {streams(anthropicStream(repeats, "I see " + theKey)), 0, "anthropic"},
            {sends(whole(401, "application/json",
                         json{{"error", {{"message", "Incorrect API key provided: " + theKey}}}}.dump())),
             3},
            {sends(whole(403, "text/html", "<p>" + theKey + "</p>")), 3},
            {sends(whole(400, "application/json",
                         json{{"error", "bad key " + theKey.substr(0, 9) + "***" + theKey.substr(18)}}.dump())),
             3},
            {sends("HTTP/1.1 302 Found\r\nLocation: https://" + theKey + ".example/\r\nContent-Length: 0\r\n\r\n"), 3},
            {streams("data: {\"error\":{\"message\":\"no such key " + theKey + "\"}}\n\n"), 3},
            {streams("data: " + theKey + "\n\n"), 3},
            {sends(whole(200, "text/plain", theKey)), 3},
        };
        for (const Case& one : cases)
            for (const bool asJson : {false, true}) {
                TestServer server;
                server.then(one.behaviour);
                Program program;
                useServer(program, server, one.protocol);
                std::vector<std::string> arguments{"propose",  "saxpy",    "--provider", "test",    "--model",
                                                   "m",        "--rounds", "1",          "--trust", "--backend",
                                                   "emulator", "--record", "talk.json"};
                if (asJson) arguments.emplace_back("--json");
                const Answer answer = program.run(arguments);
                QVERIFY2(!server.received().empty(), describe(answer));
                if (haveTool("ptxas") || one.status != 0) QVERIFY2(answer.status == one.status, describe(answer));
                const auto headers = server.received().front().headers;
                QVERIFY(std::ranges::any_of(
                    headers, [](const auto& header) { return header.second.find(theKey) != std::string::npos; }));
                const std::string place = leak(program, answer);
                QVERIFY2(place.empty(), (place + " holds the key:\n").c_str() + describe(answer));
            }
    }

    void budgets() {
        TestServer server;
        server.then(streams(openAiStream("nothing")));
        Program program;
        useServer(program, server);
        const auto ask = [&](std::vector<std::string> more) {
            std::vector<std::string> arguments{"propose", "saxpy",     "--provider", "test",
                                               "--trust", "--backend", "emulator",   "--json"};
            arguments.insert(arguments.end(), more.begin(), more.end());
            return program.run(arguments);
        };
        Answer answer = ask({"--model", "m", "--token-budget", "1000"});
        QVERIFY2(answer.status == 3, describe(answer));
        QCOMPARE(answer.json().at("ended").get<std::string>(), std::string("budget"));
        QVERIFY(has(answer.json().at("errors").at(0).at("message").get<std::string>(),
                    "the budget of 1000 tokens could be passed"));
        answer = ask({"--model", "gpt-4.1", "--budget", "0.0001"});
        QCOMPARE(answer.json().at("ended").get<std::string>(), std::string("budget"));
        answer = ask({"--model", "m", "--budget", "5"});
        QVERIFY2(has(answer.json().at("errors").at(0).at("message").get<std::string>(), "needs the model's price"),
                 describe(answer));
        QCOMPARE(server.received().size(), std::size_t{0});
        // A server that counts nothing: our own counts decide. A question or two fit, nine do not.
        std::string events = openAiStream("nothing");
        const auto usage = events.rfind("data: {\"choices\":[],\"usage\"");
        QVERIFY(usage != std::string::npos);
        events.erase(usage, events.find("\n\n", usage) + 2 - usage);
        TestServer silent;
        silent.then(streams(events));
        useServer(program, silent);
        answer = ask({"--model", "gpt-4.1", "--budget", "0.03", "--max-tokens", "1000", "--rounds", "9"});
        QCOMPARE(answer.json().at("ended").get<std::string>(), std::string("budget"));
        const auto spent = answer.json().at("spent");
        QVERIFY2(spent.at("dollars").get<double>() <= 0.03 && spent.at("requests").get<int>() >= 1,
                 spent.dump().c_str());
        QVERIFY(spent.at("estimated").get<bool>());
        QCOMPARE(silent.received().size(), spent.at("requests").get<std::size_t>());
    }

    void nothingUsable() {
        TestServer server;
        server.then(streams(openAiStream("The kernel cannot be improved.")));
        Program program;
        useServer(program, server);
        const Answer answer = program.run({"propose", "saxpy", "--provider", "test", "--model", "m", "--rounds", "2",
                                           "--trust", "--backend", "emulator"});
        QVERIFY2(answer.status == 1, describe(answer));
        QVERIFY2(has(answer.errors, "round 2: nothing usable: the reply holds no PTX, only prose"), describe(answer));
        QVERIFY(has(answer.output, "saxpy on sm_90: exhausted"));
        const std::string question = json::parse(server.received().back().body).at("messages").at(3).at("content");
        QVERIFY2(has(question, "could not be used: line 1 of your reply: the reply holds no PTX, only prose"),
                 question.c_str());
    }

    void severalTargets() {
        TestServer server;
        server.then(streams(openAiStream("```ptx\n" + candidateText("saxpy/candidates/vectorized.ptx") + "```")));
        Program program;
        useServer(program, server);
        const Answer answer = program.run({"propose", "saxpy", "--provider", "test", "--model", "m", "--arch", "sm_80",
                                           "--arch", "sm_100", "--trust", "--backend", "emulator", "--json"});
        if (haveTool("ptxas")) QVERIFY2(answer.status == 0, describe(answer));
        const json value = answer.json();
        const std::string reasons = mismatch("propose", value);
        QVERIFY2(reasons.empty(), reasons.c_str());
        QCOMPARE(value.at("targets").at(0).at("arch").get<std::string>(), std::string("sm_80"));
        QCOMPARE(value.at("targets").at(1).at("arch").get<std::string>(), std::string("sm_100"));
        const auto prompt = [&](std::size_t i) {
            return json::parse(server.received()[i].body).at("messages").at(1).at("content").get<std::string>();
        };
        QVERIFY(!has(prompt(0), "tensor maps") && has(prompt(1), "tensor maps") &&
                has(prompt(1), "256-bit global loads"));
    }

    void aRegion() {
        Program program;
        const Answer asked = program.run({"prompt", "sgemm_tiled", "--region", "hot", "--json"});
        QVERIFY2(asked.status == 0, describe(asked));
        QVERIFY2(has(asked.errors, "the hottest loop: lines ") &&
                     has(asked.errors, "% of the warp instructions that the emulator counted"),
                 describe(asked));
        const std::string text = asked.json().at("messages").at(1).at("text");
        const auto at = text.find("## The region, lines ");
        QVERIFY(at != std::string::npos);
        const auto code = text.find("```ptx\n", at) + 7;
        const std::string same = text.substr(code, text.find("```", code) - code);
        program.write("reply.txt", "Unchanged:\n```ptx\n" + same + "```\n");
        const Answer taken =
            program.run({"import", "sgemm_tiled", "reply.txt", "--region", "hot", "--verify", "--trust", "--json"});
        if (haveTool("ptxas")) QVERIFY2(taken.status == 0, describe(taken));
        QCOMPARE(taken.json().at("candidates").size(), std::size_t{1});
        QVERIFY(taken.json().at("candidates").at(0).at("region").is_array());
        program.write("reply.txt", "Without waiting:\n```ptx\n\tbar.sync 0;\n" + same + "```\n");
        const Answer refused = program.run({"import", "sgemm_tiled", "reply.txt", "--region", "hot"});
        QVERIFY2(refused.status == 1 && has(refused.errors, "it adds the barrier bar.sync 0"), describe(refused));
        const Answer nowhere = program.run({"prompt", "sgemm_tiled", "--region", "1:2"});
        QVERIFY2(nowhere.status == 1 && has(nowhere.errors, "are not in the body of sgemm_tiled"), describe(nowhere));
        const Answer unclear = program.run({"prompt", "sgemm_tiled", "--region", "all"});
        QVERIFY2(unclear.status == 2 && has(unclear.errors, "--region all: expected FIRST:LAST"), describe(unclear));
    }

    /// Which providers are set up, and never a key.
    void doctorListsProviders() {
        Program program;
        const auto named = [](const json& answer, const std::string& name) {
            for (const json& one : answer.at("providers"))
                if (one.at("name") == name) return one;
            return json(nullptr);
        };
        json value = program.run({"doctor", "--json"}).json();
        QVERIFY(named(value, "test").is_null());
        const auto lacks = [](const json& answer) {
            return std::ranges::any_of(answer.at("missing"),
                                       [](const json& one) { return one.at("what") == "model provider"; });
        };
        TestServer server;
        server.then(sends(whole(200, "application/json", R"({"data":[{"id":"m"}]})")));
        useServer(program, server);
        Answer answer = program.run({"doctor", "--json"});
        value = answer.json();
        QCOMPARE(mismatch("doctor", value), std::string{});
        QCOMPARE(named(value, "test"), (json{{"name", "test"}, {"ready", true}, {"reason", nullptr}}));
        QVERIFY(!lacks(value));
        QVERIFY2(leak(program, answer).empty(), leak(program, answer).c_str());
        answer = program.run({"doctor"});
        QVERIFY2(has(answer.output, "test         ready"), describe(answer));
        QVERIFY2(leak(program, answer).empty(), leak(program, answer).c_str());

        // Elsewhere: a key decides, and nobody is called.
        Program other;
        other.write("config/ptxwb/providers.json",
                    json{{"schema", 1},
                         {"providers",
                          {{"far", {{"base_url", "https://models.example.invalid/v1"}, {"key", "FAR_KEY"}}},
                           {"gone", {{"base_url", "http://127.0.0.1:9/v1"}}}}}}
                        .dump());
        value = other.run({"doctor", "--json"}).json();
        QVERIFY(!named(value, "far").at("ready").get<bool>());
        QVERIFY(has(named(value, "far").at("reason"), "FAR_KEY is not set"));
        QVERIFY(!named(value, "gone").at("ready").get<bool>());
        other.setEnvironment("FAR_KEY", theKey);
        answer = other.run({"doctor", "--json"});
        QCOMPARE(named(answer.json(), "far"), (json{{"name", "far"}, {"ready", true}, {"reason", nullptr}}));
        QVERIFY2(leak(other, answer).empty(), leak(other, answer).c_str());
    }

    void promptAndImport() {
        Program program;
        const Answer text =
            program.run({"prompt", "saxpy", "--wish", "Use 16-byte loads.", "--tried", "unmasked_tail", "--trust"});
        QVERIFY2(text.status == 0, describe(text));
        QVERIFY(has(text.output, "Use 16-byte loads.") &&
                has(text.output, "Tried before: unmasked_tail: fail at function"));
        const Answer asJson = program.run({"prompt", "saxpy", "--json"});
        const std::string reasons = mismatch("prompt", asJson.json());
        QVERIFY2(reasons.empty(), reasons.c_str());
        const std::string evil = readFile(PTXWB_SOURCE_DIR "/tests/data/llm/replies/commands.txt").value();
        program.write("reply.txt", evil.substr(evil.find("# ---\n") + 6));
        const std::set<fs::path> before(fs::recursive_directory_iterator(program.folder()),
                                        fs::recursive_directory_iterator());
        const Answer taken = program.run({"import", "saxpy", "reply.txt", "--json"});
        // Its kernel has the wrong number of parameters; nothing else of it is anything to us.
        QVERIFY2(taken.status == 1, describe(taken));
        const std::string wrong = mismatch("import", taken.json());
        QVERIFY2(wrong.empty(), wrong.c_str());
        program.write("reply.txt",
                      "```ptx ../../../x --worker evil\n" + candidateText("saxpy/candidates/vectorized.ptx") + "```\n");
        const Answer good = program.run({"import", "saxpy", "reply.txt"});
        QVERIFY2(good.status == 0, describe(good));
        std::vector<std::string> added;
        for (const auto& entry : fs::recursive_directory_iterator(program.folder()))
            if (entry.is_regular_file() && !before.contains(entry.path()))
                added.push_back(fs::relative(entry.path(), program.folder()).string());
        QCOMPARE(added, (std::vector<std::string>{"saxpy.proposals/001/i1.ptx"}));
        program.write("reply.txt", "Nothing can be gained.\n");
        const Answer none = program.run({"import", "saxpy", "reply.txt"});
        QVERIFY2(none.status == 1 && has(none.errors, "reply.txt:1:1: error: the reply holds no PTX, only prose"),
                 describe(none));
    }

    void cudaIsCompiledWhereAsked() {
        if (!haveTool("nvcc") || !haveTool("ptxas")) QSKIP("there is no nvcc");
        Program program;
        program.write("reply.txt", "```cuda\n" + candidateText("saxpy/saxpy.cu") + "```\n");
        const Answer said = program.run({"import", "saxpy", "reply.txt"});
        QVERIFY2(said.status == 1 && has(said.errors, "this is CUDA C++, not PTX") &&
                     has(said.errors, "compiled with nvcc"),
                 describe(said));
        const Answer taken =
            program.run({"import", "saxpy", "reply.txt", "--compile", "--verify", "--trust", "--json"});
        QVERIFY2(taken.status == 0, describe(taken));
        QCOMPARE(taken.json().at("candidates").at(0).at("verdict").get<std::string>(), std::string("pass"));
    }

    void anExperimentGoesOn() {
        if (!haveTool("ptxas")) QSKIP("there is no ptxas, so no verdict is complete");
        Program program;
        const std::vector<std::string> arguments{
            "evaluate", "gallery",   "--replay", (resources / "conversations").string(),
            "--count",  "1",         "--rounds", "2",
            "--trust",  "--backend", "emulator", "-o",
            "out",      "--json"};
        fs::create_directory(program.folder() / "gallery");
        fs::copy(resources / "examples/saxpy", program.folder() / "gallery/saxpy", fs::copy_options::recursive);
        const Answer first = program.run(arguments);
        QVERIFY2(first.status == 0, describe(first));
        std::string reasons = mismatch("evaluate", first.json());
        QVERIFY2(reasons.empty(), reasons.c_str());
        QVERIFY(has(first.errors, "saxpy c1r1: failed at function") && has(first.errors, "saxpy c1r2: passed, better"));
        const json row = first.json().at("rows").back();
        QCOMPARE(row.at("correct").at("count").get<int>(), 1);
        QCOMPARE(row.at("correct_at_first").at("count").get<int>(), 0);
        QVERIFY(row.at("faster").is_null());
        QCOMPARE(first.json().at("rows").at(0).at("class").get<std::string>(), std::string("streaming"));
        fs::copy(resources / "examples/reduce", program.folder() / "gallery/reduce", fs::copy_options::recursive);
        const Answer second = program.run(arguments);
        QVERIFY2(second.status == 0 && !has(second.errors, "saxpy c1r1") && has(second.errors, "reduce c1r2"),
                 describe(second));
        QCOMPARE(second.json().at("rows").back().at("kernels").get<int>(), 2);
        std::vector<std::string> other = arguments;
        other[5] = "2";
        const Answer another = program.run(other);
        QVERIFY2(another.status == 2 && has(another.output, "is of another experiment"), describe(another));
    }

    void aDataSet() {
        Program program;
        const Answer asked =
            program.run({"propose", "saxpy", "--replay", (resources / "conversations/saxpy.json").string(), "--count",
                         "1", "--trust", "--backend", "emulator"});
        const Answer answer = program.run({"export-dataset", "saxpy.proposals", "saxpy", "-o", "pairs.jsonl", "--trust",
                                           "--backend", "emulator", "--json"});
        QVERIFY2(answer.status == 0, describe(asked) + describe(answer));
        std::ifstream file(program.folder() / "pairs.jsonl");
        std::map<std::string, int> kinds;
        std::set<std::string> hashes;
        for (std::string line; std::getline(file, line);) {
            const json value = json::parse(line);
            const std::string reasons = mismatch("dataset", value);
            QVERIFY2(reasons.empty(), reasons.c_str());
            QVERIFY2(hashes.insert(value.at("normalised_sha256")).second, "the same program twice");
            QCOMPARE(value.at("verdict") == "fail", !value.at("reason").is_null());
            QVERIFY(!value.at("intent").get<std::string>().empty() && !value.at("cuda").is_null());
            ++kinds[value.at("provenance").at("kind")];
        }
        // The conversation's two texts are candidates of the example, too.
        QCOMPARE(kinds, (std::map<std::string, int>{{"compiler", 1}, {"hand", 3}, {"model", 2}}));
        QCOMPARE(answer.json().at("duplicates").get<int>(), 2);
        QCOMPARE(answer.json().at("lines").get<int>(), 6);
    }

    void whatIsMissing() {
        Program program;
        Answer answer = program.run({"propose", "saxpy"});
        QVERIFY2(answer.status == 2 && has(answer.errors, "no model is named"), describe(answer));
        answer = program.run({"propose", "saxpy", "--provider", "opnai", "--model", "m"});
        QVERIFY2(answer.status == 2 && has(answer.errors, "did you mean openai?"), describe(answer));
        answer = program.run({"propose", "saxpy", "--replay", "none.json"});
        QVERIFY2(answer.status == 2 && has(answer.errors, "none.json"), describe(answer));
        program.write(
            "talk.json",
            "{\"schema\": 1, \"kernel\": \"saxpy\", \"provider\": \"x\", \"model\": \"y\", \"exchanges\": []}");
        answer = program.run({"propose", "saxpy", "--replay", "talk.json", "--trust"});
        QVERIFY2(answer.status == 3 && has(answer.output, "no answer for candidate 1, round 1"), describe(answer));
    }
};

QTEST_APPLESS_MAIN(ModelTest)
#include "model.moc"

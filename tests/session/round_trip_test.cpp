#include "schema_check.h"
#include "sessions.h"

#include <QTemporaryDir>
#include <nlohmann/json.hpp>

using namespace ptxwb;
using namespace ptxwb::session;
using namespace ptxwb::test;
using nlohmann::json;

namespace {

/// Everything that a session file holds, as one text.
std::string described(const Session& session) {
    std::string text;
    const auto judged = [](const std::optional<Judgement>& j) {
        return j ? toJson(j->result).dump() + j->textSha256 + j->kernelSha256 + j->arch + j->toolkit +
                       std::to_string(j->seed) + j->figuresSha256
                 : "none";
    };
    const auto add = [&](const Candidate& c) {
        text += "\n[" + c.id + "][" + c.parent + "][" + c.name + "][" + std::string(name(c.origin.kind)) +
                c.origin.provider + c.origin.model + c.origin.promptSha256 + c.origin.time + "]" + c.text +
                judged(c.judgement);
        for (const Judgement& other : c.otherJudgements) text += judged(other);
        for (const std::string& author : c.authors) text += author;
        for (const Version& version : c.history)
            text += "{" + std::string(name(version.reason)) + version.time +
                    (version.verdict ? std::string(verify::name(*version.verdict)) : "") + *version.text + "}";
    };
    text += title(session) + session.source + kernelHash(session) + std::to_string(session.lastId);
    for (const auto& target : session.targets) text += target;
    add(session.baseline);
    for (const Candidate& candidate : session.candidates) add(candidate);
    for (const Decision& decision : session.review.decisions)
        text += std::string(name(decision.state)) + decision.reviewer + decision.time + decision.reason;
    return text;
}

void mustFitTheSchema(const fs::path& file) {
    const auto mismatch = test::mismatch("session", json::parse(contentOf(file)));
    QVERIFY2(mismatch.empty(), mismatch.c_str());
}

Session full() {
    Session session = saxpy();
    session.targets = {"sm_90", "sm_80"};
    session.candidates[0].judgement = judgementOf(session, session.candidates[0].text);
    session.candidates[0].judgement->figuresSha256 = std::string(64, 'f');
    session.baseline.judgement = judgementOf(session, session.baseline.text);
    Candidate& answer = addCandidate(session, "answer of a model", "//@ title x\n.version 8.0\n");
    answer.parent = "c1";
    answer.origin = {OriginKind::model, "local", "a-model", std::string(64, 'a'), "2026-01-02T03:04:05Z"};
    session.candidates[0].otherJudgements = {judgementOf(session, session.candidates[0].text)};
    session.candidates[0].otherJudgements[0].arch = "sm_80";
    session.candidates[0].otherJudgements[0].result.device = "a GPU";
    session.candidates[0].otherJudgements[0].result.deviceArch = "sm_80";
    session.candidates[0].otherJudgements[0].result.driver = "580.1";
    session.candidates[0].authors = {"Ada <ada@example.org>", "Bob"};
    Decision decision;
    decision.state = ReviewState::changesRequested;
    decision.candidate = "c1";
    decision.reviewer = "Grace <grace@example.org>";
    decision.time = "2026-01-02T03:04:05Z";
    decision.reason = "too early";
    decision.targets = {"sm_90", "sm_80"};
    decision.bound.ptx = decision.bound.spec = decision.bound.baseline = std::string(64, 'b');
    decision.bound.files = {{"saxpy.cu", std::string(64, 'c')}};
    decision.bound.evidence = {{"sm_90", "NVIDIA H200", "sm_90", "580.1", "13.0.88", 7, std::string(64, 'd'), true},
                               {"sm_80", {}, {}, {}, {}, 0, {}, false}};
    session.review.decisions = {decision, decision};
    session.review.decisions[1].state = ReviewState::rejected;
    Candidate& first = session.candidates[0];
    first.history.push_back({VersionReason::verified, "2026-01-02T03:04:05Z", verify::Verdict::fail,
                             std::make_shared<std::string>("// one\n")});
    first.history.push_back(
        {VersionReason::replaced, "2026-01-02T03:05:05Z", std::nullopt, std::make_shared<std::string>("// two\n")});
    session.review.comments.push_back(
        {"k1", "c1", 12, "why a fallback?\nand \"why\" here?", "A Person", "2026-01-02", true});
    session.review.comments.push_back({"", "c2", 1, "", "", "", false});
    Comment& thread = session.review.comments.front();
    thread.anchor = {{"a", "b"}, {"before"}, {}};
    thread.quote = {"a"};
    thread.replies = {{"because", "Ada", "2026-01-03"}, {"fine", {}, {}}};
    thread.resolvedBy = "Grace";
    thread.lost = true;
    Conversation talk;
    talk.id = newConversationId(session);
    talk.time = "2026-01-02T03:04:05Z";
    talk.provider = "local";
    talk.model = "a-model";
    talk.wish = "less\nmemory";
    talk.base = "c1";
    talk.region = "12:40";
    talk.ended = "better";
    talk.promptSha256 = std::string(64, 'a');
    talk.opening = {{"system", "You write PTX.", {}, {}, 0, 0, {}}, {"user", "The kernel:\n\t.reg", {}, {}, 0, 0, {}}};
    talk.threads = {{1,
                     {{"assistant",
                       "Here:",
                       "hm",
                       "length",
                       120,
                       30,
                       {{"c1r1", "c6", "fail", "failed at stress"}, {"c1r1b", "", "", "nothing usable: prose"}}},
                      {"user", "It failed.", {}, {}, 0, 0, {}}},
                     {}},
                    {2, {}, "429 Too Many Requests"}};
    talk.requests = 2;
    talk.inputTokens = 120;
    talk.outputTokens = 5'000'000'000;
    talk.dollars = 0.0125;
    talk.isEstimated = true;
    session.conversations.push_back(talk);
    Conversation empty;
    empty.id = newConversationId(session);
    session.conversations.push_back(empty);
    return session;
}

} // namespace

class RoundTripTest : public QObject {
    Q_OBJECT

private slots:
    void everythingComesBack() {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "tuning.ptxwb";
        Session session = full();
        const std::string before = described(session);
        need(save(session, file));
        QCOMPARE(session.file, file);
        QCOMPARE(described(session), before);
        mustFitTheSchema(file);

        const Loaded loaded = need(load(file));
        QCOMPARE(described(loaded.session), before);
        QCOMPARE(loaded.session.review, session.review);
        QCOMPARE(loaded.session.conversations.size(), std::size_t{2});
        QVERIFY(loaded.session.conversations == session.conversations);
        QCOMPARE(newConversationId(loaded.session), std::string("m3"));
        QVERIFY(loaded.notes.empty());
        QCOMPARE(freshness(loaded.session.candidates[0], kernelHash(loaded.session)), Freshness::current);
        QCOMPARE(filesBelow(file.parent_path()),
                 (std::vector<std::string>{
                     "tuning.candidates/answer_of_a_model.ptx", "tuning.candidates/does_not_assemble.ptx",
                     "tuning.candidates/history/22c5892a20c74aca.ptx", "tuning.candidates/history/f9df7bc1ed2d8d4b.ptx",
                     "tuning.candidates/misaligned_vector.ptx", "tuning.candidates/two_quads.ptx",
                     "tuning.candidates/unmasked_tail.ptx", "tuning.candidates/vectorized.ptx",
                     "tuning.kernel/reference.cpp", "tuning.kernel/saxpy.cu", "tuning.kernel/saxpy.kernel.json",
                     "tuning.kernel/saxpy.sm_90.ptx", "tuning.ptxwb"}));
    }

    void theSameValueIsTheSameText() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        Session session = full();
        need(save(session, root / "a.ptxwb"));
        Session again = need(load(root / "a.ptxwb")).session;
        const std::string text = contentOf(root / "a.ptxwb");
        need(save(again, root / "a.ptxwb"));
        QCOMPARE(contentOf(root / "a.ptxwb"), text);
        QCOMPARE(text.back(), '\n');
        QVERIFY(text.find(root.string()) == std::string::npos);
    }

    void aSessionMovesWithItsFolders() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        Session session = full();
        need(save(session, root / "here" / "a.ptxwb"));
        fs::rename(root / "here", root / "there");
        QCOMPARE(described(need(load(root / "there" / "a.ptxwb")).session), described(session));
    }

    void aSpecOfTheProjectStaysWhereItIs() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        fs::copy(examples / "saxpy", root / "kernels", fs::copy_options::recursive);
        Session session = need(openAny((root / "kernels").string(), examples)).session;
        QCOMPARE(session.place, KernelPlace::file);
        need(save(session, root / "sessions" / "a.ptxwb"));
        QCOMPARE(json::parse(contentOf(root / "sessions" / "a.ptxwb")).at("kernel").get<std::string>(),
                 std::string("../kernels/saxpy.kernel.json"));
        QVERIFY(!fs::exists(root / "sessions" / "a.kernel"));
        QCOMPARE(described(need(load(root / "sessions" / "a.ptxwb")).session), described(session));
    }

    void aSpecInsideOfTheSession() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        fs::copy(examples / "saxpy", root, fs::copy_options::recursive);
        json session{{"schema", 1},
                     {"targets", {"sm_90"}},
                     {"candidates", json::array()},
                     {"review", {{"state", "open"}, {"comments", json::array()}}}};
        session["kernel"] = json::parse(contentOf(root / "saxpy.kernel.json"));
        session["kernel"].erase("candidates");
        write(root / "a.ptxwb", session.dump(2));
        Session loaded = need(load(root / "a.ptxwb")).session;
        QCOMPARE(loaded.place, KernelPlace::inlined);
        QCOMPARE(loaded.source, contentOf(root / "saxpy.cu"));
        QCOMPARE(loaded.baseline.text, contentOf(root / "saxpy.sm_90.ptx"));
        addCandidate(loaded, "mine", ".version 8.0\n");
        need(save(loaded, root / "a.ptxwb"));
        QVERIFY(json::parse(contentOf(root / "a.ptxwb")).at("kernel").is_object());
        mustFitTheSchema(root / "a.ptxwb");
        const std::string before = described(loaded);
        QCOMPARE(described(need(load(root / "a.ptxwb")).session), before);
        // In another folder its files would be missing: they go along.
        need(save(loaded, root / "other" / "b.ptxwb"));
        QCOMPARE(described(need(load(root / "other" / "b.ptxwb")).session), before);
        QCOMPARE(loaded.place, KernelPlace::file);
    }

    void withoutASpec() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        write(root / "src" / "scale.cu", "__global__ void scale(float* x) {}\n");
        Session session = need(openAny((root / "src" / "scale.cu").string(), examples)).session;
        session.baseline.text = ".version 8.0 // from nvcc\n";
        session.baseline.origin.kind = OriginKind::nvcc;
        need(save(session, root / "a.ptxwb"));
        mustFitTheSchema(root / "a.ptxwb");
        const Session loaded = need(load(root / "a.ptxwb")).session;
        QCOMPARE(loaded.place, KernelPlace::none);
        QCOMPARE(described(loaded), described(session));
        QCOMPARE(loaded.sourceFile, fs::weakly_canonical(root / "src" / "scale.cu"));
    }

    void awkwardNames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("file");
        QTest::newRow("blank and slash") << "block 128/unrolled"
                                         << "block_128_unrolled.ptx";
        QTest::newRow("leaving the folder") << "../../evil"
                                            << "_.._evil.ptx";
        QTest::newRow("hidden") << ".hidden"
                                << "hidden.ptx";
        QTest::newRow("dots only") << "..."
                                   << "c1.ptx";
        QTest::newRow("every language") << QString::fromUtf8("Entwurf größer 速い")
                                        << QString::fromUtf8("Entwurf_größer_速い.ptx");
        QTest::newRow("shell") << "$(rm -rf ~) `x` \"q\" 'q' \\ *?"
                               << "__rm_-rf_____x___q___q______.ptx";
        QTest::newRow("the baseline's file") << "Baseline"
                                             << "Baseline-c1.ptx";
        QTest::newRow("long") << QString(300, 'x') << QString(80, 'x') + ".ptx";
        QTest::newRow("long, in two-byte letters")
            << "a" + QString(200, QChar(0xe9)) << "a" + QString(39, QChar(0xe9)) + ".ptx";
    }
    void awkwardNames() {
        QFETCH(QString, name);
        QFETCH(QString, file);
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        Session session;
        session.baseline.id = baselineId;
        addCandidate(session, name.toStdString(), "// the text\n");
        need(save(session, root / "odd name + more.ptxwb"));
        QCOMPARE(QString::fromStdString(filesBelow(root).front()), "odd name + more.candidates/" + file);
        QCOMPARE(described(need(load(root / "odd name + more.ptxwb")).session), described(session));
    }

    void namesThatCollideAsFiles() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        Session session;
        session.baseline.id = baselineId;
        for (const char* name : {"a b", "a_b", "A/B", "a_b-c3", "x.ptx"})
            addCandidate(session, name, std::string("// ") + name);
        need(save(session, root / "s.ptxwb"));
        QCOMPARE(described(need(load(root / "s.ptxwb")).session), described(session));
        QCOMPARE(filesBelow(root).size(), std::size_t{6});
    }

    void bytesThatAreNoUtf8AndLongLinesSurvive() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        Session session;
        session.baseline.id = baselineId;
        addCandidate(session, "a", std::string("// caf\xe9\r\n\0 nul", 14) + std::string(3'000'000, 'x'));
        addCandidate(session, "empty", "");
        need(save(session, root / "s.ptxwb"));
        QCOMPARE(described(need(load(root / "s.ptxwb")).session), described(session));
    }

    void theHistoryKeepsWhatWasThere() {
        Candidate candidate;
        candidate.text = "// one";
        keepVersion(candidate, VersionReason::verified, "2026-01-02T03:04:05Z");
        keepVersion(candidate, VersionReason::saved, "2026-01-02T03:05:05Z");
        QCOMPARE(candidate.history.size(), std::size_t{1}); // the same text once
        for (std::size_t i = 0; i < mostVersions + 5; ++i) {
            candidate.text = "// " + std::to_string(i);
            keepVersion(candidate, VersionReason::saved, {});
        }
        QCOMPARE(candidate.history.size(), mostVersions);
        QCOMPARE(*candidate.history.back().text, candidate.text);
        QCOMPARE(*candidate.history.front().text, std::string("// 5"));
        candidate.text = std::string(mostVersionBytes / 2 + 1, 'x');
        keepVersion(candidate, VersionReason::saved, {});
        candidate.text += "y";
        keepVersion(candidate, VersionReason::saved, {});
        QCOMPARE(candidate.history.size(), std::size_t{1}); // of large texts fewer
    }

    void versionsAreFilesOfTheSession() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        Session session = full();
        need(save(session, root / "a.ptxwb"));
        const fs::path versions = root / "a.candidates" / "history";
        QCOMPARE(filesBelow(versions).size(), std::size_t{2});
        // One that somebody removed is told and left out; the session opens.
        fs::remove(versions / filesBelow(versions).front());
        const Loaded loaded = need(load(root / "a.ptxwb"));
        QCOMPARE(loaded.session.candidates[0].history.size(), std::size_t{1});
        QCOMPARE(loaded.notes.size(), std::size_t{1});
        QVERIFY(loaded.notes[0].message.find("a version of \"vectorized\"") != std::string::npos);
        // What no version names any more goes, as the files of deleted candidates do.
        session.candidates[0].history.clear();
        need(save(session, root / "a.ptxwb"));
        QVERIFY(filesBelow(versions).empty());
    }

    void autosaveHoldsEverything() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        Session session = full();
        need(save(session, root / "a.ptxwb"));
        const auto before = filesBelow(root);
        session.candidates[0].text += "// typed\n";
        addCandidate(session, "new", "// new\n");
        need(writeAutosave(session, autosavePath(session.file)));
        QCOMPARE(filesBelow(root).size(), before.size() + 1);
        mustFitTheSchema(root / "a.ptxwb~");
        QCOMPARE(newerAutosave(root / "a.ptxwb"), root / "a.ptxwb~");
        Session recovered = need(loadAutosave(root / "a.ptxwb~")).session;
        QCOMPARE(described(recovered), described(session));
        QCOMPARE(recovered.file, session.file);
        need(save(recovered, recovered.file)); // no complaint about a change on disk
        QVERIFY(!newerAutosave(root / "a.ptxwb"));
        QCOMPARE(described(need(load(root / "a.ptxwb")).session), described(session));
    }

    void autosaveOfAnExampleThatWasNeverSaved() {
        QTemporaryDir folder;
        const fs::path autosave = fs::path(folder.path().toStdString()) / "state" / "x.ptxwb~";
        const Session session = full();
        need(writeAutosave(session, autosave));
        Session recovered = need(loadAutosave(autosave)).session;
        QCOMPARE(described(recovered), described(session));
        QVERIFY(recovered.file.empty());
        QCOMPARE(recovered.place, KernelPlace::example);
    }
};

QTEST_APPLESS_MAIN(RoundTripTest)
#include "round_trip_test.moc"

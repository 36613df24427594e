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
    };
    text += title(session) + session.source + kernelHash(session) + std::to_string(session.lastId);
    for (const auto& target : session.targets) text += target;
    add(session.baseline);
    for (const Candidate& candidate : session.candidates) add(candidate);
    text += std::string(name(session.review.state)) + session.review.reviewer + session.review.time +
            session.review.summary;
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
    session.review = {ReviewState::rejected, "A Person", "2026-01-02T03:04:05Z", "too early", {}};
    session.review.comments.push_back(
        {"k1", "c1", 12, "why a fallback?\nand \"why\" here?", "A Person", "2026-01-02", true});
    session.review.comments.push_back({"", "c2", 1, "", "", "", false});
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
        QVERIFY(loaded.notes.empty());
        QCOMPARE(freshness(loaded.session.candidates[0], kernelHash(loaded.session)), Freshness::current);
        QCOMPARE(filesBelow(file.parent_path()),
                 (std::vector<std::string>{
                     "tuning.candidates/answer_of_a_model.ptx", "tuning.candidates/does_not_assemble.ptx",
                     "tuning.candidates/misaligned_vector.ptx", "tuning.candidates/unmasked_tail.ptx",
                     "tuning.candidates/vectorized.ptx", "tuning.kernel/reference.cpp", "tuning.kernel/saxpy.cu",
                     "tuning.kernel/saxpy.kernel.json", "tuning.kernel/saxpy.sm_90.ptx", "tuning.ptxwb"}));
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
        QTest::newRow("blank and slash") << "block 128/unrolled" << "block_128_unrolled.ptx";
        QTest::newRow("leaving the folder") << "../../evil" << "_.._evil.ptx";
        QTest::newRow("hidden") << ".hidden" << "hidden.ptx";
        QTest::newRow("dots only") << "..." << "c1.ptx";
        QTest::newRow("every language") << QString::fromUtf8("Entwurf größer 速い")
                                        << QString::fromUtf8("Entwurf_größer_速い.ptx");
        QTest::newRow("shell") << "$(rm -rf ~) `x` \"q\" 'q' \\ *?" << "__rm_-rf_____x___q___q______.ptx";
        QTest::newRow("the baseline's file") << "Baseline" << "Baseline-c1.ptx";
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

#include "sessions.h"

using namespace ptxwb;
using namespace ptxwb::session;
using namespace ptxwb::test;

class SessionTest : public QObject {
    Q_OBJECT

private slots:
    void idsAreNeverGivenTwice() {
        Session session;
        QCOMPARE(newId(session), std::string("c1"));
        addCandidate(session, "a", "");
        QCOMPARE(session.candidates.back().id, std::string("c2"));
        session.candidates.pop_back();
        QCOMPARE(newId(session), std::string("c3"));
    }

    void findsBaselineAndCandidates() {
        Session session = saxpy();
        QCOMPARE(find(session, baselineId), &session.baseline);
        QCOMPARE(find(session, "c2"), &session.candidates[1]);
        QVERIFY(!find(session, "c99"));
        session.baseline.text.clear();
        QVERIFY(!find(session, baselineId));
    }

    void freeNames_data() {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("free");
        QTest::newRow("free") << "scalar" << "scalar";
        QTest::newRow("taken") << "vectorized" << "vectorized 2";
        QTest::newRow("empty") << "" << "candidate";
        QTest::newRow("blank") << " \t " << "candidate";
        QTest::newRow("lines") << "two\nlines" << "two lines";
        QTest::newRow("reserved") << "baseline" << "baseline 2";
    }
    void freeNames() {
        QFETCH(QString, wanted);
        QFETCH(QString, free);
        QCOMPARE(QString::fromStdString(freeName(saxpy(), wanted.toStdString())), free);
    }

    void nameProblems_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("problem");
        QTest::newRow("good") << "a/b: \"c\"" << "";
        QTest::newRow("empty") << "" << "A candidate needs a name.";
        QTest::newRow("control") << "a\tb" << "A candidate's name is one line without control characters.";
        QTest::newRow("taken") << "unmasked_tail" << "Another candidate is named \"unmasked_tail\" already.";
        QTest::newRow("its own") << "vectorized" << "";
        QTest::newRow("reserved") << "baseline" << "\"baseline\" is the name of nvcc's own PTX.";
    }
    void nameProblems() {
        QFETCH(QString, name);
        QFETCH(QString, problem);
        QCOMPARE(QString::fromStdString(nameProblem(saxpy(), name.toStdString(), "c1")), problem);
    }

    void resultsGoStaleWithTextAndKernel() {
        Session session = saxpy();
        Candidate& candidate = session.candidates[0];
        const auto hash = kernelHash(session);
        QCOMPARE(freshness(candidate, hash), Freshness::none);
        candidate.judgement = judgementOf(session, candidate.text);
        QCOMPARE(freshness(candidate, hash), Freshness::current);
        const std::string text = candidate.text;
        candidate.text += "\n";
        QCOMPARE(freshness(candidate, hash), Freshness::stale);
        candidate.text = text;
        session.kernel.files.at("reference.cpp") += " ";
        QCOMPARE(freshness(candidate, kernelHash(session)), Freshness::stale);
        // A result of a tool that did not say for which kernel counts by its text.
        candidate.judgement->kernelSha256.clear();
        QCOMPARE(freshness(candidate, kernelHash(session)), Freshness::current);
    }

    void theSpecsListOfCandidatesIsNoPartOfTheKernel() {
        Session session = saxpy();
        const auto hash = kernelHash(session);
        session.kernel.spec.candidates.clear();
        QCOMPARE(kernelHash(session), hash);
        session.kernel.spec.symbols.front().stress.push_back(77);
        QVERIFY(kernelHash(session) != hash);
    }

    void namesOfEnumerations() {
        for (const OriginKind kind : {OriginKind::nvcc, OriginKind::hand, OriginKind::model, OriginKind::import})
            QCOMPARE(originKind(name(kind)), kind);
        for (const ReviewState state :
             {ReviewState::open, ReviewState::approved, ReviewState::changesRequested, ReviewState::rejected})
            QCOMPARE(reviewState(name(state)), state);
        for (const VersionReason each : {VersionReason::verified, VersionReason::saved, VersionReason::replaced})
            QCOMPARE(versionReason(name(each)), each);
        QVERIFY(!originKind("robot"));
    }

    void titles() {
        Session session;
        QCOMPARE(title(session), std::string("untitled"));
        session.sourceFile = "/a/scale.cu";
        QCOMPARE(title(session), std::string("scale.cu"));
        QCOMPARE(title(saxpy()), std::string("saxpy"));
    }
};

QTEST_APPLESS_MAIN(SessionTest)
#include "session_test.moc"

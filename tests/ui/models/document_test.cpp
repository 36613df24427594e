#include "documents.h"

#include <QSignalSpy>
#include <QStandardPaths>

using namespace ptxwb;
using namespace ptxwb::ui;
using namespace ptxwb::test;
using session::Freshness;

class DocumentTest : public QObject {
    Q_OBJECT

    const QStringList m_five{"vectorized", "unmasked_tail", "misaligned_vector", "does_not_assemble", "two_quads"};

private slots:
    void init() { QStandardPaths::setTestModeEnabled(true); }

    void opensAnExample() {
        Document document;
        QSignalSpy replaced(&document, &Document::sessionReplaced);
        openSaxpy(document);
        QCOMPARE(replaced.size(), 1);
        QCOMPARE(names(document), m_five);
        QCOMPARE(document.current(), QString("c1"));
        QCOMPARE(document.title(), QString("saxpy"));
        QVERIFY(!document.isDirty());
        QVERIFY(!document.undoStack()->canUndo());
    }

    void aFailedOpeningChangesNothing() {
        Document document;
        openSaxpy(document);
        document.newCandidate("mine");
        QVERIFY(!document.open("/no/such.ptx", examples));
        QCOMPARE(names(document), m_five + QStringList{"mine"});
        QVERIFY(document.undoStack()->canUndo());
    }

    void newCandidateAndBack() {
        Document document;
        openSaxpy(document);
        const QString id = document.newCandidate("mine");
        QCOMPARE(names(document), m_five + QStringList{"mine"});
        QCOMPARE(document.current(), id);
        QCOMPARE(document.text(id), document.text("baseline"));
        QCOMPARE(document.candidate(id)->parent, std::string("baseline"));
        QCOMPARE(document.candidate(id)->origin.kind, session::OriginKind::hand);
        QVERIFY(document.isDirty());
        QCOMPARE(document.undoStack()->undoText(), QString::fromUtf8("New “mine”"));
        document.setText(id, "// typed");
        document.undoStack()->undo();
        QCOMPARE(names(document), m_five);
        QCOMPARE(document.current(), QString("c1"));
        QVERIFY(!document.isDirty());
        document.undoStack()->redo();
        QCOMPARE(document.current(), id);
        QCOMPARE(document.text(id), QString("// typed"));
        QVERIFY(document.newCandidate("mine") != id);
        QCOMPARE(names(document).last(), QString("mine 2"));
    }

    void duplicateAndBack() {
        Document document;
        openSaxpy(document);
        document.setResults("c1", report(document.text("c1")));
        const QString id = document.duplicateCandidate("c1");
        QCOMPARE(names(document), (QStringList{"vectorized", "vectorized 2", "unmasked_tail", "misaligned_vector",
                                               "does_not_assemble", "two_quads"}));
        QCOMPARE(document.candidate(id)->parent, std::string("c1"));
        QCOMPARE(document.freshness(id), Freshness::current);
        document.undoStack()->undo();
        QCOMPARE(names(document), m_five);
        document.undoStack()->redo();
        QCOMPARE(document.text(id), document.text("c1"));
        const QString ofBaseline = document.duplicateCandidate("baseline");
        QCOMPARE(document.text(ofBaseline), document.text("baseline"));
        QVERIFY(document.duplicateCandidate("c99").isEmpty());
    }

    void importAndBack() {
        Document document;
        openSaxpy(document);
        session::Origin origin;
        origin.kind = session::OriginKind::model;
        origin.model = "a-model";
        const QString id = document.importCandidate("vectorized", "// answer", origin, "c2");
        QCOMPARE(names(document)[2], QString("vectorized 2"));
        QCOMPARE(document.candidate(id)->origin.model, std::string("a-model"));
        QVERIFY(!document.candidate(id)->origin.time.empty());
        document.undoStack()->undo();
        QCOMPARE(names(document), m_five);
        document.undoStack()->redo();
        QCOMPARE(document.text(id), QString("// answer"));
    }

    void renameAndBack() {
        Document document;
        openSaxpy(document);
        QSignalSpy renamed(&document, &Document::candidateRenamed);
        QCOMPARE(document.renameCandidate("c2", "  tail  "), QString());
        QCOMPARE(names(document)[1], QString("tail"));
        document.undoStack()->undo();
        QCOMPARE(names(document), m_five);
        document.undoStack()->redo();
        QCOMPARE(names(document)[1], QString("tail"));
        QCOMPARE(renamed.size(), 3);
        QCOMPARE(document.renameCandidate("c2", "tail"), QString());
        QCOMPARE(document.undoStack()->count(), 1);
        QCOMPARE(document.renameCandidate("c2", "vectorized"),
                 QString("Another candidate is named \"vectorized\" already."));
        QCOMPARE(document.renameCandidate("baseline", "x"), QString("Only a candidate can be renamed."));
        QCOMPARE(names(document)[1], QString("tail"));
    }

    void deleteAndBack() {
        Document document;
        openSaxpy(document);
        document.setText("c1", "// typed before");
        document.setResults("c1", report("// typed before"));
        document.deleteCandidate("c1");
        QCOMPARE(names(document), m_five.mid(1));
        QCOMPARE(document.current(), QString("c2"));
        QVERIFY(!document.candidate("c1"));
        document.undoStack()->undo();
        QCOMPARE(names(document), m_five);
        QCOMPARE(document.text("c1"), QString("// typed before"));
        QCOMPARE(document.freshness("c1"), Freshness::current);
        QCOMPARE(document.current(), QString("c1"));
        document.undoStack()->redo();
        QCOMPARE(names(document), m_five.mid(1));
        document.deleteCandidate("baseline");
        QVERIFY(document.candidate("baseline"));
    }

    void deletingTheLastShowsTheBaseline() {
        Document document;
        openSaxpy(document);
        document.setCurrent("c5");
        document.deleteCandidate("c5");
        QCOMPARE(document.current(), QString("c4"));
        for (const char* id : {"c1", "c2", "c3", "c4"}) document.deleteCandidate(id);
        QCOMPARE(document.current(), QString("baseline"));
        for (int i = 0; i < 5; ++i) document.undoStack()->undo();
        QCOMPARE(names(document), m_five);
    }

    void aLongHistoryGoesBackAndForth() {
        Document document;
        openSaxpy(document);
        document.renameCandidate("c1", "first");
        const QString copy = document.duplicateCandidate("c1");
        document.renameCandidate("c1", "free again");
        document.renameCandidate(copy, "first");
        document.deleteCandidate("c3");
        document.newCandidate({});
        const QStringList end = names(document);
        for (int round = 0; round < 3; ++round) {
            while (document.undoStack()->canUndo()) document.undoStack()->undo();
            QCOMPARE(names(document), m_five);
            QVERIFY(!document.isDirty());
            while (document.undoStack()->canRedo()) document.undoStack()->redo();
            QCOMPARE(names(document), end);
        }
    }

    void textFollowsTheEditor() {
        Document document;
        openSaxpy(document);
        document.setResults("c1", report(document.text("c1")));
        QSignalSpy dirty(&document, &Document::dirtyChanged), results(&document, &Document::resultsChanged),
            text(&document, &Document::textChanged);
        const QString before = document.text("c1");
        document.setText("c1", before);
        QVERIFY(text.isEmpty());
        document.setText("c1", before + "x");
        document.setText("c1", before + "xy");
        QCOMPARE(text.size(), 2);
        QCOMPARE(results.size(), 1); // stale once
        QCOMPARE(document.freshness("c1"), Freshness::stale);
        QVERIFY(!document.undoStack()->canUndo());
        document.setText("c1", before); // the editor's undo
        QCOMPARE(document.freshness("c1"), Freshness::current);
        document.setText("baseline", "x");
        QVERIFY(document.text("baseline") != "x");
    }

    void undoneTextIsClean() {
        Document document;
        openSaxpy(document);
        const QString before = document.text("c1");
        document.setText("c1", before + "x");
        QVERIFY(document.isDirty());
        document.setText("c1", before);
        QVERIFY(!document.isDirty());
    }

    void resultsOfAnOlderTextAreStale() {
        Document document;
        openSaxpy(document);
        const QString sent = document.text("c1");
        document.setText("c1", sent + "// typed meanwhile");
        document.setResults("c1", report(sent));
        QCOMPARE(document.freshness("c1"), Freshness::stale);
        QVERIFY(document.isDirty());
        document.setText("c1", sent);
        QCOMPARE(document.freshness("c1"), Freshness::current);
        QVERIFY(!document.isDirty());             // results alone of an example are no work
        document.setResults("c99", report(sent)); // deleted meanwhile
        QCOMPARE(document.freshness("c2"), Freshness::none);
    }

    void aBaselineOfNvcc() {
        Document document;
        QVERIFY(!document.candidate("baseline"));
        document.setBaseline(".version 8.0");
        QCOMPARE(document.text("baseline"), QString(".version 8.0"));
        QVERIFY(document.isDirty());
    }

    void targetsAndReview() {
        Document document;
        openSaxpy(document);
        QSignalSpy targets(&document, &Document::targetsChanged), review(&document, &Document::reviewChanged);
        document.setTargets({"sm_80", "sm_90"});
        document.setTargets({"sm_80", "sm_90"});
        session::Review changed;
        changed.decisions.emplace_back().reason = "good";
        document.setReview(changed);
        document.setReview(changed);
        QCOMPARE(targets.size(), 1);
        QCOMPARE(review.size(), 1);
        QVERIFY(document.isDirty());
    }

    void whatF5Sends() {
        Document document;
        const auto nothing = document.verifyInput("c1", {});
        QVERIFY(!nothing);
        QVERIFY(nothing.error().message.starts_with("There is no kernel spec yet"));
        openSaxpy(document);
        document.setTargets({"sm_80"});
        document.setText("c1", "// typed");
        const auto input = document.verifyInput("c1", {});
        QVERIFY(input);
        QCOMPARE(input->candidate->name, std::string("vectorized"));
        QCOMPARE(input->candidate->file, std::string("vectorized.ptx"));
        QCOMPARE(input->candidate->text, std::string("// typed"));
        QCOMPARE(input->plan.architectures, std::vector<std::string>{"sm_80"});
        QVERIFY(!document.verifyInput("baseline", {})->candidate);
        QVERIFY(!document.verifyInput("c99", {}));
    }
};

QTEST_MAIN(DocumentTest)
#include "document_test.moc"

#include "documents.h"

#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace ptxwb;
using namespace ptxwb::ui;
using namespace ptxwb::test;
using session::Freshness;

class DocumentFileTest : public QObject {
    Q_OBJECT

    void must(const Expected<void>& done) { QVERIFY2(done, done ? "" : done.error().message.c_str()); }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("ptxwb-tests");
        QCoreApplication::setApplicationName("document_file_test");
        Document::clearRecentFiles();
    }
    void cleanupTestCase() { Document::clearRecentFiles(); }

    void saveAndReopenEverythingAsItWas() {
        QTemporaryDir folder;
        const QString file = folder.filePath("tuning.ptxwb");
        Document document;
        openSaxpy(document);
        QVERIFY(!document.save());
        const QString id = document.newCandidate("mine");
        document.setText("c2", "// typed");
        document.setResults("c1", report(document.text("c1")));
        QSignalSpy files(&document, &Document::fileChanged), dirty(&document, &Document::dirtyChanged);
        must(document.saveAs(file));
        QCOMPARE(document.filePath(), file);
        QCOMPARE(document.title(), QString("tuning.ptxwb"));
        QVERIFY(!document.isDirty());
        QCOMPARE(dirty.size(), 1);
        QCOMPARE(files.size(), 1);
        QCOMPARE(document.freshness("c1"), Freshness::current);

        Document again;
        must(again.open(file, examples));
        QCOMPARE(names(again), names(document));
        QCOMPARE(again.text("c2"), QString("// typed"));
        QCOMPARE(again.text(id), document.text("baseline"));
        QCOMPARE(again.freshness("c1"), Freshness::current);
        QVERIFY(!again.isDirty());
        again.setText("c1", "// more");
        must(again.save());
        const auto refused = document.save();
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, std::string("changed_on_disk"));
    }

    void undoAcrossASave() {
        QTemporaryDir folder;
        Document document;
        openSaxpy(document);
        document.deleteCandidate("c1");
        must(document.saveAs(folder.filePath("s.ptxwb")));
        document.undoStack()->undo();
        QVERIFY(document.isDirty());
        QCOMPARE(names(document)[0], QString("vectorized"));
        document.undoStack()->redo();
        QVERIFY(!document.isDirty());
    }

    void autosaveComesAndGoes() {
        QTemporaryDir folder;
        const QString file = folder.filePath("s.ptxwb"), autosave = file + "~";
        Document document;
        openSaxpy(document);
        must(document.saveAs(file));
        document.autosaveNow();
        QVERIFY(!QFile::exists(autosave)); // nothing to keep
        document.setText("c1", "// typed");
        document.autosaveNow();
        QVERIFY(QFile::exists(autosave));

        Document recovered;
        must(recovered.recover(autosave));
        QCOMPARE(recovered.text("c1"), QString("// typed"));
        QCOMPARE(recovered.filePath(), file);
        QVERIFY(recovered.isDirty());
        must(recovered.save());
        QVERIFY(!QFile::exists(autosave));
        Document again;
        must(again.open(file, examples));
        QCOMPARE(again.text("c1"), QString("// typed"));
    }

    void theTimerAutosaves() {
        QTemporaryDir folder;
        const QString file = folder.filePath("s.ptxwb");
        Document document;
        openSaxpy(document);
        must(document.saveAs(file));
        document.setAutosaveInterval(std::chrono::milliseconds(10));
        document.setText("c1", "// typed");
        QTRY_VERIFY(QFile::exists(file + "~"));
        // Going back to what is saved leaves nothing to recover.
        Document saved;
        must(saved.open(file, examples));
        document.setText("c1", saved.text("c1"));
        QVERIFY(!document.isDirty());
        QVERIFY(!QFile::exists(file + "~"));
    }

    void recoveringTheOpenSessionKeepsItsAutosave() {
        QTemporaryDir folder;
        const QString file = folder.filePath("s.ptxwb");
        Document document;
        openSaxpy(document);
        must(document.saveAs(file));
        document.setText("c1", "// typed");
        document.autosaveNow();
        must(document.recover(file + "~"));
        QCOMPARE(document.text("c1"), QString("// typed"));
        QVERIFY(QFile::exists(file + "~"));
        document.discardAutosave();
        QVERIFY(!QFile::exists(file + "~"));
    }

    void aSessionWithoutAFileIsAutosavedToo() {
        QTemporaryDir folder;
        const QString unsaved = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + "/unsaved";
        QDir(unsaved).removeRecursively();
        Document document;
        openSaxpy(document);
        document.setText("c1", "// typed");
        document.autosaveNow();
        QCOMPARE(QDir(unsaved).entryList(QDir::Files).size(), 1);
        QVERIFY(Document::orphanedAutosaves().isEmpty()); // this program is alive
        const QString mine = QDir(unsaved).entryInfoList(QDir::Files)[0].filePath();
        const QString orphan = unsaved + "/unsaved-999999999-1.ptxwb~";
        QVERIFY(QFile::copy(mine, orphan));
        QCOMPARE(Document::orphanedAutosaves(), QStringList{orphan});
        Document recovered;
        must(recovered.recover(orphan));
        QCOMPARE(recovered.text("c1"), QString("// typed"));
        QVERIFY(recovered.filePath().isEmpty());
        must(recovered.saveAs(folder.filePath("kept.ptxwb")));
        QVERIFY(!QFile::exists(orphan));
        must(document.saveAs(folder.filePath("s.ptxwb")));
        QVERIFY(!QFile::exists(mine));
    }

    void anAutosaveThatCannotBeWrittenIsToldOnce() {
        QTemporaryDir folder;
        const QString file = folder.filePath("s.ptxwb");
        Document document;
        openSaxpy(document);
        must(document.saveAs(file));
        QVERIFY(QDir(folder.path()).mkdir("s.ptxwb~"));
        QSignalSpy failed(&document, &Document::autosaveFailed);
        document.setText("c1", "// a");
        document.autosaveNow();
        QVERIFY(failed.wait(10000));
        QVERIFY2(failed[0][0].toString().endsWith("s.ptxwb~: it is a folder"), qPrintable(failed[0][0].toString()));
        document.setText("c1", "// b");
        document.autosaveNow();
        QTest::qWait(50);
        QCOMPARE(failed.size(), 1);
    }

    void recentFilesAreThoseThatExist() {
        QTemporaryDir folder;
        Document document;
        openSaxpy(document);
        Document::clearRecentFiles();
        must(document.saveAs(folder.filePath("a.ptxwb")));
        must(document.saveAs(folder.filePath("b.ptxwb")));
        must(document.open(folder.filePath("a.ptxwb"), examples));
        QCOMPARE(Document::recentFiles(), (QStringList{folder.filePath("a.ptxwb"), folder.filePath("b.ptxwb")}));
        QVERIFY(QFile::remove(folder.filePath("a.ptxwb")));
        QCOMPARE(Document::recentFiles(), QStringList{folder.filePath("b.ptxwb")});
    }

    void notesOfOpeningAreTold() {
        QTemporaryDir folder;
        Document document;
        openSaxpy(document);
        document.setResults("c1", report(document.text("c1")));
        must(document.saveAs(folder.filePath("s.ptxwb")));
        QFile file(folder.filePath("s.candidates/vectorized.ptx"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("// edited elsewhere");
        file.close();
        QSignalSpy notes(&document, &Document::notesChanged);
        must(document.open(folder.filePath("s.ptxwb"), examples));
        const auto told = notes.last()[0].value<std::vector<Diagnostic>>();
        QCOMPARE(told.size(), std::size_t{1});
        QCOMPARE(document.freshness("c1"), Freshness::stale);
    }
};

QTEST_MAIN(DocumentFileTest)
#include "document_file_test.moc"

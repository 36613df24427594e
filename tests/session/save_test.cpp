#include "sessions.h"

#include <QTemporaryDir>
#include <thread>
#include <unistd.h>

using namespace ptxwb;
using namespace ptxwb::session;
using namespace ptxwb::test;

class SaveTest : public QObject {
    Q_OBJECT

private slots:
    void renamedAndDeletedCandidatesLeaveNoFile() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        Session session;
        session.baseline.id = baselineId;
        addCandidate(session, "one", "// 1");
        addCandidate(session, "two", "// 2");
        need(save(session, root / "s.ptxwb"));
        write(root / "s.candidates" / "notes.txt", "mine");
        write(root / "s.candidates" / "foreign.ptx", "// mine");
        session.candidates[0].name = "uno";
        session.candidates.pop_back();
        need(save(session, root / "s.ptxwb"));
        QCOMPARE(filesBelow(root), (std::vector<std::string>{"s.candidates/foreign.ptx", "s.candidates/notes.txt",
                                                             "s.candidates/uno.ptx", "s.ptxwb"}));
    }

    void aForeignFileIsNotOverwritten() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        write(root / "s.candidates" / "ONE.ptx", "// somebody's");
        Session session;
        session.baseline.id = baselineId;
        addCandidate(session, "one", "// 1");
        need(save(session, root / "s.ptxwb"));
        QCOMPARE(contentOf(root / "s.candidates" / "ONE.ptx"), std::string("// somebody's"));
        QCOMPARE(contentOf(root / "s.candidates" / "one-c1.ptx"), std::string("// 1"));
        need(save(session, root / "s.ptxwb")); // and the name stays
        QCOMPARE(filesBelow(root).size(), std::size_t{3});
    }

    void aSessionCannotRemoveFilesElsewhere() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        write(root / "precious.ptx", "// precious");
        write(
            root / "s.ptxwb",
            R"({"schema": 1, "kernel": null, "targets": [], "review": {"state": "open", "comments": []}, "candidates": [
            {"id": "c1", "parent": null, "name": "a", "file": "precious.ptx", "origin": {"kind": "hand"}, "sha256": "x", "results": null}]})");
        Session session = need(load(root / "s.ptxwb")).session;
        session.candidates.clear();
        need(save(session, root / "s.ptxwb"));
        QVERIFY(fs::exists(root / "precious.ptx"));
    }

    void refusesAFileThatChangedOnDisk() {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "s.ptxwb";
        Session session, other;
        session.baseline.id = other.baseline.id = baselineId;
        need(save(session, file));
        other = need(load(file)).session;
        addCandidate(other, "theirs", "// t");
        need(save(other, file));
        addCandidate(session, "mine", "// m");
        const auto refused = save(session, file);
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, std::string("changed_on_disk"));
        QVERIFY2(refused.error().message.ends_with("s.ptxwb was changed by another program since it was read"),
                 refused.error().message.c_str());
        QCOMPARE(need(load(file)).session.candidates.front().name, std::string("theirs"));
        need(save(session, file, IfChanged::replace));
        QCOMPARE(need(load(file)).session.candidates.front().name, std::string("mine"));
    }

    void anotherSessionIsReplacedOnlyWhenAsked() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        Session first = saxpy(), second = saxpy();
        need(save(first, root / "s.ptxwb"));
        second.candidates.clear();
        const auto refused = save(second, root / "s.ptxwb");
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.ends_with("s.ptxwb exists already"), refused.error().message.c_str());
        need(save(second, root / "s.ptxwb", IfChanged::replace));
        QVERIFY(!fs::exists(root / "s.candidates" / "vectorized.ptx"));
    }

    void aFolderOfSomethingElseIsLeftAlone() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        write(root / "s.kernel" / "saxpy.cu", "// another kernel");
        Session session = saxpy();
        const auto refused = save(session, root / "s.ptxwb");
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.ends_with("s.kernel/saxpy.cu, which holds something else"),
                 refused.error().message.c_str());
        QVERIFY(session.file.empty());
        QVERIFY(!fs::exists(root / "s.ptxwb"));
        QCOMPARE(contentOf(root / "s.kernel" / "saxpy.cu"), std::string("// another kernel"));
    }

    void whatDidNotChangeIsNotWritten() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        Session session = saxpy();
        need(save(session, root / "s.ptxwb"));
        const fs::path untouched = root / "s.candidates" / "vectorized.ptx";
        const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
        fs::last_write_time(untouched, long_ago);
        session.candidates[1].text += "// typed\n";
        need(save(session, root / "s.ptxwb"));
        QCOMPARE(fs::last_write_time(untouched), long_ago);
    }

    void aFolderThatCannotBeWritten() {
        if (::geteuid() == 0) QSKIP("root may write everywhere");
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        fs::permissions(root, fs::perms::owner_read | fs::perms::owner_exec);
        Session session = saxpy();
        QVERIFY(!save(session, root / "s.ptxwb"));
        QVERIFY(session.file.empty());
        fs::permissions(root, fs::perms::owner_all);
    }

    void aFileInPlaceOfTheFolder() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        write(root / "s.candidates", "a file");
        Session session;
        session.baseline.id = baselineId;
        addCandidate(session, "one", "// 1");
        const auto refused = save(session, root / "s.ptxwb");
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.starts_with("cannot make the folder "), refused.error().message.c_str());
        QVERIFY(!fs::exists(root / "s.ptxwb"));
    }

    void aCandidateThatWasEditedOutside() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        Session session = saxpy();
        session.candidates[0].judgement = judgementOf(session, session.candidates[0].text);
        need(save(session, root / "s.ptxwb"));
        write(root / "s.candidates" / "vectorized.ptx", "// edited in another editor\n");
        const Loaded loaded = need(load(root / "s.ptxwb"));
        QCOMPARE(loaded.notes.size(), std::size_t{1});
        QVERIFY(loaded.notes[0].message.ends_with("vectorized.ptx was changed outside of PTX Workbench"));
        QCOMPARE(loaded.notes[0].severity, Severity::note);
        QCOMPARE(freshness(loaded.session.candidates[0], kernelHash(loaded.session)), Freshness::stale);
    }

    void aNameThatIsNoUtf8IsSaidSo() {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "s.ptxwb";
        Session session;
        session.baseline.id = baselineId;
        addCandidate(session, "caf\xe9", "// 1");
        const auto refused = save(session, file);
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.ends_with("the name of a candidate, a comment or a path is no UTF-8"),
                 refused.error().message.c_str());
        QVERIFY(!fs::exists(file));
    }
};

QTEST_APPLESS_MAIN(SaveTest)
#include "save_test.moc"

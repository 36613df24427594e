// A file that is no good session opens to a message that says where and why, and is never overwritten.
#include "sessions.h"

#include <QTemporaryDir>
#include <nlohmann/json.hpp>

using namespace ptxwb;
using namespace ptxwb::session;
using namespace ptxwb::test;
using nlohmann::json;

namespace {

const fs::path casesFile = PTXWB_SOURCE_DIR "/tests/data/session/damaged.json";

} // namespace

class DamagedTest : public QObject {
    Q_OBJECT

private slots:
    void messages_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::addColumn<int>("line");
        QTest::addColumn<bool>("isSession"); // readable as a session, but names files that are not there
        for (const json& one : json::parse(contentOf(casesFile))) {
            const auto lines = one.at("text").get<std::vector<std::string>>();
            std::string text;
            for (const auto& line : lines) text += line + "\n";
            QTest::newRow(one.at("name").get<std::string>().c_str())
                << QString::fromStdString(text) << QString::fromStdString(one.at("message").get<std::string>())
                << one.value("line", 0) << one.value("is_session", false);
        }
    }
    void messages() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        QFETCH(int, line);
        QFETCH(bool, isSession);
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "s.ptxwb";
        write(file, text.toStdString());
        const auto loaded = load(file);
        QVERIFY(!loaded);
        QString got = QString::fromStdString(loaded.error().message);
        got.replace(folder.path(), "FOLDER");
        QCOMPARE(got, message);
        QCOMPARE(static_cast<int>(loaded.error().place.line), line);
        QVERIFY2(!loaded.error().hint.empty(), "a message says what to do next");
        QCOMPARE(loaded.error().cause, Cause::badRequest);
        if (isSession) return;

        Session session = saxpy();
        for (const IfChanged ifChanged : {IfChanged::refuse, IfChanged::replace}) {
            const auto saved = save(session, file, ifChanged);
            QVERIFY(!saved);
            QCOMPARE(saved.error().kind, std::string("not_ours"));
            QVERIFY2(saved.error().message.ends_with("; it was not overwritten"), saved.error().message.c_str());
        }
        QCOMPARE(contentOf(file), text.toStdString());
        QCOMPARE(filesBelow(file.parent_path()).size(), std::size_t{1});
        need(save(session, file.parent_path() / "other.ptxwb"));
    }

    void truncatedAnywhere() {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "s.ptxwb";
        Session session = saxpy();
        session.candidates[0].judgement = judgementOf(session, session.candidates[0].text);
        need(save(session, file));
        const std::string whole = contentOf(file);
        const auto lastBrace = whole.rfind('}');
        for (std::size_t length = 0; length <= lastBrace; length += 97) {
            const std::string part = whole.substr(0, length);
            write(file, part);
            const auto loaded = load(file);
            QVERIFY2(!loaded, std::to_string(length).c_str());
            QVERIFY2(loaded.error().message.starts_with("s.ptxwb is damaged or no session: not JSON: "),
                     loaded.error().message.c_str());
            QVERIFY(!save(session, file, IfChanged::replace));
            QCOMPARE(contentOf(file), part);
        }
    }

    void namesTheAutosaveThatIsLeft() {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "s.ptxwb";
        Session session = saxpy();
        need(save(session, file));
        write(file, "{");
        need(writeAutosave(session, autosavePath(file)));
        const auto loaded = load(file);
        QVERIFY(!loaded);
        QVERIFY2(loaded.error().hint.find("unsaved work of s.ptxwb is in ") != std::string::npos,
                 loaded.error().hint.c_str());
        QCOMPARE(need(loadAutosave(autosavePath(file))).session.candidates.size(), session.candidates.size());
    }

    void aMissingFile() {
        const auto loaded = load("/no/such/folder/s.ptxwb");
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().message, std::string("cannot read /no/such/folder/s.ptxwb: No such file or directory"));
    }

    void anotherSessionIsNoAutosave() {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "s.ptxwb";
        Session session = saxpy();
        need(save(session, file));
        const auto loaded = loadAutosave(file);
        QVERIFY(!loaded);
        QVERIFY2(loaded.error().message.ends_with("s.ptxwb is no autosave"), loaded.error().message.c_str());
    }
};

QTEST_APPLESS_MAIN(DamagedTest)
#include "damaged_test.moc"

// bundle, verify-bundle, review and `verify BUNDLE`: from a session that an H200 has judged to the gate of a build.
#include "../bundle/bundles.h"
#include "program.h"
#include "schema_check.h"

using namespace ptxwb;
using namespace ptxwb::test;
using nlohmann::json;

namespace {

QString fits(const std::string& schema, const Answer& answer) {
    return QString::fromStdString(mismatch(schema, answer.json()));
}

} // namespace

class ReviewTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_keys;
    std::string m_grace, m_signers;

    /// saxpy's vectorized candidate, approved by Grace, as a session in the program's folder.
    static void saveSession(const Program& program, session::Session session) {
        need(session::save(session, program.folder() / "tuning.ptxwb", session::IfChanged::replace));
    }

    /// And its bundle, signed.
    Answer bundle(const Program& program) const {
        saveSession(program, approvedSaxpy());
        return program.run({"bundle", "tuning.ptxwb", "--sign", m_grace, "-o", "x.ptxbundle", "--json"});
    }

private slots:
    void initTestCase() {
        if (!hasSshKeygen()) QSKIP("there is no ssh-keygen here to sign with");
        if (!approvedBundle(approvedSaxpy())) QSKIP("the recording's ptxas (13.0.88) is not here");
        m_grace = newKey(m_keys, "grace");
        m_signers = m_keys.filePath("allowed").toStdString();
        const auto written = writeFileAtomically(m_signers, "grace@example.org " + publicKey(m_grace) + "\n");
        QVERIFY2(written, written ? "" : written.error().message.c_str());
    }

    void aBundleVerifiesWithNothingButThisProgram() {
        Program program;
        const Answer made = bundle(program);
        QVERIFY2(made.status == 0, describe(made));
        QCOMPARE(fits("bundle", made), QString());
        QVERIFY(made.json().at("approved").get<bool>() && made.json().at("signed").get<bool>());
        // No ssh-keygen, no ptxas, no compiler.
        program.setEnvironment("PATH", "/nowhere");
        const Answer whole = program.run({"verify-bundle", "x.ptxbundle", "--allowed-signers", m_signers, "--json"});
        QVERIFY2(whole.status == 0, describe(whole));
        QCOMPARE(fits("verify_bundle", whole), QString());
        QVERIFY(whole.json().at("key").get<std::string>().starts_with("SHA256:"));
        const Answer human = program.run({"verify-bundle", "x.ptxbundle"});
        QVERIFY2(human.output.starts_with("whole: vectorized of saxpy, "), describe(human));
        QVERIFY2(human.output.find("approved by Grace") != std::string::npos, describe(human));
        const Answer gate =
            program.run({"review", "x.ptxbundle", "--require", "approved", "--allowed-signers", m_signers});
        QVERIFY2(gate.status == 0, describe(gate));
        QVERIFY2(gate.output.starts_with("approved: vectorized of saxpy\n"), describe(gate));
    }

    void oneChangedByteIsNamed() {
        Program program;
        QCOMPARE(bundle(program).status, 0);
        std::string bytes = need(readFile(program.folder() / "x.ptxbundle"));
        const std::size_t at = bytes.find("fma.rn");
        QVERIFY(at != std::string::npos);
        bytes[at] = 'F';
        program.write("x.ptxbundle", bytes);
        const Answer changed = program.run({"verify-bundle", "x.ptxbundle"});
        QVERIFY2(changed.status == 1, describe(changed));
        QVERIFY2(changed.errors.find("x.ptxbundle: baseline.ptx was changed: its SHA-256 is ") != std::string::npos ||
                     changed.errors.find("x.ptxbundle: candidate.ptx was changed: its SHA-256 is ") !=
                         std::string::npos,
                 describe(changed));
        for (const char* format : {"text", "markdown", "sarif"}) {
            const Answer gate = program.run(
                {"review", "x.ptxbundle", "--require", "approved", "--allowed-signers", m_signers, "--format", format});
            QVERIFY2(gate.status == 1, describe(gate));
            QVERIFY2(gate.output.find("was changed") != std::string::npos, describe(gate));
        }
        program.write("x.ptxbundle", bytes.substr(0, 700));
        const Answer cut =
            program.run({"review", "x.ptxbundle", "--require", "approved", "--allowed-signers", m_signers, "--json"});
        QVERIFY2(cut.status == 1, describe(cut));
        QCOMPARE(fits("gate", cut), QString());
        QCOMPARE(program.run({"verify-bundle", "no.ptxbundle"}).status, 2);
    }

    void theGateOfABuild_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("said");
        QTest::newRow("approved") << QStringList{"--target", "sm_90", "--assembler", "13.0.88"} << 0 << "approved: ";
        QTest::newRow("target") << QStringList{"--target", "sm_100"} << 1 << "it is not approved for sm_100";
        QTest::newRow("assembler") << QStringList{"--assembler", "12.8.93"} << 1 << "ptxas 12.8.93 was not tried";
        QTest::newRow("author") << QStringList{"--author", "grace@example.org"} << 1 << "is an author of the candidate";
        QTest::newRow("what ships") << QStringList{"--file", "ships.ptx"} << 0 << "approved: ";
        QTest::newRow("something else ships") << QStringList{"--file", "other.ptx"} << 1 << "other.ptx: is not the PTX";
        QTest::newRow("a file that is not there") << QStringList{"--file", "no.ptx"} << 2 << "no.ptx";
        QTest::newRow("another word") << QStringList{"--require", "liked"} << 2 << "";
    }
    void theGateOfABuild() {
        QFETCH(QStringList, options);
        QFETCH(int, status);
        QFETCH(QString, said);
        Program program;
        QCOMPARE(bundle(program).status, 0);
        session::Session session = approvedSaxpy();
        program.write("ships.ptx", named(session, "vectorized").text);
        program.write("other.ptx", named(session, "vectorized").text + "\n");
        std::vector<std::string> arguments{"review", "x.ptxbundle", "--allowed-signers", m_signers};
        if (!options.contains("--require")) arguments.insert(arguments.end(), {"--require", "approved"});
        for (const QString& each : options) arguments.push_back(each.toStdString());
        const Answer answer = program.run(arguments);
        QVERIFY2(answer.status == status, describe(answer));
        QVERIFY2((answer.output + answer.errors).find(said.toStdString()) != std::string::npos, describe(answer));
        arguments.push_back("--json");
        if (status < 2) QCOMPARE(fits("gate", program.run(arguments)), QString());
        QCOMPARE(program.run({"review", "x.ptxbundle", "--require", "approved"}).status, 2); // nobody would count
    }

    /// Judged again, here, with other inputs, by the emulator.
    void aBundleIsJudgedAgain() {
        Program program;
        QCOMPARE(bundle(program).status, 0);
        const Answer again =
            program.run({"verify", "x.ptxbundle", "--new-seeds", "--trust", "--backend", "emulator", "--json"});
        QVERIFY2(again.status == 0, describe(again));
        QCOMPARE(fits("verify_again", again), QString());
        const json value = again.json();
        QCOMPARE(value.at("verdict").get<std::string>(), std::string("pass"));
        session::Session session = approvedSaxpy();
        QVERIFY(value.at("seed").get<std::uint64_t>() != named(session, "vectorized").judgement->seed);
        for (const json& row : value.at("compared"))
            QVERIFY2(row.at("agreement").get<std::string>() !=
                         (row.at("what") == "time against the baseline" ? "same" : "other"),
                     row.dump().c_str());
        const Answer same =
            program.run({"verify", "x.ptxbundle", "--trust", "--backend", "emulator", "--stage", "parse"});
        QVERIFY2(same.status == 3, describe(same)); // what was not run is not the same
        std::string bytes = need(readFile(program.folder() / "x.ptxbundle"));
        bytes[bytes.find("fma.rn")] = 'F';
        program.write("x.ptxbundle", bytes);
        const Answer changed = program.run({"verify", "x.ptxbundle", "--trust"});
        QVERIFY2(changed.status == 1, describe(changed));
        QVERIFY2(changed.errors.find("is not what was bundled: it is not run") != std::string::npos, describe(changed));
        QCOMPARE(program.run({"verify", "saxpy", "--new-seeds"}).status, 2);
    }

    void aDecisionFromTheCommandLine() {
        Program program;
        saveSession(program, onH200("saxpy"));
        const auto decide = [&](const std::string& what, const std::string& who, const std::string& candidate) {
            return program.run({"review", "tuning.ptxwb", "--decide", what, "--candidate", candidate, "--reviewer", who,
                                "--reason", "read it twice"});
        };
        const Answer own = decide("approve", ada, "vectorized");
        QVERIFY2(own.status == 1, describe(own));
        QVERIFY2(own.errors.find("is an author of it: another person must approve it") != std::string::npos,
                 describe(own));
        const Answer wrong = decide("approve", grace, "unmasked_tail");
        QVERIFY2(wrong.status == 1 && wrong.errors.find("it fails (") != std::string::npos, describe(wrong));
        QCOMPARE(decide("reject", grace, "unmasked_tail").status, 0);
        const Answer good = decide("approve", grace, "vectorized");
        QVERIFY2(good.status == 0, describe(good));
        const Answer shown = program.run({"review", "tuning.ptxwb"});
        QVERIFY2(shown.output.find("vectorized: approved by Grace Hopper <grace@example.org>, 2") != std::string::npos,
                 describe(shown));
        QVERIFY2(shown.output.find("unmasked_tail: rejected by Grace") != std::string::npos, describe(shown));
        const Answer value = program.run({"review", "tuning.ptxwb", "--json"});
        QCOMPARE(fits("review", value), QString());
        // A byte of the PTX, outside of this program: the approval is gone.
        const auto file = program.folder() / "tuning.candidates" / "vectorized.ptx";
        program.write("tuning.candidates/vectorized.ptx", need(readFile(file)) + "\n");
        const Answer after = program.run({"review", "tuning.ptxwb"});
        QVERIFY2(after.output.find("vectorized: approval withdrawn (Grace") != std::string::npos, describe(after));
        QVERIFY2(after.output.find("the PTX has changed") != std::string::npos, describe(after));
        QCOMPARE(decide("like", grace, "vectorized").status, 2);
    }

    /// Without a window and without a GPU: judged into a session, where an approval says what it lacks.
    void aSessionFromTheCommandLine() {
        const Program program;
        const Answer judged = program.run({"verify", "saxpy", "--candidate", "vectorized", "--trust", "--backend",
                                           "emulator", "--session", "new.ptxwb"});
        QVERIFY2(judged.status == 0, describe(judged));
        const Answer refused = program.run({"review", "new.ptxwb", "--decide", "approve", "--candidate", "vectorized",
                                            "--author", ada, "--reviewer", grace, "--reason", "fine"});
        QVERIFY2(refused.status == 1, describe(refused));
        QVERIFY2(refused.errors.find("no GPU has judged it for sm_90: function was judged by the emulator") !=
                     std::string::npos,
                 describe(refused));
        const Answer other = program.run({"verify", "reduce", "--trust", "--stage", "parse", "--session", "new.ptxwb"});
        QVERIFY2(other.status == 2 && other.errors.find("is about another kernel") != std::string::npos,
                 describe(other));
    }

    void openCommentsGoIntoThePrompt() {
        const Program program;
        session::Session session = onH200("saxpy");
        saveSession(program, session);
        const Answer none = program.run({"prompt", "saxpy", "--comments", "tuning.ptxwb", "--candidate", "vectorized"});
        QVERIFY2(none.status == 2 && none.errors.find("no comment about vectorized is open") != std::string::npos,
                 describe(none));
        need(review::addComment(session,
                                {named(session, "vectorized").id, 20, 1, "say why this load is aligned", grace, {}}));
        saveSession(program, session);
        const Answer prompt =
            program.run({"prompt", "saxpy", "--comments", "tuning.ptxwb", "--candidate", "vectorized"});
        QVERIFY2(prompt.status == 0, describe(prompt));
        QVERIFY2(prompt.output.find("say why this load is aligned") != std::string::npos, describe(prompt));
        QVERIFY2(prompt.output.find("- line 20:\n") != std::string::npos, describe(prompt));
    }
};

QTEST_APPLESS_MAIN(ReviewTest)
#include "review.moc"

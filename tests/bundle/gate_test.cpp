#include "bundles.h"

using namespace ptxwb;
using namespace ptxwb::bundle;
using namespace ptxwb::test;

namespace {

std::string reasonsOf(const GateAnswer& answer) {
    std::string text;
    for (const Problem& reason : answer.reasons) text += reason.path + ": " + reason.what + "\n";
    return text;
}

} // namespace

class GateTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string m_grace, m_eve;
    Entries m_bundle;

    GateRequest request() const {
        GateRequest request;
        request.signers =
            signersOf("grace@example.org " + publicKey(m_grace) + "\neve@example.org " + publicKey(m_eve) + "\n");
        request.now = std::time(nullptr);
        request.targets = {"sm_90"};
        return request;
    }

    static GateAnswer answerTo(const Entries& entries, const GateRequest& wanted) {
        return judge(need(inspect(entries, "x")), wanted);
    }

    Entries signedBy(Entries entries, const std::string& key) const {
        need(signBundle(entries, key));
        return entries;
    }

    Entries bundleOf(const session::Session& session) const { return signedBy(*approvedBundle(session), m_grace); }

private slots:
    void initTestCase() {
        if (!hasSshKeygen()) QSKIP("there is no ssh-keygen here to sign with");
        const auto made = approvedBundle(approvedSaxpy());
        if (!made) QSKIP("the recording's ptxas (13.0.88) is not here: its machine code cannot be made");
        m_grace = newKey(m_folder, "grace");
        m_eve = newKey(m_folder, "eve");
        m_bundle = signedBy(*made, m_grace);
    }

    void whatIsApprovedPasses() {
        GateRequest wanted = request();
        wanted.assemblers = {"13.0.88"};
        wanted.authors = {"somebody <else@example.org>"};
        wanted.files = {{"shipped.ptx", find(m_bundle, candidateFile)->content},
                        {"shipped.cubin", find(m_bundle, "cubin/sm_90.ptxas-13.0.88.cubin")->content}};
        const GateAnswer answer = answerTo(m_bundle, wanted);
        QVERIFY2(answer.isApproved(), reasonsOf(answer).c_str());
        QVERIFY(answer.signer.starts_with("grace@example.org SHA256:"));
        QVERIFY(toText(answer).starts_with("approved: vectorized of saxpy\n"));
        QVERIFY(toMarkdown(answer).starts_with("### Approved: `vectorized` of `saxpy`\n"));
        QVERIFY(toJson(answer).at("approved").get<bool>());
        QVERIFY(toSarif(answer, "x.ptxbundle", "0.1.0").at("runs").at(0).at("results").empty());
    }

    void whatIsRefused_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<QString>("said");
        int number = 0;
        const auto row = [&](const char* name, const char* said) { QTest::newRow(name) << number++ << QString(said); };
        row("not signed", "manifest.json.sig: nobody has signed the bundle");
        row("signed by somebody else", "manifest.json.sig: the key SHA256:");
        row("an unknown key", "is not among the allowed signers");
        row("an expired key", "has expired on 2020-01-01");
        row("no signers at all", "is not among the allowed signers");
        row("a target that is not approved", "approval.json: it is not approved for sm_100, but for sm_90");
        row("an assembler that was not tried", "toolchain.json: ptxas 12.8.93 was not tried, but 13.0.88");
        row("another PTX ships", "shipped.ptx: is not the PTX or machine code of this bundle: it was changed since");
        row("the spec's file as what ships", "shipped.ptx: is not the PTX");
        row("its author, as the repository says",
            "approval.json: Grace Hopper <grace@example.org> is an author of the candidate and cannot approve it");
        row("a changed byte", "candidate.ptx: was changed");
        row("a changed byte and manifest", "manifest.json.sig: is no signature of this manifest");
        row("another target, signed by another", "is eve@example.org's, not grace@example.org's");
        row("changes requested", "approval.json: changes requested by Grace Hopper <grace@example.org>, "
                                 "2026-12-01T10:00:00Z: say why");
        row("nobody decided", "approval.json: nobody has decided about it");
    }
    void whatIsRefused() {
        QFETCH(int, what);
        QFETCH(QString, said);
        GateRequest wanted = request();
        Entries bundle = m_bundle;
        const std::string grace = "grace@example.org " + publicKey(m_grace);
        if (what == 0) std::erase_if(bundle, [](const Entry& entry) { return entry.path == signatureFile; });
        if (what == 1) bundle = signedBy(bundle, m_eve);
        if (what == 2) bundle = signedBy(bundle, newKey(m_folder, "unknown"));
        if (what == 3) wanted.signers = signersOf("grace@example.org valid-before=\"20200101Z\" " + publicKey(m_grace));
        if (what == 4) wanted.signers.clear();
        if (what == 5) wanted.targets = {"sm_90", "sm_100"};
        if (what == 6) wanted.assemblers = {"13.0.88", "12.8.93"};
        if (what == 7) wanted.files = {{"shipped.ptx", find(bundle, candidateFile)->content + " "}};
        if (what == 8) wanted.files = {{"shipped.ptx", find(bundle, baselineFile)->content}};
        if (what == 9) wanted.authors = {"GRACE@example.org"};
        if (what == 10) entryOf(bundle, candidateFile).content[50] ^= 1;
        if (what == 11) {
            entryOf(bundle, "README.txt").content += "x";
            remanifest(bundle);
        }
        if (what == 12) {
            entryOf(bundle, "README.txt").content += "x";
            remanifest(bundle);
            bundle = signedBy(bundle, m_eve);
        }
        if (what == 13 || what == 14) {
            session::Session session = approvedSaxpy();
            if (what == 13) {
                review::Wish wish = approval(named(session, "vectorized"));
                wish.state = session::ReviewState::changesRequested;
                wish.reason = "say why";
                session.review.decisions.push_back(need(review::decide(session, wish)));
            } else {
                session.review.decisions.clear();
            }
            bundle = bundleOf(session);
        }
        const GateAnswer answer = answerTo(bundle, wanted);
        QVERIFY(!answer.isApproved());
        QVERIFY2(reasonsOf(answer).find(said.toStdString()) != std::string::npos, reasonsOf(answer).c_str());
        QVERIFY(toText(answer).starts_with("refused: "));
        QVERIFY(toMarkdown(answer).starts_with("### Refused: "));
        const auto sarif = toSarif(answer, "x.ptxbundle", "0.1.0");
        QCOMPARE(sarif.at("runs").at(0).at("results").size(), answer.reasons.size());
        QCOMPARE(sarif.at("runs").at(0).at("results").at(0).at("level").get<std::string>(), std::string("error"));
    }

    /// A bundle that names no author cannot be checked for one; the repository may name one.
    void anAuthorMustBeKnown() {
        session::Session session = approvedSaxpy();
        named(session, "vectorized").authors.clear();
        const Entries bundle = bundleOf(session);
        const GateAnswer answer = answerTo(bundle, request());
        QVERIFY2(reasonsOf(answer).find("nobody is named as its author") != std::string::npos,
                 reasonsOf(answer).c_str());
    }

    /// Texts of a bundle are somebody else's: no markup and no control characters come through.
    void hostileTexts() {
        GateAnswer answer;
        answer.candidate = answer.kernel = answer.state = answer.signer = hostile;
        answer.reasons = {{hostile, hostile}};
        const std::string markdown = toMarkdown(answer);
        QVERIFY(markdown.find("\n<script>") == std::string::npos);
        QVERIFY(markdown.find('\x01') == std::string::npos);
        QVERIFY(toText(answer).find('\x01') == std::string::npos);
        QVERIFY(!toSarif(answer, "x", "0.1.0").dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).empty());
    }
};

QTEST_APPLESS_MAIN(GateTest)
#include "gate_test.moc"

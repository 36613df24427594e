#include "bundles.h"

#include "session/load.h"
#include "session/save.h"

#include <random>

using namespace ptxwb;
using namespace ptxwb::bundle;
using namespace ptxwb::test;

namespace {

std::string seen(const Entries& entries) {
    const auto found = inspect(entries, "x");
    if (!found) return found.error().message;
    std::string text = problemsOf(*found);
    if (text.empty() && !found->part) return "cannot be read";
    return text;
}

} // namespace

/// A bundle of what an H200 has judged: its machine code is made here by the same ptxas.
class BundleTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    Entries m_unsigned, m_signed;

private slots:
    void initTestCase() {
        const auto made = approvedBundle(approvedSaxpy());
        if (!made) QSKIP("the recording's ptxas (13.0.88) is not here: its machine code cannot be made");
        m_unsigned = m_signed = *made;
        if (hasSshKeygen()) need(signBundle(m_signed, newKey(m_folder, "grace")));
    }

    void whatIsInside() {
        std::vector<std::string> paths;
        for (const Entry& entry : m_unsigned) paths.push_back(entry.path);
        QCOMPARE(paths, (std::vector<std::string>{"README.txt", "approval.json", "baseline.ptx", "candidate.ptx",
                                                  "cubin/sm_90.ptxas-13.0.88.cubin", "evidence/01.json",
                                                  "kernel/reference.cpp", "kernel/saxpy.cu", "kernel/saxpy.kernel.json",
                                                  "kernel/saxpy.sm_90.ptx", "manifest.json", "manifest.json.sha256",
                                                  "report.html", "report.json", "report.md", "samples/01.csv",
                                                  "seeds.json", "toolchain.json"}));
        QCOMPARE(seen(m_unsigned), std::string());
        QCOMPARE(seen(m_signed), std::string());
        const Inspection found = need(inspect(m_unsigned, "x"));
        QVERIFY(found.isWhole());
        QVERIFY(!found.signature);
        QCOMPARE(found.notes.size(), 1u);
        QVERIFY(review::standing(*found.part, candidateOf(*found.part).id).isApproved());
        const std::string& samples = find(m_unsigned, "samples/01.csv")->content;
        const auto rounds = std::ranges::count(samples, '\n') - 1;
        QCOMPARE(static_cast<std::size_t>(rounds), candidateOf(*found.part).judgement->result.timing->samplesUs.size());
        const std::string& report = find(m_unsigned, "report.html")->content;
        QVERIFY(report.find("approved") != std::string::npos && report.find("Grace Hopper") != std::string::npos);
    }

    /// Made again, from the session as it is saved elsewhere, it is the same bytes.
    void theSameSessionIsTheSameBytes() {
        session::Session session = approvedSaxpy();
        need(session::save(session, m_folder.filePath("a.ptxwb").toStdString()));
        const session::Session again = need(session::load(m_folder.filePath("a.ptxwb").toStdString())).session;
        const auto made = approvedBundle(again);
        QVERIFY(made.has_value());
        for (const Entry& entry : m_unsigned) {
            const Entry* const other = find(*made, entry.path);
            QVERIFY2(other, entry.path.c_str());
            // The report says which session file it is of.
            if (!entry.path.starts_with("report.") && !entry.path.starts_with("manifest"))
                QVERIFY2(other->content == entry.content, entry.path.c_str());
        }
        QCOMPARE(*approvedBundle(again), *made);
    }

    /// Every file, random bytes of it, with and without a signature: found, and named.
    void everyChangedByteIsNamed() {
        std::mt19937 random(9);
        for (const Entries& whole : {m_unsigned, m_signed})
            for (const Entry& entry : whole)
                for (int round = 0; round < 8; ++round) {
                    if (entry.content.empty()) continue;
                    Entries changed = whole;
                    std::string& content = entryOf(changed, entry.path).content;
                    const std::size_t at = round == 0 ? 0 : round == 1 ? content.size() - 1 : random() % content.size();
                    content[at] = static_cast<char>(content[at] ^ (1 << random() % 8));
                    const std::string said = seen(changed);
                    // Of a manifest and its hash, unsigned, nobody can tell which one was changed: both are named.
                    QVERIFY2(said.find(entry.path) != std::string::npos,
                             qPrintable(QString("%1 byte %2: %3")
                                            .arg(QString::fromStdString(entry.path))
                                            .arg(at)
                                            .arg(QString::fromStdString(said))));
                }
    }

    void everyFileAddedRemovedOrRenamedIsNamed() {
        for (const Entries& whole : {m_unsigned, m_signed})
            for (const Entry& entry : whole) {
                Entries changed = whole;
                std::erase_if(changed, [&](const Entry& each) { return each.path == entry.path; });
                if (entry.path != signatureFile)
                    QVERIFY2(seen(changed).find(entry.path) != std::string::npos, entry.path.c_str());
                changed.push_back({entry.path + ".renamed", entry.content});
                const std::string said = seen(changed);
                QVERIFY2(said.find(entry.path + ".renamed") != std::string::npos || entry.path == manifestFile,
                         said.c_str());
                if (entry.path == manifestFile) QVERIFY(said.find("manifest.json is missing") != std::string::npos);
                changed = whole;
                changed.push_back({entry.path + ".new", "x"});
                QCOMPARE(seen(changed), entry.path + ".new was added: the manifest does not list it\n");
                changed = whole;
                entryOf(changed, entry.path).content += ' ';
                QVERIFY2(seen(changed).find(entry.path) != std::string::npos, entry.path.c_str());
                // Two files that change places.
                const Entry& other = whole.front();
                if (other.path == entry.path) continue;
                changed = whole;
                std::swap(entryOf(changed, entry.path).content, entryOf(changed, other.path).content);
                QVERIFY2(seen(changed).find(entry.path) != std::string::npos || entry.path == manifestFile,
                         entry.path.c_str());
                QVERIFY(!seen(changed).empty());
            }
    }

    /// In the file itself, headers and padding too.
    void everyChangedByteOfTheArchiveIsSeen() {
        const std::string bytes = need(writeArchive(m_signed));
        std::mt19937 random(13);
        for (int round = 0; round < 1500; ++round) {
            std::string changed = bytes;
            const std::size_t at = random() % bytes.size();
            changed[at] = static_cast<char>(changed[at] ^ (1 << random() % 8));
            const auto read = readArchive(changed, "x");
            const std::string said = read ? seen(*read) : read.error().message;
            QVERIFY2(!said.empty(), qPrintable(QString("byte %1").arg(at)));
        }
    }

    /// Somebody who writes the manifest anew is found by what contradicts what.
    void contentThatDoesNotFitTogether_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const char* file, const char* from, const char* to, const char* said) {
            QTest::newRow(name) << file << from << to << said;
        };
        row("the PTX", "candidate.ptx", ".version", " .version", "a judgement is about another PTX");
        row("the reference", "kernel/reference.cpp", "double", "double ",
            "a judgement is about another kernel or spec");
        row("the spec", "kernel/saxpy.kernel.json", "4097", "4098", "about another kernel or spec");
        row("the target", "approval.json", "\"targets\": [\"sm_90\"],\n        \"bound\"",
            "\"targets\": [\"sm_80\"],\n        \"bound\"", "approval.json");
        row("the assembler", "evidence/01.json", "\"toolkit\": \"13.0.88\"", "\"toolkit\": \"12.8.93\"",
            "cubin/sm_90.ptxas-12.8.93.cubin is missing");
        row("the seed", "seeds.json", "\"seed\": ", "\"seed\": 1", "seeds.json does not say what the evidence says");
        row("the version", "toolchain.json", "580.159.04", "580.159.05", "toolchain.json does not say");
        row("a sample", "samples/01.csv", "\n1,", "\n1,1", "samples/01.csv does not say");
        row("a verdict", "evidence/01.json", "\"status\": \"pass\"", "\"status\": \"fail\"", "evidence/01.json");
        row("the reviewer", "approval.json", "Grace Hopper <grace", "Ada Lovelace <ada", "is an author of it");
        row("the checklist", "approval.json", "\"state\": \"met\"", "\"state\": \"open\"",
            "approval.json does not say");
        row("the baseline", "baseline.ptx", ".version", " .version", "the baseline has changed");
    }
    void contentThatDoesNotFitTogether() {
        QFETCH(QString, file);
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, said);
        Entries changed = m_unsigned;
        std::string& content = entryOf(changed, file.toStdString()).content;
        QVERIFY2(content.find(from.toStdString()) != std::string::npos, content.substr(0, 3000).c_str());
        content = QString::fromStdString(content).replace(from, to).toStdString();
        remanifest(changed);
        const std::string text = seen(changed);
        QVERIFY2(text.find(said.toStdString()) != std::string::npos, text.c_str());
    }

    /// What was changed after a decision can be bundled too, for the next look; it is no approval.
    void aWithdrawnDecisionIsTold() {
        session::Session session = approvedSaxpy();
        named(session, "vectorized").text += "// more\n";
        const auto made = approvedBundle(session);
        QVERIFY(made.has_value());
        QCOMPARE(seen(*made), std::string());
        const Inspection found = need(inspect(*made, "x"));
        QVERIFY(std::ranges::any_of(found.notes, [](const std::string& note) {
            return note.starts_with("approval withdrawn (Grace") && note.ends_with("the PTX has changed");
        }));
        QVERIFY(!judge(found, {}).isApproved());
    }

    void anotherMachineCodeIsRefused() {
        Entries changed = m_unsigned;
        entryOf(changed, "cubin/sm_90.ptxas-13.0.88.cubin").content[0] = 'x';
        remanifest(changed);
        QVERIFY(seen(changed).find("the cubin is damaged or is none") != std::string::npos);
        const auto assemble = [](const std::string&, const std::string&, const std::string&) {
            return Expected<std::string>(std::string("no cubin"));
        };
        const session::Session session = approvedSaxpy();
        QVERIFY(!makeBundle(session, "c1", "0.1.0", assemble));
    }

    void whatCannotBeBundled() {
        session::Session session = approvedSaxpy();
        const auto assemble = need(assemblerOfThisMachine());
        const auto said = [&](std::string_view id) {
            const auto made = makeBundle(session, id, "0.1.0", assemble);
            return made ? std::string() : made.error().message;
        };
        QCOMPARE(said("c99"), std::string("there is no such candidate"));
        QCOMPARE(said(session::baselineId), std::string("the baseline is nvcc's own: a bundle is of a candidate"));
        named(session, "vectorized").judgement->toolkit = "1.2.3";
        QVERIFY(said(named(session, "vectorized").id).starts_with("it was judged as ptxas 1.2.3 makes it for sm_90"));
        named(session, "vectorized").judgement->toolkit = "13.0.88";
        named(session, "vectorized").judgement->result.textSha256 = std::string(64, '0');
        QVERIFY(said(named(session, "vectorized").id).find("makes another machine code") != std::string::npos);
        session.place = session::KernelPlace::none;
        QVERIFY(said("c1").starts_with("a bundle needs a kernel spec"));
    }

    /// Nobody has judged or decided: still a bundle, to send to a reviewer.
    void aBundleWithoutAnything() {
        session::Session session = example("saxpy");
        const auto made = approvedBundle(session, "vectorized");
        QVERIFY(made.has_value());
        QCOMPARE(seen(*made), std::string());
        QVERIFY(!find(*made, "evidence/01.json"));
    }

    void whatIsNoBundle() {
        QCOMPARE(seen({}), std::string("manifest.json is missing: this is no bundle"));
        Entries other{{std::string(manifestFile), "{}"}};
        QVERIFY(seen(other).find("manifest.json") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(BundleTest)
#include "bundle_test.moc"

// Reads every shape of line that ptxas is known to write. The stories are in tests/data/toolchain/ptxas_logs.txt, input
// and expectation together; with PTXWB_REWRITE set, the expectations are written anew, and their diff is the review.
#include "support/files.h"
#include "toolchain/ptxas_log.h"

#include <QtTest>

#include <algorithm>
#include <sstream>

using namespace ptxwb;
using namespace ptxwb::toolchain;

namespace {

const std::string storiesFile = PTXWB_SOURCE_DIR "/tests/data/toolchain/ptxas_logs.txt";

std::string shown(const PtxasLog& log) {
    std::ostringstream out;
    for (const auto& e : log.entries) {
        out << "entry " << e.entry << " for " << e.arch << ": registers " << e.registers << ", barriers " << e.barriers
            << ", shared " << e.staticSharedBytes << ", stack " << e.stackBytes << ", spill " << e.spillStoreBytes
            << "/" << e.spillLoadBytes << ", cumulative " << e.cumulativeStackBytes << ", constant " << e.constantBytes;
        if (e.localBytes) out << ", local " << e.localBytes;
        if (e.textureCount) out << ", textures " << e.textureCount;
        for (const auto& [bank, bytes] : e.constantBanks) out << ", bank " << bank << " " << bytes;
        out << ", ms " << e.compileMilliseconds;
        for (const auto& other : e.other) out << ", other '" << other << "'";
        out << "\n";
    }
    for (const auto& f : log.functions)
        out << "function " << f.function << ": stack " << f.stackBytes << ", spill " << f.spillStoreBytes << "/"
            << f.spillLoadBytes << "\n";
    if (log.globalBytes) out << "global " << log.globalBytes << "\n";
    for (const auto& [bank, bytes] : log.moduleConstantBanks) out << "module bank " << bank << ": " << bytes << "\n";
    for (const auto& d : log.diagnostics) {
        out << name(d.severity) << " " << d.place.line << ": " << d.message << "\n";
        for (const auto& r : d.related) out << "  related " << r.place.line << ": " << r.message << "\n";
    }
    for (const auto& line : log.unknownLines) out << "unknown: " << line << "\n";
    return out.str();
}

struct Story {
    std::string title, log, expected;
};

std::pair<std::string, std::vector<Story>> readStories() {
    std::istringstream in(readFile(storiesFile).value());
    std::string head, line;
    std::vector<Story> stories;
    bool inExpected = false;
    while (std::getline(in, line)) {
        if (line.starts_with("=== ")) {
            stories.push_back({line.substr(4), {}, {}});
            inExpected = false;
        } else if (stories.empty())
            head += line + "\n";
        else if (line == "---")
            inExpected = true;
        else
            (inExpected ? stories.back().expected : stories.back().log) += line + "\n";
    }
    return {head, stories};
}

} // namespace

class PtxasLogTest : public QObject {
    Q_OBJECT

private slots:
    void stories() {
        auto [head, stories] = readStories();
        QVERIFY(stories.size() > 60);
        if (qEnvironmentVariableIsSet("PTXWB_REWRITE")) {
            for (const auto& story : stories)
                head += "=== " + story.title + "\n" + story.log + "---\n" + shown(parsePtxasLog(story.log));
            QVERIFY(writeFileAtomically(storiesFile, head).has_value());
            QSKIP("the expectations were written anew");
        }
        for (const auto& story : stories) {
            const auto got = shown(parsePtxasLog(story.log));
            QVERIFY2(got == story.expected,
                     ("\n=== " + story.title + "\ngot:\n" + got + "expected:\n" + story.expected).c_str());
        }
    }

    void messagesPointIntoTheText() {
        const std::string ptx =
            ".version 8.0\n.target sm_80 // comment\n.visible .entry k()\n{\n    add.f32 %f1, %f9, %f2;\n}\n";
        const auto log =
            parsePtxasLog("ptxas /tmp/x y/kernel.ptx, line 5; error   : Unknown symbol '%f9'\n"
                          "ptxas /tmp/x y/kernel.ptx, line 5; error   : Arguments mismatch for instruction 'sub'\n"
                          "ptxas fatal   : SM version specified by .target is higher than default SM version assumed\n"
                          "ptxas error   : Entry function 'k' uses too much shared data (0xea60 bytes, 0xc000 max)\n"
                          "ptxas fatal   : Missing .version directive at start of file '/tmp/x y/kernel.ptx'\n"
                          "ptxas fatal   : Ptx assembly aborted due to errors\n",
                          ptx, "k.ptx", "/tmp/x y/kernel.ptx");
        QCOMPARE(log.diagnostics.size(), std::size_t{5});
        QCOMPARE(log.diagnostics[0].place, (Place{"k.ptx", 5, 18, 3}));
        QCOMPARE(log.diagnostics[1].place, (Place{"k.ptx", 5, 5, 22}));
        QCOMPARE(log.diagnostics[2].place, (Place{"k.ptx", 2, 9, 5}));
        QCOMPARE(log.diagnostics[3].place, (Place{"k.ptx", 3, 17, 1}));
        QCOMPARE(log.diagnostics[3].message,
                 std::string("Entry function 'k' uses too much shared data (60000 bytes, 49152 max)"));
        QCOMPARE(log.diagnostics[4].message, std::string("Missing .version directive at start of file 'k.ptx'"));
        QCOMPARE(log.diagnostics[4].kind, std::string("assembler"));
        QCOMPARE(log.diagnostics[4].cause, Cause::rejected);
    }

    void repeatedMessagesAreGroupedWithTheirPlaces() {
        std::string text;
        for (int line = 1; line <= 200; ++line)
            text += "ptxas k.ptx, line " + std::to_string(line) + "; error   : Unknown symbol 'x'\n";
        text += "ptxas k.ptx, line 3; error   : Unknown symbol 'x'\n";
        const auto log = parsePtxasLog(text);
        QCOMPARE(log.diagnostics.size(), std::size_t{1});
        QCOMPARE(log.diagnostics[0].place.line, 1U);
        QCOMPARE(log.diagnostics[0].related.size(), std::size_t{50});
        QCOMPARE(log.diagnostics[0].related[1].place.line, 3U);
    }

    void anAbortAloneIsStillAnError() {
        const auto log = parsePtxasLog("ptxas fatal   : Ptx assembly aborted due to errors\n");
        QCOMPARE(log.diagnostics.size(), std::size_t{1});
        QCOMPARE(log.diagnostics[0].message, std::string("Ptx assembly aborted due to errors"));
    }
};

QTEST_APPLESS_MAIN(PtxasLogTest)
#include "ptxas_log_test.moc"

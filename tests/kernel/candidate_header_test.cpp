#include "kernel/candidate_header.h"
#include "kernel/spec_load.h"

#include "story.h"

using namespace ptxwb;
using namespace ptxwb::kernel;

namespace {
const std::vector<std::string> symbols{"n"};
std::string refusal(std::string_view ptx) {
    const auto header = readCandidateHeader(ptx, symbols, "c.ptx");
    return header ? std::string("accepted") : format(header.error(), ptx);
}
} // namespace

class CandidateHeaderTest : public QObject {
    Q_OBJECT

private slots:
    void allDirectives() {
        const auto header =
            readCandidateHeader("//@ title Four a thread\n\n// prose\n  //@ origin hand\r\n"
                                "//@ launch {\"grid\": [\"ceil_div(n, 512)\", 1], \"shared_bytes\": 64}\n"
                                "//@ require n % 4 == 0\n//@ require n > 0\n.version 8.0\n//@ nonsense\n",
                                symbols)
                .value();
        QCOMPARE_TEXT(header.title, "Four a thread");
        QCOMPARE_TEXT(header.origin, "hand");
        QCOMPARE(header.launch->grid.value()[0].expression.evaluate({{"n", 1000}}).value(), std::int64_t{2});
        QCOMPARE(header.launch->grid.value()[2].expression.evaluate({}).value(), std::int64_t{1});
        QVERIFY(!header.launch->block && !header.launch->cluster && !header.launch->cooperative);
        QCOMPARE(header.launch->sharedBytes->expression.evaluate({}).value(), std::int64_t{64});
        QCOMPARE(header.require.size(), std::size_t{2});
    }

    void severalLaunches() {
        const auto header =
            readCandidateHeader(
                "//@ launches [{\"entry\": \"a\", \"launch\": {\"grid\": [\"ceil_div(n, 8)\"], \"block\": "
                "[8]}, \"arguments\": [\"x\"]}, {\"entry\": \"b\", \"launch\": {\"grid\": [1], \"block\": "
                "[32], \"shared_bytes\": 64}, \"arguments\": [\"x\", \"y\"]}]\n",
                symbols)
                .value();
        const auto& steps = header.launch.value().steps;
        QCOMPARE(steps.size(), std::size_t{2});
        QCOMPARE_TEXT(steps[1].entry, "b");
        QCOMPARE(steps[0].launch.grid[0].expression.evaluate({{"n", 9}}).value(), std::int64_t{2});
        QCOMPARE(steps[1].launch.sharedBytes.expression.evaluate({}).value(), std::int64_t{64});
        QVERIFY((steps[1].arguments == std::vector<std::string>{"x", "y"}));
        KernelSpec spec;
        spec.launches.resize(3);
        QCOMPARE(launchSteps(spec, nullptr).size(), std::size_t{3});
        QCOMPARE(launchSteps(spec, &*header.launch).size(), std::size_t{2});
    }

    void none() {
        const auto header = readCandidateHeader(".version 8.0\n//@ title late\n", symbols).value();
        QVERIFY(header.title.empty() && header.require.empty() && !header.launch);
        QVERIFY(readCandidateHeader("", symbols));
    }

    void refusals() {
        QCOMPARE_TEXT(refusal("//@ tilte x\n"), "c.ptx:1:11: error: unknown directive \"//@ tilte\"\n    //@ tilte x\n "
                                                "             ^\nhint: did you mean \"//@ title\"?\n");
        QCOMPARE_TEXT(refusal("// a\n//@ require n % = 4\n"),
                      "c.ptx:2:17: error: //@ require: a single = compares nothing in \"n % = 4\" at column 5\n    //@ "
                      "require n % = 4\n                    ^\nhint: write ==\n");
        QCOMPARE_TEXT(refusal("//@ require\n"), "c.ptx:1:5: error: \"//@ require\" says nothing\n    //@ require\n     "
                                                "   ^\nhint: write it on the same line, or remove the line\n");
        QCOMPARE_TEXT(refusal("//@ launch {\"blok\": [1]}\n"),
                      "c.ptx:1:13: error: //@ launch: unknown key \"blok\"\n    //@ launch {\"blok\": [1]}\n           "
                      "     ^^^^^^\nhint: did you mean \"block\"?\n");
        QCOMPARE_TEXT(
            refusal("//@ launch {\"block\": [\"m\"]}\n"),
            "c.ptx:1:24: error: //@ launch: block[0]: unknown symbol m in \"m\" at column 1\n    //@ launch "
            "{\"block\": [\"m\"]}\n"
            "                           ^\nhint: known symbols: n, sm_count, max_blocks_per_sm, ceil_div, min, max\n");
        QCOMPARE_TEXT(
            refusal("//@ launch {\"block\": [1\n"),
            "c.ptx:1:24: error: //@ launch: not JSON: unexpected end of input; expected ']' (while parsing array)\n    "
            "//@ launch {\"block\": [1\n"
            "                           ^\nhint: e.g. //@ launch {\"grid\": [64, 1, 1], \"block\": [128, 1, 1]}\n");
        QCOMPARE_TEXT(refusal("//@ launch {}\n//@ launch {}\n"),
                      "c.ptx:2:12: error: a second \"//@ launch\"\n    //@ launch {}\n               ^^\nhint: one "
                      "line holds all keys\n");
        const auto header = readCandidateHeader("//@ x\n", symbols);
        QCOMPARE(header.error().cause, Cause::rejected);
        QCOMPARE_TEXT(header.error().kind, "launch");
    }

    void bundledCandidates() {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(test::examplesFolder())) {
            if (entry.path().extension() != ".ptx") continue;
            const bool isCandidate = entry.path().parent_path().filename() == "candidates";
            const auto folder = isCandidate ? entry.path().parent_path().parent_path() : entry.path().parent_path();
            const auto kernel = orFirstError(loadKernel(findKernel(folder.string(), {}).value())).value();
            const auto header =
                readCandidateHeader(readFile(entry.path()).value(), symbolNames(kernel.spec), entry.path().string());
            if (!header) QFAIL(format(header.error()).c_str());
            if (isCandidate) QVERIFY2(!header->title.empty(), entry.path().c_str());
        }
    }
};

QTEST_APPLESS_MAIN(CandidateHeaderTest)
#include "candidate_header_test.moc"

// What was judged before is found again by everything that it depends on, and by nothing less.
#include "verify/result_cache.h"

#include "support/files.h"
#include "verify/context.h"
#include "verify/oracle.h"

#include <QTest>
#include <set>

using namespace ptxwb;
using namespace ptxwb::verify;

namespace {

VerifyReport report(std::initializer_list<std::pair<Stage, Status>> stages) {
    CandidateResult result;
    result.candidate = "fast";
    for (const auto& [stage, status] : stages) result.stages.push_back({stage, status, "emulator", {}, 1.5, {}, 3});
    result.verdict = foldVerdict(result.stages);
    VerifyReport report{"saxpy", "sm_90", "13.0.88", 7, {}};
    report.results.push_back(std::move(result));
    return report;
}

VerifyReport passing() {
    return report({{Stage::parse, Status::pass},
                   {Stage::assemble, Status::pass},
                   {Stage::function, Status::pass},
                   {Stage::stress, Status::pass},
                   {Stage::sanitize, Status::pass}});
}

VerifyInput input() {
    VerifyInput input;
    input.kernel.spec.name = "saxpy";
    input.kernel.files["saxpy.cu"] = "__global__ void saxpy();";
    input.candidate = CandidateText{"fast", "fast.ptx", ".version 8.0"};
    return input;
}

std::string keyOf(const VerifyInput& input, const Machine& machine = {}, std::uint64_t seed = 1) {
    const auto cache = std::make_shared<OracleCache>();
    return resultKey(Context{input, machine, *cache, seed, {}, {}});
}

} // namespace

class ResultCacheTest : public QObject {
    Q_OBJECT

private slots:
    void whatWasKeptIsFound() {
        const auto folder = TemporaryFolder::create();
        const ResultCache cache(folder->path());
        QVERIFY(!cache.find("a"));
        cache.keep("a", passing());
        const auto found = cache.find("a");
        QVERIFY(found.has_value());
        QCOMPARE(found->seed, std::uint64_t{7});
        QCOMPARE(found->results.front().verdict, Verdict::pass);
        QCOMPARE(found->results.front().stages.size(), std::size_t{5});
        QVERIFY(!cache.find("b"));
    }

    void timesAreNotKept() {
        const auto folder = TemporaryFolder::create();
        const ResultCache cache(folder->path());
        VerifyReport timed = passing();
        timed.results.front().stages.push_back({Stage::benchmark, Status::pass, "gpu", {}, 3, {}, 40});
        timed.results.front().timing = Timing{};
        timed.results.front().speedup = Speedup{};
        cache.keep("a", timed);
        const CandidateResult found = cache.find("a")->results.front();
        QVERIFY(!find(found.stages, Stage::benchmark));
        QVERIFY(!found.timing && !found.speedup);
    }

    void whatDependedOnTheMomentIsNotKept() {
        const auto folder = TemporaryFolder::create();
        const ResultCache cache(folder->path());
        cache.keep("inconclusive", report({{Stage::parse, Status::pass}, {Stage::function, Status::inconclusive}}));
        QVERIFY(!cache.find("inconclusive"));
        VerifyReport late = report({{Stage::parse, Status::pass}, {Stage::function, Status::fail}});
        late.results.front().stages.back().findings.emplace_back().kind = FindingKind::timeout;
        cache.keep("late", late);
        QVERIFY(!cache.find("late"));
        late.results.front().stages.back().findings.front().kind = FindingKind::mismatch;
        cache.keep("wrong", late);
        QVERIFY(cache.find("wrong").has_value());
    }

    void aDamagedEntryIsNone() {
        const auto folder = TemporaryFolder::create();
        const ResultCache cache(folder->path());
        cache.keep("a", passing());
        QVERIFY(writeFileAtomically(folder->path() / "results" / "a.json", "{\"schema\": 1, \"results\": ["));
        QVERIFY(!cache.find("a"));
        ResultCache({}).keep("a", passing()); // no place: nothing happens
        QVERIFY(!ResultCache({}).find("a"));
    }

    void theKeyFollowsAllThatCounts() {
        std::set<std::string> keys;
        const auto differs = [&](const VerifyInput& changed, const Machine& machine = {}, std::uint64_t seed = 1) {
            QVERIFY(keys.insert(keyOf(changed, machine, seed)).second);
        };
        differs(input());
        QVERIFY(!keys.insert(keyOf(input())).second); // the same again
        VerifyInput other = input();
        other.candidate->text += "\n";
        differs(other);
        other = input();
        other.candidate.reset();
        differs(other);
        other = input();
        other.kernel.files["saxpy.cu"] += " ";
        differs(other);
        other = input();
        other.kernel.spec.deterministic = !other.kernel.spec.deterministic;
        differs(other);
        for (auto change : std::initializer_list<void (*)(Plan&)>{
                 [](Plan& p) { p.stages = {Stage::parse}; }, [](Plan& p) { p.architectures = {"sm_80"}; },
                 [](Plan& p) { p.reference = ReferenceTrust::granted; }, [](Plan& p) { p.deep = true; },
                 [](Plan& p) { p.rebuildBaseline = true; }, [](Plan& p) { p.instructionLimit = 5; },
                 [](Plan& p) { p.backend = Backend::emulator; }}) {
            other = input();
            change(other.plan);
            differs(other);
        }
        differs(input(), {}, 2);
        Machine tools;
        tools.tools.toolkits.emplace_back().version = "13.0.88";
        differs(input(), tools);
        tools.tools.toolkits.front().version = "13.1.10";
        differs(input(), tools);
    }

    void howLongToMeasureDoesNotCount() {
        VerifyInput other = input();
        other.plan.benchmarkSeconds = 9;
        QCOMPARE(keyOf(other), keyOf(input()));
    }
};

QTEST_APPLESS_MAIN(ResultCacheTest)
#include "result_cache.moc"

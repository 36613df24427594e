#include "verify/run_plan.h"

#include "verify/stage_findings.h"

#include <QtTest>
#include <algorithm>
#include <set>

using namespace ptxwb;
using namespace ptxwb::verify;

namespace {

std::vector<kernel::Symbols> sizes(std::initializer_list<std::int64_t> values) {
    std::vector<kernel::Symbols> list;
    for (const std::int64_t n : values) list.push_back({{"n", n}});
    return list;
}

kernel::KernelSpec specWith(kernel::ElementType type, std::optional<kernel::Fill> fill = std::nullopt) {
    kernel::KernelSpec spec;
    spec.symbols.push_back({"n", {}, {}, {}});
    kernel::Argument& x = spec.arguments.emplace_back();
    x.name = "x";
    x.kind = kernel::ArgumentKind::buffer;
    x.type = type;
    x.fill = fill;
    return spec;
}

} // namespace

class RunPlanTest : public QObject {
    Q_OBJECT

private slots:
    void functionTakesEachSizeOnce() {
        const auto runs = functionRuns(sizes({1, 33, 1000}), 7);
        QCOMPARE(runs.size(), std::size_t{3});
        for (const PlannedRun& run : runs) QVERIFY(run.seed == 7 && !run.fill && !run.repeat && run.schedule == 0);
    }

    void stressCoversWhatVerificationAsksFor() {
        const auto list = sizes({0, 1, 31, 32, 33, 4097});
        const auto runs = stressRuns(specWith(kernel::ElementType::f32), list, 7);
        for (const kernel::Symbols& size : list)
            QVERIFY(std::ranges::any_of(runs, [&](const PlannedRun& run) { return run.sizes == size && !run.fill; }));
        const auto any = [&](auto what) { return std::ranges::any_of(runs, what); };
        QVERIFY2(any([](const PlannedRun& run) { return run.poison == kernel::Poison::second; }), "a second poison");
        QVERIFY2(any([](const PlannedRun& run) { return run.seed != 7; }), "a second seed");
        QVERIFY2(any([](const PlannedRun& run) { return run.schedule != 0; }), "another order of warps");
        QVERIFY2(any([](const PlannedRun& run) { return run.repeat && run.sizes.at("n") == 4097; }),
                 "a repeat at the largest size");
        std::set<kernel::FillKind> fills;
        for (const PlannedRun& run : runs)
            if (run.fill) fills.insert(*run.fill);
        QVERIFY(fills.contains(kernel::FillKind::zeros) && fills.contains(kernel::FillKind::cancelling) &&
                fills.contains(kernel::FillKind::uniform) && fills.contains(kernel::FillKind::negative));
        for (const auto& [fill, purpose] :
             {std::pair(kernel::FillKind::wide, "magnitudes"), std::pair(kernel::FillKind::denormal, "subnormals"),
              std::pair(kernel::FillKind::special, "special_values"),
              std::pair(kernel::FillKind::isolated, "special_values")})
            QVERIFY2(any([&](const PlannedRun& run) { return run.fill == fill && run.purpose == purpose; }), purpose);
    }

    void inputsThatTheKernelMayRelyOnStay() {
        const auto runsOf = [](const kernel::KernelSpec& spec) { return stressRuns(spec, sizes({1, 2, 3}), 7); };
        const auto hasFill = [](const std::vector<PlannedRun>& runs) {
            return std::ranges::any_of(runs, [](const PlannedRun& run) { return run.fill.has_value(); });
        };
        kernel::Fill bounded;
        bounded.kind = kernel::FillKind::uniform;
        bounded.low = 0.5;
        bounded.high = 2;
        QVERIFY(hasFill(runsOf(specWith(kernel::ElementType::f32))));
        // The two ends of what the spec names are inputs too.
        for (const PlannedRun& run : runsOf(specWith(kernel::ElementType::f32, bounded)))
            QVERIFY(!run.fill || ((*run.fill == kernel::FillKind::zeros || *run.fill == kernel::FillKind::ones) &&
                                  run.purpose == "fills"));
        QVERIFY(hasFill(runsOf(specWith(kernel::ElementType::f32, bounded))));
        kernel::Fill whole;
        whole.kind = kernel::FillKind::iota;
        QVERIFY(!hasFill(runsOf(specWith(kernel::ElementType::f32, whole))));
    }

    void sanitizeTakesFunctionAndTheSmallerHalf() {
        const auto runs = sanitizeRuns(sizes({1, 100}), sizes({4097, 0, 1, 31}), 7);
        std::vector<std::int64_t> got;
        for (const PlannedRun& run : runs) got.push_back(run.sizes.at("n"));
        QCOMPARE(got, (std::vector<std::int64_t>{1, 100, 0}));
    }

    void findingsAreGatheredOnceWithTheirFirstRun() {
        const kernel::KernelSpec spec = specWith(kernel::ElementType::f32);
        StageFindings collector(2);
        const auto finding = [](FindingKind kind, std::uint32_t line) {
            Finding f;
            f.kind = kind;
            f.line = line;
            return f;
        };
        const auto runs = functionRuns(sizes({1, 33}), 7);
        kernel::Symbols withDevice = runs[0].sizes;
        withDevice["sm_count"] = 8;
        collector.add(finding(FindingKind::race, 4), spec, {withDevice, {}, 7, {}, 0, false});
        collector.add(finding(FindingKind::race, 4), spec, runs[1]);
        collector.add(finding(FindingKind::race, 5), spec, runs[1]);
        collector.add(finding(FindingKind::race, 6), spec, runs[1]); // over the limit
        collector.add(finding(FindingKind::race, 6), spec, runs[1]);
        QVERIFY(collector.anyFault());
        const auto found = collector.take();
        QCOMPARE(found.size(), std::size_t{2});
        QCOMPARE(found[0].occurrences, std::uint64_t{2});
        QVERIFY((found[0].set == std::map<std::string, std::int64_t>{{"n", 1}})); // the spec's symbols only
        QCOMPARE(found[0].fill, std::string("normal"));
        QCOMPARE(found[1].set.at("n"), std::int64_t{33});
    }

    void unsupportedIsNoFault() {
        StageFindings collector(8);
        Finding unsupported;
        unsupported.kind = FindingKind::unsupported;
        collector.add(unsupported, specWith(kernel::ElementType::f32), {});
        QVERIFY(!collector.anyFault());
        QVERIFY(collector.has(FindingKind::unsupported));
    }
};

QTEST_APPLESS_MAIN(RunPlanTest)
#include "run_plan.moc"

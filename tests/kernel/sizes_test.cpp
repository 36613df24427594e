#include "kernel/sizes.h"

#include "compare_text.h"

using namespace ptxwb;
using namespace ptxwb::kernel;

namespace {

KernelSpec specWith(std::vector<SymbolSizes> symbols, const std::vector<std::string>& require = {}) {
    KernelSpec spec;
    spec.symbols = std::move(symbols);
    const auto names = symbolNames(spec);
    for (const auto& condition : require) spec.require.push_back(Expression::compile(condition, names).value());
    return spec;
}

std::vector<std::string> described(const Expected<std::vector<Symbols>>& list) {
    std::vector<std::string> result;
    for (const auto& symbols : list.value()) result.push_back(describe(symbols));
    return result;
}

} // namespace

class SizesTest : public QObject {
    Q_OBJECT

private slots:
    void oneSymbolIsItsList() {
        const auto spec = specWith({{"n", {1, 33, 1000}, {0, 7}, {4096}}});
        QCOMPARE(described(sizes(spec, Use::function)), (std::vector<std::string>{"n = 1", "n = 33", "n = 1000"}));
        QCOMPARE(described(sizes(spec, Use::stress)), (std::vector<std::string>{"n = 0", "n = 7"}));
        QCOMPARE(described(sizes(spec, Use::benchmark)), (std::vector<std::string>{"n = 4096"}));
    }

    void fewCombinationsAreAllTaken() {
        const auto spec = specWith({{"m", {1, 2}, {}, {}}, {"n", {5, 6, 7}, {}, {}}});
        QCOMPARE(described(sizes(spec, Use::function)),
                 (std::vector<std::string>{"m = 1, n = 5", "m = 1, n = 6", "m = 1, n = 7", "m = 2, n = 5",
                                           "m = 2, n = 6", "m = 2, n = 7"}));
        QCOMPARE(sizes(spec, Use::stress).value().size(), std::size_t{6}); // falls back to function
    }

    void manyAreCoveredWithTheirExtremes() {
        const std::vector<std::int64_t> list{16, 1, 33, 64, 7};
        const auto spec = specWith({{"k", list, {}, {}}, {"m", list, {}, {}}, {"n", list, {}, {}}});
        const auto chosen = sizes(spec, Use::function).value();
        QVERIFY(chosen.size() <= 24);
        for (const auto& name : {"k", "m", "n"})
            for (const auto value : list)
                QVERIFY(std::ranges::any_of(chosen, [&](const Symbols& s) { return s.find(name)->second == value; }));
        for (const std::int64_t k : {1, 64})
            for (const std::int64_t m : {1, 64})
                for (const std::int64_t n : {1, 64})
                    QVERIFY(std::ranges::find(chosen, Symbols{{"k", k}, {"m", m}, {"n", n}}) != chosen.end());
        QCOMPARE(described(sizes(spec, Use::function)), described(sizes(spec, Use::function)));
        SizesOptions few;
        few.limit = 6;
        QCOMPARE(sizes(spec, Use::function, few).value().size(), std::size_t{6});
    }

    void hugeProductsAreBoundedToo() {
        std::vector<SymbolSizes> symbols;
        std::vector<std::int64_t> list;
        for (std::int64_t i = 0; i < 12; ++i) list.push_back(i * i);
        for (const auto* name : {"a", "b", "c", "d", "e", "f"}) symbols.push_back({name, list, {}, {}});
        const auto chosen = sizes(specWith(symbols), Use::function).value();
        QCOMPARE(chosen.size(), std::size_t{24});
        for (const auto value : list)
            QVERIFY(std::ranges::any_of(chosen, [&](const Symbols& s) { return s.find("f")->second == value; }));
    }

    void requirementsFilterBeforeTheChoice() {
        const auto spec =
            specWith({{"m", {1, 2, 3, 4, 5, 6}, {}, {}}, {"n", {1, 2, 3, 4, 5, 6}, {}, {}}}, {"m != n", "m + n < 11"});
        const auto chosen = sizes(spec, Use::function).value();
        for (const auto& s : chosen) QVERIFY(s.at("m") != s.at("n") && s.at("m") + s.at("n") < 11);
        for (std::int64_t value = 1; value <= 6; ++value)
            QVERIFY(std::ranges::any_of(chosen, [&](const Symbols& s) { return s.at("n") == value; }));
    }

    void aCandidateNarrows() {
        const auto spec = specWith({{"n", {1, 4, 6, 8}, {}, {}}});
        const std::vector<std::string> names{"n"};
        const std::vector<Expression> own{Expression::compile("n % 4 == 0", names).value()};
        SizesOptions options;
        options.require = own;
        QCOMPARE(described(sizes(spec, Use::function, options)), (std::vector<std::string>{"n = 4", "n = 8"}));
    }

    void noneIsLeft() {
        const auto spec = specWith({{"n", {1, 33}, {}, {}}}, {"n % 128 == 0", "n > 0"});
        const auto none = sizes(spec, Use::function);
        QVERIFY(!none);
        QCOMPARE_TEXT(
            none.error().message,
            "no function size satisfies \"n % 128 == 0\" and \"n > 0\": of 2 combinations none is left; n = 1 "
            "violates \"n % 128 == 0\"");
        QCOMPARE_TEXT(none.error().hint, "add sizes to \"function\" that satisfy them");
    }

    void aRequirementThatCannotBeComputed() {
        const auto broken = sizes(specWith({{"n", {0}, {}, {}}}, {"8 % n == 0"}), Use::function);
        QVERIFY(!broken);
        QCOMPARE_TEXT(broken.error().message, "require: division by zero in \"8 % n == 0\" at column 3 (n = 0)");
    }

    void benchmarkGoesByPosition() {
        const auto spec = specWith({{"k", {1}, {}, {64}}, {"m", {1}, {}, {1024, 2048}}, {"n", {1}, {}, {10, 20}}});
        QCOMPARE(described(sizes(spec, Use::benchmark)),
                 (std::vector<std::string>{"k = 64, m = 1024, n = 10", "k = 64, m = 2048, n = 20"}));
        QVERIFY(sizes(specWith({{"n", {1}, {}, {}}}), Use::benchmark).value().empty());
    }

    void withoutSymbolsThereIsOneRun() {
        SizesOptions options;
        options.builtins = {{"sm_count", 132}};
        for (const auto use : {Use::function, Use::stress, Use::benchmark})
            QCOMPARE(described(sizes(specWith({}), use, options)), std::vector<std::string>{"sm_count = 132"});
    }

    void benchmarkSizesAloneAreNoTest() {
        const auto none = sizes(specWith({{"n", {}, {}, {1 << 26}}}), Use::stress);
        QVERIFY(!none);
        QCOMPARE_TEXT(none.error().message, "symbols.n: there are only benchmark sizes");
    }

    void drawnSizesAreNewAndInside() {
        const auto spec = specWith({{"n", {1, 33}, {0, 4097}, {}}}, {"n % 3 != 1"});
        const auto drawn = drawnSizes(spec, 7, 5).value();
        QCOMPARE(drawn.size(), std::size_t{5});
        for (const auto& s : drawn) {
            const auto n = s.at("n");
            QVERIFY(n >= 0 && n <= 4097 && n % 3 != 1 && n != 1 && n != 33 && n != 0 && n != 4097);
        }
        QCOMPARE(drawnSizes(spec, 7, 5).value(), drawn);
        QVERIFY(drawnSizes(spec, 8, 5).value() != drawn);
        QVERIFY(drawnSizes(specWith({{"n", {5}, {}, {}}}), 1, 3).value().empty());
        QVERIFY(drawnSizes(specWith({}), 1, 3).value().empty());
    }

    void edgesOfTheWork() {
        using Values = std::vector<std::int64_t>;
        const auto edgesFor = [&](const std::vector<std::string>& require, std::size_t count) {
            auto spec = specWith({{"n", {5, 64}, {100, 1000, 960}, {}}}, require);
            const auto names = symbolNames(spec);
            spec.launch.grid[0] = {Expression::compile("ceil_div(n, 96)", names).value(), false, {}};
            spec.launch.block[0] = Formula::constant(32);
            const auto edges = edgeSizes(spec, nullptr, count);
            if (!edges) qFatal("%s", edges.error().message.c_str());
            Values values;
            for (const Symbols& symbols : *edges) values.push_back(symbols.at("n"));
            return values;
        };
        QCOMPARE(edgesFor({}, 8), (Values{0, 1, 97, 95, 96, 33, 31, 32}));
        QCOMPARE(edgesFor({}, 10), (Values{0, 1, 97, 95, 96, 33, 31, 32, 997, 431})); // primes, none over 1000
        QCOMPARE(edgesFor({"n % 32 == 0", "n > 0"}, 8), (Values{96, 32, 288}));
    }

    /// One symbol moves at a time, and no edge means more work than the lists do.
    void edgesStayWithinTheWorkOfTheLists() {
        auto spec = specWith({{"k", {7}, {}, {}}, {"m", {2, 400}, {}, {}}, {"n", {300, 3}, {}, {}}});
        const auto edges = edgeSizes(spec, nullptr, 100);
        QVERIFY(edges && !edges->empty());
        for (const Symbols& symbols : *edges) {
            QCOMPARE(symbols.at("k"), std::int64_t{7}); // one value in all lists: a constant with a name
            QVERIFY(extentOf(spec, symbols) <= 401.0 * 301 * 8);
        }
        QVERIFY(edgeSizes(specWith({}), nullptr, 9)->empty());
    }
};

QTEST_APPLESS_MAIN(SizesTest)
#include "sizes_test.moc"

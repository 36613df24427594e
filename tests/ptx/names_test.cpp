// Scopes, ranges, shadowing and forward labels of the name table.
#include "ptx/names.h"

#include <QtTest>

using namespace ptxwb::ptx;

namespace {

const auto nothing = [](Index, Index) {};

/// "reg 3", or "none".
std::string seen(const Names& names, std::string_view name) {
    static constexpr const char* kinds[] = {"reg",      "parameter", "result", "variable", "moduleVariable",
                                            "function", "label"};
    const auto found = names.find(name);
    return found ? std::string(kinds[static_cast<int>(found->kind)]) + ' ' + std::to_string(found->index) : "none";
}

} // namespace

class NamesTest : public QObject {
    Q_OBJECT

private slots:
    void rangesAndTheirNumbers() {
        Names names;
        names.declareRange("%r", 10, 100, {});
        QCOMPARE(seen(names, "%r0"), std::string("reg 100"));
        QCOMPARE(seen(names, "%r9"), std::string("reg 109"));
        QCOMPARE(seen(names, "%r01"), std::string("reg 101")); // as ptxas reads it
        QCOMPARE(seen(names, "%r10"), std::string("none"));
        QCOMPARE(seen(names, "%r"), std::string("none"));
        QCOMPARE(seen(names, "%r99999999999999999999"), std::string("none"));
        QCOMPARE(seen(names, "%s1"), std::string("none"));
    }

    void innerRangesHideNameByName() {
        Names names;
        names.declareRange("%r", 6, 0, {});
        names.open();
        names.declareRange("%r", 3, 50, {});
        QCOMPARE(seen(names, "%r2"), std::string("reg 52"));
        QCOMPARE(seen(names, "%r3"), std::string("reg 3"));
        names.open();
        names.declare("%r2", NameKind::reg, 70, {});
        QCOMPARE(seen(names, "%r2"), std::string("reg 70"));
        QCOMPARE(seen(names, "%r1"), std::string("reg 51"));
        names.close(nothing);
        QCOMPARE(seen(names, "%r2"), std::string("reg 52"));
        names.close(nothing);
        QCOMPARE(seen(names, "%r2"), std::string("reg 2"));
    }

    void innerRangeHidesAnOuterName() {
        Names names;
        names.declare("%r2", NameKind::reg, 7, {});
        names.open();
        names.declareRange("%r", 5, 20, {});
        QCOMPARE(seen(names, "%r2"), std::string("reg 22"));
        names.close(nothing);
        QCOMPARE(seen(names, "%r2"), std::string("reg 7"));
        QCOMPARE(seen(names, "%r1"), std::string("none"));
    }

    void conflictsAreOfOneScope() {
        Names names;
        names.declareRange("%r", 4, 0, {});
        names.declare("a", NameKind::variable, 0, {});
        QVERIFY(names.conflict("%r3"));
        QVERIFY(!names.conflict("%r4"));
        QVERIFY(names.conflict("a"));
        QVERIFY(names.rangeConflict("%r", 1));
        names.declare("%s5", NameKind::reg, 9, {});
        QVERIFY(names.rangeConflict("%s", 6));
        QVERIFY(!names.rangeConflict("%s", 5));
        names.open();
        QVERIFY(!names.conflict("a"));
        QVERIFY(!names.conflict("%r3"));
        QVERIFY(!names.rangeConflict("%r", 4));
        QVERIFY(!names.rangeConflict("%s", 9));
    }

    void labelsAreBoundWhereTheirScopeCloses() {
        Names names;
        std::vector<std::pair<Index, Index>> bound;
        const auto bind = [&](Index tag, Index label) { bound.emplace_back(tag, label); };
        names.open();
        names.park("L", 1, {}); // outer L, below
        names.open();
        names.park("L", 2, {}); // inner L
        names.declare("L", NameKind::label, 20, {});
        names.park("M", 3, {}); // outer M
        names.close(bind);
        QCOMPARE(bound, (std::vector<std::pair<Index, Index>>{{2, 20}}));
        names.declare("L", NameKind::label, 10, {});
        names.declare("M", NameKind::label, 11, {});
        names.open();
        names.park("N", 4, {}); // of nobody
        names.close(bind);
        bound.clear();
        names.close(bind);
        std::sort(bound.begin(), bound.end());
        QCOMPARE(bound, (std::vector<std::pair<Index, Index>>{{1, 10}, {3, 11}}));
        const auto left = names.takeUnbound();
        QCOMPARE(left.size(), std::size_t{1});
        QCOMPARE(left[0].tag, Index{4});
        QVERIFY(names.takeUnbound().empty());
    }

    void aLabelOfAnInnerScopeIsNotSeenOutside() {
        Names names;
        unsigned bound = 0;
        names.open();
        names.park("L", 1, {});
        names.open();
        names.declare("L", NameKind::label, 0, {});
        names.close([&](Index, Index) { ++bound; });
        names.close([&](Index, Index) { ++bound; });
        QCOMPARE(bound, 0u);
        QCOMPARE(names.takeUnbound().size(), std::size_t{1});
    }

    void manyNames() {
        Names names;
        std::vector<std::string> all;
        for (int i = 0; i < 20000; ++i) all.push_back("name_" + std::to_string(i) + "_x");
        for (Index i = 0; i < all.size(); ++i) names.declare(all[i], NameKind::variable, i, {});
        for (Index i = 0; i < all.size(); ++i) QCOMPARE(names.find(all[i])->index, i);
    }

    void stems() {
        QCOMPARE(stemLength("%r12"), std::size_t{2});
        QCOMPARE(stemLength("%r"), std::size_t{2});
        QCOMPARE(stemLength("a1b"), std::size_t{3});
    }
};

QTEST_APPLESS_MAIN(NamesTest)
#include "names_test.moc"

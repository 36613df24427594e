// The race shadow alone: who is ordered with whom.
#include "emulator/race_shadow.h"

#include <QTest>
#include <algorithm>
#include <tuple>

using namespace ptxwb::emulator;
using Kind = RaceShadow::Kind;

namespace {

/// A block of 64 bytes of shared memory whose accesses are of one cell, and what each of them raced with:
/// "write of 0:3 at 100" (warp, lane and place of the earlier one), or nothing.
class Accesses {
public:
    explicit Accesses(std::uint32_t warps, std::uint32_t granule = 4) : m_granule(granule) {
        shadow.startBlock(warps, 64, granule);
    }
    QString read(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset, std::uint32_t place,
                 Kind kind = Kind::plain) {
        return told(shadow.read(warp, lane, offset, m_granule, place, kind));
    }
    QString write(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset, std::uint32_t place,
                  Kind kind = Kind::plain) {
        return told(shadow.write(warp, lane, offset, m_granule, place, kind));
    }

    RaceShadow shadow;

private:
    static QString told(const EarlierAccess& e) {
        if (!e.isRace) return {};
        return QStringLiteral("%1 of %2:%3 at %4")
            .arg(e.wasWrite ? QStringLiteral("write") : QStringLiteral("read"))
            .arg(e.warp)
            .arg(e.lane)
            .arg(e.place);
    }
    std::uint32_t m_granule;
};

const QString noRace;

} // namespace

class RaceShadowTest : public QObject {
    Q_OBJECT

private slots:
    void writeThenReadOfAnotherWarp() {
        Accesses block(2);
        QCOMPARE(block.write(0, 3, 8, 100), noRace);
        QCOMPARE(block.read(1, 5, 8, 200), "write of 0:3 at 100");
    }
    void barrierOrders() {
        Accesses block(2);
        block.write(0, 3, 8, 100);
        block.shadow.barrier(0b11);
        QCOMPARE(block.read(1, 5, 8, 200), noRace);
        // The next write needs another barrier: write after read.
        QCOMPARE(block.write(0, 3, 8, 300), "read of 1:5 at 200");
    }
    void barrierOfSomeOrdersOnlyThose() {
        Accesses block(3);
        block.write(0, 0, 0, 1);
        block.shadow.barrier(0b011);
        QCOMPARE(block.read(1, 0, 0, 2), noRace);
        QCOMPARE(block.read(2, 0, 0, 3), "write of 0:0 at 1");
        // What warp 1 knows passes on.
        block.shadow.barrier(0b110);
        QCOMPARE(block.read(2, 0, 0, 4), noRace);
    }
    void lanesOfOneWarpNeedWarpBarrier() {
        Accesses block(1);
        block.write(0, 1, 4, 1);
        QCOMPARE(block.read(0, 1, 4, 2), noRace);
        QCOMPARE(block.read(0, 2, 4, 3), "write of 0:1 at 1");
        block.shadow.warpBarrier(0);
        QCOMPARE(block.read(0, 3, 4, 4), noRace);
    }
    void readsOfSeveralLanesAreKept() {
        Accesses block(1);
        block.write(0, 0, 0, 1);
        block.shadow.warpBarrier(0);
        block.read(0, 4, 0, 2);
        block.shadow.synchronise(0, 32); // advances the clock, orders nothing inside the warp
        block.read(0, 5, 0, 3);
        // Lane 4's read is not forgotten; which of the readers is named is open.
        QVERIFY(block.write(0, 5, 0, 4).startsWith("read of 0:"));
    }
    void neighbouringBytesAreNoRace() {
        Accesses block(2, 1);
        block.write(0, 0, 0, 1);
        QCOMPARE(block.write(1, 0, 1, 2), noRace);
        QVERIFY(block.shadow.read(1, 0, 0, 2, 3, Kind::plain).isRace);
    }
    void strongAccessesDoNotRaceWithEachOther() {
        Accesses block(2);
        block.write(0, 0, 0, 1, Kind::strong);
        QCOMPARE(block.write(1, 0, 0, 2, Kind::strong), noRace);
        QCOMPARE(block.read(0, 0, 0, 3), "write of 1:0 at 2");
    }
    void flagOrders() {
        Accesses block(2);
        block.write(0, 0, 0, 1);         // the data
        block.shadow.synchronise(0, 32); // the flag, set
        block.shadow.synchronise(1, 32); // the flag, seen
        QCOMPARE(block.read(1, 0, 0, 2), noRace);
    }
    void blocksAreApart() {
        RaceShadow s;
        s.startBlock(2, 64, 4);
        s.write(0, 0, 0, 4, 1, Kind::plain);
        QVERIFY(s.wasWritten(0, 4));
        QVERIFY(!s.wasWritten(0, 8));
        s.startBlock(2, 64, 4);
        QVERIFY(!s.wasWritten(0, 4));
        QVERIFY(!s.write(1, 0, 0, 4, 2, Kind::plain).isRace);
    }
    void unwrittenCellsAreLeftToTheCaller() {
        RaceShadow s;
        s.startBlock(1, 256, 4);
        RaceShadow::LaneCells lanes{0xFF, 1, {}, 0, 15};
        for (unsigned lane = 0; lane < 32; ++lane) lanes.cells[lane] = lane / 2;
        QVERIFY(!s.readAll(0, lanes, 1));
        QCOMPARE(s.readLanes(0, lanes, 1), 0xFFU);
        s.write(0, 9, 4, 4, 1, Kind::plain);
        s.warpBarrier(0);
        QVERIFY(!s.readAll(0, lanes, 2));
        QCOMPARE(s.readLanes(0, lanes, 2), 0xF3U); // lanes 2 and 3 read cell 1
        QVERIFY(s.write(0, 2, 4, 4, 3, Kind::plain).isRace);
    }
    // All lanes at once are the same as one by one: rows, broadcasts, strides, wide accesses, some of the lanes.
    void allLanesAgreeWithEach() {
        unsigned recorded = 0, refused = 0, inPart = 0;
        for (unsigned seed = 1; seed <= 400; ++seed) {
            RaceShadow together, apart;
            together.startBlock(3, 1024, 4);
            apart.startBlock(3, 1024, 4);
            for (RaceShadow* shadow : {&together, &apart}) { // reads are for cells that were written
                for (unsigned cell = 0; cell < 256; ++cell) shadow->write(0, 0, cell * 4, 4, 0, Kind::plain);
                shadow->barrier(0b111);
            }
            unsigned state = seed;
            auto next = [&state] { return state = state * 1664525U + 1013904223U, state >> 16; };
            for (unsigned step = 0; step < 16; ++step) {
                const unsigned warp = next() % 3, action = next() % 6;
                if (action >= 4) {
                    for (RaceShadow* shadow : {&together, &apart})
                        action == 4 ? shadow->barrier(0b111) : shadow->warpBarrier(warp);
                    continue;
                }
                const bool isRead = action < 2;
                RaceShadow::LaneCells lanes{next() % 2 ? ~0U : 0x0000FFF0U, next() % 2 ? 1U : 4U, {}, ~0U, 0};
                const unsigned shape = next() % 4, first = next() % 8 * 4;
                for (unsigned lane = 0; lane < 32; ++lane) {
                    const unsigned active = lanes.mask >> lane & 1 ? lane : 4;
                    const unsigned place = shape == 0   ? active
                                           : shape == 1 ? active / 16
                                           : shape == 2 ? active * 5 % 32
                                                        : active * 7 % 16;
                    lanes.cells[lane] = first + place * lanes.perLane;
                    lanes.lowest = std::min(lanes.lowest, lanes.cells[lane]);
                    lanes.highest = std::max(lanes.highest, lanes.cells[lane]);
                }
                const auto each = [&](RaceShadow& shadow, std::uint32_t mask) {
                    bool conflict = false;
                    for (unsigned lane = 0; lane < 32; ++lane) {
                        if (!(mask >> lane & 1)) continue;
                        const unsigned offset = lanes.cells[lane] * 4, bytes = lanes.perLane * 4;
                        const EarlierAccess e = isRead ? shadow.read(warp, lane, offset, bytes, step, Kind::plain)
                                                       : shadow.write(warp, lane, offset, bytes, step, Kind::plain);
                        conflict |= e.isRace;
                    }
                    return conflict;
                };
                const bool clean = isRead ? together.readAll(warp, lanes, step) : together.writeAll(warp, lanes, step);
                const bool conflict = each(apart, lanes.mask);
                QVERIFY(!(clean && conflict));
                (clean ? recorded : refused) += 1;
                if (clean) continue;
                // Those that could be recorded are; the others go one by one.
                const std::uint32_t left = isRead ? together.readLanes(warp, lanes, step) : lanes.mask;
                inPart += left != lanes.mask;
                QCOMPARE(each(together, left), conflict);
            }
            // Every cell remembers the same, told by what the next accesses of another warp race with.
            for (unsigned cell = 0; cell < 256; ++cell)
                for (unsigned warp = 0; warp < 3; ++warp) {
                    const EarlierAccess a = together.write(warp, 31, cell * 4, 4, 99, Kind::plain);
                    const EarlierAccess b = apart.write(warp, 31, cell * 4, 4, 99, Kind::plain);
                    QCOMPARE(std::tie(a.isRace, a.wasWrite, a.warp, a.lane, a.place),
                             std::tie(b.isRace, b.wasWrite, b.warp, b.lane, b.place));
                }
        }
        QVERIFY(recorded > 500);
        QVERIFY(refused > 500);
        QVERIFY(inPart > 100);
    }
    // Atomics of all lanes are the same as one by one, up to the lane that needs a finding.
    void atomicsAgreeWithEach() {
        unsigned whole = 0, stopped = 0;
        for (unsigned seed = 1; seed <= 300; ++seed) {
            RaceShadow together, apart;
            together.startBlock(3, 256, 4);
            apart.startBlock(3, 256, 4);
            unsigned state = seed;
            auto next = [&state] { return state = state * 1664525U + 1013904223U, state >> 16; };
            for (unsigned step = 0; step < 12; ++step) {
                const unsigned warp = next() % 3, action = next() % 6;
                const unsigned cell = next() % 64, lane = next() % 32;
                if (action == 0) {
                    together.barrier(0b111);
                    apart.barrier(0b111);
                } else if (action == 1) {
                    QCOMPARE(together.read(warp, lane, cell * 4, 4, step, Kind::plain).isRace,
                             apart.read(warp, lane, cell * 4, 4, step, Kind::plain).isRace);
                } else if (action == 2) {
                    QCOMPARE(together.write(warp, lane, cell * 4, 4, step, Kind::plain).isRace,
                             apart.write(warp, lane, cell * 4, 4, step, Kind::plain).isRace);
                } else {
                    std::uint32_t cells[32];
                    for (std::uint32_t& c : cells) c = next() % (action == 3 ? 4 : 64);
                    const std::uint32_t mask = next() % 2 ? ~0U : next() | 1;
                    std::uint32_t left = mask;
                    for (unsigned l = 0; l < 32; ++l) {
                        if (!(mask >> l & 1)) continue;
                        if (left >> l & 1) left &= ~together.atomics(warp, left, cells, step, action == 5);
                        const bool needsFinding = left >> l & 1;
                        bool finding = action == 5 && !apart.wasWritten(cells[l] * 4, 4);
                        apart.synchronise(warp, cells[l] * 4);
                        finding |= apart.write(warp, l, cells[l] * 4, 4, step, Kind::strong).isRace;
                        QVERIFY(needsFinding || !finding);
                        if (!needsFinding) continue;
                        together.synchronise(warp, cells[l] * 4);
                        together.write(warp, l, cells[l] * 4, 4, step, Kind::strong);
                        left &= ~(1U << l);
                        ++stopped;
                    }
                    ++whole;
                }
            }
            for (unsigned cell = 0; cell < 64; ++cell)
                for (unsigned warp = 0; warp < 3; ++warp) {
                    const EarlierAccess a = together.write(warp, 31, cell * 4, 4, 99, Kind::plain);
                    const EarlierAccess b = apart.write(warp, 31, cell * 4, 4, 99, Kind::plain);
                    QCOMPARE(std::tie(a.isRace, a.wasAtomic, a.warp, a.lane, a.place),
                             std::tie(b.isRace, b.wasAtomic, b.warp, b.lane, b.place));
                }
        }
        QVERIFY(whole > 500);
        QVERIFY(stopped > 500);
    }
};

QTEST_APPLESS_MAIN(RaceShadowTest)
#include "race_shadow_test.moc"

// The race shadow alone: who is ordered with whom.
#include "emulator/race_shadow.h"

#include <QTest>

using namespace ptxwb::emulator;
using Kind = RaceShadow::Kind;

class RaceShadowTest : public QObject {
    Q_OBJECT

private slots:
    void writeThenReadOfAnotherWarp() {
        RaceShadow s;
        s.startBlock(2, 64, 4);
        QVERIFY(!s.write(0, 3, 8, 4, 100, Kind::plain).isRace);
        const EarlierAccess e = s.read(1, 5, 8, 4, 200, Kind::plain);
        QVERIFY(e.isRace);
        QVERIFY(e.wasWrite);
        QCOMPARE(e.warp, 0U);
        QCOMPARE(e.lane, 3U);
        QCOMPARE(e.place, 100U);
    }
    void barrierOrders() {
        RaceShadow s;
        s.startBlock(2, 64, 4);
        s.write(0, 3, 8, 4, 100, Kind::plain);
        s.barrier(0b11);
        QVERIFY(!s.read(1, 5, 8, 4, 200, Kind::plain).isRace);
        // The next write needs another barrier: write after read.
        const EarlierAccess e = s.write(0, 3, 8, 4, 300, Kind::plain);
        QVERIFY(e.isRace);
        QVERIFY(!e.wasWrite);
        QCOMPARE(e.warp, 1U);
        QCOMPARE(e.lane, 5U);
        QCOMPARE(e.place, 200U);
    }
    void barrierOfSomeOrdersOnlyThose() {
        RaceShadow s;
        s.startBlock(3, 64, 4);
        s.write(0, 0, 0, 4, 1, Kind::plain);
        s.barrier(0b011);
        QVERIFY(!s.read(1, 0, 0, 4, 2, Kind::plain).isRace);
        QVERIFY(s.read(2, 0, 0, 4, 3, Kind::plain).isRace);
        // What warp 1 knows passes on.
        s.barrier(0b110);
        QVERIFY(!s.read(2, 0, 0, 4, 4, Kind::plain).isRace);
    }
    void lanesOfOneWarpNeedWarpBarrier() {
        RaceShadow s;
        s.startBlock(1, 64, 4);
        s.write(0, 1, 4, 4, 1, Kind::plain);
        QVERIFY(!s.read(0, 1, 4, 4, 2, Kind::plain).isRace);
        QVERIFY(s.read(0, 2, 4, 4, 3, Kind::plain).isRace);
        s.warpBarrier(0);
        QVERIFY(!s.read(0, 3, 4, 4, 4, Kind::plain).isRace);
    }
    void readsOfSeveralLanesAreKept() {
        RaceShadow s;
        s.startBlock(1, 64, 4);
        s.write(0, 0, 0, 4, 1, Kind::plain);
        s.warpBarrier(0);
        s.read(0, 4, 0, 4, 2, Kind::plain);
        s.synchronise(0, 32); // advances the clock, orders nothing inside the warp
        s.read(0, 5, 0, 4, 3, Kind::plain);
        QVERIFY(s.write(0, 5, 0, 4, 4, Kind::plain).isRace); // lane 4's read is not forgotten
    }
    void neighbouringBytesAreNoRace() {
        RaceShadow s;
        s.startBlock(2, 64, 1);
        s.write(0, 0, 0, 1, 1, Kind::plain);
        QVERIFY(!s.write(1, 0, 1, 1, 2, Kind::plain).isRace);
        QVERIFY(s.read(1, 0, 0, 2, 3, Kind::plain).isRace);
    }
    void strongAccessesDoNotRaceWithEachOther() {
        RaceShadow s;
        s.startBlock(2, 64, 4);
        s.write(0, 0, 0, 4, 1, Kind::strong);
        QVERIFY(!s.write(1, 0, 0, 4, 2, Kind::strong).isRace);
        QVERIFY(s.read(0, 0, 0, 4, 3, Kind::plain).isRace);
    }
    void flagOrders() {
        RaceShadow s;
        s.startBlock(2, 64, 4);
        s.write(0, 0, 0, 4, 1, Kind::plain); // the data
        s.synchronise(0, 32);                // the flag, set
        s.synchronise(1, 32);                // the flag, seen
        QVERIFY(!s.read(1, 0, 0, 4, 2, Kind::plain).isRace);
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
        QVERIFY(!s.readRow(0, 0, 1));
        std::uint32_t cells[32] = {};
        for (unsigned lane = 0; lane < 32; ++lane) cells[lane] = lane / 2;
        QCOMPARE(s.readLanes(0, 0xFF, cells, 1), 0xFFU);
        s.write(0, 9, 4, 4, 1, Kind::plain);
        s.warpBarrier(0);
        QCOMPARE(s.readLanes(0, 0xFF, cells, 2), 0xF3U); // lanes 2 and 3 read cell 1
        QVERIFY(s.write(0, 2, 4, 4, 3, Kind::plain).isRace);
    }
    // A row is the same as its 32 lanes one by one.
    void rowsAgreeWithLanes() {
        for (unsigned seed = 1; seed <= 200; ++seed) {
            RaceShadow rows, lanes;
            rows.startBlock(2, 256, 4);
            lanes.startBlock(2, 256, 4);
            for (RaceShadow* shadow : {&rows, &lanes}) { // a row of reads is for cells that were written
                for (unsigned cell = 0; cell < 64; ++cell) shadow->write(0, 0, cell * 4, 4, 0, Kind::plain);
                shadow->barrier(0b11);
            }
            unsigned state = seed;
            auto next = [&state] { return state = state * 1664525U + 1013904223U, state >> 16; };
            for (unsigned step = 0; step < 12; ++step) {
                const unsigned warp = next() % 2, first = next() % 3 * 16, action = next() % 5;
                if (action == 4) {
                    rows.barrier(0b11);
                    lanes.barrier(0b11);
                    continue;
                }
                bool conflict = false;
                for (unsigned lane = 0; lane < 32; ++lane)
                    conflict |= action < 2 ? lanes.read(warp, lane, (first + lane) * 4, 4, step, Kind::plain).isRace
                                           : lanes.write(warp, lane, (first + lane) * 4, 4, step, Kind::plain).isRace;
                const bool clean = action < 2 ? rows.readRow(warp, first, step) : rows.writeRow(warp, first, step);
                QCOMPARE(clean, !conflict);
                if (clean) continue;
                for (unsigned lane = 0; lane < 32; ++lane)
                    action < 2 ? rows.read(warp, lane, (first + lane) * 4, 4, step, Kind::plain)
                               : rows.write(warp, lane, (first + lane) * 4, 4, step, Kind::plain);
            }
        }
    }
};

QTEST_APPLESS_MAIN(RaceShadowTest)
#include "race_shadow_test.moc"

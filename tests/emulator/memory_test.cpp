#include "emulator/memory.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::emulator;

class MemoryTest : public QObject {
    Q_OBJECT

private slots:
    void addressesHaveExactlyTheAlignmentAskedFor() {
        Memory memory;
        for (const std::uint32_t align : {1U, 2U, 4U, 8U, 16U, 256U}) {
            const std::uint64_t address = *memory.allocate("b", 100, align, Access::readWrite, Initially::written);
            QCOMPARE(address % align, std::uint64_t{0});
            QVERIFY(address % (align * 2) != 0);
        }
    }
    void findsByAddress() {
        Memory memory;
        const auto a = *memory.allocate("a", 16, 4, Access::readWrite, Initially::unwritten);
        const auto b = *memory.allocate("b", 16, 4, Access::readWrite, Initially::unwritten);
        QCOMPARE(memory.find(a + 15)->name, std::string("a"));
        QVERIFY(!memory.find(a + 16));
        QVERIFY(!memory.find(a - 1));
        QCOMPARE(memory.nearest(b - 1)->name, std::string("b"));
        QCOMPARE(memory.nearest(a + 20)->name, std::string("a"));
        QVERIFY(!memory.find(a)->wasWritten(3));
    }
    void emptyBufferHoldsNothing() {
        Memory memory;
        const auto a = *memory.allocate("empty", 0, 4, Access::readWrite, Initially::written);
        QVERIFY(!memory.find(a));
    }
    void refusesMoreThanTheLimit() {
        Memory memory(1 << 20);
        QVERIFY(memory.allocate("a", 1 << 19, 4, Access::readWrite, Initially::written).has_value());
        const auto refused = memory.allocate("huge", std::uint64_t{1} << 40, 4, Access::readWrite, Initially::written);
        QVERIFY(!refused);
        QCOMPARE(refused.error().message,
                 std::string("buffer \"huge\" needs 1099511627776 bytes of emulated memory and 524288 are left"));
    }
};

QTEST_APPLESS_MAIN(MemoryTest)
#include "memory_test.moc"

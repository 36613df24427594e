// Who else is on a device, of what the driver lists.
#include "gpu/monitor.h"

#include <QTest>
#include <map>

using namespace ptxwb::gpu;

class MonitorTest : public QObject {
    Q_OBJECT

private slots:
    void othersAreNamed_data() {
        QTest::addColumn<QList<uint>>("listed");
        QTest::addColumn<QStringList>("others");
        QTest::newRow("alone") << QList<uint>{7} << QStringList{};
        QTest::newRow("a notebook too") << QList<uint>{40, 7} << QStringList{"python3 (process 40)"};
        QTest::newRow("our workers keep to the lock") << QList<uint>{7, 50} << QStringList{};
        QTest::newRow("one whose name is not told") << QList<uint>{7, 60} << QStringList{"process 60"};
        QTest::newRow("several") << QList<uint>{40, 60, 50, 7} << QStringList{"python3 (process 40)", "process 60"};
        QTest::newRow("nobody") << QList<uint>{} << QStringList{};
        QTest::newRow("numbers of another container") << QList<uint>{4242, 40} << QStringList{};
    }
    void othersAreNamed() {
        QFETCH(const QList<uint>, listed);
        const std::map<unsigned, std::string> names{{7, "ptxwb"}, {40, "python3"}, {50, "ptxwb"}};
        const auto nameOf = [&](unsigned pid) {
            const auto known = names.find(pid);
            return known == names.end() ? std::string() : known->second;
        };
        QStringList others;
        for (const std::string& other : othersAmong({listed.begin(), listed.end()}, 7, nameOf))
            others += QString::fromStdString(other);
        QTEST(others, "others");
    }
};

QTEST_APPLESS_MAIN(MonitorTest)
#include "monitor_test.moc"

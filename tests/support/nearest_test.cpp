// The nearest known word.
#include "support/nearest.h"

#include <QtTest>

#include <array>

using namespace ptxwb;

class NearestTest : public QObject {
    Q_OBJECT

private slots:
    void distances_data() {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<int>("distance");
        QTest::newRow("same") << "abc" << "abc" << 0;
        QTest::newRow("empty") << "" << "abc" << 3;
        QTest::newRow("swap") << "aling" << "align" << 1;
        QTest::newRow("kitten") << "kitten" << "sitting" << 3;
    }
    void distances() {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(int, distance);
        QCOMPARE(static_cast<int>(editDistance(a.toStdString(), b.toStdString())), distance);
        QCOMPARE(static_cast<int>(editDistance(b.toStdString(), a.toStdString())), distance);
    }

    void picksTheNearestOrNone() {
        constexpr std::array<std::string_view, 4> known = {"entry", "arguments", "launch", "n"};
        QCOMPARE(nearestName("argumens", known), std::string("arguments"));
        QCOMPARE(nearestName("Entry", known), std::string("entry"));
        QCOMPARE(nearestName("lunch", known), std::string("launch"));
        QCOMPARE(nearestName("tolerance", known), std::string());
        QCOMPARE(nearestName("", known), std::string());
    }

    // With one of one or two letters replaced any short name would be near.
    void shortWordsHaveNoNeighbours() {
        constexpr std::array<std::string_view, 4> known = {"n", "ld", "m2", "add"};
        for (const char* word : {"k", "nn", "l", "st", "m1"}) QCOMPARE(nearestName(word, known), std::string());
        QCOMPARE(nearestName("N", known), std::string("n"));
        QCOMPARE(nearestName("Ld", known), std::string("ld"));
        QCOMPARE(nearestName("ad", known), std::string("add"));
        QCOMPARE(nearestName("sd", known), std::string());
        QCOMPARE(nearestName("sdd", known), std::string("add"));
        QCOMPARE(nearestName("dad", known), std::string("add"));
    }
};

QTEST_APPLESS_MAIN(NearestTest)
#include "nearest_test.moc"

#include "review/people.h"

#include <QTest>
#include <vector>

using namespace ptxwb::review;

class PeopleTest : public QObject {
    Q_OBJECT

private slots:
    void read_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("mail");
        QTest::newRow("both") << "Ada Lovelace <ada@example.org>" << "Ada Lovelace" << "ada@example.org";
        QTest::newRow("address alone") << " ada@example.org " << "" << "ada@example.org";
        QTest::newRow("address in brackets") << "<ada@example.org>" << "" << "ada@example.org";
        QTest::newRow("name alone") << "Ada Lovelace" << "Ada Lovelace" << "";
        QTest::newRow("a name with an at") << "Ada @ home" << "Ada @ home" << "";
        QTest::newRow("empty") << "" << "" << "";
    }
    void read() {
        QFETCH(QString, text);
        const Person one = person(text.toStdString());
        QTEST(QString::fromStdString(one.name), "name");
        QTEST(QString::fromStdString(one.mail), "mail");
    }

    void onePerson_data() {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<bool>("same");
        QTest::newRow("same") << "Ada <ada@example.org>" << "Ada <ada@example.org>" << true;
        QTest::newRow("case and blanks") << "ada  LOVELACE" << "Ada Lovelace <ada@example.org>" << true;
        QTest::newRow("another name, one address") << "A. L. <Ada@Example.org>" << "ada@example.org" << true;
        QTest::newRow("one name, two addresses") << "Ada <ada@a.org>" << "Ada <ada@b.org>" << true;
        QTest::newRow("two people") << "Ada <ada@example.org>" << "Grace <grace@example.org>" << false;
        QTest::newRow("two at one place") << "ada@example.org" << "grace@example.org" << false;
        QTest::newRow("nobody is nobody") << "" << "" << false;
    }
    void onePerson() {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(bool, same);
        QCOMPARE(samePerson(a.toStdString(), b.toStdString()), same);
        QCOMPARE(samePerson(b.toStdString(), a.toStdString()), same);
        QCOMPARE(isAmong(a.toStdString(), std::vector{std::string("nobody"), b.toStdString()}), same);
    }

    void principals() {
        QCOMPARE(principalOf("Ada <ada@example.org>"), std::string("ada@example.org"));
        QCOMPARE(principalOf("ada"), std::string("ada"));
    }
};

QTEST_APPLESS_MAIN(PeopleTest)
#include "people_test.moc"

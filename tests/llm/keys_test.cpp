// Keys: what is refused as one, and that nothing of a key gets through the redactor, however a text is cut.
#include "llm/keys.h"

#include <QtTest>
#include <cstdlib>

using namespace ptxwb;
using namespace ptxwb::llm;

class KeysTest : public QObject {
    Q_OBJECT

private slots:
    void environment() {
        ::unsetenv("PTXWB_TEST_KEY");
        const auto none = EnvironmentKeys().key("PTXWB_TEST_KEY");
        QVERIFY(!none);
        QCOMPARE(none.error().cause, Cause::missing);
        QVERIFY(none.error().message.find("PTXWB_TEST_KEY is not set") != std::string::npos);
        ::setenv("PTXWB_TEST_KEY", " sk-abc123\n", 1);
        QCOMPARE(std::string(EnvironmentKeys().key("PTXWB_TEST_KEY")->reveal()), std::string("sk-abc123"));
        ::setenv("PTXWB_TEST_KEY", "sk-abc\r\nX-Evil: 1", 1);
        const auto split = EnvironmentKeys().key("PTXWB_TEST_KEY");
        QVERIFY(!split);
        QVERIFY(split.error().message.find("Evil") == std::string::npos);
        QVERIFY(split.error().message.find("line breaks") != std::string::npos);
        ::setenv("PTXWB_TEST_KEY", "   ", 1);
        QVERIFY(!EnvironmentKeys().key("PTXWB_TEST_KEY"));
    }

    void redaction_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("expected");
        QTest::newRow("whole") << std::string("key sk-Q7wErTy42Lm is wrong") << std::string("key [key] is wrong");
        QTest::newRow("beginning and end") << std::string("sk-Q7w***y42Lm") << std::string("[key]***[key]");
        QTest::newRow("twice") << std::string("sk-Q7wErTy42Lmsk-Q7wErTy42Lm!") << std::string("[key]!");
        QTest::newRow("too short to tell")
            << std::string("sk- is how keys begin") << std::string("sk- is how keys begin");
        QTest::newRow("at the end") << std::string("it was ErTy42Lm") << std::string("it was [key]");
        QTest::newRow("none") << std::string("nothing here") << std::string("nothing here");
        QTest::newRow("empty") << std::string() << std::string();
    }
    void redaction() {
        QFETCH(std::string, text);
        QFETCH(std::string, expected);
        const Secret key("sk-Q7wErTy42Lm");
        QCOMPARE(Redactor(key, 4).all(text), expected);
        for (std::size_t cut = 0; cut <= text.size(); ++cut) {
            Redactor piecewise(key, 4);
            std::string out = piecewise.next(text.substr(0, cut));
            out += piecewise.next(text.substr(cut));
            out += piecewise.rest();
            // A run that ends one piece and a run that begins the next may each leave a mark.
            for (std::size_t at; (at = out.find("[key][key]")) != std::string::npos;) out.erase(at, 5);
            QCOMPARE(out, expected);
        }
    }

    void noKey() {
        Redactor redactor{Secret{}};
        QCOMPARE(redactor.all("text"), std::string("text"));
        QCOMPARE(redactor.next("text"), std::string("text"));
        QCOMPARE(redactor.rest(), std::string());
    }
};

QTEST_APPLESS_MAIN(KeysTest)
#include "keys_test.moc"

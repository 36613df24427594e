#include "kernel/trust.h"

#include "compare_text.h"
#include "support/files.h"

using namespace ptxwb;
using namespace ptxwb::kernel;

class TrustTest : public QObject {
    Q_OBJECT

private slots:
    void asksOnceForEachHash() {
        const auto folder = TemporaryFolder::create().value();
        const auto file = folder.path() / "config" / "ptxwb" / "trusted.json";
        TrustStore store(file);
        QCOMPARE(store.isTrusted("aa").value(), false);
        QVERIFY(store.trust("aa"));
        QVERIFY(store.trust("bb"));
        QVERIFY(store.trust("aa"));
        QCOMPARE(TrustStore(file).isTrusted("aa").value(), true);
        QCOMPARE(TrustStore(file).isTrusted("cc").value(), false);
        QCOMPARE(TrustStore(file).isTrusted("").value(), false);
        QCOMPARE_TEXT(readFile(file).value(),
                      "{\n  \"schema\": 1,\n  \"trusted\": [\n    \"aa\",\n    \"bb\"\n  ]\n}\n");
    }

    void aDamagedFileTrustsNothingAndStays() {
        const auto folder = TemporaryFolder::create().value();
        const auto file = folder.path() / "trusted.json";
        for (const std::string_view content :
             {"{\"schema\": 1, \"trusted\": [", "[]", "{\"schema\": 1, \"trusted\": [5]}",
              "{\"schema\": 2, \"trusted\": []}"}) {
            QVERIFY(writeFileAtomically(file, content));
            TrustStore store(file);
            QVERIFY(!store.isTrusted("aa"));
            const auto refused = store.trust("aa");
            QVERIFY(!refused);
            QVERIFY2(refused.error().message.find(file.string()) == 0, refused.error().message.c_str());
            QCOMPARE_TEXT(readFile(file).value(), content);
        }
    }

    void defaultPlace() {
        const auto before = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", "/somewhere");
        QCOMPARE_TEXT(TrustStore::defaultFile().string(), "/somewhere/ptxwb/trusted.json");
        if (before.isNull())
            qunsetenv("XDG_CONFIG_HOME");
        else
            qputenv("XDG_CONFIG_HOME", before);
        QVERIFY(!TrustStore(std::filesystem::path()).isTrusted("aa"));
    }
};

QTEST_APPLESS_MAIN(TrustTest)
#include "trust_test.moc"

// The architecture table.
#include "gpu/architectures.h"
#include "support/files.h"

#include <QtTest>

using namespace ptxwb;
using namespace ptxwb::gpu;

class ArchitecturesTest : public QObject {
    Q_OBJECT

private slots:
    void builtInTableIsTheFile() {
        const auto file = readFile(PTXWB_SOURCE_DIR "/resources/architectures.json").value();
        QCOMPARE(std::string(architecturesJson()), file);
        QCOMPARE(parseArchitectures(file).value(), architectures());
    }

    void everyTargetOfTheToolkitIsThere() {
        for (const auto* arch : {"sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_100", "sm_103",
                                 "sm_110", "sm_120", "sm_121"})
            QVERIFY2(architecture(arch).has_value(), arch);
        QCOMPARE(architectures().size(), std::size_t{12});
        QCOMPARE(architecture("sm_90a").value(), architecture("sm_90").value());
        QCOMPARE(architecture("sm_100f").value().arch, std::string("sm_100"));
    }

    void unknownOnesAreNamed() {
        const auto error = architecture("sm_9O").error();
        QCOMPARE(error.message, std::string("the limits of \"sm_9O\" are not known"));
        QVERIFY2(error.hint.starts_with("Did you mean sm_90? Known: sm_75 sm_80"), error.hint.c_str());
        QCOMPARE(error.cause, Cause::badRequest);
        QVERIFY(!architecture("").has_value());
    }

    void mistakesInATableAreNamed() {
        QVERIFY(!parseArchitectures("{}").has_value());
        std::string text(architecturesJson());
        text.replace(text.find("\"warp_size\": 32"), 15, "\"warp_size\": 0");
        QCOMPARE(parseArchitectures(text).error().message,
                 std::string("architectures[0].warp_size: expected a number from 1, got 0"));
    }
};

QTEST_APPLESS_MAIN(ArchitecturesTest)
#include "architectures_test.moc"

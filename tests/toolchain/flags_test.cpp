// The allow-lists of compiler flags.
#include "toolchain/flags.h"

#include <QtTest>

using namespace ptxwb;
using namespace ptxwb::toolchain;

class FlagsTest : public QObject {
    Q_OBJECT

private slots:
    void usualFlagsPass() {
        QVERIFY(checkNvccFlags({"-O3", "-O", "2", "-I", "a b", "-Iinclude", "-DN=4", "-UX", "-std=c++17", "--std",
                                "c++20", "--expt-relaxed-constexpr", "--use_fast_math", "-maxrregcount=64",
                                "-maxrregcount", "64", "-lineinfo", "--fmad=false"})
                    .has_value());
        QVERIFY(checkPtxasFlags({"-O1", "-maxrregcount=32", "--maxrregcount", "32", "-lineinfo"}).has_value());
    }

    void othersAreRefusedWithTheReason_data() {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("hint");
        QTest::newRow("typo")
            << QStringList{"-O3", "-linenfo"}
            << "the flag -linenfo is not allowed: it is not in the list of flags that may be passed to nvcc"
            << "Did you mean -lineinfo? Allowed for nvcc: -O -I";
        QTest::newRow("program")
            << QStringList{"-ccbin=/tmp/evil"}
            << "the flag -ccbin=/tmp/evil is not allowed: it names a program to run, so it belongs into the settings"
            << "Allowed for nvcc: ";
        QTest::newRow("unchecked")
            << QStringList{"-Xcompiler", "-fplugin=x"}
            << "the flag -Xcompiler is not allowed: it hands unchecked options to another program"
            << "Allowed for nvcc: ";
        QTest::newRow("arch")
            << QStringList{"-arch=sm_80"}
            << "the flag -arch=sm_80 is not allowed: the target is chosen with the arch of the spec or with --arch"
            << "";
        QTest::newRow("output") << QStringList{"-o", "/etc/passwd"}
                                << "the flag -o is not allowed: what is made, and where, is decided by the workbench"
                                << "";
        QTest::newRow("no value") << QStringList{"-maxrregcount"} << "the flag -maxrregcount needs a value" << "";
        QTest::newRow("a file")
            << QStringList{"x.cu"}
            << "the flag x.cu is not allowed: it is not in the list of flags that may be passed to nvcc" << "";
        QTest::newRow("glued to a flag without value")
            << QStringList{"-lineinfox"}
            << "the flag -lineinfox is not allowed: it is not in the list of flags that may be passed to nvcc"
            << "Did you mean -lineinfo? ";
        QTest::newRow("response file")
            << QStringList{"--options-file", "x"}
            << "the flag --options-file is not allowed: what is made, and where, is decided by the workbench" << "";
    }
    void othersAreRefusedWithTheReason() {
        QFETCH(QStringList, flags);
        QFETCH(QString, message);
        QFETCH(QString, hint);
        std::vector<std::string> list;
        for (const auto& flag : flags) list.push_back(flag.toStdString());
        const auto checked = checkNvccFlags(list);
        QVERIFY(!checked.has_value());
        QCOMPARE(checked.error().cause, Cause::badRequest);
        QCOMPARE(QString::fromStdString(checked.error().message), message);
        QVERIFY2(QString::fromStdString(checked.error().hint).contains(hint), checked.error().hint.c_str());
    }

    void ptxasHasItsOwnList() {
        const auto checked = checkPtxasFlags({"--gpu-name=sm_90"});
        QVERIFY(!checked.has_value());
        QCOMPARE(checked.error().message,
                 std::string("the flag --gpu-name=sm_90 is not allowed: the target is chosen with the arch of "
                             "the spec or with --arch"));
        QVERIFY(!checkPtxasFlags({"-I."}).has_value());
    }

    void architectures() {
        for (const auto* good : {"sm_75", "sm_90a", "sm_100f", "sm_121"}) QVERIFY(checkArchitecture(good).has_value());
        for (const auto* bad : {"", "sm_", "sm_9", "90", "compute_90", "sm_9O", "sm_90b", "sm_90 -o x"})
            QVERIFY2(!checkArchitecture(bad).has_value(), bad);
        QCOMPARE(checkArchitecture("sm_9O").error().message, std::string("\"sm_9O\" names no GPU architecture"));
    }
};

QTEST_APPLESS_MAIN(FlagsTest)
#include "flags_test.moc"

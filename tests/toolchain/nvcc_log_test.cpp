// Messages of nvcc, its front end and the host compiler.
#include "toolchain/nvcc_log.h"

#include <QtTest>

using namespace ptxwb;
using namespace ptxwb::toolchain;

namespace {
const std::string waysOut =
    "Three ways out: name another host compiler with -ccbin (settings), add -allow-unsupported-compiler to the "
    "flags (for one that is only too new), or compile with NVRTC, which needs none.";
}

class NvccLogTest : public QObject {
    Q_OBJECT

private slots:
    void frontEndMessages() {
        const auto found =
            parseNvccLog("./a b.cu(2): warning #177-D: variable \"unused\" was declared but never referenced\n"
                         "      int unused;\n"
                         "          ^\n"
                         "\n"
                         "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
                         "\n"
                         "x(3)/b.cu(7): error: identifier \"q\" is undefined\n"
                         "  __attribute__((global)) void k(float*p){ q(;\n"
                         "                                           ^\n"
                         "\n"
                         "./a b.cu(2): warning #177-D: variable \"unused\" was declared but never referenced\n"
                         "1 error detected in the compilation of \"b.cu\".\n",
                         "nvcc 13.0.88");
        QCOMPARE(found.size(), std::size_t{3});
        QCOMPARE(found[0].place, (Place{"./a b.cu", 2, 9, 0}));
        QCOMPARE(found[0].severity, Severity::warning);
        QCOMPARE(found[0].message, std::string("variable \"unused\" was declared but never referenced"));
        // __global__ was expanded in that line: its columns are not the file's.
        QCOMPARE(found[1].place, (Place{"x(3)/b.cu", 7, 0, 0}));
        QCOMPARE(found[1].severity, Severity::error);
        QCOMPARE(found[1].cause, Cause::rejected);
    }

    void hostCompilerMessages() {
        const auto found = parseNvccLog("c.cu:1:10: fatal error: nope.h: No such file or directory\n"
                                        "    1 | #include \"nope.h\"\n"
                                        "      |          ^~~~~~~~\n"
                                        "compilation terminated.\n",
                                        "nvcc");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].place, (Place{"c.cu", 1, 10, 0}));
        QCOMPARE(found[0].message, std::string("nope.h: No such file or directory"));
    }

    void driverMessages() {
        const auto found = parseNvccLog("nvcc fatal   : Unsupported gpu architecture 'sm_42'\n", "nvcc");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].message, std::string("Unsupported gpu architecture 'sm_42'"));
        QCOMPARE(found[0].place.line, 0U);
    }

    void unsuitableHostCompiler_data() {
        QTest::addColumn<QString>("log");
        QTest::addColumn<QString>("message");
        QTest::newRow("none along PATH")
            << "gcc: No such file or directory\nnvcc fatal   : Failed to preprocess host compiler properties.\n"
            << "gcc was not found, and nvcc 13.0.88 needs a host compiler even to make PTX";
        QTest::newRow("named one is missing")
            << "/no/such/g++: No such file or directory\nnvcc fatal   : Failed to preprocess host compiler "
               "properties.\n"
            << "/no/such/g++ was not found, and nvcc 13.0.88 needs a host compiler even to make PTX";
        QTest::newRow("too new")
            << "In file included from /usr/local/cuda/include/cuda_runtime.h:82,\n"
               "                 from <command-line>:\n"
               "/usr/local/cuda/include/crt/host_config.h:143:2: error: #error -- unsupported GNU version! gcc "
               "versions "
               "later than 15 are not supported! The nvcc flag '-allow-unsupported-compiler' can be used.\n"
               "  143 | #error -- unsupported GNU version!\n"
               "/usr/include/c++/16/x:3:1: error: wall of text\n"
            << "the host compiler does not suit nvcc 13.0.88: gcc versions later than 15 are not supported";
    }
    void unsuitableHostCompiler() {
        QFETCH(QString, log);
        QFETCH(QString, message);
        const auto found = parseNvccLog(log.toStdString(), "nvcc 13.0.88");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(found[0].message), message);
        QCOMPARE(found[0].hint, waysOut);
        QCOMPARE(found[0].cause, Cause::missing);
    }
};

QTEST_APPLESS_MAIN(NvccLogTest)
#include "nvcc_log_test.moc"

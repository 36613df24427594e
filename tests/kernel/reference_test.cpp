#include "kernel/reference.h"
#include "kernel/spec_load.h"

#include "kernel/fill.h"
#include "kernel/reference_call.h"
#include "story.h"

#include <QFile>

using namespace ptxwb;
using namespace ptxwb::kernel;

namespace {

std::string specText(const std::string& arguments) {
    return R"({"schema": 1, "name": "k", "entry": "k", "symbols": {"n": {"function": [1]}}, "launch": {"grid": ["n"], "block": [32]},
        "arguments": [)" +
           arguments + R"(], "files": ["common.h"], "reference": {"file": "reference.cpp", "function": "reference"}})";
}

const std::string saxpyArguments =
    R"({"name": "n", "type": "s32", "value": "n"}, {"name": "a", "type": "f32", "value": 2.5},
    {"name": "x", "type": "f32", "count": "n", "access": "in"}, {"name": "y", "type": "f16", "count": "n", "access": "inout"})";

Kernel kernelOf(const std::string& arguments, const std::string& reference) {
    const auto text = specText(arguments);
    auto loaded =
        loadSpec(text, "k.json", {{"reference.cpp", reference}, {"common.h", "#define TWICE(x) (2 * (x))\n"}});
    if (!loaded.kernel) qFatal("%s", format(loaded.diagnostics.front(), text).c_str());
    return std::move(*loaded.kernel);
}

} // namespace

/// Compiles and runs real references; about a second each, so few of them.
class ReferenceTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_folder.emplace(TemporaryFolder::create().value());
        m_options.cacheFolder = m_folder->path() / "c a'che";
        const auto probe = compileReference(kernelOf("", "void reference() {}"), m_options);
        if (!probe && probe.error().cause == Cause::missing) QSKIP("no host compiler is installed");
    }

    void signature() {
        const auto spec =
            kernelOf(
                R"({"name": "p", "type": "struct", "size": 16, "fields": [{"offset": 0, "type": "u64", "value": 1}, {"offset": 8, "buffer": "x"}]},
            {"name": "x", "type": "s8", "count": 1, "access": "in"}, {"name": "b", "type": "bytes", "hex": "00"}, {"name": "z", "type": "null"},
            {"name": "y", "type": "bf16", "count": 1, "access": "out"}, {"name": "h", "type": "f16", "value": 1})",
                "")
                .spec;
        QCOMPARE_TEXT(referenceSignature(spec), "void reference(unsigned long long p_0, const signed char* x, const "
                                                "unsigned char* b, const void* z, double* y, double h)");
    }

    void saxpyWidensToDouble() {
        const auto kernel =
            kernelOf(saxpyArguments, "#include \"common.h\"\n#include <cstdio>\n"
                                     "void reference(int n, double a, const double* x, double* y) {\n"
                                     "    std::puts(\"printing does not disturb\");\n"
                                     "    for (int i = 0; i < n; ++i) y[i] = TWICE(a) * x[i] + y[i];\n}\n");
        const auto first = compileReference(kernel, m_options);
        if (!first) QFAIL(format(first.error()).c_str());
        QVERIFY(!first->fromCache);
        QVERIFY(compileReference(kernel, m_options).value().fromCache);
        const auto launch = buildLaunch(kernel, {{"n", 100}}).value();
        const auto outputs = runReference(*first, kernel, launch, m_options);
        if (!outputs) QFAIL(format(outputs.error()).c_str());
        QCOMPARE(outputs->size(), std::size_t{1});
        QCOMPARE_TEXT((*outputs)[0].argument, "y");
        for (std::uint64_t i = 0; i < 100; ++i) {
            const double x = decodeFloat(ElementType::f32, loadBits(ElementType::f32, launch.buffers[0].bytes, i));
            const double y = decodeFloat(ElementType::f16, loadBits(ElementType::f16, launch.buffers[1].bytes, i));
            const double product = 5.0 * x;
            QCOMPARE((*outputs)[0].reals[i], product + y); // two roundings: no fused multiply-add
        }
        QVERIFY(runReference(*first, kernel, buildLaunch(kernel, {{"n", 0}}).value(), m_options)->at(0).reals.empty());
    }

    void integersAndStructsAsTheyAre() {
        const auto kernel = kernelOf(
            R"({"name": "p", "type": "struct", "size": 16, "fields": [{"offset": 0, "type": "s64", "value": -3}, {"offset": 8, "buffer": "x"}]},
            {"name": "x", "type": "u16", "count": "n", "access": "in", "fill": "iota"}, {"name": "b", "type": "bytes", "hex": "0102"}, {"name": "z", "type": "null"},
            {"name": "s", "type": "f32", "count": 2, "access": "scratch"}, {"name": "y", "type": "s64", "count": "n", "access": "out"},
            {"name": "flag", "type": "u8", "value": 1}, {"name": "bits", "type": "b32", "count": 1, "access": "inout", "fill": "ones"})",
            "#include <cstdint>\nvoid reference(long factor, const unsigned short* x, const unsigned char* b, const "
            "float* z, double* s, std::int64_t* y, bool flag, int* bits) {\n"
            "    for (int i = 0; i < 3; ++i) y[i] = factor * x[i] + b[1] + (z == nullptr) + (s[0] == 0 && s[1] == 0) + "
            "flag;\n    bits[0] = -bits[0];\n}\n");
        const auto compiled = compileReference(kernel, m_options);
        if (!compiled) QFAIL(format(compiled.error()).c_str());
        const auto outputs = runReference(*compiled, kernel, buildLaunch(kernel, {{"n", 3}}).value(), m_options);
        if (!outputs) QFAIL(format(outputs.error()).c_str());
        QCOMPARE(outputs->size(), std::size_t{2});
        for (std::uint64_t i = 0; i < 3; ++i)
            QCOMPARE(static_cast<std::int64_t>(loadBits(ElementType::s64, (*outputs)[0].bits, i)),
                     std::int64_t{5} - 3 * static_cast<std::int64_t>(i));
        QCOMPARE(loadBits(ElementType::b32, (*outputs)[1].bits, 0), std::uint64_t{0xFFFFFFFF});
    }

    void compilerMessages_data() {
        QTest::addColumn<QString>("reference");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("message");
        const auto signature = "void reference(int n, double a, const double* x, double* y)";
        QTest::newRow("syntax") << QString("%1 {\n    y[0] = x[0]\n}\n").arg(signature) << 2 << "expected ';'";
        QTest::newRow("undeclared") << QString("\n%1 {\n    y[0] = q;\n}\n").arg(signature) << 3
                                    << "'q' was not declared in this scope";
        QTest::newRow("error directive") << "#error \"write the reference\"\n" << 1 << "#error \"write the reference\"";
        QTest::newRow("float buffer") << "\n\nvoid reference(int n, double a, const float* x, double* y) {}\n"
                                      << 3 << "the parameters of reference do not fit";
        QTest::newRow("float scalar") << "void reference(int n, float a, const double* x, double* y) {}\n"
                                      << 1 << "the parameters of reference do not fit";
        QTest::newRow("unsigned for int") << "void reference(unsigned n, double a, const double* x, double* y) {}\n"
                                          << 1 << "the parameters of reference do not fit";
        QTest::newRow("too few") << "\nvoid reference(int n) {}\n" << 2 << "the parameters of reference do not fit";
        QTest::newRow("another name") << "void refrence(int n, double a, const double* x, double* y) {}\n"
                                      << 0 << "there is no function reference in it";
        QTest::newRow("brace missing") << QString("%1 {\n").arg(signature) << 1 << "";
    }

    void compilerMessages() {
        QFETCH(QString, reference);
        QFETCH(int, line);
        QFETCH(QString, message);
        const auto compiled = compileReference(kernelOf(saxpyArguments, reference.toStdString()), m_options);
        QVERIFY(!compiled);
        const auto& problem = compiled.error();
        QCOMPARE(problem.cause, Cause::rejected);
        QCOMPARE_TEXT(problem.place.file, "reference.cpp");
        if (!message.isEmpty()) QCOMPARE(static_cast<int>(problem.place.line), line);
        QVERIFY2(QString::fromStdString(problem.message).contains(message), problem.message.c_str());
        if (message.startsWith("the parameters"))
            QCOMPARE_TEXT(problem.hint, "expected: void reference(int n, double a, const double* x, double* y)");
        QVERIFY2(problem.message.find("ptxwb_reference") == std::string::npos, problem.message.c_str());
    }

    /// One reference that does something else at each size: a compilation costs more than all the runs.
    void misbehaviour_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<QString>("says");
        QTest::newRow("crash") << 1 << "was killed by signal 11 (Segmentation fault)";
        QTest::newRow("endless") << 2 << "timed out after 500 ms";
        QTest::newRow("exit") << 3 << "ended before it returned";
        QTest::newRow("status") << 4 << "ended with status 3; its last words: no luck";
        QTest::newRow("exception") << 5 << "ended with status 71; its last words: exception: no way";
        QTest::newRow("overrun") << 6 << "wrote behind the end of y";
        QTest::newRow("unwritten") << 7 << "left y[2] unwritten";
        QTest::newRow("rubbish") << 8 << "ended before it returned";
        QTest::newRow("memory") << 9 << "ended with status 71; its last words: exception: std::bad_alloc";
    }

    void misbehaviour() {
        QFETCH(int, n);
        QFETCH(QString, says);
        const auto kernel = kernelOf(
            R"({"name": "n", "type": "s32", "value": "n"}, {"name": "y", "type": "f32", "count": "n", "access": "out"})",
            R"x(#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <unistd.h>
#include <vector>
void reference(int n, double* y) {
    switch (n) {
    case 1: *(volatile int*)nullptr = 0; break;
    case 2: for (volatile int i = 0;; i = i + 1) {}
    case 3: std::exit(0);
    case 4: std::fputs("no luck\n", stderr); std::exit(3);
    case 5: throw std::runtime_error("no way");
    case 6: for (int i = 0; i <= n; ++i) y[i] = 0; break;
    case 7: for (int i = 0; i < n; ++i) if (i != 2) y[i] = 0; break;
    case 8: for (int fd = 3; fd < 8; ++fd) if (write(fd, "rubbish", 7) == 7) std::_Exit(0); break;
    case 9: { static std::vector<char> all; for (;;) all.resize(all.size() + (1 << 26)); }
    }
}
)x");
        const auto compiled = compileReference(kernel, m_options);
        if (!compiled) QFAIL(format(compiled.error()).c_str());
        auto options = m_options;
        if (n == 2) options.deadline = std::chrono::milliseconds(500);
        options.memoryLimitBytes = std::uint64_t{1} << 29;
        const auto outputs = runReference(*compiled, kernel, buildLaunch(kernel, {{"n", n}}).value(), options);
        QVERIFY(!outputs);
        QCOMPARE(outputs.error().cause, Cause::rejected);
        QCOMPARE(QString::fromStdString(outputs.error().message),
                 QString("the reference %1 (n = %2)").arg(says).arg(n));
        QVERIFY(!outputs.error().hint.empty());
    }

    void cancelled() {
        std::stop_source stop;
        stop.request_stop();
        const auto fresh = kernelOf("", "void reference() {}\n// never compiled");
        QCOMPARE(compileReference(fresh, m_options, stop.get_token()).error().cause, Cause::cancelled);
        const auto kernel = kernelOf("", "void reference() {}");
        const auto compiled = compileReference(kernel, m_options).value();
        const auto launch = buildLaunch(kernel, {{"n", 1}}).value();
        QCOMPARE(runReference(compiled, kernel, launch, m_options, stop.get_token()).error().cause, Cause::cancelled);
    }

    void aForeignCacheEntryIsNotRun() {
        const auto kernel = kernelOf("", "void reference() {}");
        const auto first = compileReference(kernel, m_options).value();
        QFile::setPermissions(QString::fromStdString(first.executable.string()),
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::WriteOther);
        QVERIFY(!compileReference(kernel, m_options).value().fromCache);
        QVERIFY(compileReference(kernel, m_options).value().fromCache);
    }

    void hashCoversAllNativeCode() {
        auto kernel = kernelOf("", "void reference() {}");
        const auto hash = nativeCodeHash(kernel);
        QCOMPARE(hash.size(), std::size_t{64});
        kernel.files["common.h"] += " ";
        QVERIFY(nativeCodeHash(kernel) != hash);
        kernel.spec.reference = {};
        QVERIFY(nativeCodeHash(kernel).empty());
    }

    void missingCompiler() {
        const auto before = qgetenv("CXX");
        qputenv("CXX", "/no/such/compiler");
        const auto compiled = compileReference(kernelOf("", "void reference() {} // x"), m_options);
        if (before.isNull())
            qunsetenv("CXX");
        else
            qputenv("CXX", before);
        QVERIFY(!compiled);
        QCOMPARE(compiled.error().cause, Cause::missing);
        QCOMPARE_TEXT(compiled.error().message, "the host compiler /no/such/compiler, named by CXX, is not there");
    }

    void bundledReferencesCompile() {
        for (const auto* name : {"saxpy", "reduce", "sgemm_tiled"}) {
            const auto kernel = orFirstError(loadKernel(findKernel(name, test::examplesFolder()).value())).value();
            const auto compiled = compileReference(kernel, m_options);
            if (!compiled) QFAIL(format(compiled.error()).c_str());
            Symbols symbols;
            for (const auto& symbol : kernel.spec.symbols) symbols[symbol.name] = symbol.function[1];
            const auto outputs = runReference(*compiled, kernel, buildLaunch(kernel, symbols).value(), m_options);
            if (!outputs) QFAIL(format(outputs.error()).c_str());
            QCOMPARE(outputs->size(), std::size_t{1});
        }
    }

private:
    std::optional<TemporaryFolder> m_folder;
    ReferenceOptions m_options;
};

QTEST_APPLESS_MAIN(ReferenceTest)
#include "reference_test.moc"

// Exports: what C and C++ compilers take, what their functions answer, what a harness fills its buffers with.
#include "kernel/expression_c.h"
#include "kernel/fill.h"
#include "kernel/launch_shape.h"
#include "kernel/sizes.h"
#include "kernel/spec_load.h"
#include "ship/ship.h"
#include "support/files.h"
#include "support/sha256.h"
#include "toolchain/discover.h"
#include "toolchain/ptxas.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <fmt/format.h>

using namespace ptxwb;

namespace {

template <class T>
T need(Expected<T> value) {
    if (!value) qFatal("%s (%s)", value.error().message.c_str(), value.error().hint.c_str());
    return std::move(*value);
}

kernel::Kernel example(const QString& name) {
    const auto folder = QStringLiteral(PTXWB_SOURCE_DIR "/resources/examples/%1/%1.kernel.json").arg(name);
    return need(kernel::orFirstError(kernel::loadKernel(folder.toStdString())));
}

struct Outcome {
    int status = -1;
    QByteArray output, errors;
};
Outcome run(const QString& program, const QStringList& arguments, const QString& folder) {
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(program, arguments);
    if (!process.waitForFinished(240'000)) return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

void write(const QDir& folder, const std::string& name, const std::string& text) {
    const auto done = writeFileAtomically(folder.filePath(QString::fromStdString(name)).toStdString(), text);
    if (!done) qFatal("%s", done.error().message.c_str());
}

} // namespace

class ShipTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (QStandardPaths::findExecutable("gcc").isEmpty() || QStandardPaths::findExecutable("g++").isEmpty())
            QSKIP("no gcc and g++ here");
        const auto found = need(toolchain::discover());
        for (const toolchain::Toolkit& each : found.toolkits)
            if (each.ptxas && !m_toolkit) m_toolkit = each;
    }

    /// Every operator, at values where it matters, as this program computes it: value or refusal.
    void expressionsAreTheSameInC() {
        const std::vector<std::string> names{"n", "m", "int", "int_"};
        const std::vector<std::string> texts{"n + m",
                                             "n - m",
                                             "n * m",
                                             "n / m",
                                             "n % m",
                                             "-n",
                                             "!n",
                                             "ceil_div(n, m)",
                                             "min(n, m)",
                                             "max(n, m)",
                                             "n < m",
                                             "n <= m",
                                             "n > m",
                                             "n >= m",
                                             "n == m",
                                             "n != m",
                                             "n && m",
                                             "n || m",
                                             "n != 0 && m / n > 1",
                                             "n == 0 || m % n == 0",
                                             "ceil_div(n, 256) * (m + 3) - 7 % max(n, 1)",
                                             "int + 2 * int_",
                                             "9223372036854775807 - n"};
        const std::vector<std::int64_t> values{0, 1, -1, 2, -3, 255, 256, 257, 4294967296, INT64_MAX, INT64_MIN};
        std::string program(kernel::cExpressionHelpers());
        program +=
            "#include <stdio.h>\nstatic void show(int okay, int64_t v) { if (okay) printf(\"%lld\\n\", (long long)v); "
            "else printf(\"refused\\n\"); }\nint main(void) {\n";
        program += "    static const int64_t values[] = {";
        for (const std::int64_t v : values) program += v == INT64_MIN ? "INT64_MIN, " : fmt::format("INT64_C({}), ", v);
        program += "};\n";
        std::string expected;
        for (const std::string& text : texts) {
            const auto expression = need(kernel::Expression::compile(text, names));
            program +=
                fmt::format("    for (int i = 0; i < {0}; ++i) for (int k = 0; k < {0}; ++k) {{\n        const int64_t "
                            "n = values[i], m = values[k], int_ = n, int__ = m;\n        int okay = 1; int* ok = "
                            "&okay; (void)n; (void)m; (void)int_; (void)int__; (void)ok;\n        const int64_t v = "
                            "{1};\n        show(okay, v);\n    }}\n",
                            values.size(), kernel::toC(expression));
            for (const std::int64_t n : values)
                for (const std::int64_t m : values) {
                    const auto value = expression.evaluate({{"n", n}, {"m", m}, {"int", n}, {"int_", m}});
                    expected += value ? fmt::format("{}\n", *value) : "refused\n";
                }
        }
        program += "    return 0;\n}\n";
        QTemporaryDir folder;
        write(QDir(folder.path()), "e.c", program);
        const auto built = run("gcc",
                               {"-std=c99", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined",
                                "-fno-sanitize-recover", "e.c", "-o", "e", "-lm"},
                               folder.path());
        QVERIFY2(built.status == 0, built.errors);
        const auto ran = run(folder.filePath("e"), {}, folder.path());
        QVERIFY2(ran.status == 0, ran.errors);
        QCOMPARE(ran.output, QByteArray::fromStdString(expected));
    }

    void realExpressionsAreTheSameInC() {
        const std::vector<std::string> names{"n"};
        const std::vector<std::string> texts{
            "1.0 / n", "2.5", "1e-3", "-n / 3", "n % 2.5", "ceil_div(n, 7)", "min(n, 0.5)", "max(n, 1e300) * 10",
            "n > 2.5", "inf", "-inf", "!n && 1"};
        std::string program(kernel::cExpressionHelpers());
        program += "#include <stdio.h>\nint main(void) {\n    int64_t n = 5;\n    (void)n;\n";
        QByteArray expected;
        for (const std::string& text : texts) {
            const auto expression = need(kernel::Expression::compile(text, names, kernel::Arithmetic::real));
            program += fmt::format("    printf(\"%a\\n\", {});\n", kernel::toC(expression, kernel::Arithmetic::real));
            expected += QByteArray::fromStdString(fmt::format("{}\n", need(expression.evaluateReal({{"n", 5}}))));
        }
        program += "    return 0;\n}\n";
        QTemporaryDir folder;
        write(QDir(folder.path()), "e.c", program);
        const auto built = run("gcc", {"-std=c99", "e.c", "-o", "e", "-lm"}, folder.path());
        QVERIFY2(built.status == 0, built.errors);
        QByteArray got;
        for (const auto& line : run(folder.filePath("e"), {}, folder.path()).output.split('\n'))
            if (!line.isEmpty())
                got += QByteArray::fromStdString(fmt::format("{}\n", std::strtod(line.constData(), nullptr)));
        QCOMPARE(got, expected);
    }

    /// The header's guard and launch answer as this program does, in C and in C++.
    void headerAnswersAsTheSpec_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"saxpy", "sgemm_tiled", "reduce"}) QTest::newRow(name) << name;
    }
    void headerAnswersAsTheSpec() {
        QFETCH(QString, name);
        if (!m_toolkit) QSKIP("no ptxas here");
        const kernel::Kernel kernel = example(name);
        const std::string file = kernel.spec.candidates.front();
        const auto shipment = shipped(kernel, file);
        const auto files = need(ship::ship(shipment, ship::As::header));
        QCOMPARE(files.size(), std::size_t{1});
        const std::string stem = files[0].name.substr(0, files[0].name.size() - 2);
        const auto header = need(kernel::readCandidateHeader(shipment.ptx, kernel::symbolNames(kernel.spec)));
        std::string program =
            fmt::format("#include \"{}\"\n#include <stdio.h>\nint main(void) {{\n    ptxwb_launch_shape s "
                        "= {{{{0}}}};\n",
                        files[0].name);
        if (name == "saxpy") program.insert(0, "#include <math.h>\n");
        std::string expected;
        for (const kernel::Symbols& symbols : need(kernel::sizes(kernel.spec, kernel::Use::stress))) {
            std::string values;
            for (const auto& [symbol, value] : symbols)
                values += fmt::format("{}{}", values.empty() ? "" : ", ", value);
            program += fmt::format(
                "    printf(\"%d\", {0}_require({1}));\n    if ({0}_launch({1}, &s)) printf(\" %u %u %u %u %u "
                "%u %u\", s.grid[0], s.grid[1], s.grid[2], s.block[0], s.block[1], s.block[2], "
                "s.shared_bytes);\n    printf(\"\\n\");\n",
                stem, values);
            expected += *kernel::violated(kernel.spec, header.require, symbols) ? "0" : "1";
            kernel::LaunchData data;
            data.symbols = symbols;
            if (kernel::shapeLaunch(kernel.spec.launch, header.launch ? &*header.launch : nullptr, data))
                expected += fmt::format(" {} {} {} {} {} {} {}", data.grid[0], data.grid[1], data.grid[2],
                                        data.block[0], data.block[1], data.block[2], data.sharedBytes);
            expected += "\n";
        }
        program += fmt::format("    return {}_cubin[0] == 0x7f ? 0 : 1;\n}}\n", stem);
        QTemporaryDir folder;
        write(QDir(folder.path()), files[0].name, files[0].content);
        write(QDir(folder.path()), "m.c", program);
        for (const QStringList& compiler :
             {QStringList{"gcc", "-std=c99"}, QStringList{"g++", "-x", "c++", "-std=c++11"}}) {
            const auto built = run(compiler[0],
                                   compiler.mid(1) + QStringList{"-Wall", "-Wextra", "-Werror",
                                                                 "-Wno-missing-field-initializers", "m.c", "-o", "m"},
                                   folder.path());
            QVERIFY2(built.status == 0, built.errors);
            const auto ran = run(folder.filePath("m"), {}, folder.path());
            QCOMPARE(ran.status, 0);
            QCOMPARE(ran.output, QByteArray::fromStdString(expected));
        }
    }

    /// What a model writes into a title or a requirement ends no comment and no string.
    void hostileNames() {
        if (!m_toolkit) QSKIP("no ptxas here");
        const kernel::Kernel kernel = example("saxpy");
        auto shipment = shipped(kernel, kernel.spec.candidates.front());
        shipment.candidate = "*/ int main; /* \"?"
                             "?/\\\n#error";
        shipment.program = "*/ #error \\";
        shipment.ptxas = "\"; #error \x80\n";
        shipment.flags = {"*/", "\\\"", "?\?/"};
        const auto files = need(ship::ship(shipment, ship::As::cubin));
        QTemporaryDir folder;
        for (const ship::File& file : files) {
            QVERIFY2(file.name.find_first_of("/\\\n \"*") == std::string::npos, file.name.c_str());
            write(QDir(folder.path()), file.name, file.content);
        }
        write(QDir(folder.path()), "m.c", "#include \"" + files[1].name + "\"\nint main(void) { return 0; }\n");
        const auto built = run("gcc", {"-std=c99", "-trigraphs", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "m.c"},
                               folder.path());
        QVERIFY2(built.status == 0, built.errors);
    }

    /// A C++ compiler takes the harness of every example, or the export says why there is none.
    void harnessCompiles_data() {
        QTest::addColumn<QString>("name");
        QDir folder(PTXWB_SOURCE_DIR "/resources/examples");
        for (const auto& name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QTest::newRow(qPrintable(name)) << name;
    }
    void harnessCompiles() {
        QFETCH(QString, name);
        if (!m_toolkit) QSKIP("no ptxas here");
        const kernel::Kernel kernel = example(name);
        std::string good;
        for (const std::string& file : kernel.spec.candidates)
            if (good.empty() && assembles(kernel, file)) good = file;
        QVERIFY(!good.empty());
        auto shipment = shipped(kernel, good);
        shipment.baselineCubin = shipment.cubin;
        const auto files = ship::ship(shipment, ship::As::harness);
        if (!files) {
            QVERIFY2(files.error().message.starts_with("not supported yet: "), files.error().message.c_str());
            qInfo("%s", files.error().message.c_str());
            return;
        }
        if (!m_toolkit->include) QSKIP("no cuda.h here");
        QTemporaryDir folder;
        for (const ship::File& file : *files) {
            QDir(folder.path()).mkpath(QFileInfo(QString::fromStdString(file.name)).path());
            write(QDir(folder.path()), file.name, file.content);
        }
        const QString include = "-I" + QString::fromStdString(m_toolkit->include->string());
        for (int i = 0; i < 2; ++i) {
            const auto built = run("g++",
                                   {"-std=c++20", "-Wall", "-Wextra", "-fsyntax-only", include,
                                    QString::fromStdString((*files)[static_cast<std::size_t>(i)].name)},
                                   folder.path());
            QVERIFY2(built.status == 0, built.errors);
        }
    }

    /// nvcc takes it too.
    void harnessCompilesWithNvcc() {
        if (!m_toolkit || !m_toolkit->nvcc) QSKIP("no nvcc here");
        const kernel::Kernel kernel = example("saxpy");
        const auto files = need(ship::ship(shipped(kernel, kernel.spec.candidates.front()), ship::As::harness));
        QTemporaryDir folder;
        for (const ship::File& file : files) write(QDir(folder.path()), file.name, file.content);
        const auto built = run(QString::fromStdString(m_toolkit->nvcc->string()),
                               {"-std=c++20", "-c", QString::fromStdString(files[0].name), "-o", "h.o"}, folder.path());
        QVERIFY2(built.status == 0, built.errors);
    }

    /// The exported code makes the bytes that this program makes.
    void inputsAreTheSame() {
        if (!m_toolkit) QSKIP("no ptxas here");
        const kernel::Kernel kernel = example("saxpy");
        const auto files = need(ship::ship(shipped(kernel, kernel.spec.candidates.front()), ship::As::harness));
        QTemporaryDir folder;
        std::string inputs;
        for (const ship::File& file : files)
            if (file.name.ends_with("_inputs.h"))
                inputs = file.name, write(QDir(folder.path()), file.name, file.content);
        QVERIFY(!inputs.empty());
        std::string
            program = "#include \"" + inputs +
                      "\"\n#include <cstdio>\n#include <vector>\nint main() {\n    using namespace ptxwb::kernel;\n    "
                      "std::vector<std::uint8_t> bytes;\n",
            expected;
        for (const char* type : {"s8", "u32", "s64", "f16", "bf16", "tf32", "f32", "f64", "e4m3", "e5m2"})
            for (const char* fill : {"normal", "uniform", "iota", "integers", "sparse", "denormal", "huge",
                                     "cancelling", "special", "isolated", "negative", "wide"}) {
                program += fmt::format("    bytes.assign(1000 * sizeOf(ElementType::{0}), 0);\n    "
                                       "fillBuffer(Fill{{FillKind::{1}, {{}}, {{}}, {{}}, {{}}, {{}}, {{}}}}, "
                                       "ElementType::{0}, fillKey(7, \"x\"), bytes);\n    std::fwrite(bytes.data(), 1, "
                                       "bytes.size(), stdout);\n",
                                       type, fill);
                const auto elementType = *kernel::elementType(type);
                std::vector<std::uint8_t> bytes(1000 * kernel::sizeOf(elementType));
                kernel::Fill how;
                how.kind = *kernel::fillKind(fill);
                kernel::fillBuffer(how, elementType, kernel::fillKey(7, "x"), bytes);
                expected.append(bytes.begin(), bytes.end());
            }
        write(QDir(folder.path()), "m.cpp", program + "}\n");
        const auto built =
            run("g++", {"-std=c++20", "-O1", "-ffp-contract=off", "m.cpp", "-o", "m", "-pthread"}, folder.path());
        QVERIFY2(built.status == 0, built.errors);
        const auto ran = run(folder.filePath("m"), {}, folder.path());
        QCOMPARE(ran.output.size(), static_cast<qsizetype>(expected.size()));
        QVERIFY2(ran.output == QByteArray::fromStdString(expected), "other bytes");
    }

    void severalLaunchesAreNotSupported() {
        kernel::Kernel kernel = example("saxpy");
        kernel.spec.launches.resize(2);
        ship::Shipment shipment;
        shipment.kernel = &kernel;
        const auto files = ship::ship(shipment, ship::As::cubin);
        QVERIFY(!files && files.error().kind == "unsupported");
        QVERIFY2(files.error().message.find("2 launches") != std::string::npos, files.error().message.c_str());
    }

private:
    Expected<toolchain::PtxasResult> assembled(const kernel::Kernel& kernel, const std::string& file) const {
        toolchain::PtxasRequest request;
        request.text = textOf(kernel, file);
        request.arch = kernel.spec.arch.empty() ? "sm_90" : kernel.spec.arch;
        return toolchain::assemble(request, *m_toolkit);
    }
    bool assembles(const kernel::Kernel& kernel, const std::string& file) const {
        const auto result = assembled(kernel, file);
        return result && result->ok;
    }
    static std::string textOf(const kernel::Kernel& kernel, const std::string& file) {
        if (const auto known = kernel.files.find(file); known != kernel.files.end()) return known->second;
        return need(readFile(PTXWB_SOURCE_DIR "/resources/examples/" + kernel.spec.name + "/" + file));
    }
    ship::Shipment shipped(const kernel::Kernel& kernel, const std::string& file) const {
        auto result = need(assembled(kernel, file));
        if (!result.ok) qFatal("ptxas does not take %s", file.c_str());
        ship::Shipment shipment;
        shipment.kernel = &kernel;
        shipment.candidate = std::filesystem::path(file).stem().string();
        shipment.ptx = textOf(kernel, file);
        shipment.entry = kernel.spec.entry;
        shipment.arch = "sm_90";
        shipment.ptxas = result.version;
        shipment.cubin = std::move(result.cubin);
        shipment.registers = result.resources.front().registers;
        shipment.program = "0.1.0";
        return shipment;
    }

    std::optional<toolchain::Toolkit> m_toolkit;
};

QTEST_GUILESS_MAIN(ShipTest)
#include "ship_test.moc"

// Compiling CUDA with the nvcc of this machine. nvcc is slow, so each run of it proves several things.
#include "support/files.h"
#include "toolchain/discover.h"
#include "toolchain/nvcc.h"
#include "toolchain/ptx_text.h"

#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <sstream>

using namespace ptxwb;
using namespace ptxwb::toolchain;
namespace fs = std::filesystem;

namespace {

const std::string kernel = "#include \"inc/scale.cuh\"\n"
                           "__global__ void k(float* p) {\n"
                           "    p[threadIdx.x] *= SCALE;\n"
                           "}\n";

/// The names of the `.file` directives, decoded.
std::vector<std::string> fileNames(const std::string& ptx) {
    std::vector<std::string> names;
    std::istringstream in(ptx);
    for (std::string line; std::getline(in, line);) {
        const auto first = line.find('"'), last = line.rfind('"');
        if (line.find(".file") != std::string::npos && first != last)
            names.push_back(decodePtxFileName(line.substr(first + 1, last - first - 1)));
    }
    return names;
}

} // namespace

class NvccTest : public QObject {
    Q_OBJECT

    std::optional<Toolkit> m_kit;

private slots:
    void initTestCase() {
        const auto found = discover();
        QVERIFY(found.has_value());
        for (const auto& kit : found->toolkits)
            if (kit.nvcc && found->hostCompiler) {
                m_kit = kit;
                break;
            }
    }

    void filesThatTravel() {
        if (!m_kit) QSKIP("no nvcc or no host compiler on this machine");
        const auto outer = TemporaryFolder::create();
        const auto awkward = outer->path() / "t m p'x";
        fs::create_directory(awkward);
        qputenv("TMPDIR", awkward.c_str());
        NvccRequest request;
        request.source = "-a b.cu"; // a name that could be taken for a flag
        request.files = {{"-a b.cu", kernel}, {"inc/scale.cuh", "#define SCALE FACTOR\n"}};
        request.flags = {"-DFACTOR=3.0f", "-O3"};
        const auto result = compileToPtx(request, *m_kit);
        qunsetenv("TMPDIR");
        QVERIFY(result.has_value());
        QVERIFY2(result->ok, result->log.c_str());
        QVERIFY(result->ptx.find(".target sm_90") != std::string::npos);
        QVERIFY(result->ptx.find(".loc") != std::string::npos);
        QVERIFY(result->ptx.find("0f40400000") != std::string::npos);            // 3.0f
        QCOMPARE(fileNames(result->ptx), (std::vector<std::string>{"-a b.cu"})); // no trace of the temporary folder
        QVERIFY(fs::is_empty(awkward));
    }

    void inPlaceInAnAwkwardFolder() {
        if (!m_kit) QSKIP("no nvcc or no host compiler on this machine");
        const auto outer = TemporaryFolder::create();
        const auto folder = outer->path() / "my k\xC3\xA9rnels (v2)";
        fs::create_directories(folder);
        QVERIFY(writeFileAtomically(folder / "a b.cu", "__global__ void k(float* p) { p[0] = 1; }\n").has_value());
        NvccRequest request;
        request.folder = folder;
        request.source = "a b.cu";
        const auto result = compileToPtx(request, *m_kit);
        QVERIFY2(result.has_value() && result->ok, result->log.c_str());
        const auto names = fileNames(result->ptx);
        QCOMPARE(names.size(), std::size_t{1});
        QVERIFY2(fs::equivalent(names[0], folder / "a b.cu"), names[0].c_str()); // source correlation opens this
        QCOMPARE(std::distance(fs::directory_iterator(folder), {}), 1);
    }

    void errorsHaveFileAndLine() {
        if (!m_kit) QSKIP("no nvcc or no host compiler on this machine");
        NvccRequest request;
        request.source = "k.cu";
        request.files.emplace()["k.cu"] = "__global__ void k(float* p) {\n    p[0] = q;\n}\n";
        const auto result = compileToPtx(request, *m_kit);
        QVERIFY(result.has_value() && !result->ok);
        QCOMPARE(result->diagnostics.size(), std::size_t{1});
        QCOMPARE(result->diagnostics[0].place, (Place{"k.cu", 2, 12, 0}));
        QCOMPARE(result->diagnostics[0].message, std::string("identifier \"q\" is undefined"));
    }

    void missingHostCompiler() {
        if (!m_kit) QSKIP("no nvcc or no host compiler on this machine");
        NvccRequest request;
        request.source = "k.cu";
        request.files.emplace()["k.cu"] = "__global__ void k() {}\n";
        const auto path = qgetenv("PATH");
        qputenv("PATH", m_kit->nvcc->parent_path().c_str());
        const auto none = compileToPtx(request, *m_kit);
        qputenv("PATH", path);
        QVERIFY(none.has_value() && !none->ok);
        QCOMPARE(none->diagnostics.size(), std::size_t{1});
        QCOMPARE(none->diagnostics[0].message,
                 "gcc was not found, and nvcc " + m_kit->version + " needs a host compiler even to make PTX");
        request.hostCompiler = "/no/such/g++";
        const auto result = compileToPtx(request, *m_kit);
        QVERIFY(result.has_value() && !result->ok);
        QCOMPARE(result->diagnostics.size(), std::size_t{1});
        QCOMPARE(result->diagnostics[0].message,
                 "/no/such/g++ was not found, and nvcc " + m_kit->version + " needs a host compiler even to make PTX");
        for (const auto* way : {"-ccbin", "-allow-unsupported-compiler", "NVRTC"})
            QVERIFY(result->diagnostics[0].hint.find(way) != std::string::npos);
    }

    void whatIsMissingOrNotAllowed() {
        Toolkit kit;
        kit.root = "/opt/cuda";
        kit.foundBy = "PATH";
        NvccRequest request;
        request.source = "k.cu";
        request.files.emplace()["k.cu"] = "";
        QCOMPARE(compileToPtx(request, kit).error().message, std::string("no nvcc in the toolkit /opt/cuda (PATH)"));
        QCOMPARE(compileToPtx(request, kit).error().cause, Cause::missing);
        kit.nvcc = "/bin/false";
        request.files->emplace("../evil.cuh", "");
        QCOMPARE(compileToPtx(request, kit).error().message,
                 std::string("\"../evil.cuh\" is no name of a file beside the kernel"));
        request.files->erase("../evil.cuh");
        request.source = "/etc/passwd";
        QCOMPARE(compileToPtx(request, kit).error().message,
                 std::string("\"/etc/passwd\" is no name of a file beside the kernel"));
        request.source = "other.cu";
        QVERIFY(compileToPtx(request, kit).error().message.ends_with("other.cu: no such file"));
        request.source = "k.cu";
        const auto silent = compileToPtx(request, kit);
        QCOMPARE(silent->diagnostics.at(0).message,
                 std::string("nvcc ended with status 1 without a message that is understood"));
        request.flags = {"-ccbin", "/tmp/evil"};
        QCOMPARE(compileToPtx(request, kit).error().cause, Cause::badRequest);
    }
};

QTEST_APPLESS_MAIN(NvccTest)
#include "nvcc_test.moc"

// From a source file to a verdict: `ptxwb init`, an edited draft, a written reference, `ptxwb verify`. In awkward
// folders too.
#include "program.h"
#include "schema_check.h"

#include <QtTest>
#include <fstream>

using namespace ptxwb::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string source = "// y = min(max(a * x, low), high)\n"
                           "extern \"C\" __global__ void scale_clamp(int n, float a, const float* x, float* y)\n{\n"
                           "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                           "    if (i < n) y[i] = fminf(fmaxf(a * x[i], -1.0f), 1.0f);\n}\n";

const std::string body = "void reference(int n, double a, const double* x, double* y)\n{\n"
                         "    for (int i = 0; i < n; ++i) {\n        const double v = a * x[i];\n"
                         "        y[i] = v < -1 ? -1 : v > 1 ? 1 : v;\n    }\n}\n";

std::string textOf(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// What a person decides in the draft: sizes, counts, access, launch.
json decided(json spec) {
    spec["symbols"] = {{"n", {{"function", {1, 100}}, {"stress", {0, 255, 256, 257}}}}};
    spec["launch"] = {{"grid", {"ceil_div(n, 256)", 1, 1}}, {"block", {256, 1, 1}}};
    spec["arguments"] = {{{"name", "n"}, {"type", "s32"}, {"value", "n"}},
                         {{"name", "a"}, {"type", "f32"}, {"value", 1.5}},
                         {{"name", "x"}, {"type", "f32"}, {"count", "n"}, {"access", "in"}, {"align", 4}},
                         {{"name", "y"}, {"type", "f32"}, {"count", "n"}, {"access", "out"}, {"align", 4}}};
    return spec;
}

} // namespace

class InitTest : public QObject {
    Q_OBJECT

private slots:
    void fromSourceToVerdict_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("file");
        QTest::newRow("plain") << "kernels"
                               << "scale_clamp.cu";
        QTest::newRow("blanks, brackets, accents") << QString::fromUtf8("my k\u00e9rnels (v2)") << "a b.cu";
    }
    void fromSourceToVerdict() {
        if (!haveTool("nvcc")) QSKIP("no nvcc here");
        QFETCH(QString, folder);
        QFETCH(QString, file);
        Program program;
        fs::create_directories(program.folder() / "t m p'x");
        program.setEnvironment("TMPDIR", (program.folder() / "t m p'x").string());
        const std::string path = (folder + "/" + file).toStdString();
        program.write(path, source);

        const Answer drafted = program.run({"init", path, "--json"});
        QVERIFY2(drafted.status == 0, describe(drafted));
        const json value = drafted.json();
        QCOMPARE(QString::fromStdString(mismatch("init", value)), QString());
        const json kernel = value.at("kernels").at(0);
        QCOMPARE(kernel.at("entry"), json("scale_clamp"));
        QVERIFY2(!kernel.at("notes").empty(), describe(drafted));
        const fs::path specFile = program.folder() / kernel.at("spec_file").get<std::string>();
        const json spec = json::parse(textOf(specFile));
        QCOMPARE(QString::fromStdString(mismatch("kernel", spec)), QString());
        QVERIFY(fs::exists(specFile.parent_path() / "reference.cpp"));

        // Nothing is ever written over.
        const Answer again = program.run({"init", path});
        QVERIFY2(again.status == 2, describe(again));
        QVERIFY2(again.errors.find("is there already and is not overwritten") != std::string::npos, describe(again));

        // An untouched reference does not pass for an oracle.
        const std::string name = kernel.at("spec_file");
        const Answer untouched = program.run({"verify", name});
        QVERIFY2(untouched.status == 2, describe(untouched));
        QVERIFY2(untouched.errors.find("write the reference") != std::string::npos, describe(untouched));

        program.write(name, decided(spec).dump(1));
        program.write((folder + "/reference.cpp").toStdString(), body);
        const Answer verdict = program.run({"verify", name, "--json"}); // made here: no question, no --trust
        QVERIFY2(verdict.status == (haveTool("ptxas") ? 0 : 3), describe(verdict));
        QVERIFY2(verdict.errors.find("nobody has trusted") == std::string::npos, describe(verdict));

        for (const auto& left : fs::directory_iterator(program.folder() / "t m p'x")) QFAIL(left.path().c_str());
    }

    void fromPtx() {
        const Program program;
        program.write("k.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry _Z5scalePfif(.param "
                               ".u64 p0, .param .u32 p1, .param .f32 p2) .maxntid 128\n{\n\tret;\n}\n");
        const Answer answer = program.run({"init", "k.ptx"});
        QVERIFY2(answer.status == 0, describe(answer));
        QVERIFY2(answer.output.find("wrote ") != std::string::npos &&
                     answer.output.find("to decide in ") != std::string::npos,
                 describe(answer));
        QVERIFY2(answer.output.find("ptxwb verify ") != std::string::npos, describe(answer));
    }

    /// A parameter is a handle by what the code does with it; a draft says that it cannot tell more.
    void handlesOfTexturesAndSurfaces() {
        const Program program;
        program.write("k.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n"
                               ".visible .entry k(.param .u64 image, .param .u64 number, .param .u64 target)\n{\n"
                               "\t.reg .b32 %r<3>;\n\t.reg .b64 %rd<4>;\n\t.reg .f32 %f<6>;\n"
                               "\tld.param.u64 %rd1, [image];\n\tld.param.u64 %rd2, [number];\n"
                               "\tld.param.u64 %rd3, [target];\n\tmov.f32 %f1, 0f00000000;\n\tmov.u32 %r1, 0;\n"
                               "\ttex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%f1}];\n"
                               "\tsust.b.1d.b32.trap [%rd3, {%r1}], %f2;\n\tret;\n}\n");
        const Answer drafted = program.run({"init", "k.ptx", "--json"});
        QVERIFY2(drafted.status == 0, describe(drafted));
        const json spec = json::parse(textOf(program.folder() / "k.kernel.json"));
        QCOMPARE(QString::fromStdString(mismatch("kernel", spec)), QString());
        QCOMPARE(spec.at("arguments").at(0), json::parse(R"({"name": "image", "type": "null"})"));
        QCOMPARE(spec.at("arguments").at(1).at("type"), json("u64"));
        QCOMPARE(spec.at("arguments").at(2), json::parse(R"({"name": "target", "type": "null"})"));
        const std::string notes = spec.at("notes").dump();
        QVERIFY2(notes.find("image: the handle of a texture") != std::string::npos &&
                     notes.find("target: the handle of a surface") != std::string::npos,
                 notes.c_str());
    }

    void severalEntriesAskWhich() {
        const Program program;
        const std::string one = "{\n\tret;\n}\n";
        program.write("k.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry first()\n" + one +
                                   ".visible .entry second()\n" + one);
        const Answer which = program.run({"init", "k.ptx"});
        QVERIFY2(which.status == 2, describe(which));
        QVERIFY2(which.errors.find("has 2 entries: first, second") != std::string::npos &&
                     which.errors.find("--entry NAME") != std::string::npos,
                 describe(which));
        const Answer second = program.run({"init", "k.ptx", "--entry", "second"});
        QVERIFY2(second.status == 0, describe(second));
    }

    /// The question which entry leaves nothing behind that its answer stumbles over, and each kernel has its reference.
    void severalKernelsOfOneSource() {
        if (!haveTool("nvcc")) QSKIP("no nvcc here");
        const Program program;
        program.write("two.cu", "__global__ void first(int* y) { *y = 1; }\n"
                                "template <class T> __global__ void second(T* y) { *y = 2; }\n"
                                "template __global__ void second<float>(float*);\n");
        QCOMPARE(program.run({"init", "two.cu"}).status, 2);
        QVERIFY(!fs::exists(program.folder() / "two.sm_90.ptx"));
        const Answer first = program.run({"init", "two.cu", "--entry", "first"});
        QVERIFY2(first.status == 0, describe(first));
        const std::string reference = textOf(program.folder() / "reference.cpp");
        const Answer second = program.run({"init", "two.cu", "--entry", "second"});
        QVERIFY2(second.status == 0, describe(second));
        QCOMPARE(textOf(program.folder() / "reference.cpp"), reference);
        const json spec = json::parse(textOf(program.folder() / "second.kernel.json"));
        QCOMPARE(spec.at("reference").at("file"), json("second.reference.cpp"));
        QVERIFY(textOf(program.folder() / "second.reference.cpp").find("float*") == std::string::npos);
        QVERIFY(textOf(program.folder() / "second.reference.cpp").find("double*") != std::string::npos);
        QVERIFY2(second.output.find("write ./second.reference.cpp") != std::string::npos, describe(second));
    }

    /// The metadata beside the PTX tells block, shared memory and entry.
    void fromATritonFolder() {
        const Program program;
        program.write("cache/add_kernel.ptx",
                      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry add_kernel(.param .u64 .ptr "
                      ".global .align 1 add_kernel_param_0, .param .u32 add_kernel_param_1)\n.reqntid 128, 1, "
                      "1\n{\n\tret;\n}\n");
        program.write("cache/add_kernel.json",
                      R"({"name": "add_kernel", "num_warps": 4, "num_stages": 3, "shared": 2048, "hash": "abc",
                          "target": {"backend": "cuda", "arch": 80, "warp_size": 32}, "cluster_dims": [1, 1, 1]})");
        program.write("cache/add_kernel.ttir", "module {}");
        const Answer answer = program.run({"init", "cache", "--json"});
        QVERIFY2(answer.status == 0, describe(answer));
        QCOMPARE(QString::fromStdString(mismatch("init", answer.json())), QString());
        const json spec = json::parse(textOf(program.folder() / "cache/add_kernel.kernel.json"));
        QCOMPARE(spec.at("entry"), json("add_kernel"));
        QCOMPARE(spec.at("launch").at("block"), json({128, 1, 1}));
        QCOMPARE(spec.at("launch").at("shared_bytes"), json(2048));
        QCOMPARE(spec.at("baseline").at("ptx"), json("add_kernel.ptx"));
        QVERIFY(!spec.contains("source"));
        const std::string notes = spec.at("notes").dump();
        QVERIFY2(notes.find("Triton adds pointers") != std::string::npos, notes.c_str());
        QCOMPARE(QString::fromStdString(mismatch("kernel", spec)), QString());
    }

    /// The project's own flags, of the entry for this very source.
    void flagsOfTheProject() {
        if (!haveTool("nvcc")) QSKIP("no nvcc here");
        const Program program;
        program.write("k/k.cu",
                      "#include \"answer.h\"\nextern \"C\" __global__ void k(int* y) { *y = ANSWER + OTHER; }\n");
        program.write("k/k.kernel.json",
                      R"({"schema": 1, "name": "k", "source": "k.cu", "entry": "k", "flags": ["-O1"],
                          "launch": {"grid": [1], "block": [1]},
                          "arguments": [{"name": "y", "type": "s32", "count": 1, "access": "out"}]})");
        program.write("include/answer.h", "#define ANSWER 42\n");
        program.write(
            "build/compile_commands.json",
            R"([{"directory": ")" + (program.folder() / "other").string() +
                R"(", "file": "k.cu", "command": "nvcc -DOTHER=9 -c k.cu"},
                         {"directory": ")" +
                (program.folder() / "build").string() +
                R"(", "file": "../k/k.cu", "command": "nvcc -ccbin g++ -O3 -DOTHER=1 -I ../include --generate-code=arch=compute_80 -Xcompiler -fPIC -c ../k/k.cu -o k.o"}])");
        const Answer answer =
            program.run({"compile", "k", "--compile-commands", "build/compile_commands.json", "-o", "out"});
        QVERIFY2(answer.status == 0, describe(answer));
        QVERIFY2(answer.output.find("-O3 -DOTHER=1 -I") != std::string::npos, describe(answer));
        QVERIFY2(answer.output.find("ccbin") == std::string::npos &&
                     answer.output.find("Xcompiler") == std::string::npos,
                 describe(answer));
        QVERIFY2(textOf(program.folder() / "out/k.sm_90.ptx").find("43") != std::string::npos, describe(answer));
    }
};

QTEST_APPLESS_MAIN(InitTest)
#include "init.moc"

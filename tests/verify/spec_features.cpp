// What a spec can say beyond scalars and buffers, each run through function and stress on the emulator: pointer arrays,
// structs, module variables, several launches, buffers in one place, cooperative launches, host functions for inputs
// and equality, references in Python and from files.
#include "judge.h"

#include "support/child_process.h"

#include <cstring>

using namespace ptxwb;
using namespace ptxwb::test;

class SpecFeaturesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (!haveCompiler()) QSKIP("no host compiler for the references");
    }

    void pointerArrays() {
        const auto text = [](const char* operation) {
            return moduleOf(entry("k", ", .param .u64 p, .param .u64 y",
                                  "\tld.param.u64 %rd1, [p];\n\tld.global.u64 %rd2, [%rd1];\n\tld.global.u64 %rd3, "
                                  "[%rd1+8];\n\tadd.s64 %rd2, %rd2, %rd9;\n\tadd.s64 %rd3, %rd3, %rd9;\n" +
                                      pointer(4, "y") +
                                      "\tld.global.f32 %f1, [%rd2];\n\tld.global.f32 %f2, [%rd3];\n\t" + operation +
                                      ".f32 %f3, %f1, %f2;\n\tst.global.f32 [%rd4], %f3;\n"));
        };
        Judge judge(spec(R"({"name": "p", "type": "pointer_array", "of": ["u", "v"]},
                            {"name": "u", "type": "f32", "count": "n", "access": "in"},
                            {"name": "v", "type": "f32", "count": "n", "access": "in"}, )" +
                             y,
                         launch + reference),
                    {{"k.ptx", text("sub")},
                     {"reference.cpp", "void reference(int n, const double* u, const double* v, double* y) {\n"
                                       "    for (int i = 0; i < n; ++i) y[i] = u[i] - v[i];\n}\n"}});
        const auto right = judge(text("sub"));
        QVERIFY2(isRight(right), describe(right));
        const auto wrong = judge(text("add"));
        QVERIFY2(failsWith(wrong, "elements"), describe(wrong));
        // A store into the array itself is a store into an input.
        const auto spoils = judge(moduleOf(entry("k", ", .param .u64 p, .param .u64 y",
                                                 "\tld.param.u64 %rd1, [p];\n\tst.global.u64 [%rd1], %rd1;\n")));
        QVERIFY2(failsWith(spoils, "inputs"), describe(spoils));
    }

    void structsBytesAndNull() {
        const std::string parameters = ", .param .align 8 .b8 s[16], .param .align 4 .b8 h[4], .param .u64 z, .param "
                                       ".u64 y";
        const auto text = [&](const char* field) {
            return moduleOf(entry("k", parameters,
                                  "\tld.param.u64 %rd1, [s+8];\n\tadd.s64 %rd1, %rd1, %rd9;\n\tld.param.f32 %f1, [s" +
                                      std::string(field) +
                                      "];\n\tld.global.f32 %f2, [%rd1];\n\tmul.f32 %f3, %f1, %f2;\n\tld.param.f32 %f4, "
                                      "[h];\n\tadd.f32 %f3, %f3, %f4;\n" +
                                      pointer(4, "y") + "\tst.global.f32 [%rd4], %f3;\n"));
        };
        Judge judge(
            spec(
                R"({"name": "s", "type": "struct", "size": 16, "align": 8, "fields": [{"offset": 0, "type": "f32", "value": 2.5},
                            {"offset": 4, "type": "f32", "value": 0.5}, {"offset": 8, "buffer": "x"}]},
                            {"name": "h", "type": "bytes", "hex": "0000803f", "align": 4}, {"name": "z", "type": "null"}, )" +
                    y + ", " + x,
                launch + reference),
            {{"k.ptx", text("+4")},
             {"reference.cpp",
              "void reference(int n, double, double b, const double* x, const unsigned char*, const void*, "
              "double* y) {\n    for (int i = 0; i < n; ++i) y[i] = b * x[i] + 1;\n}\n"}});
        const auto right = judge(text("+4"));
        QVERIFY2(isRight(right), describe(right));
        const auto wrong = judge(text("+0"));
        QVERIFY2(failsWith(wrong, "elements"), describe(wrong));
    }

    void moduleVariables() {
        const auto text = [](const char* index, const char* count) {
            return moduleOf(
                ".const .align 4 .b8 table[16];\n.global .align 4 .u32 hits;\n" +
                entry("k", ", .param .u64 x, .param .u64 y",
                      pointer(1, "x") + pointer(2, "y") + "\tand.b32 %r5, %r1, " + index +
                          ";\n\tmul.wide.s32 %rd3, %r5, 4;\n\tmov.u64 %rd4, table;\n\tadd.s64 %rd4, %rd4, "
                          "%rd3;\n\tld.const.f32 %f1, [%rd4];\n\tld.global.f32 %f2, [%rd1];\n\tmul.f32 %f3, "
                          "%f1, %f2;\n\tst.global.f32 [%rd2], %f3;\n\tred.global.add.u32 [hits], " +
                          count + ";\n"));
        };
        Judge judge(
            spec(x + ", " + y, launch + reference +
                                   R"(, "globals": [{"name": "table", "type": "f32", "count": 4, "fill": "uniform"},
                                                            {"name": "hits", "type": "u32", "value": 7, "compare": true}])"),
            {{"k.ptx", text("3", "1")},
             {"reference.cpp",
              "void reference(int n, const double* x, double* y, double* table, unsigned* hits) {\n    *hits += "
              "unsigned(n);\n    for (int i = 0; i < n; ++i) y[i] = x[i] * table[i % 4];\n}\n"}});
        const auto right = judge(text("3", "1"));
        QVERIFY2(isRight(right), describe(right));
        QVERIFY(outcome(right, "globals") == CheckStatus::passed);
        QVERIFY(outcome(right, "module_state") == CheckStatus::passed); // the spec names it: that is its contract
        const auto wrongTable = judge(text("1", "1"));
        QVERIFY2(failsWith(wrongTable, "elements"), describe(wrongTable));
        const auto wrongCount = judge(text("3", "2"));
        QVERIFY2(failsWith(wrongCount, "elements"), describe(wrongCount));
        const std::string right_text = text("3", "1");
        std::string without = right_text;
        without.replace(without.find("table[16]"), 9, "table[32]");
        const auto larger = judge(without);
        QVERIFY2(failsWith(larger, "globals"), describe(larger));
    }

    void severalLaunches() {
        const auto text = [](const char* addend) {
            return moduleOf(entry("first", ", .param .u64 x, .param .u64 t",
                                  pointer(1, "x") + pointer(2, "t") +
                                      "\tld.global.f32 %f1, [%rd1];\n\tadd.f32 %f2, %f1, "
                                      "%f1;\n\tst.global.f32 [%rd2], %f2;\n") +
                            entry("second", ", .param .u64 t, .param .u64 y",
                                  pointer(1, "t") + pointer(2, "y") +
                                      "\tld.global.f32 %f1, [%rd1];\n\tadd.f32 %f2, %f1, " + addend +
                                      ";\n\tst.global.f32 [%rd2], %f2;\n"));
        };
        const std::string shape = R"json("launch": {"grid": ["ceil_div(n, 64)", 1, 1], "block": [64, 1, 1]})json";
        Judge judge(
            spec(x + R"(, {"name": "t", "type": "f32", "count": "n", "access": "scratch"}, )" + y,
                 R"(, "launches": [{"entry": "first", )" + shape + R"(, "arguments": ["n", "x", "t"]},
                                           {"entry": "second", )" +
                     shape + R"(, "arguments": ["n", "t", "y"]}])" + reference),
            {{"k.ptx", text("0f3F800000")},
             {"reference.cpp", "void reference(int n, const double* x, double*, double* y) {\n    for (int i = 0; i < "
                               "n; ++i) y[i] = 2 * x[i] + 1;\n}\n"}});
        const auto right = judge(text("0f3F800000"));
        QVERIFY2(isRight(right), describe(right));
        const auto wrong = judge(text("0f40000000"));
        QVERIFY2(failsWith(wrong, "elements"), describe(wrong));
        std::string halved = text("0f3F800000");
        halved.replace(halved.find(".entry second"), 13, ".entry third ");
        const auto lacks = judge(halved);
        QVERIFY2(failsWith(lacks, "entry"), describe(lacks));
    }

    void buffersInOnePlace() {
        const auto text = [](bool reversed) {
            return moduleOf(
                entry("k", ", .param .u64 x, .param .u64 y",
                      pointer(1, "x") + pointer(2, "y") +
                          (reversed ? "\tsub.s32 %r5, %r4, %r1;\n\tsub.s32 %r5, %r5, 1;\n\tmul.wide.s32 %rd5, "
                                      "%r5, 4;\n\tld.param.u64 %rd1, [x];\n\tadd.s64 %rd1, %rd1, %rd5;\n"
                                      "\tld.param.u64 %rd2, [y];\n\tadd.s64 %rd2, %rd2, %rd5;\n"
                                    : "") +
                          "\tld.global.f32 %f1, [%rd1];\n\tadd.f32 %f2, %f1, %f1;\n\tst.global.f32 [%rd2], "
                          "%f2;\n"));
        };
        // Reads its neighbour: right in separate buffers only.
        const std::string neighbour = moduleOf(
            entry("k", ", .param .u64 x, .param .u64 y",
                  pointer(1, "x") + pointer(2, "y") +
                      "\tld.global.f32 %f1, [%rd1];\n\tst.global.f32 [%rd2], %f1;\n\tbar.warp.sync 0xffffffff;\n"
                      "\tld.global.f32 %f1, [%rd1];\n\tadd.f32 %f2, %f1, %f1;\n\tst.global.f32 [%rd2], %f2;\n\t"
                      "ld.global.f32 %f1, [%rd1];\n\tadd.f32 %f2, %f1, %f1;\n\tst.global.f32 [%rd2], %f2;\n"));
        Judge judge(
            spec(x + R"(, {"name": "y", "type": "f32", "count": "n", "access": "out", "may_alias": ["x"]})",
                 launch + reference),
            {{"k.ptx", text(false)},
             {"reference.cpp", "void reference(int n, const double* x, double* y) {\n    for (int i = 0; i < n; "
                               "++i) y[i] = 2 * x[i];\n}\n"}});
        for (const bool reversed : {false, true}) {
            const auto right = judge(text(reversed));
            QVERIFY2(isRight(right), describe(right));
            QVERIFY(outcome(right, "aliasing") == CheckStatus::passed);
        }
        std::string twice = neighbour;
        for (auto at = twice.find("\tbar.warp.sync 0xffffffff;\n"); at != std::string::npos;
             at = twice.find("\tbar.warp.sync 0xffffffff;\n"))
            twice.erase(at, std::strlen("\tbar.warp.sync 0xffffffff;\n"));
        const auto wrong = judge(twice);
        QVERIFY2(failsWith(wrong, "aliasing"), describe(wrong));
        QVERIFY(outcome(wrong, "sizes") == CheckStatus::passed); // in places of their own it is right
    }

    /// Blocks wait for each other by a counter in memory.
    void cooperativeLaunches() {
        const std::string text = moduleOf(
            ".visible .entry k(.param .u32 n, .param .u64 c, .param .u64 y)\n{\n\t.reg .pred %p<3>;\n\t.reg .b32 "
            "%r<9>;\n\t.reg .b64 %rd<6>;\n\tld.param.u64 %rd1, [c];\n\tld.param.u64 %rd2, [y];\n\tmov.u32 %r1, "
            "%ctaid.x;\n\tmov.u32 %r2, %nctaid.x;\n\tatom.global.add.u32 %r3, [%rd1], "
            "1;\nWAIT:\n\tld.volatile.global.u32 "
            "%r4, [%rd1];\n\tsetp.lt.u32 %p1, %r4, %r2;\n\t@%p1 bra WAIT;\n\tmul.wide.u32 %rd3, %r1, 4;\n\tadd.s64 "
            "%rd4, "
            "%rd2, %rd3;\n\tst.global.u32 [%rd4], %r4;\n\tret;\n}\n");
        Judge judge(R"json({"schema": 1, "name": "k", "arch": "sm_80", "baseline": {"ptx": "k.ptx"}, "entry": "k",
             "symbols": {"n": {"function": [3], "stress": [1, 2]}},
             "launch": {"grid": ["n", 1, 1], "block": [1, 1, 1], "cooperative": true},
             "arguments": [{"name": "n", "type": "s32", "value": "n"}, {"name": "c", "type": "u32", "count": 1, "access": "scratch"},
                           {"name": "y", "type": "u32", "count": "n", "access": "out"}]})json" +
                        std::string(),
                    {{"k.ptx", text}});
        const auto result = judge(text);
        const StageResult* function = find(result.stages, Stage::function);
        QVERIFY2(function->status == Status::pass && find(result.stages, Stage::stress)->status == Status::pass,
                 describe(result));
    }

    void inputsOfAHostFunction() {
        const auto text = [](const char* last) {
            return moduleOf(entry(
                "k", ", .param .u64 offsets, .param .u64 values, .param .u64 y",
                pointer(1, "offsets") + pointer(3, "y") +
                    "\tld.param.u64 %rd2, [values];\n\tld.global.u32 %r5, [%rd1];\n\tld.global.u32 %r6, "
                    "[%rd1+4];\n\tmov.f32 "
                    "%f1, 0f00000000;\nNEXT:\n\tsetp." +
                    std::string(last) +
                    ".s32 %p2, %r5, %r6;\n\t@%p2 bra END;\n\tmul.wide.s32 %rd4, %r5, 4;\n\tadd.s64 %rd4, %rd2, "
                    "%rd4;\n\tld.global.f32 %f2, [%rd4];\n\tadd.f32 %f1, %f1, %f2;\n\tadd.s32 %r5, %r5, 1;\n\tbra "
                    "NEXT;\nEND:\n\tst.global.f32 [%rd3], %f1;\n"));
        };
        const std::string code =
            "void inputs(unsigned long long seed, int n, int* offsets, double* values, double*) {\n    offsets[0] = "
            "0;\n   "
            " "
            "for (int i = 0; i < n; ++i) offsets[i + 1] = offsets[i] + int((seed + i) % 4);\n    for (int i = 0; i < 4 "
            "* "
            "n; "
            "++i) values[i] += 1;\n}\n"
            "void reference(int n, const int* offsets, const double* values, double* y) {\n    for (int i = 0; i < n; "
            "++i) "
            "{\n        y[i] = 0;\n        for (int k = offsets[i]; k < offsets[i + 1]; ++k) y[i] += values[k];\n    "
            "}\n}\n";
        const std::string arguments = R"({"name": "offsets", "type": "s32", "count": "n + 1", "access": "in"},
            {"name": "values", "type": "f32", "count": "4 * n", "access": "in"}, )" +
                                      y;
        Judge judge(spec(arguments, launch + R"(, "inputs": {"file": "code.cpp", "function": "inputs"},
                "reference": {"file": "code.cpp", "function": "reference"}, "work": {"reduction": 4})"),
                    {{"k.ptx", text("ge")}, {"code.cpp", code}});
        const auto right = judge(text("ge"));
        QVERIFY2(isRight(right), describe(right));
        const auto wrong = judge(text("gt")); // one element more
        QVERIFY2(failsWith(wrong, "elements") || failsWith(wrong, "bounds"), describe(wrong));
        judge.plan().reference = ReferenceTrust::refused;
        const auto untrusted = judge(text("ge"));
        QVERIFY2(find(untrusted.stages, Stage::function)->status == Status::inconclusive, describe(untrusted));
        QVERIFY2(find(untrusted.stages, Stage::function)->findings.at(0).message.find("code.cpp") != std::string::npos,
                 describe(untrusted));
    }

    void equalityOfAHostFunction() {
        const auto text = [](const char* operation) {
            return moduleOf(entry("k", ", .param .u64 x, .param .u64 y",
                                  pointer(1, "x") + pointer(2, "y") + "\tld.global.f32 %f1, [%rd1];\n\t" + operation +
                                      "\tst.global.f32 [%rd2], %f2;\n"));
        };
        Judge judge(
            spec(x + ", " + y, launch + R"(, "compare": {"file": "code.cpp", "function": "same"},
                "reference": {"file": "code.cpp", "function": "reference"})"),
            {{"k.ptx", text("mov.f32 %f2, %f1;\n")},
             {"code.cpp",
              "void reference(int n, const double* x, double* y) {\n    for (int i = 0; i < n; ++i) y[i] = x[i];\n}\n"
              "bool same(int n, const double*, const double* y, const double* y_expected) {\n    for (int i = 0; i < "
              "n; ++i)\n        if (y[i] != y_expected[i] && y[i] != -y_expected[i]) return false;\n    return "
              "true;\n}\n"}});
        const auto negated = judge(text("neg.f32 %f2, %f1;\n")); // either sign is right
        QVERIFY2(isRight(negated), describe(negated));
        QVERIFY(outcome(negated, "compare") == CheckStatus::passed);
        QVERIFY(outcome(negated, "elements") == CheckStatus::notRun);
        const auto wrong = judge(text("add.f32 %f2, %f1, %f1;\n"));
        QVERIFY2(failsWith(wrong, "compare"), describe(wrong));
        const auto hole = judge(moduleOf(entry("k", ", .param .u64 x, .param .u64 y", "")));
        QVERIFY2(failsWith(hole, "written"), describe(hole));
    }

    void expectedValuesFromAFile() {
        const auto floats = [](std::initializer_list<float> values) {
            std::string bytes;
            for (const float value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
            return bytes;
        };
        const auto text = [](const char* operation) {
            return moduleOf(entry("k", ", .param .u64 x, .param .u64 y",
                                  pointer(1, "x") + pointer(2, "y") + "\tld.global.f32 %f1, [%rd1];\n\t" + operation +
                                      ".f32 %f2, %f1, %f1;\n\tst.global.f32 [%rd2], %f2;\n"));
        };
        std::string json =
            spec(R"({"name": "x", "type": "f32", "count": "n", "access": "in", "fill": {"file": "x.bin"}}, )" + y,
                 launch + R"(, "reference": {"expected": {"y": "y.bin"}})");
        json.replace(json.find(R"("function": [1, 100], "stress": [0, 33, 64, 65])"),
                     std::strlen(R"("function": [1, 100], "stress": [0, 33, 64, 65])"), R"("function": [3])");
        Judge judge(json, {{"k.ptx", text("mul")}, {"x.bin", floats({1, 2, 3})}, {"y.bin", floats({1, 4, 9})}});
        const auto right = judge(text("mul"));
        QVERIFY2(isRight(right), describe(right));
        const auto wrong = judge(text("add"));
        QVERIFY2(failsWith(wrong, "elements"), describe(wrong));
    }

    void referenceInPython() {
        const auto path = environmentVariable("PATH").value_or("/usr/bin:/bin");
        if (!findProgram("python3", path)) QSKIP("no python3");
        const auto text = [](const char* operation) {
            return moduleOf(entry("k", ", .param .f32 a, .param .u64 x, .param .u64 w, .param .u64 y",
                                  pointer(1, "x") + pointer(2, "y") + pointer(3, "w") +
                                      "\tld.param.f32 %f4, [a];\n\tld.global.f32 %f1, [%rd1];\n\tld.global.s32 %r5, "
                                      "[%rd3];\n\tcvt.rn.f32.s32 %f2, %r5;\n\tmul.f32 %f1, %f1, %f4;\n\t" +
                                      operation + ".f32 %f3, %f1, %f2;\n\tst.global.f32 [%rd2], %f3;\n"));
        };
        Judge judge(
            spec(
                R"({"name": "a", "type": "f32", "value": -2}, )" + x +
                    R"(, {"name": "w", "type": "s32", "count": "n", "access": "in", "fill": {"kind": "integers", "low": -9, "high": 9}}, )" +
                    y,
                launch + R"(, "reference": {"python": "reference.py"})"),
            {{"k.ptx", text("sub")},
             {"reference.py", "def reference(n, a, x, w, y):\n    print('noise')\n    for i in range(n):\n        "
                              "y[i] = a * x[i] - w[i]\n"}});
        const auto right = judge(text("sub"));
        QVERIFY2(isRight(right), describe(right));
        const auto wrong = judge(text("add"));
        QVERIFY2(failsWith(wrong, "elements"), describe(wrong));
    }

    /// A tile of 64 elements a block comes by a tensor copy; what lies behind the tensor's end is 0.
    void tensorMaps() {
        const auto text = [](const char* first) {
            return fmt::format(
                ".version 8.0\n.target sm_90\n.address_size 64\n"
                ".visible .entry k(.param .u32 n, .param .align 128 .b8 t[128], .param .u64 y)\n{{\n"
                "\t.reg .pred %p<4>;\n\t.reg .b32 %r<16>;\n\t.reg .f32 %f<4>;\n\t.reg .b64 %rd<8>;\n"
                "\t.shared .align 128 .b32 tile[64];\n\t.shared .align 8 .b64 bar;\n"
                "\tmov.u32 %r1, %ctaid.x;\n\tshl.b32 %r2, %r1, 6;\n\tmov.u32 %r3, %tid.x;\n"
                "\tmov.b64 %rd1, t;\n\tcvta.param.u64 %rd1, %rd1;\n\tadd.s32 %r9, %r2, {};\n"
                "\tsetp.eq.u32 %p1, %r3, 0;\n\t@%p1 mbarrier.init.shared.b64 [bar], 1;\n\tbar.sync 0;\n"
                "\t@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;\n"
                "\t@%p1 cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                "[tile], [%rd1, {{%r9}}], [bar];\nW:\n"
                "\tmbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n\t@!%p2 bra W;\n"
                "\tadd.s32 %r4, %r2, %r3;\n\tld.param.u32 %r5, [n];\n\tsetp.ge.s32 %p3, %r4, %r5;\n"
                "\t@%p3 bra DONE;\n\tshl.b32 %r6, %r3, 2;\n\tmov.u32 %r7, tile;\n"
                "\tadd.s32 %r6, %r6, %r7;\n\tld.shared.f32 %f1, [%r6];\n\tld.param.u64 %rd2, [y];\n"
                "\tmul.wide.s32 %rd3, %r4, 4;\n\tadd.s64 %rd2, %rd2, %rd3;\n"
                "\tst.global.f32 [%rd2], %f1;\nDONE:\n\tret;\n}}\n",
                first);
        };
        Judge judge(spec(R"({"name": "t", "type": "tensormap", "of": "x", "box": [64], "oob_fill": "nan"}, )"
                         R"({"name": "x", "type": "f32", "shape": ["n"], "access": "in", "align": 16}, )" +
                             y,
                         launch + reference),
                    {{"k.ptx", text("0")},
                     {"reference.cpp", "void reference(int n, const double* x, double* y) { for (int i = 0; i < n; "
                                       "++i) y[i] = x[i]; }\n"}});
        const auto right = judge(text("0"));
        QVERIFY2(isRight(right), describe(right));
        const auto wrong = judge(text("4"));
        QVERIFY2(failsWith(wrong, "elements") || failsWith(wrong, "nonfinite"), describe(wrong));
    }

    /// Arrays of numpy, and of torch over them, where the interpreter has these; where it has not, that is said and the
    /// baseline is the oracle.
    void referenceInPythonWithLibraries_data() {
        QTest::addColumn<QString>("library");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("numpy") << "numpy"
                               << QByteArray("import numpy as np\n\n\ndef reference(n, x, y):\n    assert x.dtype == "
                                             "np.float64 and x.shape == (n,)\n    y[:] = 2 * np.asarray(x) + 1\n");
        QTest::newRow("torch") << "torch"
                               << QByteArray("import torch\n\n\ndef reference(n, x, y):\n    if n:\n        "
                                             "torch.from_numpy(y).copy_(2 * torch.from_numpy(x) + 1)\n");
    }
    void referenceInPythonWithLibraries() {
        QFETCH(QString, library);
        QFETCH(QByteArray, code);
        const auto path = environmentVariable("PATH").value_or("/usr/bin:/bin");
        const auto python = findProgram(environmentVariable("PTXWB_PYTHON").value_or("python3"), path);
        if (!python) QSKIP("no python3");
        const auto text = [](const char* addend) {
            return moduleOf(entry("k", ", .param .u64 x, .param .u64 y",
                                  pointer(1, "x") + pointer(2, "y") +
                                      "\tld.global.f32 %f1, [%rd1];\n\tfma.rn.f32 %f2, "
                                      "%f1, 0f40000000, " +
                                      addend + ";\n\tst.global.f32 [%rd2], %f2;\n"));
        };
        Judge judge(spec(x + ", " + y, launch + R"(, "reference": {"python": "reference.py"})"),
                    {{"k.ptx", text("0f3F800000")}, {"reference.py", code.toStdString()}});
        ChildRequest probe;
        probe.arguments = {python->string(), "-c", "import numpy, " + library.toStdString()};
        const auto right = judge(text("0f3F800000"));
        if (!runChild(probe).succeeded()) {
            const StageResult* function = find(right.stages, Stage::function);
            QVERIFY2(function->status == Status::pass, describe(right));
            QVERIFY2(function->reason.find(python->string() + " has no ") != std::string::npos, describe(right));
            return;
        }
        QVERIFY2(isRight(right), describe(right));
        const auto wrong = judge(text("0f40000000"));
        QVERIFY2(failsWith(wrong, "elements"), describe(wrong));
    }

    /// What is not run yet is said, and nothing passes.
    void interleavedMaps() {
        const std::string argument =
            R"({"name": "t", "type": "tensormap", "of": "x", "box": [64], "interleave": "16B"}, )";
        const std::string parameters = ", .param .align 64 .b8 t[128], .param .u64 y";
        Judge judge(spec(argument + y + ", " + x, launch), {{"k.ptx", moduleOf(entry("k", parameters, ""))}});
        const auto result = judge(moduleOf(entry("k", parameters, "")));
        QVERIFY2(find(result.stages, Stage::function)->status == Status::inconclusive, describe(result));
        QVERIFY2(find(result.stages, Stage::function)->findings.at(0).message.find("not supported yet") !=
                     std::string::npos,
                 describe(result));
    }

    /// The mean of an element and the next one by a linear filter half a texel on, written through a surface. The last
    /// element has no neighbour: it is clamped.
    void texturesAndSurfaces() {
        const auto text = [](const char* step, const char* store) {
            return moduleOf(entry("k", ", .param .u64 t, .param .u64 s",
                                  fmt::format("\tld.param.u64 %rd1, [t];\n\tld.param.u64 %rd2, [s];\n"
                                              "\tcvt.rn.f32.s32 %f1, %r1;\n\tadd.f32 %f1, %f1, {};\n"
                                              "\ttex.1d.v4.f32.f32 {{%f2, %f3, %f4, %f5}}, [%rd1, {{%f1}}];\n"
                                              "\tshl.b32 %r5, %r1, 2;\n"
                                              "\tsust.b.1d.b32.{} [%rd2, {{%r5}}], %f2;\n",
                                              step, store)));
        };
        const std::string arguments =
            R"({"name": "t", "type": "texture", "of": "x", "filter": "linear"}, {"name": "s", "type": "surface", "of": "y"}, )" +
            x + ", " + y;
        Judge judge(
            spec(arguments, launch + reference + R"(, "require": ["n >= 1"])"),
            {{"k.ptx", text("0f3F800000", "trap")},
             {"reference.cpp",
              "void reference(int n, const double* x, double* y) { for (int i = 0; i < n; ++i) y[i] = 0.5 * (x[i] + "
              "x[i + 1 < n ? i + 1 : i]); }\n"}});
        const auto right = judge(text("0f3F800000", "trap"));
        QVERIFY2(isRight(right), describe(right));
        const auto wrong = judge(text("0f3F000000", "trap"));
        QVERIFY2(failsWith(wrong, "elements"), describe(wrong));
        // Bytes for elements: four times as far.
        std::string far = text("0f3F800000", "trap");
        far.replace(far.find("shl.b32 %r5, %r1, 2"), 19, "shl.b32 %r5, %r1, 4");
        const auto outside = judge(far);
        QVERIFY2(failsWith(outside, "bounds"), describe(outside));
    }
};

QTEST_APPLESS_MAIN(SpecFeaturesTest)
#include "spec_features.moc"

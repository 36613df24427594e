// Nothing that a file can hold makes the parser crash, hang or flood.
#include "ptx/cfg.h"
#include "ptx/check.h"
#include "ptx/line_map.h"
#include "ptx/print.h"
#include "test_data.h"

#include <random>

using namespace ptxwb;
using namespace ptxwb::ptx;

namespace {

/// Everything that reads a tree, so that a wrong index shows.
std::size_t useAll(const std::string& text) {
    const auto module = parse(text, "m.ptx");
    const auto diagnostics = check(*module);
    std::size_t used = formatAll(*module, diagnostics).size();
    const LineMap map(*module);
    for (const Function& function : module->functions) {
        used += controlFlow(*module, function).blocks.size();
        for (std::size_t i = 0; i < function.instructions.size(); ++i)
            used += instructionText(*module, function, i).size();
        for (const Operand& operand : function.operands) {
            if (operand.kind == OperandKind::reg) used += function.registerName(operand.symbol).size();
            if (operand.kind == OperandKind::variable)
                used += (operand.owner == Owner::module ? module->variables.at(operand.symbol)
                                                        : variableOf(function, operand.symbol))
                            .name.size();
            if (operand.kind == OperandKind::label) used += function.labels.at(operand.symbol).name.size();
            if (operand.kind == OperandKind::function) used += module->functions.at(operand.symbol).name.size();
        }
        used += map.sourceOf(module->lineOf(function.span.offset)).size();
    }
    return used;
}

std::vector<std::string> goodFiles() {
    std::vector<std::string> all;
    for (const char* folder : {"cases", "check"})
        for (const auto& entry : std::filesystem::directory_iterator(dataFolder() / folder))
            all.push_back(readText(entry.path()));
    all.push_back(readText(dataFolder() / "nvcc/kernels.lineinfo.ptx"));
    std::sort(all.begin(), all.end()); // the order of a folder is not the same everywhere
    return all;
}

} // namespace

class RobustnessTest : public QObject {
    Q_OBJECT

    static constexpr const char* head = ".version 9.0\n.target sm_90\n";

private slots:
    void randomBytes() {
        std::mt19937 random(1);
        for (int i = 0; i < 300; ++i) {
            std::string text = i % 2 ? head : "";
            const std::size_t length = random() % 2000;
            for (std::size_t n = 0; n < length; ++n) text += static_cast<char>(random());
            useAll(text);
        }
    }

    void randomTokens() {
        static constexpr const char* pieces[] = {".entry",
                                                 ".func",
                                                 "k",
                                                 "(",
                                                 ")",
                                                 "{",
                                                 "}",
                                                 "[",
                                                 "]",
                                                 ",",
                                                 ";",
                                                 ":",
                                                 "@",
                                                 "!",
                                                 "%p",
                                                 "%r1",
                                                 "%r<4>",
                                                 ".reg",
                                                 ".b32",
                                                 ".param",
                                                 ".global",
                                                 ".align",
                                                 "4",
                                                 "0f3F800000",
                                                 "1.5",
                                                 "-",
                                                 "+",
                                                 "add",
                                                 ".s32",
                                                 "call",
                                                 "bra",
                                                 "L",
                                                 "ret",
                                                 ".branchtargets",
                                                 ".callprototype",
                                                 "_",
                                                 "|",
                                                 "=",
                                                 "generic",
                                                 "0xFF",
                                                 ".loc",
                                                 "1",
                                                 "\n",
                                                 "\"s\"",
                                                 ".pragma",
                                                 ".section",
                                                 ".v4",
                                                 ".ptr",
                                                 "?",
                                                 "<",
                                                 ">",
                                                 "brx",
                                                 ".idx",
                                                 "ld",
                                                 ".attribute",
                                                 ".file",
                                                 "WARP_SZ",
                                                 "%tid",
                                                 ".x",
                                                 ".visible",
                                                 ".maxntid"};
        std::mt19937 random(2);
        for (int i = 0; i < 2000; ++i) {
            std::string text = head;
            if (i % 3 == 0) text += ".entry k(.param .u64 P) { .reg .b32 %r<4>; .reg .pred %p;\n";
            const std::size_t length = random() % 60;
            for (std::size_t n = 0; n < length; ++n)
                text += std::string(pieces[random() % std::size(pieces)]) + (random() % 4 ? " " : "");
            useAll(text);
        }
    }

    void mutations() {
        std::mt19937 random(3);
        const std::vector<std::string> files = goodFiles();
        for (int i = 0; i < 1500; ++i) {
            std::string text = files[random() % files.size()];
            if (text.empty()) continue;
            for (unsigned n = 1 + random() % 4; n > 0; --n) {
                const std::size_t at = random() % text.size();
                switch (random() % 4) {
                case 0: text[at] = static_cast<char>(random()); break;
                case 1: text.erase(at, 1 + random() % 20); break;
                case 2: text.insert(at, text.substr(random() % text.size(), random() % 30)); break;
                default: text[at] = " ;{}()[]<>,.:@!%$_\"\n"[random() % 20]; break;
                }
                if (text.empty()) text = " ";
            }
            useAll(text);
        }
    }

    void truncations() {
        const std::string text = readText(dataFolder() / "cases/h21_params.ptx");
        for (std::size_t length = 0; length < text.size(); length += 7) useAll(text.substr(0, length));
    }

    void deepScopes() {
        std::string body;
        for (int i = 0; i < 1000; ++i) body += "{ .reg .b32 %r; mov.b32 %r, 1;\n";
        for (int i = 0; i < 1000; ++i) body += "}";
        const auto module = kernel(body + " ret;");
        QVERIFY(module->diagnostics.empty());
        QCOMPARE(module->functions.back().scopes.size(), std::size_t{1001});
        QVERIFY(useAll(std::string(head) + ".entry k() {" + std::string(100000, '{')) > 0);
    }

    void deepParentheses() {
        for (const char* open : {"(", "-(", "~", "-", "!", "1+(", "1?", "{", "["}) {
            std::string text = std::string(head) + ".entry k() { .reg .b32 %r; mov.b32 %r, ";
            for (int i = 0; i < 100000; ++i) text += open;
            text += "; ret; }";
            const auto module = parse(text);
            QVERIFY(!module->diagnostics.empty());
            QVERIFY2(module->diagnostics.size() < 10, open);
        }
        const auto module = parse(std::string(head) + ".global .u32 a = " + std::string(100000, '{') + ";");
        QVERIFY(!module->diagnostics.empty());
    }

    void longSumsAreNoNesting() {
        std::string text = "1";
        for (int i = 0; i < 50000; ++i) text += "+1";
        const auto module = kernel(".reg .b32 %r; mov.b32 %r, " + text + "; ret;");
        QVERIFY(module->diagnostics.empty());
    }

    void hugeDeclarations() {
        for (const char* text : {".global .u32 a[4000000000];", ".global .u32 a[18446744073709551615];",
                                 ".global .b8 a[4294967295][4294967295][4294967295];", ".global .u32 a<4000000000>;",
                                 ".global .u32 a<60000>;", ".entry k() { .reg .b32 %r<4294967295>; ret; }",
                                 ".entry k() { .reg .b32 %r<1000000000>, %s<1000000000>; ret; }",
                                 ".entry k() { t: .branchtargets L<4294967295>; ret; }"})
            QVERIFY2(parse(std::string(head) + text) != nullptr, text);
        QVERIFY(!parse(std::string(head) + ".global .b8 a[4294967295][4294967295][4294967295];")->diagnostics.empty());
    }

    void longLine() {
        std::string text = ".global .b8 a[500000] = {";
        for (int i = 0; i < 500000; ++i) text += i ? ",1" : "1";
        const auto module = parse(std::string(head) + text + "}; oops");
        QCOMPARE(module->diagnostics.size(), std::size_t{1});
        QCOMPARE(module->variables.at(0).initialiser.size(), std::size_t{500000});
        QVERIFY(format(module->diagnostics[0], *module->text).size() < 600);
    }

    void aFloodOfErrorsIsCut() {
        std::string text = std::string(head) + ".entry k() {\n";
        for (int i = 0; i < 5000; ++i) text += "add.s32 ,;\n";
        const auto module = parse(text + "ret; }");
        QCOMPARE(module->diagnostics.size(), std::size_t{1001});
        QCOMPARE(module->diagnostics.back().message, std::string("4000 more messages are not shown"));
        QVERIFY(useAll(text) > 0);
    }

    void manyLabelsAndUses() {
        std::string body;
        for (int i = 0; i < 50000; ++i) body += "bra L" + std::to_string(49999 - i) + "; L" + std::to_string(i) + ":\n";
        const auto module = kernel(body + "ret;");
        QVERIFY(module->diagnostics.empty());
    }

    void largeFile() {
        std::string text = head;
        const std::string body = readText(dataFolder() / "cases/h45_many_regs.ptx");
        const std::string entry = body.substr(body.find(".visible"));
        std::string::size_type name = entry.find(".entry ") + 7;
        for (int i = 0; text.size() < 20'000'000; ++i) {
            std::string copy = entry;
            copy.insert(name, "k" + std::to_string(i) + "_");
            text += copy;
        }
        const auto module = parse(text);
        QVERIFY(!module->functions.empty());
        QVERIFY2(module->diagnostics.empty(),
                 module->diagnostics.empty() ? "" : module->diagnostics[0].message.c_str());
    }
};

QTEST_APPLESS_MAIN(RobustnessTest)
#include "robustness_test.moc"

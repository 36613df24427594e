// What the tree holds: declarations, operands, names, calls, labels, directives.
#include "test_data.h"

#include <bit>

using namespace ptxwb;
using namespace ptxwb::ptx;

namespace {

constexpr const char* registers = ".reg .b32 %r<10>, x; .reg .b64 %rd<10>; .reg .pred %p<4>; .reg .f32 %f<4>; .reg .v4 "
                                  ".f32 q; .shared .align 16 .b8 sh[64];\n";

std::string show(const Module& module, const Function& function, const Operand& operand);

std::string list(const Module& module, const Function& function, std::span<const Operand> operands) {
    std::string all;
    for (const Operand& operand : operands) all += (all.empty() ? "" : " ") + show(module, function, operand);
    return all;
}

/// One operand in short: r:%r1 i:5 f32:3f800000 v:g+4 [r:%rd1+4] {..} (..) p|q.
std::string show(const Module& module, const Function& function, const Operand& operand) {
    const auto children = function.childrenOf(operand);
    char buffer[32];
    std::string text;
    switch (operand.kind) {
    case OperandKind::reg: text = "r:" + function.registerName(operand.symbol); break;
    case OperandKind::special: text = "s:" + std::string(module.textOf(operand.span)); break;
    case OperandKind::integer: text = "i:" + std::to_string(operand.value); break;
    case OperandKind::floating:
        std::snprintf(buffer, sizeof buffer, "f%d:%llx", operand.floatBits,
                      static_cast<unsigned long long>(operand.value));
        text = buffer;
        break;
    case OperandKind::variable:
        text = "v:" + std::string(operand.owner == Owner::module ? module.variables[operand.symbol].name
                                                                 : variableOf(function, operand.symbol).name);
        if (operand.value) text += "+" + std::to_string(operand.value);
        break;
    case OperandKind::label:
        text = "l:" + std::string(function.labels[operand.symbol].name) + "@" +
               std::to_string(function.labels[operand.symbol].target);
        break;
    case OperandKind::function: text = "fn:" + std::string(module.functions[operand.symbol].name); break;
    case OperandKind::address:
        text = "[" + show(module, function, children[0]);
        if (operand.value) text += (operand.value < 0 ? "" : "+") + std::to_string(operand.value);
        if (children.size() > 1) text += " " + list(module, function, children.subspan(1));
        text += "]";
        break;
    case OperandKind::vector: text = "{" + list(module, function, children) + "}"; break;
    case OperandKind::pair:
        text = show(module, function, children[0]) + "|" + show(module, function, children[1]);
        break;
    case OperandKind::list: text = "(" + list(module, function, children) + ")"; break;
    case OperandKind::sink: text = "_"; break;
    case OperandKind::unresolved: text = "?"; break;
    }
    if (operand.negated) text = "!" + text;
    if (operand.component) text += "." + std::to_string(operand.component);
    return text;
}

const Function& only(const Module& module) {
    return module.functions.back();
}

/// "" where there is none.
std::string firstError(const Module& module) {
    return module.diagnostics.empty() ? "" : module.diagnostics[0].message;
}

std::string hex(const std::vector<std::uint8_t>& bytes) {
    std::string all;
    char buffer[4];
    for (const std::uint8_t byte : bytes) {
        std::snprintf(buffer, sizeof buffer, "%02x", byte);
        all += buffer;
    }
    return all;
}

} // namespace

class ParseTest : public QObject {
    Q_OBJECT

private slots:
    void operands_data() {
        QTest::addColumn<QString>("statement");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* text, const char* expected) {
            QTest::newRow(text) << QString(text) << QString(expected);
        };
        row("mov.u32 %r1, 5;", "r:%r1 i:5");
        row("mov.u32 %r1, -5;", "r:%r1 i:-5");
        row("mov.u32 %r1, 017 + 0b101 * 0x10;", "r:%r1 i:95");
        row("mov.u32 %r1, 2 + 3 << 1 | 1 & 3;", "r:%r1 i:11");
        row("mov.u32 %r1, 7 - 2 - 1;", "r:%r1 i:4");
        row("mov.u32 %r1, -7 / 2;", "r:%r1 i:-3");
        row("mov.u32 %r1, -7 % 4;", "r:%r1 i:-3");
        row("mov.u32 %r1, (.u64)-1 > 0;", "r:%r1 i:1");
        row("mov.u32 %r1, -1 > 0;", "r:%r1 i:0");
        row("mov.u32 %r1, -1 > 0U;", "r:%r1 i:1");
        row("mov.u32 %r1, 1 ? 2 : 3 ? 4 : 5;", "r:%r1 i:2");
        row("mov.u32 %r1, 0 ? 2 : 0 ? 4 : 5;", "r:%r1 i:5");
        row("mov.u32 %r1, !5 || ~0 == -1 && 1 != 2;", "r:%r1 i:1");
        row("mov.u32 %r1, 1 ^ 3;", "r:%r1 i:2");
        row("mov.u32 %r1, -8 >> 1;", "r:%r1 i:-4");
        row("mov.u64 %rd1, 1 << 64;", "r:%rd1 i:0");
        row("mov.f32 %f1, 1.5;", "r:%f1 f64:3ff8000000000000");
        row("mov.f32 %f1, 0f3F800000;", "r:%f1 f32:3f800000");
        row("mov.f32 %f1, -0.0;", "r:%f1 f64:8000000000000000");
        row("mov.f32 %f1, 1.0/4.0;", "r:%f1 f64:3fd0000000000000");
        row("mov.u32 %r1, %tid.x;", "r:%r1 s:%tid.x.1");
        row("mov.u64 %rd1, %clock64;", "r:%rd1 s:%clock64");
        row("mov.u32 %r1, WARP_SZ;", "r:%r1 s:WARP_SZ");
        row("mov.u32 %r1, WARP_SZ - 1;", "r:%r1 i:31");
        row("mov.f32 %f1, q.z;", "r:%f1 r:q.3");
        row("mov.f32 q.a, %f1;", "r:q.4 r:%f1");
        row("vadd.s32.u32.s32 %r1, %r2.b3, %r3.h1;", "r:%r1 r:%r2.8 r:%r3.10");
        row("vadd4.u32.u32.u32 %r1.b210, %r2, %r3, %r4;", "r:%r1.255 r:%r2 r:%r3 r:%r4");
        row("ld.global.u32 %r1, [%rd1];", "r:%r1 [r:%rd1]");
        row("ld.global.u32 %r1, [%rd1+4];", "r:%r1 [r:%rd1+4]");
        row("ld.global.u32 %r1, [%rd1+-4];", "r:%r1 [r:%rd1-4]");
        row("ld.global.u32 %r1, [ %rd1 + (2 * 4) ];", "r:%r1 [r:%rd1+8]");
        row("ld.local.u32 %r1, [16];", "r:%r1 [i:16]");
        row("ld.param.u64 %rd1, [P+4];", "r:%rd1 [v:P+4]");
        row("ld.shared.u32 %r1, [sh];", "r:%r1 [v:sh]");
        row("ld.global.u32 %r1, table[2];", "r:%r1 [v:table+8]");
        row("mov.u64 %rd1, table;", "r:%rd1 v:table");
        row("mov.u64 %rd1, table+8;", "r:%rd1 v:table+8");
        row("mov.u64 %rd1, table[3];", "r:%rd1 v:table+12");
        row("mov.u64 %rd1, k;", "r:%rd1 fn:k");
        row("mov.b64 %rd1, {%r1, 5};", "r:%rd1 {r:%r1 i:5}");
        row("mov.b64 {_, %r1}, %rd1;", "{_ r:%r1} r:%rd1");
        row("ld.global.u32 {%r1}, [%rd1];", "{r:%r1} [r:%rd1]");
        row("setp.eq.u32 %p1|%p2, %r1, %r2;", "r:%p1|r:%p2 r:%r1 r:%r2");
        row("setp.eq.and.u32 _|%p2, %r1, %r2, !%p3;", "_|r:%p2 r:%r1 r:%r2 !r:%p3");
        row("tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, {%f0, %f1}];",
            "{r:%f0 r:%f1 r:%f2 r:%f3} [r:%rd1 {r:%f0 r:%f1}]");
        row("tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, %rd2, {%f0, 1.0}];",
            "{r:%f0 r:%f1 r:%f2 r:%f3} [r:%rd1 r:%rd2 {r:%f0 f64:3ff0000000000000}]");
        row("cp.async.ca.shared.global [sh], [%rd1], 16;", "[v:sh] [r:%rd1] i:16");
        row("bra L;", "l:L@1");
        row("call f;", "fn:f");
        row("call.uni (%r1), g, (%r2, 5), proto;", "(r:%r1) fn:g (r:%r2 i:5) l:proto@0");
        row("call (%r1), %rd1, (%r2), proto;", "(r:%r1) r:%rd1 (r:%r2) l:proto@0");
        row("call g, ();", "fn:g ()");
        row("brx.idx %r1, targets;", "r:%r1 l:targets@0");
        row("ret;", "");
        row("mov.u32 x, %r01;", "r:x r:%r1");
    }

    void operands() {
        QFETCH(QString, statement);
        QFETCH(QString, expected);
        const auto module =
            kernel(registers +
                       std::string("proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\ntargets: "
                                   ".branchtargets L;\n") +
                       statement.toStdString() + "\nL: ret;",
                   ".global .align 4 .u32 table[4]; .func f(); .func (.reg .b32 r) g(.reg .b32 a, .reg .b32 b);");
        QCOMPARE(firstError(*module), std::string());
        const Function& function = only(*module);
        QCOMPARE(function.instructions.size(), std::size_t{2});
        QCOMPARE(QString::fromStdString(list(*module, function, function.operandsOf(function.instructions[0]))),
                 expected);
    }

    void modifiersKeepTheirOrder() {
        const auto module =
            kernel(registers +
                   std::string("atom.or.acq_rel.cta.global.shared::cta.L2::cache_hint.v2.b32 %r1, [%rd1], %r2; ret;"));
        const Function& function = only(*module);
        const Instruction& atom = function.instructions[0];
        std::string all;
        for (const ModifierUse& use : function.modifiersOf(atom)) all += module->textOf(use.span);
        QCOMPARE(all, std::string(".or.acq_rel.cta.global.shared::cta.L2::cache_hint.v2.b32"));
        QVERIFY(function.has(atom, Modifier::or_) && function.has(atom, Modifier::acq_rel) &&
                function.has(atom, Modifier::shared_cta) && function.has(atom, Modifier::L2_cache_hint));
        QVERIFY(!function.has(atom, Modifier::add));
        QVERIFY(function.typeOf(atom) == ScalarType::b32 && function.typeOf(atom, 1) == ScalarType::none);
        QVERIFY(function.spaceOf(atom) == StateSpace::global);
        QCOMPARE(function.vectorOf(atom), 2u);
        QCOMPARE(function.vectorOf(function.instructions[1]), 1u);
    }

    void guards() {
        const auto module = kernel(registers + std::string("@%p1 ret; @!%p2 ret; @ ! %p3 bra L; ret; L: ret;"));
        const Function& function = only(*module);
        QCOMPARE(firstError(*module), std::string());
        QCOMPARE(function.registerName(function.instructions[0].guard), std::string("%p1"));
        QVERIFY(!function.instructions[0].guardNegated && function.instructions[1].guardNegated &&
                function.instructions[2].guardNegated);
        QVERIFY(function.instructions[3].guard == noIndex);
        QCOMPARE(std::string(module->textOf(function.instructions[2].span)), std::string("@ ! %p3 bra L"));
        QCOMPARE(std::string(module->textOf(function.instructions[2].opcodeSpan)), std::string("bra"));
    }

    void unknownOpcodesStay() {
        const auto module = kernel(registers + std::string("frob.u32.quux %r1, %r2; ret;"));
        QCOMPARE(firstError(*module), std::string());
        QVERIFY(only(*module).instructions[0].opcode == Opcode::unknown);
        QVERIFY(only(*module).modifiersOf(only(*module).instructions[0])[1].id == Modifier::unknown);
    }

    void registerGroups() {
        const auto module = kernel(".reg .b32 %r<10>, %x, %y<3>; .reg .v4 .f32 q; { .reg .pred %x; setp.eq.u32 %x, "
                                   "%r1, %y2; } mov.u32 %x, %r9; ret;");
        const Function& function = only(*module);
        QCOMPARE(firstError(*module), std::string());
        QCOMPARE(function.registers.size(), std::size_t{5});
        QCOMPARE(function.registerCount, 16u);
        QCOMPARE(function.registerName(9), std::string("%r9"));
        QCOMPARE(function.registerName(10), std::string("%x"));
        QCOMPARE(function.registerName(13), std::string("%y2"));
        QCOMPARE(int(function.registers[3].vector), 4);
        QVERIFY(function.registerType(15) == ScalarType::pred);
        QCOMPARE(function.registers[4].scope, Index{1});
        QCOMPARE(function.scopes[1].parent, Index{0});
        const auto setp = function.operandsOf(function.instructions[0]);
        const auto mov = function.operandsOf(function.instructions[1]);
        QCOMPARE(setp[0].symbol, Index{15});
        QCOMPARE(mov[0].symbol, Index{10});
        QCOMPARE(function.instructions[0].scope, Index{1});
    }

    void variables_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected"); // size align elements bytes
        const auto row = [](const char* text, const char* expected) {
            QTest::newRow(text) << QString(text) << QString(expected);
        };
        row(".global .u32 a;", "4 4 1 ");
        row(".global .align 16 .b8 a[5];", "5 16 5 ");
        row(".align 8 .const .u16 a[2] = {1, 0x1234};", "4 8 2 01003412");
        row(".global .v4 .f32 a = {1.0, -2.0};", "16 16 1 0000803f000000c0");
        row(".global .v2 .b16 a[2] = {{1, 2}, {3}};", "8 4 2 010002000300");
        row(".global .u8 a[2][3] = {{1}, {4, 5, 6}};", "6 1 6 010000040506");
        row(".global .b32 a[] = {1, 2};", "8 4 2 0100000002000000");
        row(".global .f64 a = 1.5;", "8 8 1 000000000000f83f");
        row(".global .f32 a = 0d3FF8000000000000;", "4 4 1 0000c03f");
        row(".global .b64 a = 1.5;", "8 8 1 000000000000f83f");
        row(".global .s64 a = -1;", "8 8 1 ffffffffffffffff");
        row(".global .u8 a = 256 + 7;", "1 1 1 07");
        row(".global .b128 a;", "16 16 1 ");
        row(".extern .shared .align 16 .b8 a[];", "0 16 0 ");
        row(".weak .global .attribute(.managed) .align 8 .u32 a = 3;", "4 8 1 03000000");
        row(".global .texref a;", "8 8 1 ");
    }

    void variables() {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const auto module = parse(".version 8.0\n.target sm_90\n" + text.toStdString());
        QCOMPARE(firstError(*module), std::string());
        const Variable& a = module->variables.at(0);
        QCOMPARE(a.name, std::string_view("a"));
        QCOMPARE(QString::fromStdString(std::to_string(a.sizeBytes) + ' ' + std::to_string(a.align) + ' ' +
                                        std::to_string(a.elements) + ' ' + hex(a.initialiser)),
                 expected);
    }

    void linkage() {
        const auto module = parse(".version 8.0\n.target sm_90\n.visible .global .u32 a; .extern .global .u32 b; .weak "
                                  ".global .u32 c; .common .global .u32 d; .global .u32 e<2>;");
        QCOMPARE(firstError(*module), std::string());
        const auto of = [&](std::size_t i) { return module->variables.at(i).linkage; };
        QVERIFY(of(0) == Linkage::visible && of(1) == Linkage::external && of(2) == Linkage::weak &&
                of(3) == Linkage::common && of(4) == Linkage::internal);
        QCOMPARE(module->variables.at(5).name, std::string_view("e1"));
    }

    void relocations() {
        const auto module = parse(".version 8.0\n.target sm_90\n.global .u32 x[4]; .func f(); .global .u64 p[3] = "
                                  "{x+4, generic(x)+8, f}; .global .u8 b[2] = {0xFF(x), 0xFF00(generic(x))};");
        QCOMPARE(firstError(*module), std::string());
        const Variable& p = module->variables.at(1);
        QCOMPARE(p.relocations.size(), std::size_t{3});
        QCOMPARE(p.relocations[0].symbol, std::string_view("x"));
        QCOMPARE(p.relocations[0].addend, std::int64_t{4});
        QVERIFY(!p.relocations[0].generic && p.relocations[1].generic);
        QCOMPARE(p.relocations[1].offset, 8u);
        QCOMPARE(p.relocations[2].symbol, std::string_view("f"));
        QCOMPARE(p.initialiser.size(), std::size_t{24});
        const Variable& b = module->variables.at(2);
        QCOMPARE(int(b.relocations[1].bytes), 1);
        QCOMPARE(int(b.relocations[1].byteOfAddress), 1);
        QVERIFY(b.relocations[1].generic);
    }

    void parameters() {
        const auto module = parse(".version 8.0\n.target sm_90\n.visible .entry k(.param .u64 .ptr .global .align 16 "
                                  "p, .param .u64 .ptr .align 1 q, .param .u64 .ptr r, .param .align 8 .b8 s[24], "
                                  ".param .f32 t) .maxntid 256, 1, 1 .minnctapersm 2 { ret; }");
        QCOMPARE(firstError(*module), std::string());
        const Function& function = only(*module);
        QVERIFY(function.isEntry && function.hasBody && function.linkage == Linkage::visible);
        const auto& p = function.parameters;
        QCOMPARE(p.size(), std::size_t{5});
        QVERIFY(p[0].isPointer && p[0].pointee == StateSpace::global && p[0].pointeeAlign == 16);
        QVERIFY(p[1].isPointer && p[1].pointee == StateSpace::none && p[1].pointeeAlign == 1);
        QVERIFY(p[2].isPointer && p[2].pointeeAlign == 0);
        QVERIFY(p[3].isArray && p[3].sizeBytes == 24 && p[3].align == 8);
        QVERIFY(!p[4].isPointer && p[4].type == ScalarType::f32);
        QCOMPARE(function.directives.size(), std::size_t{2});
        QCOMPARE(function.directives[0].name, std::string_view(".maxntid"));
        QCOMPARE(function.directives[0].values, (std::vector<std::uint32_t>{256, 1, 1}));
    }

    void forwardDeclarationsLeadToTheDefinition() {
        const auto module =
            parse(".version 8.0\n.target sm_90\n.func f(); .entry k() { call f; ret; } .func f() { ret; }");
        QCOMPARE(firstError(*module), std::string());
        QCOMPARE(module->functions.size(), std::size_t{3});
        const Function& k = module->functions[1];
        QCOMPARE(k.operandsOf(k.instructions[0])[0].symbol, Index{2});
        QVERIFY(module->function("f")->hasBody);
        QVERIFY(module->function("g") == nullptr);
        QCOMPARE(module->entries().size(), std::size_t{1});
    }

    void registerParameters() {
        const auto module =
            parse(".version 8.0\n.target sm_90\n.func (.reg .b32 out) f(.reg .b32 in) { mov.b32 out, in; ret; }");
        QCOMPARE(firstError(*module), std::string());
        const Function& f = only(*module);
        QCOMPARE(list(*module, f, f.operandsOf(f.instructions[0])), std::string("r:out r:in"));
        QCOMPARE(f.registerCount, 2u);
    }

    void labels() {
        const auto module =
            kernel("bra $L__BB0_2; { bra in; in: bra $L__BB0_2; { in: bra in; } }\n$L__BB0_2: $also: ret; end:");
        QCOMPARE(firstError(*module), std::string());
        const Function& function = only(*module);
        const auto target = [&](std::size_t i) {
            return function.labels[function.operandsOf(function.instructions[i])[0].symbol].target;
        };
        QCOMPARE(target(0), 4u);
        QCOMPARE(target(1), 2u);
        QCOMPARE(target(2), 4u);
        QCOMPARE(target(3), 3u);
        QCOMPARE(function.labels.back().target, 5u); // behind the last instruction
    }

    void labelledDirectives() {
        const auto module =
            kernel(".reg .b32 i; t: .branchtargets A, B; u: .branchtargets L<2>; p: .callprototype (.param .b32 _) _ "
                   "(.param .align 8 .b8 _[16]) .noreturn; brx.idx i, u; A: B: L0: L1: ret;");
        const Function& function = only(*module);
        QCOMPARE(firstError(*module), std::string());
        QCOMPARE(function.labelled.size(), std::size_t{3});
        QCOMPARE(function.labelled[0].targets, (std::vector<std::string_view>{"A", "B"}));
        QCOMPARE(function.labelled[1].targets, (std::vector<std::string_view>{"L0", "L1"}));
        QCOMPARE(function.labelled[2].name, std::string_view(".callprototype"));
        QCOMPARE(function.labelled[2].parameters.at(0).sizeBytes, std::uint64_t{16});
        QCOMPARE(function.labelled[2].results.size(), std::size_t{1});
        const Operand& use = function.operandsOf(function.instructions[0])[1];
        QCOMPARE(function.labels[use.symbol].directive, Index{1});
    }

    void head() {
        const auto module =
            parse("// a file\n//@ title Vector loads\n  //@ require n % 4 == 0  \n.version 8.5\n.target sm_90a, "
                  "debug\n.address_size 64\n//@ late x\n.file 1 \"a\\303\\251.cu\", 123, 456\n"
                  ".section .debug_str { a: .b8 1, 2 { } }\n.pragma \"nounroll\";\n",
                  "c.ptx");
        QCOMPARE(firstError(*module), std::string());
        QCOMPARE(int(module->version), 85);
        QCOMPARE(module->targets, (std::vector<std::string_view>{"sm_90a", "debug"}));
        QCOMPARE(module->addressSize, 64u);
        QCOMPARE(module->candidateLines.size(), std::size_t{2});
        QCOMPARE(module->candidateLines[0].key, std::string_view("title"));
        QCOMPARE(module->candidateLines[0].value, std::string_view("Vector loads"));
        QCOMPARE(module->candidateLines[1].value, std::string_view("n % 4 == 0"));
        QCOMPARE(module->files.at(0).name, std::string_view("a\\303\\251.cu"));
        QCOMPARE(module->sections.at(0).name, std::string_view(".debug_str"));
        QCOMPARE(std::string(module->textOf(module->sections[0].body)), std::string(" a: .b8 1, 2 { } "));
        QCOMPARE(module->name, std::string("c.ptx"));
    }

    void locations() {
        const auto module = kernel(".loc 1 10 5\nmov.u32 %r1, 1;\n.loc 2 7 9, function_name $L__info_string0+6, "
                                   "inlined_at 1 10 5\nmov.u32 %r1, 2; .loc 1 11 0\nret;",
                                   "");
        const Function& function = only(*module);
        QCOMPARE(function.locations.size(), std::size_t{3});
        QCOMPARE(function.locations[1].inlinedAt, Index{0});
        QCOMPARE(function.locations[1].function, std::string_view("$L__info_string0"));
        QCOMPARE(function.locations[1].functionOffset, 6u);
        QCOMPARE(function.instructions[1].location, Index{1});
        QCOMPARE(function.instructions[2].location, Index{2});
    }

    void bytesThatPeopleHave_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        const QByteArray good = ".version 8.0\n.target sm_90\n.entry k() { ret; }\n";
        QTest::newRow("CRLF") << QByteArray(good).replace("\n", "\r\n") << "";
        QTest::newRow("no line end") << good.trimmed() << "";
        QTest::newRow("byte order mark") << "\xEF\xBB\xBF" + good
                                         << "a byte order mark stands before the text, which ptxas refuses";
        QTest::newRow("zero byte") << good + QByteArray("\0", 1) << "a zero byte stands in the text";
        QTest::newRow("accent outside a comment")
            << good + ".global .u32 \xC3\xA9;" << "a byte outside ASCII stands outside a comment or string";
        QTest::newRow("accent in a comment") << "// \xC3\xA9\n" + good << "";
        QTest::newRow("empty") << QByteArray() << "a PTX file begins with .version";
        QTest::newRow("open comment") << good + "/* x" << "this comment is not closed";
    }

    void bytesThatPeopleHave() {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        QCOMPARE(QString::fromStdString(firstError(*parse(text.toStdString()))), message);
    }

    void columnsAreBytes() {
        const auto module = parse("/* \xC3\xA9 */ .version 8.0\n.target sm_90\n.entry k() {\n\tfoo bar baz;\n}\n");
        const Diagnostic& diagnostic = module->diagnostics.at(0);
        QCOMPARE(diagnostic.place.line, 4u);
        QCOMPARE(diagnostic.place.column, 10u);
        QCOMPARE(module->versionSpan.offset, 9u);
        QCOMPARE(module->placeOf(module->versionSpan).column, 10u);
    }
};

QTEST_APPLESS_MAIN(ParseTest)
#include "parse_test.moc"

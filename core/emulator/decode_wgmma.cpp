// wgmma of dense matrices. Sparse ones are `unsupported`. Source: PTX ISA 9.0, 9.7.15.
#include "emulator/decode_matrix.h"
#include "ptx/operand_roles.h"

#include <algorithm>
#include <charconv>

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using T = ptx::ScalarType;
using ptx::Operand;
using ptx::OperandKind;

/// N and K of `.m64n128k16`; 0 where there is none.
struct Shape {
    unsigned n = 0, k = 0;
};
Shape shapeOf(const Emitter& e, const ptx::Module& module) {
    for (const ptx::ModifierUse& use : e.source().modifiersOf(e.instruction())) {
        const std::string_view text = module.textOf(use.span);
        constexpr std::string_view start = ".m64n";
        if (!text.starts_with(start)) continue;
        Shape shape;
        const char* end = text.data() + text.size();
        const auto n = std::from_chars(text.data() + start.size(), end, shape.n);
        if (n.ec != std::errc{} || n.ptr == end || *n.ptr != 'k') return {};
        std::from_chars(n.ptr + 1, end, shape.k);
        return shape;
    }
    return {};
}

struct TypeRow {
    T type;
    unsigned k;
    std::uint32_t signs; ///< of the elements of a word
};
constexpr TypeRow types[] = {{T::f16, 16, 0x80008000},
                             {T::bf16, 16, 0x80008000},
                             {T::tf32, 8, 0x80000000},
                             {T::e4m3, 32, 0x80808080},
                             {T::e5m2, 32, 0x80808080},
                             {T::s8, 32, 0},
                             {T::u8, 32, 0},
                             {T::b1, 256, 0}};

bool isByteFloat(T t) {
    return t == T::e4m3 || t == T::e5m2;
}
bool isByteInteger(T t) {
    return t == T::s8 || t == T::u8;
}
bool fit(T d, T a, T b) {
    if (isByteFloat(a)) return isByteFloat(b) && (d == T::f16 || d == T::f32);
    if (isByteInteger(a)) return isByteInteger(b) && d == T::s32;
    if (a != b) return false;
    return a == T::b1 ? d == T::s32 : d == T::f32 || (d == T::f16 && a == T::f16);
}

/// The numbers behind the predicate: scales 1 or -1, then which matrices lie the other way.
bool takeNumbers(std::span<const Operand> operands, T type, bool fromRegisters, WarpgroupOp& op) {
    const bool isFloat = ptx::isFloat(type), canTurn = type == T::f16 || type == T::bf16;
    const std::size_t count = !isFloat ? 0 : !canTurn ? 2 : fromRegisters ? 3 : 4;
    if (operands.size() != count) return false;
    for (const Operand& o : operands)
        if (o.kind != OperandKind::integer) return false;
    if (!isFloat) return true;
    for (std::size_t i = 0; i < 2; ++i)
        if (operands[i].value != 1 && operands[i].value != -1) return false;
    for (std::size_t i = 2; i < count; ++i)
        if (operands[i].value != 0 && operands[i].value != 1) return false;
    op.negateA = operands[0].value == -1;
    op.negateB = operands[1].value == -1;
    if (canTurn) {
        op.columnsA = !fromRegisters && operands[2].value == 1;
        op.rowsB = operands[count - 1].value == 1;
    }
    return true;
}

bool decodeProduct(Emitter& e) {
    const auto operands = e.operands();
    const T d = e.type(0), a = e.type(1), b = e.type(2);
    const Shape shape = shapeOf(e, *e.program().module);
    const auto row = std::ranges::find(types, a, &TypeRow::type);
    if (row == std::end(types) || shape.k != row->k || !fit(d, a, b) || operands.size() < 4 || shape.n == 0 ||
        shape.n % 8 || shape.n > 256 || e.has(M::sp))
        return false;
    WarpgroupOp op;
    op.columns = shape.n;
    op.signs = row->signs;
    const bool fromRegisters = operands[1].kind == OperandKind::vector;
    if (!takeNumbers(operands.subspan(4), a, fromRegisters, op)) return false;
    MatrixOp& product = op.product;
    product.k = shape.k;
    product.typeA = a;
    product.typeB = b;
    product.accumulator = d;
    product.saturate = e.has(M::satfinite);
    product.bitsAnd = a == T::b1;
    op.d = registersOf(e, operands[0], d == T::f16 ? shape.n / 4 : shape.n / 2, 4, true);
    if (op.d.empty()) return false;
    if (fromRegisters) {
        op.a = registersOf(e, operands[1], 4, 4, false);
        if (op.a.empty()) return false;
    } else {
        const auto descriptor = e.source(operands[1], T::b64, 8);
        if (!descriptor) return false;
        op.descriptorA = *descriptor;
    }
    const auto descriptor = e.source(operands[2], T::b64, 8);
    const auto scale = e.predicate(operands[3]);
    if (!descriptor || !scale) return false;
    op.descriptorB = *descriptor;
    op.scaleD = *scale;
    op.zero = e.constants().word32(0);
    product.a = op.a;
    if (!fromRegisters || op.negateA) {
        product.a.clear();
        for (unsigned i = 0; i < 4; ++i) product.a.push_back(e.temporary(4));
    }
    for (unsigned i = 0; i < 2; ++i) product.b.push_back(e.temporary(4));
    product.d.resize(d == T::f16 ? 2 : 4);
    product.c = product.d;

    CollectiveOp collective;
    collective.kind = CollectiveKind::warpgroupProduct;
    collective.members = e.constants().word32(~0U);
    collective.matrix = static_cast<std::uint32_t>(e.function().warpgroupProducts.size());
    e.function().warpgroupProducts.push_back(std::move(op));
    e.emit(Kind::collective).extra = static_cast<std::uint32_t>(e.function().collectives.size());
    e.function().collectives.push_back(collective);
    return true;
}

void addSlots(const DecodedFunction& function, const Operand& operand, const std::vector<Slot>& wanted,
              std::vector<Slot>& out) {
    if (operand.kind == OperandKind::reg) {
        const Slot slot = function.registerSlots[operand.symbol].slot;
        if (std::ranges::binary_search(wanted, slot)) out.push_back(slot);
    }
    for (const Operand& child : function.source->childrenOf(operand)) addSlots(function, child, wanted, out);
}

} // namespace

bool decodeWgmma(Emitter& e) {
    if (e.instruction().opcode != ptx::Opcode::wgmma) return false;
    if (e.has(M::mma_async)) return decodeProduct(e);
    const auto operands = e.operands();
    if (e.has(M::wait_group)) {
        if (operands.size() != 1 || operands[0].kind != OperandKind::integer) return false;
        e.emit(Kind::productWait).immediate = operands[0].value;
        return true;
    }
    e.emit(e.has(M::commit_group) ? Kind::productCommit : Kind::productFence);
    return true;
}

void markFragmentUses(DecodedFunction& function) {
    std::vector<Slot> fragments;
    for (const WarpgroupOp& op : function.warpgroupProducts) {
        for (const SlotRef& r : op.d) fragments.push_back(r.slot);
        for (const SlotRef& r : op.a) fragments.push_back(r.slot);
    }
    if (fragments.empty()) return;
    std::ranges::sort(fragments);
    for (MicroOp& op : function.code) {
        const ptx::Instruction& i = function.source->instructions[op.instruction];
        if (!op.first || i.opcode == ptx::Opcode::wgmma) continue;
        RegisterUse use = op.check == ~0U ? RegisterUse{} : function.registerUses[op.check];
        const unsigned destinations = ptx::destinationCount(*function.source, i);
        const auto operands = function.source->operandsOf(i);
        for (std::size_t n = 0; n < operands.size(); ++n) {
            const bool written = n < destinations && operands[n].kind != OperandKind::address;
            addSlots(function, operands[n], fragments, use.fragments);
            if (written) addSlots(function, operands[n], fragments, use.writtenFragments);
        }
        if (use.fragments.empty()) continue;
        if (op.check == ~0U) {
            op.check = static_cast<std::uint32_t>(function.registerUses.size());
            function.registerUses.push_back(std::move(use));
        } else {
            function.registerUses[op.check] = std::move(use);
        }
    }
}

} // namespace ptxwb::emulator

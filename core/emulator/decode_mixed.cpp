// Forms that are made of the plain ones: pairs of f32 in a 64-bit register, f32 arithmetic on a half, differences of
// bytes. Source: PTX ISA 9.0, 9.7.3, 9.7.5, 9.7.18.
#include "emulator/emitter.h"

#include <optional>

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using O = ptx::Opcode;
using T = ptx::ScalarType;

std::optional<FloatOp> floatOp(O opcode) {
    switch (opcode) {
    case O::add: return FloatOp::add;
    case O::sub: return FloatOp::subtract;
    case O::mul: return FloatOp::multiply;
    case O::fma: return FloatOp::fma;
    default: return std::nullopt;
    }
}

/// add, sub, mul, fma.f32x2: each half as f32.
bool decodePair(Emitter& e, FloatOp op) {
    const auto operands = e.operands();
    const std::size_t sources = op == FloatOp::fma ? 3 : 2;
    const ScalarFunction function = floatFunction(op, T::f32, floatMode(e));
    if (operands.size() != sources + 1 || !function || !e.onlyModifiers({M::rn, M::rz, M::rm, M::rp, M::ftz}))
        return false;
    SlotRef low[3] = {{0, 4}, {0, 4}, {0, 4}}, high[3] = {{0, 4}, {0, 4}, {0, 4}};
    const Slot half = e.constants().word32(32);
    for (std::size_t i = 0; i < sources; ++i) {
        const auto a = e.source(operands[i + 1], T::b64, 8);
        if (!a) return false;
        low[i] = e.temporary(4);
        high[i] = e.temporary(4);
        const Slot upper = e.temporary(8).slot;
        e.emit(Lane::narrow_32, low[i].slot, *a);
        e.emit(Lane::shr_u64, upper, *a, half);
        e.emit(Lane::narrow_32, high[i].slot, upper);
    }
    const auto d = e.destination(operands[0], T::b64, 8);
    if (!d) return false;
    const SlotRef lower = e.temporary(4), upper = e.temporary(4);
    e.emit(function, lower, low[0], low[1], low[2]);
    e.emit(function, upper, high[0], high[1], high[2]);
    const Slot wideLower = e.temporary(8).slot, wideUpper = e.temporary(8).slot, shifted = e.temporary(8).slot;
    e.emit(Lane::widen_u32, wideLower, lower.slot);
    e.emit(Lane::widen_u32, wideUpper, upper.slot);
    e.emit(Lane::shl_b64, shifted, wideUpper, half);
    e.emit(Lane::or_b64, *d, wideLower, shifted);
    return true;
}

/// add.f32.f16 and the like: every source but the last is a half, which f32 holds exactly.
bool decodeMixed(Emitter& e, FloatOp op) {
    const auto operands = e.operands();
    const std::size_t sources = op == FloatOp::fma ? 3 : 2;
    const ScalarFunction function = op == FloatOp::multiply ? nullptr : floatFunction(op, T::f32, floatMode(e));
    if (operands.size() != sources + 1 || !function || !e.onlyModifiers({M::rn, M::rz, M::rm, M::rp, M::sat}))
        return false;
    SlotRef values[3] = {{0, 4}, {0, 4}, {0, 4}};
    for (std::size_t i = 0; i < sources; ++i) {
        const bool isHalf = i + 1 < sources;
        const auto a = e.source(operands[i + 1], isHalf ? e.type(1) : T::f32, 4);
        if (!a) return false;
        values[i] = {*a, 4};
        if (!isHalf) continue;
        values[i] = e.temporary(4);
        e.emit(e.type(1) == T::f16 ? Lane::f32_from_f16 : Lane::f32_from_bf16, values[i].slot, *a);
    }
    const auto d = e.destination(operands[0], T::f32, 4);
    if (!d) return false;
    e.emit(function, {*d, 4}, values[0], values[1], values[2]);
    return true;
}

/// |a - b| of `count` unsigned fields; their sum and c, or the fields themselves.
template <unsigned count, bool sum>
std::uint64_t fieldDistances(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    constexpr unsigned bits = 32 / count;
    constexpr std::uint32_t mask = (1U << bits) - 1;
    std::uint32_t total = static_cast<std::uint32_t>(c), fields = 0;
    for (unsigned i = 0; i < count; ++i) {
        const auto x = static_cast<std::uint32_t>(a >> (i * bits)) & mask;
        const auto y = static_cast<std::uint32_t>(b >> (i * bits)) & mask;
        const std::uint32_t distance = x > y ? x - y : y - x;
        total += distance;
        fields |= distance << (i * bits);
    }
    return sum ? total : fields;
}

bool decodeDistances(Emitter& e, bool bytes) {
    for (const ptx::Operand& operand : e.operands())
        if (operand.component) return false; // chosen fields
    for (unsigned i = 0; i < 3; ++i)
        if (e.type(i) != T::u32) return false;
    if (!e.onlyModifiers({M::add})) return false;
    const bool sum = e.has(M::add);
    const ScalarFunction function = bytes ? (sum ? fieldDistances<4, true> : fieldDistances<4, false>)
                                          : (sum ? fieldDistances<2, true> : fieldDistances<2, false>);
    return emitScalar(e, function, T::u32, {T::u32, T::u32, T::u32});
}

} // namespace

bool decodeMixedForms(Emitter& e) {
    const O opcode = e.instruction().opcode;
    if (opcode == O::vabsdiff2 || opcode == O::vabsdiff4) return decodeDistances(e, opcode == O::vabsdiff4);
    const auto op = floatOp(opcode);
    if (!op) return false;
    if (e.type() == T::f32x2) return decodePair(e, *op);
    return e.type() == T::f32 && (e.type(1) == T::f16 || e.type(1) == T::bf16) && decodeMixed(e, *op);
}

} // namespace ptxwb::emulator

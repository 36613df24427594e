// cvt. A form that is not known here answers false and becomes `unsupported`.
#include "emulator/emitter.h"
#include "emulator/half_functions.h"

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using O = ptx::Opcode;
using T = ptx::ScalarType;

bool isInteger(T type) {
    return ptx::isSigned(type) || ptx::isUnsigned(type);
}

NarrowMode narrowMode(const Emitter& e) {
    NarrowMode mode;
    mode.rounding = e.has(M::rz)    ? NarrowRounding::zero
                    : e.has(M::rm)  ? NarrowRounding::down
                    : e.has(M::rp)  ? NarrowRounding::up
                    : e.has(M::rna) ? NarrowRounding::nearestAway
                                    : NarrowRounding::nearest;
    mode.saturate = e.has(M::sat);
    mode.relu = e.has(M::relu);
    mode.finite = e.has(M::satfinite);
    return mode;
}

bool onlyNarrowModifiers(const Emitter& e) {
    return e.onlyModifiers({M::rn, M::rz, M::rm, M::rp, M::rna, M::ftz, M::sat, M::relu, M::satfinite});
}

IntegerRounding integerRounding(const Emitter& e) {
    return e.has(M::rni)   ? IntegerRounding::nearest
           : e.has(M::rzi) ? IntegerRounding::zero
           : e.has(M::rmi) ? IntegerRounding::down
           : e.has(M::rpi) ? IntegerRounding::up
                           : IntegerRounding::none;
}

/// The index arithmetic and the plain conversions of halves, which have vector rows.
std::optional<Lane> rowOf(T to, T from, const Emitter& e, SlotRef d, SlotRef a) {
    if (e.has(M::sat) || e.has(M::relu) || e.has(M::satfinite) || e.has(M::rz) || e.has(M::rm) || e.has(M::rp) ||
        e.has(M::rna))
        return std::nullopt;
    const unsigned toBytes = ptx::sizeBytes(to), fromBytes = ptx::sizeBytes(from);
    if (isInteger(to) && isInteger(from)) {
        if (d.bytes == 8 && a.bytes == 4 && fromBytes == 4 && toBytes == 8)
            return ptx::isSigned(from) ? Lane::widen_s32 : Lane::widen_u32;
        if (d.bytes == 4 && a.bytes == 8 && fromBytes == 8 && toBytes == 4) return Lane::narrow_32;
        return std::nullopt;
    }
    if (d.bytes != 4 || a.bytes != 4) return std::nullopt;
    if (to == T::f32 && from == T::s32) return Lane::f32_from_s32;
    if (to == T::f32 && from == T::f16) return Lane::f32_from_f16;
    if (to == T::f32 && from == T::bf16 && !e.has(M::ftz)) return Lane::f32_from_bf16;
    if (to == T::f16 && from == T::f32) return Lane::f16_from_f32;
    if (to == T::bf16 && from == T::f32 && !e.has(M::ftz)) return Lane::bf16_from_f32;
    return std::nullopt;
}

/// d = conversion of the f16 or bf16 a: exact in f32, from where the other conversions go on.
bool decodeFromHalf(Emitter& e, T to, T from, SlotRef d, SlotRef a) {
    const Lane widen = from == T::f16 ? Lane::f32_from_f16 : Lane::f32_from_bf16;
    if (a.bytes != 4) return false;
    const IntegerRounding whole = integerRounding(e);
    if (to == T::f32 && whole == IntegerRounding::none) { // .sat, or .ftz of bf16
        const SlotRef wide = e.temporary(4);
        e.emit(widen, wide.slot, a.slot);
        e.emit(conversion(T::f32, T::f32, {whole, floatMode(e)}), d, wide);
        return true;
    }
    const SlotRef wide = e.temporary(4);
    e.emit(widen, wide.slot, a.slot);
    if (to == T::f16 || to == T::bf16) {
        SlotRef rounded = wide;
        if (whole != IntegerRounding::none) { // to a whole number, which the format holds
            rounded = e.temporary(4);
            e.emit(conversion(T::f32, T::f32, {whole, {}}), rounded, wide);
        }
        e.emit(narrow(to, T::f32, narrowMode(e)), d, rounded);
        return true;
    }
    const ScalarFunction function = conversion(to, T::f32, {whole, floatMode(e)});
    if (!function) return false;
    e.emit(function, d, wide);
    return true;
}

/// cvt.pack: b goes to the lowest place, a above it, c's lowest ones above that.
bool decodePack(Emitter& e) {
    const auto operands = e.operands();
    const T to = e.type(0);
    const bool bytes = to == T::u8 || to == T::s8;
    if (e.type(1) != T::s32 || !e.onlyModifiers({M::pack, M::sat}) || operands.size() != (bytes ? 4U : 3U) ||
        (!bytes && to != T::u16 && to != T::s16))
        return false;
    const auto a = e.source(operands[1], T::s32, 4), b = e.source(operands[2], T::s32, 4);
    const auto c = bytes ? e.source(operands[3], T::b32, 4) : e.constants().word32(0);
    const auto d = e.destination(operands[0], T::b32, 4);
    const ScalarFunction saturated = conversion(to, T::s32, {IntegerRounding::none, {Rounding::nearest, false, true}});
    if (!a || !b || !c || !d || !saturated) return false;
    const Slot mask = e.constants().word32(bytes ? 0xFF : 0xFFFF), width = e.constants().word32(bytes ? 8 : 16);
    const auto place = [&](Slot value, Slot above) { // above << width | saturated value
        const SlotRef narrowed = e.temporary(4);
        const Slot masked = e.temporary(4).slot, shifted = e.temporary(4).slot, both = e.temporary(4).slot;
        e.emit(saturated, narrowed, {value, 4});
        e.emit(Lane::and_b32, masked, narrowed.slot, mask);
        e.emit(Lane::shl_b32, shifted, above, width);
        e.emit(Lane::or_b32, both, masked, shifted);
        return both;
    };
    e.emit(Lane::copy32, *d, place(*b, place(*a, *c)));
    return true;
}

/// To a packed format, from two f32 or from another packed one.
bool decodePacked(Emitter& e, T to, T from) {
    const auto operands = e.operands();
    if (!onlyNarrowModifiers(e)) return false;
    const bool bytes = to == T::e4m3x2 || to == T::e5m2x2;
    if (from == T::f32 && operands.size() == 3) {
        const auto a = e.source(operands[1], T::f32, 4), b = e.source(operands[2], T::f32, 4);
        const auto d = e.destination(operands[0], T::b32, 4);
        if (!a || !b || !d || (bytes && !e.has(M::satfinite))) return false;
        const bool plain = !e.has(M::rz) && !e.has(M::relu) && !e.has(M::satfinite);
        if (plain && !bytes)
            e.emit(to == T::f16x2 ? Lane::f16x2_from_f32 : Lane::bf16x2_from_f32, *d, *a, *b);
        else
            e.emit(narrowPair(to, narrowMode(e)), {*d, 4}, {*a, 4}, {*b, 4});
        return true;
    }
    if (operands.size() != 2) return false;
    if (bytes && from == T::f16x2)
        return e.has(M::satfinite) && emitScalar(e, narrowHalves(to, narrowMode(e)), T::b16, {T::b32});
    return to == T::f16x2 && emitScalar(e, widenBytes(from, e.has(M::relu)), T::b32, {T::b16});
}

} // namespace

bool decodeConversion(Emitter& e) {
    if (e.instruction().opcode != O::cvt) return false;
    const auto operands = e.operands();
    const T to = e.type(0), from = e.type(1);
    if (e.has(M::pack)) return decodePack(e);
    if (isPackedHalf(to) || to == T::e4m3x2 || to == T::e5m2x2) return decodePacked(e, to, from);
    if (operands.size() != 2 || !e.onlyModifiers({M::rn, M::rz, M::rm, M::rp, M::rni, M::rzi, M::rmi, M::rpi, M::rna,
                                                  M::ftz, M::sat, M::relu, M::satfinite}))
        return false;
    const auto a = e.sourceAsIs(operands[1], from);
    const auto d = e.destinationAsIs(operands[0]);
    if (!a || !d) return false;
    if (const auto row = integerRounding(e) == IntegerRounding::none ? rowOf(to, from, e, *d, *a) : std::nullopt) {
        e.emit(*row, d->slot, a->slot);
        return true;
    }
    if (from == T::f16 || from == T::bf16) return decodeFromHalf(e, to, from, *d, *a);
    const bool narrows = to == T::f16 || to == T::bf16 || to == T::tf32;
    if (!narrows && (e.has(M::rna) || e.has(M::relu) || e.has(M::satfinite))) return false;
    const ScalarFunction function = narrows ? (onlyNarrowModifiers(e) ? narrow(to, from, narrowMode(e)) : nullptr)
                                            : conversion(to, from, {integerRounding(e), floatMode(e)});
    if (!function) return false;
    e.emit(function, *d, *a);
    return true;
}

} // namespace ptxwb::emulator

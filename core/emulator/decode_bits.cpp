// Logic, shifts and bit fields. A form that is not known here answers false and becomes `unsupported`.
#include "emulator/emitter.h"
#include "emulator/lane_row.h"

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using O = ptx::Opcode;
using T = ptx::ScalarType;

// Two operands of the instruction's type, no modifier.
constexpr LaneRow logicRows[] = {
    {O::and_, T::b16, Lane::and_b32}, {O::and_, T::b32, Lane::and_b32}, {O::and_, T::b64, Lane::and_b64},
    {O::or_, T::b16, Lane::or_b32},   {O::or_, T::b32, Lane::or_b32},   {O::or_, T::b64, Lane::or_b64},
    {O::xor_, T::b16, Lane::xor_b32}, {O::xor_, T::b32, Lane::xor_b32}, {O::xor_, T::b64, Lane::xor_b64},
};
// One operand.
constexpr LaneRow notRows[] = {
    {O::not_, T::b16, Lane::not_b16},
    {O::not_, T::b32, Lane::not_b32},
    {O::not_, T::b64, Lane::not_b64},
};
// The second operand is a 32-bit amount.
constexpr LaneRow shiftRows[] = {
    {O::shl, T::b16, Lane::shl_b16}, {O::shl, T::b32, Lane::shl_b32}, {O::shl, T::b64, Lane::shl_b64},
    {O::shr, T::b16, Lane::shr_u16}, {O::shr, T::u16, Lane::shr_u16}, {O::shr, T::s16, Lane::shr_s16},
    {O::shr, T::b32, Lane::shr_u32}, {O::shr, T::u32, Lane::shr_u32}, {O::shr, T::s32, Lane::shr_s32},
    {O::shr, T::b64, Lane::shr_u64}, {O::shr, T::u64, Lane::shr_u64}, {O::shr, T::s64, Lane::shr_s64},
};

bool decodePredicateLogic(Emitter& e, std::int64_t table, std::size_t count) {
    const auto operands = e.operands();
    if (operands.size() != count + 1 || !e.onlyModifiers({})) return false;
    const auto a = e.predicate(operands[1]), b = count == 2 ? e.predicate(operands[2]) : a;
    const auto d = e.predicateDestination(operands[0]);
    if (!a || !b || !d) return false;
    e.emit(Lane::predicate, *d, *a, *b).immediate = table;
    return true;
}

bool decodeLogic(Emitter& e) {
    const O opcode = e.instruction().opcode;
    const T type = e.type();
    if (type == T::pred) {
        switch (opcode) {
        case O::and_: return decodePredicateLogic(e, 0b1000, 2);
        case O::or_: return decodePredicateLogic(e, 0b1110, 2);
        case O::xor_: return decodePredicateLogic(e, 0b0110, 2);
        default: return decodePredicateLogic(e, 0b0101, 1); // not
        }
    }
    if (!e.onlyModifiers({})) return false;
    if (opcode == O::not_) {
        const auto row = rowFor(notRows, opcode, type);
        return row && emitLanes(e, *row, type, {type});
    }
    const auto row = rowFor(logicRows, opcode, type);
    return row && emitLanes(e, *row, type, {type, type});
}

bool decodeLop3(Emitter& e) {
    const auto operands = e.operands();
    if (operands.size() != 5 || e.type() != T::b32 || !e.onlyModifiers({}) ||
        operands[4].kind != ptx::OperandKind::integer)
        return false;
    const auto a = e.source(operands[1], T::b32, 4), b = e.source(operands[2], T::b32, 4),
               c = e.source(operands[3], T::b32, 4);
    const auto d = e.destination(operands[0], T::b32, 4);
    if (!a || !b || !c || !d) return false;
    e.emit(Lane::logic3, *d, *a, *b, *c).immediate = operands[4].value & 0xFF;
    return true;
}

bool decodeBfi(Emitter& e) {
    const auto operands = e.operands();
    const T type = e.type();
    if (operands.size() != 5 || !e.onlyModifiers({}) || !insertField(type)) return false;
    const std::uint8_t bytes = wordBytes(type);
    const auto a = e.source(operands[1], type, bytes), b = e.source(operands[2], type, bytes);
    const auto position = e.source(operands[3], T::u32, 4), length = e.source(operands[4], T::u32, 4);
    const auto d = e.destination(operands[0], type, bytes);
    if (!a || !b || !position || !length || !d) return false;
    const SlotRef field = e.temporary(4);
    e.emit(packField(type), field, {*position, 4}, {*length, 4});
    e.emit(insertField(type), {*d, bytes}, {*a, bytes}, {*b, bytes}, field);
    return true;
}

bool decodePrmt(Emitter& e) {
    constexpr std::pair<M, PermuteMode> modes[] = {
        {M::f4e, PermuteMode::forward4}, {M::b4e, PermuteMode::backward4}, {M::rc8, PermuteMode::replicate8},
        {M::ecl, PermuteMode::edgeLeft}, {M::ecr, PermuteMode::edgeRight}, {M::rc16, PermuteMode::replicate16}};
    PermuteMode mode = PermuteMode::index;
    for (const auto& [modifier, m] : modes)
        if (e.has(modifier)) mode = m;
    return e.type() == T::b32 && e.onlyModifiers({M::f4e, M::b4e, M::rc8, M::ecl, M::ecr, M::rc16}) &&
           emitScalar(e, permuteBytes(mode), T::b32, {T::b32, T::b32, T::b32});
}

} // namespace

bool decodeBits(Emitter& e) {
    const T type = e.type();
    const bool plain = e.onlyModifiers({});
    switch (e.instruction().opcode) {
    case O::popc: return plain && emitScalar(e, populationCount(type), T::u32, {type});
    case O::clz: return plain && emitScalar(e, leadingZeros(type), T::u32, {type});
    case O::bfind:
        return e.onlyModifiers({M::shiftamt}) &&
               emitScalar(e, findLeadingBit(type, e.has(M::shiftamt)), T::u32, {type});
    case O::brev: return plain && emitScalar(e, reverseBits(type), type, {type});
    case O::bfe: return plain && emitScalar(e, extractField(type), type, {type, T::u32, T::u32});
    case O::bfi: return decodeBfi(e);
    case O::bmsk:
        return e.onlyModifiers({M::clamp, M::wrap}) && emitScalar(e, bitMask(e.has(M::wrap)), T::b32, {T::u32, T::u32});
    case O::szext:
        return e.onlyModifiers({M::clamp, M::wrap}) &&
               emitScalar(e, extendBits(type, e.has(M::wrap)), type, {type, T::u32});
    case O::fns: return plain && emitScalar(e, findNthSet(), T::b32, {T::b32, T::b32, T::s32});
    case O::and_:
    case O::or_:
    case O::xor_:
    case O::not_: return decodeLogic(e);
    case O::cnot: return plain && emitScalar(e, zeroIsOne(type), type, {type});
    case O::lop3: return decodeLop3(e);
    case O::shl:
    case O::shr: {
        const auto row = rowFor(shiftRows, e.instruction().opcode, type);
        return row && plain && emitLanes(e, *row, type, {type, T::u32});
    }
    case O::shf:
        return e.type() == T::b32 && e.onlyModifiers({M::l, M::r, M::wrap, M::clamp}) && e.has(M::l) != e.has(M::r) &&
               emitScalar(e, funnelShift(e.has(M::l), e.has(M::wrap)), T::b32, {T::b32, T::b32, T::u32});
    case O::prmt: return decodePrmt(e);
    default: return false;
    }
}

} // namespace ptxwb::emulator

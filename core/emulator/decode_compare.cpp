// Comparison and selection: setp, set, selp, slct. A form that is not known here becomes `unsupported`.
#include "emulator/emitter.h"

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using O = ptx::Opcode;
using T = ptx::ScalarType;
using ptx::Operand;

struct CompareRow {
    M modifier;
    Lane u16, s16, u32, s32, u64, s64, f32, f64;
};
#define PTXWB_BOTH(op) Lane::op##_u16, Lane::op##_s16, Lane::op##_u32, Lane::op##_s32, Lane::op##_u64, Lane::op##_s64
#define PTXWB_UNSIGNED(op)                                                                                             \
    Lane::op##_u16, Lane::op##_u16, Lane::op##_u32, Lane::op##_u32, Lane::op##_u64, Lane::op##_u64
#define PTXWB_NO_INTEGER Lane::count_, Lane::count_, Lane::count_, Lane::count_, Lane::count_, Lane::count_
constexpr CompareRow compareRows[] = {
    {M::eq, PTXWB_BOTH(eq), Lane::eq_f32, Lane::eq_f64},      {M::ne, PTXWB_BOTH(ne), Lane::ne_f32, Lane::ne_f64},
    {M::lt, PTXWB_BOTH(lt), Lane::lt_f32, Lane::lt_f64},      {M::le, PTXWB_BOTH(le), Lane::le_f32, Lane::le_f64},
    {M::gt, PTXWB_BOTH(gt), Lane::gt_f32, Lane::gt_f64},      {M::ge, PTXWB_BOTH(ge), Lane::ge_f32, Lane::ge_f64},
    {M::lo, PTXWB_UNSIGNED(lt), Lane::count_, Lane::count_},  {M::ls, PTXWB_UNSIGNED(le), Lane::count_, Lane::count_},
    {M::hi, PTXWB_UNSIGNED(gt), Lane::count_, Lane::count_},  {M::hs, PTXWB_UNSIGNED(ge), Lane::count_, Lane::count_},
    {M::equ, PTXWB_NO_INTEGER, Lane::equ_f32, Lane::equ_f64}, {M::neu, PTXWB_NO_INTEGER, Lane::neu_f32, Lane::neu_f64},
    {M::ltu, PTXWB_NO_INTEGER, Lane::ltu_f32, Lane::ltu_f64}, {M::leu, PTXWB_NO_INTEGER, Lane::leu_f32, Lane::leu_f64},
    {M::gtu, PTXWB_NO_INTEGER, Lane::gtu_f32, Lane::gtu_f64}, {M::geu, PTXWB_NO_INTEGER, Lane::geu_f32, Lane::geu_f64},
    {M::num, PTXWB_NO_INTEGER, Lane::num_f32, Lane::num_f64}, {M::nan, PTXWB_NO_INTEGER, Lane::nan_f32, Lane::nan_f64},
};
#undef PTXWB_BOTH
#undef PTXWB_UNSIGNED
#undef PTXWB_NO_INTEGER

} // namespace

std::optional<Lane> compareLane(const Emitter& e, T type) {
    for (const CompareRow& row : compareRows) {
        if (!e.has(row.modifier)) continue;
        Lane lane = Lane::count_;
        switch (type) {
        case T::u16:
        case T::b16: lane = row.u16; break;
        case T::s16: lane = row.s16; break;
        case T::u32:
        case T::b32: lane = row.u32; break;
        case T::s32: lane = row.s32; break;
        case T::u64:
        case T::b64: lane = row.u64; break;
        case T::s64: lane = row.s64; break;
        case T::f32: lane = row.f32; break;
        case T::f64: lane = row.f64; break;
        default: break;
        }
        if (lane == Lane::count_) return std::nullopt;
        return lane;
    }
    return std::nullopt;
}

bool onlyCompareModifiers(const Emitter& e) {
    return e.onlyModifiers({M::eq,  M::ne,  M::lt,  M::le,  M::gt,  M::ge,  M::lo,  M::ls,   M::hi,  M::hs,   M::equ,
                            M::neu, M::ltu, M::leu, M::gtu, M::geu, M::num, M::nan, M::and_, M::or_, M::xor_, M::ftz});
}

std::int64_t booleanTable(const Emitter& e, bool negateA) {
    const std::int64_t table = e.has(M::and_) ? 0b1000 : e.has(M::or_) ? 0b1110 : 0b0110;
    if (!negateA) return table;
    return (table & 0b0101) << 1 | (table & 0b1010) >> 1;
}

namespace {

/// Operands a and b compared into a fresh predicate, and the predicate c if there is one. Empty where the form is not
/// known.
struct Comparison {
    Slot result;
    std::optional<Slot> c;
};
std::optional<Comparison> emitComparison(Emitter& e, T type, const Operand& a, const Operand& b, const Operand* c,
                                         std::optional<Slot> into) {
    const auto lane = compareLane(e, type);
    if (!lane || !onlyCompareModifiers(e) || (e.has(M::ftz) && type != T::f32)) return std::nullopt;
    const std::uint8_t bytes = wordBytes(type);
    auto x = e.source(a, type, bytes), y = e.source(b, type, bytes);
    if (!x || !y) return std::nullopt;
    if (e.has(M::ftz))
        for (auto* slot : {&*x, &*y}) {
            const SlotRef flushed = e.temporary(4);
            e.emit(Lane::flush_f32, flushed.slot, *slot);
            *slot = flushed.slot;
        }
    Comparison comparison{into ? *into : e.temporary(0).slot, std::nullopt};
    if (c) {
        comparison.c = e.predicate(*c);
        if (!comparison.c) return std::nullopt;
    }
    e.emit(*lane, comparison.result, *x, *y);
    return comparison;
}

/// Source: PTX ISA 9.0, 9.7.7.2 setp.
bool decodeSetp(Emitter& e) {
    const auto operands = e.operands();
    const bool combined = operands.size() == 4;
    if (operands.size() != 3 && !combined) return false;
    std::optional<Slot> p, q;
    if (operands[0].kind == ptx::OperandKind::pair) {
        const auto both = e.source().childrenOf(operands[0]);
        p = e.predicateDestination(both[0]);
        q = e.predicateDestination(both[1]);
        if (!q) return false;
    } else {
        p = e.predicateDestination(operands[0]);
    }
    if (!p) return false;
    const bool direct = !combined && !q;
    const auto comparison = emitComparison(e, e.type(), operands[1], operands[2], combined ? &operands[3] : nullptr,
                                           direct ? p : std::nullopt);
    if (!comparison) return false;
    if (direct) return true;
    // All operands have been read by now, except that p may be c: q goes first where both are written.
    const Slot t = comparison->result, c = comparison->c.value_or(t);
    Slot kept = c;
    if (q && combined && *q == c) {
        kept = e.temporary(0).slot;
        e.emit(Lane::predicate, kept, c, c).immediate = 0b1000;
    }
    if (q) e.emit(Lane::predicate, *q, t, kept).immediate = combined ? booleanTable(e, true) : 0b0101;
    e.emit(Lane::predicate, *p, t, kept).immediate = combined ? booleanTable(e, false) : 0b1010;
    return true;
}

/// Source: PTX ISA 9.0, 9.7.7.1 set: all ones or 1.0 where the comparison holds.
bool decodeSet(Emitter& e) {
    const auto operands = e.operands();
    const T to = e.type(0), from = e.type(1);
    if (operands.size() != 3 && operands.size() != 4) return false;
    if (to != T::u32 && to != T::s32 && to != T::f32) return false;
    const bool combined = operands.size() == 4;
    const auto comparison =
        emitComparison(e, from, operands[1], operands[2], combined ? &operands[3] : nullptr, std::nullopt);
    if (!comparison) return false;
    Slot p = comparison->result;
    if (combined) {
        const Slot both = e.temporary(0).slot;
        e.emit(Lane::predicate, both, p, *comparison->c).immediate = booleanTable(e, false);
        p = both;
    }
    const auto d = e.destination(operands[0], to, 4);
    if (!d) return false;
    e.emit(Lane::select32, *d, e.constants().word32(to == T::f32 ? 0x3F800000 : 0xFFFFFFFF), e.constants().word32(0),
           p);
    return true;
}

bool decodeSelect(Emitter& e) {
    const auto operands = e.operands();
    const T type = e.type();
    if (operands.size() != 4 || !e.onlyModifiers({})) return false;
    const std::uint8_t bytes = wordBytes(type);
    const auto a = e.source(operands[1], type, bytes), b = e.source(operands[2], type, bytes),
               p = e.predicate(operands[3]);
    const auto d = e.destination(operands[0], type, bytes);
    if (!a || !b || !p || !d || bytes == 0) return false;
    e.emit(bytes == 8 ? Lane::select64 : Lane::select32, *d, *a, *b, *p);
    return true;
}

/// Source: PTX ISA 9.0, 9.7.7.4 slct: a where c >= 0 (-0 is), b otherwise and where c is NaN.
bool decodeSlct(Emitter& e) {
    const auto operands = e.operands();
    const T type = e.type(0), selector = e.type(1);
    if (operands.size() != 4 || !e.onlyModifiers({M::ftz}) || (selector != T::s32 && selector != T::f32)) return false;
    const std::uint8_t bytes = wordBytes(type);
    const auto a = e.source(operands[1], type, bytes), b = e.source(operands[2], type, bytes),
               c = e.source(operands[3], selector, 4);
    const auto d = e.destination(operands[0], type, bytes);
    if (!a || !b || !c || !d || bytes == 0) return false;
    // A subnormal is flushed to a zero of its sign, and both zeros are >= 0.
    Slot value = *c;
    if (e.has(M::ftz)) {
        value = e.temporary(4).slot;
        e.emit(Lane::flush_f32, value, *c);
    }
    const Slot p = e.temporary(0).slot;
    e.emit(selector == T::s32 ? Lane::ge_s32 : Lane::ge_f32, p, value, e.constants().word32(0));
    e.emit(bytes == 8 ? Lane::select64 : Lane::select32, *d, *a, *b, p);
    return true;
}

} // namespace

bool decodeCompare(Emitter& e) {
    switch (e.instruction().opcode) {
    case O::setp: return decodeSetp(e);
    case O::set: return decodeSet(e);
    case O::selp: return decodeSelect(e);
    case O::slct: return decodeSlct(e);
    default: return false;
    }
}

} // namespace ptxwb::emulator

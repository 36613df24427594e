// cvt. A form that is not known here answers false and becomes `unsupported`.
#include "emulator/emitter.h"

namespace ptxwb::emulator {

using M = ptx::Modifier;
using O = ptx::Opcode;
using T = ptx::ScalarType;

bool decodeConversion(Emitter& e) {
    if (e.instruction().opcode != O::cvt) return false;
    const auto operands = e.operands();
    if (operands.size() != 2 ||
        !e.onlyModifiers({M::rn, M::rz, M::rm, M::rp, M::rni, M::rzi, M::rmi, M::rpi, M::ftz, M::sat}))
        return false;
    const T to = e.type(0), from = e.type(1);
    ConversionMode mode;
    mode.toInteger = e.has(M::rni)   ? IntegerRounding::nearest
                     : e.has(M::rzi) ? IntegerRounding::zero
                     : e.has(M::rmi) ? IntegerRounding::down
                     : e.has(M::rpi) ? IntegerRounding::up
                                     : IntegerRounding::none;
    mode.floating = floatMode(e);
    const auto a = e.sourceAsIs(operands[1], from);
    const auto d = e.destinationAsIs(operands[0]);
    if (!a || !d) return false;
    // Index arithmetic has vector rows.
    if (!mode.floating.saturate && d->bytes == 8 && a->bytes == 4 && ptx::sizeBytes(from) == 4 &&
        ptx::sizeBytes(to) == 8 && !ptx::isFloat(to) && !ptx::isFloat(from)) {
        e.emit(ptx::isSigned(from) ? Lane::widen_s32 : Lane::widen_u32, d->slot, a->slot);
        return true;
    }
    if (!mode.floating.saturate && d->bytes == 4 && a->bytes == 8 && ptx::sizeBytes(from) == 8 &&
        ptx::sizeBytes(to) == 4 && !ptx::isFloat(to) && !ptx::isFloat(from)) {
        e.emit(Lane::narrow_32, d->slot, a->slot);
        return true;
    }
    if (to == T::f32 && from == T::s32 && mode.floating.rounding == Rounding::nearest && !mode.floating.saturate) {
        e.emit(Lane::f32_from_s32, d->slot, a->slot);
        return true;
    }
    const ScalarFunction function = conversion(to, from, mode);
    if (!function) return false;
    e.emit(function, *d, *a);
    return true;
}

} // namespace ptxwb::emulator

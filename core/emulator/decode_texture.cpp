// tex, txq, suld.b, sust.b and suq in one to three dimensions, of objects whose handle is in a register (the unified
// mode). Layers, cubes, mipmaps, multisamples, offsets, depth comparisons, sust.p, and the textures, samplers and
// surfaces that a module declares are `unsupported`. Source: PTX ISA 9.0, 9.7.10 and 9.7.11.
#include "emulator/emitter.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using O = ptx::Opcode;
using T = ptx::ScalarType;
using ptx::Operand;
using ptx::OperandKind;

bool add(Emitter& e, const TextureOp& op) {
    e.emit(Kind::texture).extra = static_cast<std::uint32_t>(e.function().textures.size());
    e.function().textures.push_back(op);
    return true;
}

std::optional<unsigned> dimsOf(const Emitter& e) {
    constexpr std::pair<M, unsigned> dims[] = {{M::d1d, 1}, {M::d2d, 2}, {M::d3d, 3}};
    for (const auto& [modifier, number] : dims)
        if (e.has(modifier)) return number;
    return std::nullopt;
}

/// The handle of `[handle]` or `[handle, coordinates]`.
bool takeHandle(Emitter& e, const Operand& object, unsigned parts, TextureOp& op) {
    if (object.kind != OperandKind::address || object.childCount != parts || object.value) return false;
    const Operand& base = e.source().childrenOf(object).front();
    if (base.kind != OperandKind::reg || base.component || e.reg(base.symbol).bytes != 8) return false;
    op.handle = e.reg(base.symbol).slot;
    return true;
}

/// Three dimensions come with a fourth coordinate that nobody looks at; one may stand without braces.
bool takeCoordinates(Emitter& e, const Operand& object, T type, TextureOp& op) {
    const Operand& coordinates = e.source().childrenOf(object)[1];
    std::span<const Operand> elements(&coordinates, 1);
    if (coordinates.kind == OperandKind::vector) elements = e.source().childrenOf(coordinates);
    if (elements.size() != (op.dims == 3 ? 4 : op.dims)) return false;
    for (unsigned d = 0; d < op.dims; ++d) {
        const auto at = e.source(elements[d], type, 4);
        if (!at) return false;
        op.at[d] = *at;
    }
    return true;
}

bool takeValues(Emitter& e, const Operand& operand, unsigned count, bool isDestination, T type, TextureOp& op) {
    std::span<const Operand> elements(&operand, 1);
    if (operand.kind == OperandKind::vector) elements = e.source().childrenOf(operand);
    if (elements.size() != count) return false;
    op.access.count = static_cast<std::uint8_t>(count);
    for (unsigned i = 0; i < count; ++i) {
        if (isDestination && elements[i].kind == OperandKind::sink) continue;
        const auto slot = isDestination ? e.destinationAsIs(elements[i]) : e.sourceAsIs(elements[i], type);
        if (!slot) return false;
        op.access.values[i] = *slot;
    }
    return true;
}

bool decodeFetch(Emitter& e) {
    const auto operands = e.operands();
    const auto dims = dimsOf(e);
    if (!dims || operands.size() != 2 || !e.onlyModifiers({M::d1d, M::d2d, M::d3d})) return false;
    const T type = e.type(), coordinate = e.type(1);
    if (type != T::f32 && type != T::s32 && type != T::u32) return false;
    TextureOp op;
    op.dims = *dims;
    op.givesFloat = type == T::f32;
    op.floatCoordinates = coordinate == T::f32;
    return takeHandle(e, operands[1], 2, op) && takeCoordinates(e, operands[1], coordinate, op) &&
           takeValues(e, operands[0], 4, true, type, op) && add(e, op);
}

bool decodeSurface(Emitter& e, bool isLoad) {
    const auto operands = e.operands();
    const auto dims = dimsOf(e);
    if (!dims || operands.size() != 2 || !e.has(M::b) ||
        !e.onlyModifiers(
            {M::b, M::d1d, M::d2d, M::d3d, M::ca, M::cg, M::cs, M::cv, M::wb, M::wt, M::trap, M::clamp, M::zero}))
        return false;
    const T type = e.type();
    TextureOp op;
    op.kind = isLoad ? TextureOp::Kind::load : TextureOp::Kind::store;
    op.dims = *dims;
    op.outside = e.has(M::clamp)  ? TextureOp::Outside::clamp
                 : e.has(M::zero) ? TextureOp::Outside::zero
                                  : TextureOp::Outside::trap;
    op.access.space = ptx::StateSpace::global;
    op.access.bytes = static_cast<std::uint8_t>(ptx::sizeBytes(type));
    if (op.access.bytes == 0 || op.access.bytes > 8) return false;
    const Operand& object = operands[isLoad ? 1 : 0];
    return takeHandle(e, object, 2, op) && takeCoordinates(e, object, T::s32, op) &&
           takeValues(e, operands[isLoad ? 0 : 1], e.source().vectorOf(e.instruction()), isLoad, type, op) &&
           add(e, op);
}

bool decodeQuery(Emitter& e, bool ofSurface) {
    const auto operands = e.operands();
    if (operands.size() != 2 || !e.onlyModifiers({M::width, M::height, M::depth})) return false;
    TextureOp op;
    op.kind = TextureOp::Kind::query;
    op.ofSurface = ofSurface;
    op.dims = e.has(M::width) ? 1 : e.has(M::height) ? 2 : 3;
    return takeHandle(e, operands[1], 1, op) && takeValues(e, operands[0], 1, true, T::b32, op) && add(e, op);
}

/// Whether the object is a variable of the module, directly or behind a sampler's comma.
bool isDeclared(const Emitter& e) {
    return std::ranges::any_of(e.operands(), [&](const Operand& operand) {
        return operand.kind == OperandKind::address && operand.childCount &&
               e.source().childrenOf(operand).front().kind == OperandKind::variable;
    });
}

} // namespace

bool decodeTexture(Emitter& e) {
    bool known = false;
    switch (e.instruction().opcode) {
    case O::tex: known = decodeFetch(e); break;
    case O::txq: known = decodeQuery(e, false); break;
    case O::suld: known = decodeSurface(e, true); break;
    case O::sust: known = decodeSurface(e, false); break;
    case O::suq: known = decodeQuery(e, true); break;
    default: return false;
    }
    if (known || !isDeclared(e)) return known;
    e.unsupported(fmt::format("the emulator has no {} of a .texref, .samplerref or .surfref that the module declares, "
                              "only of an object whose handle is in a register",
                              e.instructionText()));
    return true;
}

} // namespace ptxwb::emulator

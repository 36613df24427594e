#include "emulator/emitter.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace ptxwb::emulator {

using ptx::Operand;
using ptx::OperandKind;
using ptx::ScalarType;

namespace {

constexpr Slot based(SlotBase base, std::size_t offset) {
    return static_cast<Slot>(offset) | static_cast<Slot>(base) << slotBaseShift;
}

/// The bits of an immediate as a value of `type`. A floating literal is given in f64 bits unless it was written as
/// `0f`.
std::uint64_t immediateBits(const Operand& operand, ScalarType type) {
    const auto raw = static_cast<std::uint64_t>(operand.value);
    if (operand.kind == OperandKind::integer) {
        // An integer stands for itself in floating types too only where it is 0; ptxas refuses the others.
        return raw;
    }
    if (type == ScalarType::f64 || ptx::sizeBytes(type) == 8) {
        if (operand.floatBits == 64) return raw;
        return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(raw))));
    }
    if (operand.floatBits == 32) return raw & 0xFFFFFFFF;
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(raw)));
}

} // namespace

std::uint8_t wordBytes(ScalarType type) {
    if (type == ScalarType::pred) return 0;
    return ptx::sizeBytes(type) > 4 ? 8 : 4;
}

Slot ConstantPool::add(std::uint64_t value, unsigned bytes) {
    const std::size_t offset = m_bytes->size();
    m_bytes->resize(offset + std::size_t{32} * bytes);
    for (unsigned lane = 0; lane < 32; ++lane)
        std::memcpy(m_bytes->data() + offset + std::size_t{lane} * bytes, &value, bytes);
    return based(SlotBase::constants, offset);
}

Slot ConstantPool::word32(std::uint32_t value) {
    auto [it, isNew] = m_words32.try_emplace(value);
    if (isNew) it->second = add(value, 4);
    return it->second;
}

Slot ConstantPool::word64(std::uint64_t value) {
    auto [it, isNew] = m_words64.try_emplace(value);
    if (isNew) it->second = add(value, 8);
    return it->second;
}

Slot ConstantPool::lanes(const std::uint64_t (&values)[32], unsigned bytes) {
    const Slot slot = add(0, bytes);
    std::uint8_t* to = m_bytes->data() + (slot & slotOffsetMask);
    for (unsigned lane = 0; lane < 32; ++lane) std::memcpy(to + std::size_t{lane} * bytes, &values[lane], bytes);
    return slot;
}

Slot ConstantPool::predicate(bool value) {
    return word32(value ? ~0U : 0U);
}

Emitter::Emitter(Program& program, ConstantPool& constants, DecodedFunction& function)
    : m_program(program), m_constants(constants), m_function(function) {
    std::uint32_t offset = 0;
    for (const ptx::RegisterGroup& group : source().registers) {
        const std::uint8_t bytes = wordBytes(group.type);
        for (std::uint32_t i = 0; i < std::max(group.count, 1U); ++i) {
            m_registers.push_back({based(SlotBase::registers, offset), bytes});
            offset += bytes == 8 ? 256 : bytes == 4 ? 128 : 64;
        }
    }
    m_carry = based(SlotBase::registers, offset);
    offset += 64;
    m_temporaryBase = m_temporaryTop = offset;
    m_function.registerBytes = offset;
}

void Emitter::begin(std::uint32_t index) {
    m_index = index;
    m_firstOp = m_function.code.size();
    m_temporaryTop = m_temporaryBase;
    m_pending.clear();
    const ptx::Instruction& i = instruction();
    m_guard = i.guard == ptx::noIndex ? noSlot : reg(i.guard).slot;
    m_guardNegated = i.guardNegated;
}

SlotRef Emitter::temporary(std::uint8_t bytes) {
    const SlotRef slot{based(SlotBase::registers, m_temporaryTop), bytes};
    m_temporaryTop += bytes == 8 ? 256 : bytes == 4 ? 128 : 64;
    m_function.registerBytes = std::max(m_function.registerBytes, m_temporaryTop);
    return slot;
}

Slot Emitter::special(Special special) {
    return based(SlotBase::specials, static_cast<std::size_t>(special) * specialSlotBytes);
}

std::optional<Slot> Emitter::source(const Operand& operand, ScalarType type, std::uint8_t bytes) {
    switch (operand.kind) {
    case OperandKind::integer:
    case OperandKind::floating: {
        const std::uint64_t bits = immediateBits(operand, type);
        return bytes == 8 ? m_constants.word64(bits) : m_constants.word32(static_cast<std::uint32_t>(bits));
    }
    case OperandKind::reg: {
        const SlotRef r = reg(operand.symbol);
        if (operand.component || r.bytes == 0) return std::nullopt;
        if (r.bytes == bytes) return r.slot;
        const SlotRef copy = temporary(bytes);
        emit(bytes == 4 ? Lane::narrow_32 : ptx::isSigned(type) ? Lane::widen_s32 : Lane::widen_u32, copy.slot, r.slot);
        return copy.slot;
    }
    case OperandKind::special: {
        const std::string_view name = m_program.module->textOf(operand.span);
        if (name == "WARP_SZ") return bytes == 8 ? m_constants.word64(32) : m_constants.word32(32);
        if (auto special = specialNamed(name)) {
            if (*special >= Special::clusteridX) m_program.usesClusters = true;
            const Slot slot = Emitter::special(*special);
            if (bytes == 4) return slot;
            const SlotRef copy = temporary(8);
            emit(Lane::widen_u32, copy.slot, slot);
            return copy.slot;
        }
        const bool clock = name == "%clock" || name == "%clock64" || name == "%clock_hi" || name == "%globaltimer" ||
                           name == "%globaltimer_lo";
        if (!clock) return std::nullopt;
        const SlotRef copy = temporary(bytes);
        MicroOp& op = emit(Kind::clock);
        op.d = copy.slot;
        op.widths = bytes == 8;
        return copy.slot;
    }
    case OperandKind::function: { // its address, which only an indirect call takes
        const auto it = m_program.variableAddresses.find(m_program.module->functions[operand.symbol].name);
        if (it == m_program.variableAddresses.end() || bytes != 8) return std::nullopt;
        return m_constants.word64(it->second);
    }
    case OperandKind::variable: { // its address, in its own space
        const auto place = placeOf(operand);
        if (!place) return std::nullopt;
        if (place->inFrame) return localAddress(place->offset, bytes);
        return bytes == 8 ? m_constants.word64(place->offset)
                          : m_constants.word32(static_cast<std::uint32_t>(place->offset));
    }
    default: return std::nullopt;
    }
}

std::optional<VariablePlace> Emitter::placeOf(const Operand& operand) const {
    const auto addend = static_cast<std::uint64_t>(operand.value);
    if (operand.owner == ptx::Owner::module) {
        auto it = m_program.variableAddresses.find(m_program.module->variables[operand.symbol].name);
        if (it == m_program.variableAddresses.end()) return std::nullopt;
        return VariablePlace{it->second + addend, false};
    }
    if (operand.symbol >= ptx::resultBase)
        return VariablePlace{m_function.resultOffsets[operand.symbol - ptx::resultBase] + addend, true};
    if (operand.symbol >= ptx::parameterBase) {
        const ptx::Index index = operand.symbol - ptx::parameterBase;
        if (source().isEntry) return VariablePlace{m_program.parameters[index].offset + addend, false};
        return VariablePlace{m_function.parameterOffsets[index] + addend, true};
    }
    const ptx::StateSpace space = source().variables[operand.symbol].space;
    const bool inFrame = space == ptx::StateSpace::local || space == ptx::StateSpace::param;
    return VariablePlace{m_function.variableOffsets[operand.symbol] + addend, inFrame};
}

Slot Emitter::localAddress(std::uint64_t offset, std::uint8_t bytes) {
    const SlotRef slot = temporary(bytes);
    MicroOp& op = emit(Kind::localAddress);
    op.d = slot.slot;
    op.immediate = static_cast<std::int64_t>(offset);
    op.widths = bytes == 8;
    return slot.slot;
}

std::optional<SlotRef> Emitter::sourceAsIs(const Operand& operand, ScalarType type) {
    if (operand.kind == OperandKind::reg && !operand.component && reg(operand.symbol).bytes) return reg(operand.symbol);
    const std::uint8_t bytes = wordBytes(type);
    if (auto slot = source(operand, type, bytes)) return SlotRef{*slot, bytes};
    return std::nullopt;
}

std::optional<SlotRef> Emitter::destinationAsIs(const Operand& operand) {
    if (operand.kind == OperandKind::sink) return temporary(8);
    if (operand.kind != OperandKind::reg || operand.component || reg(operand.symbol).bytes == 0) return std::nullopt;
    return reg(operand.symbol);
}

std::optional<Slot> Emitter::predicate(const Operand& operand) {
    if (operand.kind == OperandKind::integer) return m_constants.predicate((operand.value != 0) != operand.negated);
    if (operand.kind != OperandKind::reg || reg(operand.symbol).bytes != 0) return std::nullopt;
    const Slot slot = reg(operand.symbol).slot;
    if (!operand.negated) return slot;
    const SlotRef negated = temporary(0);
    emit(Lane::predicate, negated.slot, slot, slot).immediate = 0b0001;
    return negated.slot;
}

std::optional<Slot> Emitter::destination(const Operand& operand, ScalarType type, std::uint8_t bytes) {
    if (operand.kind == OperandKind::sink) return temporary(bytes).slot;
    if (operand.kind != OperandKind::reg || operand.component) return std::nullopt;
    const SlotRef r = reg(operand.symbol);
    if (r.bytes == bytes) return r.slot;
    if (r.bytes == 0) return std::nullopt;
    const SlotRef from = temporary(bytes);
    m_pending.push_back({from, r, ptx::isSigned(type)});
    return from.slot;
}

std::optional<Slot> Emitter::predicateDestination(const Operand& operand) {
    if (operand.kind == OperandKind::sink) return temporary(0).slot;
    if (operand.kind != OperandKind::reg || reg(operand.symbol).bytes != 0) return std::nullopt;
    return reg(operand.symbol).slot;
}

std::optional<AddressOperand> Emitter::address(const Operand& operand, unsigned parts) {
    if (operand.kind != OperandKind::address || operand.childCount != parts) return std::nullopt;
    const Operand& base = source().childrenOf(operand).front();
    AddressOperand out;
    out.offset = operand.value;
    switch (base.kind) {
    case OperandKind::integer: out.offset += base.value; return out;
    case OperandKind::reg: {
        const SlotRef r = reg(base.symbol);
        if (r.bytes == 0 || base.component) return std::nullopt;
        out.base = r.slot;
        out.base64 = r.bytes == 8;
        return out;
    }
    case OperandKind::variable: {
        const auto place = placeOf(base);
        if (!place) return std::nullopt;
        if (place->inFrame)
            out.base = localAddress(place->offset, 8);
        else
            out.offset += static_cast<std::int64_t>(place->offset);
        return out;
    }
    default: return std::nullopt;
    }
}

MicroOp& Emitter::emit(Kind kind) {
    MicroOp op;
    op.kind = kind;
    op.guard = m_guard;
    op.guardNegated = m_guardNegated;
    op.instruction = m_index;
    op.first = m_function.code.size() == m_firstOp;
    m_function.code.push_back(op);
    return m_function.code.back();
}

MicroOp& Emitter::emit(Lane row, Slot d, Slot a, Slot b, Slot c) {
    MicroOp& op = emit(Kind::lanes);
    op.lanes = laneFunction(row);
    op.d = d;
    op.a = a;
    op.b = b;
    op.c = c;
    return op;
}

MicroOp& Emitter::emit(ScalarFunction scalar, SlotRef d, SlotRef a, SlotRef b, SlotRef c) {
    MicroOp& op = emit(Kind::scalar);
    op.scalar = scalar;
    op.d = d.slot;
    op.a = a.slot;
    op.b = b.slot;
    op.c = c.slot;
    op.widths = static_cast<std::uint8_t>((d.bytes == 8) | (a.bytes == 8) << 1 | (b.bytes == 8) << 2 |
                                          (c.bytes == 8) << 3 | (a.bytes == 0) << 4 | (b.bytes == 0) << 5 |
                                          (c.bytes == 0) << 6 | (d.bytes == 0) << 7);
    return op;
}

bool Emitter::onlyModifiers(std::initializer_list<ptx::Modifier> allowed) const {
    for (const ptx::ModifierUse& use : source().modifiersOf(instruction())) {
        if (use.id == ptx::Modifier::unknown &&
            (use.type != ScalarType::none || use.space != ptx::StateSpace::none || use.vector))
            continue;
        if (std::ranges::find(allowed, use.id) == allowed.end()) return false;
    }
    return true;
}

/// d (of type `result`) = lane(operands of the given types).
bool emitLanes(Emitter& e, Lane lane, ScalarType result, std::initializer_list<ScalarType> types) {
    const auto operands = e.operands();
    if (operands.size() != types.size() + 1) return false;
    Slot slots[3] = {0, 0, 0};
    std::size_t i = 0;
    for (const ScalarType type : types) {
        const auto slot = e.source(operands[i + 1], type, wordBytes(type));
        if (!slot) return false;
        slots[i++] = *slot;
    }
    const auto d = e.destination(operands[0], result, wordBytes(result));
    if (!d) return false;
    e.emit(lane, *d, slots[0], slots[1], slots[2]);
    return true;
}

/// The same with a scalar function.
bool emitScalar(Emitter& e, ScalarFunction function, ScalarType result, std::initializer_list<ScalarType> types) {
    const auto operands = e.operands();
    if (!function || operands.size() != types.size() + 1) return false;
    SlotRef slots[3] = {{0, 4}, {0, 4}, {0, 4}};
    std::size_t i = 0;
    for (const ScalarType type : types) {
        const auto slot = e.source(operands[i + 1], type, wordBytes(type));
        if (!slot) return false;
        slots[i++] = {*slot, wordBytes(type)};
    }
    const auto d = e.destination(operands[0], result, wordBytes(result));
    if (!d) return false;
    e.emit(function, {*d, wordBytes(result)}, slots[0], slots[1], slots[2]);
    return true;
}

FloatMode floatMode(const Emitter& e) {
    FloatMode mode;
    mode.rounding = e.has(ptx::Modifier::rz)   ? Rounding::zero
                    : e.has(ptx::Modifier::rm) ? Rounding::down
                    : e.has(ptx::Modifier::rp) ? Rounding::up
                                               : Rounding::nearest;
    mode.flush = e.has(ptx::Modifier::ftz);
    mode.saturate = e.has(ptx::Modifier::sat);
    return mode;
}

std::string Emitter::instructionText() const {
    std::string text(m_program.module->textOf(instruction().opcodeSpan));
    for (const auto& modifier : source().modifiersOf(instruction())) text += m_program.module->textOf(modifier.span);
    return text;
}

void Emitter::unsupported(std::string what) {
    m_function.code.resize(m_firstOp);
    m_pending.clear();
    MicroOp& op = emit(Kind::unsupported);
    op.extra = static_cast<std::uint32_t>(m_program.texts.size());
    m_program.texts.push_back(std::move(what));
}

void Emitter::finish() {
    for (const PendingCopy& copy : m_pending)
        emit(copy.to.bytes == 4 ? Lane::narrow_32
             : copy.isSigned    ? Lane::widen_s32
                                : Lane::widen_u32,
             copy.to.slot, copy.from.slot);
    m_pending.clear();
    if (m_function.code.size() == m_firstOp) emit(Kind::nothing);
    // A guard that the instruction itself overwrites (`@%p setp ... %p`) is kept for its later micro-operations.
    const bool overwrites = m_guard != noSlot && m_function.code.size() - m_firstOp > 1 &&
                            std::any_of(m_function.code.begin() + static_cast<std::ptrdiff_t>(m_firstOp),
                                        m_function.code.end(), [this](const MicroOp& op) { return op.d == m_guard; });
    if (!overwrites) return;
    const SlotRef kept = temporary(0);
    MicroOp copy;
    copy.kind = Kind::lanes;
    copy.lanes = laneFunction(Lane::predicate);
    copy.d = kept.slot;
    copy.a = copy.b = m_guard;
    copy.immediate = 0b1000;
    copy.instruction = m_index;
    m_function.code[m_firstOp].first = false;
    m_function.code.insert(m_function.code.begin() + static_cast<std::ptrdiff_t>(m_firstOp), copy);
    for (std::size_t i = m_firstOp + 1; i < m_function.code.size(); ++i) m_function.code[i].guard = kept.slot;
}

} // namespace ptxwb::emulator

// Turns the instructions of one function into micro-operations: registers to slots, immediates to constants,
// temporaries. Used by the decode_*.cpp files only.
#pragma once

#include "emulator/program.h"
#include "emulator/scalar_functions.h"

#include <optional>
#include <unordered_map>

namespace ptxwb::emulator {

/// Broadcast constants of a program, shared by its functions.
class ConstantPool {
public:
    explicit ConstantPool(std::vector<std::uint8_t>& bytes) : m_bytes(&bytes) {}
    Slot word32(std::uint32_t value);
    Slot word64(std::uint64_t value);
    Slot predicate(bool value);
    Slot lanes(const std::uint64_t (&values)[32], unsigned bytes); ///< one value a lane

private:
    std::vector<std::uint8_t>* m_bytes;
    std::unordered_map<std::uint64_t, Slot> m_words32, m_words64;
    Slot add(std::uint64_t value, unsigned bytes);
};

/// Where a variable or parameter lies: in the frame's local area, or at a fixed place of its own space.
struct VariablePlace {
    std::uint64_t offset = 0;
    bool inFrame = false;
};

class Emitter {
public:
    Emitter(Program& program, ConstantPool& constants, DecodedFunction& function);

    const ptx::Function& source() const { return *m_function.source; }
    Program& program() { return m_program; }
    DecodedFunction& function() { return m_function; }

    /// Starts the micro-operations of instruction number `index`.
    void begin(std::uint32_t index);
    const ptx::Instruction& instruction() const { return source().instructions[m_index]; }
    std::span<const ptx::Operand> operands() const { return source().operandsOf(instruction()); }
    bool has(ptx::Modifier m) const { return source().has(instruction(), m); }
    ptx::ScalarType type(unsigned n = 0) const { return source().typeOf(instruction(), n); }

    /// The slot of a register.
    SlotRef reg(ptx::Index registerId) const { return m_registers[registerId]; }
    SlotRef temporary(std::uint8_t bytes); ///< 4, 8, or 0 for a predicate

    /// An operand as words of `bytes` (4 or 8): a register of that width, a constant, a special register, or a
    /// converted copy of a register of another width. Empty where the operand is something else (the instruction is
    /// then unsupported). `type` decides how an immediate is read: a float literal for f32 is rounded, an integer is
    /// extended.
    std::optional<Slot> source(const ptx::Operand& operand, ptx::ScalarType type, std::uint8_t bytes);
    /// A special register's words of 4 bytes.
    static Slot special(Special special);
    /// Likewise in whatever width the operand has: `bytes` is only used for immediates. For conversions.
    std::optional<SlotRef> sourceAsIs(const ptx::Operand& operand, ptx::ScalarType type);
    /// A destination register in its own width; a temporary for `_`.
    std::optional<SlotRef> destinationAsIs(const ptx::Operand& operand);
    /// A predicate operand; `!%p` is negated into a temporary.
    std::optional<Slot> predicate(const ptx::Operand& operand);
    /// A destination of the given width: the register itself, or a temporary that `finish` copies (widened or narrowed,
    /// sign- or zero-extended as `type` says) into the register. `_` gives a temporary.
    std::optional<Slot> destination(const ptx::Operand& operand, ptx::ScalarType type, std::uint8_t bytes);
    std::optional<Slot> predicateDestination(const ptx::Operand& operand);
    /// Of an operand of kind variable, with its addend; empty where it has no place (an external symbol).
    std::optional<VariablePlace> placeOf(const ptx::Operand& operand) const;
    /// A predicate of the function that holds the carry flag of add.cc and its family.
    Slot carryFlag() const { return m_carry; }
    /// True where the instruction has no modifier but types, spaces, vectors and these.
    bool onlyModifiers(std::initializer_list<ptx::Modifier> allowed) const;
    /// The address of `[...]`; of `[..., coordinates]` where it has two `parts`.
    std::optional<AddressOperand> address(const ptx::Operand& operand, unsigned parts = 1);

    MicroOp& emit(Kind kind);
    MicroOp& emit(Lane row, Slot d, Slot a, Slot b = 0, Slot c = 0);
    /// d = f(a, b, c), lane by lane; `b` and `c` may be left out.
    MicroOp& emit(ScalarFunction function, SlotRef d, SlotRef a, SlotRef b = {0, 4}, SlotRef c = {0, 4});
    void unsupported(std::string what);
    /// Ends the instruction: pending copies into destinations, the check of registers.
    void finish();

    ConstantPool& constants() { return m_constants; }
    std::string instructionText() const;

private:
    struct PendingCopy {
        SlotRef from, to;
        bool isSigned;
    };

    /// A temporary that holds the address of the frame's local byte `offset`.
    Slot localAddress(std::uint64_t offset, std::uint8_t bytes);

    Program& m_program;
    ConstantPool& m_constants;
    DecodedFunction& m_function;
    std::vector<SlotRef> m_registers;
    std::uint32_t m_index = 0;
    std::size_t m_firstOp = 0;
    Slot m_carry = noSlot;
    std::uint32_t m_temporaryTop = 0, m_temporaryBase = 0;
    std::vector<PendingCopy> m_pending;
    Slot m_guard = noSlot;
    bool m_guardNegated = false;
};

/// Bytes of a slot's words for values of `type`: 4 up to 32 bits, 8 for 64, 0 for predicates.
std::uint8_t wordBytes(ptx::ScalarType type);

/// d (of type `result`) = lane(operands of the given types); false where an operand is of another kind.
bool emitLanes(Emitter& e, Lane lane, ptx::ScalarType result, std::initializer_list<ptx::ScalarType> types);
/// The same with a scalar function; false where it is nullptr too.
bool emitScalar(Emitter& e, ScalarFunction function, ptx::ScalarType result,
                std::initializer_list<ptx::ScalarType> types);
/// From .rn .rz .rm .rp, .ftz and .sat.
FloatMode floatMode(const Emitter& e);

// decode_compare.cpp, for decode_half.cpp too.
/// The row that compares operands of `type` as the instruction's modifier says, empty where there is none.
std::optional<Lane> compareLane(const Emitter& e, ptx::ScalarType type);
bool onlyCompareModifiers(const Emitter& e);
/// The 4-bit table of .and, .or or .xor of a (bit 0 of the index) and b (bit 1).
std::int64_t booleanTable(const Emitter& e, bool negateA);

// One group of opcodes each; false where the opcode is not of the group.
bool decodeHalf(Emitter& e);
bool decodeArithmetic(Emitter& e);
bool decodeBits(Emitter& e);
bool decodeCompare(Emitter& e);
bool decodeConversion(Emitter& e);
bool decodeMemory(Emitter& e);
bool decodeAsync(Emitter& e);
bool decodeMatrix(Emitter& e);
bool decodeMixedForms(Emitter& e);
bool decodeCall(Emitter& e);
bool decodeMbarrier(Emitter& e);
bool decodeCopyArrival(Emitter& e); ///< cp.async.mbarrier.arrive
bool decodeControl(Emitter& e);
bool decodeBulk(Emitter& e);
bool decodeCluster(Emitter& e);
bool decodeTexture(Emitter& e);
bool decodeWgmma(Emitter& e);
/// Finds the instructions that touch registers of some wgmma.mma_async.
void markFragmentUses(DecodedFunction& function);

/// The special register of this name, empty where the emulator lacks it.
std::optional<Special> specialNamed(std::string_view name);

/// Fills `registerUses` and marks the micro-operations that must check (register_check.cpp).
void markRegisterChecks(DecodedFunction& function, const std::vector<SlotRef>& slots);

} // namespace ptxwb::emulator

// What each operand of an instruction is there for: written or read, and of which type.
// Used by the checker; the emulator's decoder and the liveness analysis ask for destinations.
#pragma once

#include "ptx/module.h"

#include <array>
#include <initializer_list>

namespace ptxwb::ptx {

/// How many leading operands the instruction writes. Decides by the form where the table's row cannot (`bar.red`,
/// `wmma.load`, `mbarrier.arrive`); of a call 1 where it has a list of results.
unsigned destinationCount(const Function& function, const Instruction& instruction);

/// What the type of an operand must be.
enum class OperandRole : std::uint8_t {
    unchecked,
    exact,         ///< as wide as the first type, of a compatible class
    exactSecond,   ///< as the second type
    wide,          ///< twice as wide as the first type
    relaxed,       ///< at least as wide as the first type (ld, st, cvt)
    relaxedSecond, ///< at least as wide as the second type
    word,          ///< 32-bit integer or bits
    predicate,
    address,
};

/// A set of scalar types.
class TypeSet {
public:
    constexpr TypeSet() = default;
    constexpr TypeSet(std::initializer_list<ScalarType> types) {
        for (const ScalarType type : types) m_bits |= bit(type);
    }
    constexpr TypeSet operator|(TypeSet other) const {
        other.m_bits |= m_bits;
        return other;
    }
    constexpr bool has(ScalarType type) const { return (m_bits & bit(type)) != 0; }
    constexpr bool empty() const { return m_bits == 0; }

private:
    static constexpr std::uint64_t bit(ScalarType type) { return std::uint64_t{1} << static_cast<unsigned>(type); }
    std::uint64_t m_bits = 0;
};

/// The type rules of an opcode whose operands follow one pattern.
struct TypeRule {
    Opcode opcode;
    std::uint8_t typeCount; ///< how many types the opcode is written with
    TypeSet allowed;        ///< that the first type may be; empty where the rules are not that simple
    std::array<OperandRole, 5> roles;
};

/// nullptr where the opcode's forms follow no one pattern.
const TypeRule* typeRule(Opcode opcode);

} // namespace ptxwb::ptx

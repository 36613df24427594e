// Small damages to correct PTX, as a typing person or a language model does them: one at a random place.
// Used by the mutation test, which asks ptxas and the checker about each.
#pragma once

#include "ptx/module.h"

#include <optional>
#include <random>
#include <span>
#include <string>

namespace ptxwb::ptx::mutation {

class Random {
public:
    explicit Random(std::uint64_t seed) : m_engine(seed) {}
    /// 0 to n - 1
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(m_engine() % n); }
    template <class T>
    const T& of(std::span<const T> choices) {
        return choices[below(choices.size())];
    }

private:
    std::mt19937_64 m_engine;
};

/// `text` with the bytes of `span` replaced by `replacement`.
struct Edit {
    Span span;
    std::string replacement;
};

/// What a damage works on: a correct file, and one instruction of it where the damage is done to one.
struct Place {
    const Module& module;
    const Function& function;
    const Instruction& instruction;
    Random& random;

    std::string textOf(Span span) const { return std::string(module.textOf(span)); }
    std::span<const Operand> operands() const { return function.operandsOf(instruction); }
    std::span<const ModifierUse> modifiers() const { return function.modifiersOf(instruction); }
};

struct Damage {
    const char* name;
    /// Nothing where the instruction offers no place for it.
    std::optional<Edit> (*make)(const Place&);
};

/// Done to an instruction: opcode, modifiers, operands, punctuation.
std::span<const Damage> instructionDamages();
/// Done to what stands around instructions: declarations, labels, braces, directives.
std::span<const Damage> declarationDamages();
/// Changes that ptxas mostly takes, so that a checker that cries wolf is found out.
std::span<const Damage> gentleChanges();

/// One damage of the given kind at a random place; nothing where the file has none after some tries.
std::optional<Edit> damage(const Module& module, const Damage& kind, Random& random);

} // namespace ptxwb::ptx::mutation

#include "verify/precision.h"

#include "verify/findings.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace ptxwb::verify {

namespace {

using ptx::ScalarType;

/// Bits of the significand, the leading one counted, of what arithmetic of this type keeps; 0 for what is no
/// floating-point type.
int significand(ScalarType type) {
    switch (type) {
    case ScalarType::f64: return 53;
    case ScalarType::f32:
    case ScalarType::f32x2: return 24;
    case ScalarType::f16:
    case ScalarType::f16x2:
    case ScalarType::tf32: return 11;
    case ScalarType::bf16:
    case ScalarType::bf16x2: return 8;
    case ScalarType::e4m3:
    case ScalarType::e4m3x2:
    case ScalarType::e4m3x4: return 4;
    case ScalarType::e5m2:
    case ScalarType::e5m2x2:
    case ScalarType::e5m2x4: return 3;
    default: return isFloat(type) ? 3 : 0; // the narrower ones
    }
}

int significandOf(kernel::ElementType type) {
    return kernel::isFloat(type) ? kernel::floatFormat(type).mantissaBits + 1 : 0;
}

/// Moves, loads and comparisons lose nothing; a conversion to a narrower type does.
bool loses(const ptx::Function& function, const ptx::Instruction& instruction) {
    using ptx::Opcode;
    switch (instruction.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
    case Opcode::mov:
    case Opcode::setp:
    case Opcode::set:
    case Opcode::selp:
    case Opcode::shfl:
    case Opcode::unknown: return false;
    case Opcode::cvt:
        return significand(function.typeOf(instruction, 0)) < significand(function.typeOf(instruction, 1));
    default: return true;
    }
}

/// The lowest type that an instruction computes with; none where it computes with no floating-point numbers.
ScalarType lowestType(const ptx::Function& function, const ptx::Instruction& instruction) {
    ScalarType lowest = ScalarType::none;
    for (const ptx::ModifierUse& modifier : function.modifiersOf(instruction)) {
        const int bits = significand(modifier.type);
        if (bits && (lowest == ScalarType::none || bits < significand(lowest))) lowest = modifier.type;
    }
    return lowest;
}

/// By bits of the significand: the first instruction that computes with so few.
using Uses = std::map<int, std::pair<const ptx::Function*, const ptx::Instruction*>>;

Uses usesOf(const ptx::Module& module) {
    Uses uses;
    for (const ptx::Function& function : module.functions)
        for (const ptx::Instruction& instruction : function.instructions) {
            const ScalarType lowest = lowestType(function, instruction);
            if (lowest != ScalarType::none && loses(function, instruction))
                uses.try_emplace(significand(lowest), &function, &instruction);
        }
    return uses;
}

/// The least precise floating-point type of the kernel's data; 0 where there is none.
int leastOf(const kernel::KernelSpec& spec) {
    int least = 0;
    const auto add = [&least](kernel::ElementType type) {
        if (const int bits = significandOf(type)) least = least ? std::min(least, bits) : bits;
    };
    for (const kernel::Argument& argument : spec.arguments) {
        if (argument.kind == kernel::ArgumentKind::buffer || argument.kind == kernel::ArgumentKind::scalar)
            add(argument.type);
        for (const kernel::StructField& field : argument.fields) add(field.type);
    }
    for (const kernel::GlobalVariable& global : spec.globals) add(global.type);
    if (spec.work.accumulator) add(*spec.work.accumulator);
    return least;
}

} // namespace

std::vector<Finding> lowerPrecision(const kernel::KernelSpec& spec, const ptx::Module& candidate,
                                    const ptx::Module* baseline) {
    std::vector<Finding> findings;
    int least = leastOf(spec);
    if (least == 0) return findings;
    if (baseline)
        if (const Uses theirs = usesOf(*baseline); !theirs.empty()) least = std::min(least, theirs.begin()->first);
    for (const auto& [bits, use] : usesOf(candidate)) {
        if (bits >= least) break;
        const auto& [function, instruction] = use;
        Finding& finding = findings.emplace_back();
        finding.kind = FindingKind::outOfSpecification;
        finding.check = "precision";
        finding.message = fmt::format("computes with {} ({} significant bits), and neither the spec's types nor the "
                                      "baseline have fewer than {}",
                                      name(lowestType(*function, *instruction)), bits, least);
        finding.hint = "if that is wanted, the spec must say so: a type of its arguments, or `work.accumulator`";
        place(finding, candidate, instruction->span);
    }
    return findings;
}

} // namespace ptxwb::verify

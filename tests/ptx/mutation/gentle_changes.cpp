#include "damage.h"

#include <array>
#include <vector>

namespace ptxwb::ptx::mutation {

namespace {

using Answer = std::optional<Edit>;

/// A register among the operands, at any depth.
const Operand* anyOf(const Place& place, OperandKind kind) {
    std::vector<const Operand*> all;
    const auto collect = [&](const auto& self, const Operand& operand) -> void {
        if (operand.kind == kind) all.push_back(&operand);
        for (const Operand& child : place.function.childrenOf(operand)) self(self, child);
    };
    for (const Operand& operand : place.operands()) collect(collect, operand);
    return all.empty() ? nullptr : all[place.random.below(all.size())];
}

Answer otherRegister(const Place& place) {
    const Operand* operand = anyOf(place, OperandKind::reg);
    if (!operand || operand->component || operand->negated) return std::nullopt;
    const RegisterGroup& group = place.function.groupOf(operand->symbol);
    if (group.count < 2 || group.scope != 0) return std::nullopt;
    return Edit{operand->span,
                place.function.registerName(group.first + static_cast<Index>(place.random.below(group.count)))};
}

Answer otherNumber(const Place& place) {
    const Operand* operand = anyOf(place, OperandKind::integer);
    if (!operand) return std::nullopt;
    return Edit{operand->span, std::to_string(place.random.below(16))};
}

Answer otherComparison(const Place& place) {
    static constexpr std::array<std::string_view, 6> words{".eq", ".ne", ".lt", ".le", ".gt", ".ge"};
    for (const ModifierUse& use : place.modifiers())
        if (use.id >= Modifier::eq && use.id <= Modifier::ge)
            return Edit{use.span, std::string(place.random.of(std::span<const std::string_view>(words)))};
    return std::nullopt;
}

/// The type of the same width and another class.
Answer otherClassOfType(const Place& place) {
    static constexpr std::array<std::array<std::string_view, 3>, 3> rows{
        {{".u32", ".s32", ".b32"}, {".u64", ".s64", ".b64"}, {".u16", ".s16", ".b16"}}};
    for (const ModifierUse& use : place.modifiers())
        for (const auto& row : rows)
            for (const std::string_view word : row)
                if (place.textOf(use.span) == word) return Edit{use.span, std::string(row[place.random.below(3)])};
    return std::nullopt;
}

Answer comment(const Place& place) {
    return Edit{{place.instruction.span.offset, 0}, place.random.below(2) ? "/* ; { */ " : "// note ;\n"};
}

Answer space(const Place& place) {
    const auto all = place.operands();
    if (all.empty()) return std::nullopt;
    return Edit{{all[place.random.below(all.size())].span.offset, 0}, place.random.below(2) ? "  " : "\n\t"};
}

Answer sameTwice(const Place& place) {
    const Span span = place.instruction.span;
    return Edit{{span.offset, 0}, place.textOf(span) + "; "};
}

Answer innerBlock(const Place& place) {
    const Span span = place.instruction.span;
    return Edit{{span.offset, 0}, "{ .reg .b32 inner; mov.u32 inner, 5; } "};
}

constexpr Damage changes[] = {
    {"another register", otherRegister},
    {"another number", otherNumber},
    {"another comparison", otherComparison},
    {"another class of type", otherClassOfType},
    {"a comment", comment},
    {"a space", space},
    {"an instruction twice", sameTwice},
    {"an inner block", innerBlock},
};

} // namespace

std::span<const Damage> gentleChanges() {
    return changes;
}

} // namespace ptxwb::ptx::mutation

#include "damage.h"

#include <array>
#include <vector>

namespace ptxwb::ptx::mutation {

namespace {

using Answer = std::optional<Edit>;

/// One letter doubled, dropped, replaced or swapped with its neighbour; the first `keep` bytes stay.
std::string misspelt(std::string word, std::size_t keep, Random& random) {
    if (word.size() < keep + 2) return word + "x";
    const std::size_t at = keep + random.below(word.size() - keep);
    switch (random.below(4)) {
    case 0: word.insert(at, 1, word[at]); break;
    case 1: word.erase(at, 1); break;
    case 2: word[at] = static_cast<char>('a' + random.below(26)); break;
    default:
        if (at + 1 < word.size())
            std::swap(word[at], word[at + 1]);
        else
            word.erase(at, 1);
    }
    return word;
}

const ModifierUse* anyModifier(const Place& place) {
    const auto all = place.modifiers();
    return all.empty() ? nullptr : &all[place.random.below(all.size())];
}

Answer misspellOpcode(const Place& place) {
    const std::string word = place.textOf(place.instruction.opcodeSpan);
    const std::string other = misspelt(word, 0, place.random);
    if (other == word) return std::nullopt;
    return Edit{place.instruction.opcodeSpan, other};
}

Answer misspellModifier(const Place& place) {
    const ModifierUse* use = anyModifier(place);
    if (!use) return std::nullopt;
    const std::string word = place.textOf(use->span), other = misspelt(word, 1, place.random);
    if (other == word) return std::nullopt;
    return Edit{use->span, other};
}

Answer dropModifier(const Place& place) {
    const ModifierUse* use = anyModifier(place);
    if (!use) return std::nullopt;
    return Edit{use->span, ""};
}

constexpr std::array<std::string_view, 12> commonTypes{".u16", ".u32", ".u64", ".s16", ".s32", ".s64",
                                                       ".b16", ".b32", ".b64", ".f16", ".f32", ".f64"};
constexpr std::array<std::string_view, 24> commonModifiers{
    ".rn", ".rz", ".sat", ".ftz", ".approx",  ".lo",      ".hi",  ".wide", ".cc",      ".eq",       ".lt",  ".sync",
    ".ca", ".nc", ".cg",  ".gpu", ".relaxed", ".acquire", ".uni", ".x4",   ".aligned", ".volatile", ".any", ".rzi"};
constexpr std::array<std::string_view, 6> spaces{".global", ".shared", ".local", ".const", ".param", ".reg"};

Answer otherType(const Place& place) {
    std::vector<Span> types;
    for (const ModifierUse& use : place.modifiers())
        if (use.type != ScalarType::none) types.push_back(use.span);
    if (types.empty()) return std::nullopt;
    const Span span = types[place.random.below(types.size())];
    const std::string_view other = place.random.of(std::span<const std::string_view>(commonTypes));
    if (place.textOf(span) == other) return std::nullopt;
    return Edit{span, std::string(other)};
}

Answer otherModifier(const Place& place) {
    std::vector<Span> words;
    for (const ModifierUse& use : place.modifiers())
        if (use.id != Modifier::unknown && use.type == ScalarType::none) words.push_back(use.span);
    if (words.empty()) return std::nullopt;
    const Span span = words[place.random.below(words.size())];
    const std::string_view other = place.random.of(std::span<const std::string_view>(commonModifiers));
    if (place.textOf(span) == other) return std::nullopt;
    return Edit{span, std::string(other)};
}

Answer extraModifier(const Place& place) {
    const std::string_view extra = place.random.of(std::span<const std::string_view>(commonModifiers));
    return Edit{{place.instruction.opcodeSpan.end(), 0}, std::string(extra)};
}

Answer doubleType(const Place& place) {
    for (const ModifierUse& use : place.modifiers())
        if (use.type != ScalarType::none) return Edit{{use.span.end(), 0}, place.textOf(use.span)};
    return std::nullopt;
}

Answer otherSpace(const Place& place) {
    for (const ModifierUse& use : place.modifiers()) {
        if (use.space == StateSpace::none) continue;
        const std::string_view other = place.random.of(std::span<const std::string_view>(spaces));
        if (place.textOf(use.span) == other) return std::nullopt;
        return Edit{use.span, std::string(other)};
    }
    return std::nullopt;
}

Answer otherWidth(const Place& place) {
    for (const ModifierUse& use : place.modifiers())
        if (use.vector) return Edit{use.span, use.vector == 2 ? ".v4" : ".v2"};
    if (place.instruction.opcode != Opcode::ld && place.instruction.opcode != Opcode::st) return std::nullopt;
    return Edit{
        {place.modifiers().empty() ? place.instruction.opcodeSpan.end() : place.modifiers().back().span.offset, 0},
        ".v2"};
}

Answer otherOpcode(const Place& place) {
    static constexpr std::array<std::string_view, 20> opcodes{"add", "sub", "mul",  "mad", "fma",  "and", "or",
                                                              "shl", "shr", "setp", "ld",  "st",   "mov", "cvt",
                                                              "neg", "min", "selp", "bar", "atom", "not"};
    const std::string_view other = place.random.of(std::span<const std::string_view>(opcodes));
    if (place.textOf(place.instruction.opcodeSpan) == other) return std::nullopt;
    return Edit{place.instruction.opcodeSpan, std::string(other)};
}

const Operand* anyOperand(const Place& place) {
    const auto all = place.operands();
    return all.empty() ? nullptr : &all[place.random.below(all.size())];
}

/// A register among the operands, at any depth.
const Operand* anyRegister(const Place& place) {
    std::vector<const Operand*> all;
    const auto collect = [&](const auto& self, const Operand& operand) -> void {
        if (operand.kind == OperandKind::reg) all.push_back(&operand);
        for (const Operand& child : place.function.childrenOf(operand)) self(self, child);
    };
    for (const Operand& operand : place.operands()) collect(collect, operand);
    return all.empty() ? nullptr : all[place.random.below(all.size())];
}

Answer otherClass(const Place& place) {
    const Operand* operand = anyRegister(place);
    if (!operand) return std::nullopt;
    const ScalarType type = place.function.registerType(operand->symbol);
    std::vector<std::string> names;
    for (const RegisterGroup& group : place.function.registers)
        if (group.type != type && group.scope == 0 && group.vector == 1)
            names.push_back(place.function.registerName(group.first + (group.count > 1 ? 1 : 0)));
    if (names.empty()) return std::nullopt;
    return Edit{operand->span, names[place.random.below(names.size())]};
}

Answer undeclared(const Place& place) {
    const Operand* operand = anyRegister(place);
    if (!operand) return std::nullopt;
    return Edit{operand->span, place.textOf(operand->span) + "999999"};
}

Answer swapOperands(const Place& place) {
    const auto all = place.operands();
    if (all.size() < 2) return std::nullopt;
    const std::size_t at = place.random.below(all.size() - 1);
    const Span a = all[at].span, b = all[at + 1].span;
    if (place.textOf(a) == place.textOf(b)) return std::nullopt;
    return Edit{{a.offset, b.end() - a.offset}, place.textOf(b) + ", " + place.textOf(a)};
}

Answer dropOperand(const Place& place) {
    const auto all = place.operands();
    if (all.size() < 2) return std::nullopt;
    const std::size_t at = place.random.below(all.size());
    if (at == 0) return Edit{{all[0].span.offset, all[1].span.offset - all[0].span.offset}, ""};
    return Edit{{all[at - 1].span.end(), all[at].span.end() - all[at - 1].span.end()}, ""};
}

Answer extraOperand(const Place& place) {
    const auto all = place.operands();
    if (all.empty()) return std::nullopt;
    return Edit{{all.back().span.end(), 0}, ", " + place.textOf(all.back().span)};
}

Answer dropComma(const Place& place) {
    const std::string text = place.textOf(place.instruction.span);
    std::vector<std::uint32_t> commas;
    for (std::uint32_t i = 0; i < text.size(); ++i)
        if (text[i] == ',') commas.push_back(i);
    if (commas.empty()) return std::nullopt;
    return Edit{{place.instruction.span.offset + commas[place.random.below(commas.size())], 1}, ""};
}

Answer dropSemicolon(const Place& place) {
    const Span after{place.instruction.span.end(), 1};
    if (place.textOf(after) != ";") return std::nullopt;
    return Edit{after, ""};
}

Answer dropElement(const Place& place) {
    for (const Operand& operand : place.operands()) {
        if (operand.kind != OperandKind::vector || operand.childCount < 2) continue;
        const auto children = place.function.childrenOf(operand);
        const std::size_t at = 1 + place.random.below(children.size() - 1);
        return Edit{{children[at - 1].span.end(), children[at].span.end() - children[at - 1].span.end()}, ""};
    }
    return std::nullopt;
}

Answer dropBracket(const Place& place) {
    for (const Operand& operand : place.operands())
        if (operand.kind == OperandKind::address)
            return Edit{{place.random.below(2) ? operand.span.offset : operand.span.end() - 1, 1}, ""};
    return std::nullopt;
}

Answer addressWithoutBrackets(const Place& place) {
    for (const Operand& operand : place.operands())
        if (operand.kind == OperandKind::address && operand.childCount == 1)
            return Edit{operand.span, place.textOf(place.function.childrenOf(operand)[0].span)};
    return std::nullopt;
}

Answer badOffset(const Place& place) {
    for (const Operand& operand : place.operands())
        if (operand.kind == OperandKind::address)
            return Edit{{operand.span.end() - 1, 0}, place.random.below(2) ? "-4" : "+%r1"};
    return std::nullopt;
}

const Operand* anyNumber(const Place& place) {
    std::vector<const Operand*> all;
    for (const Operand& operand : place.operands())
        if (operand.kind == OperandKind::integer || operand.kind == OperandKind::floating) all.push_back(&operand);
    return all.empty() ? nullptr : all[place.random.below(all.size())];
}

Answer otherNumberKind(const Place& place) {
    const Operand* operand = anyNumber(place);
    if (!operand) return std::nullopt;
    return Edit{operand->span, operand->kind == OperandKind::integer ? "1.5" : "3"};
}

Answer numberOutOfRange(const Place& place) {
    static constexpr std::array<std::string_view, 4> numbers{"99999999999999999999999", "0x1FFFFFFFFFFFFFFFF", "-1",
                                                             "300"};
    const Operand* operand = anyNumber(place);
    if (!operand) return std::nullopt;
    return Edit{operand->span, std::string(place.random.of(std::span<const std::string_view>(numbers)))};
}

Answer badLiteral(const Place& place) {
    static constexpr std::array<std::string_view, 6> literals{"0x", "09", "0f3F80", "1.5f", "12u", "0xFFG"};
    const Operand* operand = anyNumber(place);
    if (!operand) return std::nullopt;
    return Edit{operand->span, std::string(place.random.of(std::span<const std::string_view>(literals)))};
}

Answer registerBecomesNumber(const Place& place) {
    const Operand* operand = anyOperand(place);
    if (!operand || operand->kind != OperandKind::reg) return std::nullopt;
    return Edit{operand->span, place.random.below(2) ? "7" : "1.0"};
}

Answer destinationNotWritable(const Place& place) {
    const auto all = place.operands();
    if (all.empty() || all[0].kind != OperandKind::reg) return std::nullopt;
    return Edit{all[0].span, place.random.below(2) ? "%tid.x" : "5"};
}

Answer guardOfWrongType(const Place& place) {
    if (place.instruction.guard != noIndex) return std::nullopt;
    for (const RegisterGroup& group : place.function.registers)
        if (group.type != ScalarType::pred && group.scope == 0)
            return Edit{{place.instruction.span.offset, 0},
                        "@" + place.function.registerName(group.first + (group.count > 1 ? 1 : 0)) + " "};
    return std::nullopt;
}

Answer guardBroken(const Place& place) {
    static constexpr std::array<std::string_view, 4> guards{"@%nothing ", "@ ", "@1 ", "@!!%p1 "};
    if (place.instruction.guard != noIndex) return std::nullopt;
    return Edit{{place.instruction.span.offset, 0},
                std::string(place.random.of(std::span<const std::string_view>(guards)))};
}

Answer branchElsewhere(const Place& place) {
    if (place.instruction.opcode != Opcode::bra || place.operands().size() != 1) return std::nullopt;
    return Edit{place.operands()[0].span, place.random.below(2) ? "$nowhere" : "%r1"};
}

Answer otherParameter(const Place& place) {
    if (place.instruction.opcode != Opcode::ld) return std::nullopt;
    const auto all = place.operands();
    if (all.size() != 2 || all[1].kind != OperandKind::address) return std::nullopt;
    const Operand& base = place.function.childrenOf(all[1])[0];
    if (base.kind != OperandKind::variable) return std::nullopt;
    return Edit{base.span, place.textOf(base.span) + "9"};
}

Answer strayCharacter(const Place& place) {
    static constexpr std::array<std::string_view, 6> characters{"?", "#", "}", "(", "\\", ";"};
    const auto all = place.operands();
    if (all.empty()) return std::nullopt;
    return Edit{{all[place.random.below(all.size())].span.offset, 0},
                std::string(place.random.of(std::span<const std::string_view>(characters)))};
}

constexpr Damage damages[] = {
    {"opcode misspelt", misspellOpcode},
    {"modifier misspelt", misspellModifier},
    {"modifier dropped", dropModifier},
    {"another type", otherType},
    {"another modifier", otherModifier},
    {"one modifier more", extraModifier},
    {"type twice", doubleType},
    {"another state space", otherSpace},
    {"another vector width", otherWidth},
    {"another opcode", otherOpcode},
    {"register of another class", otherClass},
    {"undeclared register", undeclared},
    {"operands swapped", swapOperands},
    {"operand dropped", dropOperand},
    {"one operand more", extraOperand},
    {"comma dropped", dropComma},
    {"semicolon dropped", dropSemicolon},
    {"vector element dropped", dropElement},
    {"bracket dropped", dropBracket},
    {"address without brackets", addressWithoutBrackets},
    {"bad offset", badOffset},
    {"number of another kind", otherNumberKind},
    {"number out of range", numberOutOfRange},
    {"bad literal", badLiteral},
    {"number for a register", registerBecomesNumber},
    {"result not writable", destinationNotWritable},
    {"guard of wrong type", guardOfWrongType},
    {"broken guard", guardBroken},
    {"branch elsewhere", branchElsewhere},
    {"another parameter", otherParameter},
    {"stray character", strayCharacter},
};

} // namespace

std::span<const Damage> instructionDamages() {
    return damages;
}

} // namespace ptxwb::ptx::mutation

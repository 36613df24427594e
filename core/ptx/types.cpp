#include "ptx/types.h"

#include "ptx/word_table.h"

#include <array>

namespace ptxwb::ptx {

namespace {

struct TypeRow {
    ScalarType type;
    std::string_view name;
    std::uint8_t bytes;
};

// In the order of the enumeration, so that the index is the value.
constexpr TypeRow typeRows[] = {
    {ScalarType::none, "", 0},
    {ScalarType::u8, "u8", 1},
    {ScalarType::u16, "u16", 2},
    {ScalarType::u32, "u32", 4},
    {ScalarType::u64, "u64", 8},
    {ScalarType::s8, "s8", 1},
    {ScalarType::s16, "s16", 2},
    {ScalarType::s32, "s32", 4},
    {ScalarType::s64, "s64", 8},
    {ScalarType::b8, "b8", 1},
    {ScalarType::b16, "b16", 2},
    {ScalarType::b32, "b32", 4},
    {ScalarType::b64, "b64", 8},
    {ScalarType::b128, "b128", 16},
    {ScalarType::f16, "f16", 2},
    {ScalarType::f16x2, "f16x2", 4},
    {ScalarType::bf16, "bf16", 2},
    {ScalarType::bf16x2, "bf16x2", 4},
    {ScalarType::tf32, "tf32", 4},
    {ScalarType::f32, "f32", 4},
    {ScalarType::f32x2, "f32x2", 8},
    {ScalarType::f64, "f64", 8},
    {ScalarType::e4m3, "e4m3", 1},
    {ScalarType::e5m2, "e5m2", 1},
    {ScalarType::e4m3x2, "e4m3x2", 2},
    {ScalarType::e5m2x2, "e5m2x2", 2},
    {ScalarType::e2m1x2, "e2m1x2", 1},
    {ScalarType::e2m3x2, "e2m3x2", 2},
    {ScalarType::e3m2x2, "e3m2x2", 2},
    {ScalarType::ue8m0x2, "ue8m0x2", 2},
    {ScalarType::u16x2, "u16x2", 4},
    {ScalarType::s16x2, "s16x2", 4},
    {ScalarType::u8x4, "u8x4", 4},
    {ScalarType::s8x4, "s8x4", 4},
    {ScalarType::pred, "pred", 0},
    {ScalarType::texref, "texref", 8},
    {ScalarType::samplerref, "samplerref", 8},
    {ScalarType::surfref, "surfref", 8},
    {ScalarType::b1, "b1", 0},
    {ScalarType::b4, "b4", 0},
    {ScalarType::u4, "u4", 0},
    {ScalarType::s4, "s4", 0},
    {ScalarType::e2m1, "e2m1", 0},
    {ScalarType::e2m3, "e2m3", 1},
    {ScalarType::e3m2, "e3m2", 1},
    {ScalarType::ue8m0, "ue8m0", 1},
    {ScalarType::ue4m3, "ue4m3", 1},
    {ScalarType::e4m3x4, "e4m3x4", 4},
    {ScalarType::e5m2x4, "e5m2x4", 4},
    {ScalarType::e2m1x4, "e2m1x4", 2},
    {ScalarType::e2m3x4, "e2m3x4", 4},
    {ScalarType::e3m2x4, "e3m2x4", 4},
};
static_assert(std::size(typeRows) == static_cast<std::size_t>(ScalarType::e3m2x4) + 1);
static_assert([] {
    for (std::size_t i = 0; i < std::size(typeRows); ++i)
        if (static_cast<std::size_t>(typeRows[i].type) != i) return false;
    return true;
}());

struct SpaceRow {
    std::string_view text;
    StateSpace space;
};

// The sub-qualified spaces are modifiers too: `id` of a ModifierUse tells which.
constexpr SpaceRow spaceRows[] = {
    {"reg", StateSpace::reg},
    {"sreg", StateSpace::sreg},
    {"const", StateSpace::constant},
    {"global", StateSpace::global},
    {"local", StateSpace::local},
    {"param", StateSpace::param},
    {"param::entry", StateSpace::param},
    {"param::func", StateSpace::param},
    {"shared", StateSpace::shared},
    {"shared::cta", StateSpace::shared},
    {"shared::cluster", StateSpace::shared},
    {"tex", StateSpace::tex},
};

constexpr std::string_view modifierNames[] = {
    "",
#define PTXWB_MODIFIER(id, text) text,
#include "ptx/modifiers.def"
#undef PTXWB_MODIFIER
};

constexpr InstructionRow instructionRows[] = {
#define PTXWB_INSTRUCTION(id, text, operands, minOperands, maxOperands, destinations, firstPtx, firstTarget, section,  \
                          meaning)                                                                                     \
    {Opcode::id, text, operands, minOperands, maxOperands, destinations, firstPtx, firstTarget, section, meaning},
#include "ptx/instructions.def"
#undef PTXWB_INSTRUCTION
};

constexpr auto opcodeTable = [] {
    WordTable<Opcode, 512> table;
    for (const InstructionRow& row : instructionRows) table.add(row.name) = row.opcode;
    return table;
}();

const WordTable<Word, 2048>& wordTable() {
    static const WordTable<Word, 2048> words = [] {
        WordTable<Word, 2048> table;
        for (std::size_t i = 1; i < std::size(modifierNames); ++i)
            table.add(modifierNames[i]).modifier = static_cast<Modifier>(i);
        for (const TypeRow& row : typeRows)
            if (!row.name.empty()) table.add(row.name).type = row.type;
        for (const SpaceRow& row : spaceRows) table.add(row.text).space = row.space;
        table.add("v2").vector = 2;
        table.add("v4").vector = 4;
        table.add("v8").vector = 8;
        return table;
    }();
    return words;
}

} // namespace

std::string_view name(ScalarType type) {
    return typeRows[static_cast<std::size_t>(type)].name;
}

std::optional<ScalarType> scalarType(std::string_view text) {
    const ScalarType type = word(text).type;
    return type == ScalarType::none ? std::nullopt : std::optional(type);
}

unsigned sizeBytes(ScalarType type) {
    return typeRows[static_cast<std::size_t>(type)].bytes;
}

bool isSigned(ScalarType type) {
    return type >= ScalarType::s8 && type <= ScalarType::s64;
}

bool isUnsigned(ScalarType type) {
    return type >= ScalarType::u8 && type <= ScalarType::u64;
}

bool isBits(ScalarType type) {
    return type >= ScalarType::b8 && type <= ScalarType::b128;
}

bool isFloat(ScalarType type) {
    return (type >= ScalarType::f16 && type <= ScalarType::ue8m0x2) || type >= ScalarType::e2m1;
}

std::string_view name(StateSpace space) {
    switch (space) {
    case StateSpace::none: return "";
    case StateSpace::reg: return "reg";
    case StateSpace::sreg: return "sreg";
    case StateSpace::constant: return "const";
    case StateSpace::global: return "global";
    case StateSpace::local: return "local";
    case StateSpace::param: return "param";
    case StateSpace::shared: return "shared";
    case StateSpace::tex: return "tex";
    }
    return "";
}

std::string_view name(Modifier modifier) {
    return modifierNames[static_cast<std::size_t>(modifier)];
}

Word word(std::string_view text) {
    const Word* found = wordTable().find(text);
    return found ? *found : Word{};
}

const InstructionRow* instructionRow(Opcode code) {
    return code == Opcode::unknown ? nullptr : &instructionRows[static_cast<std::size_t>(code) - 1];
}

Opcode opcode(std::string_view text) {
    const Opcode* found = opcodeTable.find(text);
    return found ? *found : Opcode::unknown;
}

} // namespace ptxwb::ptx

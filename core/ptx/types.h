// The vocabulary of PTX: scalar types, state spaces, opcodes and modifiers as enumerations.
// Used by the parser, the checker, the comparison and the emulator's decoder.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ptxwb::ptx {

/// Source: PTX ISA 9.0, 5.2 Types, 5.3 Texture Sampler and Surface Types.
enum class ScalarType : std::uint8_t {
    none,
    u8,
    u16,
    u32,
    u64,
    s8,
    s16,
    s32,
    s64,
    b8,
    b16,
    b32,
    b64,
    b128,
    f16,
    f16x2,
    bf16,
    bf16x2,
    tf32,
    f32,
    f32x2,
    f64,
    e4m3,
    e5m2,
    e4m3x2,
    e5m2x2,
    e2m1x2,
    e2m3x2,
    e3m2x2,
    ue8m0x2,
    u16x2,
    s16x2,
    u8x4,
    s8x4,
    pred,
    texref,
    samplerref,
    surfref,
    // Only ever modifiers of mma, cvt, multimem and tcgen05:
    b1,
    b4,
    u4,
    s4,
    e2m1,
    e2m3,
    e3m2,
    ue8m0,
    ue4m3,
    e4m3x4,
    e5m2x4,
    e2m1x4,
    e2m3x4,
    e3m2x4,
};

/// Without the dot: "u32". `none` and unknown names give an empty answer.
std::string_view name(ScalarType type);
std::optional<ScalarType> scalarType(std::string_view name);

/// Size in memory; 0 for none, pred, and what is narrower than a byte (b1, b4, u4, s4, e2m1).
unsigned sizeBytes(ScalarType type);
bool isSigned(ScalarType type);   ///< s8 s16 s32 s64
bool isUnsigned(ScalarType type); ///< u8 u16 u32 u64
bool isBits(ScalarType type);     ///< b8 ... b128
bool isFloat(ScalarType type);    ///< f16, bf16, tf32, f32, f64 the 8-bit and narrower ones, and the packed forms

/// Source: PTX ISA 9.0, 5.1 State Spaces. `none` on a load means generic addressing.
enum class StateSpace : std::uint8_t { none, reg, sreg, constant, global, local, param, shared, tex };
std::string_view name(StateSpace space);

/// One enumerator a row of instructions.def. `unknown` is an opcode that the table does not have.
enum class Opcode : std::uint16_t {
    unknown,
#define PTXWB_INSTRUCTION(id, ...) id,
#include "ptx/instructions.def"
#undef PTXWB_INSTRUCTION
};

/// One enumerator a row of modifiers.def: every dotted word that may follow an opcode and is not a type or state space
/// only. Types and spaces are found in `Instruction` as such.
enum class Modifier : std::uint16_t {
    unknown,
#define PTXWB_MODIFIER(id, text) id,
#include "ptx/modifiers.def"
#undef PTXWB_MODIFIER
};
std::string_view name(Modifier modifier); ///< without the first dot; empty for unknown

/// What a dotted word can be; several at once for `shared::cta` (a space and a modifier).
struct Word {
    Modifier modifier = Modifier::unknown;
    ScalarType type = ScalarType::none;
    StateSpace space = StateSpace::none;
    std::uint8_t vector = 0; ///< 2, 4, 8 for v2, v4, v8
    bool known() const {
        return modifier != Modifier::unknown || type != ScalarType::none || space != StateSpace::none || vector != 0;
    }
};
/// `text` without the first dot. Constant time.
Word word(std::string_view text);

/// What one row of instructions.def says. Operand counts are of top-level operands: `d|p` is one, `{a, b}` is one,
/// `[a, {x, y}]` is one. The comments of instructions.def explain the columns.
struct InstructionRow {
    Opcode opcode;
    std::string_view name;
    std::string_view operands; ///< "d,a,b" with optional ones in brackets: "d,a,b[,c]"
    std::uint8_t minOperands;
    std::uint8_t maxOperands;
    std::uint8_t destinations; ///< how many leading operands are written
    std::uint16_t firstPtx;    ///< 10 * major + minor
    std::uint16_t firstTarget; ///< 75 for sm_75; 0 for all
    std::string_view section;  ///< section of the PTX ISA 9.0
    std::string_view meaning;  ///< one line, in our words
};

/// nullptr for `Opcode::unknown`.
const InstructionRow* instructionRow(Opcode opcode);
/// `unknown` where the table has no such opcode ("add", "ld"; without modifiers).
Opcode opcode(std::string_view name);

} // namespace ptxwb::ptx

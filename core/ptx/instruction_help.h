// What the table knows about one instruction, made ready to show: a card for hover help and for completion's details.
// Called by the window's editors and by prompts that explain an error.
#pragma once

#include "ptx/forms.h"

#include <optional>
#include <string>
#include <vector>

namespace ptxwb::ptx {

struct CardForm {
    std::string text;    ///< "add[.{rn,rz,rm,rp}][.ftz][.sat].f32"
    std::string since;   ///< "PTX 8.6, sm_100a"; empty where it is as old as any toolkit in use
    bool isThis = false; ///< the one that the instruction asked about has
};

struct InstructionCard {
    std::string name;     ///< "add", without modifiers
    std::string operands; ///< "d,a,b[,c]"; empty where the forms differ too much for one line
    std::string meaning;  ///< one line
    std::string section;  ///< "9.7.1.1" of PTX ISA 9.0
    std::string address;  ///< of the chapter in NVIDIA's documentation
    std::string since;    ///< of the oldest form
    std::vector<CardForm> forms;
};

/// `written`: "add.rn.f32", "add", any prefix of modifiers. Nothing where the table has no such opcode.
/// Source: PTX ISA 9.0.
std::optional<InstructionCard> instructionCard(std::string_view written);

} // namespace ptxwb::ptx

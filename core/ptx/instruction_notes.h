// What a teacher would say about an opcode: its syntax, what it does in our words, what it costs as far as that is
// public. The data is resources/instructions/cards.json, built into the program.
// Called by the window's instruction cards.
#pragma once

#include "ptx/types.h"
#include "support/diagnostic.h"

#include <string>
#include <utility>
#include <vector>

namespace ptxwb::ptx {

struct InstructionNotes {
    /// How many results a multiprocessor gives a clock, by compute capability: {"9.0", 64}.
    struct Rate {
        std::string what; ///< "32-bit integer shift"
        std::vector<std::pair<std::string, unsigned>> perClock;
    };
    std::string syntax;      ///< forms separated by ";  "
    std::string meaning;     ///< sentences
    std::string types;       ///< of the operands
    std::string cost;        ///< what to mind
    std::vector<Rate> rates; ///< empty where none is public or it is no arithmetic
    std::string latency;
};

/// nullptr for Opcode::unknown and for an opcode without a record: a test sees to it that there is none.
const InstructionNotes* instructionNotes(Opcode opcode);
/// Where the rates come from.
const std::string& instructionRatesSource();

/// Reads the file's format: for the built-in text, and for tests. Errors name the key. By opcode.
struct InstructionCards {
    std::vector<InstructionNotes> notes;
    std::string ratesSource;
    std::vector<std::string> names;
};
Expected<InstructionCards> readInstructionCards(std::string_view json);

} // namespace ptxwb::ptx

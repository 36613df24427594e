#include "ptx/parse_context.h"

#include <fmt/format.h>

namespace ptxwb::ptx {

namespace {

/// False where no instruction can follow, and that has been said.
bool parseGuard(ParseContext& context, Instruction& instruction) {
    Cursor& cursor = context.cursor;
    cursor.advance();
    instruction.guardNegated = cursor.accept('!');
    if (!cursor.at(TokenKind::word)) {
        cursor.unexpected("a predicate register after '@'");
        return false;
    }
    const std::string_view name = cursor.text();
    const Span span = cursor.token().span();
    const auto found = context.names.find(name);
    if (found && found->kind == NameKind::reg)
        instruction.guard = found->index;
    else if (found)
        context.reporter.error(span,
                               fmt::format("'{}' is no predicate register, so it cannot guard an instruction", name),
                               "declare one with .reg .pred");
    else if (opcode(name) != Opcode::unknown && cursor.peek().kind == TokenKind::directive) {
        cursor.unexpected("a predicate register after '@'");
        return false;
    } else
        reportUnknown(context, name, span, "predicate");
    cursor.advance();
    return true;
}

void parseModifiers(ParseContext& context, Instruction& instruction) {
    Cursor& cursor = context.cursor;
    std::vector<ModifierUse>& all = context.function->modifiers;
    instruction.firstModifier = static_cast<std::uint32_t>(all.size());
    while (cursor.at(TokenKind::directive)) {
        const Word meaning = word(cursor.text().substr(1));
        all.push_back({meaning.modifier, meaning.type, meaning.space, meaning.vector, cursor.token().span()});
        cursor.advance();
    }
    instruction.modifierCount = static_cast<std::uint32_t>(all.size()) - instruction.firstModifier;
}

/// No operands follow: also where the semicolon was forgotten (`ret` and the next line is an instruction).
bool endsHere(const Cursor& cursor, Opcode code) {
    if (cursor.at(';') || cursor.at('}') || cursor.atEnd()) return true;
    if (!cursor.token().startsLine) return false;
    const InstructionRow* const row = instructionRow(code);
    return cursor.at('@') ||
           (cursor.at(TokenKind::word) && row && row->minOperands == 0 && opcode(cursor.text()) != Opcode::unknown);
}

/// Everything from the modifiers on.
void parseRest(ParseContext& context, Instruction& instruction, const Token& opcodeWord, std::uint32_t start) {
    Cursor& cursor = context.cursor;
    Function& function = *context.function;
    instruction.opcode = opcode(cursor.textOf(opcodeWord));
    instruction.opcodeSpan = opcodeWord.span();
    instruction.scope = context.scope;
    instruction.location = context.location;
    const std::size_t modifiersBefore = function.modifiers.size();
    parseModifiers(context, instruction);

    const std::size_t first = context.stack.size();
    const InstructionRow* const row = instructionRow(instruction.opcode);
    context.indexIsAddress = row && row->operands.find("[a]") != std::string_view::npos;
    bool good = true;
    if (!endsHere(cursor, instruction.opcode)) {
        do {
            good = cursor.at('(') && instruction.opcode == Opcode::call ? parseOperandList(context)
                                                                        : parseOperand(context);
        } while (good && cursor.accept(','));
    }
    instruction.span = cursor.from(start);
    if (good) good = cursor.expectSemicolon("instruction");
    if (!good) {
        context.stack.resize(first);
        function.modifiers.resize(modifiersBefore);
        cursor.skipStatement();
        return;
    }
    instruction.operandCount = static_cast<std::uint32_t>(context.stack.size() - first);
    instruction.firstOperand = settleOperands(context, first);
    function.instructions.push_back(instruction);
}

} // namespace

void parseInstruction(ParseContext& context) {
    Cursor& cursor = context.cursor;
    Instruction instruction;
    const std::uint32_t start = cursor.token().offset;
    if (cursor.at('@') && !parseGuard(context, instruction)) return cursor.skipStatement();
    if (!cursor.at(TokenKind::word)) {
        cursor.unexpected("an instruction",
                          cursor.at('{') ? "a guard stands before one instruction; branch around a block" : "");
        if (!cursor.at('{')) cursor.skipStatement();
        return;
    }
    const Token opcodeWord = cursor.token();
    cursor.advance();
    parseRest(context, instruction, opcodeWord, start);
}

void parseInstructionAfterWord(ParseContext& context, const Token& opcodeWord) {
    Instruction instruction;
    parseRest(context, instruction, opcodeWord, opcodeWord.offset);
}

} // namespace ptxwb::ptx

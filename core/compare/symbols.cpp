#include "compare/symbols.h"

#include "compare/live_ranges.h"

#include <algorithm>
#include <unordered_map>

namespace ptxwb::compare {
namespace {

using Names = std::unordered_map<std::string_view, std::uint32_t>;

/// Walks one function of the tree in order and finds the tokens of its pieces.
class FunctionResolver {
public:
    FunctionResolver(Document& document, std::uint32_t index)
        : m_document(document), m_function(document.module->functions[index]), m_index(index) {}

    void run() {
        m_begin = m_document.tokenFrom(m_function.span.offset);
        m_end = m_document.tokenFrom(m_function.span.end());
        m_cursor = m_begin;
        markLines();
        defineLabels();
        for (const ptx::Instruction& instruction : m_function.instructions) resolve(instruction);
        splitLiveRanges(m_document, m_index, m_mentions);
        for (const ptx::RegisterGroup& group : m_function.registers)
            if (Token* token = tokenAt(group.span.offset)) token->kind = TokenKind::declaration;
        resolveByName();
    }

private:
    void markLines() {
        if (m_begin == m_end) return;
        const std::uint32_t first = m_document.lineOf(m_document.tokens[m_begin].offset);
        const std::uint32_t last = m_document.lineOf(m_document.tokens[m_end - 1].offset);
        for (std::uint32_t i = first; i <= last; ++i)
            if (m_document.lines[i].function == none) m_document.lines[i].function = m_index;
    }

    /// The token that begins at the byte; searched from where the last one was found.
    Token* tokenAt(std::uint32_t offset) {
        auto& tokens = m_document.tokens;
        const auto near = [&](std::uint32_t at) { return at < tokens.size() && tokens[at].offset < offset; };
        for (int step = 0; step < 8 && near(m_cursor); ++step) ++m_cursor;
        if (m_cursor >= tokens.size() || tokens[m_cursor].offset != offset) m_cursor = m_document.tokenFrom(offset);
        return m_cursor < tokens.size() && tokens[m_cursor].offset == offset ? &tokens[m_cursor] : nullptr;
    }

    /// Index of the line that holds the byte; `hint` is where the one before was found.
    std::uint32_t lineFrom(std::uint32_t& hint, std::uint32_t offset) const {
        const auto& lines = m_document.lines;
        for (int step = 0; step < 8 && hint + 1 < lines.size() && lines[hint + 1].offset <= offset; ++step) ++hint;
        const bool found =
            lines[hint].offset <= offset && (hint + 1 == lines.size() || offset < lines[hint + 1].offset);
        if (!found) hint = m_document.lineOf(offset);
        return hint;
    }

    std::uint32_t indexOf(const Token* token) const {
        return static_cast<std::uint32_t>(token - m_document.tokens.data());
    }

    void defineLabels() {
        m_firstLabel = static_cast<std::uint32_t>(m_document.labels.size());
        for (const ptx::Label& label : m_function.labels) defineLabel(label.span.offset, label.name);
        for (const ptx::LabelledDirective& directive : m_function.labelled)
            defineLabel(directive.span.offset, directive.label);
    }

    void defineLabel(std::uint32_t offset, std::string_view labelName) {
        const auto symbol = static_cast<std::uint32_t>(m_document.labels.size());
        m_document.labels.push_back({m_index, none});
        m_names.emplace(labelName, symbol);
        Token* token = tokenAt(offset);
        if (token == nullptr || m_document.textOf(*token) != labelName) return;
        token->kind = TokenKind::label;
        token->symbol = symbol;
        token->defines = true;
        m_document.labels[symbol].line = m_document.lineOf(offset);
    }

    void resolve(const ptx::Instruction& instruction) {
        while (m_block < m_function.labels.size() && m_function.labels[m_block].target <= m_done) ++m_block;
        ++m_done;
        m_writes.clear();
        if (instruction.guard != ptx::noIndex) resolveGuard(instruction);
        if (Token* token = tokenAt(instruction.opcodeSpan.offset)) {
            token->kind = TokenKind::opcode;
            Line& line = m_document.lines[lineFrom(m_line, token->offset)];
            if (line.opcodeToken == none) line.opcodeToken = indexOf(token);
        }
        const ptx::InstructionRow* row = ptx::instructionRow(instruction.opcode);
        // Of an opcode that the table does not have, the first operand is taken for the destination.
        const std::uint32_t destinations = row != nullptr ? row->destinations : 1;
        const auto operands = m_function.operandsOf(instruction);
        const auto write = instruction.guard != ptx::noIndex ? Access::partialWrite : Access::write;
        for (std::uint32_t i = 0; i < operands.size(); ++i)
            resolve(operands[i], i < destinations ? write : Access::read);
        m_mentions.insert(m_mentions.end(), m_writes.begin(), m_writes.end());
        if (endsBlock(instruction.opcode)) ++m_branches;
    }

    static bool endsBlock(ptx::Opcode opcode) {
        const ptx::InstructionRow* row = ptx::instructionRow(opcode);
        return row != nullptr && (row->name == "bra" || row->name == "brx" || row->name == "ret" ||
                                  row->name == "exit" || row->name == "trap");
    }

    void resolveGuard(const ptx::Instruction& instruction) {
        for (Token* token = tokenAt(instruction.span.offset);
             token != nullptr && indexOf(token) < m_end && token->offset < instruction.opcodeSpan.offset; ++token) {
            if (token->kind != TokenKind::word) continue;
            mention(*token, instruction.guard, Access::read);
            return;
        }
    }

    void resolve(const ptx::Operand& operand, Access access) {
        switch (operand.kind) {
        case ptx::OperandKind::reg:
            if (operand.component != 0 && access == Access::write) access = Access::partialWrite;
            if (Token* token = tokenOf(operand)) mention(*token, operand.symbol, access);
            return;
        case ptx::OperandKind::label:
            if (operand.symbol >= m_function.labels.size()) return;
            if (Token* token = tokenOf(operand)) {
                token->kind = TokenKind::label;
                token->symbol = m_firstLabel + operand.symbol;
            }
            return;
        case ptx::OperandKind::address:
            for (const ptx::Operand& child : m_function.childrenOf(operand)) resolve(child, Access::read);
            return;
        case ptx::OperandKind::vector:
        case ptx::OperandKind::pair:
        case ptx::OperandKind::list:
            for (const ptx::Operand& child : m_function.childrenOf(operand)) resolve(child, access);
            return;
        default:
            return;
        }
    }

    /// The name within an operand's span, which may begin with `!` or `-`.
    Token* tokenOf(const ptx::Operand& operand) {
        Token* token = tokenAt(operand.span.offset);
        while (token != nullptr && token->kind == TokenKind::punctuation && token->end() < operand.span.end()) ++token;
        return token != nullptr && token->kind == TokenKind::word ? token : nullptr;
    }

    void mention(Token& token, ptx::Index reg, Access access) {
        if (reg >= m_function.registerCount) return;
        token.kind = TokenKind::reg;
        token.defines = access != Access::read;
        const Mention m{indexOf(&token), reg, m_block + m_branches, access};
        (access == Access::read ? m_mentions : m_writes).push_back(m);
    }

    /// Names that the tree does not lead to: targets of `.branchtargets`, prototypes, parameters wherever they stand.
    void resolveByName() {
        Names parameters;
        std::uint32_t position = 0;
        for (const ptx::Variable& variable : m_function.results) parameters.emplace(variable.name, position++);
        position = 1024; // results and parameters do not stand for each other
        for (const ptx::Variable& variable : m_function.parameters) parameters.emplace(variable.name, position++);
        for (std::uint32_t i = m_begin; i < m_end; ++i) {
            Token& token = m_document.tokens[i];
            if (token.kind != TokenKind::word) continue;
            const std::string_view text = m_document.textOf(token);
            if (const auto label = m_names.find(text); label != m_names.end()) {
                token.kind = TokenKind::label;
                token.symbol = label->second;
            } else if (const auto parameter = parameters.find(text); parameter != parameters.end()) {
                token.kind = TokenKind::parameter;
                token.symbol = parameter->second;
            }
        }
    }

    Document& m_document;
    const ptx::Function& m_function;
    std::uint32_t m_index;
    std::uint32_t m_begin = 0, m_end = 0, m_cursor = 0, m_line = 0;
    std::uint32_t m_firstLabel = 0;
    std::uint32_t m_block = 0, m_branches = 0, m_done = 0;
    Names m_names;
    std::vector<Mention> m_mentions, m_writes;
};

/// Labels of debug sections (`$L__info_string0:`) and the places that name them, `.loc` of a function among them.
void resolveSectionLabels(Document& document) {
    Names names;
    for (std::uint32_t i = 0; i < document.lines.size(); ++i) {
        const Line& line = document.lines[i];
        if (line.function != none || line.tokenCount < 2) continue;
        Token& token = document.tokens[line.firstToken];
        if (token.kind != TokenKind::word || document.textOf(document.tokens[line.firstToken + 1]) != ":") continue;
        token.kind = TokenKind::label;
        token.defines = true;
        token.symbol = static_cast<std::uint32_t>(document.labels.size());
        names.emplace(document.textOf(token), token.symbol);
        document.labels.push_back({none, i});
    }
    if (names.empty()) return;
    for (Token& token : document.tokens) {
        if (token.kind != TokenKind::word) continue;
        if (const auto label = names.find(document.textOf(token)); label != names.end()) {
            token.kind = TokenKind::label;
            token.symbol = label->second;
        }
    }
}

/// A damaged text may nest functions. Each keeps its first unbroken run of lines, so that functions follow one another.
void untangleFunctions(Document& document) {
    std::vector<bool> closed(document.module->functions.size(), false);
    std::uint32_t open = none;
    for (Line& line : document.lines) {
        if (line.function != open && open != none) closed[open] = true;
        if (line.function != none && closed[line.function]) line.function = none;
        open = line.function;
    }
}

LineKind kindOf(const Document& document, const Line& line) {
    const Token& first = document.tokens[line.firstToken];
    const std::string_view text = document.textOf(first);
    if (text.starts_with("//@")) return LineKind::candidate;
    if (line.opcodeToken != none) return LineKind::instruction;
    if (first.kind == TokenKind::label && first.defines && line.tokenCount == 2) return LineKind::label;
    if (text == ".reg") return LineKind::registers;
    if (text == ".loc" || text == ".file") return LineKind::location;
    if (first.kind == TokenKind::modifier) return LineKind::directive;
    for (std::uint32_t i = 0; i < line.tokenCount; ++i)
        if (document.tokens[line.firstToken + i].kind != TokenKind::punctuation) return LineKind::other;
    return LineKind::bracket;
}

} // namespace

void resolveSymbols(Document& document) {
    for (std::uint32_t i = 0; i < document.module->functions.size(); ++i) FunctionResolver(document, i).run();
    untangleFunctions(document);
    resolveSectionLabels(document);
    for (Line& line : document.lines)
        if (line.tokenCount > 0) line.kind = kindOf(document, line);
}

} // namespace ptxwb::compare

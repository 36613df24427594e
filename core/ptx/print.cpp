#include "ptx/print.h"

#include "ptx/lexer.h"

namespace ptxwb::ptx {

std::string instructionText(const Module& module, const Function& function, std::size_t index) {
    const std::string_view text = module.textOf(function.instructions[index].span);
    Lexer lexer(text);
    std::string result;
    for (Token token = lexer.next(); token.kind != TokenKind::end; token = lexer.next()) {
        if (!result.empty() && !token.isGlued) result += ' ';
        result += text.substr(token.offset, token.length);
    }
    return result;
}

} // namespace ptxwb::ptx

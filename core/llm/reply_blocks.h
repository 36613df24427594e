// The pieces of a reply: fenced blocks of every dialect and the prose around them, and what each piece is.
// Used by reply.cpp and by region rewriting.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::llm {

enum class PieceKind : std::uint8_t {
    prose,
    module,  ///< PTX with `.version` and a kernel
    head,    ///< PTX declarations without a kernel: `.version` ... or only `.func`, variables
    kernel,  ///< `.entry` without `.version`
    code,    ///< PTX instructions alone
    diff,    ///< unified diff, or search and replace
    cuda,    ///< CUDA C++
    machine, ///< SASS
    launch,  ///< only `//@` lines
    other,   ///< another language, JSON, a listing of figures
};

struct Piece {
    PieceKind kind = PieceKind::prose;
    std::string text;
    std::uint32_t line = 1; ///< of the reply, where the text begins
    bool isClosed = true;   ///< false: the reply ended inside of it
    bool hadEntities = false;
};

/// In order of the reply. Fences of backticks and tildes of any length, indented ones, fences inside fences, tags such
/// as `<ptx>` and `<pre>`; in a reply without any block the lines that are PTX are one piece. HTML entities in PTX and
/// diffs are decoded; line ends are line feeds.
std::vector<Piece> piecesOf(std::string_view reply);

/// What a text is, told by its lines.
PieceKind classify(std::string_view text);

/// How many braces are still open at the end, comments left out; below 0 where more are closed than opened.
int openBraces(std::string_view text);

/// `&lt;` `&gt;` `&amp;` `&quot;` `&apos;` `&nbsp;` and numbered ones.
std::string decodeEntities(std::string_view text);

std::vector<std::string_view> linesOf(std::string_view text);
std::string_view trimmed(std::string_view text);

} // namespace ptxwb::llm

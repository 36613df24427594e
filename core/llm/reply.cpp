#include "llm/reply.h"

#include "llm/reply_blocks.h"
#include "llm/reply_patch.h"
#include "ptx/parse.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::llm {

namespace {

/// `.version`, `.target` and `.address_size` of the text that the prompt showed.
std::string headOf(std::string_view base) {
    std::string head;
    for (const std::string_view line : linesOf(base)) {
        const std::string_view text = trimmed(line);
        for (const std::string_view directive : {".version", ".target", ".address_size"})
            if (text.starts_with(directive)) head += std::string(text) + "\n";
    }
    return head;
}

std::string printable(std::string_view text, std::size_t limit) {
    std::string out;
    for (const char c : trimmed(text)) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    if (out.size() <= limit) return out;
    while (limit > 0 && (static_cast<unsigned char>(out[limit]) & 0xC0) == 0x80) --limit; // whole UTF-8 sequences
    return out.substr(0, limit);
}

/// Blanks do not make another candidate.
std::string squeezed(std::string_view text) {
    std::string out;
    for (const std::string_view line : linesOf(text))
        if (const auto content = trimmed(line); !content.empty()) out += std::string(content) + "\n";
    return out;
}

class ReplyReading {
public:
    ReplyReading(std::string_view text, Finish finish, const ReplyContext& context)
        : m_pieces(piecesOf(text)), m_finish(finish), m_context(context), m_isEmpty(trimmed(text).empty()) {}

    Reading read() {
        joinParts();
        for (std::size_t i = 0; i < m_pieces.size(); ++i) take(m_pieces[i], i + 1 == m_pieces.size());
        if (m_reading.candidates.size() == 1) { // lines after the block
            ReplyCandidate& only = m_reading.candidates.front();
            if (!m_pendingHeader.empty() && only.ptx.find("//@ launch") == std::string::npos)
                only.ptx = withHeaderOnTop(only.ptx, only);
        }
        if (m_reading.candidates.empty() && m_reading.problems.empty()) nothingUsable();
        return std::move(m_reading);
    }

private:
    void problem(const Piece& piece, std::string message, std::string hint) {
        Diagnostic diagnostic = failure(Cause::rejected, std::move(message), std::move(hint)).error();
        diagnostic.place = {"reply", piece.line, 1, 1};
        m_reading.problems.push_back(std::move(diagnostic));
    }

    /// A file in several blocks: a head without a kernel, a body that the next block closes.
    void joinParts() {
        for (std::size_t i = 0; i < m_pieces.size(); ++i) {
            Piece& piece = m_pieces[i];
            if (!isPtx(piece.kind) || piece.kind == PieceKind::code) continue;
            std::size_t next = i + 1;
            while (needsMore(piece) && next < m_pieces.size()) {
                if (m_pieces[next].kind == PieceKind::prose) {
                    ++next;
                    continue;
                }
                if (!isPart(m_pieces[next].kind) || m_pieces[next].kind == PieceKind::module) break;
                piece.text += m_pieces[next].text;
                piece.isClosed = m_pieces[next].isClosed;
                piece.kind = classify(piece.text);
                m_pieces.erase(m_pieces.begin() + static_cast<std::ptrdiff_t>(next));
                m_joined.push_back(piece.line);
            }
        }
    }
    static bool isPtx(PieceKind kind) {
        return kind == PieceKind::module || kind == PieceKind::head || kind == PieceKind::kernel ||
               kind == PieceKind::code;
    }
    static bool isPart(PieceKind kind) { return isPtx(kind) || kind == PieceKind::other; }
    static bool needsMore(const Piece& piece) { return piece.kind == PieceKind::head || openBraces(piece.text) > 0; }

    void take(const Piece& piece, bool isLast) {
        const bool cutOff = isLast && (m_finish == Finish::length || !piece.isClosed);
        switch (piece.kind) {
        case PieceKind::prose: takeHeaderLines(piece.text); break;
        case PieceKind::launch: takeHeaderLines(piece.text); break;
        case PieceKind::module: takeModule(piece, piece.text, {}, cutOff); break;
        case PieceKind::kernel: takeKernel(piece, cutOff); break;
        case PieceKind::diff: takeDiff(piece, cutOff); break;
        case PieceKind::cuda:
            m_reading.cuda.push_back(piece.text);
            problem(piece, "this is CUDA C++, not PTX",
                    "it can be compiled with nvcc and judged as such, or ask for PTX again");
            break;
        case PieceKind::machine:
            problem(piece, "this is machine code (SASS), which cannot be assembled", "ask for PTX");
            break;
        case PieceKind::code:
            problem(piece, "these are instructions without a kernel around them",
                    "ask for the whole file, from .version to the last brace");
            break;
        case PieceKind::head:
            problem(piece, "these are declarations without a kernel",
                    "ask for the whole file, from .version to the last brace");
            break;
        case PieceKind::other: break;
        }
    }

    /// `//@ launch` in the prose, or in a block of its own, is meant for the block that follows, or for the one before.
    void takeHeaderLines(std::string_view text) {
        std::string lines;
        for (const std::string_view line : linesOf(text))
            if (trimmed(line).starts_with("//@")) lines += std::string(trimmed(line)) + "\n";
        if (lines.empty()) return;
        m_pendingHeader += lines;
    }

    void takeKernel(const Piece& piece, bool cutOff) {
        const std::string head = headOf(m_context.base);
        if (head.empty())
            return problem(piece, "the file has no .version and no .target",
                           "ask for the whole file, from .version to the last brace");
        // The `//@` lines stay at the top.
        std::string top, rest;
        for (const std::string_view line : linesOf(piece.text))
            (trimmed(line).starts_with("//@") ? top : rest) += std::string(line) + "\n";
        takeModule(piece, top + head + "\n" + rest, {".version and .target were missing and are the baseline's"},
                   cutOff);
    }

    void takeDiff(const Piece& piece, bool cutOff) {
        if (cutOff)
            return problem(piece, "the answer is cut off inside a diff",
                           "allow a longer answer, or ask for a smaller change");
        if (m_context.base.empty())
            return problem(piece, "this is a diff, and there is no file that it could belong to",
                           "ask for the whole file");
        const auto patched = applyDiff(m_context.base, piece.text);
        if (!patched) return problem(piece, patched.error().message, patched.error().hint);
        std::vector<std::string> notes{fmt::format("a diff of {} hunk{} was applied to what the prompt showed",
                                                   patched->hunks, patched->hunks == 1 ? "" : "s")};
        if (patched->moved > 0) notes.push_back(fmt::format("{} of its line numbers were wrong", patched->moved));
        takeModule(piece, patched->text, std::move(notes), false);
    }

    void takeModule(const Piece& piece, std::string text, std::vector<std::string> notes, bool cutOff) {
        const int open = openBraces(text);
        if (open > 0 || (cutOff && (open != 0 || !isWhole(text)))) {
            const auto lines = linesOf(text);
            return problem(piece,
                           fmt::format("the PTX ends in the middle of a body, after {} lines: \"{}\"{}", lines.size(),
                                       lines.empty() ? "" : printable(lines.back(), 60),
                                       m_finish == Finish::length ? "; the answer reached its length limit" : ""),
                           m_finish == Finish::length ? "allow a longer answer" : "ask for the whole file again");
        }
        if (piece.hadEntities) notes.emplace_back("HTML entities were decoded");
        if (std::ranges::find(m_joined, piece.line) != m_joined.end()) notes.emplace_back("several blocks were joined");
        if (!piece.isClosed) notes.emplace_back("the block was not closed");
        ReplyCandidate candidate;
        candidate.line = piece.line;
        candidate.notes = std::move(notes);
        candidate.ptx = withHeaderOnTop(text, candidate);
        if (!nameEntry(piece, candidate)) return;
        const std::string same = squeezed(candidate.ptx);
        if (std::ranges::find(m_seen, same) != m_seen.end()) return;
        if (squeezed(m_context.base) == same)
            return problem(piece, "this is the file that the prompt showed, unchanged", "ask for a change");
        if (m_reading.candidates.size() >= m_context.limit)
            return problem(
                piece, fmt::format("the reply holds more than {} candidates; this one is left out", m_context.limit),
                {});
        m_seen.push_back(same);
        m_reading.candidates.push_back(std::move(candidate));
    }

    /// A file that may be cut off counts only if nothing is wrong with it: a head without its body closes all braces.
    static bool isWhole(const std::string& text) {
        const auto module = ptx::parse(text, "reply");
        const auto entries = module->entries();
        return !module->hasErrors() && !entries.empty() &&
               std::ranges::all_of(entries, [](const ptx::Function* entry) { return entry->hasBody; });
    }

    /// Wherever `//@` lines stand they are meant for the top. Where a text comes from is ours to say, not the reply's.
    std::string withHeaderOnTop(std::string_view text, ReplyCandidate& candidate) {
        std::string top, rest;
        bool hasLaunch = false, wasInside = false;
        const auto add = [&](std::string_view line) {
            const std::string_view content = trimmed(line.substr(3));
            if (content.starts_with("origin")) return;
            if (content.starts_with("title")) {
                candidate.title = printable(content.substr(5), 120);
                if (!candidate.title.empty()) top += "//@ title " + candidate.title + "\n";
                return;
            }
            hasLaunch = hasLaunch || content.starts_with("launch");
            top += std::string(line) + "\n";
        };
        for (const std::string_view line : linesOf(text)) {
            const std::string_view content = trimmed(line);
            if (content.starts_with("//@")) {
                wasInside = wasInside || !trimmed(rest).empty();
                add(content);
            } else {
                rest += std::string(line) + "\n";
            }
        }
        if (!hasLaunch && !m_pendingHeader.empty()) {
            for (const std::string_view line : linesOf(m_pendingHeader)) add(line);
            candidate.notes.emplace_back("//@ lines outside of the block were taken to the top");
        } else if (wasInside) {
            candidate.notes.emplace_back("//@ lines were moved to the top");
        }
        m_pendingHeader.clear();
        return top + rest;
    }

    bool nameEntry(const Piece& piece, ReplyCandidate& candidate) {
        const auto module = ptx::parse(candidate.ptx, "reply");
        const auto entries = module->entries();
        std::vector<std::string_view> names;
        for (const ptx::Function* entry : entries) names.push_back(entry->name);
        if (entries.empty()) {
            // It says .entry and does not read: the funnel shows the errors, and the model gets them.
            if (module->hasErrors()) return true;
            problem(piece, "the PTX has no .entry", "ask for the whole file");
            return false;
        }
        if (m_context.entry.empty() || std::ranges::find(names, m_context.entry) != names.end()) {
            if (entries.size() > 1 && !m_context.entry.empty())
                candidate.notes.push_back(
                    fmt::format("it holds {} kernels; {} is the one that counts", entries.size(), m_context.entry));
            return true;
        }
        std::vector<const ptx::Function*> fitting;
        for (const ptx::Function* entry : entries)
            if (entry->parameters.size() == m_context.parameterCount) fitting.push_back(entry);
        if (fitting.size() != 1) {
            problem(piece,
                    fmt::format("no kernel is called {}; there {} {}, and {} of them {} its {} parameters",
                                m_context.entry, names.size() == 1 ? "is" : "are", fmt::join(names, ", "),
                                fitting.size(), fitting.size() == 1 ? "has" : "have", m_context.parameterCount),
                    fmt::format("the kernel must keep its name {} and its parameters", m_context.entry));
            return false;
        }
        candidate.notes.push_back(
            fmt::format("the kernel was called {} and is now {}", printable(fitting[0]->name, 80), m_context.entry));
        candidate.ptx.replace(fitting[0]->nameSpan.offset, fitting[0]->nameSpan.length, m_context.entry);
        return true;
    }

    void nothingUsable() {
        Piece whole;
        if (m_isEmpty) return problem(whole, "the reply is empty", "ask again");
        if (m_finish == Finish::filtered)
            return problem(whole, "the model refused to answer", "ask in other words, or another model");
        const auto blocks =
            std::ranges::count_if(m_pieces, [](const Piece& piece) { return piece.kind != PieceKind::prose; });
        if (m_finish == Finish::length)
            return problem(whole, "the answer reached its length limit before any PTX", "allow a longer answer");
        problem(whole,
                blocks == 0
                    ? "the reply holds no PTX, only prose"
                    : fmt::format("the reply holds {} block{}, and none is PTX", blocks, blocks == 1 ? "" : "s"),
                "ask for one fenced block with the whole file");
    }

    std::vector<Piece> m_pieces;
    Finish m_finish;
    const ReplyContext& m_context;
    bool m_isEmpty;
    Reading m_reading;
    std::vector<std::string> m_seen;
    std::vector<std::uint32_t> m_joined;
    std::string m_pendingHeader;
};

} // namespace

Reading readReply(std::string_view text, Finish finish, const ReplyContext& context) {
    return ReplyReading(text, finish, context).read();
}

} // namespace ptxwb::llm

#include "llm/condense.h"

#include "llm/reply_blocks.h"
#include "llm/tokens.h"
#include "ptx/analysis/dominators.h"
#include "ptx/analysis/liveness.h"
#include "ptx/cfg.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace ptxwb::llm {

namespace {

/// One block of the entry, in lines of the module's text.
struct Part {
    std::uint32_t firstLine = 0, lastLine = 0;
    std::uint32_t depth = 0;
    std::uint64_t tokens = 0;
    ptx::Index block = 0;
    bool isKept = true;
};

bool isLineInformation(std::string_view line) {
    line = trimmed(line);
    return line.starts_with(".loc ") || line.starts_with(".loc\t") || line.starts_with(".file ") ||
           line.starts_with(".file\t");
}

class Condenser {
public:
    Condenser(const ptx::Module& module, const ptx::Function& entry)
        : m_module(module), m_entry(entry), m_lines(linesOf(*module.text)), m_keep(m_lines.size() + 1, true),
          m_flow(ptx::controlFlow(module, entry)) {}

    Condensed run(std::uint64_t tokens) {
        dropInformation();
        dropOthers();
        makeParts();
        std::uint64_t now = estimateTokens(text());
        // Cheapest first: shallow, then long.
        std::vector<Part*> order;
        for (Part& part : m_parts)
            if (part.block != 0 && part.depth < m_deepest) order.push_back(&part);
        std::ranges::stable_sort(order, {}, [](const Part* part) {
            return std::pair(part->depth, -static_cast<std::int64_t>(part->tokens));
        });
        for (Part* part : order) {
            if (now <= tokens) break;
            part->isKept = false;
            now -= std::min(now, part->tokens);
        }
        Condensed result;
        result.text = text();
        result.omitted = std::move(m_omitted);
        for (const auto& gap : m_gaps) result.omitted.push_back(gap);
        result.isWhole = m_gaps.empty() && !m_droppedCode;
        return result;
    }

private:
    std::uint32_t lineOf(std::uint32_t offset) const { return m_module.lineOf(offset); }

    void dropInformation() {
        std::size_t locations = 0;
        for (std::size_t i = 0; i < m_lines.size(); ++i)
            if (isLineInformation(m_lines[i])) {
                m_keep[i + 1] = false;
                ++locations;
            }
        if (locations > 0) m_omitted.push_back(fmt::format("{} lines of line information (.loc, .file)", locations));
        for (const ptx::Section& section : m_module.sections) drop(section.span);
        if (!m_module.sections.empty())
            m_omitted.push_back(
                fmt::format("{} debug section{}", m_module.sections.size(), m_module.sections.size() == 1 ? "" : "s"));
    }

    void drop(ptx::Span span) {
        for (std::uint32_t line = lineOf(span.offset); line <= lineOf(span.end()); ++line) m_keep[line] = false;
    }

    /// Other kernels, which the entry cannot call. Functions stay: it may.
    void dropOthers() {
        for (const ptx::Function& function : m_module.functions) {
            if (!function.isEntry || &function == &m_entry) continue;
            drop(function.span);
            m_droppedCode = true;
            m_omitted.push_back(fmt::format("the kernel {}", function.name));
        }
    }

    void makeParts() {
        const auto loops = ptx::loops(m_flow, ptx::immediateDominators(m_flow));
        std::vector<std::uint32_t> depth(m_flow.blocks.size(), 0);
        for (const ptx::Loop& loop : loops)
            for (const ptx::Index block : loop.blocks) depth[block] = std::max(depth[block], loop.depth);
        m_deepest = 1; // without loops everything but the first block may go
        for (const std::uint32_t d : depth) m_deepest = std::max(m_deepest, d);
        for (ptx::Index b = 0; b < m_flow.blocks.size(); ++b) {
            const ptx::Block& block = m_flow.blocks[b];
            Part part;
            part.block = b;
            part.depth = depth[b];
            part.firstLine = lineOf(m_entry.instructions[block.first].span.offset);
            part.lastLine = lineOf(m_entry.instructions[block.end - 1].span.end());
            for (std::uint32_t line = part.firstLine; line <= part.lastLine; ++line)
                if (m_keep[line]) part.tokens += estimateTokens(m_lines[line - 1]);
            m_parts.push_back(part);
        }
    }

    std::string gapText(const Part& first, const Part& last) {
        std::map<std::string, unsigned> opcodes;
        unsigned instructions = 0, barriers = 0;
        for (ptx::Index b = first.block; b <= last.block; ++b)
            for (std::uint32_t i = m_flow.blocks[b].first; i < m_flow.blocks[b].end; ++i) {
                const ptx::Instruction& instruction = m_entry.instructions[i];
                ++instructions;
                ++opcodes[std::string(m_module.textOf(instruction.opcodeSpan))];
                barriers += instruction.opcode == ptx::Opcode::bar || instruction.opcode == ptx::Opcode::barrier;
            }
        std::vector<std::pair<std::string, unsigned>> most(opcodes.begin(), opcodes.end());
        std::ranges::stable_sort(most, std::ranges::greater{}, [](const auto& pair) { return pair.second; });
        std::string counts;
        for (std::size_t i = 0; i < most.size() && i < 5; ++i)
            counts += fmt::format("{}{} {}", i == 0 ? "" : ", ", most[i].second, most[i].first);
        if (!m_live) m_live.emplace(ptx::liveness(m_entry, m_flow));
        const auto region = ptx::regionLiveness(m_module, m_entry, m_flow, *m_live, first.firstLine, last.lastLine);
        std::vector<std::string> out;
        for (const ptx::Index id : region.liveOut) out.push_back(m_entry.registerName(id));
        const bool many = out.size() > 12;
        if (many) out.resize(12);
        std::string text =
            fmt::format("lines {} to {}: {} instructions ({})", first.firstLine, last.lastLine, instructions, counts);
        if (barriers > 0) text += fmt::format(", {} barrier{}", barriers, barriers == 1 ? "" : "s");
        if (!out.empty()) text += fmt::format("; what is used later: {}{}", fmt::join(out, ", "), many ? ", ..." : "");
        return text;
    }

    std::string text() {
        m_gaps.clear();
        std::string out;
        bool wasBlank = true;
        std::size_t part = 0;
        for (std::uint32_t line = 1; line <= m_lines.size(); ++line) {
            while (part < m_parts.size() && m_parts[part].lastLine < line) ++part;
            if (part < m_parts.size() && !m_parts[part].isKept && line == m_parts[part].firstLine) {
                std::size_t last = part;
                while (last + 1 < m_parts.size() && !m_parts[last + 1].isKept) ++last;
                m_gaps.push_back(gapText(m_parts[part], m_parts[last]));
                out += "\t// ... left out: " + m_gaps.back() + "\n";
                // Labels stay: branches name them.
                for (std::uint32_t inside = line; inside <= m_parts[last].lastLine; ++inside)
                    if (trimmed(m_lines[inside - 1]).ends_with(':')) out += std::string(m_lines[inside - 1]) + "\n";
                line = m_parts[last].lastLine;
                continue;
            }
            if (!m_keep[line]) continue;
            const bool isBlank = trimmed(m_lines[line - 1]).empty();
            if (!(isBlank && wasBlank)) out += std::string(m_lines[line - 1]) + "\n";
            wasBlank = isBlank;
        }
        return out;
    }

    const ptx::Module& m_module;
    const ptx::Function& m_entry;
    std::vector<std::string_view> m_lines;
    std::vector<bool> m_keep; ///< by line, from 1
    ptx::ControlFlow m_flow;
    std::optional<ptx::Liveness> m_live;
    std::vector<Part> m_parts;
    std::uint32_t m_deepest = 0;
    std::vector<std::string> m_omitted, m_gaps;
    bool m_droppedCode = false;
};

} // namespace

Condensed condense(const ptx::Module& module, const ptx::Function& entry, std::uint64_t tokens) {
    return Condenser(module, entry).run(tokens);
}

} // namespace ptxwb::llm

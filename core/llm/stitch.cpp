#include "llm/region.h"

#include "llm/region_flow.h"
#include "llm/reply_blocks.h"
#include "llm/stitch_names.h"
#include "ptx/analysis/liveness.h"
#include "ptx/analysis/reaching.h"
#include "ptx/analysis/uniformity.h"
#include "ptx/check.h"
#include "ptx/parse.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace ptxwb::llm {

namespace {

using ptx::Index;

std::string joined(const std::vector<std::string_view>& lines, std::size_t first, std::size_t end) {
    std::string text;
    for (std::size_t i = first; i < end && i < lines.size(); ++i) text += std::string(lines[i]) + "\n";
    return text;
}

bool holds(const std::vector<RegionRegister>& registers, const std::string& name) {
    return std::ranges::find(registers, name, &RegionRegister::name) != registers.end();
}

class Stitcher {
public:
    Stitcher(const ptx::Module& module, const ptx::Function& entry, const RegionView& region, std::string_view code)
        : m_old(module), m_oldEntry(entry), m_region(region), m_code(code), m_lines(linesOf(*module.text)) {
        for (std::size_t i = region.firstLine - 1; i < region.lastLine && i < m_lines.size(); ++i)
            if (trimmed(m_lines[i]).starts_with(".loc")) m_places += std::string(m_lines[i]) + "\n";
        m_firstLine = region.firstLine + static_cast<std::uint32_t>(std::ranges::count(m_places, '\n'));
    }

    Expected<Stitched> run() {
        for (const auto check : {&Stitcher::checkText, &Stitcher::rename, &Stitcher::join, &Stitcher::checkWays,
                                 &Stitcher::checkRegisters, &Stitcher::checkBarriers})
            if (auto done = (this->*check)(); !done) return std::unexpected(std::move(done.error()));
        return Stitched{*m_new->text, m_firstLine,
                        m_firstLine + static_cast<std::uint32_t>(linesOf(m_renamed).size()) - 1};
    }

private:
    static std::unexpected<Diagnostic> refused(std::uint32_t line, std::string message, std::string hint = {}) {
        auto result = failure(Cause::rejected, std::move(message), std::move(hint));
        result.error().place = {"reply", line, 1, 1};
        return result;
    }
    /// All above the code. The region's own places stay, ahead of it: those of inlined code elsewhere may refer to
    /// them.
    std::string before() const { return joined(m_lines, 0, m_region.firstLine - 1) + m_places; }
    /// The line of the new text's instruction in the code, from 1.
    std::uint32_t codeLine(std::uint32_t instruction) const {
        return m_new->lineOf(m_entry->instructions[instruction].span.offset) - m_firstLine + 1;
    }

    Expected<void> checkText() {
        int open = 0;
        std::uint32_t number = 0;
        for (const std::string_view line : linesOf(m_code)) {
            ++number;
            for (const std::string_view word : {".version", ".target", ".entry", ".visible", ".func", ".extern"})
                if (trimmed(line).starts_with(word))
                    return refused(number,
                                   fmt::format("the reply holds {} where only lines of the region are wanted", word),
                                   "send the new lines alone");
            open += openBraces(line);
            if (open < 0)
                return refused(number, "a brace is closed that the reply did not open",
                               "send the new lines alone, without the braces around them");
        }
        if (open > 0) return refused(number, "a brace is not closed", "the reply may be cut off: ask again");
        return {};
    }

    /// Reads the code in a scope of its own, so that what it declares can be told from what it found.
    Expected<void> rename() {
        const std::string above = before();
        std::string text = above + "{\n" + std::string(m_code) + (m_code.ends_with('\n') ? "" : "\n") + "}\n";
        for (const std::string& label : m_region.keptLabels) text += label + ":\n"; // for those who jump there
        text += joined(m_lines, m_region.lastLine, m_lines.size());
        const auto module = ptx::parse(text, "reply");
        for (const Diagnostic& problem : module->diagnostics)
            if (problem.severity == Severity::error) {
                const std::uint32_t line = problem.place.line > m_firstLine ? problem.place.line - m_firstLine : 1;
                return refused(line, problem.message, problem.hint);
            }
        const ptx::Function* entry = module->function(m_oldEntry.name);
        if (entry == nullptr)
            return refused(1, "the kernel does not read any more with these lines", "send the new lines alone");
        const auto brace = static_cast<std::uint32_t>(above.size());
        const auto scope =
            std::ranges::find_if(entry->scopes, [&](const ptx::Scope& s) { return s.span.offset == brace; });
        if (scope == entry->scopes.end())
            return refused(1, "the lines do not form a block of their own", "send whole statements");
        const auto own = ownNames(*module, *entry, static_cast<Index>(scope - entry->scopes.begin()));
        for (const OwnName& name : own) {
            const std::uint32_t line = module->lineOf(name.offset) - m_firstLine;
            for (const auto* registers : {&m_region.liveIn, &m_region.liveOut})
                for (const RegionRegister& one : *registers)
                    if (name.covers(one.name))
                        return refused(line,
                                       fmt::format("it declares {} anew, which the region {}", one.name,
                                                   registers == &m_region.liveIn ? "gets from outside" : "must leave"),
                                       "declare registers under names of your own");
            if (name.isLabel && std::ranges::find(m_region.exits, name.name) != m_region.exits.end())
                return refused(line, fmt::format("its label {} has the name of one outside", name.name),
                               "choose another name");
        }
        for (const std::string& label : m_region.keptLabels)
            if (std::ranges::none_of(own, [&](const OwnName& name) { return name.isLabel && name.name == label; }))
                return refused(1, fmt::format("the label {}, which other code jumps to, is missing", label),
                               "keep it where its code is");
        m_renamed = renamed(m_code, own, m_region.keptLabels, *m_old.text);
        return {};
    }

    Expected<void> join() {
        std::string text = before() + m_renamed + (m_renamed.ends_with('\n') ? "" : "\n") +
                           joined(m_lines, m_region.lastLine, m_lines.size());
        m_new = ptx::parse(std::move(text), m_old.name);
        const auto last = m_firstLine + static_cast<std::uint32_t>(linesOf(m_renamed).size()) - 1;
        for (const Diagnostic& problem : ptx::check(*m_new)) {
            if (problem.severity != Severity::error) continue;
            if (problem.place.line >= m_firstLine && problem.place.line <= last)
                return refused(problem.place.line - m_firstLine + 1, problem.message, problem.hint);
            if (!hadErrors())
                return refused(1,
                               fmt::format("with these lines the kernel is wrong at line {}: {}", problem.place.line,
                                           problem.message),
                               problem.hint);
        }
        m_entry = m_new->function(m_oldEntry.name);
        m_flow = ptx::controlFlow(*m_new, *m_entry);
        m_live.emplace(ptx::liveness(*m_entry, m_flow));
        m_now = ptx::regionLiveness(*m_new, *m_entry, m_flow, *m_live, m_firstLine, last);
        if (m_now.first == m_now.end)
            return refused(1, "the reply holds no instruction", "send the new lines of the region");
        return {};
    }
    bool hadErrors() const {
        return std::ranges::any_of(ptx::check(m_old),
                                   [](const Diagnostic& d) { return d.severity == Severity::error; });
    }

    Expected<void> checkWays() {
        const RegionFlow ways = regionFlow(*m_new, *m_entry, m_flow, m_now.first, m_now.end);
        for (const std::string& exit : ways.exits)
            if (std::ranges::find(m_region.exits, exit) == m_region.exits.end())
                return refused(lineThatNames(exit), fmt::format("it jumps to {}, where the region does not go", exit),
                               m_region.exits.empty()
                                   ? "the region jumps nowhere: go on below it"
                                   : fmt::format("it may jump to {}", fmt::join(m_region.exits, ", ")));
        if (ways.leaves && !m_region.leaves)
            return refused(1, "it ends the thread or returns, which the region does not do",
                           "go on below it, or jump to one of its exits");
        if (ways.fallsThrough && !m_region.fallsThrough)
            return refused(codeLine(m_now.end - 1),
                           "control goes on below its last line, which the region never lets happen",
                           "end it with the jump that the region ends with");
        return {};
    }
    std::uint32_t lineThatNames(const std::string& word) const {
        std::uint32_t number = 0;
        for (const std::string_view line : linesOf(m_code)) {
            ++number;
            if (line.find(word) != std::string_view::npos) return number;
        }
        return 1;
    }

    Expected<void> checkRegisters() {
        const ptx::ReachingDefinitions reaching(*m_entry, m_flow);
        std::set<Index> written;
        for (std::uint32_t i = m_now.first; i < m_now.end; ++i)
            for (const ptx::RegisterAccess& access : m_live->accesses.of(i)) {
                if (access.kind != ptx::Access::read) {
                    written.insert(access.reg);
                    continue;
                }
                const auto definitions = reaching.of(access.reg, i);
                if (m_flow.blocks[m_flow.blockOf[i]].reachable &&
                    std::ranges::all_of(definitions,
                                        [](const ptx::Definition& d) { return d.instruction == ptx::noIndex; }) &&
                    !holds(m_region.liveIn, m_entry->registerName(access.reg)))
                    return refused(
                        codeLine(i),
                        fmt::format("it reads {}, which nothing has written before", m_entry->registerName(access.reg)),
                        "the region gets other registers: see what it gets");
            }
        for (const Index id : m_now.liveOut)
            if (const std::string name = m_entry->registerName(id); !holds(m_region.liveOut, name))
                return refused(
                    firstWrite(id),
                    fmt::format("it writes {}, whose value is needed afterwards and which the region does not change",
                                name),
                    "use a register of your own");
        std::vector<Index> oldIds, newIds;
        for (const RegionRegister& one : m_region.liveOut) {
            oldIds.push_back(idOf(m_oldEntry, one.name));
            newIds.push_back(idOf(*m_entry, one.name));
        }
        const auto was =
            writtenOnEveryWay(m_oldEntry, ptx::controlFlow(m_old, m_oldEntry), m_region.first, m_region.end, oldIds);
        const auto is = writtenOnEveryWay(*m_entry, m_flow, m_now.first, m_now.end, newIds);
        for (std::size_t i = 0; i < newIds.size(); ++i) {
            const std::string& name = m_region.liveOut[i].name;
            if (!written.contains(newIds[i]))
                return refused(1, fmt::format("it never writes {}, which is needed afterwards", name),
                               "the region must leave its result there");
            if (was[i] && !is[i])
                return refused(firstWrite(newIds[i]),
                               fmt::format("it does not write {} on every way, and it is needed afterwards", name),
                               "write it on the other ways, too");
        }
        return {};
    }
    std::uint32_t firstWrite(Index id) const {
        for (std::uint32_t i = m_now.first; i < m_now.end; ++i)
            for (const ptx::RegisterAccess& access : m_live->accesses.of(i))
                if (access.reg == id && access.kind != ptx::Access::read) return codeLine(i);
        return 1;
    }
    /// Outer registers: the first group that has the name.
    static Index idOf(const ptx::Function& function, const std::string& name) {
        for (const ptx::RegisterGroup& group : function.registers)
            for (std::uint32_t k = 0; k < std::max(group.count, 1U); ++k)
                if (name.starts_with(group.stem) && function.registerName(group.first + k) == name)
                    return group.first + k;
        return ptx::noIndex;
    }

    Expected<void> checkBarriers() {
        const auto now = barriersIn(*m_new, *m_entry, m_now.first, m_now.end);
        if (now != m_region.barriers) {
            std::vector<std::string> added, lost;
            std::ranges::set_difference(now, m_region.barriers, std::back_inserter(added));
            std::ranges::set_difference(m_region.barriers, now, std::back_inserter(lost));
            return refused(
                added.empty() ? 1 : lineThatNames(added.front().substr(0, added.front().find(' '))),
                lost.empty()
                    ? fmt::format("it adds the barrier {}", fmt::join(added, ", "))
                    : fmt::format("it loses the barrier {}{}", fmt::join(lost, ", "),
                                  added.empty() ? std::string{} : fmt::format(" and adds {}", fmt::join(added, ", "))),
                "other threads count on the barriers of this region; to change them, rewrite the whole kernel");
        }
        if (now.empty()) return {};
        const auto uniform = ptx::uniformity(*m_new, *m_entry, m_flow);
        const auto before = ptx::uniformity(m_old, m_oldEntry, ptx::controlFlow(m_old, m_oldEntry));
        const auto oldFlow = ptx::controlFlow(m_old, m_oldEntry);
        const auto diverged = [](const ptx::Function& entry, const ptx::ControlFlow& flow, const ptx::Uniformity& u,
                                 std::uint32_t first, std::uint32_t end) {
            std::vector<std::uint32_t> places;
            for (std::uint32_t i = first; i < end; ++i)
                if ((entry.instructions[i].opcode == ptx::Opcode::bar ||
                     entry.instructions[i].opcode == ptx::Opcode::barrier) &&
                    u.divergentInside[flow.blockOf[i]])
                    places.push_back(i);
            return places;
        };
        const auto places = diverged(*m_entry, m_flow, uniform, m_now.first, m_now.end);
        if (places.size() > diverged(m_oldEntry, oldFlow, before, m_region.first, m_region.end).size())
            return refused(codeLine(places.front()), "a barrier stands where threads of a warp may be missing",
                           "every thread that reached it before must reach it");
        return {};
    }

    const ptx::Module& m_old;
    const ptx::Function& m_oldEntry;
    const RegionView& m_region;
    std::string_view m_code;
    std::vector<std::string_view> m_lines;
    std::string m_places;          ///< the region's `.loc` lines
    std::uint32_t m_firstLine = 0; ///< of the code in the new text
    std::string m_renamed;
    std::shared_ptr<const ptx::Module> m_new;
    const ptx::Function* m_entry = nullptr;
    ptx::ControlFlow m_flow;
    std::optional<ptx::Liveness> m_live;
    ptx::RegionLiveness m_now;
};

} // namespace

Expected<Stitched> stitch(const ptx::Module& module, const ptx::Function& entry, const RegionView& region,
                          std::string_view code) {
    return Stitcher(module, entry, region, code).run();
}

} // namespace ptxwb::llm

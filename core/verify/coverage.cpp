#include "verify/coverage.h"

#include "kernel/sizes.h"
#include "verify/baseline.h"
#include "verify/findings.h"
#include "verify/planned_launch.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <set>

namespace ptxwb::verify {

namespace {

using What = MarkedText::Mark::What;

constexpr std::string_view variableName = "ptxwb_reached";
constexpr std::uint64_t instructionBudget = std::uint64_t{1} << 28; ///< thread instructions of all runs

bool endsCode(const ptx::Instruction& instruction) {
    switch (instruction.opcode) {
    case ptx::Opcode::bra:
    case ptx::Opcode::brx:
    case ptx::Opcode::ret:
    case ptx::Opcode::exit:
    case ptx::Opcode::trap: return true;
    default: return false;
    }
}

struct Insertion {
    std::uint32_t at = 0;
    std::string text;
};

class Marker {
public:
    explicit Marker(const ptx::Module& module) : m_module(module) {}

    void mark(const ptx::Function& function) {
        std::set<std::uint32_t> leaders{0};
        for (const ptx::Label& label : function.labels) leaders.insert(label.target);
        const auto count = static_cast<std::uint32_t>(function.instructions.size());
        for (std::uint32_t i = 0; i < count; ++i)
            if (endsCode(function.instructions[i])) leaders.insert(i + 1);
        for (auto leader = leaders.begin(); leader != leaders.end() && *leader < count; ++leader) {
            const auto next = std::next(leader);
            const std::uint32_t end = next == leaders.end() ? count : std::min(*next, count);
            insert(function, *leader, store({What::code, *leader, end - *leader, &function}));
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            const ptx::Instruction& instruction = function.instructions[i];
            if (instruction.guard == ptx::noIndex) continue;
            const std::string guard = function.registerName(instruction.guard);
            const std::string_view same = instruction.guardNegated ? "!" : "",
                                   other = instruction.guardNegated ? "" : "!";
            if (endsCode(instruction) && instruction.opcode != ptx::Opcode::trap) {
                insert(function, i, fmt::format("@{}{} {}", same, guard, store({What::taken, i, 1, &function})));
                insert(function, i, fmt::format("@{}{} {}", other, guard, store({What::notTaken, i, 1, &function})));
            } else {
                insert(function, i, fmt::format("@{}{} {}", same, guard, store({What::guarded, i, 1, &function})));
            }
        }
    }

    MarkedText take() {
        std::ranges::stable_sort(m_insertions, {}, &Insertion::at);
        const std::string& text = *m_module.text;
        std::string marked;
        std::size_t copied = 0;
        const std::uint32_t first = m_module.functions.front().span.offset;
        bool declared = false;
        const auto copyTo = [&](std::size_t end) {
            if (!declared && end >= first) {
                marked.append(text, copied, first - copied);
                marked += fmt::format(".global .align 4 .b8 {}[{}]; ", variableName, 4 * m_marked.marks.size());
                copied = first;
                declared = true;
            }
            marked.append(text, copied, end - copied);
            copied = end;
        };
        for (const Insertion& insertion : m_insertions) {
            copyTo(insertion.at);
            marked += insertion.text;
        }
        copyTo(text.size());
        m_marked.text = std::move(marked);
        m_marked.variable = variableName;
        return std::move(m_marked);
    }

private:
    std::string store(MarkedText::Mark mark) {
        m_marked.marks.push_back(mark);
        return fmt::format("st.global.u32 [{}+{}], 1; ", variableName, 4 * (m_marked.marks.size() - 1));
    }
    void insert(const ptx::Function& function, std::uint32_t instruction, std::string text) {
        m_insertions.push_back({function.instructions[instruction].span.offset, std::move(text)});
    }

    const ptx::Module& m_module;
    MarkedText m_marked;
    std::vector<Insertion> m_insertions;
};

/// What the marks say, in lines.
class Reading {
public:
    Reading(const ptx::Module& module, const MarkedText& marked, const std::vector<std::uint8_t>& reached)
        : m_module(module), m_marked(marked), m_reached(reached) {}

    Strength strength() {
        Strength result;
        std::map<std::pair<const ptx::Function*, std::uint32_t>, bool> instructions;
        for (std::size_t i = 0; i < m_marked.marks.size(); ++i) {
            const auto& mark = m_marked.marks[i];
            for (std::uint32_t k = 0; k < mark.count; ++k) {
                auto& is = instructions.try_emplace({mark.function, mark.firstInstruction + k}, true).first->second;
                if (mark.what == What::code || mark.what == What::guarded) is = is && isReached(i);
            }
            if (mark.what == What::taken || mark.what == What::notTaken) {
                ++result.branchWays;
                result.waysTaken += isReached(i);
            }
        }
        for (const auto& [place, is] : instructions) {
            ++result.instructions;
            result.reached += is;
            if (!is) add(result, *place.first, place.second, "never reached");
        }
        for (std::size_t i = 0; i < m_marked.marks.size(); ++i) {
            const auto& mark = m_marked.marks[i];
            if (isReached(i) || !instructions.at({mark.function, mark.firstInstruction})) continue;
            if (mark.what == What::taken)
                add(result, *mark.function, mark.firstInstruction, "the branch is never taken");
            if (mark.what == What::notTaken)
                add(result, *mark.function, mark.firstInstruction, "the branch is always taken");
        }
        std::ranges::stable_sort(result.unreached, {}, &Unreached::line);
        joinNeighbours(result.unreached);
        addPlaces(result.unreached);
        return result;
    }

private:
    bool isReached(std::size_t mark) const {
        std::uint32_t word = 0;
        std::memcpy(&word, m_reached.data() + 4 * mark, sizeof word);
        return word != 0;
    }

    void add(Strength& to, const ptx::Function& function, std::uint32_t instruction, const char* what) const {
        to.unreached.push_back({m_module.lineOf(function.instructions[instruction].span.offset), what, {}});
    }

    /// Lines that follow one another become the first of them.
    static void joinNeighbours(std::vector<Unreached>& list) {
        std::vector<Unreached> joined;
        std::uint32_t last = 0;
        for (Unreached& each : list) {
            const bool follows = !joined.empty() && joined.back().what == each.what && each.line <= last + 1;
            last = each.line;
            if (!follows) joined.push_back(std::move(each));
        }
        list = std::move(joined);
    }

    void addPlaces(std::vector<Unreached>& list) const {
        std::vector<Finding> places(list.size());
        for (std::size_t i = 0; i < list.size(); ++i) places[i].line = list[i].line;
        addCudaPlaces(places, m_module);
        for (std::size_t i = 0; i < list.size(); ++i) list[i].cuda = places[i].cuda;
    }

    const ptx::Module& m_module;
    const MarkedText& m_marked;
    const std::vector<std::uint8_t>& m_reached;
};

/// Functions with a body that are reached from the entries by calls, the entries included.
std::vector<const ptx::Function*> reachedFunctions(const PtxKernel& kernel) {
    std::vector<const ptx::Function*> result{kernel.entry};
    for (const FollowingEntry& next : kernel.following)
        if (std::ranges::find(result, next.entry) == result.end()) result.push_back(next.entry);
    for (std::size_t i = 0; i < result.size(); ++i)
        for (const ptx::Operand& operand : result[i]->operands) {
            if (operand.kind != ptx::OperandKind::function || operand.symbol == ptx::noIndex) continue;
            const ptx::Function* called = &kernel.module->functions[operand.symbol];
            if (called->hasBody && std::ranges::find(result, called) == result.end()) result.push_back(called);
        }
    return result;
}

} // namespace

MarkedText markText(const ptx::Module& module, const std::vector<const ptx::Function*>& functions) {
    Marker marker(module);
    for (const ptx::Function* function : functions) marker.mark(*function);
    return marker.take();
}

Expected<Strength> measureCoverage(const Context& context, const PtxKernel& kernel) {
    MarkedText marked = markText(*kernel.module, reachedFunctions(kernel));
    PtxKernel copy = loadPtx(context.spec(), kernel.name, kernel.module->name, marked.text);
    copy.header = kernel.header;
    if (auto entry = resolveEntries(copy, context.spec()); !entry) return std::unexpected(std::move(entry.error()));
    if (auto decoded = decodeEntry(copy); !decoded) return std::unexpected(std::move(decoded.error()));
    std::vector<std::uint8_t> reached(4 * marked.marks.size(), 0);
    std::uint64_t spent = 0;
    std::vector<PlannedRun> runs;
    for (const Stage stage : {Stage::function, Stage::stress}) {
        auto planned = plannedRuns(context, stage, kernel, emulatorExecutor());
        if (!planned) return std::unexpected(std::move(planned.error()));
        runs.insert(runs.end(), planned->begin(), planned->end());
    }
    std::ranges::stable_sort(runs, {},
                             [&](const PlannedRun& run) { return kernel::extentOf(context.spec(), run.sizes); });
    const auto* launch = launchOf(kernel);
    for (std::size_t i = 0; i < runs.size() && spent < instructionBudget; ++i) {
        if (context.stop.stop_requested()) return failure(Cause::cancelled, "cancelled");
        context.progress(Stage::sanitize, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(runs.size()),
                         "coverage");
        const auto data = plannedLaunch(context, runs[i], launch);
        if (!data || data->isEmpty()) continue; // the stages have said what there is to say
        ExecuteOptions options;
        options.placement = runs[i].placement;
        options.emulator.initialisation = options.emulator.races = false;
        options.emulator.hostThreads = 1; // blocks store the same word
        options.emulator.instructionLimit = instructionBudget - spent;
        const auto outcome = execute(copy, *data, options, context.stop);
        if (!outcome) continue;
        spent += outcome->counters.threadInstructions;
        const auto& words = outcome->variables.at(marked.variable);
        for (std::size_t k = 0; k < reached.size(); ++k) reached[k] |= words[k];
    }
    return Reading(*kernel.module, marked, reached).strength();
}

} // namespace ptxwb::verify

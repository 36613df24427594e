#include "verify/mutants.h"

#include "ptx/check.h"
#include "verify/baseline.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace ptxwb::verify {

namespace {

constexpr std::size_t mutantLimit = 60;

/// What becomes of a comparison: the same one with or without equality, or its opposite.
constexpr auto comparisons = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"lt", "le"},
    {"le", "lt"},
    {"gt", "ge"},
    {"ge", "gt"},
    {"eq", "ne"},
    {"ne", "eq"},
    {"lo", "ls"},
    {"ls", "lo"},
    {"hi", "hs"},
    {"hs", "hi"},
    {"ltu", "leu"},
    {"leu", "ltu"},
    {"gtu", "geu"},
    {"geu", "gtu"},
    {"equ", "neu"},
    {"neu", "equ"},
});

class Mutator {
public:
    Mutator(const ptx::Module& module, const ptx::Function& entry) : m_module(module), m_entry(entry) {}

    std::vector<Mutant> all() {
        for (const ptx::Instruction& instruction : m_entry.instructions) {
            dropBarrier(instruction);
            moveComparison(instruction);
            moveAddress(instruction);
            moveNumber(instruction);
        }
        return std::move(m_mutants);
    }

private:
    void add(ptx::Span span, const std::string& replacement, std::string what) {
        Mutant& mutant = m_mutants.emplace_back();
        mutant.text = *m_module.text;
        mutant.text.replace(span.offset, span.length, replacement);
        mutant.line = m_module.lineOf(span.offset);
        mutant.what = std::move(what);
    }

    void dropBarrier(const ptx::Instruction& instruction) {
        const std::string_view text = m_module.textOf(instruction.span);
        const auto opcode = text.substr(instruction.opcodeSpan.offset - instruction.span.offset);
        constexpr auto droppable = std::to_array<std::string_view>(
            {"bar.sync", "bar.warp.sync", "barrier.sync", "barrier.cta.sync", "cp.async.wait", "membar", "fence"});
        const auto hit = std::ranges::find_if(droppable, [&](auto name) { return opcode.starts_with(name); });
        if (hit == droppable.end()) return;
        const auto end = m_module.text->find(';', instruction.span.end());
        if (end == std::string::npos) return;
        std::string blank(end + 1 - instruction.span.offset, ' ');
        for (std::size_t i = 0; i < blank.size(); ++i) // lines keep their numbers
            if ((*m_module.text)[instruction.span.offset + i] == '\n') blank[i] = '\n';
        add({instruction.span.offset, static_cast<std::uint32_t>(blank.size())}, blank,
            fmt::format("{} dropped", opcode.substr(0, opcode.find_first_of(" \t;"))));
    }

    void moveComparison(const ptx::Instruction& instruction) {
        if (instruction.opcode != ptx::Opcode::setp && instruction.opcode != ptx::Opcode::set) return;
        for (const ptx::ModifierUse& modifier : m_entry.modifiersOf(instruction)) {
            const std::string_view word = m_module.textOf(modifier.span).substr(1);
            const auto hit =
                std::ranges::find(comparisons, word, &std::pair<std::string_view, std::string_view>::first);
            if (hit == comparisons.end()) continue;
            return add(modifier.span, fmt::format(".{}", hit->second),
                       fmt::format("comparison {} became {}", word, hit->second));
        }
    }

    /// The address of a load or store, by the size of what it moves.
    void moveAddress(const ptx::Instruction& instruction) {
        if (instruction.opcode != ptx::Opcode::ld && instruction.opcode != ptx::Opcode::st) return;
        const ptx::StateSpace space = m_entry.spaceOf(instruction);
        if (space == ptx::StateSpace::param || space == ptx::StateSpace::local) return;
        const unsigned bytes = ptx::sizeBytes(m_entry.typeOf(instruction)) * m_entry.vectorOf(instruction);
        for (const ptx::Operand& operand : m_entry.operandsOf(instruction)) {
            if (operand.kind != ptx::OperandKind::address || operand.childCount != 1 || bytes == 0) continue;
            const ptx::Operand& base = m_entry.childrenOf(operand).front();
            if (base.kind != ptx::OperandKind::reg) continue;
            return add(operand.span, fmt::format("[{}+{}]", m_module.textOf(base.span), operand.value + bytes),
                       fmt::format("address {} bytes further", bytes));
        }
    }

    /// A whole number that is added to a 32-bit value.
    void moveNumber(const ptx::Instruction& instruction) {
        if (instruction.opcode != ptx::Opcode::add && instruction.opcode != ptx::Opcode::sub) return;
        const ptx::ScalarType type = m_entry.typeOf(instruction);
        if (type != ptx::ScalarType::s32 && type != ptx::ScalarType::u32 && type != ptx::ScalarType::b32) return;
        for (const ptx::Operand& operand : m_entry.operandsOf(instruction))
            if (operand.kind == ptx::OperandKind::integer)
                return add(operand.span, std::to_string(operand.value + 1),
                           fmt::format("{} became {}", operand.value, operand.value + 1));
    }

    const ptx::Module& m_module;
    const ptx::Function& m_entry;
    std::vector<Mutant> m_mutants;
};

} // namespace

std::vector<Mutant> mutantsOf(const ptx::Module& module, const ptx::Function& entry, std::size_t limit) {
    std::vector<Mutant> all = Mutator(module, entry).all();
    if (all.size() <= limit) return all;
    std::vector<Mutant> chosen;
    for (std::size_t i = 0; i < limit; ++i) chosen.push_back(std::move(all[i * all.size() / limit]));
    return chosen;
}

Expected<void> killMutants(const Context& context, const Judged& judged, Strength& strength) {
    Context quiet = context;
    quiet.progress = [](Stage, std::uint32_t, std::uint32_t, const std::string&) {};
    const std::vector<Mutant> mutants = mutantsOf(*judged.kernel.module, *judged.kernel.entry, mutantLimit);
    for (std::size_t i = 0; i < mutants.size(); ++i) {
        context.progress(Stage::sanitize, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(mutants.size()),
                         "mutants");
        PtxKernel kernel = loadPtx(context.spec(), judged.kernel.name, judged.kernel.module->name, mutants[i].text);
        kernel.header = judged.kernel.header;
        if (kernel.module->hasErrors() || !resolveEntries(kernel, context.spec())) continue;
        bool isKilled = false;
        for (const Stage stage : {Stage::function, Stage::sanitize, Stage::stress}) {
            if (auto decoded = decodeEntry(kernel); !decoded) break;
            auto result = runStage(quiet, stage, Judged{kernel, judged.oracle, emulatorExecutor(), false});
            if (!result) {
                if (result.error().cause == Cause::cancelled) return std::unexpected(std::move(result.error()));
                break;
            }
            isKilled = result->status == Status::fail;
            if (isKilled) break;
        }
        ++strength.mutants;
        if (isKilled)
            ++strength.killed;
        else
            strength.survivors.push_back({mutants[i].line, mutants[i].what});
    }
    return {};
}

} // namespace ptxwb::verify

// Which registers may be read before they are written. Most cannot, and cost nothing at run time; the others are
// tracked lane by lane. Found by a forward data-flow analysis: a register is written at a place if every path to it
// writes it without a guard.
#include "emulator/emitter.h"
#include "ptx/operand_roles.h"

#include <algorithm>
#include <unordered_map>

namespace ptxwb::emulator {

namespace {

using Bits = std::vector<std::uint64_t>;
bool test(const Bits& bits, std::uint32_t i) {
    return bits[i / 64] >> (i % 64) & 1;
}
void set(Bits& bits, std::uint32_t i) {
    bits[i / 64] |= std::uint64_t{1} << (i % 64);
}

struct Uses {
    std::vector<ptx::Index> reads, writes;
};

void addRegisters(const ptx::Function& f, const ptx::Operand& operand, std::vector<ptx::Index>& out) {
    if (operand.kind == ptx::OperandKind::reg) out.push_back(operand.symbol);
    for (const ptx::Operand& child : f.childrenOf(operand)) addRegisters(f, child, out);
}

Uses usesOf(const ptx::Function& f, const ptx::Instruction& i) {
    Uses uses;
    if (i.guard != ptx::noIndex) uses.reads.push_back(i.guard);
    const unsigned destinations = ptx::destinationCount(f, i);
    const auto operands = f.operandsOf(i);
    for (std::size_t n = 0; n < operands.size(); ++n) {
        // An address is read even where it stands first.
        const bool written = n < destinations && operands[n].kind != ptx::OperandKind::address;
        addRegisters(f, operands[n], written ? uses.writes : uses.reads);
    }
    return uses;
}

bool endsFlow(const ptx::Instruction& i) {
    switch (i.opcode) {
    case ptx::Opcode::bra:
    case ptx::Opcode::brx:
    case ptx::Opcode::ret:
    case ptx::Opcode::exit:
    case ptx::Opcode::trap: return i.guard == ptx::noIndex;
    default: return false;
    }
}

/// Instruction indices that control may go to from `i`.
std::vector<std::uint32_t> successors(const ptx::Function& f, std::uint32_t index) {
    const ptx::Instruction& i = f.instructions[index];
    std::vector<std::uint32_t> out;
    if (!endsFlow(i)) out.push_back(index + 1);
    if (i.opcode == ptx::Opcode::bra) {
        for (const ptx::Operand& o : f.operandsOf(i))
            if (o.kind == ptx::OperandKind::label) out.push_back(f.labels[o.symbol].target);
    } else if (i.opcode == ptx::Opcode::brx) { // any label may be in its list
        for (const ptx::Label& label : f.labels) out.push_back(label.target);
    }
    std::erase_if(out, [&](std::uint32_t n) { return n >= f.instructions.size(); });
    return out;
}

} // namespace

void markRegisterChecks(DecodedFunction& function, const std::vector<SlotRef>& slots) {
    const ptx::Function& f = *function.source;
    const auto count = static_cast<std::uint32_t>(f.instructions.size());
    if (!count || !f.registerCount) return;
    std::vector<Uses> uses;
    for (const ptx::Instruction& i : f.instructions) uses.push_back(usesOf(f, i));

    // Blocks of instructions that are entered only at their first.
    std::vector<bool> leads(count + 1, false);
    leads[0] = true;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto next = successors(f, i);
        if (next.size() != 1 || next[0] != i + 1) {
            leads[i + 1] = true;
            for (const std::uint32_t n : next) leads[n] = true;
        }
    }
    std::vector<std::uint32_t> firsts;
    std::vector<std::uint32_t> blockOf(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (leads[i]) firsts.push_back(i);
        blockOf[i] = static_cast<std::uint32_t>(firsts.size() - 1);
    }
    const std::size_t words = (f.registerCount + 63) / 64;
    const auto lastOf = [&](std::size_t b) { return b + 1 < firsts.size() ? firsts[b + 1] - 1 : count - 1; };
    // Written on every path to the block's start: all until a path says otherwise.
    std::vector<Bits> in(firsts.size(), Bits(words, ~std::uint64_t{0}));
    in[0].assign(words, 0);
    std::vector<std::uint32_t> work{0};
    std::vector<bool> visited(firsts.size(), false);
    auto through = [&](std::uint32_t i, Bits& state) {
        if (f.instructions[i].guard == ptx::noIndex)
            for (const ptx::Index r : uses[i].writes) set(state, r);
    };
    while (!work.empty()) {
        const std::uint32_t b = work.back();
        work.pop_back();
        visited[b] = true;
        Bits state = in[b];
        for (std::uint32_t i = firsts[b]; i <= lastOf(b); ++i) through(i, state);
        for (const std::uint32_t n : successors(f, lastOf(b))) {
            const std::uint32_t target = blockOf[n];
            bool changed = !visited[target];
            for (std::size_t w = 0; w < words; ++w) {
                const std::uint64_t met = in[target][w] & state[w];
                changed |= met != in[target][w];
                in[target][w] = met;
            }
            if (changed) {
                visited[target] = true;
                work.push_back(target);
            }
        }
    }
    Bits suspicious(words, 0);
    bool any = false;
    for (std::size_t b = 0; b < firsts.size(); ++b) {
        Bits state = in[b];
        for (std::uint32_t i = firsts[b]; i <= lastOf(b); ++i) {
            for (const ptx::Index r : uses[i].reads)
                if (!test(state, r)) {
                    set(suspicious, r);
                    any = true;
                }
            through(i, state);
        }
    }
    if (!any) return;

    std::unordered_map<ptx::Index, std::uint32_t> numbers;
    for (ptx::Index r = 0; r < f.registerCount; ++r)
        if (test(suspicious, r)) {
            numbers.emplace(r, static_cast<std::uint32_t>(function.tracked.size()));
            function.tracked.push_back(r);
            function.trackedSlots.push_back(slots[r]);
        }
    for (MicroOp& op : function.code) {
        if (!op.first) continue;
        RegisterUse use;
        for (const ptx::Index r : uses[op.instruction].reads)
            if (auto it = numbers.find(r); it != numbers.end()) use.reads.push_back(it->second);
        for (const ptx::Index r : uses[op.instruction].writes)
            if (auto it = numbers.find(r); it != numbers.end()) use.writes.push_back(it->second);
        if (use.reads.empty() && use.writes.empty()) continue;
        op.check = static_cast<std::uint32_t>(function.registerUses.size());
        function.registerUses.push_back(std::move(use));
    }
}

} // namespace ptxwb::emulator

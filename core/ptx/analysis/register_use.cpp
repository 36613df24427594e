#include "ptx/analysis/register_use.h"

#include "ptx/analysis/accesses.h"
#include "ptx/operand_roles.h"

#include <algorithm>

namespace ptxwb::ptx {

namespace {

bool holds(Span span, std::uint32_t offset) {
    return offset >= span.offset && offset < span.end();
}

bool isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           c == '%';
}

/// The name at the start of the span, behind `!` and `-`: `%v.x` and `table+8` are longer than their name.
Span nameIn(const Module& module, Span span) {
    const std::string_view text = module.textOf(span);
    std::size_t begin = 0;
    while (begin < text.size() && !isNameCharacter(text[begin])) ++begin;
    std::size_t end = begin;
    while (end < text.size() && isNameCharacter(text[end])) ++end;
    return {span.offset + static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
}

/// The guard's predicate, "@!%p1".
Span guardSpan(const Module& module, const Instruction& instruction) {
    return nameIn(module, {instruction.span.offset, instruction.opcodeSpan.offset - instruction.span.offset});
}

const Operand* deepest(const Function& function, const Operand& operand, std::uint32_t offset) {
    for (const Operand& child : function.childrenOf(operand))
        if (const Operand* found = deepest(function, child, offset)) return found;
    return holds(operand.span, offset) && operand.childCount == 0 ? &operand : nullptr;
}

/// Whether the instruction reads or writes the register, of all its mentions.
struct Touch {
    bool reads = false, writes = false, whole = false;
};

struct Ranges {
    const Module& module;
    const Function& function;
    ControlFlow flow;
    std::vector<Touch> touches;
    std::vector<bool> live, isRead, isWritten; ///< of the range
    bool reachesStart = false;

    Ranges(const Module& m, const Function& f, Index reg)
        : module(m), function(f), flow(controlFlow(m, f)), touches(f.instructions.size()), live(f.instructions.size()),
          isRead(f.instructions.size()), isWritten(f.instructions.size()) {
        std::vector<RegisterAccess> accesses;
        for (std::size_t i = 0; i < f.instructions.size(); ++i) {
            accesses.clear();
            appendAccesses(f, f.instructions[i], accesses);
            for (const RegisterAccess& access : accesses) {
                if (access.reg != reg) continue;
                touches[i].reads |= access.kind == Access::read;
                touches[i].writes |= access.kind != Access::read;
                touches[i].whole |= access.kind == Access::write;
            }
        }
    }

    /// Calls visit(i) for each instruction before `from` on every way back, until it answers that this way ends.
    /// Answers whether some way leads to the function's start.
    template <class Visit>
    bool back(std::uint32_t from, Visit visit) const {
        bool toStart = false;
        std::vector<bool> seen(flow.blocks.size());
        std::vector<Index> open;
        const auto through = [&](Index block, std::uint32_t end) {
            for (std::uint32_t i = end; i-- > flow.blocks[block].first;)
                if (visit(i)) return;
            if (block == 0) toStart = true;
            for (const Index before : flow.blocks[block].predecessors)
                if (!seen[before]) {
                    seen[before] = true;
                    open.push_back(before);
                }
        };
        through(flow.blockOf[from], from);
        while (!open.empty()) {
            const Index block = open.back();
            open.pop_back();
            through(block, flow.blocks[block].end);
        }
        return toStart;
    }

    template <class Visit>
    void forward(std::uint32_t from, Visit visit) const {
        std::vector<bool> seen(flow.blocks.size());
        std::vector<Index> open;
        const auto through = [&](Index block, std::uint32_t begin) {
            for (std::uint32_t i = begin; i < flow.blocks[block].end; ++i)
                if (visit(i)) return;
            for (const Index next : flow.blocks[block].successors)
                if (!seen[next]) {
                    seen[next] = true;
                    open.push_back(next);
                }
        };
        through(flow.blockOf[from], from + 1);
        while (!open.empty()) {
            const Index block = open.back();
            open.pop_back();
            through(block, flow.blocks[block].first);
        }
    }

    /// The writes that a read of `instruction` may see; `noIndex` behind them where none may have come before.
    std::vector<std::uint32_t> writesBefore(std::uint32_t instruction) const {
        std::vector<std::uint32_t> found;
        const bool toStart = back(instruction, [&](std::uint32_t i) {
            if (touches[i].writes) found.push_back(i);
            return touches[i].whole;
        });
        std::ranges::sort(found);
        found.erase(std::unique(found.begin(), found.end()), found.end());
        if (toStart) found.push_back(noIndex);
        return found;
    }

    /// Everything that hangs together with the value at `instruction`.
    void collect(std::uint32_t instruction, bool isWrite) {
        std::vector<std::pair<std::uint32_t, bool>> open{{instruction, isWrite}};
        const auto add = [&](std::uint32_t i, bool write) {
            auto& known = write ? isWritten : isRead;
            if (known[i]) return;
            known[i] = true;
            open.emplace_back(i, write);
        };
        (isWrite ? isWritten : isRead)[instruction] = true;
        while (!open.empty()) {
            const auto [at, write] = open.back();
            open.pop_back();
            if (write) {
                forward(at, [&](std::uint32_t i) {
                    if (touches[i].reads) add(i, false);
                    if (touches[i].writes && !touches[i].whole) add(i, true);
                    return touches[i].whole;
                });
                if (touches[at].whole) continue;
            }
            // A read, and a write that leaves part of the old value, needs what came before.
            reachesStart |= back(at, [&](std::uint32_t i) {
                if (touches[i].writes) add(i, true);
                if (!touches[i].whole) live[i] = true;
                return touches[i].whole;
            });
            live[at] = true;
        }
    }
};

void appendOccurrences(const Module& module, const Function& function, const Operand& operand, Index reg,
                       std::uint32_t instruction, bool isWrite, std::vector<Occurrence>& all) {
    if (operand.kind == OperandKind::reg && operand.symbol == reg)
        all.push_back({instruction, nameIn(module, operand.span), isWrite, false});
    for (const Operand& child : function.childrenOf(operand))
        appendOccurrences(module, function, child, reg, instruction, isWrite && operand.kind != OperandKind::address,
                          all);
}

} // namespace

std::optional<OperandAt> operandAt(const Module& module, std::uint32_t offset) {
    for (Index f = 0; f < module.functions.size(); ++f) {
        const Function& function = module.functions[f];
        if (!holds(function.span, offset)) continue;
        auto it = std::ranges::upper_bound(function.instructions, offset, {},
                                           [](const Instruction& i) { return i.span.offset; });
        if (it == function.instructions.begin()) return std::nullopt;
        const Instruction& instruction = *--it;
        if (!holds(instruction.span, offset)) return std::nullopt;
        const auto number = static_cast<std::uint32_t>(it - function.instructions.begin());
        if (instruction.guard != noIndex && offset < instruction.opcodeSpan.offset) {
            const Span span = guardSpan(module, instruction);
            if (!holds(span, offset)) return std::nullopt;
            return OperandAt{OperandKind::reg, f, number, span, Owner::function, instruction.guard};
        }
        for (const Operand& operand : function.operandsOf(instruction)) {
            const Operand* const found = deepest(function, operand, offset);
            if (!found) continue;
            const Span span = nameIn(module, found->span);
            if (!holds(span, offset)) return std::nullopt;
            return OperandAt{found->kind, f, number, span, found->owner, found->symbol};
        }
        return std::nullopt;
    }
    return std::nullopt;
}

std::optional<Span> declarationOf(const Module& module, const OperandAt& operand) {
    const Function& function = module.functions[operand.function];
    switch (operand.kind) {
    case OperandKind::reg: return function.groupOf(operand.symbol).span;
    case OperandKind::variable:
        return operand.owner == Owner::module ? module.variables[operand.symbol].span
                                              : variableOf(function, operand.symbol).span;
    case OperandKind::label: return function.labels[operand.symbol].span;
    case OperandKind::function: return module.functions[operand.symbol].headSpan;
    default: return std::nullopt;
    }
}

RegisterUse registerUse(const Module& module, const OperandAt& operand) {
    const Function& function = module.functions[operand.function];
    const Index reg = operand.symbol;
    Ranges ranges(module, function, reg);
    RegisterUse use;
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
        const Instruction& instruction = function.instructions[i];
        if (instruction.guard == reg) use.occurrences.push_back({i, guardSpan(module, instruction), false, false});
        const auto operands = function.operandsOf(instruction);
        const unsigned destinations = destinationCount(function, instruction);
        for (std::size_t o = 0; o < operands.size(); ++o)
            appendOccurrences(module, function, operands[o], reg, i, o < destinations, use.occurrences);
    }
    std::ranges::sort(use.occurrences, {}, [](const Occurrence& o) { return o.span.offset; });
    const auto asked = std::ranges::find_if(use.occurrences,
                                            [&](const Occurrence& o) { return o.span.offset == operand.span.offset; });
    const bool isWrite = asked != use.occurrences.end() && asked->isWrite;
    ranges.collect(operand.instruction, isWrite);
    for (Occurrence& o : use.occurrences)
        o.inRange = o.isWrite ? ranges.isWritten[o.instruction] : ranges.isRead[o.instruction];
    if (isWrite) {
        use.definitions.push_back(operand.instruction);
    } else {
        use.definitions = ranges.writesBefore(operand.instruction);
        if (!use.definitions.empty() && use.definitions.back() == noIndex) {
            use.definitions.pop_back();
            use.maybeUnwritten = true;
        }
    }
    use.live = std::move(ranges.live);
    return use;
}

} // namespace ptxwb::ptx

#include "emulator/recorded_access.h"

#include "emulator/memory_access.h"
#include "emulator/program.h"

#include <algorithm>
#include <bit>
#include <map>

namespace ptxwb::emulator {

namespace {

struct Base {
    std::uint32_t number = ~0U;
    std::int64_t offset = 0;
};

/// The register that the address begins with. A temporary with the address of a variable in the entry's frame becomes
/// that address; nothing for one in the frame of a called function, which lies elsewhere at each call.
std::optional<Base> baseOf(const DecodedFunction& function, std::uint32_t instruction, const AddressOperand& address) {
    if (address.base == noSlot) return Base{~0U, address.offset};
    for (std::uint32_t r = 0; r < function.registerSlots.size(); ++r)
        if (function.registerSlots[r].slot == address.base) return Base{r, address.offset};
    if (!function.source->isEntry) return std::nullopt;
    for (const MicroOp& op : function.code)
        if (op.instruction == instruction && op.kind == Kind::localAddress && op.d == address.base)
            return Base{~0U, address.offset + op.immediate};
    return std::nullopt;
}

/// Lanes that give rows to an ldmatrix or stmatrix.
std::uint32_t rowLanes(const ptx::Function& function, const ptx::Instruction& instruction) {
    if (function.has(instruction, ptx::Modifier::x4)) return ~0U;
    return function.has(instruction, ptx::Modifier::x2) ? 0xFFFFU : 0xFFU;
}

} // namespace

Expected<RecordedAccesses> RecordedAccesses::of(std::shared_ptr<const ptx::Module> module, const Recording& recording) {
    const auto other = [] {
        return failure(Cause::rejected, "the text is not the one that was recorded", "record the warp again");
    };
    if (recording.functions.empty()) return other();
    auto program = decode(std::move(module), recording.functions.front().name);
    if (!program) return std::unexpected(std::move(program.error()));
    const Program& p = **program;
    if (p.functions.size() != recording.functions.size()) return other();
    // By function, line and column.
    std::map<std::array<std::uint32_t, 3>, std::uint32_t> instructions;
    for (std::uint32_t f = 0; f < p.functions.size(); ++f) {
        const auto& all = p.functions[f].source->instructions;
        if (p.functions[f].registerSlots.size() != recording.functions[f].registers.size()) return other();
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            const Place place = p.module->placeOf(all[i].span);
            instructions.try_emplace({f, place.line, place.column}, i);
        }
    }
    RecordedAccesses accesses;
    accesses.m_program = *program;
    for (const RecordedPlace& place : recording.places) {
        const auto known = instructions.find({place.function, place.line, place.column});
        if (known == instructions.end()) return other();
        const DecodedFunction& f = p.functions[place.function];
        const ptx::Instruction& instruction = f.source->instructions[known->second];
        PlaceOf& made = accesses.m_places.emplace_back();
        made.source = f.source;
        made.instruction = known->second;
        const bool isRows = instruction.opcode == ptx::Opcode::ldmatrix || instruction.opcode == ptx::Opcode::stmatrix;
        const auto plan = [&](ptx::StateSpace space, const AddressOperand& address, std::uint32_t bytes,
                              StepAccess::Kind kind) {
            const auto base = baseOf(f, known->second, address);
            if (!base || space == ptx::StateSpace::param) return;
            Planned one{kind, RecordedSpace::global, false, false, isRows, bytes, ~0U, base->number, base->offset};
            if (space == ptx::StateSpace::shared) one.space = RecordedSpace::shared;
            if (space == ptx::StateSpace::local) one.space = RecordedSpace::local;
            one.isGeneric = space == ptx::StateSpace::none;
            one.isConstant = space == ptx::StateSpace::constant;
            if (isRows) one.lanes = rowLanes(*f.source, instruction);
            made.planned.push_back(one);
        };
        for (const MicroOp& op : f.code) {
            if (op.instruction != known->second) continue;
            if (op.kind == Kind::load || op.kind == Kind::store) {
                const MemoryOp& m = f.memory[op.extra];
                plan(m.frameLocal ? ptx::StateSpace::param : m.space, m.address, std::uint32_t{m.bytes} * m.count,
                     op.kind == Kind::load ? StepAccess::Kind::load : StepAccess::Kind::store);
            } else if (op.kind == Kind::atomic) {
                const AtomicOp& a = f.atomics[op.extra];
                plan(a.space, a.address, ptx::sizeBytes(a.type), StepAccess::Kind::atomic);
            } else if (op.kind == Kind::asyncCopy) {
                const AsyncCopyOp& a = f.asyncCopies[op.extra];
                plan(ptx::StateSpace::global, a.from, a.bytes, StepAccess::Kind::load);
                plan(ptx::StateSpace::shared, a.to, a.bytes, StepAccess::Kind::store);
            }
        }
    }
    return accesses;
}

std::vector<StepAccess> RecordedAccesses::next(const WarpStepper& stepper) const {
    std::vector<StepAccess> found;
    const RecordedStep* const step = stepper.step();
    if (!step) return found;
    for (const Planned& planned : m_places[step->place].planned) {
        const std::uint32_t lanes = step->lanes & planned.lanes;
        if (!lanes) continue;
        const RecordedValues base = planned.base == ~0U ? RecordedValues{} : stepper.value(step->frame, planned.base);
        StepAccess all;
        all.space = planned.space;
        all.isConstant = planned.isConstant;
        all.kind = planned.kind;
        all.isRows = planned.isRows;
        all.bytes = planned.bytes;
        const auto add = [&](RecordedSpace space, std::uint32_t those, std::uint64_t window) {
            if (!those) return;
            StepAccess one = all;
            one.space = space;
            one.lanes = those;
            for (unsigned lane = 0; lane < 32; ++lane) {
                if (!(those >> lane & 1)) continue;
                one.at[lane] = base.lanes[lane] + static_cast<std::uint64_t>(planned.offset) - window;
                if (one.at[lane] % planned.bytes) one.misaligned |= 1U << lane;
            }
            found.push_back(one);
        };
        if (!planned.isGeneric) {
            add(planned.space, lanes, 0);
            continue;
        }
        std::uint32_t in[3] = {};
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (!(lanes >> lane & 1)) continue;
            const Window window = windowOf(base.lanes[lane] + static_cast<std::uint64_t>(planned.offset));
            if (window == Window::parameter) continue;
            in[window == Window::shared ? 1 : window == Window::local ? 2 : 0] |= 1U << lane;
        }
        add(RecordedSpace::global, in[0], 0);
        add(RecordedSpace::shared, in[1], sharedWindow);
        add(RecordedSpace::local, in[2], localWindow);
    }
    return found;
}

} // namespace ptxwb::emulator

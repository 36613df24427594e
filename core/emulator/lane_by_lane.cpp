// What is done to the registers of a warp one lane at a time.
#include "emulator/state.h"
#include "emulator/wide_integer.h"

#include <fmt/format.h>

namespace ptxwb::emulator {

void checkRegisters(const Step& step) {
    const RegisterUse& use = step.function().registerUses[step.op.check];
    if (!use.fragments.empty()) checkFragments(step, use);
    for (const std::uint32_t reg : use.reads) {
        // A guard is read by all lanes, whatever it tells them.
        const bool isGuard = step.op.guard != noSlot && step.function().trackedSlots[reg].slot == step.op.guard;
        const std::uint32_t missing = (isGuard ? step.split.mask : step.mask) & ~step.frame().written[reg];
        if (!missing || !step.engine.options.initialisation) continue;
        Finding finding;
        finding.kind = FindingKind::uninitialized;
        finding.check = "registers";
        finding.message = fmt::format("reads register {} before anything has written it",
                                      step.function().source->registerName(step.function().tracked[reg]));
        finding.hint = "initialise it on every path that leads here";
        report(step, static_cast<unsigned>(std::countr_zero(missing)), std::move(finding));
    }
    for (const std::uint32_t reg : use.writes) step.frame().written[reg] |= step.mask;
}

/// Two slots' words, lane by lane.
void runScalar(const Step& step) {
    const MicroOp& op = step.op;
    auto operand = [&](Slot slot, unsigned width, unsigned predicate, unsigned lane) -> std::uint64_t {
        if (op.widths >> predicate & 1) return step.predicate(slot) >> lane & 1;
        return op.widths >> width & 1 ? step.word64(slot, lane) : step.word32(slot, lane);
    };
    forLanes(step.mask, [&](unsigned lane) {
        const std::uint64_t r =
            op.scalar(operand(op.a, 1, 4, lane), operand(op.b, 2, 5, lane), operand(op.c, 3, 6, lane));
        if (op.widths >> 7 & 1) {
            std::uint32_t& p = step.predicate(op.d);
            p = (p & ~(1U << lane)) | static_cast<std::uint32_t>(r & 1) << lane;
        } else if (op.widths & 1) {
            step.word64(op.d, lane) = r;
        } else {
            step.word32(op.d, lane) = static_cast<std::uint32_t>(r);
        }
    });
}

/// d = a op b with the carry flag in predicate c. Source: PTX ISA 9.0, 9.7.2. Bit 8 of `immediate`: takes the carry in,
/// bit 9: writes it. A subtraction adds the complement, so that after one the flag says "no borrow": the ISA does not
/// tell, but addc after sub.cc sees it, and nvcc's division of 128-bit numbers relies on it (tests/golden/integer.txt).
void runCarry(const Step& step) {
    const MicroOp& op = step.op;
    const bool wide = op.widths & 1;
    const bool in = op.immediate >> 8 & 1, out = op.immediate >> 9 & 1;
    const bool subtract = static_cast<CarryOp>(op.immediate & 0xFF) == CarryOp::subtract;
    const Unsigned128 ones = wide ? ~std::uint64_t{0} : ~std::uint32_t{0};
    std::uint32_t& flags = step.predicate(op.c);
    forLanes(step.mask, [&](unsigned lane) {
        const Unsigned128 a = wide ? step.word64(op.a, lane) : step.word32(op.a, lane);
        const Unsigned128 b = wide ? step.word64(op.b, lane) : step.word32(op.b, lane);
        const unsigned flag = in ? flags >> lane & 1 : subtract;
        const Unsigned128 r = subtract ? a + (ones - b) + flag : a + b + flag;
        if (wide)
            step.word64(op.d, lane) = static_cast<std::uint64_t>(r);
        else
            step.word32(op.d, lane) = static_cast<std::uint32_t>(r);
        if (out) flags = (flags & ~(1U << lane)) | static_cast<std::uint32_t>(r >> (wide ? 64 : 32) & 1) << lane;
    });
}

} // namespace ptxwb::emulator

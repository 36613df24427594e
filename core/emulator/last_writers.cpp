#include "emulator/state.h"

namespace ptxwb::emulator {

void noteWriters(const Step& step, const Addresses& addresses, std::uint32_t mask, std::uint32_t bytes) {
    Engine& engine = step.engine;
    for (std::size_t i = 0; i < engine.lastWriters.size(); ++i) {
        const Watch& watch = engine.options.watched[i];
        forLanes(mask, [&](unsigned lane) {
            const std::uint64_t at = addresses.at[lane];
            if (at >= watch.address + watch.bytes || watch.address >= at + bytes) return;
            const ptx::Span span = step.function().source->instructions[step.op.instruction].span;
            const Place place = engine.program.module->placeOf(span);
            engine.lastWriters[i] = Writer{place.line, place.column, span.length, step.block.index,
                                           threadIndex(engine.launch, step.warp.index, lane)};
        });
    }
}

} // namespace ptxwb::emulator

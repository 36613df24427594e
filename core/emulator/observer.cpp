#include "emulator/observer.h"

#include "emulator/recorder.h"

namespace ptxwb::emulator {

Observer::Observer(const Program& program, const Launch& launch, const Options& options) {
    if (options.counting) work.emplace(program);
    if (options.record) recorder = std::make_unique<Recorder>(program, launch, *options.record);
}

Observer::~Observer() = default;

void Observer::begin(const Step& step, std::size_t running) {
    if (work) work->instruction(step.function(), step.op, lanesIn(step.mask), step.engine.counters);
    if (recorder && recorder->isOf(step)) recorder->begin(step, running);
}

void Observer::takeBack(const Step& step) {
    if (work) work->takeBack(lanesIn(step.mask));
    if (recorder && recorder->isOf(step)) recorder->takeBack();
}

void Observer::access(const Step& step, ptx::StateSpace space, const Addresses& a, std::uint32_t bytes,
                      AccessKind kind) {
    const auto one = [&](Window window, std::uint32_t mask, std::uint64_t base) {
        if (work) work->access(step, window, a, mask, bytes, kind);
        if (recorder && recorder->isOf(step)) recorder->access(step, window, a, mask, base, bytes);
    };
    switch (space) {
    case ptx::StateSpace::param:
        if (recorder && recorder->isOf(step)) recorder->accessFrame();
        return;
    case ptx::StateSpace::shared: return one(Window::shared, step.mask, 0);
    case ptx::StateSpace::local: return one(Window::local, step.mask, 0);
    case ptx::StateSpace::none:
        byWindow(a, step.mask, [&](Window window, std::uint32_t lanes) {
            one(window, lanes, window == Window::shared ? sharedWindow : window == Window::local ? localWindow : 0);
        });
        return;
    case ptx::StateSpace::constant: // its own cache, of which no rule is public
        if (recorder && recorder->isOf(step)) recorder->access(step, Window::global, a, step.mask, 0, bytes);
        return;
    default: return one(Window::global, step.mask, 0);
    }
}

void Observer::settle(Engine& engine) {
    if (work) work->attribute(engine.counters);
    if (recorder) recorder->settle();
}

} // namespace ptxwb::emulator

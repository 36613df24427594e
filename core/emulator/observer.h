// What looks on while a run goes, beside the checkers: the counting of work and the recording of one warp. One a host
// thread, only where the options ask for either. Called by the warp's loop and by the operations that touch memory.
#pragma once

#include "emulator/work_counter.h"

#include <memory>
#include <optional>

namespace ptxwb::emulator {

class Recorder;

class Observer {
public:
    Observer(const Program& program, const Launch& launch, const Options& options);
    ~Observer();

    /// The first micro-operation of an instruction is about to run: step.mask holds the lanes whose guard holds.
    /// `running`: the split's place in the warp's list.
    void begin(const Step& step, std::size_t running);
    /// That instruction waits for other lanes: `begin` will be called again.
    void takeBack(const Step& step);
    /// Lanes of step.mask are about to access `bytes` at their addresses. `space` as the instruction has it: none for
    /// generic addresses, param for what lies in the frame.
    void access(const Step& step, ptx::StateSpace space, const Addresses& a, std::uint32_t bytes, AccessKind kind);
    /// The running split gives way to another one.
    void settle(Engine& engine);

    std::optional<WorkCounter> work;
    std::unique_ptr<Recorder> recorder;
};

} // namespace ptxwb::emulator

// Which memory the steps of a recording touch: each lane's address, from the registers as they stand before the step.
// Called by whoever shows a recording: the window's stepper shows the access that is about to happen.
#pragma once

#include "emulator/access_shape.h"
#include "emulator/recording.h"

namespace ptxwb::emulator {

/// One memory that a step accesses, lane by lane.
struct StepAccess {
    enum class Kind : std::uint8_t { load, store, atomic };

    RecordedSpace space = RecordedSpace::global; ///< never `registers`
    bool isConstant = false;                     ///< of .const: it has a cache of its own, of which no rule is public
    Kind kind = Kind::load;
    bool isRows = false;          ///< ldmatrix and stmatrix: a lane gives the address of a row of 16 bytes
    std::uint32_t bytes = 0;      ///< of one lane
    std::uint32_t lanes = 0;      ///< that access it; not 0
    std::uint64_t at[32] = {};    ///< device address, offset in shared memory, or the lane's own offset in local memory
    std::uint32_t misaligned = 0; ///< lanes whose address is no multiple of `bytes`: no shape is counted then

    LaneAddresses addresses() const { return {at, lanes, bytes}; }
};

class RecordedAccesses {
public:
    /// Decodes the text that was recorded. Errors: those of `decode`; a text that is another one than the recording's
    /// (Cause::rejected).
    static Expected<RecordedAccesses> of(std::shared_ptr<const ptx::Module> module, const Recording& recording);

    /// Of the step that comes next; empty where it touches no memory, at the end, and for parameters. cp.async has two.
    std::vector<StepAccess> next(const WarpStepper& stepper) const;
    /// The place's instruction in its function, for those who look at operands.
    std::uint32_t instructionOf(std::uint32_t place) const { return m_places[place].instruction; }
    const ptx::Function& functionOf(std::uint32_t place) const { return *m_places[place].source; }

private:
    struct Planned {
        StepAccess::Kind kind = StepAccess::Kind::load;
        RecordedSpace space = RecordedSpace::global;
        bool isGeneric = false, isConstant = false, isRows = false;
        std::uint32_t bytes = 0;
        std::uint32_t lanes = ~0U; ///< that can take part
        std::uint32_t base = ~0U;  ///< number of a register; ~0: none
        std::int64_t offset = 0;
    };
    struct PlaceOf {
        const ptx::Function* source = nullptr;
        std::uint32_t instruction = 0;
        std::vector<Planned> planned;
    };

    std::shared_ptr<const Program> m_program; ///< keeps the module's functions
    std::vector<PlaceOf> m_places;
};

} // namespace ptxwb::emulator

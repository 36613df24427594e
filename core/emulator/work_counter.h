// Counts what each instruction does, for one host thread of a run. Only made where Options::counting asks for it.
// Told by the observer; `run` merges the counters of its threads and folds instructions into lines.
#pragma once

#include "emulator/counters.h"
#include "emulator/memory_access.h"

#include <memory>

namespace ptxwb::emulator {

enum class AccessKind : std::uint8_t { load, store, atomic };

class WorkCounter {
public:
    explicit WorkCounter(const Program& program);

    /// A warp instruction with `active` lanes is about to be executed.
    void instruction(const DecodedFunction& function, const MicroOp& op, unsigned active, const Counters& sofar) {
        attribute(sofar);
        PlaceCounts& c = m_counts[m_current = numberOf(function, op.instruction)];
        ++c.warps;
        c.threads += active;
        c.idle += active == 0;
    }
    /// The last one waits and will be told again.
    void takeBack(unsigned active) {
        PlaceCounts& c = m_counts[m_current];
        --c.warps;
        c.threads -= active;
        c.idle -= active == 0;
    }
    /// Branches since the last instruction were that one's.
    void attribute(const Counters& sofar) {
        PlaceCounts& c = m_counts[m_current];
        c.branches += sofar.branches - m_branches;
        c.divergent += sofar.divergentBranches - m_divergent;
        m_branches = sofar.branches;
        m_divergent = sofar.divergentBranches;
    }

    /// Lanes of `mask` access `bytes` each. Addresses may have a window's base on top: it is a multiple of 128.
    void access(const Step& step, Window window, const Addresses& a, std::uint32_t mask, std::uint32_t bytes,
                AccessKind kind);

    void merge(const WorkCounter& other);
    Work result() const;

private:
    struct PlaceCounts {
        std::uint64_t warps = 0, threads = 0, idle = 0, branches = 0, divergent = 0;
    };
    /// What one access of an instruction came to: the next one mostly has the same pattern.
    struct Pattern {
        std::uint32_t mask = 0;
        Window window = Window::global;
        std::uint64_t first = 0;      ///< address of lane 0, as far as it matters
        std::uint64_t distance[32]{}; ///< of each lane's address to lane 0's
        WorkCounts counts;
    };
    static constexpr std::size_t patternsKept = 16; ///< of each instruction

    static void measure(WorkCounts& counts, const Step& step, Window window, const Addresses& a, std::uint32_t mask,
                        std::uint32_t bytes, AccessKind kind);

    std::size_t numberOf(const DecodedFunction& function, std::uint32_t instruction) const {
        return m_first[static_cast<std::size_t>(&function - m_program->functions.data())] + instruction;
    }

    const Program* m_program;
    std::vector<std::size_t> m_first;   ///< by function: the number of its first instruction
    std::vector<PlaceCounts> m_counts;  ///< by number
    std::vector<WorkCounts> m_accesses; ///< by number: only what `access` counts
    std::vector<std::unique_ptr<std::array<Pattern, patternsKept>>> m_patterns; ///< by number
    std::size_t m_current = 0;
    std::uint64_t m_branches = 0, m_divergent = 0;
};

/// What kind of instruction it is, by opcode, types and state space.
InstructionClass classOf(const ptx::Function& function, const ptx::Instruction& instruction);

} // namespace ptxwb::emulator

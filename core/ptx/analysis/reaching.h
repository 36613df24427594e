// Which writes a read may see, and the live ranges (webs) that follow from it.
// Used by the window (go to the definition), by uniformity and by prompts.
#pragma once

#include "ptx/analysis/accesses.h"
#include "ptx/cfg.h"

namespace ptxwb::ptx {

/// A write of a register; `instruction` is noIndex for "no write: what the function found there".
struct Definition {
    Index reg = 0;
    std::uint32_t instruction = 0;
    bool operator==(const Definition&) const = default;
};

/// Definitions of `reg` that may be seen by a read of it in `instruction`, in order of the text. Where a way leads
/// there without any write, the last one has noIndex.
class ReachingDefinitions {
public:
    ReachingDefinitions(const Function& function, const ControlFlow& flow);
    std::vector<Definition> of(Index reg, std::uint32_t instruction) const;

private:
    const ControlFlow& m_flow;
    AccessTable m_accesses;
    std::vector<Index> m_registers;                    ///< that are written, ascending
    std::vector<std::vector<std::uint32_t>> m_writers; ///< of each of these
};

/// Live ranges: writes that a read can see together belong to one. Numbered in order of their first write; a register
/// that is read where nothing wrote it has a web of its own for that.
struct Webs {
    struct Web {
        Index reg = 0;
        std::vector<std::uint32_t> writes, reads; ///< instructions, ascending
    };
    std::vector<Web> all;
};
Webs webs(const Function& function, const ControlFlow& flow);

} // namespace ptxwb::ptx

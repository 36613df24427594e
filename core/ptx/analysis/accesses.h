// Which registers an instruction reads and writes.
// Used by the analyses of this folder.
#pragma once

#include "ptx/module.h"

namespace ptxwb::ptx {

enum class Access : std::uint8_t {
    read,
    write,
    partialWrite, ///< guarded, or one component of a vector: the old value lives on where it is not taken
};

struct RegisterAccess {
    Index reg = 0;
    Access kind = Access::read;
};

/// Reads before writes; a register that is mentioned twice appears twice. The guard is a read.
void appendAccesses(const Function& function, const Instruction& instruction, std::vector<RegisterAccess>& all);

/// All of a function, one list an instruction.
struct AccessTable {
    explicit AccessTable(const Function& function);
    std::span<const RegisterAccess> of(std::size_t instruction) const {
        return {accesses.data() + first[instruction], first[instruction + 1] - first[instruction]};
    }
    std::vector<RegisterAccess> accesses;
    std::vector<std::size_t> first; ///< one more than there are instructions
};

} // namespace ptxwb::ptx

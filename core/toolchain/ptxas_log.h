// Reads what `ptxas -v` writes: resources by entry name, messages with lines.
// Called by ptxas.cpp, and by the import of logs that were written elsewhere.
#pragma once

#include "support/diagnostic.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::toolchain {

struct EntryResources {
    std::string entry;
    std::string arch; ///< "sm_90"
    std::uint32_t registers = 0;
    std::uint32_t stackBytes = 0; ///< of the entry's own frame
    std::uint32_t spillStoreBytes = 0, spillLoadBytes = 0;
    std::uint32_t staticSharedBytes = 0;
    std::uint32_t barriers = 0;
    std::uint32_t localBytes = 0;
    std::uint32_t cumulativeStackBytes = 0; ///< with what it calls
    std::uint32_t textureCount = 0, surfaceCount = 0, samplerCount = 0;
    /// Constant memory of the entry: its parameters and its own constants. From the cubin; where only a log is at hand,
    /// the sum of the banks (which on older chips includes what the driver keeps in bank 0).
    std::uint32_t constantBytes = 0;
    std::map<int, std::uint32_t> constantBanks; ///< cmem[n] as the log has it; sm_90 and later list none
    double compileMilliseconds = 0;
    std::vector<std::string> other; ///< parts of the "Used" line that are not known here

    bool operator==(const EntryResources&) const = default;
};

struct FunctionResources {
    std::string function; ///< a device function that was not inlined
    std::uint32_t stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0;

    bool operator==(const FunctionResources&) const = default;
};

struct PtxasLog {
    std::vector<EntryResources> entries; ///< in the log's order, which is not the file's
    std::vector<FunctionResources> functions;
    std::vector<Diagnostic> diagnostics; ///< repeated ones once, with a count and the other places as related
    std::uint32_t globalBytes = 0;       ///< .global variables of the module
    std::map<int, std::uint32_t> moduleConstantBanks;
    std::vector<std::string> unknownLines; ///< information that is not understood here; never an error
};

/// `ptx` is the text that was assembled (for columns and for messages without a line), `file` its name for the places,
/// `assembledAs` the path that ptxas was given (it appears in messages).
PtxasLog parsePtxasLog(std::string_view log, std::string_view ptx = {}, std::string_view file = {},
                       std::string_view assembledAs = {});

} // namespace ptxwb::toolchain

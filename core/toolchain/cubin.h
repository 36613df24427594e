// Reads what the workbench needs from a cubin (ELF64): the code sections' hash and the size of kernel parameters.
// Called after assembling. The file may be damaged or hostile: every offset is checked.
#pragma once

#include "support/diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::toolchain {

struct CubinSection {
    std::string_view name;
    std::string_view bytes; ///< into the cubin
};

/// The sections that have contents. The views live as long as `cubin`.
Expected<std::vector<CubinSection>> cubinSections(std::string_view cubin);

/// SHA-256 over name, size and bytes of the `.text.*` sections in order of their names: equal hashes mean the same
/// machine code. A cubin without code is an error.
Expected<std::string> textSha256(std::string_view cubin);

/// Bytes of constant memory that belong to the entry itself: its parameters and its own constants (banks other than 0),
/// without what the driver keeps in bank 0. nullopt where the cubin does not say.
std::optional<std::uint32_t> entryConstantBytes(const std::vector<CubinSection>& sections, std::string_view entry);

} // namespace ptxwb::toolchain

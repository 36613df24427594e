// Which entry of a module the spec means, and whether a candidate's entry can stand in for the baseline's.
// Called by the funnel for the baseline and each candidate, by `ptxwb run` and `ptxwb init`.
#pragma once

#include "ptx/module.h"
#include "support/finding.h"

#include <optional>
#include <string>
#include <string_view>

namespace ptxwb::verify {

/// The C++ name of a mangled symbol ("void scale<float>(float*, int)"); the symbol itself where it is no mangled one.
std::string demangled(std::string_view symbol);

/// The entry called `wanted`: the exact symbol, else the only one whose demangled name is `wanted` with or without
/// return type, parameters and template arguments ("scale<float>", "scale", "ns::scale<float>(float*, int)"). An empty
/// `wanted` means the only entry there is. Errors (Cause::rejected): none or several, with the names there are and the
/// nearest one.
Expected<const ptx::Function*> findEntry(const ptx::Module& module, std::string_view wanted);

/// A parameter as the launch sees it. Offsets follow size and alignment. Source: PTX ISA 9.0, 5.1.6.2.
struct ParameterPlace {
    std::string name;
    std::uint32_t offset = 0, size = 0; ///< bytes
};
std::vector<ParameterPlace> parameterPlaces(const ptx::Function& entry);

/// Nothing where both take the same parameter block. Otherwise a finding `launch` at the candidate's first parameter
/// that differs. `otherName` is how the message calls the other side ("the baseline").
std::optional<Finding> compareParameters(const ptx::Module& module, const ptx::Function& entry,
                                         const std::vector<ParameterPlace>& other, std::string_view otherName);

/// Nothing where `.maxntid`, `.reqntid` and the like of the entry allow `block`; otherwise a finding `launch` at the
/// directive.
std::optional<Finding> checkBlockSize(const ptx::Module& module, const ptx::Function& entry, const Index3& block);

} // namespace ptxwb::verify

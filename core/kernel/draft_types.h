// A C++ parameter type as far as a draft needs it.
// Shared by draft.cpp and draft_types.cpp only.
#pragma once

#include "kernel/element_type.h"

#include <optional>
#include <string>
#include <string_view>

namespace ptxwb::kernel {

struct CppType {
    std::string base; ///< without const, restrict and stars
    int pointers = 0;
    bool pointsToConst = false;
    std::optional<ElementType> element; ///< absent: a struct or a name that is not known
    std::uint32_t lanes = 1;            ///< 4 for float4
};

/// "float const* __restrict__", "const unsigned char *", "size_t", "float4*"
CppType readCppType(std::string_view text);

} // namespace ptxwb::kernel

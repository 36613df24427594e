// Where each value of a JSON text stands, so that a message about `launch.grid[0]` points to line and column.
// Called by the spec loader.
#pragma once

#include "support/diagnostic.h"

#include <map>

namespace ptxwb::kernel {

struct JsonPlace {
    Place key;   ///< of the member's name; line 0 for array elements and the root
    Place value; ///< of a text without its quotes; of an object or array its first byte
};

/// By path as JsonReader writes it ("arguments[2].count", "" for the root). `text` must be valid JSON.
std::map<std::string, JsonPlace, std::less<>> jsonPlaces(std::string_view text, const std::string& file);

} // namespace ptxwb::kernel

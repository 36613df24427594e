// Base64 for files that are no text: the worker protocol is JSON.
// Called by requests.cpp only.
#pragma once

#include "support/diagnostic.h"

#include <string>
#include <string_view>

namespace ptxwb::worker {

std::string toBase64(std::string_view bytes);
/// Errors: a character that is none of base64's, a length that is no multiple of 4.
Expected<std::string> fromBase64(std::string_view text);

} // namespace ptxwb::worker

// SHA-256 as lower-case hexadecimal digits.
// Called for cache keys, trust of references, baselines and code sections.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ptxwb {

std::string sha256Hex(std::span<const std::byte> bytes);
std::string sha256Hex(std::string_view bytes);

} // namespace ptxwb

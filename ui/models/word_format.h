// A register's or memory's word as text: hexadecimal, signed, unsigned, as a float or as two halves.
// Used by the models of the warp stepper.
#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <string_view>

namespace ptxwb::ui {

enum class WordFormat : std::uint8_t { byType, hex, signedInteger, unsignedInteger, floating, halves };
inline constexpr std::array wordFormats{WordFormat::byType,          WordFormat::hex,      WordFormat::signedInteger,
                                        WordFormat::unsignedInteger, WordFormat::floating, WordFormat::halves};
QString title(WordFormat format);

/// `type`: of the register as PTX writes it, "f32"; decides for `byType` and how many bits count. `bytes`: 4 or 8 of
/// the word; 0 for a predicate, which is "0" or "1" in every format.
QString wordText(std::uint64_t bits, std::string_view type, unsigned bytes, WordFormat format);

} // namespace ptxwb::ui

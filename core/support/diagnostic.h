// What went wrong, where, why and what to do next: the one error value of the project.
// Returned by everything in core that can fail; printed by the command line, listed by the window.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

enum class Severity : std::uint8_t { error, warning, note };

/// Who has to act. Decides the exit status of `ptxwb`: rejected 1, badRequest 2, missing 3, internal 4, cancelled 130.
enum class Cause : std::uint8_t { rejected, badRequest, missing, internal, cancelled };

/// A place in a text. Lines and columns count from 1, columns and lengths in bytes; line 0 means "no place".
struct Place {
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t length = 0;

    bool operator==(const Place&) const = default;
};

struct RelatedPlace {
    Place place;
    std::string message;

    bool operator==(const RelatedPlace&) const = default;
};

struct Diagnostic {
    Severity severity = Severity::error;
    Cause cause = Cause::badRequest;
    std::string kind; ///< one of the kinds of interfaces ("syntax", "type", "assembler", ...), empty where none fits
    Place place;
    std::string message; ///< what and why
    std::string hint;    ///< what to do next, empty where nothing can be said
    std::vector<RelatedPlace> related;

    bool operator==(const Diagnostic&) const = default;
};

template <class T>
using Expected = std::expected<T, Diagnostic>;

/// An error with no place, for `return failure(Cause::missing, "...", "...")`.
std::unexpected<Diagnostic> failure(Cause cause, std::string message, std::string hint = {});

int exitStatus(Cause cause);
std::string_view name(Severity severity);

/// `FILE:LINE:COL: error: message`, then the source line, a caret range, and `hint: ...`.
/// `source` is the text of `diagnostic.place.file`; with an empty one only the message is printed. Tabs are kept, and a
/// line over 160 bytes is cut around the caret. Ends with a newline.
std::string format(const Diagnostic& diagnostic, std::string_view source = {});

} // namespace ptxwb

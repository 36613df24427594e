#include "support/diagnostic.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb {

namespace {

std::string_view lineAt(std::string_view text, std::uint32_t line) {
    for (std::uint32_t current = 1; current < line; ++current) {
        const auto end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
}

/// Length of the well-formed UTF-8 sequence at `at`, 0 where there is none.
std::size_t sequenceLength(std::string_view text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xC2 && first < 0xE0 ? 2
                               : first >= 0xE0 && first < 0xF0 ? 3
                               : first >= 0xF0 && first < 0xF5 ? 4
                                                               : 0;
    if (length == 0 || at + length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return 0;
    return length;
}

/// What a terminal can show: control bytes would act on it, and bytes that are no UTF-8 would garble it. Each becomes
/// '?'.
std::string printable(std::string_view line) {
    std::string out(line);
    for (std::size_t i = 0; i < out.size();) {
        const std::size_t length = sequenceLength(out, i);
        const auto byte = static_cast<unsigned char>(out[i]);
        if (length == 0 || (byte < 0x20 && byte != '\t') || byte == 0x7F) out[i] = '?';
        i += std::max<std::size_t>(length, 1);
    }
    return out;
}

bool isContinuationByte(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// The source line with the caret range under it, shortened to what surrounds the caret.
std::string excerpt(std::string_view line, std::uint32_t column, std::uint32_t length) {
    constexpr std::size_t widest = 160;
    std::size_t start = std::min<std::size_t>(column - 1, line.size());
    std::size_t count = std::clamp<std::size_t>(length, 1, std::max<std::size_t>(line.size() - start, 1));
    std::string shown = printable(line);
    if (line.size() > widest) {
        const std::size_t from = start > 60 ? start - 60 : 0;
        shown = std::string(from ? "..." : "") + shown.substr(from, widest) + "...";
        start = start - from + (from ? 3 : 0);
        count = std::min(count, shown.size() > start ? shown.size() - start : 1);
    }
    std::string carets;
    for (std::size_t i = 0; i < start && i < shown.size(); ++i)
        if (!isContinuationByte(shown[i])) carets += shown[i] == '\t' ? '\t' : ' ';
    for (std::size_t i = 0; i < count; ++i)
        if (start + i >= shown.size() || !isContinuationByte(shown[start + i])) carets += '^';
    return "    " + shown + "\n    " + carets + "\n";
}

std::string header(const Place& place) {
    if (place.line == 0) return place.file.empty() ? "" : place.file + ": ";
    return fmt::format("{}:{}:{}: ", place.file, place.line, std::max(place.column, 1U));
}

} // namespace

std::unexpected<Diagnostic> failure(Cause cause, std::string message, std::string hint) {
    Diagnostic diagnostic;
    diagnostic.cause = cause;
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    return std::unexpected(std::move(diagnostic));
}

int exitStatus(Cause cause) {
    switch (cause) {
    case Cause::rejected: return 1;
    case Cause::badRequest: return 2;
    case Cause::missing: return 3;
    case Cause::internal: return 4;
    case Cause::cancelled: return 130;
    }
    return 4;
}

std::string_view name(Severity severity) {
    switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "note";
    }
    return "error";
}

std::string format(const Diagnostic& d, std::string_view source) {
    std::string out = fmt::format("{}{}: {}\n", header(d.place), name(d.severity), d.message);
    if (d.place.line && !source.empty())
        out += excerpt(lineAt(source, d.place.line), std::max(d.place.column, 1U), d.place.length);
    if (!d.hint.empty()) out += fmt::format("hint: {}\n", d.hint);
    for (const auto& r : d.related) {
        out += fmt::format("{}note: {}\n", header(r.place), r.message);
        if (r.place.line && !source.empty() && r.place.file == d.place.file)
            out += excerpt(lineAt(source, r.place.line), std::max(r.place.column, 1U), r.place.length);
    }
    return out;
}

} // namespace ptxwb

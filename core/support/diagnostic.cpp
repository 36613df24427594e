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

bool isContinuationByte(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// The source line with the caret range under it, shortened to what surrounds the caret.
std::string excerpt(std::string_view line, std::uint32_t column, std::uint32_t length) {
    constexpr std::size_t widest = 160;
    std::size_t start = std::min<std::size_t>(column - 1, line.size());
    std::size_t count = std::clamp<std::size_t>(length, 1, std::max<std::size_t>(line.size() - start, 1));
    std::string shown(line);
    if (line.size() > widest) {
        const std::size_t from = start > 60 ? start - 60 : 0;
        shown = std::string(from ? "..." : "") + std::string(line.substr(from, widest)) + "...";
        start = start - from + (from ? 3 : 0);
        count = std::min(count, shown.size() > start ? shown.size() - start : 1);
    }
    std::string carets;
    for (std::size_t i = 0; i < start && i < shown.size(); ++i)
        if (!isContinuationByte(shown[i])) carets += shown[i] == '\t' ? '\t' : ' ';
    for (std::size_t i = 0; i < count; ++i)
        if (start + i >= shown.size() || !isContinuationByte(shown[start + i])) carets += '^';
    // Control bytes would act on the terminal instead of being seen.
    for (char& c : shown)
        if (static_cast<unsigned char>(c) < 0x20 && c != '\t') c = '?';
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
    case Cause::rejected:
        return 1;
    case Cause::badRequest:
        return 2;
    case Cause::missing:
        return 3;
    case Cause::internal:
        return 4;
    case Cause::cancelled:
        return 130;
    }
    return 4;
}

std::string_view name(Severity severity) {
    switch (severity) {
    case Severity::error:
        return "error";
    case Severity::warning:
        return "warning";
    case Severity::note:
        return "note";
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

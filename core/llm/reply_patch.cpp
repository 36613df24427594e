#include "llm/reply_patch.h"

#include "llm/reply_blocks.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <vector>

namespace ptxwb::llm {

namespace {

struct Hunk {
    std::optional<std::size_t> line; ///< from 1, as it says
    std::vector<std::string_view> before, after;
};

std::unexpected<Diagnostic> refused(std::string message, std::string hint = "send the whole file instead of a diff") {
    return failure(Cause::rejected, std::move(message), std::move(hint));
}

/// "@@ -12,7 +12,9 @@": 12.
std::optional<std::size_t> lineOf(std::string_view head) {
    const auto minus = head.find('-');
    if (minus == std::string_view::npos) return std::nullopt;
    std::size_t line = 0;
    const auto [end, error] = std::from_chars(head.data() + minus + 1, head.data() + head.size(), line);
    if (error != std::errc{} || line == 0) return std::nullopt;
    return line;
}

Expected<std::vector<Hunk>> unified(const std::vector<std::string_view>& lines) {
    std::vector<Hunk> hunks;
    std::size_t files = 0;
    bool inside = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view line = lines[i];
        if (line.starts_with("--- ") && i + 1 < lines.size() && lines[i + 1].starts_with("+++ ")) {
            if (++files > 1) return refused("the diff changes several files");
            inside = false;
            ++i;
        } else if (line.starts_with("@@")) {
            hunks.push_back({lineOf(line), {}, {}});
            inside = true;
        } else if (inside) {
            Hunk& hunk = hunks.back();
            if (line.starts_with('\\')) continue; // "\ No newline at end of file"
            const std::string_view rest = line.empty() ? line : line.substr(1);
            if (line.empty() || line[0] == ' ' || line[0] == '\t') {
                // Models forget the blank of an unchanged line.
                const std::string_view text = line.starts_with('\t') ? line : rest;
                hunk.before.push_back(text);
                hunk.after.push_back(text);
            } else if (line[0] == '-') {
                hunk.before.push_back(rest);
            } else if (line[0] == '+') {
                hunk.after.push_back(rest);
            } else {
                hunk.before.push_back(line);
                hunk.after.push_back(line);
            }
        }
    }
    for (Hunk& hunk : hunks) // what follows the last change may be the blank line before the fence
        while (!hunk.before.empty() && !hunk.after.empty() && trimmed(hunk.before.back()).empty() &&
               trimmed(hunk.after.back()).empty()) {
            hunk.before.pop_back();
            hunk.after.pop_back();
        }
    return hunks;
}

Expected<std::vector<Hunk>> searchAndReplace(const std::vector<std::string_view>& lines) {
    std::vector<Hunk> hunks;
    enum class Part { outside, before, after } part = Part::outside;
    for (const std::string_view line : lines) {
        if (part == Part::outside && line.starts_with("<<<<<<<")) {
            hunks.emplace_back();
            part = Part::before;
        } else if (part == Part::before && line.starts_with("=======")) {
            part = Part::after;
        } else if (part == Part::after && line.starts_with(">>>>>>>")) {
            part = Part::outside;
        } else if (part != Part::outside) {
            (part == Part::before ? hunks.back().before : hunks.back().after).push_back(line);
        }
    }
    if (part != Part::outside) return refused("the last search-and-replace block is not closed");
    return hunks;
}

/// Tabs and blanks are no difference.
bool sameWords(std::string_view a, std::string_view b) {
    const auto isBlank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    std::size_t i = 0, j = 0;
    for (;;) {
        while (i < a.size() && isBlank(a[i])) ++i;
        while (j < b.size() && isBlank(b[j])) ++j;
        if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
        if (a[i++] != b[j++]) return false;
    }
}

bool standsAt(const std::vector<std::string_view>& text, std::size_t at, const std::vector<std::string_view>& lines) {
    if (at + lines.size() > text.size()) return false;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!sameWords(text[at + i], lines[i])) return false;
    return true;
}

Expected<std::size_t> placeOf(const std::vector<std::string_view>& text, const Hunk& hunk, std::size_t number,
                              std::ptrdiff_t shift) {
    if (hunk.before.empty() && !hunk.line)
        return refused(fmt::format("hunk {} of the diff does not say where it belongs", number));
    if (hunk.before.empty()) return std::min(*hunk.line, text.size());
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at + hunk.before.size() <= text.size(); ++at)
        if (standsAt(text, at, hunk.before)) places.push_back(at);
    if (places.empty()) {
        // The first line that stands nowhere says most.
        std::string_view missing = hunk.before.front();
        for (const std::string_view line : hunk.before)
            if (std::ranges::none_of(text, [&](std::string_view t) { return sameWords(t, line); })) {
                missing = line;
                break;
            }
        return refused(
            fmt::format("hunk {} of the diff does not fit: its lines stand nowhere together; the first that is not "
                        "there is \"{}\"",
                        number, trimmed(missing)));
    }
    if (places.size() == 1) return places.front();
    if (!hunk.line)
        return refused(
            fmt::format("hunk {} of the diff fits in {} places and has no line number", number, places.size()));
    const auto wanted = static_cast<std::ptrdiff_t>(*hunk.line) - 1 + shift;
    return *std::ranges::min_element(
        places, {}, [&](std::size_t at) { return std::abs(static_cast<std::ptrdiff_t>(at) - wanted); });
}

} // namespace

Expected<Patched> applyDiff(std::string_view base, std::string_view diff) {
    const auto lines = linesOf(diff);
    const bool isSearch = std::ranges::any_of(lines, [](std::string_view line) { return line.starts_with("<<<<<<<"); });
    const auto hunks = isSearch ? searchAndReplace(lines) : unified(lines);
    if (!hunks) return std::unexpected(hunks.error());
    if (hunks->empty()) return refused("the diff has no hunk");
    std::vector<std::string_view> text = linesOf(base);
    Patched patched;
    std::ptrdiff_t shift = 0; // by the hunks before
    for (std::size_t i = 0; i < hunks->size(); ++i) {
        const Hunk& hunk = (*hunks)[i];
        if (hunk.before == hunk.after) return refused(fmt::format("hunk {} of the diff changes nothing", i + 1));
        const auto at = placeOf(text, hunk, i + 1, shift);
        if (!at) return std::unexpected(at.error());
        if (hunk.line && !hunk.before.empty() &&
            static_cast<std::ptrdiff_t>(*hunk.line) - 1 + shift != static_cast<std::ptrdiff_t>(*at))
            ++patched.moved;
        const auto begin = text.begin() + static_cast<std::ptrdiff_t>(*at);
        // Unchanged lines keep the blanks that the file has.
        std::vector<std::string_view> after = hunk.after;
        for (std::string_view& line : after)
            for (std::size_t k = 0; k < hunk.before.size(); ++k)
                if (hunk.before[k] == line) {
                    line = begin[static_cast<std::ptrdiff_t>(k)];
                    break;
                }
        text.insert(text.erase(begin, begin + static_cast<std::ptrdiff_t>(hunk.before.size())), after.begin(),
                    after.end());
        shift += static_cast<std::ptrdiff_t>(hunk.after.size()) - static_cast<std::ptrdiff_t>(hunk.before.size());
        ++patched.hunks;
    }
    for (const std::string_view line : text) patched.text += std::string(line) + "\n";
    return patched;
}

} // namespace ptxwb::llm

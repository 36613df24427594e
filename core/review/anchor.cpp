#include "review/anchor.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

namespace ptxwb::review {

namespace {

constexpr std::uint32_t neighbours = 3;
constexpr int ownWeight = 4;
constexpr int neighbourWeight[neighbours] = {2, 1, 1}; ///< the nearer one tells more
constexpr std::size_t wordsOfItsOwn = 4; ///< a line with so many is found wherever it stands, if it stands once
constexpr double similarEnough = 0.3;    ///< share of common words in a line that was edited

/// A brace or a blank line stands everywhere: it tells nothing about a place.
bool tells(std::string_view line) {
    return std::ranges::any_of(line, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; });
}

std::multiset<std::string_view> wordsOf(std::string_view line) {
    std::multiset<std::string_view> words;
    const auto isWord = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%' || c == '$';
    };
    for (std::size_t i = 0; i < line.size();) {
        std::size_t end = i;
        while (end < line.size() && isWord(line[end])) ++end;
        if (end > i) words.insert(line.substr(i, end - i));
        i = std::max(end, i + 1);
    }
    return words;
}

/// Words that both have, of those of the longer one: 0 to 1.
double similarity(std::string_view a, std::string_view b) {
    const auto left = wordsOf(a), right = wordsOf(b);
    if (left.empty() || right.empty()) return 0;
    std::vector<std::string_view> both;
    std::ranges::set_intersection(left, right, std::back_inserter(both));
    return static_cast<double>(both.size()) / static_cast<double>(std::max(left.size(), right.size()));
}

/// One line with the neighbours that surrounded it, nearest first.
struct LineAnchor {
    std::string_view line;
    std::vector<std::string_view> before, after;
};

struct Vote {
    int context = 0;
    bool own = false, previous = false, next = false; ///< the line itself, the line before, the line after it
};

/// Line number, 0 where it is lost.
std::uint32_t locateLine(const LineAnchor& anchor, std::uint32_t lastLine, const TextLines& text) {
    std::map<std::uint32_t, Vote> votes;
    int totalContext = 0;
    const auto collect = [&](const std::vector<std::string_view>& lines, int direction) {
        for (std::uint32_t i = 0; i < std::min<std::size_t>(lines.size(), neighbours); ++i) {
            if (!tells(lines[i])) continue;
            totalContext += neighbourWeight[i];
            for (const std::uint32_t found : text.of(lines[i])) {
                const std::int64_t place = std::int64_t{found} - direction * (std::int64_t{i} + 1);
                if (place < 1 || place > text.count()) continue;
                Vote& vote = votes[static_cast<std::uint32_t>(place)];
                vote.context += neighbourWeight[i];
                if (i == 0) (direction < 0 ? vote.previous : vote.next) = true;
            }
        }
    };
    collect(anchor.before, -1);
    collect(anchor.after, 1);
    const auto& same = text.of(anchor.line);
    for (const std::uint32_t place : same) votes[place].own = true;

    // `ret;` may stand once in a text and still be another kernel's.
    const bool isOwnPlace = same.size() == 1 && wordsOf(anchor.line).size() >= wordsOfItsOwn;
    double bestScore = 0;
    std::uint32_t best = 0;
    const auto distance = [&](std::uint32_t place) { return place > lastLine ? place - lastLine : lastLine - place; };
    for (const auto& [place, vote] : votes) {
        double score = 0;
        if (vote.own) {
            if (vote.context == 0 && totalContext > 0 && !isOwnPlace) continue;
            score = ownWeight + vote.context;
        } else {
            const bool isSlot = vote.previous && vote.next;
            const double alike = similarity(anchor.line, text.at(place));
            if (!isSlot && (2 * vote.context < totalContext || alike < similarEnough)) continue;
            score = alike * ownWeight / 2 + vote.context;
        }
        if (score > bestScore || (score == bestScore && distance(place) < distance(best))) {
            bestScore = score;
            best = place;
        }
    }
    return best;
}

template <class Lines>
void append(std::vector<std::string_view>& to, const Lines& lines) {
    for (const auto& line : lines)
        if (to.size() < neighbours) to.push_back(line);
}

template <class Range>
std::vector<std::string_view> reversed(const Range& lines) {
    return {std::ranges::rbegin(lines), std::ranges::rend(lines)};
}

bool standsAt(const session::Anchor& anchor, std::uint32_t line, const TextLines& text) {
    if (line + anchor.lines.size() - 1 > text.count()) return false;
    for (std::uint32_t i = 0; i < anchor.lines.size(); ++i)
        if (text.at(line + i) != anchor.lines[i]) return false;
    return true;
}

} // namespace

TextLines::TextLines(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        m_lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    m_where.reserve(m_lines.size());
    for (std::uint32_t i = 0; i < m_lines.size(); ++i) m_where[m_lines[i]].push_back(i + 1);
}

const std::vector<std::uint32_t>& TextLines::of(std::string_view line) const {
    static const std::vector<std::uint32_t> none;
    const auto found = m_where.find(line);
    return found == m_where.end() ? none : found->second;
}

session::Anchor anchorAt(const TextLines& text, std::uint32_t line, std::uint32_t lineCount) {
    session::Anchor anchor;
    if (text.count() == 0) return anchor;
    const std::uint32_t first = std::clamp<std::uint32_t>(line, 1, text.count());
    const std::uint32_t last = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(text.count(), std::uint64_t{first} + std::max<std::uint32_t>(lineCount, 1) - 1));
    const auto take = [&](std::uint32_t from, std::uint32_t to, std::vector<std::string>& into) {
        for (std::uint32_t i = from; i <= to; ++i) into.emplace_back(text.at(i));
    };
    take(first, last, anchor.lines);
    take(first > neighbours ? first - neighbours : 1, first - 1, anchor.before);
    take(last + 1, std::min(last + neighbours, text.count()), anchor.after);
    return anchor;
}

Found locate(const session::Anchor& anchor, std::uint32_t lastLine, const TextLines& text) {
    if (anchor.lines.empty()) return {};
    const auto count = static_cast<std::uint32_t>(anchor.lines.size());
    // The first line and the last are looked for on their own: something may have been put between them.
    const std::vector<std::string_view> lines(anchor.lines.begin(), anchor.lines.end());
    LineAnchor first{lines.front(), reversed(anchor.before), {lines.begin() + 1, lines.end()}};
    append(first.after, anchor.after);
    LineAnchor last{lines.back(), reversed(std::span(lines).first(count - 1)), {}};
    append(last.before, reversed(anchor.before));
    append(last.after, anchor.after);
    std::uint32_t begin = locateLine(first, lastLine, text);
    std::uint32_t end = count == 1 ? begin : locateLine(last, lastLine + count - 1, text);
    if (begin == 0 && end == 0) return {};
    if (begin == 0) begin = end >= count ? end - count + 1 : 1;
    // Far apart: what is the last line today is another one.
    if (end < begin || end - begin >= 4 * count + 8) end = std::min(begin + count - 1, text.count());
    return {standsAt(anchor, begin, text) && end - begin + 1 == count ? Fit::same : Fit::edited, begin,
            end - begin + 1};
}

} // namespace ptxwb::review

#include "toolchain/nvcc_log.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace ptxwb::toolchain {

namespace {

std::vector<std::string_view> lines(std::string_view text) {
    std::vector<std::string_view> result;
    while (!text.empty()) {
        const auto newline = text.find('\n');
        auto line = text.substr(0, newline);
        if (line.ends_with('\r')) line.remove_suffix(1);
        result.push_back(line);
        text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    }
    return result;
}

bool readNumber(std::string_view text, std::uint32_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

Diagnostic diagnostic(Severity severity, std::string message) {
    Diagnostic d;
    d.severity = severity;
    d.cause = Cause::rejected;
    d.kind = "syntax";
    d.message = std::move(message);
    return d;
}

constexpr std::string_view waysOut =
    "Three ways out: name another host compiler with -ccbin (settings), add "
    "-allow-unsupported-compiler to the flags (for one that is only too new), or compile "
    "with NVRTC, which needs none.";

/// The two messages of an unsuitable host compiler, which come with a wall of other text or with a riddle.
std::optional<Diagnostic> hostCompilerProblem(std::string_view log, std::string_view nvcc) {
    for (const auto line : lines(log)) {
        if (const auto at = line.find("unsupported ");
            at != std::string_view::npos && line.find("#error") != std::string_view::npos) {
            // "#error -- unsupported GNU version! gcc versions later than 15 are not supported!"
            auto limit = line.substr(at);
            const auto sentence = limit.find("! ");
            limit = sentence == std::string_view::npos ? limit : limit.substr(sentence + 2);
            const auto end = limit.find('!');
            auto d = diagnostic(Severity::error,
                                fmt::format("the host compiler does not suit {}: {}", nvcc, limit.substr(0, end)));
            d.cause = Cause::missing;
            d.hint = waysOut;
            return d;
        }
    }
    if (log.find("Failed to preprocess host compiler properties") == std::string_view::npos &&
        log.find("Cannot find compiler") == std::string_view::npos)
        return std::nullopt;
    std::string_view name = "the host compiler";
    constexpr std::string_view notFound = ": No such file or directory";
    for (const auto line : lines(log))
        if (line.ends_with(notFound)) name = line.substr(0, line.size() - notFound.size());
    auto d = diagnostic(Severity::error,
                        fmt::format("{} was not found, and {} needs a host compiler even to make PTX", name, nvcc));
    d.cause = Cause::missing;
    d.hint = waysOut;
    return d;
}

struct Level {
    std::string_view text;
    Severity severity;
};
constexpr Level levels[] = {
    {"catastrophic error", Severity::error}, {"fatal error", Severity::error}, {"error", Severity::error},
    {"warning", Severity::warning},          {"remark", Severity::note},       {"note", Severity::note}};

/// "error: text", "warning #177-D: text"
std::optional<Diagnostic> levelled(std::string_view text) {
    for (const auto& level : levels) {
        if (!text.starts_with(level.text)) continue;
        auto rest = text.substr(level.text.size());
        if (rest.starts_with(" #")) rest.remove_prefix(std::min(rest.size(), rest.find(':')));
        if (!rest.starts_with(':')) continue;
        rest.remove_prefix(std::min<std::size_t>(rest.size(), 2));
        return diagnostic(level.severity, std::string(rest));
    }
    return std::nullopt;
}

/// FILE(LINE): error: text
std::optional<Diagnostic> frontEnd(std::string_view line) {
    for (auto at = line.find("): "); at != std::string_view::npos; at = line.find("): ", at + 1)) {
        const auto open = line.rfind('(', at);
        std::uint32_t number = 0;
        if (open == std::string_view::npos || !readNumber(line.substr(open + 1, at - open - 1), number)) continue;
        if (auto d = levelled(line.substr(at + 3))) {
            d->place = {std::string(line.substr(0, open)), number, 0, 0};
            return d;
        }
    }
    return std::nullopt;
}

/// FILE:LINE:COL: error: text
std::optional<Diagnostic> hostCompiler(std::string_view line) {
    for (auto at = line.find(": "); at != std::string_view::npos; at = line.find(": ", at + 1)) {
        auto place = line.substr(0, at);
        const auto second = place.rfind(':');
        const auto first =
            second == std::string_view::npos || second == 0 ? std::string_view::npos : place.rfind(':', second - 1);
        std::uint32_t row = 0, column = 0;
        if (first == std::string_view::npos || !readNumber(place.substr(first + 1, second - first - 1), row) ||
            !readNumber(place.substr(second + 1), column))
            continue;
        if (auto d = levelled(line.substr(at + 2))) {
            d->place = {std::string(place.substr(0, first)), row, column, 0};
            return d;
        }
    }
    return std::nullopt;
}

/// nvcc fatal   : text
std::optional<Diagnostic> driver(std::string_view line) {
    for (const std::string_view tool : {"nvcc ", "cudafe++ ", "cicc ", "ptxas "}) {
        if (!line.starts_with(tool)) continue;
        const auto rest = line.substr(tool.size());
        const auto severity =
            rest.starts_with("fatal") || rest.starts_with("error") ? Severity::error : Severity::warning;
        if (severity == Severity::warning && !rest.starts_with("warning")) continue;
        const auto colon = rest.find(": ");
        if (colon == std::string_view::npos) continue;
        auto text = rest.substr(colon + 2);
        text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
        return diagnostic(severity, std::string(text));
    }
    return std::nullopt;
}

/// The caret line under a front-end message gives the column.
void takeColumn(Diagnostic& d, std::string_view line) {
    if (d.place.line && !d.place.column && line.find_first_not_of(" \t^~") == std::string_view::npos)
        if (const auto caret = line.find('^'); caret != std::string_view::npos && caret >= 2)
            d.place.column = static_cast<std::uint32_t>(caret - 2 + 1); // the source line is indented by two
}

} // namespace

std::vector<Diagnostic> parseNvccLog(std::string_view log, std::string_view nvcc) {
    if (auto problem = hostCompilerProblem(log, nvcc)) return {std::move(*problem)};
    std::vector<Diagnostic> found;
    std::string_view before;
    for (const auto line : lines(log)) {
        auto d = frontEnd(line);
        if (!d) d = hostCompiler(line);
        if (!d) d = driver(line);
        if (d) {
            if (d->severity == Severity::note && !found.empty())
                found.back().related.push_back({d->place, d->message});
            else if (std::ranges::find(found, *d) == found.end()) // device and host pass repeat each other
                found.push_back(std::move(*d));
        } else if (!found.empty() && before.starts_with("  ") &&
                   before.find("__attribute__((global))") == std::string_view::npos) {
            // A line in which __global__ was expanded has its columns shifted.
            takeColumn(found.back(), line);
        }
        before = line;
    }
    return found;
}

} // namespace ptxwb::toolchain

#include "kernel/candidate_header.h"

#include "kernel/spec_problems.h"
#include "support/nearest.h"

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::kernel {

namespace {

constexpr auto directives = std::to_array<std::string_view>({"title", "origin", "launch", "launches", "require"});
constexpr auto oneExample = R"(//@ launch {"grid": [64, 1, 1], "block": [128, 1, 1]})";
constexpr auto stepsExample =
    R"(//@ launches [{"entry": "first", "launch": {"grid": [64, 1, 1], "block": [128, 1, 1]}, "arguments": ["x", "y"]}])";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// One `//@ word rest` line and where it stands.
struct Directive {
    std::string_view word, rest;
    Place place; ///< of the rest
};

class HeaderReader {
public:
    HeaderReader(const std::vector<std::string>& symbols, const std::string& file) : m_symbols(symbols), m_file(file) {}

    Expected<CandidateHeader> read(std::string_view ptx) {
        for (std::uint32_t line = 1; !ptx.empty(); ++line) {
            const auto end = std::min(ptx.find('\n'), ptx.size());
            const std::string_view text = ptx.substr(0, end);
            ptx.remove_prefix(std::min(end + 1, ptx.size()));
            const std::string_view content = trimmed(text);
            if (content.empty()) continue;
            if (!content.starts_with("//")) break;
            if (!content.starts_with("//@")) continue;
            const auto inside = trimmed(content.substr(3));
            const auto word = inside.substr(0, std::min(inside.find_first_of(" \t"), inside.size()));
            const auto rest = trimmed(inside.substr(word.size()));
            const auto at = static_cast<std::uint32_t>((rest.empty() ? word.data() : rest.data()) - text.data());
            const auto length = static_cast<std::uint32_t>(std::max<std::size_t>(1, rest.size()));
            if (auto done = take({word, rest, {m_file, line, at + 1, length}}); !done)
                return std::unexpected(std::move(done.error()));
        }
        return std::move(m_header);
    }

private:
    std::unexpected<Diagnostic> error(Place place, std::string message, std::string hint) const {
        auto result = failure(Cause::rejected, std::move(message), std::move(hint));
        result.error().kind = "launch";
        result.error().place = std::move(place);
        return result;
    }

    Expected<void> take(const Directive& directive) {
        if (std::ranges::find(directives, directive.word) == directives.end()) {
            const auto nearest = nearestName(directive.word, std::span<const std::string_view>(directives));
            return error(directive.place, fmt::format("unknown directive \"//@ {}\"", directive.word),
                         nearest.empty() ? "known: title, origin, launch, launches, require"
                                         : fmt::format("did you mean \"//@ {}\"?", nearest));
        }
        if (directive.rest.empty())
            return error(directive.place, fmt::format("\"//@ {}\" says nothing", directive.word),
                         "write it on the same line, or remove the line");
        if (directive.word == "title") m_header.title = directive.rest;
        if (directive.word == "origin") m_header.origin = directive.rest;
        if (directive.word == "require") return require(directive);
        if (directive.word == "launch" || directive.word == "launches") return launch(directive);
        return {};
    }

    Expected<void> require(const Directive& directive) {
        auto condition = Expression::compile(directive.rest, m_symbols);
        if (!condition) {
            auto place = directive.place;
            place.column += condition.error().place.column - 1;
            place.length = condition.error().place.length;
            return error(place, "//@ require: " + condition.error().message, condition.error().hint);
        }
        m_header.require.push_back(std::move(*condition));
        return {};
    }

    Expected<void> launch(const Directive& directive) {
        const std::string line = fmt::format("//@ {}", directive.word);
        if (m_header.launch) {
            const bool same = m_header.launch->steps.empty() == (directive.word == "launch");
            return same ? error(directive.place, fmt::format("a second \"{}\"", line), "one line holds all keys")
                        : error(directive.place, "\"//@ launch\" beside \"//@ launches\"",
                                "one launch or several: remove one of the lines");
        }
        const bool isList = directive.word == "launches";
        const std::string text(directive.rest);
        const auto json = parseJson(text);
        if (!json) {
            auto place = directive.place;
            if (json.error().place.line == 1) {
                place.column += json.error().place.column - 1;
                place.length = 1;
            }
            return error(place, fmt::format("{}: {}", line, json.error().message),
                         fmt::format("e.g. {}", isList ? stepsExample : oneExample));
        }
        SpecProblems problems(text, m_file);
        SpecContext context{problems, m_symbols};
        if (isList)
            m_header.launch.emplace().steps = readSteps(context, JsonReader(*json), stepsExample);
        else
            m_header.launch = readOverride(context, JsonReader(*json));
        for (auto& problem : problems.take()) {
            auto place = directive.place;
            if (problem.place.line) {
                place.column += problem.place.column - 1;
                place.length = problem.place.length;
            }
            return error(place, fmt::format("{}: {}", line, problem.message), problem.hint);
        }
        return {};
    }

    static LaunchOverride readOverride(SpecContext& c, const JsonReader& value) {
        LaunchOverride result;
        if (!c.problems.onlyKeys(value, {"grid", "block", "shared_bytes", "cluster", "cooperative"}, oneExample))
            return result;
        if (const auto grid = value.find("grid")) result.grid = readTriple(c, *grid, oneExample);
        if (const auto block = value.find("block")) result.block = readTriple(c, *block, oneExample);
        if (const auto cluster = value.find("cluster"))
            result.cluster = readTriple(c, *cluster, R"("cluster": [2, 1, 1])");
        if (const auto shared = value.find("shared_bytes"))
            result.sharedBytes = readFormula(c, *shared, Arithmetic::integer, R"("shared_bytes": 1024)");
        if (const auto cooperative = value.find("cooperative")) result.cooperative = readBoolean(c, *cooperative);
        return result;
    }

    const std::vector<std::string>& m_symbols;
    const std::string& m_file;
    CandidateHeader m_header;
};

} // namespace

const std::vector<LaunchStep>& launchSteps(const KernelSpec& spec, const LaunchOverride* own) {
    return own && !own->steps.empty() ? own->steps : spec.launches;
}

Expected<CandidateHeader> readCandidateHeader(std::string_view ptx, const std::vector<std::string>& symbols,
                                              const std::string& file) {
    return HeaderReader(symbols, file).read(ptx);
}

} // namespace ptxwb::kernel

#include "kernel/spec_problems.h"

#include "support/nearest.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::kernel {

SpecProblems::SpecProblems(std::string_view text, std::string file)
    : m_file(std::move(file)), m_places(jsonPlaces(text, m_file)) {}

Place SpecProblems::placeOf(const std::string& path, PlaceOf place) const {
    const auto found = m_places.find(path);
    if (found == m_places.end()) return {m_file, 0, 0, 0};
    return place == PlaceOf::key ? found->second.key : found->second.value;
}

void SpecProblems::error(const std::string& path, std::string_view message, std::string hint, PlaceOf place) {
    Diagnostic problem;
    problem.place = placeOf(path, place);
    problem.message = path.empty() ? std::string(message) : fmt::format("{}: {}", path, message);
    problem.hint = std::move(hint);
    m_diagnostics.push_back(std::move(problem));
    m_errors = true;
}

void SpecProblems::warning(const std::string& path, std::string_view message, std::string hint) {
    Diagnostic problem;
    problem.severity = Severity::warning;
    problem.place = placeOf(path, PlaceOf::value);
    problem.message = fmt::format("{}: {}", path, message);
    problem.hint = std::move(hint);
    m_diagnostics.push_back(std::move(problem));
}

void SpecProblems::expression(const std::string& path, Diagnostic problem) {
    auto place = placeOf(path, PlaceOf::value);
    if (place.line && problem.place.line) {
        place.column += problem.place.column - 1;
        place.length = problem.place.length;
    }
    problem.place = std::move(place);
    problem.message = fmt::format("{}: {}", path, problem.message);
    m_diagnostics.push_back(std::move(problem));
    m_errors = true;
}

void SpecProblems::refuse(const std::string& path, Diagnostic problem, std::string_view example) {
    problem.place = placeOf(path, PlaceOf::value);
    if (!example.empty()) problem.hint = fmt::format("e.g. {}", example);
    m_diagnostics.push_back(std::move(problem));
    m_errors = true;
}

bool SpecProblems::onlyKeys(const JsonReader& object, std::initializer_list<std::string_view> known,
                            std::string_view example) {
    const auto members = take(object, object.members(), example);
    if (!members) return false;
    for (const auto& [key, value] : *members) {
        if (std::ranges::find(known, key) != known.end()) continue;
        const auto nearest = nearestName(key, std::span<const std::string_view>(known.begin(), known.size()));
        error(object.path(), fmt::format("unknown key \"{}\"", key),
              nearest.empty() ? fmt::format("known here: {}", fmt::join(known, ", "))
                              : fmt::format("did you mean \"{}\"?", nearest));
        m_diagnostics.back().place = placeOf(value.path(), PlaceOf::key);
    }
    return true;
}

std::vector<Diagnostic> SpecProblems::take() {
    std::ranges::stable_sort(m_diagnostics, {},
                             [](const Diagnostic& d) { return std::pair(d.place.line, d.place.column); });
    return std::move(m_diagnostics);
}

} // namespace ptxwb::kernel

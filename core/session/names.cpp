#include "session/session.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace ptxwb::session {

namespace {

template <class Enum>
using Names = std::pair<Enum, std::string_view>;

constexpr std::array origins{Names<OriginKind>{OriginKind::nvcc, "nvcc"}, Names<OriginKind>{OriginKind::hand, "hand"},
                             Names<OriginKind>{OriginKind::model, "model"},
                             Names<OriginKind>{OriginKind::import, "import"}};
constexpr std::array reviewStates{Names<ReviewState>{ReviewState::open, "open"},
                                  Names<ReviewState>{ReviewState::approved, "approved"},
                                  Names<ReviewState>{ReviewState::changesRequested, "changes_requested"},
                                  Names<ReviewState>{ReviewState::rejected, "rejected"}};
constexpr std::array versionReasons{Names<VersionReason>{VersionReason::verified, "verified"},
                                    Names<VersionReason>{VersionReason::saved, "saved"},
                                    Names<VersionReason>{VersionReason::replaced, "replaced"}};

bool isTaken(const Session& session, std::string_view name, std::string_view except) {
    return std::ranges::any_of(session.candidates,
                               [&](const Candidate& c) { return c.name == name && c.id != except; });
}

bool isBlank(std::string_view text) {
    return text.find_first_not_of(" \t") == std::string_view::npos;
}

} // namespace

std::string_view name(OriginKind kind) {
    return std::ranges::find(origins, kind, &Names<OriginKind>::first)->second;
}

std::optional<OriginKind> originKind(std::string_view name) {
    const auto found = std::ranges::find(origins, name, &Names<OriginKind>::second);
    return found == origins.end() ? std::nullopt : std::optional(found->first);
}

std::string_view name(ReviewState state) {
    return std::ranges::find(reviewStates, state, &Names<ReviewState>::first)->second;
}

std::optional<ReviewState> reviewState(std::string_view name) {
    const auto found = std::ranges::find(reviewStates, name, &Names<ReviewState>::second);
    return found == reviewStates.end() ? std::nullopt : std::optional(found->first);
}

std::string_view name(VersionReason reason) {
    return std::ranges::find(versionReasons, reason, &Names<VersionReason>::first)->second;
}

std::optional<VersionReason> versionReason(std::string_view name) {
    const auto found = std::ranges::find(versionReasons, name, &Names<VersionReason>::second);
    return found == versionReasons.end() ? std::nullopt : std::optional(found->first);
}

std::string freeName(const Session& session, std::string_view wanted) {
    std::string stem;
    for (const char c : wanted) stem += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    if (isBlank(stem)) stem = "candidate";
    std::string free = stem;
    for (int number = 2; !nameProblem(session, free).empty(); ++number) free = fmt::format("{} {}", stem, number);
    return free;
}

std::string nameProblem(const Session& session, std::string_view name, std::string_view except) {
    if (isBlank(name)) return "A candidate needs a name.";
    if (std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
        return "A candidate's name is one line without control characters.";
    // Reports call nvcc's PTX by this name.
    if (name == baselineId) return "\"baseline\" is the name of nvcc's own PTX.";
    if (isTaken(session, name, except)) return fmt::format("Another candidate is named \"{}\" already.", name);
    return {};
}

} // namespace ptxwb::session

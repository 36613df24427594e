#include "llm/chat.h"

#include <array>

namespace ptxwb::llm {

namespace {

constexpr std::array<std::string_view, 3> roleNames{"system", "user", "assistant"};
constexpr std::array<std::string_view, 3> finishNames{"complete", "length", "filtered"};

template <class Enum, std::size_t count>
std::optional<Enum> find(const std::array<std::string_view, count>& names, std::string_view wanted) {
    for (std::size_t i = 0; i < count; ++i)
        if (names[i] == wanted) return static_cast<Enum>(i);
    return std::nullopt;
}

} // namespace

std::string_view name(Role role) {
    return roleNames[static_cast<std::size_t>(role)];
}

std::optional<Role> role(std::string_view name) {
    return find<Role>(roleNames, name);
}

std::string_view name(Finish finish) {
    return finishNames[static_cast<std::size_t>(finish)];
}

std::optional<Finish> finish(std::string_view name) {
    return find<Finish>(finishNames, name);
}

} // namespace ptxwb::llm

#include "review/people.h"

#include <algorithm>

namespace ptxwb::review {

namespace {

/// Lower case (ASCII), blanks at the ends gone and those between as one.
std::string plain(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == ' ' || c == '\t') {
            if (!result.empty() && result.back() != ' ') result += ' ';
        } else {
            result += static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
        }
    }
    if (result.ends_with(' ')) result.pop_back();
    return result;
}

std::string trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(" \t") + 1 - begin));
}

bool isAddress(std::string_view text) {
    const std::size_t at = text.find('@');
    return at != std::string_view::npos && at > 0 && at + 1 < text.size() &&
           text.find_first_of(" \t") == std::string_view::npos;
}

} // namespace

Person person(std::string_view text) {
    const std::size_t open = text.rfind('<'), close = text.rfind('>');
    if (open != std::string_view::npos && close != std::string_view::npos && open < close)
        return {trimmed(text.substr(0, open)), trimmed(text.substr(open + 1, close - open - 1))};
    const std::string whole = trimmed(text);
    return isAddress(whole) ? Person{{}, whole} : Person{whole, {}};
}

bool samePerson(std::string_view a, std::string_view b) {
    const Person left = person(a), right = person(b);
    const auto equal = [](const std::string& x, const std::string& y) {
        const std::string one = plain(x);
        return !one.empty() && one == plain(y);
    };
    return equal(left.mail, right.mail) || equal(left.name, right.name);
}

bool isAmong(std::string_view who, std::span<const std::string> people) {
    return std::ranges::any_of(people, [&](const std::string& each) { return samePerson(who, each); });
}

std::string principalOf(std::string_view who) {
    const Person one = person(who);
    return one.mail.empty() ? one.name : one.mail;
}

} // namespace ptxwb::review

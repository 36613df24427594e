// Who wrote and who judges: names and e-mail addresses as people type them, and whether two of them are one person.
// Called by decision.h and by the gate of core/bundle.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ptxwb::review {

struct Person {
    std::string name, mail; ///< "Ada Lovelace", "ada@example.org"; either may be empty
};

/// Of "Ada Lovelace <ada@example.org>", "ada@example.org" or "Ada Lovelace".
Person person(std::string_view text);

/// By the address where both have one and it is the same, else by the name; case and blanks do not count. Two that
/// share either are taken for one person: it is better to ask somebody else than to let an author approve.
bool samePerson(std::string_view a, std::string_view b);
bool isAmong(std::string_view who, std::span<const std::string> people);

/// What stands for the person in a file of allowed signers: the address, else the text as it is.
std::string principalOf(std::string_view who);

} // namespace ptxwb::review

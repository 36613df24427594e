// The funnel's checks, one a name: where each is made, on what, and which way of passing falsely it closes.
// Printed by `ptxwb verify --list-checks`, folded into every result, shown by the Verification panel.
#pragma once

#include "verify/result.h"

#include <span>

namespace ptxwb::verify {

/// What tells that a check was made.
enum class Told : std::uint8_t {
    byStage,  ///< it watches all the while: made wherever its stage ran on one of its backends
    byItself, ///< its stage says whether it was made, and why not
};

struct Check {
    std::string_view name;     ///< stable: findings carry it as `check`, results list it
    std::string_view row;      ///< the way of passing falsely that it closes, as in `wayNames`; empty for the rest
    std::string_view stages;   ///< "function stress": where it is made
    std::string_view backends; ///< "host", "ptxas", "emulator", "gpu", or several
    Told told = Told::byStage;
    std::string_view what; ///< one sentence
};

/// In the order of the funnel. A name occurs once.
std::span<const Check> checks();
/// nullptr where there is none of this name.
const Check* findCheck(std::string_view name);

/// A way in which a wrong or useless kernel passes somewhere. Source: verification.md.
struct Way {
    std::string_view name, what;
};
std::span<const Way> ways();

/// Whether "function stress" and the like name `word`.
bool names(std::string_view list, std::string_view word);

/// For each check, in order: failed where a finding or its stage says so, passed where it was made, otherwise why not.
std::vector<CheckOutcome> foldChecks(const CandidateResult& result);

/// The answer of `ptxwb verify --list-checks --json`.
nlohmann::json checksToJson();

} // namespace ptxwb::verify

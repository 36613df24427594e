// What a stage knows of single checks while it runs: made, failed, or left out and why.
// Used by the stages that run kernels; the funnel folds its outcomes into the result.
#pragma once

#include "verify/result.h"

#include <map>

namespace ptxwb::verify {

class CheckLedger {
public:
    void made(std::string_view check) { at(check); }
    /// `note`: what a pass rests on; shown as its reason.
    void made(std::string_view check, const std::string& note);
    void failed(std::string_view check, const std::string& message);
    /// Counts only where nothing was made.
    void left(std::string_view check, const std::string& why);

    std::vector<CheckOutcome> outcomes() const;

private:
    struct Entry {
        bool made = false, failed = false;
        std::string message, why;
    };
    Entry& at(std::string_view check);
    std::map<std::string, Entry, std::less<>> m_entries;
};

} // namespace ptxwb::verify

#include "verify/check_ledger.h"

namespace ptxwb::verify {

CheckLedger::Entry& CheckLedger::at(std::string_view check) {
    Entry& entry = m_entries[std::string(check)];
    entry.made = true;
    return entry;
}

void CheckLedger::made(std::string_view check, const std::string& note) {
    Entry& entry = at(check);
    if (!entry.failed) entry.message = note;
}

void CheckLedger::failed(std::string_view check, const std::string& message) {
    Entry& entry = at(check);
    if (entry.failed) return; // the first tells most
    entry.failed = true;
    entry.message = message;
}

void CheckLedger::left(std::string_view check, const std::string& why) {
    Entry& entry = m_entries[std::string(check)];
    if (entry.why.empty()) entry.why = why;
}

std::vector<CheckOutcome> CheckLedger::outcomes() const {
    std::vector<CheckOutcome> result;
    for (const auto& [check, entry] : m_entries)
        result.push_back({check,
                          entry.failed ? CheckStatus::failed
                          : entry.made ? CheckStatus::passed
                                       : CheckStatus::notRun,
                          entry.made ? entry.message : entry.why});
    return result;
}

} // namespace ptxwb::verify

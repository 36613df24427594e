// What was judged before, by everything that it depends on: an unchanged candidate costs nothing a second time.
// Used by the funnel. Benchmarks are never kept: times are of the moment.
#pragma once

#include "verify/result.h"

#include <filesystem>
#include <optional>

namespace ptxwb::verify {

struct Context;

/// A hash of all that the stages before the benchmark depend on: the spec with its files, the candidate, the plan, the
/// tools and their versions, this program, and the GPU with its driver where the plan uses one. Source: interfaces.md.
std::string resultKey(const Context& context);

class ResultCache {
public:
    /// `folder`: the user's cache; empty: nothing is kept.
    explicit ResultCache(std::filesystem::path folder);

    /// Nothing where there is none, or it cannot be read: then it is judged anew.
    std::optional<VerifyReport> find(const std::string& key) const;
    /// Without its benchmark. Left out where a stage is inconclusive, or something depended on the moment (a deadline, a
    /// busy device): another try may say more.
    void keep(const std::string& key, VerifyReport report) const;

private:
    void removeOldest() const;

    std::filesystem::path m_folder;
};

} // namespace ptxwb::verify

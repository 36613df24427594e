// Which model providers a person has set up.
// Used by `ptxwb doctor`.
#pragma once

#include "support/diagnostic.h"

#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb::proposals {

struct ProviderStatus {
    std::string name;
    bool ready = false; ///< its key is in the environment, or its server on this machine answers
    std::string reason; ///< why it is not
};

/// Those whose key is in the environment, those of the person's own providers.json, and those on this machine that
/// answer. Only servers on this machine are called, with a second of patience. Errors: a provider file that cannot be
/// read.
Expected<std::vector<ProviderStatus>> configuredProviders(std::stop_token stop);

} // namespace ptxwb::proposals

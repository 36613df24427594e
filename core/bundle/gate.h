// Whether a candidate may ship: a bundle that is whole, approved for these targets, and signed by an allowed reviewer
// who did not write it. Called by `ptxwb review --require approved` in continuous integration.
#pragma once

#include "bundle/allowed_signers.h"
#include "bundle/check.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb::bundle {

struct ShippedFile {
    std::string name, content;
};

struct GateRequest {
    std::vector<AllowedSigner> signers;
    std::vector<std::string> authors;    ///< further people who may not approve: of the commits, of the pull request
    std::vector<std::string> targets;    ///< that the approval must be for
    std::vector<std::string> assemblers; ///< versions of ptxas that must have been tried
    std::vector<ShippedFile> files;      ///< that must be in the bundle byte by byte: the PTX or cubin that ships
    std::time_t now = 0;
};

struct GateAnswer {
    std::string kernel, candidate, bundleSha256;
    std::string state; ///< "approved by Ada, 2026-01-02T03:04:05Z"
    std::vector<std::string> targets, assemblers;
    std::string signer;           ///< principals of the key in the file of allowed signers, and its fingerprint
    std::vector<Problem> reasons; ///< why not; empty: it is approved

    bool isApproved() const { return reasons.empty(); }
};

GateAnswer judge(const Inspection& bundle, const GateRequest& request);

std::string toText(const GateAnswer& answer);
std::string toMarkdown(const GateAnswer& answer);
/// `bundle`: path of the bundle, as the place of the results.
nlohmann::json toSarif(const GateAnswer& answer, const std::string& bundle, std::string_view program);
nlohmann::json toJson(const GateAnswer& answer);

} // namespace ptxwb::bundle

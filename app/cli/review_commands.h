// The commands of a review: bundle, verify-bundle, review, and `verify` of a bundle.
// Called by main.cpp and verify.cpp.
#pragma once

#include "command.h"

#include "verify/plan.h"

namespace ptxwb::cli {

void addBundle(Invocation& invocation);
void addVerifyBundle(Invocation& invocation);
void addReview(Invocation& invocation);

/// Whether a word of the command line is a bundle: a file of one, or a folder with a manifest.
bool isBundle(const std::string& word);

/// `ptxwb verify BUNDLE`: checks it, judges it here again and compares. `plan`: its seed is drawn anew with `newSeeds`,
/// else the bundle's. Exit status: 1 where it fails or contradicts the bundle, 3 where it cannot be judged here.
Expected<int> verifyBundleAgain(const std::string& bundle, bool newSeeds, bool trust, verify::Plan plan,
                                const std::string& worker, const Invocation& invocation);

} // namespace ptxwb::cli

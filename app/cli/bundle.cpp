// `ptxwb bundle` and `ptxwb verify-bundle`: what a reviewer hands on, and whether it is what was handed on.
#include "review_commands.h"

#include "bundle/allowed_signers.h"
#include "bundle/check.h"
#include "bundle/make.h"
#include "bundle/ssh_wire.h"
#include "review/decision.h"
#include "review/people.h"
#include "session/load.h"
#include "session_argument.h"
#include "support/files.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

using nlohmann::json;

struct BundleOptions {
    std::string session, candidate, output, key;
};

Expected<int> makeOne(const BundleOptions& options, const Invocation& invocation) {
    auto loaded = loadSessionArgument(options.session);
    if (!loaded) return std::unexpected(std::move(loaded.error()));
    const auto candidate = candidateOfSession(*loaded, options.candidate);
    if (!candidate) return std::unexpected(candidate.error());
    const auto assemble = bundle::assemblerOfThisMachine(invocation.stop);
    if (!assemble) return std::unexpected(assemble.error());
    auto made = bundle::makeBundle(*loaded, (*candidate)->id, PTXWB_VERSION, *assemble);
    if (!made) return std::unexpected(std::move(made.error()));
    if (!options.key.empty())
        if (auto done = bundle::signBundle(*made, options.key, invocation.stop); !done)
            return std::unexpected(std::move(done.error()));
    const std::string output = options.output.empty()
                                   ? fmt::format("{}-{}.ptxbundle", loaded->kernel.spec.name, (*candidate)->name)
                                   : options.output;
    if (auto written = bundle::writeBundle(*made, output); !written) return std::unexpected(std::move(written.error()));
    const review::Standing standing = review::standing(*loaded, (*candidate)->id);
    const bundle::Inspection inspection = *bundle::inspect(*made, output);
    if (invocation.json) {
        json files = json::array();
        for (const bundle::ListedFile& file : inspection.manifest.files)
            files.push_back({{"file", file.path}, {"size", file.size}, {"sha256", file.sha256}});
        printJson({{"schema", 1},
                   {"kernel", loaded->kernel.spec.name},
                   {"candidate", (*candidate)->name},
                   {"bundle", output},
                   {"bundle_sha256", inspection.manifestSha256},
                   {"signed", inspection.signature.has_value()},
                   {"approved", standing.isApproved()},
                   {"decision", review::describe(standing)},
                   {"files", std::move(files)}});
        return passed;
    }
    fmt::print("{}\n", output);
    fmt::print(stderr, "{} files, {}; {}\n", made->size(), review::describe(standing),
               inspection.signature ? "signed with " + bundle::fingerprint(inspection.signature->key) : "not signed");
    return passed;
}

struct CheckOptions {
    std::string bundle, signers;
};

/// Who signed, checked against the file where one is given.
void checkSigner(const CheckOptions& options, const std::vector<bundle::AllowedSigner>& signers,
                 bundle::Inspection& found) {
    if (options.signers.empty()) {
        if (found.signature)
            found.notes.push_back(fmt::format("signed with {}: whose key that is --allowed-signers would tell",
                                              bundle::fingerprint(found.signature->key)));
        return;
    }
    if (!found.signature) {
        found.problems.push_back({std::string(bundle::signatureFile), "nobody has signed the bundle"});
        return;
    }
    std::string who = bundle::ownerOf(signers, found.signature->key);
    if (found.part)
        if (const auto* decision = session::latestDecision(found.part->review, bundle::candidateOf(*found.part).id))
            who = review::principalOf(decision->reviewer);
    if (auto allowed =
            bundle::allows(signers, who, found.signature->key, bundle::signatureNamespace, std::time(nullptr));
        !allowed)
        found.problems.push_back({std::string(bundle::signatureFile), allowed.error().message});
}

Expected<int> checkOne(const CheckOptions& options, const Invocation& invocation) {
    const auto signers = readSigners(options.signers);
    if (!signers) return std::unexpected(signers.error());
    const auto entries = bundle::readBundle(options.bundle);
    if (!entries) return std::unexpected(entries.error());
    auto found = bundle::inspect(*entries, options.bundle);
    if (!found) return std::unexpected(std::move(found.error()));
    checkSigner(options, *signers, *found);
    std::string decision = "not readable";
    if (found->part) decision = review::describe(review::standing(*found->part, bundle::candidateOf(*found->part).id));
    if (invocation.json) {
        json problems = json::array();
        for (const bundle::Problem& problem : found->problems)
            problems.push_back({{"file", problem.path}, {"message", problem.what}});
        printJson({{"schema", 1},
                   {"whole", found->isWhole()},
                   {"kernel", found->manifest.kernel},
                   {"candidate", found->manifest.candidate},
                   {"bundle_sha256", found->manifestSha256},
                   {"key", found->signature ? json(bundle::fingerprint(found->signature->key)) : json(nullptr)},
                   {"decision", decision},
                   {"problems", std::move(problems)},
                   {"notes", found->notes}});
        return found->isWhole() ? passed : failed;
    }
    for (const bundle::Problem& problem : found->problems)
        printDiagnostic(
            failure(Cause::rejected, fmt::format("{}: {} {}", options.bundle, problem.path, problem.what)).error());
    for (const std::string& note : found->notes) fmt::print(stderr, "note: {}\n", note);
    if (found->isWhole())
        fmt::print("whole: {} of {}, {} files, {}\n", found->manifest.candidate, found->manifest.kernel,
                   entries->size(), decision);
    return found->isWhole() ? passed : failed;
}

} // namespace

bool isBundle(const std::string& word) {
    std::error_code error;
    const std::filesystem::path path(word);
    if (std::filesystem::is_directory(path, error)) return std::filesystem::exists(path / bundle::manifestFile, error);
    return path.extension() == ".ptxbundle";
}

void addBundle(Invocation& invocation) {
    const auto options = std::make_shared<BundleOptions>();
    CLI::App* command = addCommand(
        invocation, "bundle", "one file with all that a candidate's approval rests on, signed with your SSH key",
        "ptxwb bundle tuning.ptxwb --candidate vectorized --sign ~/.ssh/id_ed25519 -o vectorized.ptxbundle",
        [options, &invocation] { return makeOne(*options, invocation); });
    command->add_option("SESSION", options->session, "a NAME.ptxwb")->required();
    command->add_option("--candidate", options->candidate, "its name or id (default: the one that is approved)");
    command->add_option("--sign", options->key,
                        "an SSH key, private, or public with its other half in the agent; ssh-keygen signs");
    command->add_option(
        "-o,--output", options->output,
        "NAME.ptxbundle, or a new folder with a slash at its end (default: KERNEL-CANDIDATE.ptxbundle)");
}

void addVerifyBundle(Invocation& invocation) {
    const auto options = std::make_shared<CheckOptions>();
    CLI::App* command = addCommand(invocation, "verify-bundle",
                                   "check that every byte of a bundle is what was signed, and fits together",
                                   "ptxwb verify-bundle vectorized.ptxbundle --allowed-signers .github/allowed_signers",
                                   [options, &invocation] { return checkOne(*options, invocation); });
    command->add_option("BUNDLE", options->bundle, "a NAME.ptxbundle, or the folder where one was unpacked")
        ->required();
    command->add_option("--allowed-signers", options->signers, "whose keys count, as in ssh-keygen(1)");
}

} // namespace ptxwb::cli

#include "bundle/check.h"

#include "bundle/ssh_wire.h"
#include "review/decision.h"
#include "support/sha256.h"
#include "toolchain/cubin.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace ptxwb::bundle {

namespace {

using session::Judgement;
using session::Session;

void checkOwnFiles(const Entries& entries, const std::string& manifest, Inspection& found) {
    const Entry* hash = find(entries, hashFile);
    const bool hashFits = hash && hash->content == hashText(manifest);
    const Entry* signature = find(entries, signatureFile);
    std::string whySigned;
    if (signature) {
        auto parsed = parseSignature(signature->content);
        if (!parsed)
            whySigned = parsed.error().message;
        else if (auto good = verifySignature(*parsed, manifest); !good)
            whySigned = good.error().message;
        else
            found.signature = std::move(*parsed);
    }
    if (!hash) found.problems.push_back({std::string(hashFile), "is missing"});
    if (hash && !hashFits) {
        // Which of the two it is: a signature tells.
        if (found.signature)
            found.problems.push_back({std::string(hashFile), "was changed: it is not the hash of the signed manifest"});
        else
            found.problems.push_back(
                {std::string(manifestFile), fmt::format("was changed, or {} was: its SHA-256 is {}", hashFile,
                                                        sha256Hex(manifest).substr(0, 16))});
    }
    if (signature && !found.signature)
        found.problems.push_back(
            {std::string(signatureFile), hashFits ? "is no signature of this manifest: " + whySigned
                                                  : "does not fit the manifest as it is: " + whySigned});
    if (!signature) found.notes.emplace_back("nobody has signed it: it is whole, but who made it is not known");
}

void checkJudgements(const Session& part, const Entries& entries, Inspection& found) {
    const std::string text = sha256Hex(candidateOf(part).text), kernel = session::kernelHash(part);
    std::set<std::string> cubins;
    for (const Judgement* judgement : judgementsOf(part)) {
        if (judgement->textSha256 != text)
            found.problems.push_back({std::string(evidenceFolder), "a judgement is about another PTX"});
        if (judgement->kernelSha256 != kernel)
            found.problems.push_back({std::string(evidenceFolder), "a judgement is about another kernel or spec"});
        if (judgement->result.textSha256.empty() || judgement->toolkit.empty()) continue;
        const std::string path = cubinPath(*judgement);
        cubins.insert(path);
        const Entry* cubin = find(entries, path);
        if (!cubin) {
            found.problems.push_back({path, "is missing: it was judged"});
            continue;
        }
        const auto code = toolchain::textSha256(cubin->content);
        if (!code)
            found.problems.push_back({path, code.error().message});
        else if (*code != judgement->result.textSha256)
            found.problems.push_back({path, "its machine code is not what was judged"});
    }
    for (const Entry& entry : entries)
        if (entry.path.starts_with(cubinFolder) && !cubins.contains(entry.path))
            found.problems.push_back({entry.path, "nothing was judged with this machine code"});
}

/// Seeds, versions, samples, checklist and how the decision stands are what the judgements say.
void checkDerived(const Session& part, const Entries& entries, std::string_view program, Inspection& found) {
    const Entries own = filesOf(part, found.manifest.program);
    const std::string standing = review::describe(review::standing(part, candidateOf(part).id));
    for (const Entry& wanted : own) {
        const Entry* there = find(entries, wanted.path);
        if (!there)
            found.problems.push_back({wanted.path, "is missing"});
        else if (there->content != wanted.content && found.manifest.program == program)
            found.problems.push_back({wanted.path, wanted.path == approvalFile
                                                       ? "does not say what the evidence says: " + standing
                                                       : std::string("does not say what the evidence says")});
        else if (there->content != wanted.content)
            found.notes.push_back(fmt::format("{} reads in another way than ptxwb {} would write it; ptxwb {} wrote it",
                                              wanted.path, program, found.manifest.program));
    }
    for (const Entry& entry : entries)
        if ((entry.path.starts_with(samplesFolder) || entry.path.starts_with(evidenceFolder)) && !find(own, entry.path))
            found.problems.push_back({entry.path, "belongs to no judgement"});
}

} // namespace

Expected<Inspection> inspect(const Entries& entries, const std::string& file) {
    const Entry* manifest = find(entries, manifestFile);
    if (!manifest) {
        auto error = failure(Cause::rejected, fmt::format("{} is missing: this is no bundle", manifestFile));
        error.error().place.file = file;
        return error;
    }
    Inspection found;
    found.manifestSha256 = sha256Hex(manifest->content);
    checkOwnFiles(entries, manifest->content, found);
    auto listed = manifestFromText(manifest->content, file);
    if (!listed) {
        found.problems.push_back({std::string(manifestFile), listed.error().message});
        return found;
    }
    found.manifest = std::move(*listed);
    std::ranges::move(compareWith(found.manifest, entries), std::back_inserter(found.problems));
    auto part = partFrom(entries);
    if (!part) {
        // Where a file was changed that is said already, and its content need not make sense.
        if (found.problems.empty()) found.problems.push_back({"content", part.error().message});
        return found;
    }
    found.part = std::move(*part);
    if (!found.problems.empty()) return found;
    checkJudgements(*found.part, entries, found);
    checkDerived(*found.part, entries, PTXWB_VERSION, found);
    const review::Standing standing = review::standing(*found.part, candidateOf(*found.part).id);
    if (standing.decision && !standing.changes.empty()) found.notes.push_back(review::describe(standing));
    if (found.manifest.kernel != found.part->kernel.spec.name ||
        found.manifest.candidate != candidateOf(*found.part).name)
        found.problems.push_back({std::string(manifestFile), "names another kernel or candidate than is here"});
    return found;
}

} // namespace ptxwb::bundle

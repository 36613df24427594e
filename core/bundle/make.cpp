#include "bundle/make.h"

#include "bundle/contents.h"
#include "bundle/manifest.h"
#include "bundle/ssh_signature.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "support/child_process.h"
#include "support/files.h"
#include "toolchain/cubin.h"
#include "toolchain/discover.h"
#include "toolchain/ptxas.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>
#include <unistd.h>

namespace ptxwb::bundle {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds signDeadline{120}; ///< a person may have to touch a key

std::string readme(std::string_view kernel, std::string_view candidate, std::string_view program) {
    return fmt::format("Bundle of the candidate {1} of the kernel {0}, made by ptxwb {2}.\n\n"
                       "  ptxwb verify-bundle BUNDLE                    every file is as it was signed\n"
                       "  ptxwb verify BUNDLE --new-seeds               judge it again, here, with other inputs\n"
                       "  ptxwb review BUNDLE --require approved --allowed-signers FILE\n\n"
                       "Without ptxwb: `sha256sum -c manifest.json.sha256`, the hashes in manifest.json, and\n"
                       "  ssh-keygen -Y verify -f ALLOWED -I WHO -n {3} -s manifest.json.sig < manifest.json\n",
                       kernel, candidate, program, signatureNamespace);
}

/// The machine code of everything that was judged, once for each target and assembler.
Expected<void> addCubins(const session::Session& part, const Assembler& assemble, Entries& entries) {
    for (const session::Judgement* judgement : judgementsOf(part)) {
        const std::string& wanted = judgement->result.textSha256;
        if (wanted.empty() || judgement->toolkit.empty()) continue;
        const std::string path = cubinPath(*judgement);
        if (find(entries, path)) continue;
        auto cubin = assemble(candidateOf(part).text, judgement->arch, judgement->toolkit);
        if (!cubin) return std::unexpected(std::move(cubin.error()));
        const auto hash = toolchain::textSha256(*cubin);
        if (!hash) return std::unexpected(hash.error());
        if (*hash != wanted)
            return failure(Cause::rejected,
                           fmt::format("ptxas {} makes another machine code for {} here than was judged",
                                       judgement->toolkit, judgement->arch),
                           "verify it again here, then make the bundle");
        entries.push_back({path, std::move(*cubin)});
    }
    return {};
}

std::vector<std::string> wholeEnvironment() {
    std::vector<std::string> all;
    for (char** entry = environ; *entry; ++entry) all.emplace_back(*entry);
    return all;
}

} // namespace

Expected<Assembler> assemblerOfThisMachine(std::stop_token stop) {
    auto found = toolchain::discover({}, stop);
    if (!found) return std::unexpected(std::move(found.error()));
    return [toolkits = std::move(found->toolkits), stop](const std::string& ptx, const std::string& arch,
                                                         const std::string& version) -> Expected<std::string> {
        std::set<std::string> there;
        for (const toolchain::Toolkit& toolkit : toolkits) {
            if (!toolkit.ptxas) continue;
            there.insert(toolkit.version);
            if (toolkit.version != version) continue;
            toolchain::PtxasRequest request;
            request.text = ptx;
            request.arch = arch;
            auto result = toolchain::assemble(request, toolkit, stop);
            if (!result) return std::unexpected(std::move(result.error()));
            if (!result->ok)
                return failure(Cause::rejected, fmt::format("ptxas {} does not take it for {}", version, arch));
            if (result->version == version) return std::move(result->cubin);
            there.insert(result->version);
        }
        return failure(
            Cause::missing,
            fmt::format("it was judged as ptxas {} makes it for {}, and that ptxas is not here", version, arch),
            there.empty() ? "no ptxas was found; `ptxwb doctor` says where it is looked for"
                          : fmt::format("here is ptxas {}: verify again with it, or install {}", fmt::join(there, ", "),
                                        version));
    };
}

Expected<Entries> makeBundle(const session::Session& session, std::string_view id, std::string_view program,
                             const Assembler& assemble) {
    const session::Candidate* candidate = session::find(session, id);
    if (!session.hasKernel())
        return failure(Cause::badRequest, "a bundle needs a kernel spec: it says what is right",
                       "`ptxwb init` drafts one");
    if (!candidate || candidate->id == session::baselineId)
        return failure(Cause::badRequest, candidate ? "the baseline is nvcc's own: a bundle is of a candidate"
                                                    : "there is no such candidate");
    const session::Session part = partOf(session, *candidate);
    const std::string& kernel = part.kernel.spec.name;
    Entries entries = filesOf(part, program);
    if (auto done = addCubins(part, assemble, entries); !done) return std::unexpected(std::move(done.error()));
    const report::Report made = report::makeReport(part, program);
    entries.push_back({"report.html", report::toHtml(made)});
    entries.push_back({"report.md", report::toMarkdown(made)});
    entries.push_back(
        {"report.json", report::toJson(made).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n'});
    entries.push_back({"README.txt", readme(kernel, candidate->name, program)});
    const std::string manifest = toText(manifestOf(entries, std::string(program), kernel, candidate->name));
    entries.push_back({std::string(manifestFile), manifest});
    entries.push_back({std::string(hashFile), hashText(manifest)});
    std::ranges::sort(entries, {}, &Entry::path);
    for (const Entry& entry : entries)
        if (const std::string why = pathProblem(entry.path); !why.empty())
            return failure(Cause::badRequest, fmt::format("{} cannot be in a bundle: {}", entry.path, why),
                           "give the spec's file another name");
    return entries;
}

Expected<void> signBundle(Entries& entries, const fs::path& key, std::stop_token stop) {
    const Entry* manifest = find(entries, manifestFile);
    if (!manifest) return failure(Cause::badRequest, "there is no manifest to sign");
    auto folder = TemporaryFolder::create("ptxwb-sign");
    if (!folder) return std::unexpected(std::move(folder.error()));
    const fs::path file = folder->path() / manifestFile;
    if (auto written = writeFileAtomically(file, manifest->content); !written) return written;
    ChildRequest request;
    request.arguments = {
        "ssh-keygen", "-Y", "sign", "-f", fs::absolute(key).string(), "-n", std::string(signatureNamespace),
        file.string()};
    request.environment = wholeEnvironment(); // the agent's socket, and the program that asks for a passphrase
    request.deadline = signDeadline;
    const ChildResult result = runChild(request, stop);
    if (result.end == ChildEnd::notStarted)
        return failure(Cause::missing, result.startError, "install OpenSSH, which brings ssh-keygen");
    if (result.end == ChildEnd::cancelled) return failure(Cause::cancelled, "signing was interrupted");
    if (!result.succeeded())
        return failure(Cause::badRequest,
                       fmt::format("ssh-keygen does not sign with {}: {}", key.string(),
                                   result.errors.empty() ? describe(result, signDeadline) : result.errors),
                       "a key with a passphrase is added to the agent first (ssh-add), and named by its public half");
    auto armored = readFile(file.string() + ".sig");
    if (!armored) return std::unexpected(std::move(armored.error()));
    const auto signature = parseSignature(*armored);
    if (!signature) return std::unexpected(signature.error());
    if (auto good = verifySignature(*signature, manifest->content); !good) return good;
    std::erase_if(entries, [](const Entry& entry) { return entry.path == signatureFile; });
    entries.push_back({std::string(signatureFile), std::move(*armored)});
    std::ranges::sort(entries, {}, &Entry::path);
    return {};
}

} // namespace ptxwb::bundle

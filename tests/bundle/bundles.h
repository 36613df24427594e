// Keys and bundles for the tests of core/bundle.
// Used by every test in this folder.
#pragma once

#include "../review/reviewed.h"
#include "bundle/allowed_signers.h"
#include "bundle/check.h"
#include "bundle/gate.h"
#include "bundle/make.h"
#include "bundle/ssh_wire.h"
#include "support/child_process.h"

#include <QTemporaryDir>

namespace ptxwb::test {

/// Status of a program; its output in `output`.
inline int ran(const std::vector<std::string>& arguments, const std::string& input = {},
               std::string* output = nullptr) {
    ChildRequest request;
    request.arguments = arguments;
    request.input = input;
    request.deadline = std::chrono::seconds(60);
    const ChildResult result = runChild(request);
    if (output) *output = result.output + result.errors;
    return result.end == ChildEnd::exited ? result.exitCode : -1;
}

inline bool hasSshKeygen() {
    return ran({"ssh-keygen", "-?"}) > 0;
}

/// A new key pair; returns the path of the private one.
inline std::string newKey(const QTemporaryDir& folder, const std::string& name, const std::string& type = "ed25519",
                          const std::string& bits = {}) {
    const std::string path = folder.filePath(QString::fromStdString(name)).toStdString();
    std::vector<std::string> arguments{"ssh-keygen", "-q", "-t", type, "-N", "", "-C", name, "-f", path};
    if (!bits.empty()) arguments.insert(arguments.end(), {"-b", bits});
    std::string output;
    if (ran(arguments, {}, &output) != 0) qFatal("ssh-keygen makes no key: %s", output.c_str());
    return path;
}

/// "ssh-ed25519 AAAA..." of a private key's path.
inline std::string publicKey(const std::string& path) {
    const std::string line = need(readFile(path + ".pub"));
    return line.substr(0, line.find(' ', line.find(' ') + 1));
}

inline std::vector<bundle::AllowedSigner> signersOf(const std::string& text) {
    return need(bundle::readAllowedSigners(text, "allowed"));
}

/// The bundle of an approved candidate that an H200 has judged, made here with the same ptxas. nullopt where there is
/// none.
inline std::optional<bundle::Entries> approvedBundle(const session::Session& session,
                                                     const std::string& name = "vectorized") {
    const auto candidate = std::ranges::find(session.candidates, name, &session::Candidate::name);
    const auto assemble = need(bundle::assemblerOfThisMachine());
    auto made = bundle::makeBundle(session, candidate->id, "0.1.0", assemble);
    if (!made && made.error().cause == Cause::missing) return std::nullopt;
    return need(std::move(made));
}

inline bundle::Entry& entryOf(bundle::Entries& entries, std::string_view path) {
    const auto found = std::ranges::find(entries, path, &bundle::Entry::path);
    if (found == entries.end()) qFatal("no entry %s", std::string(path).c_str());
    return *found;
}

/// What somebody does who changes a bundle and knows how it is made: the manifest is made anew.
inline void remanifest(bundle::Entries& entries) {
    const auto old = need(bundle::manifestFromText(entryOf(entries, bundle::manifestFile).content, "x"));
    const std::string text = bundle::toText(bundle::manifestOf(entries, old.program, old.kernel, old.candidate));
    entryOf(entries, bundle::manifestFile).content = text;
    entryOf(entries, bundle::hashFile).content = bundle::hashText(text);
}

inline std::string problemsOf(const bundle::Inspection& inspection) {
    std::string text;
    for (const bundle::Problem& problem : inspection.problems) text += problem.path + " " + problem.what + "\n";
    return text;
}

} // namespace ptxwb::test

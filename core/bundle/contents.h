// What a bundle says, as the part of a session that it was made of: kernel, one candidate, its judgements and
// decisions. Shared by make.h, check.h and `ptxwb verify BUNDLE`.
#pragma once

#include "bundle/archive.h"
#include "session/session.h"

namespace ptxwb::bundle {

inline constexpr std::string_view candidateFile = "candidate.ptx", baselineFile = "baseline.ptx",
                                  approvalFile = "approval.json", kernelFolder = "kernel/",
                                  evidenceFolder = "evidence/", samplesFolder = "samples/", cubinFolder = "cubin/",
                                  toolchainFile = "toolchain.json", seedsFile = "seeds.json";

/// The part of a session that is about one candidate: the others are left out, its decisions and comments stay.
session::Session partOf(const session::Session& session, const session::Candidate& candidate);

/// All files that hold what `part` (of `partOf`) knows, without cubins, reports and manifest; some are worked out from
/// others, for who reads a bundle without this program: seeds, versions of tools, raw samples.
Entries filesOf(const session::Session& part, std::string_view program);

/// The other way. Errors (Cause::rejected) name the file: missing, damaged, keys that nobody knows.
Expected<session::Session> partFrom(const Entries& entries);

/// "cubin/sm_90.ptxas-13.0.88.cubin"
std::string cubinPath(const session::Judgement& judgement);

/// The judgements of the candidate of a part, the shown one first.
std::vector<const session::Judgement*> judgementsOf(const session::Session& part);

/// Its one candidate.
const session::Candidate& candidateOf(const session::Session& part);

} // namespace ptxwb::bundle

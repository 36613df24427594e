#include "session/session.h"

#include "kernel/spec_save.h"
#include "support/sha256.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::session {

namespace fs = std::filesystem;

std::string title(const Session& session) {
    if (session.hasKernel()) return session.kernel.spec.name;
    if (!session.file.empty()) return session.file.stem().string();
    if (!session.sourceFile.empty()) return session.sourceFile.filename().string();
    return session.baseline.name.empty() ? "untitled" : session.baseline.name;
}

const Candidate* find(const Session& session, std::string_view id) {
    if (id == baselineId) return session.baseline.text.empty() ? nullptr : &session.baseline;
    const auto found = std::ranges::find(session.candidates, id, &Candidate::id);
    return found == session.candidates.end() ? nullptr : &*found;
}

Candidate* find(Session& session, std::string_view id) {
    return const_cast<Candidate*>(find(std::as_const(session), id));
}

std::string newId(Session& session) {
    std::string id;
    do id = fmt::format("c{}", ++session.lastId);
    while (find(session, id));
    return id;
}

std::string kernelHash(const Session& session) {
    if (!session.hasKernel()) return {};
    kernel::KernelSpec spec = session.kernel.spec;
    spec.candidates.clear();
    std::string all = kernel::toJson(spec).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    for (const std::string& name : kernel::namedFiles(spec)) {
        const auto found = session.kernel.files.find(name);
        const std::string_view content = found == session.kernel.files.end() ? std::string_view() : found->second;
        all += fmt::format("{}:{}:{}:", name.size(), name, content.size());
        all += content;
    }
    return sha256Hex(all);
}

Freshness freshness(const Candidate& candidate, std::string_view kernelSha256) {
    if (!candidate.judgement) return Freshness::none;
    const Judgement& judgement = *candidate.judgement;
    const bool sameKernel = judgement.kernelSha256.empty() || judgement.kernelSha256 == kernelSha256;
    return sameKernel && judgement.textSha256 == sha256Hex(candidate.text) ? Freshness::current : Freshness::stale;
}

void takeKernel(Session& session, kernel::Kernel kernel) {
    const auto text = [&](const std::string& name) {
        const auto found = kernel.files.find(name);
        return found == kernel.files.end() ? std::string{} : found->second;
    };
    session.source = text(kernel.spec.source);
    if (kernel.spec.baseline) {
        const fs::path ptx(kernel.spec.baseline->ptx);
        session.baseline.name = ptx.filename().string();
        session.baseline.text = text(kernel.spec.baseline->ptx);
        session.baseline.origin = {};
        session.baseline.origin.kind = kernel.spec.source.empty() ? OriginKind::import : OriginKind::nvcc;
    }
    session.baseline.id = baselineId;
    if (session.targets.empty() && !kernel.spec.arch.empty()) session.targets = {kernel.spec.arch};
    session.kernel = std::move(kernel);
}

Judgement succeed(const std::optional<Judgement>& older, Judgement newer) {
    const verify::StageResult* assemble = verify::find(newer.result.stages, verify::Stage::assemble);
    const bool assembled = assemble && assemble->status == verify::Status::pass;
    if (assembled || !newer.result.resources.empty() || !older || older->result.resources.empty()) return newer;
    newer.result.resources = older->result.resources;
    newer.result.occupancy = older->result.occupancy;
    newer.figuresSha256 = older->figuresSha256.empty() ? older->textSha256 : older->figuresSha256;
    return newer;
}

std::string sourceName(const Session& session) {
    return session.hasKernel() ? session.kernel.spec.source : session.sourceFile.filename().string();
}

} // namespace ptxwb::session

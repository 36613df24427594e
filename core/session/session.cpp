#include "session/session.h"

#include "kernel/spec_save.h"
#include "support/sha256.h"

#include <algorithm>
#include <charconv>
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

std::string newConversationId(const Session& session) {
    unsigned largest = 0;
    for (const Conversation& one : session.conversations) {
        unsigned number = 0;
        if (one.id.starts_with('m')) std::from_chars(one.id.data() + 1, one.id.data() + one.id.size(), number);
        largest = std::max(largest, number);
    }
    return fmt::format("m{}", largest + 1);
}

std::string specText(const kernel::KernelSpec& whole) {
    kernel::KernelSpec spec = whole;
    spec.candidates.clear();
    return kernel::toJson(spec).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string kernelHash(const kernel::Kernel& kernel) {
    std::string all = specText(kernel.spec);
    for (const std::string& name : kernel::namedFiles(kernel.spec)) {
        const auto found = kernel.files.find(name);
        const std::string_view content = found == kernel.files.end() ? std::string_view() : found->second;
        all += fmt::format("{}:{}:{}:", name.size(), name, content.size());
        all += content;
    }
    return sha256Hex(all);
}

std::string kernelHash(const Session& session) {
    return session.hasKernel() ? kernelHash(session.kernel) : std::string{};
}

bool isAbout(const Judgement& judgement, std::string_view textSha256, std::string_view kernelSha256) {
    return judgement.textSha256 == textSha256 &&
           (judgement.kernelSha256.empty() || judgement.kernelSha256 == kernelSha256);
}

Freshness freshness(const Candidate& candidate, std::string_view kernelSha256) {
    if (!candidate.judgement) return Freshness::none;
    return isAbout(*candidate.judgement, sha256Hex(candidate.text), kernelSha256) ? Freshness::current
                                                                                  : Freshness::stale;
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

void take(Candidate& candidate, Judgement newer) {
    const auto sameJudge = [&](const Judgement& other) {
        return other.arch == newer.arch && other.toolkit == newer.toolkit && other.result.device == newer.result.device;
    };
    const auto isOver = [&](const Judgement& other) {
        return !isAbout(other, newer.textSha256, newer.kernelSha256) || sameJudge(other);
    };
    std::erase_if(candidate.otherJudgements, isOver);
    if (candidate.judgement && !isOver(*candidate.judgement)) candidate.otherJudgements.push_back(*candidate.judgement);
    candidate.judgement = succeed(candidate.judgement, std::move(newer));
}

const Decision* latestDecision(const Review& review, std::string_view candidate) {
    const auto found =
        std::ranges::find(review.decisions.rbegin(), review.decisions.rend(), candidate, &Decision::candidate);
    return found == review.decisions.rend() ? nullptr : &*found;
}

ReviewState stateOf(const Review& review) {
    return review.decisions.empty() ? ReviewState::open : review.decisions.back().state;
}

void keepVersion(Candidate& candidate, VersionReason reason, const std::string& time) {
    std::vector<Version>& history = candidate.history;
    if (!history.empty() && *history.back().text == candidate.text) return;
    history.push_back({reason, time, std::nullopt, std::make_shared<const std::string>(candidate.text)});
    std::size_t bytes = 0, kept = 0;
    while (kept < std::min(history.size(), mostVersions)) {
        bytes += history[history.size() - 1 - kept].text->size();
        if (kept > 0 && bytes > mostVersionBytes) break;
        ++kept;
    }
    history.erase(history.begin(), history.end() - static_cast<std::ptrdiff_t>(kept));
}

std::string sourceName(const Session& session) {
    return session.hasKernel() ? session.kernel.spec.source : session.sourceFile.filename().string();
}

} // namespace ptxwb::session

// `ptxwb verify BUNDLE`: judges what a bundle holds again, here, and says what is as it was and what is not.
#include "review_commands.h"

#include "bundle/again.h"
#include "bundle/check.h"
#include "kernel_argument.h"
#include "reference_trust.h"
#include "worker/requests.h"
#include "worker_process.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <random>

namespace ptxwb::cli {

namespace {

using bundle::Agreement;
using bundle::Comparison;
using nlohmann::json;
using session::Judgement;

Expected<bundle::Inspection> wholeBundle(const std::string& file) {
    const auto entries = bundle::readBundle(file);
    if (!entries) return std::unexpected(entries.error());
    auto found = bundle::inspect(*entries, file);
    if (!found) return found;
    if (found->isWhole()) return found;
    for (const bundle::Problem& problem : found->problems)
        printDiagnostic(failure(Cause::rejected, fmt::format("{}: {} {}", file, problem.path, problem.what)).error());
    return failure(Cause::rejected, fmt::format("{} is not what was bundled: it is not run", file));
}

/// The judgement that this machine's is compared with: of the same target, else the first.
const Judgement* counterpart(const std::vector<const Judgement*>& judgements, const Judgement& now) {
    const Judgement* best = nullptr;
    int most = -1;
    for (const Judgement* then : judgements) {
        const int same = (then->arch == now.arch ? 4 : 0) + (then->toolkit == now.toolkit ? 2 : 0) +
                         (then->result.device == now.result.device ? 1 : 0);
        if (same > most) most = same, best = then;
    }
    return best;
}

json toJson(const bundle::Inspection& found, const Judgement& now, const std::vector<Comparison>& compared) {
    json rows = json::array();
    for (const Comparison& one : compared)
        rows.push_back({{"what", one.what}, {"then", one.then}, {"now", one.now}, {"agreement", name(one.agreement)}});
    return {{"schema", 1},
            {"kernel", found.manifest.kernel},
            {"candidate", found.manifest.candidate},
            {"bundle_sha256", found.manifestSha256},
            {"arch", now.arch},
            {"seed", now.seed},
            {"toolkit", now.toolkit.empty() ? json(nullptr) : json(now.toolkit)},
            {"device", now.result.device.empty() ? json(nullptr) : json(now.result.device)},
            {"verdict", name(now.result.verdict)},
            {"compared", std::move(rows)},
            {"result", verify::toJson(now.result)}};
}

void print(const bundle::Inspection& found, const Judgement& now, const std::vector<Comparison>& compared) {
    fmt::print("{} of {}: {} here, {}, seed {}, ptxas {}, on {}\n\n", found.manifest.candidate, found.manifest.kernel,
               name(now.result.verdict), now.arch, now.seed, now.toolkit.empty() ? "not found" : now.toolkit,
               now.result.device.empty() ? "the emulator" : now.result.device);
    std::size_t width = 4;
    for (const Comparison& one : compared) width = std::max(width, one.what.size());
    for (const Comparison& one : compared) {
        fmt::print("{:<{}}  {}\n", one.what, width, one.agreement == Agreement::same ? one.now : name(one.agreement));
        if (one.agreement != Agreement::same)
            fmt::print("{:<{}}    then {}\n{:<{}}    now  {}\n", "", width, one.then, "", width, one.now);
    }
}

} // namespace

Expected<int> verifyBundleAgain(const std::string& file, bool newSeeds, bool trust, verify::Plan plan,
                                const std::string& worker, const Invocation& invocation) {
    const auto found = wholeBundle(file);
    if (!found) return std::unexpected(found.error());
    const session::Session& part = *found->part;
    const auto judgements = bundle::judgementsOf(part);
    if (judgements.empty())
        return failure(Cause::rejected, fmt::format("{} holds no verdict that could be compared with", file),
                       "verify the candidate before it is bundled");
    const Judgement& first = *judgements.front();
    if (plan.architectures.empty()) plan.architectures = {first.arch};
    if (newSeeds)
        plan.seed = bundle::newSeed(judgements, std::random_device{});
    else if (!plan.seed)
        plan.seed = first.seed;
    KernelArgument kernel{part.kernel, std::filesystem::path(file) / part.specFile};
    plan.reference = referenceTrust(kernel, trust);
    const auto client = makeClient(worker);
    if (!client) return std::unexpected(client.error());
    const session::Candidate& candidate = bundle::candidateOf(part);
    const verify::VerifyInput input{
        part.kernel, verify::CandidateText{candidate.name, std::string(bundle::candidateFile), candidate.text}, plan};
    const auto done = (*client)->call(worker::Job::verify, worker::toJson(input), {}, invocation.stop);
    if (!done) return std::unexpected(done.error());
    const auto report = verify::verifyReportFromJson(*done);
    if (!report || report->results.size() != 1)
        return failure(Cause::internal, report ? "the worker's answer holds no result" : report.error().message);
    const verify::CandidateResult& result = report->results.front();
    const Judgement now{result, result.sha256, session::kernelHash(part), report->arch, report->toolkit, report->seed,
                        {}};
    const auto compared = bundle::compareWithNow(*counterpart(judgements, now), now);
    if (invocation.json)
        printJson(toJson(*found, now, compared));
    else
        print(*found, now, compared);
    const bool contradicts =
        std::ranges::find(compared, Agreement::contradiction, &Comparison::agreement) != compared.end();
    if (contradicts || result.verdict == verify::Verdict::fail) return failed;
    return result.verdict == verify::Verdict::incomplete ? incomplete : passed;
}

} // namespace ptxwb::cli

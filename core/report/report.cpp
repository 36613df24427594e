#include "report/report.h"

#include "kernel/candidate_header.h"
#include "kernel/reference.h"
#include "ptx/parse.h"
#include "report/replay.h"
#include "support/sha256.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace ptxwb::report {

namespace {

using session::Candidate;
using session::Session;

std::string formulas(const kernel::Formula3& three) {
    return fmt::format("{}, {}, {}", three[0].expression.text(), three[1].expression.text(),
                       three[2].expression.text());
}

std::string listOf(const std::vector<std::int64_t>& numbers) {
    return fmt::format("{}", fmt::join(numbers, ", "));
}

/// Collects what is there.
class Facts {
public:
    void add(std::string label, std::string value) {
        if (!value.empty()) m_facts.push_back({std::move(label), std::move(value)});
    }
    std::vector<Fact> take() { return std::move(m_facts); }

private:
    std::vector<Fact> m_facts;
};

void addLaunch(Facts& facts, const std::string& prefix, const kernel::LaunchShape& launch) {
    facts.add(prefix + "grid", formulas(launch.grid));
    facts.add(prefix + "block", formulas(launch.block));
    if (const std::string shared = launch.sharedBytes.expression.text(); shared != "0")
        facts.add(prefix + "shared bytes", shared);
    if (const std::string cluster = formulas(launch.cluster); cluster != "1, 1, 1")
        facts.add(prefix + "cluster", cluster);
    if (launch.cooperative) facts.add(prefix + "launch", "cooperative");
}

std::string typeOf(const kernel::Argument& argument) {
    const bool isTyped = argument.kind == kernel::ArgumentKind::scalar || argument.kind == kernel::ArgumentKind::buffer;
    return std::string(isTyped ? name(argument.type) : name(argument.kind));
}

std::string describe(const kernel::Argument& argument) {
    std::string text = typeOf(argument);
    if (argument.kind == kernel::ArgumentKind::scalar) return text + " = " + argument.value.expression.text();
    if (argument.kind != kernel::ArgumentKind::buffer) return text;
    if (argument.count) text += " [" + argument.count->expression.text() + "]";
    for (const kernel::Formula& extent : argument.shape) text += " [" + extent.expression.text() + "]";
    text += fmt::format(", {}", name(argument.access));
    if (argument.fill) text += fmt::format(", fill {}", name(argument.fill->kind));
    if (argument.align != 0) text += fmt::format(", aligned to {} bytes", argument.align);
    return text;
}

std::string referenceText(const kernel::KernelSpec& spec) {
    switch (spec.reference.kind) {
    case kernel::ReferenceKind::none: return "none";
    case kernel::ReferenceKind::host: return fmt::format("{} in {}", spec.reference.function, spec.reference.file);
    case kernel::ReferenceKind::python: return spec.reference.file;
    case kernel::ReferenceKind::baseline: return "the baseline";
    case kernel::ReferenceKind::expected: return "files of expected values";
    }
    return {};
}

std::string toleranceText(const kernel::Tolerance& t) {
    switch (t.rule) {
    case kernel::ToleranceRule::automatic: return "auto: from the baseline's own error against the reference";
    case kernel::ToleranceRule::absoluteRelative:
        return fmt::format("absolute {} plus relative {}", t.absolute, t.relative);
    case kernel::ToleranceRule::ulp: return fmt::format("{} units in the last place", t.ulp);
    case kernel::ToleranceRule::exact: return "exact";
    }
    return {};
}

std::vector<Fact> kernelFacts(const Session& session) {
    Facts facts;
    facts.add("CUDA source", session::sourceName(session));
    facts.add("targets", fmt::format("{}", fmt::join(session.targets, ", ")));
    if (!session.hasKernel()) return facts.take();
    const kernel::KernelSpec& spec = session.kernel.spec;
    facts.add("entry", spec.entry);
    facts.add("flags of nvcc", fmt::format("{}", fmt::join(spec.flags, " ")));
    if (spec.launches.empty()) addLaunch(facts, "", spec.launch);
    for (const kernel::LaunchStep& step : spec.launches) addLaunch(facts, step.entry + ": ", step.launch);
    for (const kernel::Argument& argument : spec.arguments) facts.add("argument " + argument.name, describe(argument));
    for (const kernel::SymbolSizes& symbol : spec.symbols) {
        facts.add(symbol.name + " in function", listOf(symbol.function));
        facts.add(symbol.name + " in stress", listOf(symbol.stress));
        facts.add(symbol.name + " in benchmark", listOf(symbol.benchmark));
    }
    for (const kernel::Expression& require : spec.require) facts.add("may rely on", require.text());
    facts.add("reference", referenceText(spec));
    facts.add("tolerance", toleranceText(spec.tolerance));
    if (!spec.deterministic) facts.add("deterministic", "no: repeats may differ within the tolerance");
    if (spec.limits.registers) facts.add("limit of registers", std::to_string(*spec.limits.registers));
    if (spec.limits.sharedBytes) facts.add("limit of shared memory", fmt::format("{} B", *spec.limits.sharedBytes));
    if (spec.work.flops) facts.add("operations of one launch", spec.work.flops->expression.text());
    if (spec.work.bytes) facts.add("bytes of one launch", spec.work.bytes->expression.text());
    facts.add("ships as", spec.shipsAs == kernel::ShipsAs::cubin ? "cubin: the verdict holds for the ptxas named here"
                                                                 : "PTX: the driver's compiler makes the code");
    return facts.take();
}

std::vector<Fact> headerFacts(const Session& session, const std::string& text) {
    if (!session.hasKernel()) return {};
    const auto header = kernel::readCandidateHeader(text, kernel::symbolNames(session.kernel.spec));
    if (!header) return {{"its //@ lines", "cannot be read: " + header.error().message}};
    Facts facts;
    facts.add("title", header->title);
    facts.add("origin as it says", header->origin);
    for (const kernel::Expression& require : header->require) facts.add("holds only where", require.text());
    if (const auto& own = header->launch) {
        if (own->grid) facts.add("own grid", formulas(*own->grid));
        if (own->block) facts.add("own block", formulas(*own->block));
        if (own->cluster) facts.add("own cluster", formulas(*own->cluster));
        if (own->sharedBytes) facts.add("own shared bytes", own->sharedBytes->expression.text());
        if (own->cooperative) facts.add("own launch", *own->cooperative ? "cooperative" : "not cooperative");
        for (const kernel::LaunchStep& step : own->steps)
            addLaunch(facts, fmt::format("own {}({}): ", step.entry, fmt::join(step.arguments, ", ")), step.launch);
    }
    return facts.take();
}

Standing standingOf(const Candidate& candidate, const std::string& kernelSha256) {
    switch (session::freshness(candidate, kernelSha256)) {
    case session::Freshness::none: return Standing::notJudged;
    case session::Freshness::stale: return Standing::stale;
    case session::Freshness::current: break;
    }
    switch (candidate.judgement->result.verdict) {
    case verify::Verdict::pass: return Standing::pass;
    case verify::Verdict::fail: return Standing::fail;
    case verify::Verdict::incomplete: break;
    }
    return Standing::incomplete;
}

/// The compiler wrote where the source lay on its machine; who reads the report has another.
void withoutFolders(std::optional<CudaPlace>& place) {
    if (place && std::filesystem::path(place->file).is_absolute())
        place->file = std::filesystem::path(place->file).filename().string();
}
void withoutFolders(verify::CandidateResult& result) {
    for (verify::StageResult& stage : result.stages)
        for (Finding& finding : stage.findings) withoutFolders(finding.cuda);
    if (result.strength)
        for (verify::Unreached& each : result.strength->unreached) withoutFolders(each.cuda);
}

Subject subjectOf(const Session& session, const Candidate& candidate, const std::string& kernelSha256) {
    Subject subject;
    subject.id = candidate.id;
    subject.name = candidate.id == session::baselineId ? std::string(session::baselineId) : candidate.name;
    if (const Candidate* parent = session::find(session, candidate.parent))
        subject.parent = parent->id == session::baselineId ? parent->id : parent->name;
    subject.file = candidate.file;
    subject.origin = candidate.origin;
    subject.text = candidate.text;
    subject.sha256 = sha256Hex(candidate.text);
    subject.standing = standingOf(candidate, kernelSha256);
    subject.judgement = candidate.judgement;
    if (subject.judgement) withoutFolders(subject.judgement->result);
    subject.header = headerFacts(session, candidate.text);
    subject.replay = replayOf(session, candidate);
    return subject;
}

std::vector<NamedHash> hashesOf(const Session& session, const Report& report, const std::string& kernelSha256) {
    std::vector<NamedHash> hashes;
    const auto add = [&](std::string what, std::string file, std::string sha256) {
        if (!sha256.empty()) hashes.push_back({std::move(what), std::move(file), std::move(sha256)});
    };
    add("kernel: spec and its files", {}, kernelSha256);
    for (const std::string& file : kernel::namedFiles(session.kernel.spec))
        if (const auto found = session.kernel.files.find(file); found != session.kernel.files.end())
            add("file of the spec", file, sha256Hex(found->second));
    if (!session.hasKernel() && !session.source.empty())
        add("CUDA source", session::sourceName(session), sha256Hex(session.source));
    for (const Subject& subject : report.subjects) {
        add("PTX of " + subject.name, subject.file, subject.sha256);
        if (!subject.judgement) continue;
        if (!subject.isJudgedText())
            add("PTX of " + subject.name + " when it was judged", {}, subject.judgement->textSha256);
        if (subject.judgement->kernelSha256 != kernelSha256)
            add("kernel that " + subject.name + " was judged for", {}, subject.judgement->kernelSha256);
        add("machine code of " + subject.name, {}, subject.judgement->result.textSha256);
    }
    return hashes;
}

/// Of those that somebody decided about or wrote on.
std::vector<Reviewed> reviewedOf(const Session& session) {
    std::vector<Reviewed> all;
    for (const Candidate& candidate : session.candidates) {
        const auto isIts = [&](const auto& each) { return each.candidate == candidate.id; };
        const bool commented = std::ranges::any_of(session.review.comments, isIts);
        Reviewed one{candidate.id, candidate.name, {}, {}, {}, candidate.authors, {}};
        std::ranges::copy_if(session.review.decisions, std::back_inserter(one.decisions), isIts);
        if (!commented && one.decisions.empty()) continue;
        const review::Standing standing = review::standing(session, candidate.id);
        one.changes = standing.changes;
        one.standing = review::describe(standing);
        one.checklist =
            review::checklist(session, candidate, standing.decision ? standing.decision->targets : session.targets);
        all.push_back(std::move(one));
    }
    return all;
}

std::vector<std::string> notesOf(const Session& session, const Report& report) {
    std::vector<std::string> notes;
    if (!session.hasKernel()) notes.emplace_back("There is no kernel spec: nothing can be judged.");
    const auto count = [&](Standing standing) {
        return std::ranges::count(report.subjects, standing, &Subject::standing);
    };
    if (report.subjects.empty()) notes.emplace_back("There is neither a baseline nor a candidate.");
    if (const auto unjudged = count(Standing::notJudged))
        notes.push_back(fmt::format("{} of {} texts {} not judged.", unjudged, report.subjects.size(),
                                    unjudged == 1 ? "is" : "are"));
    if (const auto stale = count(Standing::stale))
        notes.push_back(fmt::format("{} of {} verdicts {} about an earlier text or kernel and do not count.", stale,
                                    report.subjects.size(), stale == 1 ? "is" : "are"));
    std::set<std::string> assemblers, devices;
    for (const Subject& subject : report.subjects)
        if (subject.judgement) {
            if (!subject.judgement->toolkit.empty()) assemblers.insert(subject.judgement->toolkit);
            devices.insert(subject.judgement->result.device);
        }
    if (assemblers.size() > 1)
        notes.push_back(
            fmt::format("The texts were judged with different versions of ptxas: {}.", fmt::join(assemblers, ", ")));
    if (devices.size() > 1) notes.emplace_back("Not all texts were judged on the same device.");
    return notes;
}

} // namespace

std::string_view name(Standing standing) {
    switch (standing) {
    case Standing::pass: return "pass";
    case Standing::fail: return "fail";
    case Standing::incomplete: return "incomplete";
    case Standing::stale: return "stale";
    case Standing::notJudged: return "not judged";
    }
    return "not judged";
}

Report makeReport(const Session& session, std::string_view program) {
    Report report;
    const kernel::KernelSpec& spec = session.kernel.spec;
    report.kernel = session::title(session);
    report.title = spec.title;
    report.intent = spec.intent;
    report.session = session.file.filename().string();
    report.program = program;
    report.kernelFacts = kernelFacts(session);
    if (!session.source.empty()) report.sources.push_back({session::sourceName(session), session.source});
    if (const auto reference = session.kernel.files.find(spec.reference.file); reference != session.kernel.files.end())
        report.sources.push_back({reference->first, reference->second});

    const std::string kernelSha256 = session::kernelHash(session);
    if (!session.baseline.text.empty()) report.subjects.push_back(subjectOf(session, session.baseline, kernelSha256));
    for (const Candidate& candidate : session.candidates)
        report.subjects.push_back(subjectOf(session, candidate, kernelSha256));
    if (!session.baseline.text.empty()) {
        const auto baseline = ptx::parse(session.baseline.text, "baseline.ptx");
        for (Subject& subject : report.subjects)
            if (subject.id != session::baselineId)
                subject.comparison = compare::compare(*baseline, *ptx::parse(subject.text, subject.name + ".ptx"));
    }
    report.hashes = hashesOf(session, report, kernelSha256);
    report.review = session.review;
    report.reviewed = reviewedOf(session);
    report.notes = notesOf(session, report);
    return report;
}

const Subject* findSubject(const Report& report, std::string_view id) {
    const auto found = std::ranges::find(report.subjects, id, &Subject::id);
    return found == report.subjects.end() ? nullptr : &*found;
}

const Subject* baselineOf(const Report& report) {
    return findSubject(report, session::baselineId);
}

std::string assemblerText(const verify::CandidateResult& result, const verify::OtherAssembler& assembler) {
    std::string text = assembler.assembled ? "assembled" : "not assembled";
    if (assembler.registers) text += fmt::format(", {} registers", *assembler.registers);
    if (!assembler.textSha256.empty() && !result.textSha256.empty())
        text += assembler.textSha256 == result.textSha256 ? ", the same machine code" : ", other machine code";
    if (assembler.function) text += fmt::format("; function {}", verify::name(*assembler.function));
    if (assembler.stress) text += fmt::format("; stress {}", verify::name(*assembler.stress));
    if (!assembler.reason.empty()) text += fmt::format("; not run: {}", assembler.reason);
    return text;
}

std::string judgedBy(const verify::CandidateResult& result) {
    std::set<std::string> judges;
    for (const verify::StageResult& stage : result.stages) {
        const bool runs = stage.stage == verify::Stage::function || stage.stage == verify::Stage::stress ||
                          stage.stage == verify::Stage::sanitize;
        if (!runs || stage.status == verify::Status::skipped || stage.backend.empty()) continue;
        judges.insert(stage.backend == "gpu" && !result.device.empty() ? result.device : stage.backend);
    }
    return judges.empty() ? "nobody" : fmt::format("{}", fmt::join(judges, " and "));
}

} // namespace ptxwb::report

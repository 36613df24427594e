// Kernels written in a few words, judged on the emulator against a host reference.
// Used by the tests of what specs and candidates can say.
#pragma once

#include "kernel/spec_load.h"
#include "support/environment.h"
#include "support/files.h"
#include "verify/context.h"
#include "verify/funnel.h"

#include <QtTest>
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace ptxwb::test {

using namespace ptxwb::verify;

/// An entry whose threads with %r1 < n go through `body`; %rd9 is 4 times the thread's number. `parameters` come behind
/// `.param .u32 n`.
inline std::string entry(const std::string& name, const std::string& parameters, const std::string& body) {
    return fmt::format(
        ".visible .entry {}(.param .u32 n{})\n{{\n\t.reg .pred %p<4>;\n\t.reg .b32 %r<16>;\n\t.reg .f32 "
        "%f<8>;\n\t.reg .b64 %rd<16>;\n\tmov.u32 %r1, %ctaid.x;\n\tmov.u32 %r2, %ntid.x;\n\tmov.u32 %r3, "
        "%tid.x;\n\tmad.lo.s32 %r1, %r1, %r2, %r3;\n\tld.param.u32 %r4, [n];\n\tsetp.ge.s32 %p1, %r1, "
        "%r4;\n\t@%p1 bra DONE;\n\tmul.wide.s32 %rd9, %r1, 4;\n{}DONE:\n\tret;\n}}\n",
        name, parameters, body);
}

inline std::string moduleOf(const std::string& text) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n" + text;
}

inline std::string pointer(int number, const std::string& parameter) {
    return fmt::format("\tld.param.u64 %rd{0}, [{1}];\n\tadd.s64 %rd{0}, %rd{0}, %rd9;\n", number, parameter);
}

/// `arguments` behind n, `more`: further keys, each with a comma before it.
inline std::string spec(const std::string& arguments, const std::string& more = {}) {
    return R"json({"schema": 1, "name": "k", "arch": "sm_80", "baseline": {"ptx": "k.ptx"},
 "symbols": {"n": {"function": [1, 100], "stress": [0, 33, 64, 65]}},
 "arguments": [{"name": "n", "type": "s32", "value": "n"}, )json" +
           arguments + "]" + more + "}";
}
inline const std::string launch =
    R"json(, "entry": "k", "launch": {"grid": ["ceil_div(n, 64)", 1, 1], "block": [64, 1, 1]})json";
inline const std::string reference = R"(, "reference": {"file": "reference.cpp", "function": "reference"})";

class Judge {
public:
    Judge(std::string spec, kernel::KernelFiles files) {
        m_machine.cacheFolder = cacheFolder();
        auto kernel = kernel::orFirstError(kernel::loadSpec(std::move(spec), "k.kernel.json", std::move(files)));
        if (!kernel) qFatal("%s", format(kernel.error()).c_str());
        m_input.kernel = std::move(*kernel);
        m_input.plan.reference = ReferenceTrust::granted;
        m_input.plan.backend = Backend::emulator;
        m_input.plan.seed = 1;
    }

    Expected<VerifyReport> report(const std::string& candidate) {
        m_input.candidate = CandidateText{"candidate", "candidate.ptx", candidate};
        return verifyCandidate(m_input, m_machine, *m_cache, {});
    }
    CandidateResult operator()(const std::string& candidate) {
        auto report = this->report(candidate);
        if (!report) qFatal("%s", format(report.error()).c_str());
        return std::move(report->results.at(0));
    }
    Plan& plan() { return m_input.plan; }
    Machine& machine() { return m_machine; }

private:
    /// One for all of a test: references are compiled once.
    static std::string cacheFolder() {
        static const Expected<TemporaryFolder> folder = TemporaryFolder::create("ptxwb-judge");
        if (!folder) qFatal("no temporary folder");
        return folder->path().string();
    }

    Machine m_machine;
    VerifyInput m_input;
    std::shared_ptr<OracleCache> m_cache = makeOracleCache();
};

inline QByteArray describe(const CandidateResult& result) {
    std::string text;
    for (const StageResult& stage : result.stages) {
        text += fmt::format("{} {} {} ({} runs)\n", name(stage.stage), name(stage.status), stage.reason, stage.runs);
        for (const Finding& finding : stage.findings) text += fmt::format("  {}: {}\n", finding.check, finding.message);
    }
    return QByteArray::fromStdString(text);
}

inline CheckStatus outcome(const CandidateResult& result, std::string_view check) {
    const auto hit = std::ranges::find(result.checks, check, &CheckOutcome::check);
    return hit == result.checks.end() ? CheckStatus::notRun : hit->status;
}

/// Function, stress and sanitize passed, against the reference.
inline bool isRight(const CandidateResult& result) {
    return std::ranges::all_of(std::array{Stage::function, Stage::stress, Stage::sanitize}, [&](Stage stage) {
        const StageResult* found = find(result.stages, stage);
        return found && found->status == Status::pass && found->runs > 0 &&
               found->reason.find("reference: baseline") == std::string::npos;
    });
}

inline bool failsWith(const CandidateResult& result, std::string_view check) {
    return result.verdict == Verdict::fail && outcome(result, check) == CheckStatus::failed;
}

inline const std::string x = R"({"name": "x", "type": "f32", "count": "n", "access": "in"})",
                         y = R"({"name": "y", "type": "f32", "count": "n", "access": "out"})";

inline bool haveCompiler() {
    const auto path = environmentVariable("PATH").value_or("/usr/bin:/bin");
    return findProgram("g++", path) || findProgram("c++", path) || findProgram("clang++", path);
}

} // namespace ptxwb::test

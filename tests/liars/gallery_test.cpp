// The liars' gallery: kernels that are wrong or useless and pass a naive harness, each of which the funnel must catch
// with the right check, and unusual kernels that are right and must pass. Prints the table that README.md holds.
#include "kernel/spec_load.h"
#include "naive_harness.h"
#include "support/child_process.h"
#include "support/files.h"
#include "support/json.h"
#include "toolchain/discover.h"
#include "verify/checks.h"
#include "verify/context.h"
#include "verify/funnel.h"

#include <QtTest>
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

using namespace ptxwb;
using namespace ptxwb::verify;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

const fs::path gallery = fs::path(PTXWB_SOURCE_DIR) / "tests/data/liars";
constexpr std::uint64_t seed = 1; ///< one of the liars knows its inputs

/// With PTXWB_UPDATE the lines of the expectations and the table of README.md are written anew.
bool updating() {
    return qEnvironmentVariableIsSet("PTXWB_UPDATE");
}

struct Subject {
    std::string spec, name;
    bool isLiar = false;
    fs::path expectation;
};

struct Spec {
    kernel::Kernel kernel;
    std::string baseline;
};

/// Where a check's failure was seen: the first finding that bears its name, or the first of its stage.
struct Seen {
    std::string stage = "-";
    std::uint32_t line = 0;
};

Seen seen(const CandidateResult& result, const std::string& check, const std::string& stage) {
    for (const bool byName : {true, false})
        for (const StageResult& each : result.stages)
            for (const Finding& finding : each.findings)
                if (byName ? finding.check == check : std::string(name(each.stage)) == stage)
                    return {std::string(name(each.stage)), finding.line};
    return {stage, 0};
}

std::string firstSentence(const fs::path& source) {
    std::ifstream stream(source);
    std::string line;
    std::getline(stream, line);
    return line.starts_with("// ") ? line.substr(3) : line;
}

} // namespace

class GalleryTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        auto tools = toolchain::discover({});
        if (tools) m_machine.tools = std::move(*tools);
        m_hasPtxas = std::ranges::any_of(m_machine.tools.toolkits, [](const auto& t) { return t.ptxas.has_value(); });
        auto cache = TemporaryFolder::create("ptxwb-gallery");
        QVERIFY(cache);
        m_cacheFolder.emplace(std::move(*cache));
        m_machine.cacheFolder = m_cacheFolder->path().string();
        for (const auto& folder : fs::directory_iterator(gallery)) {
            if (!folder.is_directory()) continue;
            const std::string spec = folder.path().filename().string();
            auto kernel = kernel::orFirstError(kernel::loadKernel(folder.path() / fmt::format("{}.kernel.json", spec)));
            QVERIFY2(kernel, kernel ? "" : kernel.error().message.c_str());
            const std::string baseline = kernel->files.at(kernel->spec.baseline->ptx);
            for (const std::string& file : kernel->spec.candidates)
                m_subjects.push_back({spec, fs::path(file).stem().string(), file.starts_with("liars/"),
                                      (folder.path() / file).replace_extension(".json")});
            m_specs.emplace(spec, Spec{std::move(*kernel), baseline});
        }
        std::ranges::sort(m_subjects, {}, [](const Subject& s) { return std::tuple(!s.isLiar, s.spec, s.name); });
    }

    void thereAreEnough() {
        QVERIFY(std::ranges::count(m_subjects, true, &Subject::isLiar) >= 25);
        QVERIFY(std::ranges::count(m_subjects, false, &Subject::isLiar) >= 25);
        std::set<std::string> shown;
        for (const Subject& subject : m_subjects)
            if (subject.isLiar)
                if (const Json expected = read(subject); expected.at("way").is_string())
                    shown.insert(expected.at("way").get<std::string>());
        // What a kernel cannot show: it is the harness, the benchmark or the tests that are at fault there.
        const std::set<std::string_view> notOfKernels{"faster_than_hardware", "cache_figures", "noisy_figures",
                                                      "straw_man", "weak_tests"};
        for (const Way& way : ways())
            QVERIFY2(notOfKernels.contains(way.name) || shown.contains(std::string(way.name)), way.name.data());
    }

    void baselines_data() {
        QTest::addColumn<QString>("spec");
        for (const auto& [name, spec] : m_specs) QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void baselines() {
        QFETCH(QString, spec);
        const auto result = judge({spec.toStdString(), "baseline", false, {}}, false);
        QVERIFY2(result.verdict == passVerdict(), describe(result));
        mayFail(result, {});
    }

    void kernels_data() {
        QTest::addColumn<std::size_t>("number");
        for (std::size_t i = 0; i < m_subjects.size(); ++i)
            QTest::newRow(fmt::format("{} {}", m_subjects[i].spec, m_subjects[i].name).c_str()) << i;
    }
    void kernels() {
        QFETCH(std::size_t, number);
        const Subject& subject = m_subjects[number];
        Json expected = read(subject);
        const CandidateResult result = judge(subject, true);
        const bool mustPass = expected.at("verdict") == "pass";
        if (!subject.isLiar) {
            QVERIFY2(mustPass && result.verdict == passVerdict(), describe(result));
            mayFail(result, {});
            m_rows[number] = {subject, expected, result, {}};
            return;
        }
        test::NaiveTest naive;
        for (const auto& [symbol, value] : expected.at("naive").at("set").items())
            naive.sizes[symbol] = value.get<std::int64_t>();
        naive.tolerance = expected.at("naive").at("tolerance").get<double>();
        naive.zeroTotals = expected.at("naive").contains("inout");
        const Spec& spec = m_specs.at(subject.spec);
        const std::string said = test::naively(spec.kernel, spec.baseline, textOf(subject), naive);
        QVERIFY2(said.empty(), ("a naive harness notices: " + said).c_str());

        const std::string check = expected.at("check").get<std::string>();
        const Check* known = findCheck(check);
        QVERIFY2(known, check.c_str());
        if (known->stages == "assemble" && !m_hasPtxas) QSKIP("no ptxas here");
        QVERIFY2(result.verdict == (mustPass ? passVerdict() : Verdict::fail), describe(result));
        const auto outcome = std::ranges::find(result.checks, check, &CheckOutcome::check);
        QVERIFY2(outcome != result.checks.end() && outcome->status == CheckStatus::failed, describe(result));
        QVERIFY2(!outcome->reason.empty(), describe(result));
        const Seen at = seen(result, check, expected.at("stage").get<std::string>());
        if (updating()) {
            expected["line"] = at.line ? Json(at.line) : Json(nullptr);
            std::ofstream(subject.expectation) << expected.dump(1) << "\n";
        }
        m_rows[number] = {subject, expected, result, at};
        if (!result.device.empty()) return; // a GPU tells less of where
        QCOMPARE(at.stage, expected.at("stage").get<std::string>());
        QCOMPARE(at.line, expected.at("line").is_null() ? 0U : expected.at("line").get<unsigned>());
    }

    /// README.md has the table as it is now.
    void theTableIsInTheDocs() {
        std::string table = "| liar | what it does | caught by | stage | line |\n|---|---|---|---|---|\n";
        std::string honest = "| honest kernel | what is unusual |\n|---|---|\n";
        for (const auto& [number, row] : m_rows) {
            const fs::path source = fs::path(row.subject.expectation).replace_extension(".cu");
            const std::string what = firstSentence(source), name = row.subject.spec + " " + row.subject.name;
            if (row.subject.isLiar)
                table +=
                    fmt::format("| {} | {} | {} | {} | {} |\n", name, what, row.expected.at("check").get<std::string>(),
                                row.at.stage, row.at.line ? std::to_string(row.at.line) : "-");
            else
                honest += fmt::format("| {} | {} |\n", name, what);
        }
        fmt::print("{}\n{}", table, honest);
        std::fflush(stdout);
        if (qEnvironmentVariableIsSet("PTXWB_GALLERY_PROGRAM")) return; // the table of another machine
        if (m_rows.size() < m_subjects.size()) QSKIP("not every kernel could be judged here");
        const fs::path file = gallery / "README.md";
        std::string text = readFile(file).value();
        const std::string begin = "<!-- table -->\n", end = "<!-- end -->\n";
        const auto from = text.find(begin) + begin.size(), to = text.find(end);
        QVERIFY(to != std::string::npos);
        const std::string wanted = "\n" + table + "\n" + honest + "\n";
        if (updating()) {
            text.replace(from, to - from, wanted);
            std::ofstream(file) << text;
        }
        QCOMPARE(QString::fromStdString(text.substr(text.find(begin) + begin.size(), wanted.size())),
                 QString::fromStdString(wanted));
    }

private:
    struct Row {
        Subject subject;
        Json expected;
        CandidateResult result;
        Seen at;
    };

    static Json read(const Subject& subject) { return Json::parse(readFile(subject.expectation).value()); }
    static std::string textOf(const Subject& subject) {
        return readFile(fs::path(subject.expectation).replace_extension(".ptx")).value();
    }
    /// Without ptxas nothing can pass.
    Verdict passVerdict() const { return m_hasPtxas ? Verdict::pass : Verdict::incomplete; }

    /// By a ptxwb of its own, which survives what a kernel does to a GPU.
    CandidateResult judgeBy(const std::string& program, const Subject& subject, bool isCandidate) {
        ChildRequest request;
        request.arguments = {program,
                             "verify",
                             (gallery / subject.spec).string(),
                             "--seed",
                             std::to_string(seed),
                             "--trust",
                             "--json",
                             "--candidate",
                             isCandidate ? subject.name : m_specs.at(subject.spec).kernel.spec.candidates.front()};
        request.deadline = std::chrono::minutes(5);
        const ChildResult ran = runChild(request);
        const auto json = parseJson(ran.output);
        auto report = json ? verifyReportFromJson(*json) : std::unexpected(json.error());
        if (!report) qFatal("%s: %s", report.error().message.c_str(), ran.errors.c_str());
        return std::move(isCandidate ? report->results.back() : report->results.front());
    }

    CandidateResult judge(const Subject& subject, bool isCandidate) {
        if (qEnvironmentVariableIsSet("PTXWB_GALLERY_PROGRAM"))
            return judgeBy(qgetenv("PTXWB_GALLERY_PROGRAM").toStdString(), subject, isCandidate);
        VerifyInput input;
        input.kernel = m_specs.at(subject.spec).kernel;
        if (isCandidate) input.candidate = CandidateText{subject.name, subject.name + ".ptx", textOf(subject)};
        input.plan.seed = seed;
        input.plan.backend = Backend::emulator;
        input.plan.reference = ReferenceTrust::granted;
        auto report = verifyCandidate(input, m_machine, *m_cache, {});
        if (!report) qFatal("%s", format(report.error()).c_str());
        return std::move(report->results.at(0));
    }

    /// No check but these may fail; what the tests did not reach is said of the tests.
    static void mayFail(const CandidateResult& result, const std::set<std::string>& allowed) {
        for (const CheckOutcome& outcome : result.checks)
            QVERIFY2(outcome.status != CheckStatus::failed || outcome.check == "coverage" ||
                         allowed.contains(outcome.check),
                     (outcome.check + ": " + outcome.reason).c_str());
    }

    static QByteArray describe(const CandidateResult& result) {
        std::string text = fmt::format("{}: {}\n", result.candidate, name(result.verdict));
        for (const StageResult& stage : result.stages) {
            text += fmt::format("{} {} {}\n", name(stage.stage), name(stage.status), stage.reason);
            for (const Finding& finding : stage.findings)
                text += fmt::format("  {} line {}: {}\n", finding.check, finding.line, finding.message);
        }
        return QByteArray::fromStdString(text);
    }

    Machine m_machine;
    bool m_hasPtxas = false;
    std::optional<TemporaryFolder> m_cacheFolder;
    std::shared_ptr<OracleCache> m_cache = makeOracleCache();
    std::map<std::string, Spec> m_specs;
    std::vector<Subject> m_subjects;
    std::map<std::size_t, Row> m_rows;
};

QTEST_APPLESS_MAIN(GalleryTest)
#include "gallery_test.moc"

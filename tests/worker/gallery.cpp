// What an H200 said of the gallery: the recordings can be read, and the table of the gallery's README is made of them.
// With PTXWB_UPDATE=1 the table is written anew from the recordings.
#include "support/files.h"
#include "verify/result.h"

#include <QTest>
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ptxwb;
using namespace ptxwb::verify;

namespace {

const std::filesystem::path root = PTXWB_SOURCE_DIR;

/// The answers of one recording, a report each.
std::vector<VerifyReport> answers(const std::filesystem::path& file) {
    std::vector<VerifyReport> reports;
    std::istringstream lines(readFile(file).value());
    for (std::string line; std::getline(lines, line);) {
        const auto value = nlohmann::json::parse(line);
        if (!value.contains("done")) continue;
        auto report = verifyReportFromJson(value.at("done"));
        if (!report) qFatal("%s: %s", file.c_str(), report.error().message.c_str());
        reports.push_back(std::move(*report));
    }
    return reports;
}

/// "title" of a candidate's head.
std::string titleOf(const std::string& kernel, const std::string& candidate) {
    std::istringstream lines(
        readFile(root / "resources/examples" / kernel / "candidates" / (candidate + ".ptx")).value());
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("//@ title ")) return line.substr(10);
    return {};
}

std::string rowOf(const VerifyReport& report) {
    const CandidateResult& result = report.results.front();
    const Speedup& s = *result.speedup;
    const Timing& t = *result.timing;
    const bool isMemory = t.roofline->memoryPercent >= t.roofline->arithmeticPercent;
    return fmt::format("| {} | {} | {:.1f} | {:.1f} | {:.3f} [{:.3f}, {:.3f}] {} | {:.0f} % {} | {} |", report.kernel,
                       result.candidate, s.baselineUs, t.medianUs, s.ratio, s.low, s.high, s.call,
                       t.roofline->percent(), isMemory ? "memory" : t.roofline->rate,
                       titleOf(report.kernel, result.candidate));
}

/// The kernels in the order of the README's first table.
std::vector<std::string> kernelsOf(const std::string& readme) {
    std::vector<std::string> names;
    for (std::size_t at = readme.find("| ["); at != std::string::npos; at = readme.find("\n| [", at + 1)) {
        const std::size_t begin = readme.find('[', at) + 1;
        names.push_back(readme.substr(begin, readme.find(']', begin) - begin));
    }
    return names;
}

/// Rows of the second table, in place of what stands there.
void writeTable(const std::filesystem::path& file, const std::filesystem::path& recordings) {
    std::string readme = readFile(file).value();
    std::string rows;
    for (const std::string& kernel : kernelsOf(readme))
        if (std::filesystem::exists(recordings / (kernel + ".jsonl")))
            for (const VerifyReport& report : answers(recordings / (kernel + ".jsonl")))
                if (report.results.front().speedup && report.results.front().candidate != "baseline")
                    rows += rowOf(report) + "\n";
    const std::string rule = "|---|---|---:|---:|---|---|---|\n";
    const std::size_t begin = readme.find(rule) + rule.size();
    std::size_t end = begin;
    while (readme.compare(end, 2, "| ") == 0) end = std::min(readme.find('\n', end), readme.size() - 1) + 1;
    readme.replace(begin, end - begin, rows);
    if (!writeFileAtomically(file, readme)) qFatal("cannot write %s", file.c_str());
}

} // namespace

class GalleryTest : public QObject {
    Q_OBJECT

private slots:
    void theTableIsWhatWasMeasured() {
        if (qEnvironmentVariableIsSet("PTXWB_UPDATE"))
            writeTable(root / "resources/examples/README.md", root / "tests/data/worker/h200/gallery");
        const std::string readme = readFile(root / "resources/examples/README.md").value();
        std::size_t rows = 0, fasterKernels = 0;
        std::vector<std::string> kernels;
        for (const auto& entry : std::filesystem::directory_iterator(root / "tests/data/worker/h200/gallery")) {
            bool faster = false;
            for (const VerifyReport& report : answers(entry.path())) {
                const CandidateResult& result = report.results.front();
                QCOMPARE(result.device, std::string("NVIDIA H200"));
                if (!result.speedup || result.candidate == "baseline") continue;
                ++rows;
                const std::string row = rowOf(report);
                QVERIFY2(readme.find(row) != std::string::npos, row.c_str());
                faster |= result.speedup->call == "faster";
            }
            kernels.push_back(entry.path().stem());
            if (faster) ++fasterKernels;
        }
        const auto tableRows = std::ranges::count(readme.substr(readme.find("## On an H200")), '\n');
        QVERIFY(rows > 0 && static_cast<std::size_t>(tableRows) > rows);
        // The claim that the idea stands on, and the three classes that it names.
        QVERIFY2(fasterKernels >= 15, std::to_string(fasterKernels).c_str());
        for (const char* kernel : {"hgemm_mma", "attention", "reduce"})
            QVERIFY2(std::ranges::find(kernels, kernel) != kernels.end(), kernel);
    }

    void wrongOnesFailedThereToo() {
        for (const auto& entry : std::filesystem::directory_iterator(root / "tests/data/worker/h200/gallery"))
            for (const VerifyReport& report : answers(entry.path())) {
                const CandidateResult& result = report.results.front();
                const std::string what = report.kernel + " " + result.candidate;
                // Only what passed was timed.
                QVERIFY2((result.verdict == Verdict::pass) == result.timing.has_value(), what.c_str());
                if (result.verdict == Verdict::fail)
                    QVERIFY2(std::ranges::any_of(result.checks,
                                                 [](const CheckOutcome& c) { return c.status == CheckStatus::failed; }),
                             what.c_str());
            }
    }
};

QTEST_APPLESS_MAIN(GalleryTest)
#include "gallery.moc"

// The table of checks: complete, and folded into results as findings and stages tell.
#include "verify/checks.h"

#include "schema_check.h"

#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

using namespace ptxwb;
using namespace ptxwb::verify;

namespace {

std::string contents(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

StageResult stage(Stage which, Status status, std::string backend, std::string reason = {}) {
    return {which, status, std::move(backend), std::move(reason), 0, {}, 0};
}

CheckOutcome outcomeOf(const CandidateResult& result, std::string_view check) {
    for (const CheckOutcome& outcome : foldChecks(result))
        if (outcome.check == check) return outcome;
    return {};
}

} // namespace

class ChecksTest : public QObject {
    Q_OBJECT

private slots:
    void theTableIsWhole() {
        std::set<std::string_view> seen, ways;
        for (const Way& way : verify::ways()) QVERIFY(ways.insert(way.name).second);
        std::set<std::string_view> closed;
        for (const Check& check : checks()) {
            QVERIFY2(seen.insert(check.name).second, check.name.data());
            QVERIFY(check.row.empty() || ways.contains(check.row));
            closed.insert(check.row);
            QVERIFY(!check.what.empty() && !check.stages.empty() && !check.backends.empty());
            QVERIFY(findCheck(check.name) == &check);
        }
        for (const std::string_view way : ways) QVERIFY2(closed.contains(way), way.data());
        QCOMPARE(QString::fromStdString(test::mismatch("list_checks", checksToJson())), QString());
        QVERIFY(!findCheck("polish"));
    }

    /// Whoever makes a finding names a check of the table.
    void everyCheckInTheSourceIsListed() {
        const std::regex literal("(?:check = |FindingKind::[a-zA-Z]+,\\s+)\"([a-z_]+)\"");
        std::size_t found = 0;
        for (const auto& file :
             std::filesystem::recursive_directory_iterator(std::filesystem::path(PTXWB_SOURCE_DIR) / "core")) {
            if (file.path().extension() != ".cpp") continue;
            const std::string text = contents(file.path());
            for (std::sregex_iterator at(text.begin(), text.end(), literal), end; at != end; ++at) {
                const std::string name = (*at)[1];
                if (name == "ptxas_warning") continue; // no fault
                ++found;
                QVERIFY2(findCheck(name), (file.path().string() + ": " + name).c_str());
            }
        }
        QVERIFY(found > 20);
    }

    void whatRanHasPassed() {
        CandidateResult result;
        result.stages = {stage(Stage::parse, Status::pass, "host"), stage(Stage::function, Status::pass, "emulator"),
                         stage(Stage::sanitize, Status::skipped, "emulator", "not asked for")};
        QVERIFY(outcomeOf(result, "bounds").status == CheckStatus::passed);
        QVERIFY(outcomeOf(result, "parser").status == CheckStatus::passed);
        const CheckOutcome race = outcomeOf(result, "shared_race");
        QVERIFY(race.status == CheckStatus::notRun);
        QCOMPARE(race.reason, std::string("sanitize skipped: not asked for"));
        const CheckOutcome guards = outcomeOf(result, "guards");
        QVERIFY(guards.status == CheckStatus::notRun);
        QCOMPARE(guards.reason, std::string("only a GPU can tell, and none judged"));
        QVERIFY(outcomeOf(result, "elements").status == CheckStatus::notRun); // its stage did not say so
        QVERIFY(outcomeOf(result, "timed_outputs").status == CheckStatus::notRun);
    }

    void aFindingFailsItsCheckAndNoOther() {
        CandidateResult result;
        result.stages = {stage(Stage::stress, Status::fail, "emulator")};
        Finding finding;
        finding.check = "bounds";
        finding.message = "reads 4 bytes past the end of x";
        result.stages[0].findings.push_back(finding);
        finding.check = "emulator";
        finding.kind = FindingKind::unsupported;
        result.stages[0].findings.push_back(finding);
        QVERIFY(outcomeOf(result, "bounds").status == CheckStatus::failed);
        QCOMPARE(outcomeOf(result, "bounds").reason, std::string("reads 4 bytes past the end of x"));
        QVERIFY(outcomeOf(result, "alignment").status == CheckStatus::passed);
        QVERIFY(outcomeOf(result, "emulator").status == CheckStatus::passed); // what it lacks is no fault of the kernel
    }

    void aStageSpeaksForItself() {
        CandidateResult result;
        result.stages = {stage(Stage::function, Status::pass, "emulator"),
                         stage(Stage::stress, Status::pass, "emulator")};
        result.stages[0].checks = {{"elements", CheckStatus::notRun, "nothing to compare with"}};
        QCOMPARE(outcomeOf(result, "elements").reason, std::string("nothing to compare with"));
        result.stages[1].checks = {{"elements", CheckStatus::passed, ""}};
        QVERIFY(outcomeOf(result, "elements").status == CheckStatus::passed);
        result.stages[1].checks[0].status = CheckStatus::failed;
        QVERIFY(outcomeOf(result, "elements").status == CheckStatus::failed);
    }

    void outcomesTravel() {
        CandidateResult result;
        result.candidate = "a";
        result.stages = {stage(Stage::parse, Status::pass, "host")};
        result.checks = {{"parser", CheckStatus::passed, ""}, {"bounds", CheckStatus::notRun, "because"}};
        result.strength = Strength{10, 8, 4, 3, {{7, "never reached", CudaPlace{"a.cu", 3}}}, 5, 4, {{9, "dropped"}}};
        const auto back = candidateResultFromJson(toJson(result));
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QCOMPARE(QString::fromStdString(toJson(*back).dump()), QString::fromStdString(toJson(result).dump()));
        QCOMPARE(back->checks.size(), std::size_t{2});
        QCOMPARE(back->strength->unreached.at(0).cuda->line, 3U);
        auto broken = toJson(result);
        broken["checks"][0]["status"] = "fine";
        QVERIFY(!candidateResultFromJson(broken));
    }
};

QTEST_APPLESS_MAIN(ChecksTest)
#include "checks.moc"

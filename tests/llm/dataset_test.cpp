// Texts that are the same program, lines of a data set, and shares with their intervals.
#include "llm/dataset.h"
#include "llm/evaluation.h"
#include "support/files.h"

#include <QtTest>
#include <nlohmann/json.hpp>

using namespace ptxwb;
using namespace ptxwb::llm;
using nlohmann::json;

namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

} // namespace

class DatasetTest : public QObject {
    Q_OBJECT

private slots:
    void sameProgram() {
        const std::string text = readFile(PTXWB_SOURCE_DIR "/tests/data/llm/scale.ptx").value();
        const std::string same = normalisedPtx(text);
        QCOMPARE(normalisedPtx("//@ title x\n// a comment\n" + replaced(text, "\t", "   ")), same);
        QCOMPARE(
            normalisedPtx(replaced(replaced(replaced(text, "%rd", "%address"), "%f", "%value"), "$L_done", "$end")),
            same);
        QCOMPARE(normalisedPtx(replaced(text, "%p<2>", "%p<9>")), same);
        QCOMPARE(normalisedPtx(replaced(text, "\tld.global", "\t.loc 1 7 3\n\tld.global") +
                               "\t.file 1 \"x.cu\"\n\t.section .debug_str { .b8 1,2 }\n"),
                 same);
        QVERIFY(normalisedPtx(replaced(text, "add.f32", "mul.f32")) != same);
        QVERIFY(normalisedPtx(replaced(text, "%f1, %f1;", "%f1, %f2;")) != same);
        QVERIFY(normalisedPtx(replaced(text, "%r5, 4;", "%r5, 8;")) != same);
        QVERIFY(normalisedPtx(replaced(text, "%ctaid.x", "%ctaid.y")) != same);
        QVERIFY(normalisedPtx(replaced(text, "%tid.x", "%ntid.x")) != same);
        QVERIFY(!normalisedPtx("not PTX {").empty());
    }

    void lines() {
        DatasetEntry entry;
        entry.kernel = "scale";
        entry.arch = "sm_90";
        entry.name = "c1r1";
        entry.ptx = readFile(PTXWB_SOURCE_DIR "/tests/data/llm/scale.ptx").value();
        entry.provenance = {"model", "openai", "m", "ab", ""};
        Finding finding;
        finding.kind = FindingKind::race;
        finding.message = "two writes";
        finding.line = 7;
        entry.outcome.verdict = "fail";
        entry.outcome.stages = {{"parse", "pass", "host", "", {}}, {"sanitize", "fail", "emulator", "", {finding}}};
        Dataset dataset;
        QVERIFY(dataset.add(entry));
        entry.ptx = replaced(entry.ptx, "%rd", "%q");
        QVERIFY(!dataset.add(entry));
        entry.arch = "sm_80";
        QVERIFY(dataset.add(entry));
        QCOMPARE(dataset.size(), std::size_t{2});
        QCOMPARE(dataset.duplicates(), std::size_t{1});
        const json line = json::parse(dataset.text().substr(0, dataset.text().find('\n')));
        QCOMPARE(line.at("provenance").at("kind").get<std::string>(), std::string("model"));
        QVERIFY(line.at("provenance").at("toolkit").is_null() && line.at("speedup").is_null());
        QCOMPARE(line.at("reason").at("kind").get<std::string>(), std::string("race"));
        QCOMPARE(line.at("reason").at("line").get<int>(), 7);
        QCOMPARE(line.at("stages").at("sanitize").get<std::string>(), std::string("fail"));
    }

    void intervals() {
        // Values of R's binom::binom.confint(method = "wilson").
        const auto near = [](double a, double b) { return std::abs(a - b) < 5e-4; };
        const Share half = share(5, 10);
        QVERIFY(near(half.low, 0.2366) && near(half.high, 0.7634));
        const Share all = share(10, 10);
        QVERIFY(near(all.low, 0.7225) && all.high == 1);
        const Share none = share(0, 10);
        QVERIFY(none.low == 0 && near(none.high, 0.2775));
        QVERIFY(share(0, 0).low == 0 && share(0, 0).high == 1);
        QVERIFY(near(share(90, 100).low, 0.8256) && near(share(90, 100).high, 0.9448));
    }

    void tables() {
        std::vector<Trial> trials;
        const auto add = [&](const char* kernel, const char* kind, std::uint32_t candidate, std::uint32_t round,
                             bool assembled, bool correct, std::optional<bool> faster) {
            trials.push_back({kernel, kind, "x", candidate, round, true, assembled, correct, faster, {}, ""});
        };
        add("a", "streaming", 1, 1, true, false, {});
        add("a", "streaming", 1, 2, true, true, true); // repaired
        add("a", "streaming", 2, 1, true, true, false);
        add("b", "tensor cores", 1, 1, false, false, {});
        const auto rows = table(trials);
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[0].kernelClass, std::string("streaming"));
        QCOMPARE(rows[0].correct.count, 2U);
        QCOMPARE(rows[0].correct.of, 2U);
        QCOMPARE(rows[0].firstRound.count, 1U);
        QCOMPARE(rows[0].faster.count, 1U);
        QCOMPARE(rows[0].faster.of, 2U);
        QCOMPARE(rows[2].kernelClass, std::string("all"));
        QCOMPARE(rows[2].kernels, 2U);
        QCOMPARE(rows[2].assembled.count, 2U);
        QCOMPARE(rows[2].assembled.of, 3U);
        for (const Trial& trial : trials) QVERIFY(trialFromJson(toJson(trial)).value() == trial);
        QCOMPARE(kernelClass({"fma_in_loop", "mma"}), std::string("tensor cores"));
        QCOMPARE(kernelClass({"scalar_global_loads"}), std::string("streaming"));
    }
};

QTEST_APPLESS_MAIN(DatasetTest)
#include "dataset_test.moc"

// Regions put back: replies that say the same under other names leave kernels that do the same to the bit, and replies
// that would break a kernel are refused with the reason. The kernels are those of tests/data/kernels and the examples.
#include "emulator_run.h"
#include "llm/region.h"
#include "llm/reply_blocks.h"
#include "ptx/analysis/liveness.h"
#include "ptx/check.h"
#include "ptx/parse.h"
#include "support/files.h"

#include <QtTest>
#include <fmt/format.h>
#include <map>
#include <random>

using namespace ptxwb;
using namespace ptxwb::llm;

namespace {

bool isWordPart(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%' || c == '$';
}

std::string withWord(std::string text, const std::string& word, const std::string& other) {
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
        const bool whole = (at == 0 || !isWordPart(text[at - 1])) &&
                           (at + word.size() == text.size() || !isWordPart(text[at + word.size()]));
        if (whole) text.replace(at, word.size(), other);
        at += whole ? other.size() : word.size();
    }
    return text;
}

struct Chosen {
    const kernels::Case* one = nullptr;
    std::shared_ptr<const ptx::Module> module;
    const ptx::Function* entry = nullptr;
    RegionView view;
    /// The same lines, with what is used only here declared anew under the names that it has outside.
    std::string same() const {
        std::string text;
        for (const RegionRegister& inner : view.inner) text += fmt::format("\t.reg .{} {};\n", inner.type, inner.name);
        return text + view.text;
    }
    Expected<Stitched> stitched(const std::string& code) const { return stitch(*module, *entry, view, code); }
};

bool hasErrors(const ptx::Module& module) {
    for (const Diagnostic& diagnostic : ptx::check(module))
        if (diagnostic.severity == Severity::error) return true;
    return false;
}

} // namespace

class RegionTest : public QObject {
    Q_OBJECT

    std::vector<kernels::Case> m_cases;
    std::vector<Chosen> m_chosen;
    std::map<std::string, int> m_refusals;

    void addCases(const std::filesystem::path& folder) {
        auto cases = kernels::readCases(folder);
        QVERIFY2(cases.has_value(), cases ? "" : format(cases.error()).c_str());
        for (kernels::Case& one : *cases)
            if (m_cases.empty() || m_cases.back().kernel.spec.name != one.kernel.spec.name)
                m_cases.push_back(std::move(one));
    }

    /// What `damage` makes of every region that it fits, and how often it was tried.
    template <class Damage>
    void refuses(Damage damage, const char* reason, int least) {
        int tried = 0;
        for (const Chosen& chosen : m_chosen) {
            const std::string code = damage(chosen);
            if (code.empty()) continue;
            ++tried;
            const auto result = chosen.stitched(code);
            QVERIFY2(!result, qPrintable(QString("%1, lines %2 to %3 was taken:\n%4")
                                             .arg(QString::fromStdString(chosen.one->title))
                                             .arg(chosen.view.firstLine)
                                             .arg(chosen.view.lastLine)
                                             .arg(QString::fromStdString(code))));
            QVERIFY2(result.error().message.find(reason) != std::string::npos, result.error().message.c_str());
            QCOMPARE(result.error().place.file, std::string("reply"));
            QVERIFY(result.error().place.line >= 1 && result.error().place.line <= linesOf(code).size() + 1);
        }
        QVERIFY2(tried >= least, qPrintable(QString("%1: only %2").arg(reason).arg(tried)));
        qInfo("%s: %d regions", reason, tried);
    }

private slots:
    void initTestCase() {
        addCases(PTXWB_SOURCE_DIR "/tests/data/kernels");
        for (const auto& folder : std::filesystem::directory_iterator(PTXWB_SOURCE_DIR "/resources/examples"))
            if (folder.is_directory()) addCases(folder.path());
        QVERIFY(m_cases.size() > 80);
        std::mt19937_64 random(8);
        const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
        for (int attempt = 0; attempt < 5000 && m_chosen.size() < 260; ++attempt) {
            Chosen chosen;
            chosen.one = &m_cases[below(m_cases.size())];
            chosen.module = ptx::parse(chosen.one->ptx, chosen.one->ptxFile);
            chosen.entry = chosen.module->function(chosen.one->data.entry);
            if (chosen.entry == nullptr || hasErrors(*chosen.module)) continue;
            const std::size_t first = below(chosen.entry->instructions.size());
            const std::size_t last = std::min(first + below(40), chosen.entry->instructions.size() - 1);
            const auto line = [&](std::size_t i) {
                return chosen.module->lineOf(chosen.entry->instructions[i].span.offset);
            };
            auto view = regionOf(*chosen.module, *chosen.entry, {line(first), line(last)});
            if (!view) {
                QVERIFY(!view.error().message.empty());
                ++m_refusals[view.error().message.substr(0, 40)];
                continue;
            }
            const bool hasVector =
                std::ranges::any_of(chosen.entry->registers, [](const ptx::RegisterGroup& g) { return g.vector > 1; });
            if (hasVector) continue;
            chosen.view = std::move(*view);
            m_chosen.push_back(std::move(chosen));
        }
        for (const auto& [reason, count] : m_refusals) qInfo("not chosen, %d times: %s...", count, reason.c_str());
        QCOMPARE(m_chosen.size(), std::size_t{260});
    }

    void theSameUnderOtherNames() {
        std::map<std::string, kernels::Answer> before;
        int renamed = 0, withBarriers = 0, withLabels = 0;
        std::size_t instructions = 0;
        for (const Chosen& chosen : m_chosen) {
            const auto result = chosen.stitched(chosen.same());
            const QString where = QString("%1, lines %2 to %3: ")
                                      .arg(QString::fromStdString(chosen.one->title))
                                      .arg(chosen.view.firstLine)
                                      .arg(chosen.view.lastLine);
            QVERIFY2(result.has_value(),
                     result ? "" : qPrintable(where + QString::fromStdString(format(result.error(), chosen.same()))));
            if (!chosen.view.inner.empty()) {
                QVERIFY2(result->text != chosen.one->ptx, qPrintable(where));
                ++renamed;
            }
            withBarriers += !chosen.view.barriers.empty();
            withLabels += !chosen.view.keptLabels.empty();
            instructions += chosen.view.end - chosen.view.first;
            if (!before.contains(chosen.one->title))
                before[chosen.one->title] = kernels::runOnEmulator(*chosen.one, chosen.one->ptx, 0).answer;
            const auto run = kernels::runOnEmulator(*chosen.one, result->text, 0);
            QVERIFY2(run.error.empty() && run.completed && run.findings.empty(),
                     qPrintable(where + QString::fromStdString(
                                            run.error + (run.findings.empty() ? "" : run.findings.front().message))));
            const auto& expected = before.at(chosen.one->title).outputs;
            QCOMPARE(run.answer.outputs.size(), expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i) {
                QCOMPARE(run.answer.outputs[i].digest, expected[i].digest);
                QVERIFY2(run.answer.outputs[i].bytes == expected[i].bytes, qPrintable(where));
            }
        }
        qInfo("%zu regions of %zu kernels, %zu instructions; %d with registers of their own, %d with barriers, %d with "
              "labels from outside",
              m_chosen.size(), before.size(), instructions, renamed, withBarriers, withLabels);
        QVERIFY(renamed > 100 && withBarriers > 10 && withLabels > 10);
    }

    void aMissingResult() {
        refuses(
            [](const Chosen& chosen) -> std::string {
                for (const RegionRegister& one : chosen.view.liveOut)
                    if (std::ranges::find(chosen.view.liveIn, one) == chosen.view.liveIn.end())
                        return fmt::format("\t.reg .{} %damaged;\n", one.type) +
                               withWord(chosen.same(), one.name, "%damaged");
                return {};
            },
            "it never writes", 100);
    }

    void aResultOnOneWayOnly() {
        refuses(
            [](const Chosen& chosen) -> std::string {
                const auto& view = chosen.view;
                // Only where a result is written once, by an instruction without a guard.
                for (const RegionRegister& one : view.liveOut) {
                    if (std::ranges::find(view.liveIn, one) != view.liveIn.end()) continue;
                    std::string code;
                    int writes = 0;
                    bool guarded = false;
                    for (const std::string_view line : linesOf(view.text)) {
                        const auto text = trimmed(line);
                        const auto operands = text.find_first_of(" \t");
                        const bool isWrite = operands != std::string_view::npos &&
                                             trimmed(text.substr(operands)).starts_with(one.name + ",");
                        writes += isWrite;
                        guarded = guarded || (text.starts_with('@') && text.find(one.name) != std::string_view::npos) ||
                                  (!isWrite && text.find("{") != std::string_view::npos) ||
                                  text.find(one.name + "|") != std::string_view::npos;
                        code += (isWrite ? "\t@%damaged " + std::string(text) : std::string(line)) + "\n";
                    }
                    if (writes == 1 && !guarded && view.keptLabels.empty() && view.exits.empty()) {
                        std::string declarations;
                        for (const RegionRegister& inner : view.inner)
                            declarations += fmt::format("\t.reg .{} {};\n", inner.type, inner.name);
                        return "\t.reg .pred %damaged;\n\t.reg .b32 %word;\n\tmov.u32 %word, %laneid;\n\tsetp.eq.u32 "
                               "%damaged, %word, 3;\n" +
                               declarations + code;
                    }
                }
                return {};
            },
            "on every way", 40);
    }

    void aBarrierMore() {
        refuses([](const Chosen& chosen) { return "\tbar.sync 0;\n" + chosen.same(); },
                "it adds the barrier bar.sync 0", 200);
    }

    void aBarrierLess() {
        refuses(
            [](const Chosen& chosen) -> std::string {
                if (chosen.view.barriers.empty()) return {};
                std::string code;
                bool dropped = false, others = false;
                const std::string whole = chosen.same();
                for (const std::string_view line : linesOf(whole)) {
                    if (trimmed(line).starts_with("bar") && !dropped) {
                        dropped = true;
                        continue;
                    }
                    others = others || trimmed(line).ends_with(';');
                    code += std::string(line) + "\n";
                }
                return dropped && others && chosen.view.text.find("mov") != std::string::npos ? code : std::string{};
            },
            "it loses the barrier bar", 10);
    }

    void clashingNames() {
        refuses(
            [](const Chosen& chosen) -> std::string {
                if (chosen.view.liveIn.empty()) return {};
                return fmt::format("\t.reg .{} {};\n", chosen.view.liveIn[0].type, chosen.view.liveIn[0].name) +
                       chosen.same();
            },
            "anew, which the region gets from outside", 150);
        refuses(
            [](const Chosen& chosen) -> std::string {
                for (const RegionRegister& one : chosen.view.liveOut)
                    if (std::ranges::find(chosen.view.liveIn, one) == chosen.view.liveIn.end())
                        return fmt::format("\t.reg .{} {};\n", one.type, one.name) + chosen.same();
                return {};
            },
            "anew, which the region must leave", 100);
    }

    void anotherOnesRegister() {
        refuses(
            [](const Chosen& chosen) -> std::string {
                const auto flow = ptx::controlFlow(*chosen.module, *chosen.entry);
                const auto live = ptx::liveness(*chosen.entry, flow);
                if (!chosen.view.fallsThrough || chosen.view.end == chosen.entry->instructions.size()) return {};
                for (const ptx::Index id : live.liveBefore(flow, chosen.view.end)) {
                    const std::string name = chosen.entry->registerName(id);
                    const auto type = chosen.entry->registerType(id);
                    const auto known = [&](const std::vector<RegionRegister>& list) {
                        return std::ranges::find(list, name, &RegionRegister::name) != list.end();
                    };
                    if (known(chosen.view.liveOut) || known(chosen.view.liveIn) || ptx::sizeBytes(type) != 4) continue;
                    return fmt::format("\tmov.b32 {}, 0;\n", name) + chosen.same();
                }
                return {};
            },
            "whose value is needed afterwards and which the region does not change", 50);
    }

    void elsewhere() {
        refuses(
            [](const Chosen& chosen) -> std::string {
                for (const ptx::Label& label : chosen.entry->labels) {
                    const std::string name(label.name);
                    if (label.scope != 0 || label.directive != ptx::noIndex ||
                        (label.target > chosen.view.first && label.target < chosen.view.end) ||
                        std::ranges::find(chosen.view.exits, name) != chosen.view.exits.end())
                        continue;
                    return "\t.reg .pred %damaged;\n\tsetp.eq.u32 %damaged, 1, 2;\n\t@%damaged bra " + name + ";\n" +
                           chosen.same();
                }
                return {};
            },
            "where the region does not go", 60);
        refuses(
            [](const Chosen& chosen) {
                return chosen.view.leaves
                           ? std::string{}
                           : "\t.reg .pred %damaged;\n\tsetp.eq.u32 %damaged, 1, 2;\n\t@%damaged ret;\n" +
                                 chosen.same();
            },
            "which the region does not do", 100);
    }

    void notReadable() {
        const Chosen& chosen = m_chosen.front();
        const auto problem = [&](const std::string& code) { return chosen.stitched(code).error(); };
        QVERIFY(problem("\tadd.f32 %nowhere, %f1, %f1;\n").message.find("%nowhere") != std::string::npos);
        QVERIFY(problem("}\n{\n" + chosen.same()).message.find("a brace is closed that the reply did not open") !=
                std::string::npos);
        QVERIFY(problem("{\n" + chosen.same()).message.find("a brace is not closed") != std::string::npos);
        QVERIFY(problem(chosen.one->ptx).message.find("where only lines of the region are wanted") !=
                std::string::npos);
        QVERIFY(!chosen.stitched(""));
        QVERIFY(!chosen.stitched("// nothing\n"));
        const Diagnostic undeclared = problem(chosen.same() + "\tmov.b32 %mine, 1;\n");
        QCOMPARE(undeclared.place.line, static_cast<std::uint32_t>(linesOf(chosen.same()).size() + 1));
    }

    void uninitialised() {
        refuses(
            [](const Chosen& chosen) -> std::string {
                return "\t.reg .b32 %one, %two;\n\tadd.u32 %one, %two, 1;\n" + chosen.same();
            },
            "which nothing has written before", 200);
    }

    void badRequests() {
        const Chosen& chosen = m_chosen.front();
        const auto problem = [&](std::uint32_t first, std::uint32_t last) {
            return regionOf(*chosen.module, *chosen.entry, {first, last}).error().message;
        };
        QVERIFY(problem(1, 2).find("are not in the body of") != std::string::npos);
        QVERIFY(problem(5, 4).find("are not in the body of") != std::string::npos);
    }

    void ownSharedMemoryAndLoops() {
        const auto module = ptx::parse(readFile(PTXWB_SOURCE_DIR "/tests/data/llm/scale.ptx").value(), "scale.ptx");
        const ptx::Function* entry = module->function("scale");
        const auto view = regionOf(*module, *entry, {27, 27});
        QVERIFY2(view.has_value(), view ? "" : view.error().message.c_str());
        QCOMPARE(view->liveIn, (std::vector<RegionRegister>{{"%f1", "f32"}}));
        QCOMPARE(view->liveOut, (std::vector<RegionRegister>{{"%f2", "f32"}}));
        const auto result = stitch(*module, *entry, *view,
                                   "\t.shared .align 4 .b8 mine[4];\n\t.reg .b32 %r<4>;\n\t.reg .pred %p1;\n\tmov.u32 "
                                   "%r1, mine;\n\tmov.u32 %r2, 2;\n"
                                   "\tmov.f32 %f2, 0f00000000;\n$L_done2:\n\tadd.f32 %f2, %f2, %f1;\n\tadd.u32 %r2, "
                                   "%r2, -1;\n\tsetp.ne.u32 %p1, %r2, 0;\n"
                                   "\t@%p1 bra $L_done2;\n");
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
        QVERIFY2(result->text.find("rg1_mine[4]") != std::string::npos &&
                     result->text.find("mov.u32 %rg1_r1, rg1_mine;") != std::string::npos,
                 result->text.c_str());
        QVERIFY(result->text.find("@%rg1_p1 bra $rg1_L_done2;") != std::string::npos);
        QCOMPARE(result->firstLine, 27U);
        QCOMPARE(result->lastLine, 37U);
        QVERIFY(!hasErrors(*ptx::parse(result->text)));
        // Once more into what was stitched: other prefixes.
        const auto again = ptx::parse(result->text, "again");
        const auto second = regionOf(*again, *again->function("scale"), {result->firstLine + 3, result->firstLine + 4});
        QVERIFY2(second.has_value(), second ? "" : second.error().message.c_str());
        const auto hot = hottestLoop(*again, *again->function("scale"));
        QVERIFY(hot.has_value());
        QCOMPARE(hot->lines.firstLine, 34U);
        QCOMPARE(hot->lines.lastLine, 37U);
    }

    /// Counts decide where there are some, otherwise the structure, and it says which.
    void whatIsHottest() {
        const std::string text =
            ".version 8.0\n.target sm_90\n.address_size 64\n"
            ".visible .entry k(.param .u32 n)\n{\n\t.reg .u32 %r<5>;\n\t.reg .pred %p<3>;\n"
            "\tld.param.u32 %r1, [n];\n"
            "$short:\n\tadd.u32 %r1, %r1, -1;\n\tsetp.ne.u32 %p1, %r1, 0;\n\t@%p1 bra $short;\n"
            "$long:\n\tadd.u32 %r2, %r2, 1;\n\tadd.u32 %r3, %r3, %r2;\n\tsetp.ne.u32 %p2, %r2, 4;\n"
            "\t@%p2 bra $long;\n\tret;\n}\n";
        const auto module = ptx::parse(text, "k.ptx");
        QVERIFY(!hasErrors(*module));
        const ptx::Function& entry = *module->function("k");
        const auto lines = [](const std::optional<HotLoop>& hot) {
            return hot ? std::pair(hot->lines.firstLine, hot->lines.lastLine) : std::pair(0U, 0U);
        };
        const auto byStructure = hottestLoop(*module, entry);
        QCOMPARE(lines(byStructure), std::pair(14U, 17U));
        QCOMPARE(int(byStructure->basis), int(HotBasis::structure));
        QVERIFY(describe(*byStructure).find("nothing was counted") != std::string::npos);

        LineWeights counted{HotBasis::executed,
                            {{8, 100}, {10, 300}, {11, 300}, {12, 300}, {14, 200}, {15, 200}, {16, 100}}};
        const auto byCounts = hottestLoop(*module, entry, &counted);
        QCOMPARE(lines(byCounts), std::pair(10U, 12U));
        QCOMPARE(describe(*byCounts),
                 std::string("lines 10 to 12, 60 % of the warp instructions that the emulator counted"));

        const LineWeights sampled{HotBasis::samples, {{15, 7}, {8, 1}}};
        QCOMPARE(describe(*hottestLoop(*module, entry, &sampled)),
                 std::string("lines 14 to 17, 88 % of the GPU's samples"));

        // Counts that say nothing of any loop.
        const LineWeights outside{HotBasis::executed, {{8, 100}}};
        QCOMPARE(lines(hottestLoop(*module, entry, &outside)), lines(byStructure));
        QCOMPARE(int(hottestLoop(*module, entry, &outside)->basis), int(HotBasis::structure));
        const auto none =
            ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n");
        QVERIFY(!hottestLoop(*none, *none->function("k"), &counted));
    }
};

QTEST_APPLESS_MAIN(RegionTest)
#include "region_test.moc"

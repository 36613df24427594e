// Prompts: templates, the facts of a kernel in them, long PTX made short, patterns chosen, findings sent back.
#include "kernel/spec_load.h"
#include "llm/condense.h"
#include "llm/features.h"
#include "llm/prompt.h"
#include "llm/template.h"
#include "llm/tokens.h"
#include "ptx/check.h"
#include "ptx/parse.h"
#include "support/files.h"

#include <QtTest>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace ptxwb;
using namespace ptxwb::llm;
using nlohmann::json;

namespace {

const std::filesystem::path resources = PTXWB_SOURCE_DIR "/resources";
const PromptFolders folders{resources / "prompts", {}, resources / "patterns", {}};

const kernel::Kernel& example(const std::string& name) {
    static std::map<std::string, kernel::Kernel> all;
    if (!all.contains(name))
        all[name] = *kernel::loadKernel(resources / "examples" / name / (name + ".kernel.json")).kernel;
    return all.at(name);
}

PromptInput inputFor(const std::string& name) {
    PromptInput input;
    input.kernel = &example(name);
    input.base = input.kernel->files.at(input.kernel->spec.baseline->ptx);
    input.target = {"sm_90", "Hopper", 32, 1024, 64, 32, 65536, 255, 49152, 232448, 233472, 8};
    return input;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class PromptTest : public QObject {
    Q_OBJECT

private slots:
    void templates() {
        const json values{{"name", "x"},       {"empty", ""},
                          {"yes", true},       {"list", {{{"item", "a"}}, {{"item", "b"}}}},
                          {"number", 7},       {"inner", {{"name", "y"}}},
                          {"evil", "{{name}}"}};
        const auto out = [&](std::string_view text) { return render(text, values).value(); };
        QCOMPARE(out("{{name}} {{ number }}"), std::string("x 7"));
        QCOMPARE(out("{{#list}}<{{item}}{{name}}>{{/list}}"), std::string("<ax><bx>"));
        QCOMPARE(out("a\n{{#empty}}\nnothing\n{{/empty}}\nb\n"), std::string("a\nb\n"));
        QCOMPARE(out("a\n  {{^empty}}  \nthere\n{{/empty}}\nb\n"), std::string("a\nthere\nb\n"));
        QCOMPARE(out("{{#inner}}{{name}}{{number}}{{/inner}}"), std::string("y7"));
        QCOMPARE(out("{{! a note }}\nx"), std::string("x"));
        QCOMPARE(out("{{evil}}"), std::string("{{name}}")); // what is put in is no template
        QCOMPARE(out("{{#empty}}{{unknown}}{{/empty}}"), std::string());
        const auto problem = [&](std::string_view text) { return render(text, values, "t.md").error(); };
        QCOMPARE(problem("a\nb {{nmae}}").message, std::string("there is no fact called \"nmae\""));
        QCOMPARE(problem("a\nb {{nmae}}").hint, std::string("did you mean name?"));
        QCOMPARE(problem("a\nb {{nmae}}").place.line, 2U);
        QCOMPARE(problem("a\nb {{nmae}}").place.column, 3U);
        QVERIFY(has(problem("{{#yes}}").message, "not closed"));
        QVERIFY(has(problem("{{/yes}}").message, "nothing is open"));
        QVERIFY(has(problem("{{#yes}}{{/list}}").message, "yes is open"));
        QVERIFY(has(problem("{{name").message, "not closed"));
    }

    void everyExampleHasAPrompt_data() {
        QTest::addColumn<QString>("name");
        for (const auto& folder : std::filesystem::directory_iterator(resources / "examples"))
            if (folder.is_directory())
                QTest::newRow(folder.path().filename().c_str())
                    << QString::fromStdString(folder.path().filename().string());
    }
    void everyExampleHasAPrompt() {
        QFETCH(QString, name);
        if (!example(name.toStdString()).spec.baseline) QSKIP("it has no baseline");
        const PromptInput input = inputFor(name.toStdString());
        const auto prompt = buildPrompt(input, folders);
        QVERIFY2(prompt.has_value(), prompt ? "" : format(prompt.error()).c_str());
        QCOMPARE(prompt->messages.size(), std::size_t{2});
        const std::string text = prompt->messages[1].text;
        const auto& spec = input.kernel->spec;
        QVERIFY(has(text, spec.intent) && has(text, input.kernel->files.at(spec.source)) &&
                has(text, "sm_90 (Hopper)"));
        QVERIFY(has(text, "65536 registers") && has(text, "cp.async") && has(text, ".visible .entry"));
        for (const kernel::Argument* argument : kernel::parameters(spec))
            QVERIFY(has(text, "- " + argument->name + ": "));
        QVERIFY2(!has(text, "{{") && !has(text, "}}") && !has(text, "\n\t.loc") && !has(text, ".debug_str"),
                 text.c_str());
        // What tests draw on stays unknown, where the code itself does not have the same number.
        const std::string code = input.kernel->files.at(spec.source) + prompt->context.base;
        for (const kernel::SymbolSizes& symbol : spec.symbols)
            for (const std::int64_t size : symbol.stress)
                if (size > 4000 && std::ranges::find(symbol.benchmark, size) == symbol.benchmark.end() &&
                    !has(code, std::to_string(size)))
                    QVERIFY2(!has(text, std::to_string(size)), std::to_string(size).c_str());
        QVERIFY(has(prompt->messages[0].text, "keeps its name " + std::string(prompt->context.entry)));
        QVERIFY(prompt->tokens > 500);
        QVERIFY(prompt->templates == (std::vector<std::string>{"system 1", "propose 1"}));
        QVERIFY(!ptx::parse(prompt->context.base)->hasErrors());
    }

    /// Texels are no parameter of their own: what is behind a handle stands beside it.
    void handlesOfImages() {
        const auto file =
            std::filesystem::path(PTXWB_SOURCE_DIR) / "tests/data/kernels/texture_bytes_linear.kernel.json";
        const auto loaded = kernel::loadKernel(file);
        QVERIFY(loaded.kernel.has_value());
        PromptInput input = inputFor("saxpy");
        input.kernel = &*loaded.kernel;
        input.base = loaded.kernel->files.at("textures.ptx");
        const auto prompt = buildPrompt(input, folders);
        QVERIFY(prompt.has_value());
        std::string text;
        for (const auto& message : prompt->messages) text += message.text;
        QVERIFY2(has(text,
                     "t: handle of a texture over 11 x 13 x 4 elements of u8, slowest dimension first, only read; "
                     R"({"channels":4,"filter":"linear","read":"normalized_float"})"),
                 text.c_str());
    }

    void whatAPersonAdds() {
        PromptInput input = inputFor("saxpy");
        input.wish = "Use 16-byte loads.";
        input.hardwareCounters = {{"dram__bytes.sum", "805 MB"}};
        Outcome base;
        base.resources = {{"sm_90", "saxpy", 10, 0, 0, 0, 0, 0}};
        base.occupancy = {{"sm_90", "warps", 256, 8, 64, 100}};
        base.counters = {{"warp_instructions", 640}};
        input.baseOutcome = base;
        Outcome lost = base;
        lost.verdict = "fail";
        Finding finding;
        finding.kind = FindingKind::outOfBounds;
        finding.message = "16 bytes beyond x";
        lost.stages = {{"function", "fail", "emulator", "", {finding}}};
        input.tried = {{"wide", "Sixteen bytes", lost}};
        const std::string text = buildPrompt(input, folders)->messages[1].text;
        QVERIFY(has(text, "Use 16-byte loads.") && has(text, "dram__bytes.sum: 805 MB") &&
                has(text, "10 registers, 0 bytes spilled, occupancy 100 % (limited by warps)"));
        QVERIFY2(has(text, "Tried before: wide (Sixteen bytes): fail at function: 16 bytes beyond x"), text.c_str());
        const auto folder = TemporaryFolder::create().value();
        writeFileAtomically(folder.path() / "propose.md", "{{! propose, version 9: mine }}\nMake {{name}} fast.\n")
            .value();
        PromptFolders own = folders;
        own.ownPrompts = folder.path();
        const auto prompt = buildPrompt(input, own);
        QCOMPARE(prompt->messages[1].text, std::string("Make saxpy fast.\n"));
        QCOMPARE(prompt->templates[1], std::string("propose 9 (own)"));
        writeFileAtomically(folder.path() / "propose.md", "{{nam}}").value();
        QCOMPARE(buildPrompt(input, own).error().place.file, (folder.path() / "propose.md").string());
    }

    void theWindow() {
        PromptInput input = inputFor("sgemm_tiled");
        const std::uint64_t all = buildPrompt(input, folders)->tokens;
        input.maxTokens = 1000;
        input.window = all + 1000;
        QVERIFY(buildPrompt(input, folders)->omitted == buildPrompt(inputFor("sgemm_tiled"), folders)->omitted);
        input.window = all + 850;
        const auto shorter = buildPrompt(input, folders);
        QVERIFY2(shorter.has_value(), shorter ? "" : shorter.error().message.c_str());
        QVERIFY(shorter->tokens + 1000 <= input.window);
        QVERIFY(has(shorter->messages[1].text, "... left out: lines"));
        QVERIFY(!has(shorter->context.base, "left out")); // a diff is about the real file
        input.window = 2500;
        QVERIFY(has(buildPrompt(input, folders).error().message,
                    "and the model's window of 2500 leaves 1500 beside an answer of 1000"));
        input.window = 900;
        QVERIFY(has(buildPrompt(input, folders).error().message, "no room for an answer"));
    }

    void condensing() {
        const auto module = ptx::parse(inputFor("sgemm_tiled").base, "sgemm_tiled.ptx");
        const ptx::Function& entry = *module->entries().front();
        const Condensed whole = condense(*module, entry, UINT64_MAX);
        QVERIFY(whole.isWhole && !ptx::parse(whole.text)->hasErrors());
        QCOMPARE(ptx::parse(whole.text)->entries().front()->instructions.size(), entry.instructions.size());
        std::uint64_t before = estimateTokens(whole.text);
        for (const std::uint64_t tokens : {before - 1, before * 3 / 4, before / 2}) {
            const Condensed shorter = condense(*module, entry, tokens);
            QVERIFY(!shorter.isWhole && estimateTokens(shorter.text) <= before + 60);
            before = estimateTokens(shorter.text);
            // The innermost loop stays to the last.
            QVERIFY2(has(shorter.text, "fma.rn.f32"), shorter.text.c_str());
            QVERIFY(has(shorter.omitted.back(), "instructions ("));
        }
    }

    void patterns() {
        const auto all = loadPatterns(folders.patterns);
        QVERIFY2(all.has_value(), all ? "" : format(all.error()).c_str());
        QVERIFY(all->size() >= 8);
        for (const Pattern& pattern : *all) {
            for (const Diagnostic& diagnostic : ptx::check(*ptx::parse(pattern.ptx, pattern.name)))
                QVERIFY2(diagnostic.severity != Severity::error, format(diagnostic, pattern.ptx).c_str());
            QVERIFY(pattern.helps.size() > 60);
        }
        const auto chosen = [&](const char* kernel, const char* target) {
            const auto module = ptx::parse(inputFor(kernel).base);
            std::vector<std::string> names;
            for (const Pattern& pattern : choosePatterns(*all, features(*module, *module->entries().front()), target))
                names.push_back(pattern.name);
            return names;
        };
        QCOMPARE(chosen("saxpy", "sm_90"), (std::vector<std::string>{"vector_loads"}));
        QVERIFY(std::ranges::count(chosen("sgemm_tiled", "sm_90"), std::string("async_double_buffer")) == 1);
        QVERIFY(std::ranges::count(chosen("sgemm_tiled", "sm_75"), std::string("async_double_buffer")) == 0);
        QVERIFY(std::ranges::count(chosen("sgemm_tiled", "sm_90"), std::string("register_tile")) == 1);
        QVERIFY(has(readPattern("# T\n- version: 1\n- target: sm_80\n- when: lop\n- helps: x\n```\n```\n", "p.md")
                        .error()
                        .message,
                    "no feature \"lop\""));
        QVERIFY(has(readPattern("# T\n", "p.md").error().message, "no fenced block"));
    }

    void repairs() {
        const PromptInput input = inputFor("saxpy");
        Finding race;
        race.kind = FindingKind::race;
        race.message = "two threads write the same word";
        race.line = 2;
        race.block = Index3{0, 0, 0};
        race.thread = Index3{3, 0, 0};
        race.got = 1.5;
        race.expected = 2.5;
        race.set = {{"n", 33}};
        race.related = {{3, 1, Index3{0, 0, 0}, Index3{4, 0, 0}, "write", ""}};
        Outcome failed;
        failed.verdict = "fail";
        failed.stages = {{"sanitize", "fail", "emulator", "", std::vector<Finding>(11, race)}};
        const auto text =
            repairText(input, folders, "a\n\tst.shared.f32 [x], %f1;\n\tbar.sync 0;\n", &failed, {}).value();
        QVERIFY2(has(text, "failed at the stage sanitize"), text.c_str());
        QVERIFY2(has(text, "race at line 2 `st.shared.f32 [x], %f1;`: two threads write the same word; got 1.5, "
                           "expected 2.5; block (0, 0, 0) thread (3, 0, 0); with n = 33"),
                 text.c_str());
        QVERIFY2(has(text, "the other side at line 3 `bar.sync 0;` (write) block (0, 0, 0) thread (4, 0, 0)"),
                 text.c_str());
        QVERIFY(has(text, "(3 more findings of the same stages are not shown.)"));
        const auto unusable = repairText(input, folders, "", nullptr,
                                         {failure(Cause::rejected, "the reply holds no PTX", "send it").error()})
                                  .value();
        QVERIFY2(has(unusable, "could not be used: the reply holds no PTX (send it)"), unusable.c_str());
        Outcome slower;
        slower.verdict = "pass";
        slower.speedup = SpeedFigures{0.9, 0.89, 0.91, "slower"};
        const auto lost = repairText(input, folders, "", &slower, {}).value();
        QVERIFY2(
            has(lost,
                "right, but it is not better. slower: 0.900 times the baseline's speed (95 % interval 0.890 to 0.910)"),
            lost.c_str());
    }

    void aRegion() {
        PromptInput input = inputFor("sgemm_tiled");
        const auto module = ptx::parse(input.base);
        const auto hot = hottestLoop(*module, *module->entries().front());
        QVERIFY(hot.has_value());
        input.region = hot->lines;
        const auto prompt = buildPrompt(input, folders);
        QVERIFY2(prompt.has_value(), prompt ? "" : prompt.error().message.c_str());
        const std::string text = prompt->messages[1].text;
        QVERIFY2(has(text, fmt::format("Only lines {} to {} of the PTX", hot->lines.firstLine, hot->lines.lastLine)),
                 text.c_str());
        QVERIFY(has(text, "- It gets: %") && has(text, "- It must leave: %") &&
                has(text, "Barriers, all of which must stay: bar.sync 0"));
        QVERIFY(has(prompt->messages[0].text, "holds only the new lines for the region"));
        input.region = RegionRequest{1, 2};
        QVERIFY(has(buildPrompt(input, folders).error().message, "are not in the body"));
    }

    void tokens() {
        QCOMPARE(estimateTokens(std::string_view("")), 0U);
        QCOMPARE(estimateTokens(std::string_view("mov.u32 %r1, 7;")), 12U); // mov . u 32 _ % r 1 , _ 7 ;
    }
};

QTEST_APPLESS_MAIN(PromptTest)
#include "prompt_test.moc"

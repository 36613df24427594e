// What is offered at a caret, written `^` in the text.
#include "ptx/completion.h"
#include "test_data.h"

#include <algorithm>

using namespace ptxwb::ptx;

class CompletionTest : public QObject {
    Q_OBJECT

    static Completions at(std::string text) {
        const std::size_t caret = text.find('^');
        text.erase(caret, 1);
        return complete(*parse(std::move(text), "c.ptx"), static_cast<std::uint32_t>(caret));
    }

    static std::string inKernel(const std::string& body) {
        return ".version 8.0\n.target sm_90\n.address_size 64\n.global .f32 table[4];\n.func helper() { ret; }\n"
               ".visible .entry k(.param .u64 first_param) {\n    .reg .b32 %r<30>;\n    .reg .pred %p<4>, done;\n"
               "    .reg .f64 %fd<3>;\n" +
               body + "\nEND:\n    ret;\n}\n";
    }

private slots:
    void offers_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("replaced");
        QTest::addColumn<QString>("among");   // all of these
        QTest::addColumn<QString>("without"); // none of these
        const auto row = [](const char* name, const char* body, const char* replaced, const char* among,
                            const char* without) {
            QTest::newRow(name) << QString(body) << QString(replaced) << QString(among) << QString(without);
        };
        row("an opcode", "    ad^", "ad", "add addc", "sub mad");
        row("an opcode after a guard", "    @%p1 b^", "b", "bra bar bfe", "add");
        row("an opcode after a label", "L: m^", "m", "mov mad", "add");
        row("an opcode in an inner block", "    {\n  m^\n }", "m", "mov", "add");
        row("the first modifier", "    add.^", ".", ".sat .cc .rn .f32 .s32 .f16x2", ".lo .global");
        row("part of one", "    ld.gl^", ".gl", ".global", ".local .shared");
        row("only what fits", "    add.sat.^", ".", ".s32 .f32", ".u32 .cc .sat");
        row("the second type", "    cvt.rn.f16.^", ".", ".f32 .f64", ".rn .global");
        row("words with colons", "    ld.shared::^", ".shared::", ".shared::cta .shared::cluster", ".shared");
        row("registers by stem", "    add.s32 %^", "%", "%r %p %fd %tid %laneid", "add");
        row("registers by number", "    add.s32 %r1, %r2^, 5;", "%r2", "%r2 %r20 %r29", "%r3 %r30");
        row("a special register's part", "    mov.u32 %r1, %tid.^", ".", ".x .y .z", ".w");
        row("guards are predicates", "    @^", "", "%p done", "%r %fd");
        row("guards that begin with a percent sign", "    @%^", "%", "%p", "%r %fd");
        row("labels", "    bra E^", "E", "END", "table");
        row("parameters and variables", "    ld.param.u64 %r1, [f^", "f", "first_param", "table END");
        row("module variables", "    ld.global.f32 %r1, [t^", "t", "table", "first_param");
        row("functions", "    call h^", "h", "helper", "k");
        row("in a vector", "    mov.b64 {%r1, %r^", "%r", "%r", "add");
        row("registers without a percent sign", "    mov.pred d^", "d", "done", "div");
        row("directives in a body", "    .r^", ".r", ".reg", ".version .entry");
        row("nothing in a comment", "    // ad^", "", "", "add");
        row("nothing fits", "    zzz.^", "", "", "add .f32");
    }

    void offers() {
        QFETCH(QString, body);
        QFETCH(QString, replaced);
        QFETCH(QString, among);
        QFETCH(QString, without);
        std::string text = inKernel(body.toStdString());
        const Completions got = at(text);
        text.erase(text.find('^'), 1);
        QStringList items;
        for (const Completion& one : got.items) items << QString::fromStdString(one.text);
        QCOMPARE(QString::fromStdString(text.substr(got.replaced.offset, got.replaced.length)), replaced);
        for (const QString& one : among.split(' ', Qt::SkipEmptyParts))
            QVERIFY2(items.contains(one), qPrintable(one + " is not in: " + items.join(' ')));
        for (const QString& one : without.split(' ', Qt::SkipEmptyParts))
            QVERIFY2(!items.contains(one), qPrintable(one + " is in: " + items.join(' ')));
    }

    void outsideOfFunctions() {
        const Completions got = at(".version 8.0\n.target sm_90\n.v^");
        QVERIFY(
            std::any_of(got.items.begin(), got.items.end(), [](const Completion& c) { return c.text == ".visible"; }));
        QVERIFY(std::none_of(got.items.begin(), got.items.end(), [](const Completion& c) { return c.text == ".reg"; }));
    }

    void innerScopesHideNothingFromOutside() {
        const Completions got = at(inKernel("    { .reg .b32 inner; }\n    mov.u32 inn^"));
        QVERIFY(got.items.empty());
        QVERIFY(!at(inKernel("    { .reg .b32 inner; mov.u32 inn^ }")).items.empty());
    }

    void limited() {
        const auto module = parse(inKernel("    "), "c.ptx");
        QCOMPARE(complete(*module, static_cast<std::uint32_t>(module->text->find("\nEND")), 5).items.size(),
                 std::size_t{5});
        QVERIFY(complete(*module, 0).items.size() <= 200);
        QVERIFY(complete(*module, 1u << 30).items.size() <= 200); // past the end
    }

    /// Every place of a text gives an answer, and what is replaced ends at the caret.
    void everyPlace() {
        const std::string text =
            inKernel("    @!%p1 ld.global.v2.f32 {%r1, _}, [%r2+4]; /* x */ L: mov.u32 %r1, %tid.x;");
        const auto module = parse(text, "c.ptx");
        for (std::uint32_t i = 0; i <= text.size(); ++i) {
            const Completions got = complete(*module, i);
            if (!got.items.empty()) QCOMPARE(got.replaced.end(), i);
        }
    }
};

QTEST_APPLESS_MAIN(CompletionTest)
#include "completion_test.moc"

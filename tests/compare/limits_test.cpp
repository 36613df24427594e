// What happens at the edges: no time, a stop, long lines, long stretches without anything unique, texts that no one
// wrote.
#include "checks.h"
#include "random_kernel.h"

using namespace ptxwb::compare;
using namespace ptxwb::compare::test;

class LimitsTest : public QObject {
    Q_OBJECT
private slots:
    void aPassedDeadlineGivesACoarseAnswer() {
        Random random(1);
        const std::string text = KernelWriter(1, Reuse::never).write(2000);
        std::string right = text;
        for (int i = 0; i < 30; ++i) right = mutate(right, Mutation::erase, random);
        CompareOptions options;
        options.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
        const Comparison c = compareTexts(text, right, options);
        COMPARE_IS_SOUND(c, text, right);
        QVERIFY(c.approximate && !c.same);
        QVERIFY(!compareTexts(text, right).approximate);
    }

    void aStopToo() {
        const std::string text = KernelWriter(1, Reuse::never).write(500),
                          right = KernelWriter(2, Reuse::never).write(500);
        const auto a = ptxwb::ptx::parse(text), b = ptxwb::ptx::parse(right);
        std::stop_source source;
        source.request_stop();
        const Comparison c = compare(*a, *b, {}, source.get_token());
        COMPARE_IS_SOUND(c, text, right);
        QVERIFY(c.approximate);
    }

    void equalTextsNeedNoTime() {
        const std::string text = KernelWriter(1, Reuse::never).write(500);
        CompareOptions options;
        options.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
        QVERIFY(compareTexts(text, text, options).same);
    }

    void nothingUnique() {
        std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .f32 %f<4>;\n";
        for (int i = 0; i < 3000; ++i) text += i % 3 ? "fma.rn.f32 %f1, %f2, %f3, %f1;\n" : "add.f32 %f2, %f2, %f3;\n";
        text += "ret;\n}\n";
        std::vector<std::string> lines = splitLines(text);
        lines.erase(lines.begin() + 100);
        lines.insert(lines.begin() + 1500, "mul.f32 %f2, %f2, %f3;");
        lines.erase(lines.begin() + 2900);
        const std::string right = joinLines(lines);
        const Comparison c = compareTexts(text, right);
        COMPARE_IS_SOUND(c, text, right);
        QVERIFY2(c.counts.changes() <= 4, summary(c).c_str());
    }

    void nothingInCommon() {
        const std::string text = KernelWriter(1, Reuse::never).write(3000),
                          right = KernelWriter(2, Reuse::never).write(3000);
        const Comparison c = compareTexts(text, right);
        COMPARE_IS_SOUND(c, text, right);
        QVERIFY(!c.same);
    }

    void dataOnOneLine() {
        std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n.global .align 1 .b8 data[200000] = {0";
        for (int i = 1; i < 200'000; ++i) text += ", " + std::to_string(i % 251);
        text += "};\n";
        std::string right = text;
        right.replace(right.size() / 2, 4, ", 77");
        const Comparison c = compareTexts(text, right);
        COMPARE_IS_SOUND(c, text, right);
        QVERIFY(!c.same);
        QVERIFY(c.rows[3].leftSpans.size() <= 4);
    }

    void manyDeclaredRegisters() {
        const std::string head = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n";
        const std::string left = head + ".reg .b32 %r<4000000000>;\nmov.u32 %r3999999999, 1;\nret;\n}\n";
        const std::string right = head + ".reg .b32 %r<4000000000>;\nmov.u32 %r7, 1;\nret;\n}\n";
        const Comparison c = compareTexts(left, right);
        COMPARE_IS_SOUND(c, left, right);
    }

    /// Found by the fuzzer: a file that defines a name twice was not the same as itself.
    void namesDefinedTwice() {
        const std::string head = ".version 8.0\n.target sm_80\n.address_size 64\n";
        const std::string text = head + ".func helper() { ret; }\n.func helper() { ret; }\n.visible .entry k() {\n"
                                        ".reg .b32 a;\nmov.u32 a, 1;\nret; }\n.visible .entry k() { ret; }\n";
        const Comparison c = compareTexts(text, text);
        COMPARE_IS_SOUND(c, text, text);
        QVERIFY2(c.same, summary(c).c_str());
        const std::string fewer = head + ".func helper() { ret; }\n.visible .entry k() { ret; }\n";
        const Comparison other = compareTexts(text, fewer);
        COMPARE_IS_SOUND(other, text, fewer);
        QVERIFY(!other.same);
    }

    void lineInformationCanBeIgnored() {
        const std::string head = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n";
        const std::string left = head + ".loc 1 4 5\nret;\n}\n.file 1 \"a.cu\"\n",
                          right = head + ".loc 1 5 5\nret;\n}\n";
        QCOMPARE(summary(compareTexts(left, right)), std::string("identical 7 immediate 1 removed 1 different"));
        CompareOptions options;
        options.lineInformation = LineInformation::ignore;
        const Comparison c = compareTexts(left, right, options);
        COMPARE_IS_SOUND(c, left, right);
        QCOMPARE(summary(c), std::string("identical 7 same"));
    }

    void damagedTexts() {
        const std::string text = KernelWriter(5, Reuse::often).write(200);
        for (std::uint64_t seed = 0; seed < 400; ++seed) {
            Random random(seed);
            std::string right = text;
            for (int i = 0; i < 6; ++i) {
                const std::uint32_t at = random.below(right.size());
                switch (random.below(4)) {
                case 0: right.erase(at, 1 + random.below(60)); break;
                case 1:
                    right.insert(at, std::string(1 + random.below(3), "{};:,\"/*\n@%$.\0x"[random.below(15)]));
                    break;
                case 2: right[at] = static_cast<char>(random.below(256)); break;
                default: right.insert(at, right.substr(random.below(right.size()), 40)); break;
                }
            }
            const Comparison c = compareTexts(text, right);
            COMPARE_IS_SOUND(c, text, right);
            const Comparison itself = compareTexts(right, right);
            COMPARE_IS_SOUND(itself, right, right);
            QVERIFY2(itself.same, (std::to_string(seed) + ": " + summary(itself)).c_str());
        }
    }
};

QTEST_APPLESS_MAIN(LimitsTest)
#include "limits_test.moc"

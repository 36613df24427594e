// The terminal's colours and cuts, and the JSON of `ptxwb diff --json`.
#include "checks.h"

#include "compare/print_text.h"

#include <nlohmann/json.hpp>

using namespace ptxwb::compare;
using namespace ptxwb::compare::test;

class PrintTest : public QObject {
    Q_OBJECT

    const std::string m_left =
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 %r<3>;\n"
        "\tmov.u32 \t%r1, 4;\n\tadd.s32 \t%r2, %r1, 1;\n\tret;\n}\n";
    const std::string m_right =
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 %r<3>;\n"
        "\tmov.u32 \t%r2, 5;\n\tadd.s32 \t%r1, %r2, 1;\n\tbar.sync \t0;\n\tret;\n}\n";

private slots:
    void colored() {
        PrintOptions options;
        options.color = Color::yes;
        options.context = 0;
        const std::string shown = printText(compareTexts(m_left, m_right), "a", m_left, "b", m_right, options);
        QVERIFY(shown.find("\x1b[38;5;208m~   7     | \tmov.u32 \t\x1b[4m%r1\x1b[24m, \x1b[4m4\x1b[24m;\x1b[0m\n") !=
                std::string::npos);
        QVERIFY(shown.find("\x1b[38;5;75m+       9 | \tbar.sync \t0;\x1b[0m\n") != std::string::npos);
        QVERIFY(shown.find('^') == std::string::npos);
    }

    void plainHasNoEscapes() {
        const std::string shown = printText(compareTexts(m_left, m_right), "a\x1b[2J", m_left, "b", m_right);
        QVERIFY(shown.find('\x1b') == std::string::npos);
        const std::string evil = m_left + "// \x1b]0;title\x07\n";
        PrintOptions options;
        options.level = Level::all;
        QVERIFY(printText(compareTexts(evil, m_right), "a", evil, "b", m_right, options).find('\x1b') ==
                std::string::npos);
    }

    void longLinesAreCutAndSaySo() {
        const std::string left = m_left + "// " + std::string(5000, 'x') + "\n.global .b32 g;\n", right = m_left;
        PrintOptions options;
        options.level = Level::all;
        const std::string shown = printText(compareTexts(left, right), "a", left, "b", right, options);
        QVERIFY(shown.find("... (3003 more bytes)") != std::string::npos);
    }

    void approximateIsSaid() {
        Comparison c = compareTexts(m_left, m_right);
        c.approximate = true;
        QVERIFY(printText(c, "a", m_left, "b", m_right).find("approximate: ") != std::string::npos);
    }

    void json() {
        const auto json = toJson(compareTexts(m_left, m_right), "a.ptx", "b.ptx", Level::changed);
        QCOMPARE(json.dump(),
                 std::string(R"({"a":"a.ptx","approximate":false,"b":"b.ptx","counts":{"added":1,"identical":8,)"
                             R"("immediate":1,"modifier":0,"moved":0,"opcode":0,"operand":0,"removed":0,)"
                             R"("renamed":1},"kernels":[{"a":"k","b":"k","rows":[{"a_line":7,"b_line":7,)"
                             R"("class":"immediate","note":"","spans_a":[[11,3],[16,1]],)"
                             R"("spans_b":[[11,3],[16,1]]},{"a_line":null,"b_line":9,"class":"added",)"
                             R"("note":"","spans_a":[],"spans_b":[]}]}],"same":false,"schema":1})"));
    }

    void jsonListsEveryRowAtTheLevelOfAll() {
        const Comparison c = compareTexts(m_left, m_right);
        const auto json = toJson(c, "a", "b");
        std::size_t rows = 0;
        for (const auto& kernel : json["kernels"]) rows += kernel["rows"].size();
        QCOMPARE(rows, c.rows.size());
        QVERIFY(json["kernels"][0]["a"].is_null());
        QCOMPARE(json["kernels"][1]["a"].get<std::string>(), std::string("k"));
    }

    void namesOfAnyBytesMakeValidJson() {
        const std::string text = m_left + ".global .b32 \xff\xfe;\n";
        const Comparison c = compareTexts(text, m_right);
        QVERIFY(nlohmann::json::accept(
            toJson(c, "\xff.ptx", "b").dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
    }
};

QTEST_APPLESS_MAIN(PrintTest)
#include "print_test.moc"

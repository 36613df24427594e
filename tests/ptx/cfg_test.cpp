// Blocks, edges and post-dominators.
#include "ptx/cfg.h"
#include "test_data.h"

using namespace ptxwb::ptx;

namespace {

/// "0-2>1,2 2-3> end" ...: instructions, successors, the post-dominator after ^ (. for the end).
std::string show(const ControlFlow& flow) {
    std::string all;
    for (std::size_t i = 0; i < flow.blocks.size(); ++i) {
        const Block& block = flow.blocks[i];
        if (i) all += ' ';
        all += std::to_string(block.first) + '-' + std::to_string(block.end) + '>';
        for (std::size_t s = 0; s < block.successors.size(); ++s)
            all += (s ? "," : "") + std::to_string(block.successors[s]);
        if (block.leaves) all += '!';
        if (block.fallsOff) all += '~';
        if (!block.reachable) all += 'u';
        all += '^' + (flow.postDominator[i] == noIndex ? "." : std::to_string(flow.postDominator[i]));
    }
    return all;
}

} // namespace

class CfgTest : public QObject {
    Q_OBJECT

private slots:
    void graphs_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* body, const char* expected) {
            QTest::newRow(name) << QString(body) << QString(expected);
        };
        row("empty", "", "");
        row("straight", "mov.u32 a, 1; ret;", "0-2>!^.");
        row("falls off", "mov.u32 a, 1;", "0-1>~^.");
        row("if", "@p bra L; mov.u32 a, 1; L: ret;", "0-1>1,2^2 1-2>2^2 2-3>!^.");
        row("if else", "@p bra E; mov.u32 a, 1; bra J; E: mov.u32 a, 2; J: ret;", "0-1>1,2^3 1-3>3^3 3-4>3^3 4-5>!^.");
        row("loop", "L: mov.u32 a, 1; @p bra L; ret;", "0-2>1,0^1 2-3>!^.");
        row("endless", "L: mov.u32 a, 1; bra L;", "0-2>0^.");
        row("guarded return", "@p ret; mov.u32 a, 1; ret;", "0-1>1!^. 1-3>!^.");
        row("two returns", "@p bra L; ret; L: ret;", "0-1>1,2^. 1-2>!^. 2-3>!^.");
        row("table", "t: .branchtargets A, B; brx.idx a, t; A: mov.u32 a, 1; B: ret;", "0-1>1,2^2 1-2>2^2 2-3>!^.");
        row("unreachable", "bra L; mov.u32 a, 1; L: ret;", "0-1>2^2 1-2>2u^. 2-3>!^.");
        row("call that does not return", "call die; ret;", "0-1>!^. 1-2>!u^.");
        row("label at the end", "bra L; L:", "0-1>~^.");
        row("inner labels", "{ bra L; L: mov.u32 a, 1; } { bra L; L: ret; }", "0-1>1^1 1-3>2^2 3-4>!^.");
    }

    void graphs() {
        QFETCH(QString, body);
        QFETCH(QString, expected);
        const auto module = kernel(".reg .b32 a; .reg .pred p;\n" + body.toStdString(), ".func die() .noreturn;");
        QVERIFY2(module->diagnostics.empty(),
                 module->diagnostics.empty() ? "" : module->diagnostics[0].message.c_str());
        QCOMPARE(QString::fromStdString(show(controlFlow(*module, module->functions.back()))), expected);
    }

    void orderAndPredecessors() {
        const auto module =
            kernel(".reg .b32 a; .reg .pred p;\n@p bra E; mov.u32 a, 1; bra J; E: mov.u32 a, 2; J: ret;");
        const ControlFlow flow = controlFlow(*module, module->functions.back());
        QCOMPARE(flow.reversePostOrder.front(), Index{0});
        QCOMPARE(flow.reversePostOrder.back(), Index{3});
        QCOMPARE(flow.blocks[3].predecessors, (std::vector<Index>{1, 2}));
        QCOMPARE(flow.blockOf, (std::vector<Index>{0, 1, 1, 2, 3}));
    }

    void longFunctionsAreQuick() {
        std::string body = ".reg .b32 a; .reg .pred p;\n";
        for (int i = 0; i < 20000; ++i)
            body += "@p bra L" + std::to_string(i) + "; mov.u32 a, 1; L" + std::to_string(i) + ":\n";
        const auto module = kernel(body + "ret;");
        const ControlFlow flow = controlFlow(*module, module->functions.back());
        QCOMPARE(flow.blocks.size(), std::size_t{40001});
        QCOMPARE(flow.postDominator[0], Index{2});
    }
};

QTEST_APPLESS_MAIN(CfgTest)
#include "cfg_test.moc"

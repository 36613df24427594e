// What the operand under the mouse is, where it comes from, and where its value lives.
#include "ptx/analysis/register_use.h"

#include "ptx/analysis/reaching.h"

#include "kernel_text.h"

using namespace ptxwb::ptx;

namespace {

QString numbers(const std::vector<std::uint32_t>& all) {
    QStringList texts;
    for (const std::uint32_t one : all) texts << QString::number(one);
    return texts.join(' ');
}

QString marked(const std::vector<bool>& all) {
    QStringList texts;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i]) texts << QString::number(i);
    return texts.join(' ');
}

} // namespace

class RegisterUseTest : public QObject {
    Q_OBJECT

private slots:
    /// The operand is the one that begins at `@` in the body.
    void ranges_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* body, const char* expected) {
            QTest::newRow(name) << QString(body) << QString(expected);
        };
        row("one value", "mov.u32 a1, 1; mov.u32 a2, 3; add.u32 a3, ^a1, a2; ret;",
            "all 0w 2r | range 0w 2r | from 0 | live 1 2");
        row("from its write", "mov.u32 ^a1, 1; mov.u32 a2, 3; add.u32 a3, a1, a2; ret;",
            "all 0w 2r | range 0w 2r | from 0 | live 1 2");
        row("two values of one register", "mov.u32 a1, 1; mov.u32 a2, a1; mov.u32 a1, 4; mov.u32 a3, ^a1; ret;",
            "all 0w 1r 2w 3r | range 2w 3r | from 2 | live 3");
        row("around a loop", "mov.u32 a1, 0; L: add.u32 a1, ^a1, 1; @p1 bra L; mov.u32 a2, a1; ret;",
            "all 0w 1w 1r 3r | range 0w 1w 1r 3r | from 0 1 | live 1 2 3");
        row("both ways", "@p1 bra E; mov.u32 a1, 1; bra J; E: mov.u32 a1, 2; J: mov.u32 a2, ^a1; ret;",
            "all 1w 3w 4r | range 1w 3w 4r | from 1 3 | live 2 4");
        row("a guarded write keeps the old value", "mov.u32 a1, 1; @p1 mov.u32 a1, 2; mov.u32 a2, ^a1; ret;",
            "all 0w 1w 2r | range 0w 1w 2r | from 0 1 | live 1 2");
        row("nobody reads it", "mov.u32 ^a1, 1; ret;", "all 0w | range 0w | from 0 | live ");
        row("never written", "mov.u32 a2, ^a1; ret;", "all 0r | range 0r | from  unwritten | live 0");
        row("an address", "mov.u64 d1, 0; ld.global.u32 a1, [^d1+4]; ret;",
            "all 0w 1r | range 0w 1r | from 0 | live 1");
        row("a guard", "setp.eq.u32 p1, a1, a1; @!^p1 mov.u32 a2, 1; ret;",
            "all 0w 1r | range 0w 1r | from 0 | live 1");
        row("a vector", "mov.u32 a1, 1; st.global.v2.u32 [d1], {a2, ^a1}; ret;",
            "all 0w 1r | range 0w 1r | from 0 | live 1");
        row("a store's address is read", "mov.u64 d1, 0; st.global.u32 [^d1], a1; ret;",
            "all 0w 1r | range 0w 1r | from 0 | live 1");
    }
    void ranges() {
        QFETCH(QString, body);
        const std::string text =
            kernel(".reg .b32 a<9>; .reg .pred p<9>; .reg .b64 d<9>;\n" + QString(body).remove('^').toStdString())
                ->text->c_str();
        const auto module = ptxwb::ptx::parse(text, "test.ptx");
        const std::string marker = text.substr(0, text.find(QString(body).remove('^').toStdString()));
        const auto offset = static_cast<std::uint32_t>(marker.size()) + static_cast<std::uint32_t>(body.indexOf('^'));
        const auto operand = operandAt(*module, offset);
        QVERIFY(operand);
        QVERIFY(operand->kind == OperandKind::reg);
        const RegisterUse use = registerUse(*module, *operand);
        QStringList all, range;
        for (const Occurrence& o : use.occurrences) {
            const QString one = QString::number(o.instruction) + (o.isWrite ? "w" : "r");
            all << one;
            if (o.inRange) range << one;
            QCOMPARE(module->textOf(o.span), module->textOf(operand->span));
        }
        const QString got = "all " + all.join(' ') + " | range " + range.join(' ') + " | from " +
                            numbers(use.definitions) + (use.maybeUnwritten ? " unwritten" : "") + " | live " +
                            marked(use.live);
        QTEST(got, "expected");
    }

    /// Against the analysis of the whole function, on real kernels.
    void agreesWithReachingDefinitions_data() {
        QTest::addColumn<QString>("file");
        for (const char* name : {"saxpy", "reduce", "sgemm_tiled", "softmax"})
            QTest::newRow(name) << QString(PTXWB_SOURCE_DIR "/resources/examples/%1/%1.sm_90.ptx").arg(name);
    }
    void agreesWithReachingDefinitions() {
        QFETCH(QString, file);
        QFile source(file);
        QVERIFY(source.open(QIODevice::ReadOnly));
        const auto module = ptxwb::ptx::parse(source.readAll().toStdString(), "k.ptx");
        const Function& function = module->functions.back();
        const ControlFlow flow = controlFlow(*module, function);
        const ReachingDefinitions reaching(function, flow);
        const Webs all = webs(function, flow);
        int asked = 0;
        for (std::uint32_t offset = function.bodySpan.offset; offset < function.bodySpan.end(); ++offset) {
            const auto operand = operandAt(*module, offset);
            if (!operand || operand->kind != OperandKind::reg || operand->span.offset != offset) continue;
            const RegisterUse use = registerUse(*module, *operand);
            const auto own =
                std::ranges::find(use.occurrences, offset, [](const Occurrence& o) { return o.span.offset; });
            QVERIFY(own != use.occurrences.end() && own->inRange);
            if (!own->isWrite) {
                std::vector<std::uint32_t> expected;
                for (const Definition& one : reaching.of(operand->symbol, operand->instruction))
                    if (one.instruction != noIndex) expected.push_back(one.instruction);
                QCOMPARE(numbers(use.definitions), numbers(expected));
            }
            std::vector<std::uint32_t> writes;
            for (const Occurrence& o : use.occurrences)
                if (o.inRange && o.isWrite) writes.push_back(o.instruction);
            const auto web = std::ranges::find_if(all.all, [&](const Webs::Web& w) {
                return w.reg == operand->symbol &&
                       std::ranges::find(own->isWrite ? w.writes : w.reads, operand->instruction) !=
                           (own->isWrite ? w.writes : w.reads).end();
            });
            QVERIFY(web != all.all.end());
            QCOMPARE(numbers(writes), numbers(web->writes));
            ++asked;
        }
        QVERIFY(asked > 20);
    }

    void declarations() {
        const Subject subject("ld.param.u64 d1, [p]; mov.u32 a1, %tid.x; bra L; L: ret;");
        const std::string& text = *subject.module->text;
        const auto at = [&](const char* part, std::size_t skip) {
            return operandAt(*subject.module, static_cast<std::uint32_t>(text.find(part) + skip));
        };
        const auto reg = at("d1, [", 0);
        QVERIFY(reg && subject.module->textOf(declarationOf(*subject.module, *reg).value()) == "d<9>");
        const auto special = at("%tid.x", 1);
        QVERIFY(special && special->kind == OperandKind::special && !declarationOf(*subject.module, *special));
        const auto label = at("bra L", 4);
        QVERIFY(label && label->kind == OperandKind::label && declarationOf(*subject.module, *label));
        QVERIFY(!at("mov.u32", 1)); // the opcode
        QVERIFY(!operandAt(*subject.module, 0));
    }
};

QTEST_APPLESS_MAIN(RegisterUseTest)
#include "register_use_test.moc"

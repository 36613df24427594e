// Whole files: hard cases, recorded output of nvcc, and fresh output where nvcc is installed. No error may be found in
// them, and the spans of the tree must lie in the text in order and without overlap.
#include "ptx/check.h"
#include "ptx/print.h"
#include "test_data.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace ptxwb;
using namespace ptxwb::ptx;

namespace {

/// Empty where all is well.
std::string spanFault(const Module& module) {
    std::uint32_t functionEnd = 0;
    for (const Function& function : module.functions) {
        if (function.span.offset < functionEnd) return "functions overlap";
        functionEnd = function.span.end();
        if (module.textOf(function.nameSpan) != function.name) return "the name's span is wrong";
        std::uint32_t end = function.headSpan.end();
        for (std::size_t i = 0; i < function.instructions.size(); ++i) {
            const Instruction& instruction = function.instructions[i];
            const std::string where = std::string(module.textOf(instruction.span));
            if (instruction.span.offset < end) return "instructions overlap at " + where;
            end = instruction.span.end();
            if (end > function.bodySpan.end()) return "an instruction ends behind its body: " + where;
            const std::string_view after = std::string_view(*module.text).substr(end);
            if (after.find_first_not_of(" \t\r\n") != after.find(';')) return "no semicolon follows " + where;
            std::uint32_t inside = instruction.opcodeSpan.end();
            for (const ModifierUse& use : function.modifiersOf(instruction)) {
                if (use.span.offset < inside) return "modifiers overlap in " + where;
                inside = use.span.end();
            }
            for (const Operand& operand : function.operandsOf(instruction)) {
                if (operand.span.offset < inside || operand.span.end() > end) return "operands overlap in " + where;
                inside = operand.span.end();
                std::uint32_t childEnd = operand.span.offset;
                for (const Operand& child : function.childrenOf(operand)) {
                    if (child.span.offset < childEnd || child.span.end() > operand.span.end())
                        return "children overlap in " + where;
                    childEnd = child.span.end();
                }
            }
            if (instructionText(module, function, i).empty()) return "no text for " + where;
        }
    }
    return {};
}

} // namespace

class CaseTest : public QObject {
    Q_OBJECT

    static void verify(const std::string& text, const std::string& name) {
        const auto module = parse(text, name);
        const auto diagnostics = check(*module);
        const std::string all = formatAll(*module, diagnostics);
        QVERIFY2(!hasErrors(diagnostics), all.c_str());
        for (const Diagnostic& diagnostic : diagnostics)
            QVERIFY2(diagnostic.severity != Severity::note, all.c_str()); // an unknown word
        QVERIFY(!module->entries().empty());
        const std::string fault = spanFault(*module);
        QVERIFY2(fault.empty(), fault.c_str());
        QCOMPARE(*module->text, text);
    }

private slots:
    void recorded_data() {
        QTest::addColumn<QString>("path");
        for (const char* folder : {"cases", "nvcc"})
            for (const auto& entry : std::filesystem::directory_iterator(dataFolder() / folder))
                if (entry.path().extension() == ".ptx" && !entry.path().filename().string().starts_with("h23"))
                    QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
    }

    void recorded() {
        QFETCH(QString, path);
        verify(readText(path.toStdString()), path.toStdString());
    }

    void versions() {
        const auto newer = parse(readText(dataFolder() / "cases/h23_version.ptx"), "h23_version.ptx");
        const auto saysNewer = check(*newer);
        QCOMPARE(saysNewer.size(), std::size_t{1});
        QCOMPARE(saysNewer[0].place.line, 1u);
        QVERIFY(saysNewer[0].message.find("PTX 9.9 is newer than 9.0") != std::string::npos);
        const auto older = parse(readText(dataFolder() / "cases/h23b_target.ptx"), "h23b_target.ptx");
        const auto saysOlder = check(*older);
        QVERIFY(hasErrors(saysOlder));
        QCOMPARE(saysOlder[0].message, std::string("PTX 7.0 does not know the target sm_90"));
        QCOMPARE(saysOlder[0].place.line, 2u);
    }

    void scopesOfTheShadowingCase() {
        const auto module = parse(readText(dataFolder() / "cases/h01_scope_shadow.ptx"), "h01");
        const Function& function = module->functions.at(0);
        QVERIFY(function.scopes.size() >= 3);
        unsigned named = 0;
        for (const RegisterGroup& group : function.registers) named += group.stem == "tmp";
        QVERIFY(named >= 2); // one name, several registers
    }

    void freshFromNvcc_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("plain") << QStringList{"-arch=sm_90"};
        QTest::newRow("lineinfo") << QStringList{"-arch=sm_90", "-lineinfo"};
        QTest::newRow("debug") << QStringList{"-arch=sm_90", "-G"};
        QTest::newRow("sm_80") << QStringList{"-arch=sm_80", "-rdc=true"};
    }

    void freshFromNvcc() {
        QFETCH(QStringList, options);
        QString nvcc = QStandardPaths::findExecutable("nvcc");
        if (nvcc.isEmpty()) nvcc = QStandardPaths::findExecutable("nvcc", {"/usr/local/cuda/bin"});
        if (nvcc.isEmpty()) QSKIP("no nvcc on this machine");
        QTemporaryDir folder;
        const std::string source = (dataFolder() / "nvcc/kernels.cu").string();
        QProcess process;
        process.start(nvcc,
                      options + QStringList{"-ptx", QString::fromStdString(source), "-o", folder.filePath("k.ptx")});
        QVERIFY(process.waitForFinished(120000));
        if (process.exitCode() != 0) QSKIP("nvcc cannot compile here (no host compiler?)");
        verify(readText(folder.filePath("k.ptx").toStdString()), "k.ptx");
    }
};

QTEST_APPLESS_MAIN(CaseTest)
#include "case_test.moc"

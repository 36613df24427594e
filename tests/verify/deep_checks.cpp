// compute-sanitizer's reports as findings, and the text that makes it speak of PTX lines. The reports were recorded on
// an NVIDIA H200 (driver 580.159.04, compute-sanitizer 2025.3, 2026-11-30) and shortened.
#include "verify/deep_checks.h"

#include "ptx/parse.h"
#include "support/files.h"
#include "toolchain/cubin.h"
#include "toolchain/discover.h"
#include "toolchain/ptxas.h"
#include "verify/own_lines.h"

#include <QTest>

#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::verify;

namespace {

std::string report(const char* name) {
    return readFile(std::string(PTXWB_SOURCE_DIR "/tests/data/verify/sanitizer/") + name).value();
}

std::string example(const std::string& file) {
    return readFile(PTXWB_SOURCE_DIR "/resources/examples/" + file).value();
}

} // namespace

class DeepChecksTest : public QObject {
    Q_OBJECT

private slots:
    void memcheck() {
        const auto findings = findingsOfSanitizer("memcheck", report("memcheck.xml")).value();
        QCOMPARE(findings.size(), std::size_t(1)); // the driver's own error is no finding
        QCOMPARE(findings[0].kind, FindingKind::outOfBounds);
        QCOMPARE(findings[0].check, std::string("sanitizer_memcheck"));
        QCOMPARE(findings[0].line, 28U); // not the line of the host's stack
        QCOMPARE(findings[0].message, std::string("Invalid __global__ write of size 4 bytes is out of bounds"));
        QVERIFY(findings[0].thread.has_value());
        QCOMPARE(findings[0].bytes, std::optional<std::uint32_t>(4));
    }

    void racecheckNamesBothSides() {
        const auto findings = findingsOfSanitizer("racecheck", report("racecheck.xml")).value();
        QCOMPARE(findings.size(), std::size_t(1));
        QCOMPARE(findings[0].kind, FindingKind::race);
        QCOMPARE(findings[0].line, 91U);
        QVERIFY(findings[0].related.size() >= 3);
        QCOMPARE(findings[0].related[0].line, 95U);
        QCOMPARE(findings[0].related[0].access, std::string("read"));
        QCOMPARE(findings[0].related[1].line, 98U);
    }

    void nothingFoundAndNoXml() {
        QVERIFY(findingsOfSanitizer("initcheck", "<?xml version=\"1.0\"?>\n<ComputeSanitizerOutput/>").value().empty());
        const auto refused = findingsOfSanitizer("synccheck", "Error: no device");
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.starts_with("compute-sanitizer synccheck wrote no XML"),
                 refused.error().message.c_str());
    }

    void ownLinesKeepTheLinesAndTheMachineCode_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"saxpy/saxpy.sm_90.ptx", "saxpy/candidates/vectorized.ptx", "reduce/reduce.sm_90.ptx",
                                 "sgemm_tiled/candidates/register_tile.ptx"})
            QTest::newRow(file) << QString(file);
    }
    void ownLinesKeepTheLinesAndTheMachineCode() {
        QFETCH(QString, file);
        const std::string text = example(file.toStdString());
        const auto module = ptx::parse(text, "candidate.ptx");
        const std::string own = withOwnLines(*module, "candidate.ptx");
        const auto again = ptx::parse(own, "candidate.ptx");
        QVERIFY(!again->hasErrors());
        // Every instruction has a location, which is its line in the text before.
        for (std::size_t f = 0; f < module->functions.size(); ++f) {
            const auto &before = module->functions[f].instructions, &after = again->functions[f].instructions;
            QCOMPARE(after.size(), before.size());
            for (std::size_t i = 0; i < before.size(); ++i) {
                const auto line = 1 + std::count(text.begin(), text.begin() + before[i].span.offset, '\n');
                QVERIFY(after[i].location != ptx::noIndex);
                QCOMPARE(static_cast<long>(again->functions[f].locations[after[i].location].line),
                         static_cast<long>(line));
            }
        }
        const auto tools = toolchain::discover().value();
        const auto kit = std::ranges::find_if(tools.toolkits, [](const auto& t) { return t.ptxas.has_value(); });
        if (kit == tools.toolkits.end()) QSKIP("no ptxas on this machine: the machine code is not compared");
        const auto code = [&](const std::string& ptx, std::vector<std::string> flags) {
            toolchain::PtxasRequest request;
            request.text = ptx;
            request.file = "candidate.ptx";
            request.arch = "sm_90";
            request.flags = std::move(flags);
            const auto assembled = toolchain::assemble(request, *kit);
            return assembled && assembled->ok ? toolchain::textSha256(assembled->cubin).value_or("no code")
                                              : "refused: " + (assembled ? assembled->log : assembled.error().message);
        };
        QCOMPARE(QString::fromStdString(code(own, {"-lineinfo"})), QString::fromStdString(code(text, {})));
    }
};

QTEST_APPLESS_MAIN(DeepChecksTest)
#include "deep_checks.moc"

// Assembling with the ptxas of this machine, and with stand-ins that hang, crash or are not there.
#include "support/files.h"
#include "toolchain/cubin.h"
#include "toolchain/discover.h"
#include "toolchain/ptxas.h"

#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace ptxwb;
using namespace ptxwb::toolchain;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

std::string data(const std::string& name) {
    return readFile(fs::path(PTXWB_SOURCE_DIR "/tests/data/toolchain") / name).value();
}

PtxasRequest request(std::string text, std::string arch = "sm_80") {
    PtxasRequest result;
    result.text = std::move(text);
    result.arch = std::move(arch);
    return result;
}

const std::string empty = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(){ ret; }\n";

std::string procFile(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Whether any process runs with exactly these arguments and with `temporary` as its TMPDIR: one that this test
/// started.
bool runs(const std::string& arguments, const std::string& temporary) {
    for (const auto& process : fs::directory_iterator("/proc"))
        if (procFile(process.path() / "cmdline") == arguments &&
            procFile(process.path() / "environ").find("TMPDIR=" + temporary) != std::string::npos)
            return true;
    return false;
}

} // namespace

class PtxasTest : public QObject {
    Q_OBJECT

    std::optional<Toolkit> m_kit;

    static Toolkit standIn(const std::string& path) {
        Toolkit kit;
        kit.ptxas = path;
        kit.version = "0.0.0";
        return kit;
    }

private slots:
    void initTestCase() {
        const auto found = discover();
        QVERIFY(found.has_value());
        for (const auto& kit : found->toolkits)
            if (kit.ptxas) {
                m_kit = kit;
                break;
            }
    }

    void twoKernels() { // matched by name: ptxas lists them in another order
        if (!m_kit) QSKIP("no ptxas on this machine");
        const auto result = assemble(request(data("h25_two_kernels.ptx")), *m_kit);
        QVERIFY(result.has_value());
        QVERIFY2(result->ok, result->log.c_str());
        QCOMPARE(result->resources.size(), std::size_t{2});
        const auto alpha = *std::ranges::find(result->resources, "alpha", &EntryResources::entry);
        const auto beta = *std::ranges::find(result->resources, "beta", &EntryResources::entry);
        QCOMPARE(alpha.arch, std::string("sm_80"));
        QCOMPARE(beta.barriers, 1U);
        QCOMPARE(beta.staticSharedBytes, 128U);
        QCOMPARE(beta.spillStoreBytes, 0U);
        QCOMPARE(alpha.constantBytes, 8U); // one pointer
        if (!m_kit->version.starts_with("13.0.")) QSKIP("registers and spills are ptxas 13.0's");
        QCOMPARE(alpha.registers, 24U);
        QCOMPARE(alpha.stackBytes, 336U);
        QCOMPARE(alpha.spillStoreBytes, 384U);
        QCOMPARE(alpha.spillLoadBytes, 392U);
        QCOMPARE(alpha.barriers, 0U);
        QCOMPARE(beta.registers, 8U);
    }

    void manyRegisters() {
        if (!m_kit) QSKIP("no ptxas on this machine");
        if (!m_kit->version.starts_with("13.0.")) QSKIP("the count is ptxas 13.0's");
        const auto result = assemble(request(data("h45_many_regs.ptx")), *m_kit);
        QCOMPARE(result->resources.at(0).entry, std::string("h45"));
        QCOMPARE(result->resources[0].registers, 254U);
    }

    void parametersAreTheConstantBytes() { // on every architecture, also where the log has no cmem part
        if (!m_kit) QSKIP("no ptxas on this machine");
        const std::string text =
            ".version 8.0\n.target sm_80\n.address_size 64\n"
            ".visible .entry k(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y){ ret; }\n";
        for (const auto* arch : {"sm_80", "sm_90"}) {
            const auto result = assemble(request(text, arch), *m_kit);
            QVERIFY2(result->ok, result->log.c_str());
            QCOMPARE(result->resources.at(0).constantBytes, 24U);
        }
    }

    void resultsRepeatAndFlagsCount() {
        if (!m_kit) QSKIP("no ptxas on this machine");
        auto r = request(data("h25_two_kernels.ptx"), "sm_90");
        const auto first = assemble(r, *m_kit), again = assemble(r, *m_kit);
        QVERIFY(first.has_value() && again.has_value());
        QCOMPARE(textSha256(again->cubin).value(), textSha256(first->cubin).value());
        QCOMPARE(again->flags, first->flags);
        QVERIFY(fs::path(first->program).is_absolute());
        QVERIFY(std::ranges::find(first->arguments, "-v") != first->arguments.end());
        r.flags = {"-O1"};
        const auto other = assemble(r, *m_kit);
        QVERIFY(textSha256(other->cubin).value() != textSha256(first->cubin).value());
        QVERIFY(!fs::exists(fs::path(first->arguments.back()).parent_path())); // the temporary folder is gone
    }

    void newerVersionIsExplained() {
        if (!m_kit) QSKIP("no ptxas on this machine");
        const auto result = assemble(request(data("h23_version.ptx")), *m_kit);
        QVERIFY(result.has_value() && !result->ok);
        QCOMPARE(result->diagnostics.size(), std::size_t{1});
        const auto newest = newestPtxVersion(*m_kit);
        const auto& d = result->diagnostics[0];
        QCOMPARE(d.place, (Place{"kernel.ptx", 1, 1, 12}));
        QCOMPARE(d.message, "Unsupported .version 9.9; current version is '" + newest + "'");
        QCOMPARE(d.hint, "ptxas " + m_kit->version + " (" + m_kit->ptxas->string() + ") takes PTX up to " + newest +
                             "; the text says 9.9. With .version " + newest + " the same text assembles.");
    }

    void loweringIsOfferedOnlyWhereItHelps() {
        if (!m_kit) QSKIP("no ptxas on this machine");
        const auto result =
            assemble(request(".version 9.9\n.target sm_80\n.address_size 64\n.visible .entry k(){ frob; }\n"), *m_kit);
        QVERIFY2(result->diagnostics.at(0).hint.find(
                     "it does not assemble either: line 4: Not a name of any known instruction: 'frob'") !=
                     std::string::npos,
                 result->diagnostics[0].hint.c_str());
    }

    void targetsThatDoNotFit_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("arch");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("hint");
        const QString head = ".version 8.0\n.target %1\n.address_size 64\n.visible .entry k(){ ret; }\n";
        QTest::newRow("old version") << QString::fromStdString(data("h23b_target.ptx")) << "sm_90" << 2
                                     << "PTX .version 7.0 does not support .target sm_90" << "the same text assembles";
        QTest::newRow("higher")
            << head.arg("sm_90") << "sm_80" << 2
            << "SM version specified by .target is higher than default SM version assumed"
            << "The text says .target sm_90 and sm_80 was asked for: lower the .target, or assemble for sm_90.";
        QTest::newRow("suffix") << head.arg("sm_90a") << "sm_90" << 2
                                << "PTX with .target 'sm_90a' cannot be compiled for architecture 'sm_90'"
                                << "assemble for sm_90a";
        QTest::newRow("unknown") << head.arg("sm_60") << "sm_60" << 2
                                 << "Value 'sm_60' is not defined for option 'gpu-name'"
                                 << "does not know sm_60";
    }
    void targetsThatDoNotFit() {
        if (!m_kit) QSKIP("no ptxas on this machine");
        if (!m_kit->version.starts_with("13.")) QSKIP("the messages are those of ptxas 13");
        QFETCH(QString, text);
        QFETCH(QString, arch);
        QFETCH(int, line);
        QFETCH(QString, message);
        QFETCH(QString, hint);
        const auto result = assemble(request(text.toStdString(), arch.toStdString()), *m_kit);
        QVERIFY(result.has_value() && !result->ok);
        QCOMPARE(result->diagnostics.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(result->diagnostics[0].message), message);
        QCOMPARE(static_cast<int>(result->diagnostics[0].place.line), line);
        QVERIFY2(QString::fromStdString(result->diagnostics[0].hint).contains(hint),
                 result->diagnostics[0].hint.c_str());
    }

    void tooMuchSharedMemoryKeepsTheFigures() {
        if (!m_kit) QSKIP("no ptxas on this machine");
        const auto result =
            assemble(request(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(){\n"
                             ".shared .b8 s[60000];\n.reg .b32 r; mov.u32 r, s; st.shared.b32 [r], r; ret; }\n"),
                     *m_kit);
        QVERIFY(result.has_value() && !result->ok);
        QVERIFY(result->cubin.empty());
        QCOMPARE(result->resources.size(), std::size_t{1});
        QCOMPARE(result->resources[0].staticSharedBytes, 60000U);
        QCOMPARE(result->diagnostics.at(0).message,
                 std::string("Entry function 'k' uses too much shared data (60000 bytes, 49152 max)"));
        QCOMPARE(result->diagnostics[0].place.line, 4U);
    }

    void commentsInAnyLanguage() {
        if (!m_kit) QSKIP("no ptxas on this machine");
        const auto result = assemble(request("// caf\xC3\xA9\n" + empty), *m_kit);
        QVERIFY2(result.has_value() && result->ok, result->log.c_str());
        QCOMPARE(result->diagnostics.size(), std::size_t{1});
        QCOMPARE(result->diagnostics[0].severity, Severity::note);
        QCOMPARE(result->diagnostics[0].place.line, 1U);
        QCOMPARE(
            result->diagnostics[0].message,
            std::string(
                "2 bytes outside ASCII in comments were replaced by '?' for ptxas, which refuses them even there"));
    }

    void awkwardTemporaryFolder() {
        if (!m_kit) QSKIP("no ptxas on this machine");
        const auto outer = TemporaryFolder::create();
        const auto folder = outer->path() / "t m p'x (k\xC3\xA9)";
        fs::create_directory(folder);
        qputenv("TMPDIR", folder.c_str());
        const auto good = assemble(request(empty), *m_kit);
        const auto bad = assemble(request(empty + "frob;\n"), *m_kit);
        qunsetenv("TMPDIR");
        QVERIFY2(good->ok, good->log.c_str());
        QCOMPARE(bad->diagnostics.at(0).place.line, 5U);
        QVERIFY(fs::is_empty(folder));
    }

    void aHangingAssemblerIsStopped() {
        const auto outer = TemporaryFolder::create();
        qputenv("TMPDIR", outer->path().c_str());
        qputenv("PTXWB_PTXAS", PTXWB_SOURCE_DIR "/tests/data/toolchain/fake_ptxas_hangs.sh");
        const auto found = discover();
        qunsetenv("PTXWB_PTXAS");
        QVERIFY(found.has_value());
        const auto kit = found->toolkits.at(0);
        QCOMPARE(kit.foundBy, std::string("PTXWB_PTXAS"));
        auto r = request(empty);
        r.deadline = 3s;
        using namespace std::string_literals;
        const std::string sleeper = "sleep\0"
                                    "600\0"s;
        bool started = false;
        std::jthread watcher([&](std::stop_token done) { // the check below must be able to fail
            while (!done.stop_requested() && !started) {
                started = runs(sleeper, outer->path());
                std::this_thread::sleep_for(20ms);
            }
        });
        const auto result = assemble(r, kit);
        watcher.request_stop();
        watcher.join();
        qunsetenv("TMPDIR");
        QVERIFY(started);
        QVERIFY(result.has_value());
        QVERIFY(result->timedOut && !result->ok);
        QCOMPARE(result->diagnostics.size(), std::size_t{1});
        QCOMPARE(result->diagnostics[0].message, std::string("timed out after 3 s"));
        QVERIFY(result->diagnostics[0].hint.starts_with("Try -O1"));
        QCOMPARE(result->log, std::string("ptxas info    : 0 bytes gmem\n"));
        QVERIFY(fs::is_empty(outer->path()));
        bool left = true;
        for (int i = 0; i < 200 && left; ++i) {
            left = runs(sleeper, outer->path());
            if (left) std::this_thread::sleep_for(10ms);
        }
        QVERIFY(!left);
        if (!m_kit) return;
        const auto next = assemble(request(empty), *m_kit); // other candidates go on
        QVERIFY(next->ok);
    }

    void cancellation() {
        std::stop_source source;
        std::jthread canceller([&source] {
            std::this_thread::sleep_for(100ms);
            source.request_stop();
        });
        const auto result = assemble(
            request(empty), standIn(PTXWB_SOURCE_DIR "/tests/data/toolchain/fake_ptxas_hangs.sh"), source.get_token());
        QVERIFY(!result.has_value());
        QCOMPARE(result.error().cause, Cause::cancelled);
    }

    void assemblersThatMisbehave_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("message");
        QTest::newRow("crash") << "kill -SEGV $$" << "ptxas crashed: killed by signal 11 (Segmentation fault)";
        QTest::newRow("silent") << "exit 9" << "ptxas ended with status 9 without saying why";
        QTest::newRow("nothing written") << "exit 0" << "ptxas reported success but wrote no cubin";
    }
    void assemblersThatMisbehave() {
        QFETCH(QString, script);
        QFETCH(QString, message);
        const auto folder = TemporaryFolder::create();
        const auto path = folder->path() / "ptxas";
        QVERIFY(writeFileAtomically(path, "#!/bin/sh\n" + script.toStdString() + "\n").has_value());
        fs::permissions(path, fs::perms::owner_all);
        const auto result = assemble(request(empty), standIn(path.string()));
        QVERIFY(result.has_value() && !result->ok);
        QCOMPARE(QString::fromStdString(result->diagnostics.at(0).message), message);
    }

    void aWrapperWhoseToolkitIsGoneSaysNothingAboutTheText() {
        const auto folder = TemporaryFolder::create();
        const auto path = folder->path() / "ptxas";
        QVERIFY(writeFileAtomically(path, "#!/bin/sh\nexec /no/such/cuda/bin/ptxas \"$@\"\n").has_value());
        fs::permissions(path, fs::perms::owner_all);
        const auto result = assemble(request(empty), standIn(path.string()));
        QVERIFY(!result);
        QCOMPARE(result.error().cause, Cause::missing);
        QVERIFY2(result.error().message.starts_with(path.string() + " could not be run"),
                 result.error().message.c_str());
    }

    void whatIsMissingOrNotAllowed() {
        QCOMPARE(assemble(request(empty), standIn("/no/such/ptxas")).error().message,
                 std::string("cannot start /no/such/ptxas: no such executable file"));
        QCOMPARE(assemble(request(empty), Toolkit{}).error().cause, Cause::missing);
        auto r = request(empty);
        r.flags = {"-o", "/tmp/x"};
        QCOMPARE(assemble(r, standIn("/bin/true")).error().cause, Cause::badRequest);
        QCOMPARE(assemble(request(empty, "sm_x"), standIn("/bin/true")).error().message,
                 std::string("\"sm_x\" names no GPU architecture"));
    }
};

QTEST_APPLESS_MAIN(PtxasTest)
#include "ptxas_test.moc"

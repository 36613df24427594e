// Several toolkits in one verification: each ptxas that is named takes the text, and is told with its version.
#include "judge.h"

#include "support/json.h"
#include "toolchain/discover.h"

#include <nlohmann/json.hpp>
#include <sys/stat.h>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

const std::string body = pointer(1, "x") + pointer(2, "y") +
                         "\tld.global.f32 %f1, [%rd1];\n\tadd.f32 %f2, %f1, %f1;\n\tst.global.f32 [%rd2], %f2;\n";
const std::string text = moduleOf(entry("k", ", .param .u64 x, .param .u64 y", body));

/// A toolkit folder whose ptxas is a script around the real one.
class OtherToolkit {
public:
    /// `before`: shell lines in front of the call; `more`: its further arguments.
    OtherToolkit(const std::filesystem::path& real, const std::string& version, const std::string& before,
                 const std::string& more) {
        auto folder = TemporaryFolder::create("ptxwb-toolkit");
        if (!folder) qFatal("no temporary folder");
        m_folder.emplace(std::move(*folder));
        std::filesystem::create_directories(m_folder->path() / "bin");
        const auto file = m_folder->path() / "bin/ptxas";
        const std::string script =
            fmt::format("#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Cuda compilation tools, release 12.8, V{}'; "
                        "exit 0; fi\n{}\nexec '{}' {} \"$@\"\n",
                        version, before, real.string(), more);
        if (!writeFileAtomically(file, script) || ::chmod(file.c_str(), 0755) != 0) qFatal("cannot write the script");
    }
    std::string path() const { return m_folder->path().string(); }

private:
    std::optional<TemporaryFolder> m_folder;
};

} // namespace

class OtherAssemblersTest : public QObject {
    Q_OBJECT

    toolchain::Discovery m_tools;
    std::filesystem::path m_ptxas;

    Judge judge() {
        Judge made(spec(x + ", " + y, launch + reference),
                   {{"k.ptx", text},
                    {"reference.cpp", "void reference(int n, const double* x, double* y) {\n"
                                      "    for (int i = 0; i < n; ++i) y[i] = 2 * x[i];\n}\n"}});
        made.machine().tools = m_tools;
        return made;
    }

private slots:
    void initTestCase() {
        if (!haveCompiler()) QSKIP("no host compiler for the references");
        auto tools = toolchain::discover({});
        if (!tools || tools->toolkits.empty() || !tools->toolkits.front().ptxas) QSKIP("no ptxas here");
        m_tools = std::move(*tools);
        m_ptxas = *m_tools.toolkits.front().ptxas;
    }

    void eachIsToldWithItsVersion() {
        const OtherToolkit same(m_ptxas, "12.8.93", "", ""), other(m_ptxas, "12.1.105", "", "-O0");
        Judge judge = this->judge();
        judge.plan().toolkits = {same.path(), other.path()};
        const auto result = judge(text);
        QVERIFY2(result.verdict == Verdict::pass, describe(result));
        QVERIFY(outcome(result, "other_assemblers") == CheckStatus::passed);
        QCOMPARE(result.assemblers.size(), std::size_t{2});
        QCOMPARE(result.assemblers[0].name, std::string("ptxas"));
        QCOMPARE(result.assemblers[0].version, std::string("12.8.93"));
        QVERIFY(result.assemblers[0].assembled && result.assemblers[0].registers);
        QCOMPARE(result.assemblers[0].textSha256, result.textSha256);
        QCOMPARE(result.assemblers[1].version, std::string("12.1.105"));
        QVERIFY(result.assemblers[1].assembled && result.assemblers[1].textSha256 != result.textSha256);
        // Its machine code was not run: it says so.
        QVERIFY(!result.assemblers[1].function && result.assemblers[1].reason.starts_with("only a GPU can run"));
        // The other way round, as it travels and as a session keeps it.
        const auto again = candidateResultFromJson(toJson(result)).value();
        QVERIFY(toJson(again) == toJson(result));
    }

    void whatOneOfThemRefusesFails() {
        const OtherToolkit old(
            m_ptxas, "11.0.1",
            "echo \"ptxas candidate.ptx, line 1; fatal   : Unsupported .version 8.0; current version is "
            "'7.0'\" >&2; echo \"ptxas fatal   : Ptx assembly aborted due to errors\" >&2; exit 255",
            "");
        Judge judge = this->judge();
        judge.plan().toolkits = {old.path()};
        const auto result = judge(text);
        QVERIFY2(failsWith(result, "other_assemblers"), describe(result));
        QVERIFY2(describe(result).contains("ptxas 11.0.1: "), describe(result));
        QVERIFY(!result.assemblers.at(0).assembled);
        // What the first one made is judged all the same.
        QVERIFY2(find(result.stages, Stage::stress)->status == Status::pass, describe(result));
    }

    void aFolderWithoutOneIsSaid() {
        const auto folder = TemporaryFolder::create("ptxwb-empty").value();
        Judge judge = this->judge();
        judge.plan().toolkits = {folder.path().string()};
        const auto report = judge.report(text);
        QVERIFY(!report);
        QCOMPARE(report.error().cause, Cause::missing);
        QVERIFY2(report.error().message.ends_with("holds no ptxas that runs"), report.error().message.c_str());
    }

    void withoutOthersNothingChanges() {
        Judge judge = this->judge();
        const auto result = judge(text);
        QVERIFY(outcome(result, "other_assemblers") == CheckStatus::notRun);
        QVERIFY(result.assemblers.empty());
        QVERIFY(!toJson(result).at("evidence").contains("assemblers"));
    }
};

QTEST_APPLESS_MAIN(OtherAssemblersTest)
#include "other_assemblers.moc"

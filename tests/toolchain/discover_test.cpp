// Finding toolkits, in a made-up file system of small scripts.
#include "support/files.h"
#include "toolchain/discover.h"

#include <QtTest>

#include <filesystem>

using namespace ptxwb;
using namespace ptxwb::toolchain;
namespace fs = std::filesystem;

namespace {

class Machine {
public:
    Machine() : m_folder(std::move(TemporaryFolder::create("ptxwb test's").value())) {
        script("bin/cat", "#!/bin/sh\nexec /bin/cat \"$@\"\n");
    }
    fs::path root() const { return m_folder.path(); }
    void script(const std::string& path, const std::string& content) const {
        fs::create_directories((root() / path).parent_path());
        QVERIFY(writeFileAtomically(root() / path, content).has_value());
        fs::permissions(root() / path, fs::perms::owner_all);
    }
    void tool(const std::string& path, const std::string& version) const {
        const auto release = version.substr(0, version.rfind('.'));
        // A comment that differs: different files, as different binaries are.
        script(path,
               "#!/bin/sh\n# " + path + "\necho 'Cuda compilation tools, release " + release + ", V" + version + "'\n");
    }
    DiscoverRequest request(std::vector<std::string> environment = {}) const {
        DiscoverRequest result;
        result.root = root();
        if (environment.empty()) environment = {"PATH=/none"};
        result.environment = std::move(environment);
        return result;
    }

private:
    TemporaryFolder m_folder;
};

QStringList listed(const Discovery& found, const fs::path& root) {
    QStringList result;
    for (const auto& kit : found.toolkits)
        result << QString::fromStdString(kit.version + " " + fs::relative(kit.root, root).string());
    return result;
}

} // namespace

class DiscoverTest : public QObject {
    Q_OBJECT

private slots:
    void nothingIsNoError() {
        const Machine machine;
        const auto found = discover(machine.request());
        QVERIFY(found.has_value());
        QVERIFY(found->toolkits.empty());
        QVERIFY(!found->hostCompiler.has_value());
    }

    void usualFoldersNewestFirstAndOnce() {
        const Machine machine;
        machine.tool("usr/local/cuda-9.2/bin/ptxas", "9.2.10");
        machine.tool("usr/local/cuda-12.4/bin/ptxas", "12.4.131");
        machine.tool("usr/local/cuda-12.4/bin/nvcc", "12.4.131");
        machine.tool("usr/local/cuda-13.0/bin/ptxas", "13.0.88");
        machine.tool("opt/cuda/bin/nvcc", "12.9.1");
        fs::create_directory_symlink("cuda-12.4", machine.root() / "usr/local/cuda");
        const auto found = discover(machine.request()).value();
        QCOMPARE(listed(found, machine.root()),
                 (QStringList{"13.0.88 usr/local/cuda-13.0", "12.9.1 opt/cuda", "12.4.131 usr/local/cuda-12.4",
                              "9.2.10 usr/local/cuda-9.2"}));
        QVERIFY(!found.toolkits[0].nvcc.has_value());
        QVERIFY(found.toolkits[1].nvcc.has_value() && !found.toolkits[1].ptxas.has_value());
        QVERIFY(found.toolkits[2].nvcc.has_value() && found.toolkits[2].ptxas.has_value());
    }

    void pathThenEnvironmentThenFolders() {
        const Machine machine;
        machine.tool("usr/local/cuda-13.0/bin/ptxas", "13.0.88");
        machine.tool("here/bin/ptxas", "12.1.1");
        machine.tool("home/cuda/bin/ptxas", "11.8.2");
        const auto r = machine.root().string();
        const auto found =
            discover(machine.request({"PATH=/none::" + r + "/here/bin", "CUDA_HOME=" + r + "/home/cuda"})).value();
        QCOMPARE(listed(found, machine.root()),
                 (QStringList{"12.1.1 here", "11.8.2 home/cuda", "13.0.88 usr/local/cuda-13.0"}));
        QCOMPARE(found.toolkits[0].foundBy, std::string("PATH"));
        QCOMPARE(found.toolkits[1].foundBy, std::string("CUDA_HOME"));
        QCOMPARE(found.toolkits[1].origin, ToolkitOrigin::environment);
    }

    void pythonAndTriton() {
        const Machine machine;
        const std::string packages = "env/lib/python3.12/site-packages/";
        machine.tool(packages + "nvidia/cu13/bin/ptxas", "13.0.48");
        machine.tool(packages + "nvidia/cuda_nvcc/bin/ptxas", "12.8.93");
        machine.tool(packages + "triton/backends/nvidia/bin/ptxas", "12.8.61");
        machine.script(packages + "nvidia/cuda_cupti/lib/libcupti.so.12", "");
        const auto r = machine.root().string();
        const auto found = discover(machine.request({"PATH=/none", "VIRTUAL_ENV=" + r + "/env"})).value();
        QCOMPARE(found.toolkits.size(), std::size_t{3});
        QCOMPARE(found.toolkits[0].version, std::string("13.0.48"));
        QCOMPARE(found.toolkits[1].cupti.value_or(""),
                 fs::path(r) / (packages + "nvidia/cuda_cupti/lib/libcupti.so.12"));
        QCOMPARE(found.toolkits[2].origin, ToolkitOrigin::triton);
    }

    void otherToolsOfAToolkit() {
        const Machine machine;
        machine.tool("usr/local/cuda/bin/ptxas", "13.0.88");
        for (const auto* name : {"nvdisasm", "cuobjdump", "compute-sanitizer"})
            machine.tool(std::string("usr/local/cuda/bin/") + name, "1.2.3");
        machine.script("usr/local/cuda/include/cuda.h", "");
        machine.script("usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13", "");
        const auto kit = discover(machine.request()).value().toolkits.at(0);
        QVERIFY(kit.nvdisasm && kit.cuobjdump && kit.computeSanitizer && kit.include && kit.cupti);
        QVERIFY(kit.ptxas->is_absolute());
    }

    void aWrapperIsNotOneMoreToolkit() {
        const Machine machine;
        machine.tool("usr/local/cuda/bin/ptxas", "13.0.88");
        const auto r = machine.root().string();
        machine.script("wrap/bin/ptxas", "#!/bin/sh\nexec \"" + r + "/usr/local/cuda/bin/ptxas\" \"$@\"\n");
        const auto found = discover(machine.request({"PATH=" + r + "/usr/local/cuda/bin:" + r + "/wrap/bin"})).value();
        QCOMPARE(found.toolkits.size(), std::size_t{1});
    }

    void aWrapperWhoseToolkitIsGoneIsNone() {
        const Machine machine;
        machine.script("wrap/bin/ptxas", "#!/bin/sh\nexec /no/such/cuda/bin/ptxas \"$@\"\n");
        const auto r = machine.root().string();
        QVERIFY(discover(machine.request({"PATH=" + r + "/wrap/bin"})).value().toolkits.empty());
    }

    void explicitFolderAndOverrides() {
        const Machine machine;
        machine.tool("usr/local/cuda/bin/ptxas", "13.0.88");
        machine.tool("mine/bin/ptxas", "12.0.1");
        machine.tool("other/ptxas-x", "12.3.4");
        auto request = machine.request();
        request.folder = machine.root() / "mine";
        QCOMPARE(discover(request)->toolkits.at(0).version, std::string("12.0.1"));
        request.folder = machine.root() / "nowhere";
        const auto missing = discover(request);
        QCOMPARE(missing.error().message,
                 (machine.root() / "nowhere").string() + " holds neither bin/ptxas nor bin/nvcc");
        QCOMPARE(missing.error().cause, Cause::missing);
        const auto r = machine.root().string();
        const auto found = discover(machine.request({"PATH=/none", "PTXWB_PTXAS=" + r + "/other/ptxas-x"})).value();
        QCOMPARE(found.toolkits.size(), std::size_t{2});
        QCOMPARE(found.toolkits[0].version, std::string("12.3.4"));
        QCOMPARE(found.toolkits[0].foundBy, std::string("PTXWB_PTXAS"));
    }

    void hostCompiler() {
        const Machine machine;
        machine.script("bin/g++", "#!/bin/sh\necho 14.2.1\n");
        const auto found = discover(machine.request({"PATH=" + machine.root().string() + "/bin"})).value();
        QVERIFY(found.hostCompiler.has_value());
        QCOMPARE(found.hostCompiler->version, std::string("14.2.1"));
    }

    void versions() {
        QCOMPARE(versionFrom("Cuda compilation tools, release 13.0, V13.0.88\nBuild x\n"), std::string("13.0.88"));
        QCOMPARE(versionFrom("nonsense"), std::string());
        QVERIFY(versionLess("9.2.10", "12.4"));
        QVERIFY(versionLess("12.4", "12.4.1"));
        QVERIFY(!versionLess("13.0.88", "13.0.88"));
        QVERIFY(versionLess("", "1.0"));
    }
};

QTEST_APPLESS_MAIN(DiscoverTest)
#include "discover_test.moc"

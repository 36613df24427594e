// The commands that need no kernel to run: help, doctor, occupancy, diff, assemble, compile, worker.
#include "program.h"
#include "schema_check.h"

#include <QtTest>

using namespace ptxwb::test;
using nlohmann::json;

namespace {

const std::string examples = PTXWB_SOURCE_DIR "/resources/examples/";

} // namespace

class CommandsTest : public QObject {
    Q_OBJECT

private slots:
    void helpOfEveryCommandHasAnExample_data() {
        QTest::addColumn<QString>("command");
        for (const char* name : {"doctor", "init", "check", "compile", "assemble", "sass", "diff", "run", "verify",
                                 "occupancy", "worker", "report", "export", "bundle", "verify-bundle", "review"})
            QTest::newRow(name) << name;
    }
    void helpOfEveryCommandHasAnExample() {
        QFETCH(QString, command);
        const Program program;
        const Answer answer = program.run({command.toStdString(), "--help"});
        QVERIFY2(answer.status == 0, describe(answer));
        QVERIFY2(answer.output.find("Example:\n  ") != std::string::npos, describe(answer));
        QVERIFY2(answer.output.find("ptxwb " + command.toStdString()) != std::string::npos, describe(answer));
        QVERIFY2(answer.output.find("--json") != std::string::npos, describe(answer));
    }

    void version() {
        const Program program;
        const Answer answer = program.run({"--version"});
        QCOMPARE(answer.status, 0);
        QVERIFY2(answer.output.starts_with("0."), describe(answer));
    }

    void doctorSaysWhatWorksWithoutEachMissingThing() {
        Program program;
        // Nothing to be found: no PATH, no toolkit variables.
        program.setEnvironment("PATH", "/nowhere");
        for (const char* name : {"CUDA_HOME", "CUDA_PATH", "PTXWB_PTXAS", "PTXWB_NVCC", "CXX"})
            program.setEnvironment(name, "");
        const Answer answer = program.run({"doctor", "--json"});
        QVERIFY2(answer.status == 0, describe(answer));
        const json value = answer.json();
        QCOMPARE(QString::fromStdString(mismatch("doctor", value)), QString());
        QVERIFY(value.at("host_compiler").is_null());
        QVERIFY(!value.at("missing").empty());
        const Answer human = program.run({"doctor"});
        QVERIFY2(human.output.find("host compiler: none") != std::string::npos, describe(human));
        QVERIFY2(human.output.find("without it: ") != std::string::npos &&
                     human.output.find("to get it: ") != std::string::npos,
                 describe(human));
    }

    /// H32, H34, H45 and the example of the interfaces; from NVIDIA's cuda_occupancy.h.
    void occupancy_data() {
        QTest::addColumn<QString>("arch");
        QTest::addColumn<int>("block");
        QTest::addColumn<int>("registers");
        QTest::addColumn<int>("blocks");
        QTest::addColumn<double>("percent");
        const auto row = [](const char* arch, int block, int registers, int blocks, double percent) {
            QTest::addRow("%s %d x %d", arch, block, registers) << arch << block << registers << blocks << percent;
        };
        row("sm_80", 224, 92, 2, 21.875);
        row("sm_80", 192, 92, 3, 28.125);
        row("sm_80", 256, 41, 5, 62.5);
        row("sm_80", 96, 24, 21, 98.4375);
        row("sm_86", 1024, 32, 1, 66.6667);
        row("sm_90", 32, 0, 32, 50.0);
        row("sm_80", 1024, 72, 0, 0.0);
    }
    void occupancy() {
        QFETCH(QString, arch);
        QFETCH(int, block);
        QFETCH(int, registers);
        QFETCH(int, blocks);
        QFETCH(double, percent);
        const Program program;
        const Answer answer = program.run({"occupancy", "--arch", arch.toStdString(), "--block", std::to_string(block),
                                           "--registers", std::to_string(registers), "--shared", "0", "--json"});
        QVERIFY2(answer.status == 0, describe(answer));
        const json value = answer.json();
        QCOMPARE(QString::fromStdString(mismatch("occupancy", value)), QString());
        QCOMPARE(value.at("blocks_per_sm").get<int>(), blocks);
        QVERIFY2(std::abs(value.at("percent").get<double>() - percent) < 1e-3, describe(answer));
        if (blocks == 0) QVERIFY(value.at("reason").is_string());
    }

    void occupancySweep() {
        const Program program;
        const Answer answer = program.run({"occupancy", "--arch", "sm_90", "--block", "256", "--registers", "64",
                                           "--shared", "0", "--sweep", "block", "--json"});
        QVERIFY2(answer.status == 0, describe(answer));
        QCOMPARE(QString::fromStdString(mismatch("occupancy", answer.json())), QString());
        QVERIFY(answer.json().at("sweep").at("points").size() >= 32);
    }

    void diffOfAFileWithItselfAndWithAnother() {
        const Program program;
        const std::string saxpy = examples + "saxpy/saxpy.sm_90.ptx",
                          other = examples + "saxpy/candidates/vectorized.ptx";
        const Answer same = program.run({"diff", saxpy, saxpy, "--json"});
        QVERIFY2(same.status == 0, describe(same));
        QCOMPARE(QString::fromStdString(mismatch("diff", same.json())), QString());
        QVERIFY(same.json().at("same").get<bool>());
        const Answer different = program.run({"diff", saxpy, other, "--json"});
        QVERIFY2(different.status == 1, describe(different));
        QCOMPARE(QString::fromStdString(mismatch("diff", different.json())), QString());
        const Answer human = program.run({"diff", saxpy, other});
        QVERIFY2(human.status == 1 && human.output.find("@@") != std::string::npos, describe(human));
        QVERIFY2(human.output.find('\x1b') == std::string::npos, "no colour where stdout is no terminal");
        QVERIFY2(program.run({"diff", saxpy, other, "--color", "always"}).output.find('\x1b') != std::string::npos,
                 "colour where it is asked for");
    }

    void assemble() {
        if (!haveTool("ptxas")) QSKIP("no ptxas here");
        const Program program;
        const Answer answer = program.run({"assemble", examples + "saxpy/saxpy.sm_90.ptx", "--json"});
        QVERIFY2(answer.status == 0, describe(answer));
        const json value = answer.json();
        QCOMPARE(QString::fromStdString(mismatch("assemble", value)), QString());
        QCOMPARE(value.at("results").at(0).at("arch"), json("sm_90"));
        QVERIFY(value.at("results").at(0).at("resources").at(0).at("registers").get<int>() > 0);
        const Answer broken = program.run({"assemble", examples + "saxpy/candidates/does_not_assemble.ptx", "--json"});
        QVERIFY2(broken.status == 1, describe(broken));
        QCOMPARE(QString::fromStdString(mismatch("assemble", broken.json())), QString());
        QVERIFY(!broken.json().at("results").at(0).at("ok").get<bool>());
        const Answer human = program.run({"assemble", examples + "saxpy/candidates/does_not_assemble.ptx"});
        QVERIFY2(human.errors.find("does_not_assemble.ptx:") != std::string::npos &&
                     human.errors.find('^') != std::string::npos,
                 describe(human));
    }

    void assembleWithoutPtxas() {
        Program program;
        program.setEnvironment("PTXWB_WORKER", "");
        program.setEnvironment("PATH", "/nowhere");
        for (const char* name : {"CUDA_HOME", "CUDA_PATH", "PTXWB_PTXAS"}) program.setEnvironment(name, "");
        if (!program.run({"doctor", "--json"}).json().at("toolkits").empty())
            QSKIP("a toolkit in a usual folder cannot be hidden");
        const Answer answer = program.run({"assemble", examples + "saxpy/saxpy.sm_90.ptx"});
        QVERIFY2(answer.status == 3, describe(answer));
        QVERIFY2(answer.errors.find("no ptxas was found") != std::string::npos, describe(answer));
    }

    void compile() {
        if (!haveTool("nvcc")) QSKIP("no nvcc here");
        const Program program;
        const Answer answer = program.run({"compile", "saxpy", "-o", "out", "--json"});
        QVERIFY2(answer.status == 0, describe(answer));
        const json value = answer.json();
        QCOMPARE(QString::fromStdString(mismatch("compile", value)), QString());
        const std::string file = value.at("results").at(0).at("ptx_file");
        QCOMPARE(QString::fromStdString(file), QString("out/saxpy.sm_90.ptx"));
        QCOMPARE(program.run({"check", file}).status, 0);
    }

    void anAssemblerThatFailsWithoutAWord() {
        Program program;
        const auto fake = program.write(
            "ptxas", "#!/bin/sh\ncase \"$*\" in *--version*) echo 'release 13.0, V13.0.88'; exit 0;; esac\nexit 3\n");
        std::filesystem::permissions(fake, std::filesystem::perms::owner_all);
        program.setEnvironment("PTXWB_PTXAS", fake.string());
        const Answer answer = program.run({"assemble", examples + "saxpy/saxpy.sm_90.ptx", "--json"});
        QVERIFY2(answer.status == 1, describe(answer));
        QVERIFY2(!answer.json().at("results").at(0).at("diagnostics").empty(), describe(answer));
    }
};

QTEST_APPLESS_MAIN(CommandsTest)
#include "commands.moc"

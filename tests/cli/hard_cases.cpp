// Kernels that other emulators got wrong, through `ptxwb run`: the words are those that an NVIDIA H200 wrote.
#include "program.h"
#include "schema_check.h"

#include <QtTest>
#include <fstream>

using namespace ptxwb::test;
using nlohmann::json;

namespace {

const std::string folder = PTXWB_SOURCE_DIR "/tests/data/cases/";

json expected() {
    std::ifstream file(folder + "expected.json");
    return json::parse(file);
}

json outBuffer(std::size_t words) {
    return {{"name", "out"}, {"type", "b32"}, {"count", words}, {"access", "out"}, {"align", 16}};
}

/// A spec with name, entry, arguments and launch: enough for `run`.
json spec(const std::string& entry, std::size_t block, json arguments) {
    return {{"schema", 1},
            {"name", entry},
            {"entry", entry},
            {"arguments", std::move(arguments)},
            {"launch", {{"grid", {1, 1, 1}}, {"block", {block, 1, 1}}}}};
}

Answer runCase(const Program& program, const std::string& file, const json& kernel,
               std::vector<std::string> more = {"--json"}) {
    program.write("k.kernel.json", kernel.dump());
    std::vector<std::string> arguments{"run", folder + file, "--spec", "k.kernel.json", "--dump", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return program.run(arguments);
}

} // namespace

class HardCasesTest : public QObject {
    Q_OBJECT

private slots:
    void words_data() {
        QTest::addColumn<QString>("file");
        for (const auto& [name, file] :
             std::vector<std::pair<const char*, const char*>>{{"h01", "h01_scope_shadow.ptx"},
                                                              {"h03", "h03_braces.ptx"},
                                                              {"h03b", "h03b_imm_pack.ptx"},
                                                              {"h05", "h05_literals.ptx"},
                                                              {"h06", "h06_predicates.ptx"},
                                                              {"h08", "h08_madhi.ptx"},
                                                              {"h10", "h10_cvt.ptx"},
                                                              {"h11", "h11_minmax.ptx"},
                                                              {"h13", "h13_shift.ptx"},
                                                              {"h15", "h15_shfl.ptx"},
                                                              {"h21", "h21_params.ptx"},
                                                              {"h41_good", "h41_faults.ptx"}})
            QTest::newRow(name) << QString(file);
    }
    void words() {
        QFETCH(QString, file);
        const std::string name = QTest::currentDataTag();
        const json wanted = expected().at(name);
        json arguments{outBuffer(wanted.at("out").size())};
        if (name == "h21") {
            // struct { u8 tag; u16 w; u32 n; double d; }
            arguments.push_back({{"name", "cfg"},
                                 {"type", "struct"},
                                 {"size", 16},
                                 {"align", 8},
                                 {"fields",
                                  {{{"offset", 0}, {"type", "u8"}, {"value", 90}},
                                   {{"offset", 2}, {"type", "u16"}, {"value", 0x1234}},
                                   {{"offset", 4}, {"type", "u32"}, {"value", 7}},
                                   {{"offset", 8}, {"type", "f64"}, {"value", 1.5}}}}});
            arguments.push_back({{"name", "pad"}, {"type", "b8"}, {"value", 0}});
            arguments.push_back({{"name", "k"}, {"type", "u32"}, {"value", 3}});
        }
        const Program program;
        const Answer answer =
            runCase(program, file.toStdString(),
                    spec(wanted.at("entry"), wanted.at("block").get<std::size_t>(), std::move(arguments)));
        QVERIFY2(answer.status == 0, describe(answer));
        const json value = answer.json();
        QCOMPARE(QString::fromStdString(mismatch("run", value)), QString());
        QCOMPARE(QString::fromStdString(value.at("outputs").at("out").dump()),
                 QString::fromStdString(wanted.at("out").dump()));
        QVERIFY(value.at("completed").get<bool>());
    }

    void lanesOutsideTheMask() {
        const json wanted = expected().at("h15_badmask");
        const Program program;
        const Answer answer = runCase(program, "h15_shfl.ptx", spec("h15_badmask", 32, json{outBuffer(32)}));
        QVERIFY2(answer.status == 1, describe(answer));
        QCOMPARE(QString::fromStdString(answer.json().at("findings").at(0).at("message")),
                 QString::fromStdString(wanted.at("report")));
    }

    void farOutside() {
        const Program program;
        const Answer answer = runCase(program, "h41_faults.ptx", spec("h41_bad", 1, json{outBuffer(4)}));
        QVERIFY2(answer.status == 1, describe(answer));
        const json finding = answer.json().at("findings").at(0);
        QCOMPARE(QString::fromStdString(finding.at("kind")), QString("out_of_bounds"));
        QCOMPARE(finding.at("line").get<int>(), 11);
        QCOMPARE(finding.at("thread"), (json{0, 0, 0}));
        QCOMPARE(finding.at("bytes").get<int>(), 4);
    }

    void oneElementPastTheEnd() {
        json kernel = spec("h41_off_by_one", 1, json{outBuffer(4), {{"name", "n"}, {"type", "u32"}, {"value", 4}}});
        const Program program;
        const Answer answer = runCase(program, "h41_faults.ptx", kernel);
        QVERIFY2(answer.status == 1, describe(answer));
        const json finding = answer.json().at("findings").at(0);
        QCOMPARE(QString::fromStdString(finding.at("kind")), QString("out_of_bounds"));
        QVERIFY2(finding.at("message").get<std::string>().find("past the end of out") != std::string::npos,
                 describe(answer));
        // A person sees the place with its source line.
        const Answer human = runCase(program, "h41_faults.ptx", kernel, {});
        QVERIFY2(human.output.find("h41_faults.ptx:33:") != std::string::npos, describe(human));
        QVERIFY2(human.output.find("st.global.u32 [%rd1], 9;") != std::string::npos, describe(human));
    }

    void misalignedVector() {
        const Program program;
        const json kernel =
            spec("h43", 1,
                 json{{{"name", "in"}, {"type", "f32"}, {"count", 16}, {"access", "in"}, {"align", 16}}, outBuffer(4)});
        const Answer answer = runCase(program, "h43_misaligned.ptx", kernel);
        QVERIFY2(answer.status == 1, describe(answer));
        QCOMPARE(QString::fromStdString(answer.json().at("findings").at(0).at("kind")), QString("misaligned"));
    }
};

QTEST_APPLESS_MAIN(HardCasesTest)
#include "hard_cases.moc"

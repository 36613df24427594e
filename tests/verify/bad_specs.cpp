// Specs with one field missing, misspelt, of the wrong type or against the kernel's parameters: each is refused with a
// message that names the field and says what was expected, and a hint with an example or with what there is.
#include "kernel/spec_load.h"
#include "kernel/spec_save.h"
#include "support/files.h"
#include "verify/baseline.h"
#include "verify/funnel.h"
#include "verify/oracle.h"
#include "verify/spec_fits.h"

#include <QtTest>
#include <algorithm>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

using namespace ptxwb;
using Json = nlohmann::ordered_json;

namespace {

const std::filesystem::path folder = std::filesystem::path(PTXWB_SOURCE_DIR) / "tests/data/kernel/bad_specs";

Json read(const std::filesystem::path& file) {
    return Json::parse(readFile(file).value());
}

/// Sets the value at each JSON pointer; null removes it. Removals come last, the highest index first.
Json patched(Json spec, const Json& patch) {
    std::vector<std::string> removed;
    for (const auto& [pointer, value] : patch.items()) {
        if (value.is_null())
            removed.push_back(pointer);
        else
            spec[Json::json_pointer(pointer)] = value;
    }
    std::ranges::sort(removed, std::greater{});
    for (const std::string& pointer : removed) {
        const Json::json_pointer at(pointer);
        Json& parent = spec[at.parent_pointer()];
        if (parent.is_array())
            parent.erase(std::stoul(at.back()));
        else
            parent.erase(at.back());
    }
    return spec;
}

kernel::KernelFiles files() {
    kernel::KernelFiles result;
    for (const char* name :
         {"bad.cu", "common.cuh", "cub.ptx", "reference.cpp", "inputs.cpp", "c.ptx", "x.npy", "y.npy"})
        result.emplace(name, "");
    result.emplace("bad.ptx", readFile(folder / "base.ptx").value());
    return result;
}

/// All that is said of a spec, by the loader or against its baseline.
std::vector<Diagnostic> said(const Json& spec) {
    auto loaded = kernel::loadSpec(kernel::formatJson(spec), "bad.kernel.json", files());
    std::vector<Diagnostic> problems;
    for (const Diagnostic& diagnostic : loaded.diagnostics)
        if (diagnostic.severity == Severity::error) problems.push_back(diagnostic);
    if (!loaded.kernel) return problems;
    const verify::VerifyInput input{std::move(*loaded.kernel), std::nullopt, {}};
    const verify::Machine machine;
    const auto cache = verify::makeOracleCache();
    const verify::Context context{input, machine, *cache, 1, {}, {}};
    const auto baseline = verify::loadBaseline(context);
    if (!baseline) return {baseline.error()};
    if (auto fits = verify::specFitsBaseline(context, **baseline); !fits) problems.push_back(fits.error());
    return problems;
}

} // namespace

class BadSpecsTest : public QObject {
    Q_OBJECT

private slots:
    void theBaseIsRight() {
        const auto problems = said(read(folder / "base.json"));
        QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().message.c_str());
    }

    void specs_data() {
        QTest::addColumn<QString>("file");
        std::vector<std::filesystem::path> cases;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".json" && entry.path().stem() != "base") cases.push_back(entry.path());
        std::ranges::sort(cases);
        QVERIFY(cases.size() >= 60);
        for (const auto& file : cases) QTest::newRow(file.stem().c_str()) << QString::fromStdString(file.string());
    }

    void specs() {
        QFETCH(QString, file);
        Json one = read(file.toStdString());
        const auto problems = said(patched(read(folder / "base.json"), one.at("set")));
        QVERIFY2(!problems.empty(), "nobody minds");
        Json says = Json::array();
        for (const Diagnostic& problem : problems) says.push_back({problem.message, problem.hint});
        if (qEnvironmentVariableIsSet("PTXWB_UPDATE")) {
            one["says"] = says;
            std::ofstream(file.toStdString()) << one.dump(1) << "\n";
        }
        QCOMPARE(QString::fromStdString(says.dump(1)), QString::fromStdString(one.at("says").dump(1)));
        const std::string field = one.at("field").get<std::string>();
        QVERIFY2(std::ranges::any_of(problems,
                                     [&](const Diagnostic& problem) {
                                         return problem.message.find(field) != std::string::npos &&
                                                !problem.hint.empty();
                                     }),
                 problems.front().message.c_str());
    }
};

QTEST_APPLESS_MAIN(BadSpecsTest)
#include "bad_specs.moc"

#include "kernel/launch_shape.h"
#include "kernel/spec_load.h"
#include "kernel/spec_save.h"

#include "story.h"
#include "support/sha256.h"

using namespace ptxwb;
using namespace ptxwb::kernel;
namespace fs = std::filesystem;

namespace {

/// Every kind of argument and every key that a spec may have.
std::string everything() {
    return readFile(test::dataFolder() / "all_keys.json").value();
}

KernelFiles filesOfEverything() {
    return test::filesOf(nlohmann::ordered_json::parse(everything()));
}

} // namespace

class SpecTest : public QObject {
    Q_OBJECT

private slots:
    void bundledExamplesLoad_data() {
        QTest::addColumn<QString>("name");
        for (const auto& entry : fs::directory_iterator(test::examplesFolder()))
            if (entry.is_directory())
                QTest::newRow(entry.path().filename().c_str())
                    << QString::fromStdString(entry.path().filename().string());
    }

    void bundledExamplesLoad() {
        QFETCH(QString, name);
        const auto file = findKernel(name.toStdString(), test::examplesFolder());
        if (!file) QFAIL(format(file.error()).c_str());
        const auto loaded = loadKernel(*file);
        QCOMPARE_TEXT(test::messages(loaded), "");
        const auto& spec = loaded.kernel->spec;
        QCOMPARE_TEXT(spec.name, name.toStdString());
        QVERIFY(unsupportedFeatures(spec).empty());
        QVERIFY(!spec.candidates.empty());
        for (const auto& candidate : spec.candidates) QVERIFY(loaded.kernel->files.contains(candidate));
        // Written and read again, it is the same.
        const auto again = loadSpec(formatJson(toJson(spec)), "again.json", loaded.kernel->files);
        QCOMPARE_TEXT(test::messages(again), "");
        QVERIFY(toJson(again.kernel->spec) == toJson(spec));
    }

    void everyFieldIsKept() {
        const auto text = everything();
        const auto loaded = loadSpec(text, "all.kernel.json", filesOfEverything());
        QCOMPARE_TEXT(test::messages(loaded), "");
        const auto json = toJson(loaded.kernel->spec);
        auto expected = nlohmann::ordered_json::parse(text);
        // What the writer adds or spells in full.
        expected["launches"][0]["launch"]["grid"] = {"sm_count", 1, 1};
        expected["launches"][0]["launch"]["block"] = {32, 2, 1};
        expected["arguments"][4]["may_alias"] = {"y"};
        expected["arguments"][5]["align"] = 1;
        expected["arguments"][6]["align"] = 4;
        expected["arguments"][8]["hex"] = "0aff00";
        expected["arguments"][15]["align"] = 1;
        expected["arguments"][16]["align"] = 4;
        expected["arguments"][17]["align"] = 2;
        for (const auto& [key, value] : expected.items())
            QVERIFY2(nlohmann::json(json.value(key, nlohmann::ordered_json())) == nlohmann::json(value),
                     (key + ": " + json.value(key, nlohmann::ordered_json()).dump()).c_str());
        QCOMPARE(json.size(), expected.size());
        QCOMPARE(loaded.kernel->spec.arguments[1].value.wide.value(), ~std::uint64_t{0});
    }

    void whatIsNotSupportedIsSaid() {
        const auto spec = loadSpec(everything(), "all.kernel.json", filesOfEverything()).kernel.value().spec;
        std::string all;
        for (const auto& note : unsupportedFeatures(spec)) {
            QCOMPARE(note.severity, Severity::note);
            QCOMPARE_TEXT(note.kind, "unsupported");
            all += note.message + "\n";
        }
        QCOMPARE_TEXT(all, "");
        QCOMPARE(unsupportedFeatures(spec, Needed::launch).size(), std::size_t{0});
    }

    void clusterAndCooperative() {
        auto json = test::readStory(test::dataFolder() / "base.json");
        json["launch"]["cluster"] = {"min(n, 2)", 1, 1};
        json["launch"]["cooperative"] = true;
        const auto spec = loadSpec(json.dump(), "s.json", {{"scale.cu", ""}, {"scale.ptx", ""}, {"reference.cpp", ""}})
                              .kernel.value()
                              .spec;
        QVERIFY(unsupportedFeatures(spec).empty());
        QVERIFY(spec.launch.cooperative);
        QCOMPARE(spec.launch.cluster[0].expression.evaluate({{"n", 5}}).value(), std::int64_t{2});
    }

    void parametersLeaveOutWhatAStructReaches() {
        const auto spec = loadSpec(everything(), "s.json", filesOfEverything()).kernel.value().spec;
        std::string names;
        for (const auto* argument : parameters(spec)) names += argument->name + " ";
        QCOMPARE_TEXT(names, "a b c d f s h z p t u v w ");
    }

    void findKernelByName() {
        const auto examples = test::examplesFolder();
        QVERIFY(findKernel("saxpy", examples).value().filename() == "saxpy.kernel.json");
        QVERIFY(findKernel((examples / "saxpy").string(), {}).value().filename() == "saxpy.kernel.json");
        QVERIFY(findKernel((examples / "saxpy/saxpy.kernel.json").string(), {}).value().filename() ==
                "saxpy.kernel.json");
        const auto typo = findKernel("saxpi", examples);
        QVERIFY(!typo);
        QCOMPARE_TEXT(typo.error().message,
                      "saxpi is neither a spec file, nor a folder with one, nor a bundled example");
        QCOMPARE_TEXT(typo.error().hint, "did you mean saxpy?");
        QCOMPARE_TEXT(findKernel("zzzzzz", "/nowhere").error().hint, "bundled examples: none found");
        const auto folder = TemporaryFolder::create().value();
        QCOMPARE_TEXT(findKernel(folder.path().string(), examples).error().message,
                      folder.path().string() + " holds no *.kernel.json");
        QVERIFY(writeFileAtomically(folder.path() / "a.kernel.json", "{}"));
        QVERIFY(writeFileAtomically(folder.path() / "b.kernel.json", "{}"));
        QCOMPARE_TEXT(findKernel(folder.path().string(), examples).error().message,
                      folder.path().string() + " holds 2 specs: a.kernel.json, b.kernel.json");
    }

    void fromDiskWithItsFiles() {
        const auto folder = TemporaryFolder::create().value();
        const auto at = folder.path() / "k\303\251rnel (v2)";
        fs::create_directories(at);
        const auto json = test::readStory(test::dataFolder() / "base.json");
        auto withCandidate = json;
        withCandidate["candidates"] = {"fast.ptx"};
        QVERIFY(writeFileAtomically(at / "s.kernel.json", formatJson(withCandidate)));
        QVERIFY(writeFileAtomically(at / "scale.cu", "source"));
        QVERIFY(writeFileAtomically(at / "scale.ptx", "ptx"));
        QVERIFY(writeFileAtomically(at / "reference.cpp", "reference"));
        auto loaded = loadKernel(at / "s.kernel.json");
        QVERIFY(!loaded.kernel);
        QCOMPARE_TEXT(loaded.diagnostics.at(0).message, "candidates[0]: fast.ptx is not in the spec's folder");
        QCOMPARE(loaded.diagnostics[0].place.line, 24U);
        QVERIFY(writeFileAtomically(at / "fast.ptx", "fast"));
        loaded = loadKernel(at / "s.kernel.json");
        QCOMPARE_TEXT(test::messages(loaded), "");
        QCOMPARE_TEXT(loaded.kernel->files.at("fast.ptx"), "fast");
        QCOMPARE(loaded.kernel->files.size(), std::size_t{4});
        // A folder where a file should be.
        fs::remove(at / "scale.ptx");
        fs::create_directories(at / "scale.ptx");
        QVERIFY(!loadKernel(at / "s.kernel.json").kernel);
        QVERIFY(!loadKernel(at / "none.kernel.json").kernel);
    }

    void sourceHashThatFits() {
        auto json = test::readStory(test::dataFolder() / "base.json");
        json["baseline"]["source_sha256"] = sha256Hex(std::string_view("source"));
        QCOMPARE_TEXT(test::messages(loadSpec(json.dump(), "s",
                                              {{"scale.cu", "source"}, {"scale.ptx", ""}, {"reference.cpp", ""}})),
                      "");
    }
};

QTEST_APPLESS_MAIN(SpecTest)
#include "spec_test.moc"

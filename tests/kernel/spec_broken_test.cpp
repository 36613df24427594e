#include "kernel/spec_load.h"

#include "kernel/layout.h"
#include "kernel/random.h"
#include "kernel/spec_save.h"
#include "story.h"

#include <fstream>

using namespace ptxwb;
using namespace ptxwb::kernel;

namespace {

using Json = nlohmann::ordered_json;

/// Sets the value at each JSON pointer; null removes it.
Json patched(Json spec, const Json& patch) {
    for (const auto& [pointer, value] : patch.items()) {
        const Json::json_pointer at(pointer);
        if (!value.is_null())
            spec[at] = value;
        else
            spec[at.parent_pointer()].erase(at.back());
    }
    return spec;
}

} // namespace

/// Each file of broken/ is a change to base.json ("set": JSON pointers) or a whole text, and all that the loader says
/// then.
class SpecBrokenTest : public QObject {
    Q_OBJECT

private slots:
    void stories_data() {
        QTest::addColumn<QString>("path");
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(test::dataFolder() / "broken"))
            files.push_back(entry.path());
        std::ranges::sort(files);
        QVERIFY(files.size() >= 40);
        for (const auto& file : files) QTest::newRow(file.stem().c_str()) << QString::fromStdString(file.string());
    }

    void stories() {
        QFETCH(QString, path);
        auto story = test::readStory(path.toStdString());
        const auto base = test::readStory(test::dataFolder() / "base.json");
        const auto text =
            story.contains("text") ? story["text"].get<std::string>() : formatJson(patched(base, story["set"]));
        KernelFiles files{
            {"scale.cu", "// source"}, {"scale.ptx", ".version 9.0"}, {"reference.cpp", "void reference() {}"}};
        for (const auto& file : story.value("without", Json::array())) files.erase(file.get<std::string>());
        const auto loaded = loadSpec(text, "scale.kernel.json", std::move(files));
        std::vector<std::string> lines;
        std::string line;
        for (const char c : test::messages(loaded)) {
            if (c != '\n') {
                line += c;
                continue;
            }
            lines.push_back(std::exchange(line, {}));
        }
        if (test::updating()) {
            story["says"] = lines;
            std::ofstream(path.toStdString()) << story.dump(2) << "\n";
        }
        QCOMPARE(loaded.kernel.has_value(), story.value("loads", false));
        std::string expected;
        for (const auto& part : story["says"]) expected += part.get<std::string>() + "\n";
        QCOMPARE_TEXT(test::messages(loaded), expected);
    }

    void theBaseIsRight() {
        const auto loaded = loadSpec(readFile(test::dataFolder() / "base.json").value(), "base.json",
                                     {{"scale.cu", ""}, {"scale.ptx", ""}, {"reference.cpp", ""}});
        QCOMPARE_TEXT(test::messages(loaded), "");
        QVERIFY(loaded.kernel);
    }

    /// Whatever kind of value stands in a place: it loads or is refused with a message that has a line, and nothing
    /// crashes.
    void everyValueOfAnotherKind() {
        const auto base = test::readStory(test::dataFolder() / "all_keys.json");
        const KernelFiles files = test::filesOf(base);
        QVERIFY(loadSpec(base.dump(), "all.json", files).kernel);
        const auto flat = base.flatten();
        std::size_t refused = 0;
        for (const auto& [pointer, unused] : flat.items()) {
            for (const auto* other :
                 {"null", "true", "-7", "2.5", "1e300", "\"\"", "\"n +\"", "[]", "[[1]]", "{}", "{\"a\": {}}"}) {
                auto changed = base;
                changed[Json::json_pointer(pointer)] = Json::parse(other);
                const auto loaded = loadSpec(changed.dump(1), "all.json", files);
                QVERIFY(loaded.kernel || !loaded.diagnostics.empty());
                for (const auto& problem : loaded.diagnostics) {
                    QVERIFY2(problem.place.line > 0, (pointer + " = " + other + ": " + problem.message).c_str());
                    QVERIFY(!problem.message.empty());
                }
                refused += !loaded.kernel;
                if (loaded.kernel) (void)buildLaunch(*loaded.kernel, {{"n", 3}, {"m", 2}}, {});
            }
        }
        QVERIFY(refused > 8 * flat.size());
    }

    void damagedTextNeverCrashes() {
        const auto text = readFile(test::dataFolder() / "all_keys.json").value();
        const auto files = test::filesOf(Json::parse(text));
        for (std::uint64_t i = 0; i < 3000; ++i) {
            auto damaged = text;
            const auto at = randomWord(1, i) % damaged.size();
            if (i % 3 == 0) damaged.erase(at, randomWord(2, i) % 9);
            if (i % 3 == 1) damaged[at] = static_cast<char>(randomWord(2, i));
            if (i % 3 == 2) damaged.resize(at);
            const auto loaded = loadSpec(damaged, "all.json", files);
            QVERIFY(loaded.kernel || !loaded.diagnostics.empty());
        }
    }

    void orFirstErrorKeepsTheOthers() {
        auto base = test::readStory(test::dataFolder() / "base.json");
        base["launch"]["grid"][0] = "m";
        base["arguments"][0]["type"] = "i32";
        const auto kernel = orFirstError(loadSpec(base.dump(), "s.json", {}));
        QVERIFY(!kernel);
        QCOMPARE_TEXT(kernel.error().message, "launch.grid[0]: unknown symbol m in \"m\" at column 1");
        QCOMPARE(kernel.error().related.size(), std::size_t{1});
        QCOMPARE_TEXT(kernel.error().related[0].message, "arguments[0].type: unknown type \"i32\"");
    }
};

QTEST_APPLESS_MAIN(SpecBrokenTest)
#include "spec_broken_test.moc"

// Readers of members: what is absent keeps its value, and the first error is the one that is told.
#include "support/json_fields.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace ptxwb;

class JsonFieldsTest : public QObject {
    Q_OBJECT

private slots:
    void absentAndNullKeepTheirValue() {
        const auto value = parseJson(R"({"text": null, "list": []})").value();
        JsonFields fields{JsonReader(value)};
        std::string text = "as it was";
        double number = 1.5;
        std::uint64_t whole = 7;
        std::optional<std::uint32_t> maybe;
        std::optional<std::array<std::uint32_t, 3>> three;
        std::vector<std::uint64_t> list{1};
        fields.read("text", text);
        fields.read("number", number);
        fields.read("whole", whole);
        fields.read("maybe", maybe);
        fields.read("three", three);
        fields.read("list", list);
        QCOMPARE(fields.result(text).value(), std::string("as it was"));
        QCOMPARE(number, 1.5);
        QCOMPARE(whole, std::uint64_t{7});
        QVERIFY(!maybe && !three);
        QCOMPARE(list, std::vector<std::uint64_t>{1});
    }

    void wholeNumbersUpToTheirLargest() {
        const auto value =
            parseJson(R"({"large": 18446744073709551615, "fits": 4294967295, "three": [1, 2, 3]})").value();
        JsonFields fields{JsonReader(value)};
        std::uint64_t large = 0;
        std::uint32_t fits = 0;
        std::optional<std::array<std::uint32_t, 3>> three;
        fields.read("large", large);
        fields.read("fits", fits);
        fields.read("three", three);
        QVERIFY(fields.result(0));
        QCOMPARE(large, std::numeric_limits<std::uint64_t>::max());
        QCOMPARE(fits, std::numeric_limits<std::uint32_t>::max());
        QVERIFY((three == std::array<std::uint32_t, 3>{1, 2, 3}));
        // Numbers that were put in by code are signed.
        const nlohmann::json made{{"n", 3}};
        JsonFields again{JsonReader(made)};
        again.read("n", fits);
        QVERIFY(again.result(0));
        QCOMPARE(fits, 3U);
    }

    void theFirstErrorIsTold() {
        const auto value = parseJson(R"({"a": {"b": [1, 4294967296, -1]}, "text": 3})").value();
        const JsonReader reader(value, "x.json");
        JsonFields fields(*reader.find("a"));
        std::optional<std::array<std::uint32_t, 3>> three;
        fields.read("b", three);
        fields.note(reader.fail("too late").error());
        const auto result = fields.result(three);
        QVERIFY(!result);
        QCOMPARE(result.error().message, std::string("a.b[1]: expected a number that fits 32 bits"));
        QCOMPARE(result.error().place.file, std::string("x.json"));
    }

    void listsEndAtTheFirstWrongElement() {
        const auto value = parseJson(R"({"texts": ["a", 2, "c"]})").value();
        JsonFields fields{JsonReader(value)};
        std::vector<std::string> texts;
        fields.readList("texts", texts, [](const JsonReader& one) { return one.text(); });
        QCOMPARE(texts, std::vector<std::string>{"a"});
        QCOMPARE(fields.result(0).error().message, std::string("texts[1]: expected a text, got 2"));
    }

    void whatIsNoObject() {
        const nlohmann::json list = nlohmann::json::array();
        JsonFields fields{JsonReader(list)};
        QCOMPARE(fields.result(0).error().message, std::string("expected an object, got an array"));
    }
};

QTEST_APPLESS_MAIN(JsonFieldsTest)
#include "json_fields_test.moc"

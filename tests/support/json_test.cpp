// JSON errors name the line and column, or the path of the field.
#include "support/json.h"

#include <QtTest>

#include <cmath>
#include <nlohmann/json.hpp>

using namespace ptxwb;
using nlohmann::json;

class JsonTest : public QObject {
    Q_OBJECT

private slots:
    void syntaxErrors_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("message");
        QTest::newRow("missing comma") << "{\"a\": 1\n \"b\": 2}" << 2 << 4
                                       << "not JSON: unexpected string literal; expected '}' (while parsing object)";
        QTest::newRow("cut off") << "[1,\n2" << 2 << 2
                                 << "not JSON: unexpected end of input; expected ']' (while parsing array)";
        QTest::newRow("empty")
            << "" << 1 << 1
            << "not JSON: unexpected end of input; expected '[', '{', or a literal (while parsing value)";
        QTest::newRow("two values")
            << "1 2" << 1 << 3 << "not JSON: unexpected number literal; expected end of input (while parsing value)";
        QTest::newRow("comment") << "{} // no" << 1 << 4 << "";
        QTest::newRow("duplicate") << "{\"a\": {\"b\": 1,\n  \"b\": 2}}" << 2 << 3
                                   << "the key \"b\" is given twice in one object";
        QTest::newRow("duplicate with quotes and backslashes")
            << "{\"\\\\\": 1, \"x\\\"y\\\\\\\"\": 2, \"x\\\"y\\\\\\\"\" : 3}" << 1 << 26
            << "the key \"x\"y\\\"\" is given twice in one object";
        QTest::newRow("duplicate empty key")
            << "{\"\":1,\"\":2}" << 1 << 7 << "the key \"\" is given twice in one object";
        QTest::newRow("deep") << QString(2000, '[') << 1 << 513 << "nested deeper than 512 levels";
        QTest::newRow("number out of range") << "[1,\n -2e999, 3]" << 2 << 2 << "number overflow parsing '-2e999'";
        QTest::newRow("number out of range at the end") << "2e999" << 1 << 1 << "number overflow parsing '2e999'";
    }
    void syntaxErrors() {
        QFETCH(QString, text);
        QFETCH(int, line);
        QFETCH(int, column);
        QFETCH(QString, message);
        const auto parsed = parseJson(text.toStdString(), "x.json");
        QVERIFY(!parsed.has_value());
        const auto& error = parsed.error();
        QCOMPARE(error.cause, Cause::badRequest);
        QCOMPARE(error.kind, std::string("syntax"));
        QCOMPARE(error.place.file, std::string("x.json"));
        if (!message.isEmpty()) QCOMPARE(QString::fromStdString(error.message), message);
        QCOMPARE(static_cast<int>(error.place.line), line);
        QCOMPARE(static_cast<int>(error.place.column), column);
    }

    void asDeepAsAllowed() {
        const std::string deep = std::string(512, '[') + std::string(512, ']');
        QVERIFY(parseJson(deep));
        QCOMPARE(parseJson("[" + deep + "]").error().message, std::string("nested deeper than 512 levels"));
    }

    void sameKeyInTwoObjectsIsFine() { QVERIFY(parseJson(R"([{"a":1},{"a":{"a":2}}])").has_value()); }

    void fieldErrorsNameThePath() {
        const auto parsed =
            parseJson(R"({"arguments": [{}, {}, {"count": "n", "aling": 4, "big": 18446744073709551615}]})");
        QVERIFY(parsed.has_value());
        const JsonReader reader(*parsed, "k.json");
        const auto argument = reader.elements("arguments").value().at(2);
        QCOMPARE(argument.integer("count").error().message,
                 std::string("arguments[2].count: expected an integer, got the text \"n\""));
        QCOMPARE(argument.integer("count").error().place.file, std::string("k.json"));
        QCOMPARE(argument.integer("big").error().message,
                 std::string("arguments[2].big: expected an integer of 64 bits, got 18446744073709551615"));
        const auto missing = argument.integer("align").error();
        QCOMPARE(missing.message, std::string("arguments[2]: \"align\" is missing"));
        QCOMPARE(missing.hint, std::string("There is \"aling\": was \"align\" meant?"));
        const auto unknown = argument.onlyKeys({"count", "align", "big"}).error();
        QCOMPARE(unknown.message, std::string("arguments[2]: unknown key \"aling\""));
        QCOMPARE(unknown.hint, std::string("Did you mean \"align\"?"));
        QCOMPARE(reader.onlyKeys({"schema", "zzz"}).error().hint, std::string("Known here: schema, zzz."));
        QCOMPARE(reader.text("arguments").error().message, std::string("arguments: expected a text, got an array"));
        QCOMPARE(argument.integer("count").error().cause, Cause::badRequest);
    }

    void fallbacksAndKinds() {
        const auto value =
            parseJson(R"({"t":"x","i":-3,"f":2.5,"b":true,"z":null,"n":"nan","list":["a","b"]})").value();
        const JsonReader reader(value);
        QCOMPARE(reader.textOr("t", "y").value(), std::string("x"));
        QCOMPARE(reader.textOr("z", "y").value(), std::string("y"));
        QCOMPARE(reader.integerOr("i", 1).value(), -3);
        QCOMPARE(reader.integerOr("none", 1).value(), 1);
        QCOMPARE(reader.number("i").value(), -3.0);
        QVERIFY(!reader.integer("f").has_value());
        QVERIFY(std::isnan(reader.number("n").value()));
        QCOMPARE(reader.booleanOr("b", false).value(), true);
        QCOMPARE(reader.booleanOr("i", false).error().message, std::string("i: expected true or false, got -3"));
        QCOMPARE(reader.at("list").value().texts().value(), (std::vector<std::string>{"a", "b"}));
        QVERIFY(!reader.has("z"));
        // A list where an object belongs is not an object without keys.
        const json list = json::array();
        QVERIFY(!JsonReader(list).integerOr("i", 1).has_value());
    }
};

QTEST_APPLESS_MAIN(JsonTest)
#include "json_test.moc"

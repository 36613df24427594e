#include "kernel/expression.h"

#include "story.h"

#include <cmath>

using namespace ptxwb;
using namespace ptxwb::kernel;

/// Every line of expressions.json: value, or the whole message with its caret.
class ExpressionTest : public QObject {
    Q_OBJECT

private slots:
    void stories_data() {
        QTest::addColumn<int>("index");
        m_stories = test::readStory(test::dataFolder() / "expressions.json");
        for (int i = 0; i < static_cast<int>(m_stories.size()); ++i)
            QTest::newRow(m_stories[static_cast<std::size_t>(i)]["text"].get<std::string>().substr(0, 40).c_str()) << i;
    }

    void stories() {
        QFETCH(int, index);
        auto& story = m_stories[static_cast<std::size_t>(index)];
        const auto text = story["text"].get<std::string>();
        const auto symbols = test::symbolsOf(story.value("set", nlohmann::ordered_json::object()));
        const bool real = story.contains("real");
        const auto names = test::namesOf(symbols);
        const auto expression = Expression::compile(text, names, real ? Arithmetic::real : Arithmetic::integer);
        if (story.contains("error")) {
            Diagnostic problem;
            if (expression) {
                const auto value = expression->evaluate(symbols);
                QVERIFY2(!value, "an error was expected");
                problem = value.error();
            } else {
                problem = expression.error();
            }
            QCOMPARE(problem.cause, Cause::badRequest);
            QCOMPARE_TEXT(format(problem, text), story["error"].get<std::string>());
            return;
        }
        if (!expression) QFAIL(format(expression.error(), text).c_str());
        if (real) {
            const auto value = expression->evaluateReal(symbols);
            QVERIFY(value);
            const auto expected =
                story["real"].is_string() ? std::stod(story["real"].get<std::string>()) : story["real"].get<double>();
            QVERIFY2(*value == expected || (std::isnan(*value) && std::isnan(expected)),
                     std::to_string(*value).c_str());
            return;
        }
        const auto value = expression->evaluate(symbols);
        if (!value) QFAIL(format(value.error(), text).c_str());
        QCOMPARE(*value, story["value"].get<std::int64_t>());
    }

    void manyEvaluationsOfOneCompilation() {
        const std::vector<std::string> names{"n"};
        const auto expression = Expression::compile("ceil_div(n, 256)", names).value();
        for (std::int64_t n = 0; n < 2000; ++n) QCOMPARE(expression.evaluate({{"n", n}}).value(), (n + 255) / 256);
        QCOMPARE(expression.symbols(), std::vector<std::string>{"n"});
    }

    void builtinsNeedADevice() {
        const auto expression = Expression::compile("sm_count * max_blocks_per_sm", {}).value();
        QCOMPARE(expression.evaluate({{"sm_count", 132}, {"max_blocks_per_sm", 8}}).value(), 1056);
        const auto missing = expression.evaluate({});
        QVERIFY(!missing);
        QCOMPARE_TEXT(missing.error().message,
                      "sm_count is not known here in \"sm_count * max_blocks_per_sm\" at column 1");
    }

    void deepNestingIsRefusedNotACrash() {
        std::string text(5000, '(');
        QVERIFY(!Expression::compile(text, {}));
        text = std::string(4000, '-') + "1";
        const auto deep = Expression::compile(text, {});
        QVERIFY(!deep);
        QVERIFY(deep.error().message.find("nested more than 100 levels deep") != std::string::npos);
        std::string longSum = "1";
        for (int i = 0; i < 900; ++i) longSum += " + 1";
        QCOMPARE(Expression::compile(longSum, {}).value().evaluate({}).value(), 901);
    }

    void names() {
        QVERIFY(isFreeName("n"));
        QVERIFY(isFreeName("_tile2"));
        QVERIFY(!isFreeName("2n"));
        QVERIFY(!isFreeName(""));
        QVERIFY(!isFreeName("min"));
        QVERIFY(!isFreeName("sm_count"));
        QVERIFY(isIdentifier("min"));
    }

private:
    nlohmann::ordered_json m_stories;
};

QTEST_APPLESS_MAIN(ExpressionTest)
#include "expression_test.moc"

// The colours of the HTML report in both themes: text on its ground, marks of the plots on theirs.
// Source: WCAG 2.2, 1.4.3 and 1.4.11.
#include "report/html.h"
#include "reports.h"

#include <cmath>
#include <map>
#include <regex>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

using Colours = std::map<std::string, std::string>;

Colours coloursIn(const std::string& css) {
    static const std::regex one("--([a-z-]+): #([0-9A-F]{6});");
    Colours colours;
    for (std::sregex_iterator at(css.begin(), css.end(), one), end; at != end; ++at) colours[(*at)[1]] = (*at)[2];
    return colours;
}

double luminance(const std::string& colour) {
    double sum = 0;
    const double weight[] = {0.2126, 0.7152, 0.0722};
    for (std::size_t i = 0; i < 3; ++i) {
        const double c = std::stoi(colour.substr(2 * i, 2), nullptr, 16) / 255.0;
        sum += weight[i] * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
    }
    return sum;
}

double contrast(const std::string& a, const std::string& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

struct Pair {
    const char* front;
    const char* ground;
    double least;
};
/// Every colour of the style sheet with every ground that it stands on.
constexpr Pair pairs[] = {
    {"text", "ground", 7},          {"text", "panel", 7},
    {"muted", "ground", 4.5},       {"muted", "panel", 4.5},
    {"link", "ground", 4.5},        {"link", "panel", 4.5},
    {"pass", "pass-ground", 4.5},   {"fail", "fail-ground", 4.5},
    {"open", "open-ground", 4.5},   {"stale", "stale-ground", 4.5},
    {"text", "added", 4.5},         {"text", "removed", 4.5},
    {"text", "moved", 4.5},         {"text", "changed", 4.5},
    {"text", "mark", 4.5},          {"text", "found", 4.5},
    {"text", "related", 4.5},       {"fail", "ground", 3},
    {"stale", "ground", 3},         {"plot-candidate", "ground", 3},
    {"plot-baseline", "ground", 3}, {"plot-bar", "panel", 3},
    {"line", "ground", 1.2},
};

} // namespace

class ContrastTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        const std::string page = report::toHtml(report::makeReport({}, "0.1.0"));
        const std::size_t dark = page.find("@media (prefers-color-scheme: dark)"), rest = page.find("* {", dark);
        QVERIFY(dark != std::string::npos && rest != std::string::npos);
        m_light = coloursIn(page.substr(0, dark));
        m_dark = coloursIn(page.substr(dark, rest - dark));
        m_rules = page.substr(rest);
    }

    void bothThemesHaveTheSameColours() {
        QVERIFY(m_light.size() > 20);
        for (const auto& [name, colour] : m_light) QVERIFY2(m_dark.contains(name), name.c_str());
        QCOMPARE(m_dark.size(), m_light.size());
        // Every colour is of a theme: none is written into a rule.
        QVERIFY(!std::regex_search(m_rules.substr(0, m_rules.find("</style>")), std::regex("#[0-9A-Fa-f]{3,8}\\b")));
    }

    void everyColourIsChecked() {
        for (const auto& [name, colour] : m_light)
            QVERIFY2(std::ranges::any_of(pairs, [&](const Pair& p) { return name == p.front || name == p.ground; }),
                     name.c_str());
    }

    void contrastOf_data() {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<int>("pair");
        for (int i = 0; i < static_cast<int>(std::size(pairs)); ++i)
            for (const bool dark : {false, true})
                QTest::addRow("%s on %s, %s", pairs[i].front, pairs[i].ground, dark ? "dark" : "light") << dark << i;
    }
    void contrastOf() {
        QFETCH(bool, dark);
        QFETCH(int, pair);
        const Colours& colours = dark ? m_dark : m_light;
        const double found = contrast(colours.at(pairs[pair].front), colours.at(pairs[pair].ground));
        QVERIFY2(found >= pairs[pair].least, qPrintable(QString::number(found)));
    }

private:
    Colours m_light, m_dark;
    std::string m_rules;
};

QTEST_APPLESS_MAIN(ContrastTest)
#include "contrast_test.moc"

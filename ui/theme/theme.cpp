#include "theme/theme.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace ptxwb::ui {
namespace {

constexpr std::array<const char*, syntaxColourCount> syntaxNames = {
    "text",  "comment", "directive", "opcode",      "modifier", "type", "reg", "specialRegister",
    "label", "number",  "string",    "punctuation", "bad"};

class Reader {
public:
    Reader(const QJsonObject& object, QString where, QString& problem)
        : m_object(object), m_where(std::move(where)), m_problem(problem) {}

    QColor colour(const char* key) {
        const QJsonValue value = m_object.value(QLatin1String(key));
        return value.isUndefined() ? missing(key) : parsed(value, QLatin1String(key));
    }

    QColor parsed(const QJsonValue& value, const QString& key) {
        const QColor result(value.toString());
        if (!result.isValid())
            complain(QStringLiteral("%1%2: \"%3\" is no colour; write it as \"#RRGGBB\"")
                         .arg(m_where, key, value.toString()));
        return result;
    }

    void complain(const QString& text) {
        if (m_problem.isEmpty()) m_problem = text;
    }

private:
    QColor missing(const char* key) {
        complain(QStringLiteral("%1%2: this colour is missing").arg(m_where, QLatin1String(key)));
        return {};
    }

    const QJsonObject& m_object;
    QString m_where;
    QString& m_problem;
};

double linear(double channel) {
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour) {
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

Theme bundled(const QString& name) {
    QFile file(QStringLiteral(":/themes/%1.json").arg(name));
    QString problem;
    Theme theme;
    if (file.open(QIODevice::ReadOnly))
        theme = readTheme(file.readAll(), &problem);
    else
        problem = QStringLiteral("it is not among the program's resources");
    if (theme.name.isEmpty()) qFatal("theme %s.json: %s", qPrintable(name), qPrintable(problem));
    return theme;
}

} // namespace

Theme readTheme(const QByteArray& json, QString* problem) {
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    QString trouble;
    if (!document.isObject()) trouble = QStringLiteral("offset %1: %2").arg(error.offset).arg(error.errorString());
    const QJsonObject object = document.object();
    Reader reader(object, {}, trouble);
    Theme theme;
    theme.isDark = object.value(QLatin1String("dark")).toBool();
    const std::pair<const char*, QColor*> colours[] = {
        {"background", &theme.background},
        {"text", &theme.text},
        {"added", &theme.added},
        {"removed", &theme.removed},
        {"moved", &theme.moved},
        {"renamed", &theme.renamed},
        {"filler", &theme.filler},
        {"fillerLine", &theme.fillerLine},
        {"addedMark", &theme.addedMark},
        {"removedMark", &theme.removedMark},
        {"movedMark", &theme.movedMark},
        {"renamedMark", &theme.renamedMark},
        {"marginBackground", &theme.marginBackground},
        {"marginText", &theme.marginText},
        {"currentLine", &theme.currentLine},
        {"selection", &theme.selection},
        {"findMatch", &theme.findMatch},
        {"linked", &theme.linked},
        {"error", &theme.error},
        {"warning", &theme.warning},
        {"note", &theme.note},
        {"finding", &theme.finding},
        {"passed", &theme.passed},
        {"failed", &theme.failed},
        {"stale", &theme.stale},
        {"unverified", &theme.unverified},
        {"verifying", &theme.verifying},
        {"window", &theme.window},
        {"base", &theme.base},
        {"button", &theme.button},
        {"highlight", &theme.highlight},
        {"highlightedText", &theme.highlightedText},
        {"disabledText", &theme.disabledText},
        {"border", &theme.border},
        {"link", &theme.link},
    };
    for (const auto& [key, colour] : colours) *colour = reader.colour(key);
    const QJsonObject syntax = object.value(QLatin1String("syntax")).toObject();
    Reader syntaxReader(syntax, QStringLiteral("syntax."), trouble);
    for (std::size_t i = 0; i < syntaxColourCount; ++i) theme.syntax[i] = syntaxReader.colour(syntaxNames[i]);
    const QJsonArray stripes = object.value(QLatin1String("stripes")).toArray();
    if (stripes.size() != qsizetype(theme.stripes.size()))
        reader.complain(QStringLiteral("stripes: %1 colours are needed, %2 stand here")
                            .arg(theme.stripes.size())
                            .arg(stripes.size()));
    for (qsizetype i = 0; i < std::min(stripes.size(), qsizetype(theme.stripes.size())); ++i)
        theme.stripes[std::size_t(i)] = reader.parsed(stripes[i], QStringLiteral("stripes[%1]").arg(i));
    if (problem) *problem = trouble;
    if (trouble.isEmpty()) theme.name = object.value(QLatin1String("name")).toString();
    return theme;
}

const Theme& lightTheme() {
    static const Theme theme = bundled(QStringLiteral("light"));
    return theme;
}

const Theme& darkTheme() {
    static const Theme theme = bundled(QStringLiteral("dark"));
    return theme;
}

const Theme& contrastLightTheme() {
    static const Theme theme = bundled(QStringLiteral("contrast-light"));
    return theme;
}

const Theme& contrastTheme() {
    static const Theme theme = bundled(QStringLiteral("contrast"));
    return theme;
}

double contrast(const QColor& a, const QColor& b) {
    const double first = luminance(a), second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QPalette Theme::palette() const {
    QPalette result;
    result.setColor(QPalette::Window, window);
    result.setColor(QPalette::WindowText, text);
    result.setColor(QPalette::Base, base);
    result.setColor(QPalette::AlternateBase, renamed);
    result.setColor(QPalette::Text, text);
    result.setColor(QPalette::Button, button);
    result.setColor(QPalette::ButtonText, text);
    result.setColor(QPalette::BrightText, failed);
    result.setColor(QPalette::ToolTipBase, base);
    result.setColor(QPalette::ToolTipText, text);
    result.setColor(QPalette::PlaceholderText, disabledText);
    result.setColor(QPalette::Highlight, highlight);
    result.setColor(QPalette::HighlightedText, highlightedText);
    result.setColor(QPalette::Link, link);
    result.setColor(QPalette::Light, isDark ? button.lighter(130) : Qt::white);
    result.setColor(QPalette::Midlight, isDark ? button.lighter(115) : button.lighter(105));
    result.setColor(QPalette::Mid, border);
    result.setColor(QPalette::Dark, isDark ? window.darker(150) : border.darker(120));
    result.setColor(QPalette::Shadow, isDark ? Qt::black : border.darker(180));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        result.setColor(QPalette::Disabled, role, disabledText);
    return result;
}

} // namespace ptxwb::ui

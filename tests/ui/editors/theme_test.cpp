#include "theme/theme.h"
#include "theme/theme_source.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

using namespace ptxwb::ui;

class ThemeTest : public QObject {
    Q_OBJECT

    struct Shown {
        const Theme& theme;
        double least; ///< contrast of text
    };
    static void themes() {
        QTest::addColumn<int>("which");
        QTest::newRow("light") << 0;
        QTest::newRow("dark") << 1;
        QTest::newRow("high contrast") << 2;
        QTest::newRow("high contrast, light") << 3;
    }
    static Shown shown() {
        QFETCH(int, which);
        if (which >= 2) return {which == 2 ? contrastTheme() : contrastLightTheme(), 7};
        return {which == 1 ? darkTheme() : lightTheme(), 4.5};
    }
    static void atLeast(double least, const QColor& fore, const QColor& back, const QString& what) {
        QVERIFY2(contrast(fore, back) >= least, qPrintable(QStringLiteral("%1: %2 on %3 is %4, %5 is needed")
                                                               .arg(what, fore.name(), back.name())
                                                               .arg(contrast(fore, back))
                                                               .arg(least)));
    }

private slots:
    void syntaxIsLegibleOnEachRow_data() { themes(); }

    void syntaxIsLegibleOnEachRow() {
        const auto& [theme, least] = shown();
        const std::pair<const char*, QColor> rows[] = {
            {"background", theme.background}, {"added", theme.added},         {"removed", theme.removed},
            {"moved", theme.moved},           {"renamed", theme.renamed},     {"filler", theme.filler},
            {"selection", theme.selection},   {"findMatch", theme.findMatch},
        };
        for (const auto& [name, row] : rows)
            for (std::size_t i = 0; i < syntaxColourCount; ++i)
                atLeast(least, theme.syntax[i], row, QStringLiteral("syntax %1 on %2").arg(i).arg(QLatin1String(name)));
        for (const QColor& each : {theme.addedMark, theme.removedMark, theme.movedMark, theme.marginText, theme.error,
                                   theme.warning, theme.note})
            atLeast(least, each, theme.marginBackground, "a mark in the margin");
        for (const QColor& back : {theme.window, theme.base, theme.button, theme.renamed})
            for (const QColor& each : {theme.passed, theme.failed, theme.stale, theme.unverified, theme.verifying,
                                       theme.text, theme.error, theme.warning, theme.note, theme.finding})
                atLeast(least, each, back, "a state or a finding in a panel");
        // What is no text: stripes of the source link, underlines on their rows.
        for (const QColor& stripe : theme.stripes) atLeast(3, stripe, theme.marginBackground, "a stripe");
        atLeast(3, theme.currentLine, theme.background, "the caret's line");
        for (const auto& [mark, row] : {std::pair{theme.addedMark, theme.added},
                                        {theme.removedMark, theme.removed},
                                        {theme.movedMark, theme.moved},
                                        {theme.renamedMark, theme.renamed}})
            atLeast(3, mark, row, "an underline");
    }

    void controlsAreLegible_data() { themes(); }

    /// As the widgets take them: from the palette that is set for the application.
    void controlsAreLegible() {
        const auto& [theme, least] = shown();
        const QPalette palette = theme.palette();
        using P = QPalette;
        const std::pair<P::ColorRole, P::ColorRole> pairs[] = {{P::WindowText, P::Window},
                                                               {P::Text, P::Base},
                                                               {P::Text, P::AlternateBase},
                                                               {P::ButtonText, P::Button},
                                                               {P::ToolTipText, P::ToolTipBase},
                                                               {P::HighlightedText, P::Highlight},
                                                               {P::Link, P::Base},
                                                               {P::Link, P::Window},
                                                               {P::PlaceholderText, P::Base}};
        for (const auto& [fore, back] : pairs)
            atLeast(least, palette.color(fore), palette.color(back),
                    QStringLiteral("role %1 on role %2").arg(int(fore)).arg(int(back)));
        // A selected row must stand out from the others, and what is disabled must still be readable.
        atLeast(3, palette.color(P::Highlight), palette.color(P::Base), "the selected row");
        for (const P::ColorRole back : {P::Window, P::Base, P::Button})
            atLeast(3, palette.color(P::Disabled, P::Text), palette.color(back), "disabled text");
    }

    /// Blue and orange: the kinds of rows differ in more than one way even without red and green.
    void addedAndRemovedAreNeverOneColour_data() { themes(); }

    void addedAndRemovedAreNeverOneColour() {
        const Theme& theme = shown().theme;
        QVERIFY(theme.added.blue() > theme.added.red());
        QVERIFY(theme.removed.red() > theme.removed.blue());
        for (const QColor& row : {theme.added, theme.removed, theme.moved}) QVERIFY(row != theme.background);
    }

    void highContrastKeepsLightAndDark() {
        ThemeSource source;
        source.setChoice(ThemeChoice::dark);
        source.setHighContrast(true);
        QCOMPARE(source.current().name, QString("contrast"));
        source.setChoice(ThemeChoice::light);
        QCOMPARE(source.current().name, QString("contrast-light"));
        QVERIFY(!source.current().isDark);
        source.setHighContrast(false);
        QCOMPARE(source.current().name, QString("light"));
    }

    void contrastIsThatOfTheStandard() {
        QVERIFY(qAbs(contrast(Qt::black, Qt::white) - 21.0) < 1e-9);
        QVERIFY(qAbs(contrast(Qt::white, Qt::white) - 1.0) < 1e-9);
        QVERIFY(qAbs(contrast(QColor("#777777"), Qt::white) - 4.48) < 0.01);
    }

    void aBrokenThemeSaysWhere_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("problem");
        QTest::newRow("no JSON") << QByteArray("{") << "offset 1: unterminated object";
        QTest::newRow("nothing in it") << QByteArray("{}") << "background: this colour is missing";
        QTest::newRow("no colour") << QByteArray("{\"background\": \"bluish\"}")
                                   << "background: \"bluish\" is no colour; write it as \"#RRGGBB\"";
    }

    void aBrokenThemeSaysWhere() {
        QFETCH(QByteArray, json);
        QString problem;
        QVERIFY(readTheme(json, &problem).name.isEmpty());
        QTEST(problem, "problem");
    }

    void followsThePaletteAndTheChoice() {
        ThemeSource source;
        QSignalSpy changed(&source, &ThemeSource::changed);
        QVERIFY(!source.current().isDark);

        QPalette desktop;
        desktop.setColor(QPalette::Window, QColor("#202020"));
        desktop.setColor(QPalette::WindowText, QColor("#EEEEEE"));
        QApplication::setPalette(desktop);
        QTRY_VERIFY(source.current().isDark);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(QApplication::palette().color(QPalette::Window), darkTheme().window);

        source.setChoice(ThemeChoice::light);
        QVERIFY(!source.current().isDark);
        QCOMPARE(QApplication::palette().color(QPalette::Window), lightTheme().window);
        source.setChoice(ThemeChoice::dark);
        QVERIFY(source.current().isDark);
        source.setChoice(ThemeChoice::light);
        source.setChoice(ThemeChoice::system);
        QVERIFY(source.current().isDark);
        QCOMPARE(changed.size(), 5);
        source.setChoice(ThemeChoice::contrast);
        QCOMPARE(source.current().name, "contrast");
        QCOMPARE(QApplication::palette().color(QPalette::Base), contrastTheme().base);
    }
};

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"

#include "theme/theme.h"
#include "theme/theme_source.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

using namespace ptxwb::ui;

class ThemeTest : public QObject {
    Q_OBJECT
private slots:
    void syntaxIsLegibleOnEachRow_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void syntaxIsLegibleOnEachRow() {
        QFETCH(bool, dark);
        const Theme& theme = dark ? darkTheme() : lightTheme();
        QCOMPARE(theme.isDark, dark);
        const std::pair<const char*, QColor> rows[] = {
            {"background", theme.background}, {"added", theme.added},         {"removed", theme.removed},
            {"moved", theme.moved},           {"renamed", theme.renamed},     {"filler", theme.filler},
            {"selection", theme.selection},   {"findMatch", theme.findMatch},
        };
        for (const auto& [name, row] : rows)
            for (std::size_t i = 0; i < syntaxColourCount; ++i)
                QVERIFY2(contrast(theme.syntax[i], row) >= 4.5, qPrintable(QStringLiteral("syntax %1 on %2: %3")
                                                                               .arg(i)
                                                                               .arg(QLatin1String(name))
                                                                               .arg(contrast(theme.syntax[i], row))));
        for (const QColor& each : {theme.addedMark, theme.removedMark, theme.movedMark, theme.marginText, theme.error,
                                   theme.warning, theme.note})
            QVERIFY(contrast(each, theme.marginBackground) >= 4.5);
        for (const QColor& each :
             {theme.passed, theme.failed, theme.stale, theme.unverified, theme.verifying, theme.text})
            QVERIFY(contrast(each, theme.window) >= 4.5);
        QVERIFY(contrast(theme.highlightedText, theme.highlight) >= 4.5);
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
    }
};

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"

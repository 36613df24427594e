// Text that a person reads goes through tr, so that translations can follow: looked for in the sources of the window.
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace {

/// Literals with at least two words that no tr takes. Markup, and what only a developer reads, is none.
QStringList untranslated(const QString& file, const QString& text) {
    static const QRegularExpression literal(QStringLiteral(
        R"re((QStringLiteral|QLatin1String|QString|fromUtf8)\("((?:[^"\\]|\\.)*[A-Za-z]{3,} [a-z]{2,}(?:[^"\\]|\\.)*)")re"));
    static const QRegularExpression setter(QStringLiteral(
        R"re((setText|setToolTip|setWindowTitle|setAccessibleName|setStatusTip|setPlaceholderText|addTab|addAction)\("[^"]*[A-Za-z]{2,})re"));
    QStringList found;
    const QStringList lines = text.split('\n');
    for (int i = 0; i < lines.size(); ++i) {
        const auto match = literal.match(lines[i]);
        const bool isMarkup = match.captured(2).startsWith('<') || match.captured(2).startsWith("text-");
        if ((match.hasMatch() && !isMarkup) || setter.match(lines[i]).hasMatch())
            found += QStringLiteral("%1:%2: %3").arg(file).arg(i + 1).arg(lines[i].trimmed());
    }
    return found;
}

} // namespace

class TranslationTest : public QObject {
    Q_OBJECT

private slots:
    void aBareTextIsNoticed() {
        QCOMPARE(untranslated("a.cpp", "label->setText(QStringLiteral(\"nothing was found\"));").size(), 1);
        QCOMPARE(untranslated("a.cpp", "label->setToolTip(\"Next\");").size(), 1);
        QCOMPARE(untranslated("a.cpp", "label->setText(tr(\"nothing was found\"));").size(), 0);
        QCOMPARE(untranslated("a.cpp", "QStringLiteral(\"<td>is markup\")").size(), 0);
        QCOMPARE(untranslated("a.cpp", "QStringLiteral(\"windowState\")").size(), 0);
    }

    void everyTextGoesThroughTr() {
        QStringList found;
        int files = 0;
        QDirIterator sources(PTXWB_SOURCE_DIR "/ui", {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
        while (sources.hasNext()) {
            const QString path = sources.next();
            if (path.endsWith("/theme/theme.cpp")) continue; // what is wrong with a theme of ours, for us
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            found += untranslated(path.section('/', -2), QString::fromUtf8(file.readAll()));
            ++files;
        }
        QVERIFY(files > 100);
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }
};

QTEST_APPLESS_MAIN(TranslationTest)
#include "translation_test.moc"

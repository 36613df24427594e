#include "editors/long_lines.h"
#include "editors/ptx_styles.h"

#include <QFile>
#include <QTest>

using namespace ptxwb::ui;

namespace {

constexpr char letters[] = "tcdomyrslnqpbh"; // in the order of PtxStyle

/// A line of letters below each line, a dot for each blank. tests/data/ui/styles.ptx explains them.
QByteArray spelled(std::string_view text, std::string_view styles) {
    QByteArray result;
    for (std::size_t i = 0; i < text.size(); ++i)
        result += text[i] == '\n'                     ? '\n'
                  : text[i] == ' ' || text[i] == '\t' ? '.'
                                                      : letters[static_cast<int>(styles[i])];
    return result;
}

std::string_view view(const QByteArray& bytes) {
    return {bytes.constData(), std::size_t(bytes.size())};
}

} // namespace

class PtxStylesTest : public QObject {
    Q_OBJECT
    QByteArray m_text, m_wanted;
private slots:
    void initTestCase() {
        QFile file(QStringLiteral(PTXWB_SOURCE_DIR "/tests/data/ui/styles.ptx"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        for (const QByteArray& line : file.readAll().split('\n')) {
            if (line.startsWith("#:")) continue;
            if (line.startsWith("#>"))
                m_wanted += line.mid(2) + '\n';
            else if (!line.isEmpty())
                m_text += line + '\n';
        }
    }

    void everyKindOfToken() {
        const PtxStyles styled = stylePtx(view(m_text), 0);
        QCOMPARE(qsizetype(styled.styles.size()), m_text.size());
        QCOMPARE(qsizetype(styled.lineStates.size()), m_text.count('\n'));
        const QList<QByteArray> got = spelled(view(m_text), styled.styles).split('\n'), wanted = m_wanted.split('\n');
        const QList<QByteArray> lines = m_text.split('\n');
        QByteArray unlike;
        for (qsizetype i = 0; i < lines.size(); ++i)
            if (got[i] != wanted.value(i))
                unlike += "\n" + lines[i] + "\n" + got[i] + " got\n" + wanted.value(i) + " wanted";
        QVERIFY2(unlike.isEmpty(), unlike.constData());
    }

    /// An editor asks for a few lines at a time: the answer must not depend on where it starts.
    void anyLineCanBeTheFirst() {
        const PtxStyles whole = stylePtx(view(m_text), 0);
        qsizetype start = 0;
        for (std::size_t line = 0; line < whole.lineStates.size(); ++line) {
            const qsizetype next = m_text.indexOf('\n', start) + 1;
            const PtxLineState before = line == 0 ? PtxLineState{} : whole.lineStates[line - 1];
            const PtxStyles rest = stylePtx(view(m_text).substr(std::size_t(start)), before);
            const QByteArray got = spelled(view(m_text).substr(std::size_t(start)), rest.styles);
            const QByteArray wanted = spelled(view(m_text).substr(std::size_t(start)),
                                              std::string_view(whole.styles).substr(std::size_t(start)));
            QCOMPARE(got, wanted);
            start = next;
        }
    }

    void longLinesStayPlain() {
        const QByteArray longLine = "// " + QByteArray(longLineBytes, 'x') + "\n";
        const QByteArray text = "ret;\n" + longLine + "ret;\n";
        const PtxStyles styled = stylePtx(view(text), 0);
        QCOMPARE(styled.styles.substr(0, 3), std::string(3, char(PtxStyle::opcode)));
        QCOMPARE(styled.styles[10], char(PtxStyle::text));
        QCOMPARE(styled.styles[text.size() - 4], char(PtxStyle::opcode));
        QCOMPARE(styled.lineStates.size(), 3u);
    }

    void shortenedLinesAreProtected() {
        LongLines lines;
        const QByteArray text = lines.shorten("ret;\n// " + QByteArray(9000, 'x') + "\nret;\n");
        const PtxStyles styled = stylePtx(view(text), 0);
        QCOMPARE(styled.styles[100], char(PtxStyle::shortened));
        QCOMPARE(styled.styles[0], char(PtxStyle::opcode));
    }

    void rubbishHasOneStyleAByte() {
        QByteArray rubbish;
        std::uint32_t seed = 1;
        for (int i = 0; i < 20'000; ++i) {
            seed = seed * 1664525u + 1013904223u;
            rubbish += "\n/*\"@.%$;{}a0 \xff\0"[(seed >> 12) % 17];
        }
        const PtxStyles styled = stylePtx(view(rubbish), 0);
        QCOMPARE(qsizetype(styled.styles.size()), rubbish.size());
        QCOMPARE(qsizetype(styled.lineStates.size()), rubbish.count('\n'));
    }
};

QTEST_APPLESS_MAIN(PtxStylesTest)
#include "ptx_styles_test.moc"

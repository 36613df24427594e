// Single changes of a proposal: together they are the proposal, and each is where it says.
#include "models/text_changes.h"

#include <QFile>
#include <QTest>

#include <random>

using namespace ptxwb::ui;

namespace {

QByteArray example(const char* name) {
    QFile file(QStringLiteral(PTXWB_SOURCE_DIR "/resources/examples/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Byte offset of a line.
qsizetype offsetOf(const QByteArray& text, int line) {
    qsizetype at = 0;
    for (int i = 1; i < line; ++i) {
        const qsizetype end = text.indexOf('\n', at);
        if (end < 0) return text.size();
        at = end + 1;
    }
    return at;
}

QByteArray applied(QByteArray text, const TextChange& change) {
    const qsizetype from = offsetOf(text, change.first), to = offsetOf(text, change.first + change.count);
    return text.replace(from, to - from, change.lines);
}

void mustBecome(const QByteArray& from, const QByteArray& to) {
    const auto changes = textChanges(from, to);
    QByteArray text = from;
    for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
        const qsizetype at = offsetOf(from, change->first);
        QCOMPARE(from.mid(at, offsetOf(from, change->first + change->count) - at), change->replaced);
        QVERIFY(change->replaced != change->lines);
        text = applied(text, *change);
    }
    QCOMPARE(text, to);
}

} // namespace

class TextChangesTest : public QObject {
    Q_OBJECT

private slots:
    void bundledCandidates_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        const char* names[] = {"saxpy/saxpy.sm_90.ptx", "saxpy/candidates/vectorized.ptx",
                               "saxpy/candidates/unmasked_tail.ptx", "saxpy/candidates/misaligned_vector.ptx"};
        for (const char* from : names)
            for (const char* to : names) QTest::addRow("%s to %s", from, to) << QString(from) << QString(to);
    }
    void bundledCandidates() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        const QByteArray a = example(from.toUtf8()), b = example(to.toUtf8());
        QVERIFY(!a.isEmpty() && !b.isEmpty());
        mustBecome(a, b);
        QCOMPARE(textChanges(a, b).empty(), a == b);
    }

    void edges() {
        const QByteArray kernel = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n";
        for (const QByteArray& other :
             {QByteArray(), QByteArray("x"), QByteArray("\n"), kernel.chopped(1), kernel + "\n",
              "//@ launch {}\n" + kernel, kernel + "// end", QByteArray(kernel).replace("\n", "\r\n")}) {
            mustBecome(kernel, other);
            mustBecome(other, kernel);
        }
    }

    void aCommentThatLaunchesIsAChange() {
        const QByteArray kernel = example("saxpy/saxpy.sm_90.ptx");
        const auto changes = textChanges(kernel, "//@ launch {\"grid\": [1, 1, 1], \"block\": [32, 1, 1]}\n" + kernel);
        QCOMPARE(changes.size(), std::size_t{1});
        QCOMPARE(changes[0].first, 1);
        QCOMPARE(changes[0].count, 0);
        QCOMPARE(describe(changes[0]), QString("line 1: 1 more"));
    }

    void twoPlacesAreTwoChanges() {
        QByteArray kernel = example("saxpy/saxpy.sm_90.ptx"), other = kernel;
        const qsizetype load = other.indexOf("\tld.global"), store = other.indexOf("\tst.global");
        QVERIFY(load > 0 && store > load);
        other.insert(store, "\tmembar.gl;\n");
        other.insert(load, "\tmembar.cta;\n");
        const auto changes = textChanges(kernel, other);
        QCOMPARE(changes.size(), std::size_t{2});
        QCOMPARE(changes[0].lines, QByteArray("\tmembar.cta;\n"));
        QCOMPARE(changes[1].lines, QByteArray("\tmembar.gl;\n"));
        QCOMPARE(changes[0].kernel, QString("saxpy"));
        // One of the two alone.
        QVERIFY(applied(kernel, changes[1]).contains("membar.gl") &&
                !applied(kernel, changes[1]).contains("membar.cta"));
    }

    void randomEdits() {
        std::mt19937 random(5);
        const QByteArray kernel = example("saxpy/candidates/vectorized.ptx");
        for (int round = 0; round < 60; ++round) {
            QList<QByteArray> lines = kernel.split('\n');
            for (int edit = 0; edit < 6; ++edit) {
                const auto at = qsizetype(random() % std::size_t(lines.size()));
                switch (random() % 4) {
                case 0: lines.removeAt(at); break;
                case 1: lines.insert(at, "\tadd.s32 %r1, %r1, 1;"); break;
                case 2: lines.swapItemsAt(at, qsizetype(random() % std::size_t(lines.size()))); break;
                default: lines[at] += " // edited"; break;
                }
            }
            mustBecome(kernel, lines.join('\n'));
        }
    }
};

QTEST_APPLESS_MAIN(TextChangesTest)
#include "text_changes_test.moc"

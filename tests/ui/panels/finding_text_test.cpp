#include "panels/finding_text.h"

#include <QRegularExpression>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::ui;

namespace {

Finding race() {
    Finding finding;
    finding.kind = FindingKind::race;
    finding.check = "shared_race";
    finding.message = "two threads write <tile>";
    finding.hint = "put a bar.sync between the two";
    finding.line = 41;
    finding.column = 2;
    finding.cuda = CudaPlace{"a b&c=d\".cu", 12};
    finding.block = Index3{1, 0, 0};
    finding.thread = Index3{31, 0, 0};
    finding.related.push_back({55, 0, Index3{1, 0, 0}, Index3{32, 0, 0}, "write", ""});
    return finding;
}

Finding mismatch() {
    Finding finding;
    finding.kind = FindingKind::mismatch;
    finding.message = "y differs";
    finding.argument = "y";
    finding.index = {3, 7};
    finding.expected = 0.1;
    finding.got = 0.1f;
    finding.set = {{"m", 2}, {"n", 33}};
    finding.fill = "cancelling";
    finding.seed = 7;
    finding.occurrences = 12;
    return finding;
}

std::vector<FindingLink> links(const QString& html) {
    static const QRegularExpression anchor(QStringLiteral("href=\"([^\"]*)\""));
    std::vector<FindingLink> found;
    for (auto match = anchor.globalMatch(html); match.hasNext();)
        if (const auto link = findingLink(QUrl(match.next().captured(1).replace("&amp;", "&")))) found.push_back(*link);
    return found;
}

} // namespace

class FindingTextTest : public QObject {
    Q_OBJECT

private slots:
    void saysAllThatIsKnown() {
        QCOMPARE(findingText(race()), QString("race: two threads write <tile>\n"
                                              "hint: put a bar.sync between the two\n"
                                              "PTX: line 41, column 2\n"
                                              "CUDA: a b&c=d\".cu:12\n"
                                              "Other side: line 55, write, block (1, 0, 0), thread (32, 0, 0)\n"
                                              "Block: (1, 0, 0)\n"
                                              "Thread: (31, 0, 0)\n"
                                              "Check: shared_race\n"));
        QCOMPARE(findingText(mismatch()), QString("mismatch: y differs\n"
                                                  "Element: y[3, 7]\n"
                                                  "Expected: 0.1\n"
                                                  "Actual: 0.10000000149011612\n"
                                                  "Sizes: m = 2, n = 33\n"
                                                  "Fill: cancelling\n"
                                                  "Seed: 7\n"
                                                  "Found: 12 times\n"));
    }

    void linksLeadToBothSides() {
        const auto found = links(findingHtml(race()));
        QCOMPARE(found.size(), 3u);
        QCOMPARE(found[0].line, 41);
        QCOMPARE(found[0].column, 2);
        QVERIFY(found[0].cudaFile.isEmpty());
        QCOMPARE(found[1].cudaFile, QString("a b&c=d\".cu"));
        QCOMPARE(found[1].line, 12);
        QCOMPARE(found[2].line, 55);
        QCOMPARE(found[2].column, 0);
        QVERIFY(links(findingHtml(mismatch())).empty());
    }

    void messagesAreNoHtml() {
        QVERIFY(findingHtml(race()).contains("&lt;tile&gt;"));
        QVERIFY(!findingHtml(race()).contains("<tile>"));
    }

    void foreignLinksLeadNowhere() {
        QVERIFY(!findingLink(QUrl("https://example.org/?line=3")));
        QVERIFY(!findingLink(QUrl("ptx:?line=0")));
        QVERIFY(!findingLink(QUrl("ptx:?line=x")));
    }
};

QTEST_APPLESS_MAIN(FindingTextTest)
#include "finding_text_test.moc"

#include "review/anchor.h"

#include <QTest>
#include <fmt/format.h>
#include <random>

using namespace ptxwb;
using namespace ptxwb::review;

namespace {

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text;
}

const std::vector<std::string> body{"\tld.param.u64 \t%rd1, [saxpy_param_2];",
                                    "\tmov.u32 \t%r3, %ctaid.x;",
                                    "\tmov.u32 \t%r4, %ntid.x;",
                                    "\tmov.u32 \t%r5, %tid.x;",
                                    "\tmad.lo.s32 \t%r1, %r3, %r4, %r5;",
                                    "\tsetp.ge.s32 \t%p1, %r1, %r2;",
                                    "\t@%p1 bra \t$L__BB0_2;",
                                    "",
                                    "\tld.global.f32 \t%f2, [%rd5];",
                                    "\tfma.rn.f32 \t%f4, %f2, %f1, %f3;",
                                    "\tst.global.f32 \t[%rd6], %f4;",
                                    "",
                                    "$L__BB0_2:",
                                    "\tret;",
                                    "}"};

session::Anchor anchorOf(const std::vector<std::string>& lines, std::uint32_t line, std::uint32_t count = 1) {
    const std::string text = joined(lines);
    return anchorAt(TextLines(text), line, count);
}

Found locateIn(const session::Anchor& anchor, std::uint32_t last, const std::vector<std::string>& lines) {
    const std::string text = joined(lines);
    return locate(anchor, last, TextLines(text));
}

} // namespace

class AnchorTest : public QObject {
    Q_OBJECT

private slots:
    void linesOfATextWithAnyEnds() {
        const std::string text = "a\r\nb\n\nc";
        const TextLines lines(text);
        QCOMPARE(lines.count(), 4u);
        QCOMPARE(lines.at(1), std::string_view("a"));
        QCOMPARE(lines.at(3), std::string_view(""));
        QCOMPARE(lines.of("c"), std::vector<std::uint32_t>{4});
        QVERIFY(lines.of("d").empty());
        QCOMPARE(TextLines("").count(), 0u);
    }

    void anAnchorIsClippedToTheText() {
        const session::Anchor anchor = anchorOf(body, 14, 9);
        QCOMPARE(anchor.lines, (std::vector<std::string>{"\tret;", "}"}));
        QVERIFY(anchor.after.empty());
        QCOMPARE(anchor.before.size(), 3u);
        QVERIFY(anchorAt(TextLines(""), 3, 1).lines.empty());
    }

    /// Wherever lines are put in or taken out elsewhere, every line is found again.
    void everyLineSurvivesEditsElsewhere() {
        std::mt19937 random(7);
        for (int round = 0; round < 300; ++round) {
            const auto line = static_cast<std::uint32_t>(random() % body.size() + 1);
            if (body[line - 1].find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos) continue;
            const session::Anchor anchor = anchorOf(body, line);
            std::vector<std::string> edited = body;
            std::size_t now = line - 1;
            for (int edit = 0; edit < 4; ++edit) {
                const std::size_t at = random() % (edited.size() + 1);
                // Its own line and one neighbour on each side stay.
                if (at + 1 >= now && at <= now + 1) continue;
                if (random() % 2 == 0 || at >= edited.size()) {
                    edited.insert(edited.begin() + static_cast<std::ptrdiff_t>(at),
                                  fmt::format("\tadd.s32 \t%r{0}, %r{0}, {1};", 20 + edit, round));
                    now += at <= now;
                } else {
                    edited.erase(edited.begin() + static_cast<std::ptrdiff_t>(at));
                    now -= at < now;
                }
            }
            const Found found = locateIn(anchor, line, edited);
            QVERIFY2(
                found.line == now + 1 && found.fit == Fit::same,
                qPrintable(
                    QString("round %1: line %2 is %3, found %4").arg(round).arg(line).arg(now + 1).arg(found.line)));
        }
    }

    void anEditedLineIsFoundByItsNeighbours() {
        const session::Anchor anchor = anchorOf(body, 9);
        std::vector<std::string> edited = body;
        edited[8] = "\tld.global.nc.f32 \t%f2, [%rd5+4];";
        edited.insert(edited.begin(), "// new");
        const Found found = locateIn(anchor, 9, edited);
        QCOMPARE(found.line, 10u);
        QCOMPARE(found.fit, Fit::edited);
        // Even where it has nothing in common with what it was, it is what stands between the two.
        edited[9] = "\tcall.uni _Z1fv, ();";
        edited[8] = "\tmov.b32 \t%r9, 0;";
        QCOMPARE(locateIn(anchorOf(body, 6), 6,
                          [] {
                              auto other = body;
                              other[5] = "\tcall.uni f, ();";
                              return other;
                          }())
                     .line,
                 6u);
    }

    void aDeletedLineIsLost() {
        const session::Anchor anchor = anchorOf(body, 10);
        std::vector<std::string> edited = body;
        edited.erase(edited.begin() + 9);
        const Found found = locateIn(anchor, 10, edited);
        QCOMPARE(found.fit, Fit::lost);
        QCOMPARE(found.line, 0u);
        // And comes back with an undo.
        QCOMPARE(locateIn(anchor, 10, body).line, 10u);
    }

    /// A line that stands in many places is not found in another kernel.
    void aCommonLineIsNotTakenForAnother() {
        std::vector<std::string> two = body;
        for (const std::string& line : body) two.push_back(line.starts_with("$L") ? "$L__BB1_2:" : line + " ");
        two[two.size() - 2] = "\tret;"; // of the second kernel, as in the first
        const session::Anchor anchor = anchorOf(two, 14);
        std::vector<std::string> edited = two;
        edited.erase(edited.begin() + 9, edited.begin() + 15); // the first kernel's end is gone
        QCOMPARE(locateIn(anchor, 14, edited).fit, Fit::lost);
        QCOMPARE(locateIn(anchor, 14, two).line, 14u);
    }

    void ofEqualPlacesTheNearest() {
        std::vector<std::string> twice = body;
        twice.insert(twice.end(), body.begin(), body.end());
        for (const std::uint32_t line : {5u, 20u}) {
            const session::Anchor anchor = anchorOf(twice, line);
            QCOMPARE(locateIn(anchor, line, twice).line, line);
        }
    }

    void aHunkGrowsWithWhatIsPutInto() {
        const session::Anchor anchor = anchorOf(body, 9, 3);
        std::vector<std::string> edited = body;
        edited.insert(edited.begin() + 9, "\tld.global.f32 \t%f3, [%rd6];");
        edited.insert(edited.begin(), {"// a", "// b"});
        const Found found = locateIn(anchor, 9, edited);
        QCOMPARE(found.line, 11u);
        QCOMPARE(found.lineCount, 4u);
        QCOMPARE(found.fit, Fit::edited);
        const Found same = locateIn(anchor, 9, body);
        QCOMPARE(same.line, 9u);
        QCOMPARE(same.lineCount, 3u);
        QCOMPARE(same.fit, Fit::same);
    }

    void anythingIsSurvived() {
        std::mt19937 random(11);
        for (int round = 0; round < 500; ++round) {
            std::vector<std::string> a, b;
            for (auto i = random() % 12; i > 0; --i) a.push_back(std::string(random() % 3, 'x'));
            for (auto i = random() % 12; i > 0; --i) b.push_back(std::string(random() % 3, 'x'));
            const session::Anchor anchor =
                anchorOf(a, static_cast<std::uint32_t>(random() % 14 + 1), static_cast<std::uint32_t>(random() % 5));
            const Found found = locateIn(anchor, static_cast<std::uint32_t>(random() % 20), b);
            QCOMPARE(found.line == 0, found.fit == Fit::lost);
            if (found.line != 0) QVERIFY(found.line + found.lineCount - 1 <= b.size() && found.lineCount > 0);
        }
    }
};

QTEST_APPLESS_MAIN(AnchorTest)
#include "anchor_test.moc"

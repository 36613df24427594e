// Replies of every shape to candidates or to reasons. Each file of tests/data/llm/replies holds a reply and, in the
// lines that begin with '#', what is read from it; PTXWB_UPDATE=1 writes these lines anew.
#include "llm/reply.h"
#include "llm/reply_blocks.h"
#include "llm/reply_patch.h"
#include "ptx/parse.h"
#include "support/files.h"
#include "support/sha256.h"

#include <QDir>
#include <QtTest>
#include <fmt/format.h>
#include <random>

using namespace ptxwb;
using namespace ptxwb::llm;

namespace {

const std::string folder = PTXWB_SOURCE_DIR "/tests/data/llm/";

ReplyContext context() {
    return {readFile(folder + "scale.ptx").value(), "scale", 2, 16};
}

std::string visible(std::string_view text) {
    std::string out;
    for (const char c : text)
        out += c == '\n'                              ? "\\n"
               : static_cast<unsigned char>(c) < 0x20 ? fmt::format("\\x{:02x}", c)
                                                      : std::string(1, c);
    return out;
}

/// What was read, in lines that a person can review.
std::string told(const Reading& reading) {
    std::string text;
    for (const ReplyCandidate& candidate : reading.candidates) {
        const auto module = ptx::parse(candidate.ptx);
        text += fmt::format("# candidate at line {}: {} lines, {}, sha256 {}{}\n", candidate.line,
                            linesOf(candidate.ptx).size(), module->hasErrors() ? "has errors" : "parses",
                            sha256Hex(candidate.ptx).substr(0, 12),
                            candidate.title.empty() ? "" : ", title: " + visible(candidate.title));
        for (const std::string_view line : linesOf(candidate.ptx))
            if (line.starts_with("//@")) text += fmt::format("#   {}\n", visible(line));
        for (const std::string& note : candidate.notes) text += fmt::format("#   note: {}\n", visible(note));
    }
    for (const std::string& cuda : reading.cuda) text += fmt::format("# CUDA: {} lines\n", linesOf(cuda).size());
    for (const Diagnostic& problem : reading.problems)
        text +=
            fmt::format("# problem at line {}: {} | {}\n", problem.place.line, visible(problem.message), problem.hint);
    return text;
}

} // namespace

class ReplyTest : public QObject {
    Q_OBJECT

private slots:
    void stories_data() {
        QTest::addColumn<QString>("file");
        const QStringList files = QDir(QString::fromStdString(folder + "replies")).entryList({"*.txt"});
        QVERIFY(files.size() > 35);
        for (const QString& file : files) QTest::newRow(qPrintable(file)) << file;
    }
    void stories() {
        QFETCH(QString, file);
        const std::string path = folder + "replies/" + file.toStdString();
        const std::string all = readFile(path).value();
        const std::string mark = all.find("# ---\r\n") != std::string::npos ? "# ---\r\n" : "# ---\n";
        const auto end = all.find(mark);
        QVERIFY(end != std::string::npos);
        std::string top = all.substr(0, end);
        std::erase(top, '\r');
        const std::string reply = all.substr(end + mark.size());
        const auto at = top.find("# finish: ");
        const auto lineEnd = top.find('\n', at);
        const auto why = finish(std::string_view(top).substr(at + 10, lineEnd - at - 10));
        QVERIFY(why.has_value());
        const Reading reading = readReply(reply, *why, context());
        // Never empty-handed without a reason.
        QVERIFY(!reading.candidates.empty() || !reading.problems.empty());
        const std::string expected = top.substr(lineEnd + 1), got = told(reading);
        if (qEnvironmentVariableIsSet("PTXWB_UPDATE")) {
            writeFileAtomically(path, top.substr(0, lineEnd + 1) + got + mark + reply).value();
            return;
        }
        QCOMPARE(QString::fromStdString(got), QString::fromStdString(expected));
    }

    /// Cut after any byte: a candidate is only ever a whole file, and there is always a reason where there is none.
    void cutAnywhere() {
        const std::string ptx = readFile(folder + "scale.ptx").value();
        std::string changed = ptx;
        changed.replace(changed.find("add.f32"), 7, "mul.f32");
        const std::string reply = "Here:\n```ptx\n" + changed + "```\nDone.\n";
        for (std::size_t cut = 0; cut <= reply.size(); ++cut) {
            const Reading reading =
                readReply(reply.substr(0, cut), cut == reply.size() ? Finish::complete : Finish::length, context());
            QVERIFY(!reading.candidates.empty() || !reading.problems.empty());
            for (const ReplyCandidate& candidate : reading.candidates)
                QCOMPARE(QString::fromStdString(std::string(trimmed(candidate.ptx))),
                         QString::fromStdString(std::string(trimmed(changed))));
            if (cut >= reply.find("}\n```") + 1) QCOMPARE(reading.candidates.size(), std::size_t{1});
        }
    }

    /// Bytes of every story changed at random: whatever comes, no crash, and never nothing without a reason.
    void damaged() {
        std::mt19937_64 random(5);
        const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
        const std::string marks = "`~{}<>&;/*\"\n\r@-+ .%";
        for (const QString& file : QDir(QString::fromStdString(folder + "replies")).entryList({"*.txt"})) {
            const std::string reply = readFile(folder + "replies/" + file.toStdString()).value();
            for (int round = 0; round < 40; ++round) {
                std::string text = reply;
                for (std::size_t change = 0; change < 1 + below(6); ++change) {
                    const std::size_t at = below(text.size() + 1);
                    if (below(3) == 0)
                        text.erase(at, below(40));
                    else
                        text.insert(at, 1, below(4) == 0 ? static_cast<char>(random()) : marks[below(marks.size())]);
                }
                const Reading reading = readReply(text, Finish::complete, context());
                QVERIFY(!reading.candidates.empty() || !reading.problems.empty());
                for (const ReplyCandidate& candidate : reading.candidates)
                    QVERIFY(candidate.ptx.find("//@ origin") == std::string::npos && candidate.title.size() <= 120);
            }
        }
    }

    void noBaseNoEntry() {
        const std::string ptx = readFile(folder + "scale.ptx").value();
        const Reading any = readReply("```\n" + ptx + "```\n", Finish::complete, {});
        QCOMPARE(any.candidates.size(), std::size_t{1});
        const Reading diff = readReply("```\n@@ -1 +1 @@\n-a\n+b\n```\n", Finish::complete, {});
        QVERIFY(diff.candidates.empty());
        QVERIFY(diff.problems.front().message.find("no file that it could belong to") != std::string::npos);
    }

    void manyCandidates() {
        std::string reply;
        for (int i = 0; i < 5; ++i) {
            std::string ptx = readFile(folder + "scale.ptx").value();
            ptx.replace(ptx.find("add.f32"), 0, fmt::format("// {}\n\t", i));
            reply += "```\n" + ptx + "```\n";
        }
        ReplyContext few = context();
        few.limit = 3;
        const Reading reading = readReply(reply, Finish::complete, few);
        QCOMPARE(reading.candidates.size(), std::size_t{3});
        QCOMPARE(reading.problems.size(), std::size_t{2});
    }

    void diffs() {
        const std::string base = "a\nx\nb\nx\nc\n";
        QCOMPARE(applyDiff(base, "@@ -4 +4 @@\n-x\n+y\n")->text, std::string("a\nx\nb\ny\nc\n"));
        QCOMPARE(applyDiff(base, "@@ -1 +1 @@\n-x\n+y\n")->text, std::string("a\ny\nb\nx\nc\n"));
        QVERIFY(applyDiff(base, "@@ @@\n-x\n+y\n").error().message.find("fits in 2 places") != std::string::npos);
        QCOMPARE(applyDiff(base, "@@ -1,0 +1,2 @@\n+n\n+m\n")->text, std::string("a\nn\nm\nx\nb\nx\nc\n"));
        // The second hunk is counted from before the first.
        QCOMPARE(applyDiff(base, "@@ -2 +2,3 @@\n-x\n+1\n+2\n+3\n@@ -4 +6 @@\n-x\n+y\n")->text,
                 std::string("a\n1\n2\n3\nb\ny\nc\n"));
        QVERIFY(applyDiff(base, "--- a\n+++ b\n@@ -1 +1 @@\n-a\n+z\n--- c\n+++ d\n@@ -1 +1 @@\n-a\n+z\n")
                    .error()
                    .message.find("several files") != std::string::npos);
        QVERIFY(applyDiff(base, "<<<<<<< SEARCH\na\n=======\nz\n").error().message.find("not closed") !=
                std::string::npos);
        QVERIFY(applyDiff(base, "nothing").error().message.find("no hunk") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(ReplyTest)
#include "reply_test.moc"

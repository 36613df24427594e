// The Markdown report: complete, and nothing in it but text.
#include "report/markdown.h"
#include "reports.h"

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

std::string textOf(const session::Session& session) {
    return report::toMarkdown(report::makeReport(session, "0.1.0"));
}

/// What stands outside of fenced blocks and code spans: what GitHub would read as markup.
std::string outsideOfCode(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] != '`') {
            out += text[i++];
            continue;
        }
        std::size_t ticks = 0;
        while (i + ticks < text.size() && text[i + ticks] == '`') ++ticks;
        // The next run of the same length ends it; in a fence it must begin a line.
        std::size_t end = i + ticks;
        for (;;) {
            end = text.find('`', end);
            if (end == std::string::npos) return out + "UNCLOSED";
            std::size_t run = 0;
            while (end + run < text.size() && text[end + run] == '`') ++run;
            end += run;
            if (run == ticks) break;
        }
        i = end;
    }
    return out;
}

} // namespace

class MarkdownTest : public QObject {
    Q_OBJECT

private slots:
    void completeForRecordedResults() {
        const session::Session session = recorded("reduce");
        const std::string text = textOf(session);
        for (const session::Candidate& candidate : session.candidates) {
            QVERIFY(text.find("## `" + candidate.name + "`") != std::string::npos);
            QVERIFY(text.find(sha256Hex(candidate.text)) != std::string::npos);
        }
        for (const char* part : {"NVIDIA H200", "13.0.88", "## How to replay", "ptxwb verify reduce", "@@ ",
                                 "registers", "occupancy on", "samples"})
            QVERIFY2(text.find(part) != std::string::npos, part);
        QVERIFY(textOf(session) == text);
        QVERIFY(outsideOfCode(text).find("UNCLOSED") == std::string::npos);
    }

    void hostileTextsStayCode() {
        const std::string outside = outsideOfCode(textOf(hostileSession()));
        for (const char* part : {"UNCLOSED", "<script", "@someone", "http://x", "](", "onload"})
            QVERIFY2(outside.find(part) == std::string::npos, part);
        // A table's row has as many cells as its head, whatever is in them.
        QVERIFY(outside.find("| not judged |") == std::string::npos);
    }

    void withoutResults() {
        QVERIFY(textOf(example("saxpy")).find("It was not judged.") != std::string::npos);
        QVERIFY(textOf(session::Session{}).find("no kernel spec") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(MarkdownTest)
#include "markdown_test.moc"

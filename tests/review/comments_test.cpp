#include "reviewed.h"

using namespace ptxwb;
using namespace ptxwb::review;
using namespace ptxwb::test;

class CommentsTest : public QObject {
    Q_OBJECT

private slots:
    void aThreadFromWritingToResolving() {
        session::Session session = example("saxpy");
        const std::string candidate = named(session, "vectorized").id;
        const std::string id = need(addComment(session, {candidate, 12, 2, "why a fallback?", grace, "2026-12-01"}));
        QCOMPARE(id, std::string("k1"));
        QCOMPARE(need(addComment(session, {candidate, 3, 1, "and here", grace, {}})), std::string("k2"));
        const auto open = openComments(session.review, candidate);
        QCOMPARE(open.size(), 2u);
        QCOMPARE(open[0]->id, std::string("k2")); // in order of lines
        QCOMPARE(place(*open[1]), std::string("lines 12-13"));
        QCOMPARE(open[1]->quote.size(), 2u);
        QVERIFY(answer(session.review, id, {"for the tail", ada, {}}));
        QVERIFY(!answer(session.review, id, {"  \n", ada, {}}));
        QVERIFY(!answer(session.review, "k9", {"x", ada, {}}));
        QVERIFY(!session.review.comments[0].replies[0].time.empty());
        QVERIFY(setResolved(session.review, id, true, grace));
        QCOMPARE(session.review.comments[0].resolvedBy, grace);
        QCOMPARE(openComments(session.review, candidate).size(), 1u);
        QVERIFY(setResolved(session.review, id, false, grace));
        QVERIFY(session.review.comments[0].resolvedBy.empty());
        QVERIFY(removeComment(session.review, "k1"));
        QVERIFY(!removeComment(session.review, "k1"));
        QVERIFY(!removeComment(session.review, ""));
        // An id is not given again while a later one is there.
        QCOMPARE(need(addComment(session, {candidate, 3, 1, "again", grace, {}})), std::string("k3"));
    }

    void whatCannotBeCommentedOn() {
        session::Session session = example("saxpy");
        const std::string candidate = named(session, "vectorized").id;
        QCOMPARE(addComment(session, {"c99", 1, 1, "x", grace, {}}).error().message,
                 std::string("there is no such candidate to comment on"));
        QCOMPARE(addComment(session, {candidate, 1, 1, " \n", grace, {}}).error().message,
                 std::string("the comment has no words"));
        QVERIFY(addComment(session, {candidate, 0, 1, "x", grace, {}}).error().message.ends_with("there is no line 0"));
        QVERIFY(!addComment(session, {candidate, 99999, 1, "x", grace, {}}));
        QVERIFY(session.review.comments.empty());
        QVERIFY(addComment(session, {std::string(session::baselineId), 1, 1, "nvcc's own", grace, {}}));
    }

    void commentsFollowTheirLines() {
        session::Session session = example("saxpy");
        session::Candidate& candidate = named(session, "vectorized");
        const TextLines before(candidate.text);
        std::uint32_t load = 0;
        for (std::uint32_t i = 1; i <= before.count() && load == 0; ++i)
            if (before.at(i).find("ld.global") != std::string_view::npos) load = i;
        const std::string line(before.at(load));
        need(addComment(session, {candidate.id, load, 1, "aligned?", grace, {}}));
        candidate.text = "// one\n// two\n" + candidate.text;
        QVERIFY(follow(session));
        QCOMPARE(session.review.comments[0].line, load + 2);
        QVERIFY(!follow(session)); // nothing has changed since
        const std::string whole = candidate.text;
        candidate.text.erase(candidate.text.find(line), line.size() + 1);
        QVERIFY(follow(session));
        QVERIFY(session.review.comments[0].lost);
        QCOMPARE(place(session.review.comments[0]), "line " + std::to_string(load + 2) + " (gone)");
        QCOMPARE(session.review.comments[0].quote, std::vector<std::string>{line});
        candidate.text = whole;
        QVERIFY(follow(session));
        QVERIFY(!session.review.comments[0].lost);
        QCOMPARE(session.review.comments[0].line, load + 2);
    }

    void aCommentOfAnEarlierVersionGetsAnAnchor() {
        session::Session session = example("saxpy");
        const std::string candidate = named(session, "vectorized").id;
        session.review.comments.push_back({"", candidate, 5, "old", grace, {}, false});
        QVERIFY(follow(session));
        QCOMPARE(session.review.comments[0].line, 5u);
        QCOMPARE(session.review.comments[0].anchor.lines.size(), 1u);
    }

    void whatAModelIsTold() {
        session::Session session = example("saxpy");
        const session::Candidate& candidate = named(session, "vectorized");
        QVERIFY(openCommentsText(session, candidate.id).empty());
        const std::string id = need(addComment(session, {candidate.id, 4, 1, "use 16-byte loads", grace, {}}));
        need(addComment(session, {candidate.id, 6, 1, "done already", grace, {}}));
        setResolved(session.review, "k2", true, grace);
        answer(session.review, id, {"where n allows it", ada, {}});
        const std::string text = openCommentsText(session, candidate.id);
        const TextLines lines(candidate.text);
        QVERIFY(text.find("- line 4:\n      " + std::string(lines.at(4)) + "\n  use 16-byte loads\n  " + ada +
                          ": where n allows it\n") != std::string::npos);
        QVERIFY(text.find("done already") == std::string::npos);
    }
};

QTEST_APPLESS_MAIN(CommentsTest)
#include "comments_test.moc"

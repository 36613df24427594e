// Event streams: line ends, comments, fields, and the same events wherever the bytes are cut.
#include "llm/sse.h"

#include <QtTest>
#include <string>
#include <vector>

using namespace ptxwb::llm;

namespace {

using Events = std::vector<std::pair<std::string, std::string>>;

Events read(const std::vector<std::string_view>& pieces) {
    Events events;
    SseParser parser;
    const auto take = [&](const SseEvent& event) { events.emplace_back(event.type, event.data); };
    for (const std::string_view piece : pieces) parser.push(piece, take);
    parser.finish(take);
    return events;
}

} // namespace

class SseTest : public QObject {
    Q_OBJECT

private slots:
    void streams_data() {
        QTest::addColumn<std::string>("stream");
        QTest::addColumn<Events>("expected");
        const auto row = [](const char* name, std::string stream, Events expected) {
            QTest::newRow(name) << std::move(stream) << std::move(expected);
        };
        row("line feeds", "data: a\n\ndata: b\n\n", {{"", "a"}, {"", "b"}});
        row("CR LF", "data: a\r\n\r\ndata: b\r\n\r\n", {{"", "a"}, {"", "b"}});
        row("CR alone", "data: a\r\rdata: b\r\r", {{"", "a"}, {"", "b"}});
        row("mixed", "event: e\rdata: a\r\ndata: b\n\r\ndata: c\n\n", {{"e", "a\nb"}, {"", "c"}});
        row("comments and keep-alives", ": keep-alive\n\n:\n\ndata: a\n: between\ndata: b\n\n", {{"", "a\nb"}});
        row("no blank after the colon", "data:a\nevent:x\n\n", {{"x", "a"}});
        row("only the first blank goes", "data:  a\n\n", {{"", " a"}});
        row("field without a colon", "data\n\n", {{"", ""}});
        row("other fields", "id: 7\nretry: 100\nnothing: x\ndata: a\n\n", {{"", "a"}});
        row("no data, no event", "event: ping\n\ndata: a\n\n", {{"", "a"}});
        row("byte order mark",
            "\xEF\xBB\xBF"
            "data: a\n\n",
            {{"", "a"}});
        row("the last empty line is missing", "data: a\n\ndata: [DONE]", {{"", "a"}, {"", "[DONE]"}});
        row("UTF-8", "data: \xC3\xA9 \xE6\xBC\xA2 \xF0\x9F\x98\x80\n\n",
            {{"", "\xC3\xA9 \xE6\xBC\xA2 \xF0\x9F\x98\x80"}});
        row("colons in the data", "data: a: b: c\n\n", {{"", "a: b: c"}});
        row("empty", "", {});
    }
    void streams() {
        QFETCH(std::string, stream);
        QFETCH(Events, expected);
        QCOMPARE(read({stream}), expected);
        std::vector<std::string_view> bytes;
        for (std::size_t i = 0; i < stream.size(); ++i) bytes.push_back(std::string_view(stream).substr(i, 1));
        QCOMPARE(read(bytes), expected);
        for (std::size_t cut = 0; cut <= stream.size(); ++cut)
            QCOMPARE(read({std::string_view(stream).substr(0, cut), std::string_view(stream).substr(cut)}), expected);
    }

    void whatWaitsIsCounted() {
        SseParser parser;
        parser.push("data: 12345\ndata: 67", [](const SseEvent&) { QFAIL("nothing is complete yet"); });
        QCOMPARE(parser.pendingBytes(), std::size_t{5 + 8});
    }
};

QTEST_APPLESS_MAIN(SseTest)
#include "sse_test.moc"

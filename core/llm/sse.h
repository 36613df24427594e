// Server-sent events: bytes as they arrive, cut anywhere, to events.
// Used by the providers' stream reader.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace ptxwb::llm {

struct SseEvent {
    std::string type; ///< of the `event:` line, empty where there is none
    std::string data; ///< the `data:` lines, joined with line feeds
};

/// Lines end with LF, CR or CR LF; a byte order mark at the start, comments, `id:` and `retry:` are skipped.
/// Source: WHATWG HTML, 9.2.6 Interpreting an event stream.
class SseParser {
public:
    using Sink = std::function<void(const SseEvent&)>;

    void push(std::string_view bytes, const Sink& sink);
    /// The stream has ended. Unlike the standard this gives out an event whose empty line is missing: servers exist
    /// that close the connection after their last `data:` line.
    void finish(const Sink& sink);
    /// Bytes of the event that is not complete yet: a limit for whoever reads from strangers.
    std::size_t pendingBytes() const { return m_line.size() + m_event.data.size(); }

private:
    void endLine(const Sink& sink);
    void dispatch(const Sink& sink);

    std::string m_line;
    SseEvent m_event;
    bool m_hasData = false;
    bool m_afterCr = false;
    bool m_first = true; ///< no line was read yet: it may begin with a byte order mark
};

} // namespace ptxwb::llm

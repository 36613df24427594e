#include "llm/sse.h"

namespace ptxwb::llm {

void SseParser::push(std::string_view bytes, const Sink& sink) {
    while (!bytes.empty()) {
        if (m_afterCr) {
            m_afterCr = false;
            if (bytes.front() == '\n') {
                bytes.remove_prefix(1);
                continue;
            }
        }
        const std::size_t end = bytes.find_first_of("\r\n");
        if (end == std::string_view::npos) {
            m_line += bytes;
            return;
        }
        m_line += bytes.substr(0, end);
        m_afterCr = bytes[end] == '\r';
        bytes.remove_prefix(end + 1);
        endLine(sink);
    }
}

void SseParser::finish(const Sink& sink) {
    if (!m_line.empty()) endLine(sink);
    dispatch(sink);
}

void SseParser::endLine(const Sink& sink) {
    std::string_view line = m_line;
    if (m_first && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    m_first = false;
    if (line.empty()) {
        dispatch(sink);
    } else if (line.front() != ':') {
        const std::size_t colon = line.find(':');
        const std::string_view field = line.substr(0, colon);
        std::string_view value = colon == std::string_view::npos ? std::string_view{} : line.substr(colon + 1);
        if (value.starts_with(' ')) value.remove_prefix(1);
        if (field == "data") {
            if (m_hasData) m_event.data += '\n';
            m_event.data += value;
            m_hasData = true;
        } else if (field == "event") {
            m_event.type = value;
        }
    }
    m_line.clear();
}

void SseParser::dispatch(const Sink& sink) {
    if (m_hasData) sink(m_event);
    m_event = {};
    m_hasData = false;
}

} // namespace ptxwb::llm

#include "editors/long_lines.h"

#include <QString>

namespace ptxwb::ui {
namespace {

constexpr qsizetype shownBytes = 240;
constexpr std::string_view ending = ", kept whole, cannot be edited here]";

/// The part of a line that is shown, cut between two characters.
QByteArray head(const QByteArray& line) {
    qsizetype length = shownBytes;
    while (length > shownBytes - 4 && (static_cast<unsigned char>(line[length]) & 0xC0) == 0x80) --length;
    QByteArray shown = line.left(length);
    shown.replace('\0', ' ').replace('\r', ' ');
    return shown;
}

template <class Change>
QByteArray changeLines(const QByteArray& text, Change change) {
    QByteArray result;
    result.reserve(text.size());
    for (qsizetype at = 0; at < text.size();) {
        const qsizetype newline = text.indexOf('\n', at);
        qsizetype end = newline < 0 ? text.size() : newline;
        const qsizetype next = newline < 0 ? text.size() : newline + 1;
        if (end > at && newline >= 0 && text[end - 1] == '\r') --end;
        change(result, QByteArray::fromRawData(text.constData() + at, end - at));
        result.append(text.constData() + end, next - end);
        at = next;
    }
    return result;
}

bool hasLongLine(const QByteArray& text) {
    for (qsizetype at = 0; text.size() - at > qsizetype(longLineBytes);) {
        const qsizetype newline = text.indexOf('\n', at);
        if ((newline < 0 ? text.size() : newline) - at > qsizetype(longLineBytes)) return true;
        at = newline + 1;
    }
    return false;
}

} // namespace

bool looksShortened(std::string_view line) {
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    return line.size() > std::size_t(shownBytes) - 8 && line.ends_with(ending);
}

QByteArray LongLines::shorten(const QByteArray& text) {
    if (!hasLongLine(text)) return text;
    return changeLines(text, [this](QByteArray& result, const QByteArray& line) {
        if (line.size() <= qsizetype(longLineBytes)) {
            result += line;
            return;
        }
        const QByteArray shown = head(line) + " \u2026 [line " + QByteArray::number(m_bytes.size() + 1) +
                                 " of those over 8 KiB: " + QByteArray::number(line.size()) + " bytes" +
                                 QByteArray(ending.data(), qsizetype(ending.size()));
        m_bytes.insert(shown, QByteArray(line.constData(), line.size()));
        result += shown;
    });
}

QByteArray LongLines::restore(const QByteArray& shown) const {
    if (m_bytes.isEmpty()) return shown;
    return changeLines(shown, [this](QByteArray& result, const QByteArray& line) { result += restoreLine(line); });
}

QByteArray LongLines::restoreLine(const QByteArray& shown) const {
    if (!shown.contains(QByteArrayView(ending.data(), qsizetype(ending.size())))) return shown;
    if (const auto exact = m_bytes.constFind(shown); exact != m_bytes.constEnd()) return *exact;
    QByteArray result = shown; // joined with other text
    for (auto each = m_bytes.constBegin(); each != m_bytes.constEnd(); ++each) result.replace(each.key(), each.value());
    return result;
}

} // namespace ptxwb::ui

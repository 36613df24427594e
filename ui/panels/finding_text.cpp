#include "panels/finding_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <QUrlQuery>

#include <vector>

namespace ptxwb::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("FindingText", text);
}

QString asQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString asText(const Index3& at) {
    return QStringLiteral("(%1, %2, %3)").arg(at[0]).arg(at[1]).arg(at[2]);
}

/// As many digits as it takes to tell two floats or doubles that differ apart.
QString asText(double value) {
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QUrl linkTo(const FindingLink& to) {
    QUrl url;
    url.setScheme(to.cudaFile.isEmpty() ? QStringLiteral("ptx") : QStringLiteral("cuda"));
    QUrlQuery query;
    query.addQueryItem(QStringLiteral("line"), QString::number(to.line));
    query.addQueryItem(QStringLiteral("column"), QString::number(to.column));
    // In base 64: a file may be called anything.
    if (!to.cudaFile.isEmpty())
        query.addQueryItem(QStringLiteral("file"),
                           QString::fromLatin1(to.cudaFile.toUtf8().toBase64(QByteArray::Base64UrlEncoding |
                                                                             QByteArray::OmitTrailingEquals)));
    url.setQuery(query);
    return url;
}

struct Row {
    QString name, value;
    std::optional<FindingLink> link;
};

QString placeOf(std::uint32_t line, std::uint32_t column) {
    return column > 0 ? tr("line %1, column %2").arg(line).arg(column) : tr("line %1").arg(line);
}

FindingLink ptxLink(std::uint32_t line, std::uint32_t column) {
    return {{}, static_cast<int>(line), static_cast<int>(column)};
}

void addValues(const Finding& finding, std::vector<Row>& rows) {
    if (!finding.argument.empty() || !finding.index.empty()) {
        QStringList index;
        for (const std::uint64_t i : finding.index) index += QString::number(i);
        const QString where =
            index.isEmpty() ? QString() : QStringLiteral("[%1]").arg(index.join(QStringLiteral(", ")));
        rows.push_back({tr("Element"), asQString(finding.argument) + where, {}});
    }
    if (finding.expected) rows.push_back({tr("Expected"), asText(*finding.expected), {}});
    if (finding.got) rows.push_back({tr("Actual"), asText(*finding.got), {}});
    if (finding.allowed) rows.push_back({tr("Allowed error"), asText(*finding.allowed), {}});
    if (finding.address) rows.push_back({tr("Address"), tr("byte %1").arg(*finding.address), {}});
    if (finding.bytes) rows.push_back({tr("Access"), tr("%1 bytes").arg(*finding.bytes), {}});
}

void addRun(const Finding& finding, std::vector<Row>& rows) {
    if (finding.block) rows.push_back({tr("Block"), asText(*finding.block), {}});
    if (finding.thread) rows.push_back({tr("Thread"), asText(*finding.thread), {}});
    QStringList sizes;
    for (const auto& [symbol, value] : finding.set)
        sizes += QStringLiteral("%1 = %2").arg(asQString(symbol)).arg(value);
    if (!sizes.isEmpty()) rows.push_back({tr("Sizes"), sizes.join(QStringLiteral(", ")), {}});
    if (!finding.fill.empty()) rows.push_back({tr("Fill"), asQString(finding.fill), {}});
    if (finding.seed) rows.push_back({tr("Seed"), QString::number(*finding.seed), {}});
    if (finding.asAllocated) rows.push_back({tr("Buffers"), tr("at multiples of 256 bytes, as allocated"), {}});
    if (finding.occurrences > 1) rows.push_back({tr("Found"), tr("%1 times").arg(finding.occurrences), {}});
    if (!finding.check.empty()) rows.push_back({tr("Check"), asQString(finding.check), {}});
}

void addOtherSide(const RelatedFinding& other, std::vector<Row>& rows) {
    QStringList parts;
    if (other.line > 0) parts += placeOf(other.line, other.column);
    if (!other.access.empty()) parts += asQString(other.access);
    if (other.block) parts += tr("block %1").arg(asText(*other.block));
    if (other.thread) parts += tr("thread %1").arg(asText(*other.thread));
    if (!other.message.empty()) parts += asQString(other.message);
    rows.push_back({tr("Other side"), parts.join(QStringLiteral(", ")),
                    other.line > 0 ? std::optional(ptxLink(other.line, other.column)) : std::nullopt});
}

std::vector<Row> rowsOf(const Finding& finding) {
    std::vector<Row> rows;
    if (finding.line > 0)
        rows.push_back({tr("PTX"), placeOf(finding.line, finding.column), ptxLink(finding.line, finding.column)});
    if (finding.cuda) {
        const FindingLink link{asQString(finding.cuda->file), static_cast<int>(finding.cuda->line), 0};
        rows.push_back({tr("CUDA"), QStringLiteral("%1:%2").arg(link.cudaFile).arg(link.line), link});
    }
    for (const RelatedFinding& other : finding.related) addOtherSide(other, rows);
    addValues(finding, rows);
    addRun(finding, rows);
    return rows;
}

} // namespace

QString findingText(const Finding& finding) {
    QString text = QStringLiteral("%1: %2\n").arg(asQString(name(finding.kind)), asQString(finding.message));
    if (!finding.hint.empty()) text += tr("hint: %1\n").arg(asQString(finding.hint));
    for (const Row& row : rowsOf(finding)) text += QStringLiteral("%1: %2\n").arg(row.name, row.value);
    return text;
}

QString findingHtml(const Finding& finding) {
    const auto escaped = [](const QString& plain) {
        return plain.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"));
    };
    QString html = QStringLiteral("<p><b>%1</b>: %2</p>")
                       .arg(escaped(asQString(name(finding.kind))), escaped(asQString(finding.message)));
    if (!finding.hint.empty())
        html += QStringLiteral("<p><b>%1</b> %2</p>").arg(escaped(tr("What to do:")), escaped(asQString(finding.hint)));
    html += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"1\">");
    for (const Row& row : rowsOf(finding)) {
        QString value = escaped(row.value);
        if (row.link)
            value = QStringLiteral("<a href=\"%1\">%2</a>")
                        .arg(linkTo(*row.link).toString(QUrl::FullyEncoded).toHtmlEscaped(), value);
        html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>").arg(escaped(row.name), value);
    }
    return html + QStringLiteral("</table>");
}

std::optional<FindingLink> findingLink(const QUrl& url) {
    const QUrlQuery query(url);
    FindingLink link{{},
                     query.queryItemValue(QStringLiteral("line")).toInt(),
                     query.queryItemValue(QStringLiteral("column")).toInt()};
    const bool cuda = url.scheme() == QStringLiteral("cuda");
    if (link.line <= 0 || (!cuda && url.scheme() != QStringLiteral("ptx"))) return std::nullopt;
    if (cuda)
        link.cudaFile = QString::fromUtf8(QByteArray::fromBase64(
            query.queryItemValue(QStringLiteral("file")).toLatin1(), QByteArray::Base64UrlEncoding));
    return link;
}

} // namespace ptxwb::ui

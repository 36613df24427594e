#include "models/text_changes.h"

#include "compare/compare.h"
#include "ptx/parse.h"

#include <QCoreApplication>

#include <algorithm>

namespace ptxwb::ui {

namespace {

/// With their line ends; nothing behind a last one.
std::vector<QByteArray> linesOf(const QByteArray& text) {
    std::vector<QByteArray> lines;
    for (qsizetype at = 0; at < text.size();) {
        const qsizetype end = text.indexOf('\n', at);
        const qsizetype next = end < 0 ? text.size() : end + 1;
        lines.push_back(text.mid(at, next - at));
        at = next;
    }
    return lines;
}

QString kernelAt(const compare::Comparison& comparison, std::uint32_t row) {
    for (const compare::KernelPair& kernel : comparison.kernels)
        if (row >= kernel.firstRow && row < kernel.firstRow + kernel.rowCount)
            return QString::fromStdString(kernel.left.empty() ? kernel.right : kernel.left);
    return {};
}

} // namespace

std::vector<TextChange> textChanges(const QByteArray& from, const QByteArray& to, std::stop_token stop) {
    const auto left = ptx::parse(from.toStdString(), "from.ptx"), right = ptx::parse(to.toStdString(), "to.ptx");
    if (stop.stop_requested()) return {};
    const compare::Comparison comparison = compare::compare(*left, *right, {}, stop);
    const auto leftLines = linesOf(from), rightLines = linesOf(to);
    std::vector<TextChange> changes;
    bool isOpen = false;
    std::size_t l = 0, r = 0; // lines that are behind
    for (std::uint32_t i = 0; i < comparison.rows.size(); ++i) {
        const compare::Row& row = comparison.rows[i];
        const bool hasLeft =
            row.leftLine > l && l<leftLines.size(), hasRight = row.rightLine> r && r < rightLines.size();
        const bool same = hasLeft && hasRight && leftLines[l] == rightLines[r];
        if (!same && (hasLeft || hasRight)) {
            if (!isOpen) changes.push_back({int(l) + 1, 0, {}, {}, int(r) + 1, kernelAt(comparison, i)});
            TextChange& change = changes.back();
            if (hasLeft) {
                change.replaced += leftLines[l];
                ++change.count;
            }
            if (hasRight) change.lines += rightLines[r];
        }
        isOpen = !same;
        l += hasLeft ? 1 : 0;
        r += hasRight ? 1 : 0;
    }
    // Rows that only one side has, one after the other, may hold the same lines.
    std::erase_if(changes, [](const TextChange& change) { return change.replaced == change.lines; });
    return changes;
}

QString describe(const TextChange& change) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("TextChange", text); };
    const auto lines = change.lines.count('\n') + (change.lines.isEmpty() || change.lines.endsWith('\n') ? 0 : 1);
    const QString where = change.kernel.isEmpty() ? tr("line %1").arg(change.first)
                                                  : tr("%1, line %2").arg(change.kernel).arg(change.first);
    if (change.count == 0) return tr("%1: %2 more").arg(where).arg(lines);
    if (lines == 0) return tr("%1: %2 fewer").arg(where).arg(change.count);
    return tr("%1: %2 in place of %3").arg(where).arg(lines).arg(change.count);
}

} // namespace ptxwb::ui

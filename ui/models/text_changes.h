// What makes one text another, as replacements of lines that can be taken one by one.
// Used by the review of a model's proposal; the alignment is the comparison's.
#pragma once

#include <QByteArray>
#include <QString>

#include <stop_token>
#include <vector>

namespace ptxwb::ui {

/// Lines [first, first + count) of the first text become `lines`; `count` 0 inserts before `first`. Lines count from 1.
struct TextChange {
    int first = 1, count = 0;
    QByteArray lines, replaced; ///< with their line ends
    int otherFirst = 1;         ///< where `lines` stand in the other text
    QString kernel;             ///< the function that it touches; empty outside of all
};

/// In order of lines. All of them together, from the last to the first, make `to` of `from`, byte by byte: comments and
/// names of registers are changes here, as `//@ launch` is one.
std::vector<TextChange> textChanges(const QByteArray& from, const QByteArray& to, std::stop_token stop = {});

/// "saxpy, line 12: 3 lines instead of 2".
QString describe(const TextChange& change);

} // namespace ptxwb::ui

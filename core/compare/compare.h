// Side-by-side comparison of two PTX modules (or plain texts) that sees through renamed registers and labels.
// Called by the window off its thread, by `ptxwb diff`, and by the review report. It never feeds a verdict.
#pragma once

#include "ptx/module.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::compare {

/// What a row says. `identical` and `renamed` are no change; everything else is. Of several differences on one line the
/// strongest names the row: opcode, then modifier (types and state spaces too), then operand, then immediate.
enum class RowClass : std::uint8_t { identical, renamed, moved, immediate, modifier, operand, opcode, added, removed };
inline constexpr std::size_t rowClassCount = 9;
std::string_view name(RowClass rowClass); ///< "identical" ...
constexpr bool isChange(RowClass c) {
    return c != RowClass::identical && c != RowClass::renamed;
}

/// Bytes of one line: column from 1.
struct ColumnSpan {
    std::uint32_t column = 1;
    std::uint32_t length = 0;
    bool operator==(const ColumnSpan&) const = default;
};

/// One line of the side-by-side view. Every line of both texts stands in exactly one row, and on each side the line
/// numbers grow from row to row; a side with line 0 is a filler. A newline at the end of a text opens no further line.
struct Row {
    RowClass cls = RowClass::identical;
    /// No code on it: a blank line, a comment, `//@ title`. Shown, but neither counted as a change nor a difference.
    bool trivia = false;
    std::uint32_t leftLine = 0;  ///< from 1; 0 is a filler
    std::uint32_t rightLine = 0; ///< from 1; 0 is a filler
    /// Where the line went or came from: the line on the other side of a `moved` row (one side of which is a filler).
    /// A move has two rows, one for each side, and counts once.
    std::uint32_t otherLine = 0;
    std::vector<ColumnSpan> leftSpans, rightSpans; ///< what differs within the line, in order; renamed names too
    std::string
        note; ///< "possibly equivalent: commuted operands", "moved to line 12"; empty where there is nothing to say
    bool operator==(const Row&) const = default;
};

/// Rows of each class without the trivia; the two rows of a move count as one.
struct Counts {
    std::array<std::uint32_t, rowClassCount> rows{};
    std::uint32_t of(RowClass c) const { return rows[static_cast<std::size_t>(c)]; }
    std::uint32_t changes() const; ///< all but identical and renamed
    bool operator==(const Counts&) const = default;
};

/// Rows [firstRow, firstRow + rowCount) belong to this function. A name is empty where the other side has no partner;
/// a function that stands in another order among its neighbours has two entries, one for the rows of each side.
struct KernelPair {
    std::string left, right;
    std::uint32_t firstRow = 0, rowCount = 0;
    bool isEntry = true; ///< false for a `.func`
    bool operator==(const KernelPair&) const = default;
};

/// A longest run of rows that differ at some level, trivia between them included; trivia alone make no hunk.
struct Hunk {
    std::uint32_t firstRow = 0, rowCount = 0;
    std::string kernel; ///< the first function that it touches (the left name where there is one); empty outside of all
    bool operator==(const Hunk&) const = default;
};

/// Which rows a person wants to see: every row, those with other names and the changed ones, or the changed ones.
enum class Level : std::uint8_t { all, renamed, changed };

/// Whether a differing `.loc` or `.file` is a change. Ignored ones become trivia.
enum class LineInformation : std::uint8_t { compare, ignore };

struct CompareOptions {
    Level level = Level::changed; ///< decides which rows `Comparison::hunks` covers, nothing else
    LineInformation lineInformation = LineInformation::compare;
    /// Past it, what is not aligned yet stays unaligned, and the answer is marked approximate.
    std::optional<std::chrono::steady_clock::time_point> deadline;
};

struct Comparison {
    std::vector<Row> rows;
    Counts counts;
    /// Equal under one bijection of registers and labels, all else but comments and white space being the same.
    bool same = false;
    /// The alignment is coarse: the deadline came, a stop was asked for, or a stretch was too long to align exactly.
    bool approximate = false;
    std::vector<KernelPair> kernels; ///< in order of rows
    std::vector<Hunk> hunks;         ///< at CompareOptions::level
};

/// Compares two modules. What the parser could not read is compared as text. A stop that is asked for gives a coarse
/// answer at once. `compare(b, a)` has the same pairs with the sides exchanged.
Comparison compare(const ptx::Module& left, const ptx::Module& right, const CompareOptions& options = {},
                   std::stop_token stop = {});

/// The same for texts that are not PTX (CUDA source): lines are aligned by their words, a comment counts as any text,
/// white space does not. No row is `renamed`.
Comparison compareText(std::string_view left, std::string_view right, const CompareOptions& options = {},
                       std::stop_token stop = {});

/// The hunks at another level, without comparing again. `all` gives the same as `renamed`.
std::vector<Hunk> hunks(const Comparison& comparison, Level level);

} // namespace ptxwb::compare

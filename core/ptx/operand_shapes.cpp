#include "ptx/operand_shapes.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>

namespace ptxwb::ptx {

namespace {

struct Text {
    Opcode opcode;
    std::string_view words, operands;
};

constexpr Text texts[] = {
#define PTXWB_SHAPE(id, words, operands) {Opcode::id, words, operands},
#include "ptx/operand_shapes.def"
#undef PTXWB_SHAPE
};

std::string_view takeUpTo(std::string_view& text, char mark) {
    const std::size_t end = text.find(mark);
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return part;
}

template <class Number>
Number numberIn(std::string_view text) {
    Number value{};
    [[maybe_unused]] const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    assert(result.ec == std::errc{});
    return value;
}

Slot slotOf(char letter) {
    switch (letter) {
    case '.': return Slot::anything;
    case 'a': return Slot::address;
    case 'v': return Slot::vector;
    case 'p': return Slot::predicate;
    case 'h': return Slot::half;
    case 'w': return Slot::word;
    case 'x': return Slot::anyWord;
    case 'l': return Slot::doubleWord;
    case 'q': return Slot::quadWord;
    case 'r': return Slot::anyRegister;
    case 'i': return Slot::integer;
    case 'f': return Slot::real;
    case 's': return Slot::sink;
    default: assert(false); return Slot::anything;
    }
}

OperandShape shapeOf(std::string_view text) {
    OperandShape shape;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '?') {
            shape.optional = true;
        } else if (text[i] == '{') {
            const std::size_t end = text.find('}', i);
            shape.elements = numberIn<std::uint8_t>(text.substr(i + 1, end - i - 1));
            i = end;
        } else if (text[i] == '(') {
            const std::size_t colon = text.find(':', i), end = text.find(')', i);
            shape.least = numberIn<std::int64_t>(text.substr(i + 1, colon - i - 1));
            shape.most = numberIn<std::int64_t>(text.substr(colon + 1, end - colon - 1));
            i = end;
        } else {
            shape.slots |= static_cast<std::uint16_t>(slotOf(text[i]));
        }
    }
    return shape;
}

ShapeRow read(const Text& text) {
    ShapeRow row;
    row.opcode = text.opcode;
    for (std::string_view rest = text.words; !rest.empty();) {
        const Word meaning = word(takeUpTo(rest, ' '));
        assert(meaning.known());
        row.words.push_back(wordKey({meaning.modifier, meaning.type, meaning.space, meaning.vector, {}}));
    }
    for (std::string_view rest = text.operands; !rest.empty();) row.operands.push_back(shapeOf(takeUpTo(rest, ',')));
    for (const OperandShape& shape : row.operands) row.required += !shape.optional;
    return row;
}

struct Table {
    Table() {
        rows.reserve(std::size(texts));
        for (const Text& text : texts) {
            auto& [first, count] = byOpcode[static_cast<std::size_t>(text.opcode)];
            if (count++ == 0) first = rows.size();
            assert(first + count == rows.size() + 1); // the rows of an opcode lie together
            rows.push_back(read(text));
        }
    }
    std::vector<ShapeRow> rows;
    std::array<std::pair<std::size_t, std::size_t>, 256> byOpcode{};
};

} // namespace

const ShapeRow* shapeRow(Opcode opcode, std::span<const ModifierUse> words) {
    static const Table table;
    const auto [first, count] = table.byOpcode[static_cast<std::size_t>(opcode)];
    for (std::size_t i = first; i < first + count; ++i) {
        const ShapeRow& row = table.rows[i];
        const bool fits = std::all_of(row.words.begin(), row.words.end(), [&](WordKey key) {
            return std::any_of(words.begin(), words.end(), [&](const ModifierUse& use) { return wordKey(use) == key; });
        });
        if (fits) return &row;
    }
    return nullptr;
}

} // namespace ptxwb::ptx

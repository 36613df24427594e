#include "ptx/constant_expression.h"
#include "ptx/parse_context.h"

#include <fmt/format.h>

#include <bit>

namespace ptxwb::ptx {

namespace {

/// Longer initialisers are refused rather than held: a module of this size is a mistake.
constexpr std::uint64_t byteLimit = std::uint64_t{1} << 30;

class Initialiser {
public:
    Initialiser(ParseContext& context, Variable& variable, std::vector<std::uint64_t> dimensions)
        : m_context(context), m_cursor(context.cursor), m_variable(variable), m_dimensions(std::move(dimensions)) {
        if (variable.vector > 1) m_dimensions.push_back(variable.vector);
        m_bytes = sizeBytes(variable.type);
    }

    bool read() {
        if (m_variable.type == ScalarType::f16 || m_variable.type == ScalarType::bf16 || m_bytes == 0 || m_bytes > 8) {
            m_cursor.reporter().error(
                m_variable.nameSpan,
                fmt::format("a variable of type .{} takes no initial value", name(m_variable.type)),
                "declare it with a .b type of the same size and write the bits");
            return false;
        }
        if (m_dimensions.empty()) return scalar(0);
        return level(0, 0);
    }

    /// How many there are along the first dimension.
    std::uint64_t outermost() const { return m_outermost; }

private:
    std::uint64_t stride(std::size_t dimension) const {
        std::uint64_t bytes = m_bytes;
        for (std::size_t i = dimension + 1; i < m_dimensions.size(); ++i) bytes *= m_dimensions[i];
        return bytes;
    }

    bool mismatch(Span span, std::string message, std::string hint = {}) {
        m_cursor.reporter().error(span, std::move(message), std::move(hint));
        return false;
    }

    bool level(std::size_t dimension, std::uint64_t offset) {
        const bool last = dimension + 1 == m_dimensions.size();
        if (!m_cursor.at('{')) {
            if (dimension == 0)
                return mismatch(m_cursor.token().span(),
                                fmt::format("the initial value of '{}' needs braces", m_variable.name),
                                "an array is initialised with {1, 2, 3}");
            return mismatch(m_cursor.token().span(), "this dimension needs braces of its own",
                            "a two-dimensional array is initialised with {{1, 2}, {3, 4}}");
        }
        m_cursor.advance();
        const std::uint64_t step = stride(dimension);
        std::uint64_t n = 0;
        if (!m_cursor.at('}')) {
            do {
                const std::uint64_t most = m_dimensions[dimension];
                const bool open = dimension == 0 && m_variable.isUnsized;
                if (!open && n >= most)
                    return mismatch(m_cursor.token().span(),
                                    fmt::format("more than the {} values that '{}' holds here", most, m_variable.name),
                                    "take values away or make the array larger");
                if (offset + (n + 1) * step > byteLimit)
                    return mismatch(m_cursor.token().span(), "this initialiser is larger than 1 GiB");
                if (last && m_cursor.at('{'))
                    return mismatch(m_cursor.token().span(),
                                    fmt::format("more braces than '{}' has dimensions", m_variable.name));
                if (!(last ? scalar(offset + n * step) : level(dimension + 1, offset + n * step))) return false;
                ++n;
            } while (m_cursor.accept(','));
        }
        if (dimension == 0) m_outermost = n;
        return m_cursor.expect('}', "or ',' in this initialiser");
    }

    bool scalar(std::uint64_t offset) {
        if (m_cursor.at('{'))
            return mismatch(m_cursor.token().span(),
                            fmt::format("'{}' is no array, so its initial value has no braces", m_variable.name));
        if (m_cursor.at(TokenKind::word) && m_cursor.text() != "WARP_SZ")
            return symbol(offset, static_cast<std::uint8_t>(m_bytes), 0);
        const std::uint32_t start = m_cursor.token().offset;
        if (!startsConstant(m_cursor)) {
            m_cursor.unexpected("a number or the name of a variable");
            return false;
        }
        // `0xFF00(symbol)`: one byte of an address
        const Token first = m_cursor.token();
        const auto constant = parseConstant(m_cursor);
        if (!constant) return false;
        if (!constant->isFloat && first.kind == TokenKind::integer && m_cursor.at('('))
            return masked(offset, *constant, m_cursor.from(start));
        return number(offset, *constant, m_cursor.from(start));
    }

    bool masked(std::uint64_t offset, const Constant& mask, Span span) {
        int byte = -1;
        for (int i = 0; i < 8; ++i)
            if (mask.bits == std::uint64_t{0xFF} << (8 * i)) byte = i;
        if (byte < 0)
            return mismatch(span, "the mask before a symbol selects one byte of its address",
                            "0xFF, 0xFF00, 0xFF0000, ... up to 0xFF00000000000000");
        if (m_variable.type != ScalarType::u8)
            return mismatch(span, "a masked address initialises a variable of type .u8 only");
        m_cursor.advance();
        if (!symbol(offset, 1, static_cast<std::uint8_t>(byte))) return false;
        return m_cursor.expect(')', "after the symbol");
    }

    bool symbol(std::uint64_t offset, std::uint8_t bytes, std::uint8_t byteOfAddress) {
        const bool generic = m_cursor.at(TokenKind::word) && m_cursor.text() == "generic";
        const std::uint32_t start = m_cursor.token().offset;
        if (generic) {
            m_cursor.advance();
            if (!m_cursor.expect('(', "after generic")) return false;
        }
        if (!m_cursor.at(TokenKind::word)) {
            m_cursor.unexpected("the name of a variable or function");
            return false;
        }
        Relocation relocation;
        relocation.offset = static_cast<std::uint32_t>(offset);
        relocation.bytes = bytes;
        relocation.byteOfAddress = byteOfAddress;
        relocation.generic = generic;
        relocation.symbol = m_cursor.text();
        const Span nameSpan = m_cursor.token().span();
        const auto found = m_context.names.find(relocation.symbol);
        m_cursor.advance();
        if (generic && !m_cursor.expect(')', "after the symbol of generic")) return false;
        if (m_cursor.accept('+')) {
            const auto addend = parseConstant(m_cursor);
            if (!addend) return false;
            if (addend->isFloat) return mismatch(nameSpan, "an offset is an integer, not a floating-point number");
            relocation.addend = static_cast<std::int64_t>(addend->bits);
        }
        if (!found) {
            reportUnknown(m_context, relocation.symbol, nameSpan, "variable or function");
            return true;
        }
        const bool address = found->kind == NameKind::moduleVariable || found->kind == NameKind::function ||
                             found->kind == NameKind::variable;
        if (!address)
            return mismatch(nameSpan,
                            fmt::format("'{}' has no address that is known before the kernel runs", relocation.symbol));
        if (isFloat(m_variable.type) || (byteOfAddress == 0 && bytes < 4 && m_variable.type != ScalarType::u8))
            return mismatch(m_cursor.from(start),
                            fmt::format("an address does not fit a variable of type .{}", name(m_variable.type)),
                            "use .u64");
        reserve(offset);
        m_variable.relocations.push_back(relocation);
        return true;
    }

    bool number(std::uint64_t offset, const Constant& constant, Span span) {
        const ScalarType type = m_variable.type;
        std::uint64_t bits = constant.bits;
        if (constant.isFloat) {
            if (!isFloat(type) && !(isBits(type) && m_bytes >= 4))
                return mismatch(
                    span, fmt::format("a floating-point number cannot initialise a variable of type .{}", name(type)),
                    "write its bits as a hex number");
            if (m_bytes == 4 && constant.floatBits == 64)
                bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
            if (m_bytes == 8 && constant.floatBits == 32)
                bits = std::bit_cast<std::uint64_t>(
                    static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
        } else if (type == ScalarType::f32 || type == ScalarType::f64) {
            return mismatch(span, fmt::format("an integer cannot initialise a variable of type .{}", name(type)),
                            "write it with a point: 1.0");
        }
        reserve(offset);
        for (unsigned i = 0; i < m_bytes; ++i)
            m_variable.initialiser[offset + i] = static_cast<std::uint8_t>(bits >> (8 * i));
        return true;
    }

    void reserve(std::uint64_t offset) {
        if (m_variable.initialiser.size() < offset + m_bytes) m_variable.initialiser.resize(offset + m_bytes);
    }

    ParseContext& m_context;
    Cursor& m_cursor;
    Variable& m_variable;
    std::vector<std::uint64_t> m_dimensions;
    unsigned m_bytes = 0;
    std::uint64_t m_outermost = 0;
};

} // namespace

bool parseInitialiser(ParseContext& context, Variable& variable, const std::vector<std::uint64_t>& dimensions) {
    Initialiser initialiser(context, variable, dimensions);
    if (!initialiser.read()) return false;
    if (variable.isUnsized) {
        std::uint64_t inner = 1;
        for (std::size_t i = 1; i < dimensions.size(); ++i) inner *= dimensions[i];
        variable.elements = initialiser.outermost() * inner;
        variable.sizeBytes = variable.elements * sizeBytes(variable.type) * variable.vector;
        variable.isUnsized = variable.elements == 0;
    }
    return true;
}

} // namespace ptxwb::ptx

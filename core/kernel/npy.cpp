#include "kernel/npy.h"

#include <charconv>
#include <fmt/format.h>

namespace ptxwb::kernel {

namespace {

struct Header {
    std::string descr; ///< "<f4"
    bool fortranOrder = false;
    std::uint64_t count = 1;
    std::size_t dataAt = 0;
};

/// What follows `'key':` in the header's Python dictionary.
std::string_view entry(std::string_view dictionary, std::string_view key) {
    auto at = dictionary.find(fmt::format("'{}'", key));
    if (at == std::string_view::npos) return {};
    at = dictionary.find(':', at);
    if (at == std::string_view::npos) return {};
    at = dictionary.find_first_not_of(' ', at + 1);
    return at == std::string_view::npos ? std::string_view() : dictionary.substr(at);
}

/// Product of "(3, 4)"; nullopt where it is no tuple of numbers or the product does not fit.
std::optional<std::uint64_t> shapeProduct(std::string_view tuple) {
    if (!tuple.starts_with('(')) return std::nullopt;
    tuple = tuple.substr(1, tuple.find(')') - 1);
    std::uint64_t product = 1;
    while (!tuple.empty()) {
        std::uint64_t extent = 0;
        const auto [end, failed] = std::from_chars(tuple.data(), tuple.data() + tuple.size(), extent);
        if (failed != std::errc() || __builtin_mul_overflow(product, extent, &product)) return std::nullopt;
        tuple.remove_prefix(static_cast<std::size_t>(end - tuple.data()));
        const auto next = tuple.find_first_of("0123456789");
        tuple.remove_prefix(std::min(next, tuple.size()));
    }
    return product;
}

std::optional<Header> readHeader(std::string_view content) {
    if (content.size() < 12 || !content.starts_with("\x93NUMPY")) return std::nullopt;
    const auto byte = [content](std::size_t i) {
        return static_cast<std::size_t>(static_cast<unsigned char>(content[i]));
    };
    const bool wide = byte(6) >= 2;
    const std::size_t length = byte(8) | byte(9) << 8 | (wide ? byte(10) << 16 | byte(11) << 24 : 0);
    const std::size_t start = wide ? 12 : 10;
    if (content.size() - start < length) return std::nullopt;
    const auto dictionary = content.substr(start, length);
    const auto descr = entry(dictionary, "descr");
    const auto count = shapeProduct(entry(dictionary, "shape"));
    if (!descr.starts_with('\'') || !count) return std::nullopt;
    const auto text = descr.substr(1, descr.find('\'', 1) - 1);
    return Header{std::string(text), entry(dictionary, "fortran_order").starts_with("True"), *count, start + length};
}

bool fits(std::string_view descr, ElementType type) {
    if (descr.size() < 3 || (descr[0] != '<' && descr[0] != '|')) return false;
    if (descr.substr(2) != std::to_string(sizeOf(type))) return false;
    const bool plainFloat =
        type == ElementType::f16 || type == ElementType::f32 || type == ElementType::f64 || type == ElementType::tf32;
    if (plainFloat) return descr[1] == 'f';
    if (isFloat(type)) return descr[1] == 'u' || descr[1] == 'V';
    if (isSigned(type)) return descr[1] == 'i';
    const bool untyped = name(type).starts_with('b');
    return descr[1] == 'u' || (untyped && (descr[1] == 'i' || descr[1] == 'f' || descr[1] == 'b')) ||
           (type == ElementType::u8 && descr[1] == 'b');
}

} // namespace

Expected<std::vector<std::uint8_t>> fileElements(const std::string& file, std::string_view content, ElementType type,
                                                 std::uint64_t count) {
    const auto needed = fmt::format("{} elements of {} are needed", count, name(type));
    std::uint64_t held = content.size() / sizeOf(type);
    if (file.ends_with(".npy")) {
        const auto header = readHeader(content);
        if (!header)
            return failure(Cause::badRequest, fmt::format("{} is no NumPy array of numbers", file),
                           "write it with numpy.save");
        if (!fits(header->descr, type))
            return failure(Cause::badRequest,
                           fmt::format("{} holds elements of type {}, but {}", file, header->descr, needed),
                           "convert it with astype, or change \"type\"");
        if (header->fortranOrder)
            return failure(Cause::badRequest, fmt::format("{} is in Fortran order", file),
                           "save numpy.ascontiguousarray of it");
        content.remove_prefix(header->dataAt);
        held = header->count;
    }
    if (held != count || content.size() != count * sizeOf(type))
        return failure(Cause::badRequest,
                       fmt::format("{} holds {} elements ({} bytes), but {}", file, held, content.size(), needed),
                       "sizes must fit the file: give the symbols only the values that it was made for");
    return std::vector<std::uint8_t>(content.begin(), content.end());
}

} // namespace ptxwb::kernel

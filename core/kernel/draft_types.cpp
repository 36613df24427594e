#include "kernel/draft_types.h"

#include "kernel/draft.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace ptxwb::kernel {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Splits at commas that are in no bracket.
std::vector<std::string> splitList(std::string_view list) {
    std::vector<std::string> parts;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= list.size(); ++i) {
        if (i < list.size() && std::string_view("(<[{").find(list[i]) != std::string_view::npos) ++depth;
        if (i < list.size() && std::string_view(")>]}").find(list[i]) != std::string_view::npos) --depth;
        if (i < list.size() && (list[i] != ',' || depth != 0)) continue;
        parts.emplace_back(trimmed(list.substr(start, i - start)));
        start = i + 1;
    }
    if (parts.size() == 1 && (parts[0].empty() || parts[0] == "void")) parts.clear();
    return parts;
}

/// The text without comments, which become blanks.
std::string withoutComments(std::string_view text) {
    std::string result(text);
    for (std::size_t i = 0; i + 1 < result.size(); ++i) {
        if (result[i] == '"') { // a text may hold what looks like a comment
            for (++i; i + 1 < result.size() && result[i] != '"' && result[i] != '\n'; ++i)
                if (result[i] == '\\') ++i;
            continue;
        }
        const bool line = result.compare(i, 2, "//") == 0, block = result.compare(i, 2, "/*") == 0;
        if (!line && !block) continue;
        const auto end = std::min(line ? result.find('\n', i) : result.find("*/", i + 2), result.size());
        const auto last = std::min(block ? end + 2 : end, result.size());
        std::fill(result.begin() + static_cast<std::ptrdiff_t>(i), result.begin() + static_cast<std::ptrdiff_t>(last),
                  ' ');
    }
    return result;
}

std::optional<SourceParameter> splitDeclaration(std::string_view text) {
    text = trimmed(text.substr(0, text.find('=')));
    std::size_t start = text.size();
    while (start > 0 && isWord(text[start - 1])) --start;
    const auto name = text.substr(start), type = trimmed(text.substr(0, start));
    if (name.empty() || type.empty() || text.find_first_of("()[]") != std::string_view::npos) return std::nullopt;
    return SourceParameter{std::string(type), std::string(name)};
}

/// Words of a type, `*` and `&` on their own: {"const", "float", "*"}.
std::vector<std::string> words(std::string_view type) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < type.size();) {
        std::size_t end = i + 1;
        if (isWord(type[i])) {
            while (end < type.size() && (isWord(type[end]) || type[end] == ':')) ++end;
            result.emplace_back(type.substr(i, end - i));
        } else if (type[i] != ' ' && type[i] != '\t' && type[i] != '\n') {
            result.emplace_back(type.substr(i, 1));
        }
        i = end;
    }
    return result;
}

struct NamedType {
    std::string_view name;
    ElementType type;
};
constexpr auto namedTypes = std::to_array<NamedType>({
    {"char", ElementType::s8},
    {"signed char", ElementType::s8},
    {"int8_t", ElementType::s8},
    {"unsigned char", ElementType::u8},
    {"uint8_t", ElementType::u8},
    {"bool", ElementType::u8},
    {"short", ElementType::s16},
    {"int16_t", ElementType::s16},
    {"unsigned short", ElementType::u16},
    {"uint16_t", ElementType::u16},
    {"int", ElementType::s32},
    {"signed", ElementType::s32},
    {"int32_t", ElementType::s32},
    {"unsigned int", ElementType::u32},
    {"unsigned", ElementType::u32},
    {"uint32_t", ElementType::u32},
    {"long", ElementType::s64},
    {"long long", ElementType::s64},
    {"int64_t", ElementType::s64},
    {"ptrdiff_t", ElementType::s64},
    {"unsigned long", ElementType::u64},
    {"unsigned long long", ElementType::u64},
    {"uint64_t", ElementType::u64},
    {"size_t", ElementType::u64},
    {"float", ElementType::f32},
    {"double", ElementType::f64},
    {"__half", ElementType::f16},
    {"half", ElementType::f16},
    {"__nv_bfloat16", ElementType::bf16},
    {"nv_bfloat16", ElementType::bf16},
    {"__nv_fp8_e4m3", ElementType::e4m3},
    {"__nv_fp8_e5m2", ElementType::e5m2},
});
struct VectorType {
    std::string_view base;
    ElementType type;
};
constexpr auto vectorTypes = std::to_array<VectorType>({{"float", ElementType::f32},
                                                        {"double", ElementType::f64},
                                                        {"int", ElementType::s32},
                                                        {"uint", ElementType::u32},
                                                        {"char", ElementType::s8},
                                                        {"uchar", ElementType::u8},
                                                        {"short", ElementType::s16},
                                                        {"ushort", ElementType::u16},
                                                        {"longlong", ElementType::s64},
                                                        {"ulonglong", ElementType::u64},
                                                        {"__half", ElementType::f16},
                                                        {"half", ElementType::f16},
                                                        {"__nv_bfloat16", ElementType::bf16},
                                                        {"nv_bfloat16", ElementType::bf16}});

} // namespace

CppType readCppType(std::string_view text) {
    CppType result;
    std::string base;
    std::vector<std::string> kept;
    for (const auto& word : words(text)) {
        if (word == "const") {
            // `const float*` and `float const*`; a const behind the star concerns the pointer itself.
            if (result.pointers == 0) result.pointsToConst = true;
        } else if (word == "*") {
            ++result.pointers;
        } else if (!word.starts_with("__restrict") && word != "restrict" && word != "volatile" && word != "struct") {
            kept.push_back(word.starts_with("std::") ? word.substr(5) : word);
        }
    }
    // `long int`, `int unsigned`, ...: the qualifying words first, a superfluous int dropped.
    const auto isQualifier = [](const std::string& w) {
        return w == "unsigned" || w == "signed" || w == "long" || w == "short";
    };
    if (kept.size() > 1 && std::ranges::any_of(kept, isQualifier)) {
        const bool isUnsigned = std::ranges::find(kept, "unsigned") != kept.end();
        std::erase_if(kept, [](const std::string& w) { return w == "unsigned" || w == "signed"; });
        if (kept.size() > 1) std::erase(kept, "int");
        if (isUnsigned) kept.insert(kept.begin(), "unsigned");
        if (kept.size() == 2 && !isUnsigned && kept[1] == "char") kept.insert(kept.begin(), "signed");
    }
    for (const auto& word : kept) base += (base.empty() ? "" : " ") + word;
    result.base = base;
    if (const auto found = std::ranges::find(namedTypes, base, &NamedType::name); found != namedTypes.end()) {
        result.element = found->type;
        return result;
    }
    if (base.empty() || base.back() < '2' || base.back() > '4') return result;
    const std::string_view stem = std::string_view(base).substr(0, base.size() - 1);
    if (const auto found = std::ranges::find(vectorTypes, stem, &VectorType::base); found != vectorTypes.end()) {
        result.element = found->type;
        result.lanes = static_cast<std::uint32_t>(base.back() - '0');
    }
    return result;
}

std::string demangle(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 && text && symbol.starts_with("_Z") ? std::string(text.get()) : symbol;
}

std::vector<std::string> parameterTypes(std::string_view demangled) {
    const auto close = demangled.rfind(')');
    if (close == std::string_view::npos) return {};
    int depth = 0;
    for (std::size_t i = close + 1; i-- > 0;) {
        if (demangled[i] == ')') ++depth;
        if (demangled[i] == '(' && --depth == 0) return splitList(demangled.substr(i + 1, close - i - 1));
    }
    return {};
}

std::optional<std::vector<SourceParameter>> sourceParameters(std::string_view source, std::string_view function) {
    const auto text = withoutComments(source);
    std::optional<std::vector<SourceParameter>> result;
    for (auto at = text.find(function); at != std::string::npos; at = text.find(function, at + 1)) {
        const auto open = text.find_first_not_of(" \t\r\n", at + function.size());
        if ((at > 0 && isWord(text[at - 1])) || open == std::string::npos || text[open] != '(') continue;
        // A definition or declaration: __global__ stands between it and the end of what comes before.
        const auto before = std::string_view(text).substr(0, at);
        const auto end = before.find_last_of(";{}");
        if (before.substr(end == std::string_view::npos ? 0 : end).find("__global__") == std::string_view::npos)
            continue;
        int depth = 0;
        std::size_t close = open;
        for (; close < text.size(); ++close) {
            depth += text[close] == '(' ? 1 : text[close] == ')' ? -1 : 0;
            if (depth == 0) break;
        }
        std::vector<SourceParameter> found;
        for (const auto& part : splitList(std::string_view(text).substr(open + 1, close - open - 1))) {
            auto parameter = splitDeclaration(part);
            if (!parameter) return std::nullopt;
            found.push_back(std::move(*parameter));
        }
        const auto same = [](const SourceParameter& a, const SourceParameter& b) {
            return a.type == b.type && a.name == b.name;
        };
        if (result && !std::ranges::equal(*result, found, same)) return std::nullopt;
        result = std::move(found);
    }
    return result;
}

} // namespace ptxwb::kernel

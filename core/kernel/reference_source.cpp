#include "kernel/reference_call.h"

#include "support/sha256.h"

#include <fmt/format.h>

namespace ptxwb::kernel {

namespace {

/// Conversions that accept exactly the parameter types that fit, so that a `float` or an `unsigned` where the spec says
/// something else is the compiler's message and not a silently changed value.
constexpr std::string_view preludeSource = R"(#include <concepts>
#include <cstdint>
#include <type_traits>

namespace ptxwb_reference {
struct Double {
    double value;
    template <class T> requires std::same_as<T, double> operator T() const { return value; }
};
struct DoubleBuffer {
    void* data;
    template <class T> requires std::same_as<std::remove_const_t<T>, double> operator T*() const { return static_cast<T*>(data); }
};
enum class Sign { with, without, any };
template <class T, unsigned size, Sign sign>
concept Fits = std::integral<T> && sizeof(T) == size &&
               (sign == Sign::any || std::same_as<T, char> || std::signed_integral<T> == (sign == Sign::with));
template <unsigned size, Sign sign> struct Integer {
    std::uint64_t bits;
    template <class T> requires Fits<T, size, sign> operator T() const { return static_cast<T>(bits); }
};
template <unsigned size, Sign sign> struct IntegerBuffer {
    void* data;
    template <class T> requires Fits<std::remove_const_t<T>, size, sign> operator T*() const { return static_cast<T*>(data); }
};
inline double real(void* at) { return *static_cast<double*>(at); }
inline std::uint64_t bits(void* at) { return *static_cast<std::uint64_t*>(at); }
} // namespace ptxwb_reference

)";

constexpr std::string_view runtimeSource = R"(#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <unistd.h>
#include <vector>

extern "C" void call(void** arguments);

namespace {
constexpr std::uint64_t requestMagic = 0x3151455246585450, answerMagic = 0x31534E4146585450;
constexpr std::size_t guardBytes = 4096;
constexpr unsigned char guard = 0xC3;

[[noreturn]] void giveUp(const char* why) {
    std::fprintf(stderr, "%s\n", why);
    std::_Exit(70);
}
void readAll(void* target, std::size_t size) {
    if (size != 0 && std::fread(target, 1, size, stdin) != size) giveUp("the request ended too early");
}
std::uint64_t readWord() {
    std::uint64_t word = 0;
    readAll(&word, sizeof word);
    return word;
}
struct Argument {
    std::size_t size = 0;
    bool back = false;
    unsigned char* data = nullptr;
};
} // namespace

int main() {
    // What the reference prints must not mix with the answer.
    std::FILE* answer = fdopen(dup(1), "wb");
    dup2(2, 1);
    if (readWord() != requestMagic) giveUp("this program is started by ptxwb only");
    std::vector<Argument> arguments(readWord());
    std::vector<void*> pointers;
    for (auto& argument : arguments) {
        argument.size = readWord();
        argument.back = readWord() != 0;
        argument.data = static_cast<unsigned char*>(std::aligned_alloc(256, (argument.size + guardBytes + 255) / 256 * 256));
        if (argument.data == nullptr) giveUp("not enough memory for the arguments");
        readAll(argument.data, argument.size);
        std::memset(argument.data + argument.size, guard, guardBytes);
        pointers.push_back(argument.data);
    }
    try {
        call(pointers.data());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "exception: %s\n", error.what());
        std::_Exit(71);
    } catch (...) {
        giveUp("an exception that is no std::exception");
    }
    std::uint64_t status = 0;
    for (std::size_t i = arguments.size(); i-- > 0;)
        for (std::size_t k = 0; k < guardBytes; ++k)
            if (arguments[i].data[arguments[i].size + k] != guard) status = i + 1;
    std::fwrite(&answerMagic, 1, sizeof answerMagic, answer);
    std::fwrite(&status, 1, sizeof status, answer);
    for (const auto& argument : arguments)
        if (argument.back) std::fwrite(argument.data, 1, argument.size, answer);
    std::fwrite(&answerMagic, 1, sizeof answerMagic, answer);
    std::fflush(answer);
    std::_Exit(0);
}
)";

std::string_view signOf(ElementType type) {
    if (isSigned(type)) return "with";
    return name(type).starts_with('u') ? "without" : "any";
}

std::string_view plainType(ElementType type) {
    switch (type) {
    case ElementType::s8: return "signed char";
    case ElementType::s16: return "short";
    case ElementType::s32: return "int";
    case ElementType::s64: return "long long";
    case ElementType::u8:
    case ElementType::b8: return "unsigned char";
    case ElementType::u16:
    case ElementType::b16: return "unsigned short";
    case ElementType::u32:
    case ElementType::b32: return "unsigned int";
    case ElementType::u64:
    case ElementType::b64: return "unsigned long long";
    default: return "double";
    }
}

std::string declaration(const HostParameter& p) {
    switch (p.form) {
    case HostParameter::Form::scalar: return fmt::format("{} {}", plainType(p.type), p.name);
    case HostParameter::Form::buffer:
        return fmt::format("{}{}* {}", p.access == Access::in ? "const " : "", plainType(p.type), p.name);
    case HostParameter::Form::raw: return fmt::format("const unsigned char* {}", p.name);
    case HostParameter::Form::null: return fmt::format("const void* {}", p.name);
    }
    return {};
}

std::string argumentText(const HostParameter& p, std::size_t index) {
    const auto type = fmt::format("<{}, ptxwb_reference::Sign::{}>", sizeOf(p.type), signOf(p.type));
    switch (p.form) {
    case HostParameter::Form::scalar:
        if (isFloat(p.type))
            return fmt::format("ptxwb_reference::Double{{ptxwb_reference::real(arguments[{}])}}", index);
        return fmt::format("ptxwb_reference::Integer{}{{ptxwb_reference::bits(arguments[{}])}}", type, index);
    case HostParameter::Form::buffer:
        if (isFloat(p.type)) return fmt::format("ptxwb_reference::DoubleBuffer{{arguments[{}]}}", index);
        return fmt::format("ptxwb_reference::IntegerBuffer{}{{arguments[{}]}}", type, index);
    case HostParameter::Form::raw: return fmt::format("static_cast<const unsigned char*>(arguments[{}])", index);
    case HostParameter::Form::null: return "nullptr";
    }
    return {};
}

} // namespace

std::vector<HostParameter> hostParameters(const KernelSpec& spec) {
    std::vector<HostParameter> result;
    const auto addBuffer = [&](const Argument& buffer) {
        result.push_back({HostParameter::Form::buffer, buffer.name, buffer.type, buffer.access, buffer.name, 0, 0});
    };
    const auto all = parameters(spec);
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        const auto& argument = *all[i];
        switch (argument.kind) {
        case ArgumentKind::buffer: addBuffer(argument); break;
        case ArgumentKind::scalar:
            result.push_back({HostParameter::Form::scalar, argument.name, argument.type, Access::in, {}, i, 0});
            break;
        case ArgumentKind::structure:
            for (std::size_t k = 0; k < argument.fields.size(); ++k) {
                const auto& field = argument.fields[k];
                if (!field.buffer.empty())
                    addBuffer(*findArgument(spec, field.buffer));
                else
                    result.push_back({HostParameter::Form::scalar,
                                      fmt::format("{}_{}", argument.name, k),
                                      field.type,
                                      Access::in,
                                      {},
                                      i,
                                      field.offset});
            }
            break;
        case ArgumentKind::bytes:
            result.push_back({HostParameter::Form::raw, argument.name, ElementType::b8, Access::in, {}, i, 0});
            break;
        case ArgumentKind::null:
            result.push_back({HostParameter::Form::null, argument.name, ElementType::b64, Access::in, {}, i, 0});
            break;
        default: break; // tensor maps and the like are left out; launches with them are not supported yet
        }
    }
    return result;
}

std::string referenceSignature(const KernelSpec& spec) {
    std::vector<std::string> list;
    for (const auto& parameter : hostParameters(spec)) list.push_back(declaration(parameter));
    const auto function = spec.reference.function.empty() ? std::string("reference") : spec.reference.function;
    return fmt::format("void {}({})", function, fmt::join(list, ", "));
}

std::string callSource(const KernelSpec& spec) {
    std::string text(preludeSource);
    text += fmt::format("#include \"{}\"\n\n", spec.reference.file);
    text += "extern \"C\" void call([[maybe_unused]] void** arguments) {\n";
    std::vector<std::string> list;
    const auto all = hostParameters(spec);
    for (std::size_t i = 0; i < all.size(); ++i) list.push_back("\n        " + argumentText(all[i], i));
    text += fmt::format("    {}({});\n}}\n", spec.reference.function, fmt::join(list, ","));
    return text;
}

std::string_view mainSource() {
    return runtimeSource;
}

std::string nativeCodeHash(const Kernel& kernel) {
    std::vector<std::string> names;
    if (kernel.spec.reference.kind == ReferenceKind::host || kernel.spec.reference.kind == ReferenceKind::python)
        names.push_back(kernel.spec.reference.file);
    if (kernel.spec.inputs) names.push_back(kernel.spec.inputs->file);
    if (kernel.spec.compare) names.push_back(kernel.spec.compare->file);
    if (names.empty()) return {};
    names.insert(names.end(), kernel.spec.files.begin(), kernel.spec.files.end());
    std::string all;
    for (const auto& name : names) {
        const auto found = kernel.files.find(name);
        const std::string_view text =
            found == kernel.files.end() ? std::string_view() : std::string_view(found->second);
        all += fmt::format("{}:{}:{}:", name.size(), name, text.size());
        all += text;
    }
    return sha256Hex(all);
}

} // namespace ptxwb::kernel

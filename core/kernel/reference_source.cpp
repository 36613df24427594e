#include "kernel/reference_call.h"

#include "support/sha256.h"

#include <algorithm>
#include <array>
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

constexpr std::string_view pythonText = R"(import importlib.util
import os
import struct
import sys

try:
    import numpy
except ImportError:
    numpy = None

MAGIC_IN, MAGIC_OUT = 0x3151455246585450, 0x31534E4146585450
TYPES = {'f64': 'd', 's8': 'b', 'u8': 'B', 'b8': 'B', 's16': 'h', 'u16': 'H', 'b16': 'H', 's32': 'i', 'u32': 'I',
         'b32': 'I', 's64': 'q', 'u64': 'Q', 'b64': 'Q'}

answer = os.fdopen(os.dup(1), 'wb')
os.dup2(2, 1)  # what the reference prints must not mix with the answer
source = sys.stdin.buffer


def array_over(data, kind):
    """A numpy array, or without numpy a memoryview, over the bytes themselves."""
    if numpy is None:
        return memoryview(data).cast(TYPES[kind]) if data else []
    return numpy.frombuffer(data, dtype=TYPES[kind]) if data else numpy.zeros(0, TYPES[kind])


def word():
    return struct.unpack('<Q', source.read(8))[0]


if word() != MAGIC_IN:
    sys.exit('this program is started by ptxwb only')
file, function, kinds = sys.argv[1], sys.argv[2], sys.argv[3:]
arguments, back = [], []
for index in range(word()):
    size, wanted = word(), word()
    data = bytearray(source.read(size))
    kind = kinds[index]
    if kind == 'null':
        arguments.append(None)
        continue
    array = array_over(data, kind.lstrip('@'))
    if kind.startswith('@'):
        arguments.append(array)
    else:
        arguments.append(float(array[0]) if kind == 'f64' else int(array[0]))
    if wanted:
        back.append(data)
sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
spec = importlib.util.spec_from_file_location('reference', file)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
getattr(module, function)(*arguments)
answer.write(struct.pack('<QQ', MAGIC_OUT, 0))
for data in back:
    answer.write(data)
answer.write(struct.pack('<Q', MAGIC_OUT))
answer.flush()
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
    case HostParameter::Form::seed: return "unsigned long long seed";
    case HostParameter::Form::verdict: break;
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
    case HostParameter::Form::seed:
        return fmt::format(
            "ptxwb_reference::Integer<8, ptxwb_reference::Sign::any>{{ptxwb_reference::bits(arguments[{}])}}", index);
    case HostParameter::Form::verdict: break;
    }
    return {};
}

} // namespace

std::vector<HostParameter> hostParameters(const KernelSpec& spec, HostRole role) {
    std::vector<HostParameter> result;
    const auto add = [&](const std::string& name, ElementType type, Access access) {
        HostParameter buffer{HostParameter::Form::buffer, name, type, access, name, 0, 0};
        const bool isOutput = access == Access::out || access == Access::inout;
        if (role == HostRole::inputs && access != Access::out) buffer.access = Access::inout; // all may be changed
        if (role == HostRole::compare) buffer.access = Access::in;
        result.push_back(buffer);
        if (role != HostRole::compare || !isOutput) return;
        buffer.name += "_expected";
        buffer.isExpected = true;
        result.push_back(std::move(buffer));
    };
    const auto addBuffer = [&](const Argument& buffer) { add(buffer.name, buffer.type, buffer.access); };
    if (role == HostRole::inputs)
        result.push_back({HostParameter::Form::seed, "seed", ElementType::u64, Access::in, {}, 0, 0});
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
        case ArgumentKind::pointerArray:
            for (const std::string& name : argument.of) addBuffer(*findArgument(spec, name));
            break;
        case ArgumentKind::tensormap: // the buffer behind it, once
        case ArgumentKind::texture:
        case ArgumentKind::surface:
            if (std::ranges::none_of(result, [&](const HostParameter& p) { return p.name == argument.of.front(); }))
                addBuffer(*findArgument(spec, argument.of.front()));
            break;
        }
    }
    for (const GlobalVariable& global : spec.globals)
        add(global.name, global.type, global.compare ? Access::inout : Access::scratch);
    if (role == HostRole::compare)
        result.push_back({HostParameter::Form::verdict, "verdict", ElementType::u64, Access::out, {}, 0, 0});
    return result;
}

std::string referenceSignature(const KernelSpec& spec) {
    return hostSignature(spec, HostRole::reference);
}

HostFunction hostFunction(const KernelSpec& spec, HostRole role) {
    if (role == HostRole::inputs && spec.inputs) return *spec.inputs;
    if (role == HostRole::compare && spec.compare) return *spec.compare;
    return {spec.reference.file, spec.reference.function};
}

std::string hostSignature(const KernelSpec& spec, HostRole role) {
    std::vector<std::string> list;
    for (const auto& parameter : hostParameters(spec, role))
        if (parameter.form != HostParameter::Form::verdict) list.push_back(declaration(parameter));
    constexpr std::array<std::string_view, 3> usual{"reference", "inputs", "compare"};
    std::string function = hostFunction(spec, role).function;
    if (function.empty()) function = usual[static_cast<std::size_t>(role)];
    return fmt::format("{} {}({})", role == HostRole::compare ? "bool" : "void", function, fmt::join(list, ", "));
}

std::string callSource(const KernelSpec& spec, HostRole role) {
    std::string text(preludeSource);
    const HostFunction function = hostFunction(spec, role);
    text += fmt::format("#include \"{}\"\n\n", function.file);
    text += "extern \"C\" void call([[maybe_unused]] void** arguments) {\n";
    std::vector<std::string> list;
    const auto all = hostParameters(spec, role);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].form != HostParameter::Form::verdict) list.push_back("\n        " + argumentText(all[i], i));
    const auto call = fmt::format("{}({})", function.function, fmt::join(list, ","));
    if (role == HostRole::compare)
        text +=
            fmt::format("    const bool equal = {};\n    *static_cast<std::uint64_t*>(arguments[{}]) = equal;\n}}\n",
                        call, all.size() - 1);
    else
        text += fmt::format("    {};\n}}\n", call);
    return text;
}

std::string_view pythonSource() {
    return pythonText;
}

std::vector<std::string> pythonKinds(const KernelSpec& spec) {
    std::vector<std::string> kinds;
    for (const auto& p : hostParameters(spec)) {
        const bool isBuffer = p.form == HostParameter::Form::buffer || p.form == HostParameter::Form::raw;
        std::string kind = p.form == HostParameter::Form::raw    ? "u8"
                           : p.form == HostParameter::Form::null ? "null"
                           : isFloat(p.type)                     ? "f64"
                                                                 : std::string(name(p.type));
        kinds.push_back((isBuffer ? "@" : "") + kind);
    }
    return kinds;
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

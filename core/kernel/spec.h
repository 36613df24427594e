// A kernel spec as a value: what NAME.kernel.json says, every field of it, and the texts of the files it names.
// Made by spec_load.h; read by sizes, layout, reference, the funnel, exports and the window.
#pragma once

#include "kernel/element_type.h"
#include "kernel/expression.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ptxwb::kernel {

/// A number or an expression, as the spec wrote it.
struct Formula {
    Expression expression;
    bool isNumber = true;              ///< written as a JSON number, not as a text
    std::optional<std::uint64_t> wide; ///< a number over 2^63 - 1 (u64 and b64 scalars); then `expression` is unused

    static Formula constant(std::int64_t value) { return {Expression::constant(value), true, {}}; }
};

using Formula3 = std::array<Formula, 3>; ///< x, y, z

struct LaunchShape {
    Formula3 grid{Formula::constant(1), Formula::constant(1), Formula::constant(1)};    ///< blocks (with clusters, too)
    Formula3 block{Formula::constant(1), Formula::constant(1), Formula::constant(1)};   ///< threads
    Formula sharedBytes = Formula::constant(0);                                         ///< dynamic shared memory
    Formula3 cluster{Formula::constant(1), Formula::constant(1), Formula::constant(1)}; ///< blocks
    bool cooperative = false;
};

/// One of several launches that together are the kernel.
struct LaunchStep {
    std::string entry;
    LaunchShape launch;
    std::vector<std::string> arguments;
};

enum class FillKind : std::uint8_t {
    normal,
    uniform,
    zeros,
    ones,
    iota,
    constant,
    integers,
    sparse,
    denormal,
    huge,
    cancelling,
    special,
    isolated,
    negative,
    wide,
    file,
};
std::string_view name(FillKind kind);
std::optional<FillKind> fillKind(std::string_view name);

/// How an input is made. What is absent has the default of `fill.h`.
struct Fill {
    FillKind kind = FillKind::normal;
    std::optional<double> mean, scale, value, low, high;
    std::string file; ///< for FillKind::file
};

enum class ToleranceRule : std::uint8_t { automatic, absoluteRelative, ulp, exact };
struct Tolerance {
    ToleranceRule rule = ToleranceRule::automatic;
    double absolute = 0, relative = 0;
    std::uint64_t ulp = 0;
};

enum class Access : std::uint8_t { in, out, inout, scratch };
std::string_view name(Access access);

enum class ArgumentKind : std::uint8_t {
    scalar,
    buffer,
    structure,
    bytes,
    null,
    pointerArray,
    tensormap,
    texture,
    surface,
};
std::string_view name(ArgumentKind kind);

struct StructField {
    std::uint32_t offset = 0; ///< bytes
    ElementType type = ElementType::u32;
    Formula value;
    std::string buffer; ///< the buffer whose address is stored here; then `type` and `value` are unused
};

struct Argument {
    std::string name;
    ArgumentKind kind = ArgumentKind::scalar;
    ElementType type = ElementType::s32; ///< of a scalar, or of a buffer's elements

    Formula value;        ///< scalar
    bool isFixed = false; ///< scalar: the kernel may rely on its number

    std::optional<Formula> count; ///< buffer: elements; or
    std::vector<Formula> shape;   ///< elements in each dimension, slowest first
    std::vector<Formula> strides; ///< elements between neighbours in each dimension; empty: dense
    Access access = Access::in;
    std::optional<Fill> fill; ///< absent: normal for in and inout, zeros for scratch
    std::uint32_t align = 0;  ///< bytes; the least that the kernel may assume
    bool mayAliasAll = false;
    std::vector<std::string> mayAlias;  ///< buffers that may be the same memory
    std::optional<Tolerance> tolerance; ///< absent: the spec's

    std::uint32_t size = 0; ///< struct: bytes (`align` is its alignment)
    std::vector<StructField> fields;

    std::vector<std::uint8_t> bytes; ///< "bytes"

    std::vector<std::string> of; ///< buffers of a pointer array, tensor map, texture or surface
    std::string options;         ///< the other keys of a tensor map, texture or surface, as JSON text
};

struct SymbolSizes {
    std::string name;
    std::vector<std::int64_t> function, stress, benchmark;
};

struct Baseline {
    std::string ptx, nvcc, sourceSha256;
};

struct GlobalVariable {
    std::string name;
    ElementType type = ElementType::u32;
    std::optional<Formula> value, count;
    std::optional<Fill> fill;
    bool compare = false;
};

enum class ReferenceKind : std::uint8_t { none, host, python, baseline, expected };
struct Reference {
    ReferenceKind kind = ReferenceKind::none;
    std::string file, function;
    std::map<std::string, std::string> expected; ///< file of the right values (.npy, .bin) by the output's name
};

/// A further implementation that stands in every table beside the baseline.
struct NamedBaseline {
    std::string name, ptx;
};

struct HostFunction {
    std::string file, function;
};

struct Work {
    std::optional<Formula> flops, bytes;      ///< of one launch
    Formula reduction = Formula::constant(1); ///< additions that go into one output element
    std::optional<ElementType> accumulator;   ///< absent: f32, f64 for f64 output
};

struct Limits {
    std::optional<std::uint32_t> registers, sharedBytes;
};

enum class ShipsAs : std::uint8_t { cubin, ptx };

struct KernelSpec {
    std::string name, title, intent;
    std::vector<std::string> notes;
    std::string source, entry;
    std::vector<std::string> flags, files;
    std::string arch; ///< "sm_90"; empty: not given
    std::optional<Baseline> baseline;
    std::vector<NamedBaseline> moreBaselines;
    std::vector<SymbolSizes> symbols; ///< in alphabetical order
    std::vector<Expression> require;
    LaunchShape launch;
    std::vector<LaunchStep> launches; ///< in place of `entry` and `launch`
    std::vector<Argument> arguments;
    std::vector<GlobalVariable> globals;
    Reference reference;
    std::optional<HostFunction> inputs, compare;
    Tolerance tolerance;
    bool deterministic = true;
    Limits limits;
    Work work;
    ShipsAs shipsAs = ShipsAs::cubin;
    std::vector<std::string> candidates;
};

/// Texts (or bytes) of the files that a spec names, by the name that the spec gives them.
using KernelFiles = std::map<std::string, std::string, std::less<>>;

struct Kernel {
    KernelSpec spec;
    KernelFiles files;
};

/// Null where there is none.
const Argument* findArgument(const KernelSpec& spec, std::string_view name);
std::vector<std::string> symbolNames(const KernelSpec& spec);

/// The arguments that are parameters of the entry, in order. A buffer that a struct, pointer array, tensor map, texture
/// or surface refers to is reached through that one and is no parameter of its own.
std::vector<const Argument*> parameters(const KernelSpec& spec);

/// Whether native code or Python of the spec runs in a verification: reference, inputs or compare.
bool bringsCode(const KernelSpec& spec);

/// Files that the spec cannot do without, each once: source, files, baseline, reference, inputs, compare, fills.
std::vector<std::string> namedFiles(const KernelSpec& spec);

/// What the spec asks for and this version does not do, one note each with the field's path: "not supported yet: ...".
/// A stage that would need it is inconclusive; nothing of it is ignored. `launch`: only what keeps a launch from being
/// built.
enum class Needed : std::uint8_t { everything, launch };
std::vector<Diagnostic> unsupportedFeatures(const KernelSpec& spec, Needed needed = Needed::everything);

} // namespace ptxwb::kernel

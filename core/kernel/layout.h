// From a spec and the values of its symbols to one launch: shape, buffers with their first content, parameter bytes.
// Called by the funnel and `ptxwb run` for every launch, on the emulator and on a GPU.
#pragma once

#include "kernel/candidate_header.h"
#include "kernel/spec.h"
#include "kernel/tensor_map.h"
#include "kernel/texture.h"

namespace ptxwb::kernel {

struct Relocation {
    std::uint32_t offset = 0; ///< bytes, inside the parameter or buffer
    std::uint32_t buffer = 0; ///< whose device address (8 bytes) goes there
};

/// A device buffer. Element `i` (0 ... elementCount - 1, row-major over `shape`) lies at `elementOffset(buffer, i)`;
/// what lies between is padding that no launch may change.
struct Buffer {
    std::string name;
    ElementType type = ElementType::f32;
    Access access = Access::in;
    std::uint32_t align = 4;            ///< bytes; the least that the kernel may assume
    std::vector<std::uint64_t> shape;   ///< elements
    std::vector<std::uint64_t> strides; ///< elements
    std::uint64_t elementCount = 0;     ///< product of `shape`
    std::vector<std::uint8_t>
        bytes;        ///< first content: the fill, zeros in outputs, `BuildOptions::padding` in the padding
    std::string fill; ///< name of the fill, empty for outputs

    std::vector<Relocation> pointers = {}; ///< a pointer array: addresses of earlier buffers in `bytes`
    std::optional<std::uint32_t> sharesWith = std::nullopt; ///< it lies in the place of that buffer
    bool isVariable = false; ///< a module variable of this name: it has no memory of its own
};
/// What lies in the padding: NaN in every floating-point type, so that who reads it spoils what it computes; and a
/// large number in most, for those who drop a NaN.
constexpr std::uint8_t paddingByte = 0xFF, otherPaddingByte = 0x7F;

struct Parameter {
    std::string name;
    std::uint32_t align = 1;         ///< bytes
    std::vector<std::uint8_t> bytes; ///< little-endian, addresses still 0
    std::vector<Relocation> relocations;
    std::optional<TensorMap> map = std::nullopt;   ///< whose encoding the bytes are to hold
    std::optional<Texture> texture = std::nullopt; ///< whose handle the bytes are to hold
};

/// One launch of an entry.
struct LaunchPart {
    std::string entry; ///< as the spec writes it
    std::array<std::uint32_t, 3> grid{}, block{}, cluster{1, 1, 1};
    std::uint32_t sharedBytes = 0;
    bool cooperative = false;
    std::vector<Parameter> parameters;

    /// A grid that the spec makes 0.
    bool launchesNothing() const { return grid[0] == 0 || grid[1] == 0 || grid[2] == 0; }
};

/// A launch with its memory. Of a kernel of several launches it is the first one, and `following` has the others: they
/// come one after another over the same buffers.
struct LaunchData : LaunchPart {
    std::vector<LaunchPart> following;
    std::vector<Parameter> arguments; ///< of a kernel of several launches: every parameter, in the spec's order
    /// In the order of the spec's arguments; then its globals, then its pointer arrays.
    std::vector<Buffer> buffers;
    Symbols symbols;
    std::uint64_t seed = 0;

    /// Every parameter in the spec's order, whichever launch takes it.
    const std::vector<Parameter>& allParameters() const {
        return following.empty() && arguments.empty() ? parameters : arguments;
    }
    /// Nothing is launched and every buffer must stay as it is.
    bool isEmpty() const {
        for (const LaunchPart& part : following)
            if (!part.launchesNothing()) return false;
        return launchesNothing();
    }
};

enum class Contents : std::uint8_t {
    filled,
    shapeOnly, ///< buffers have no bytes: for a launch whose inputs are there already
};

struct BuildOptions {
    std::uint64_t seed = 1;
    std::optional<Fill> fill; ///< in place of the spec's, see `isFillFree` and `isBounded`
    double scalarFactor = 1;  ///< what numbers of free floating-point scalars are multiplied by, see `isScalarFree`
    const LaunchOverride* launch = nullptr;
    std::uint64_t byteLimit = std::uint64_t{4} << 30; ///< of all buffers together
    Contents contents = Contents::filled;
    std::uint8_t padding = paddingByte;

    /// `buffer` begins with the content of `of`; `share`: it lies in its place too. Both must have as many bytes.
    struct Alias {
        std::string buffer, of;
        bool share = true;
    };
    std::optional<Alias> alias = std::nullopt;
};

/// Builds one launch. `symbols` holds a value for every symbol, and for sm_count and max_blocks_per_sm where known.
/// Errors: expressions, sizes that are negative or over `byteLimit`, scalars that do not fit their type (badRequest,
/// with the field's path); a launch that no GPU takes or an empty grid by the candidate's own override (rejected, kind
/// "launch"); what `unsupportedFeatures` names (badRequest, kind "unsupported").
Expected<LaunchData> buildLaunch(const Kernel& kernel, const Symbols& symbols, const BuildOptions& options = {});

/// Pairs of buffers that `may_alias` allows in one place, each once: the first lies in the place of the second.
std::vector<BuildOptions::Alias> allowedAliases(const KernelSpec& spec);

/// Whether stress may try other distributions: float inputs whose fill is no file, constant, count or own range, and
/// integer inputs for which the spec names no fill (indices must stay in the range that the spec gives them).
bool isFillFree(const Argument& argument);

/// Whether its values are random ones between two ends that the spec names: then all at one end are inputs too, and the
/// fills zeros and ones stand for them.
bool isBounded(const Argument& argument);

/// Whether stress may try another number: a floating-point scalar that the spec writes as a number, but 0, and does not
/// call `fixed`.
bool isScalarFree(const Argument& argument);

/// In elements from the buffer's start.
std::uint64_t elementOffset(const Buffer& buffer, std::uint64_t element);
/// Index in each dimension.
std::vector<std::uint64_t> elementIndex(const Buffer& buffer, std::uint64_t element);

enum class Poison : std::uint8_t { first, second };
/// Overwrites the elements (not the padding) with a pattern that is NaN in floating-point types. The two patterns
/// differ in every byte: what a launch leaves at both was not written.
void poison(Buffer& buffer, Poison pattern);

/// For each element, 1 where `afterFirst` or `afterSecond` (the bytes after launches over the two patterns) was
/// written.
std::vector<std::uint8_t> writtenElements(const Buffer& buffer, std::span<const std::uint8_t> afterFirst,
                                          std::span<const std::uint8_t> afterSecond);

/// Offset in bytes of the first changed byte of the padding; nullopt where it is whole.
std::optional<std::uint64_t> damagedPadding(const Buffer& buffer, std::span<const std::uint8_t> after);

} // namespace ptxwb::kernel

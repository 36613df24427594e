// One context on one GPU: loads cubins, launches kernels between guards, and says what came back.
// Called by verify's GPU backend inside the worker. After a sticky error or a hang the process must end: see `isLost`.
#pragma once

#include "gpu/device.h"

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb::gpu {

using Grid3 = std::array<std::uint32_t, 3>;

/// What the driver says of a loaded kernel. Source: CUfunction_attribute.
struct FunctionInfo {
    int registers = 0, maxThreadsPerBlock = 0;
    int sharedBytes = 0, constBytes = 0, localBytes = 0;
    int binaryVersion = 0; ///< 90 for sm_90
};

class Gpu;

/// An entry of a loaded module. Ends with its Gpu or before.
class Kernel {
public:
    ~Kernel();
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;
    const FunctionInfo& info() const;

private:
    friend class Gpu;
    friend struct Native;
    struct State;
    explicit Kernel(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

enum class Access : std::uint8_t { readOnly, readWrite };

/// Where a buffer stands in its pages: behind it lies unmapped memory at once, or after less than twice its alignment,
/// or after less than 256 bytes.
enum class Placement : std::uint8_t {
    flush,     ///< the end at the page's end as far as the alignment allows
    exact,     ///< aligned to what is granted and to nothing more
    allocated, ///< at a multiple of 256 bytes, as the CUDA runtime gives it
};

struct Patch {
    std::uint32_t offset = 0; ///< bytes, in the parameter block or buffer
    std::size_t buffer = 0;   ///< whose address (8 bytes) goes there
};

struct BufferIn {
    std::span<const std::uint8_t> bytes;
    std::uint32_t align = 4;
    Access access = Access::readWrite;
    std::size_t size = 0;             ///< bytes, for `launchPlain`: a buffer whose content nobody writes
    std::vector<Patch> pointers = {}; ///< addresses of other buffers in its content
    std::optional<std::size_t> sharesWith =
        std::nullopt; ///< it lies in the place of that buffer, which has as many bytes
};

/// A tensor map that is encoded when its buffer has its address. Dimension 0 is the one whose elements lie together.
/// Source: CUDA Driver API 13.0, cuTensorMapEncodeTiled.
struct TensorMapIn {
    enum class Type : std::uint8_t { u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16 };

    std::uint32_t offset = 0; ///< bytes, in the parameter block
    std::size_t buffer = 0;
    Type type = Type::f32;
    std::vector<std::uint64_t> sizes;               ///< elements
    std::vector<std::uint64_t> strides;             ///< bytes; the first is not looked at
    std::vector<std::uint32_t> box, elementStrides; ///< elements
    std::uint32_t swizzleBytes = 0;                 ///< 0, 32, 64, 128
    std::uint32_t l2PromotionBytes = 0;             ///< 0, 64, 128, 256
    bool fillsWithNaN = false;                      ///< elements outside of the tensor; else zeros
};

/// A texture or surface object, made for the launches of one request and destroyed with their buffers. Objects of one
/// buffer share its array. Source: CUDA Driver API 13.0, cuTexObjectCreate, cuSurfObjectCreate, cuArray3DCreate.
struct TextureIn {
    enum class Type : std::uint8_t { u8, u16, u32, s8, s16, s32, f16, f32 }; ///< of a channel
    enum class Address : std::uint8_t { wrap, clamp, mirror, border };

    std::uint32_t offset = 0; ///< bytes, in the parameter block
    std::size_t buffer = 0;
    bool isSurface = false;
    bool isLinear = false; ///< the buffer itself, of one dimension; else an array that is filled from it
    Type type = Type::f32;
    unsigned channels = 1;
    std::vector<std::uint64_t> size; ///< texels: width, height, depth
    std::vector<Address> address;    ///< one for each dimension; of a surface not looked at, as what follows
    bool filtersLinearly = false, isNormalized = false;
    bool readsNormalizedFloat = false; ///< of integers; they are read as they are otherwise
};

/// One launch of an entry.
struct LaunchTarget {
    Grid3 grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};
    std::uint32_t sharedBytes = 0; ///< dynamic
    bool cooperative = false;
    std::vector<std::uint8_t> parameters; ///< one behind the other, each at a multiple of its alignment
    std::vector<std::uint32_t> offsets;   ///< of each parameter in them
    std::vector<Patch> patches;
    std::vector<TensorMapIn> tensorMaps;
    std::vector<TextureIn> textures;

    bool launchesNothing() const { return grid[0] == 0 || grid[1] == 0 || grid[2] == 0; }
};

struct FollowingLaunch {
    const Kernel* kernel = nullptr;
    LaunchTarget target;
};

/// A variable of the module: set before the launch, and read back after it.
struct VariableIn {
    std::string name;
    std::span<const std::uint8_t> bytes;
};

struct LaunchRequest : LaunchTarget {
    std::vector<BufferIn> buffers;
    std::vector<FollowingLaunch> following; ///< one after another over the same buffers, entries of the same module
    std::vector<VariableIn> variables;
    Placement placement = Placement::flush;
    std::chrono::milliseconds deadline{10'000};
};

enum class Ended : std::uint8_t {
    completed,
    refused,  ///< the launch itself: too many resources, a shape that no GPU takes
    faulted,  ///< the kernel: `problem` says how; the context is lost
    timedOut, ///< the kernel still runs: the process must end
};

struct GuardDamage {
    std::size_t buffer = 0;
    std::int64_t offset = 0; ///< bytes from the buffer's start: negative before it, at least its size behind it
};

struct LaunchResult {
    Ended ended = Ended::completed;
    int code = 0;        ///< CUresult
    std::string problem; ///< "CUDA_ERROR_ILLEGAL_ADDRESS (700): ..."; empty where it completed
    double seconds = 0;  ///< by an event pair: the launch is included
    std::vector<std::vector<std::uint8_t>> buffers;   ///< contents afterwards; empty unless completed
    std::vector<GuardDamage> damage;                  ///< bytes around buffers that the kernel changed
    std::vector<std::vector<std::uint8_t>> variables; ///< contents afterwards, as in the request
};

class Gpu {
public:
    enum class Purpose : std::uint8_t {
        timing,   ///< CUPTI records the durations of kernels
        counters, ///< CUPTI replays kernels for `profile`
        tools,    ///< a tool watches the process: CUPTI is left to it
    };
    struct Options {
        int device = 0;
        std::filesystem::path cupti; ///< libcupti of the toolkit; empty: durations come from events
        Purpose purpose = Purpose::timing;
    };
    /// Makes a context (about 200 ms). Errors (Cause::missing): as `devices`, no such device, no memory for a context.
    static Expected<std::unique_ptr<Gpu>> open(const Options& options);
    ~Gpu();
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    const Device& device() const;
    /// Why durations come from events; empty where CUPTI gives them.
    const std::string& timingNote() const;

    /// `image`: a cubin, or PTX for the driver's own compiler. Errors (rejected): another architecture, no such entry.
    Expected<std::unique_ptr<Kernel>> load(std::string_view image, const std::string& entry);

    /// Another entry of the module of `loaded`, which must outlive it. Errors (rejected): no such entry.
    Expected<std::unique_ptr<Kernel>> entry(const Kernel& loaded, const std::string& entry);

    /// What a variable of the kernel's module holds now. Errors (rejected): the driver knows none of that name.
    Expected<std::vector<std::uint8_t>> variable(const Kernel& kernel, const std::string& name);

    /// One launch over fresh memory. What the kernel does wrong is in the result; errors are the driver's own: out of
    /// memory (missing), a lost context (internal).
    Expected<LaunchResult> launch(const Kernel& kernel, const LaunchRequest& request, std::stop_token stop = {});

    /// The launches of a request over plain allocations, for a tool that watches this process: nothing is read back.
    /// Errors: as the driver says.
    Expected<void> launchPlain(const Kernel& kernel, const LaunchRequest& request);

    /// True after a fault or a hang: nothing more can be asked of this process.
    bool isLost() const;

    /// Blocks that fit on a multiprocessor by the driver's own calculation.
    Expected<int> blocksPerSm(const Kernel& kernel, int threads, std::size_t sharedBytes) const;

    struct State;
    State& state() { return *m_state; } ///< for benchmark.cpp and profiler.cpp

private:
    explicit Gpu(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace ptxwb::gpu

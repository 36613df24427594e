// The device memory of a benchmark: a pool of inputs larger than the L2, outputs for each kernel, and what flushes the
// cache. Used by benchmark.cpp only.
#pragma once

#include "gpu/benchmark.h"
#include "gpu/gpu_state.h"
#include "gpu/texture_array.h"

#include <map>

namespace ptxwb::gpu {

/// Plain device memory; nothing is freed after the context was lost.
class DeviceBlock {
public:
    static Expected<DeviceBlock> allocate(Gpu::State& gpu, std::size_t bytes);
    DeviceBlock(DeviceBlock&& other) noexcept;
    DeviceBlock& operator=(DeviceBlock&&) = delete;
    ~DeviceBlock();
    CUdeviceptr at() const { return m_at; }
    std::size_t bytes() const { return m_bytes; }

private:
    DeviceBlock(Gpu::State& gpu, CUdeviceptr at, std::size_t bytes) : m_gpu(&gpu), m_at(at), m_bytes(bytes) {}
    Gpu::State* m_gpu;
    CUdeviceptr m_at;
    std::size_t m_bytes;
};

class BenchMemory {
public:
    /// Errors (missing): the inputs do not fit twice, with outputs for `subjects` kernels.
    static Expected<BenchMemory> make(Gpu& gpu, const std::vector<BenchBuffer>& buffers, std::size_t subjects);

    /// Arrays and objects of the subjects' textures and surfaces: each set has arrays of its inputs, each subject those
    /// of what it writes. Before the first launch. Errors (missing): no memory for those of the first set, or what else
    /// the driver refuses; where later sets have none, there are fewer.
    Expected<void> makeTextures(const std::vector<const BenchSubject*>& subjects);

    std::size_t sets() const { return m_sets.size(); }
    /// Finds the variables of the subject's module that buffers lie in; before anything of it is launched. Errors
    /// (rejected): the module has no such variable.
    Expected<void> bind(std::size_t subject, const Kernel& kernel);
    /// Brings outputs, inouts and variables of a subject into their first state; later, on the stream.
    void prepare(std::size_t set, std::size_t subject);
    /// Brings what a subject wrote into arrays back into its copies of the buffers; later, on the stream.
    void collect(std::size_t subject);
    /// Evicts everything from the L2; later, on the stream.
    void flush();
    /// Launches all of a subject over `set` as subject number `number`; ends later, on the stream.
    CUresult launch(const BenchSubject& subject, std::size_t set, std::size_t number) const;
    /// What a launch over `set` gets for buffer `buffer`.
    CUdeviceptr address(std::size_t set, std::size_t subject, std::size_t buffer) const;
    /// Where the subject's own copy of a buffer that is written lies.
    struct Place {
        CUdeviceptr at = 0;
        std::size_t bytes = 0;
    };
    Place result(std::size_t subject, std::size_t buffer) const;

private:
    explicit BenchMemory(Gpu::State& gpu, const std::vector<BenchBuffer>& buffers) : m_gpu(&gpu), m_buffers(&buffers) {}
    Expected<void> addSet(std::size_t number);
    Expected<void> addTables();
    CUresult launchPart(const Kernel& kernel, const LaunchTarget& target, std::size_t set, std::size_t number) const;
    CUresult makeTextures(const BenchSubject& subject, std::size_t set, std::size_t number);

    struct Variable {
        std::size_t buffer = 0;
        Place place;
    };
    Gpu::State* m_gpu;
    const std::vector<BenchBuffer>* m_buffers;
    std::vector<std::vector<std::optional<DeviceBlock>>> m_sets;    ///< first contents: by set, by buffer
    std::vector<std::vector<std::optional<DeviceBlock>>> m_results; ///< by subject, by buffer
    /// Buffers with addresses in them: by set, by subject, by buffer.
    std::vector<std::vector<std::vector<std::optional<DeviceBlock>>>> m_tables;
    std::vector<std::vector<Variable>> m_variables; ///< by subject
    std::optional<DeviceBlock> m_flusher;
    using Pair = std::pair<std::size_t, std::size_t>;
    std::map<Pair, TextureArray> m_inputArrays;            ///< by set and buffer
    std::map<Pair, TextureArray> m_resultArrays;           ///< by subject and buffer
    std::map<Pair, std::vector<TextureObject>> m_textures; ///< by set and subject; the arrays outlive them
};

} // namespace ptxwb::gpu

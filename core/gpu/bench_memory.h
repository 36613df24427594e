// The device memory of a benchmark: a pool of inputs larger than the L2, outputs for each kernel, and what flushes the
// cache. Used by benchmark.cpp only.
#pragma once

#include "gpu/benchmark.h"
#include "gpu/gpu_state.h"

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

    std::size_t sets() const { return m_sets.size(); }
    /// Brings outputs and inouts of a subject into their first state; later, on the stream.
    void prepare(std::size_t set, std::size_t subject);
    /// Evicts everything from the L2; later, on the stream.
    void flush();
    /// Launches a kernel over `set` as subject number `number`; ends later, on the stream.
    CUresult launch(const BenchSubject& subject, std::size_t set, std::size_t number) const;
    /// What a launch over `set` gets for buffer `buffer`.
    CUdeviceptr address(std::size_t set, std::size_t subject, std::size_t buffer) const;
    /// The subject's own copy of a buffer that is written.
    const DeviceBlock& result(std::size_t subject, std::size_t buffer) const;

private:
    explicit BenchMemory(Gpu::State& gpu, const std::vector<BenchBuffer>& buffers) : m_gpu(&gpu), m_buffers(&buffers) {}
    Expected<void> addSet(std::size_t number);

    Gpu::State* m_gpu;
    const std::vector<BenchBuffer>* m_buffers;
    std::vector<std::vector<std::optional<DeviceBlock>>> m_sets;    ///< first contents: by set, by buffer
    std::vector<std::vector<std::optional<DeviceBlock>>> m_results; ///< by subject, by buffer
    std::optional<DeviceBlock> m_flusher;
};

} // namespace ptxwb::gpu

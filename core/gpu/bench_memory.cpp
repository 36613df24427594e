#include "gpu/bench_memory.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace ptxwb::gpu {

namespace {

constexpr std::size_t mostSets = 32;
constexpr std::uint8_t unwritten = 0xFF; ///< a NaN in every floating-point type

std::size_t setsFor(const std::vector<BenchBuffer>& buffers, std::size_t l2Bytes, std::size_t freeBytes) {
    std::size_t bytes = 0;
    for (const BenchBuffer& buffer : buffers)
        if (buffer.role != Role::output) bytes += buffer.bytes.size();
    if (bytes == 0) return 1;
    const std::size_t wanted = std::max<std::size_t>(2, 2 * l2Bytes / bytes + 1);
    return std::clamp<std::size_t>(std::min(wanted, freeBytes / 2 / bytes), 1, mostSets);
}

} // namespace

Expected<DeviceBlock> DeviceBlock::allocate(Gpu::State& gpu, std::size_t bytes) {
    CUdeviceptr at = 0;
    if (const CUresult result = gpu.api->allocate(&at, std::max<std::size_t>(bytes, 1)); result != CUDA_SUCCESS)
        return failure(Cause::missing, fmt::format("{} bytes: {}", bytes, describe(*gpu.api, result, "cuMemAlloc")),
                       "use smaller benchmark sizes, or free the device's memory");
    return DeviceBlock(gpu, at, bytes);
}

DeviceBlock::DeviceBlock(DeviceBlock&& other) noexcept
    : m_gpu(other.m_gpu), m_at(std::exchange(other.m_at, 0)), m_bytes(other.m_bytes) {}

DeviceBlock::~DeviceBlock() {
    if (m_at && !m_gpu->lost) m_gpu->api->free(m_at);
}

Expected<void> BenchMemory::addSet(std::size_t number) {
    const DriverApi& api = *m_gpu->api;
    auto& set = m_sets.emplace_back();
    set.resize(m_buffers->size());
    for (std::size_t i = 0; i < m_buffers->size(); ++i) {
        const BenchBuffer& buffer = (*m_buffers)[i];
        if (buffer.role == Role::output) continue;
        auto block = DeviceBlock::allocate(*m_gpu, buffer.bytes.size());
        if (!block) return std::unexpected(std::move(block.error()));
        const std::size_t bytes = buffer.bytes.size(), elements = bytes / buffer.elementBytes;
        if (number == 0) {
            if (bytes > 0) api.copyToDevice(block->at(), buffer.bytes.data(), bytes);
        } else {
            // Turned round by some elements: other values everywhere, from the same distribution.
            const std::size_t shift =
                buffer.mayRotate && elements > 1 ? (number * 7919 % (elements - 1) + 1) * buffer.elementBytes : 0;
            const CUdeviceptr first = m_sets[0][i]->at();
            if (bytes > shift) api.copyOnDevice(block->at(), first + shift, bytes - shift, m_gpu->stream);
            if (shift > 0) api.copyOnDevice(block->at() + (bytes - shift), first, shift, m_gpu->stream);
        }
        set[i].emplace(std::move(*block));
    }
    return {};
}

Expected<BenchMemory> BenchMemory::make(Gpu& gpu, const std::vector<BenchBuffer>& buffers, std::size_t subjects) {
    Gpu::State& state = gpu.state();
    BenchMemory memory(state, buffers);
    auto flusher = DeviceBlock::allocate(state, std::max<std::size_t>(2 * state.device.l2Bytes, std::size_t{64} << 20));
    if (!flusher) return std::unexpected(std::move(flusher.error()));
    memory.m_flusher.emplace(std::move(*flusher));
    for (std::size_t subject = 0; subject < subjects; ++subject) {
        auto& results = memory.m_results.emplace_back();
        results.resize(buffers.size());
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            if (buffers[i].role == Role::input) continue;
            auto block = DeviceBlock::allocate(state, buffers[i].bytes.size());
            if (!block) return std::unexpected(std::move(block.error()));
            results[i].emplace(std::move(*block));
        }
    }
    std::size_t freeBytes = 0, totalBytes = 0;
    state.api->memoryInfo(&freeBytes, &totalBytes);
    const std::size_t sets = setsFor(buffers, state.device.l2Bytes, freeBytes);
    for (std::size_t number = 0; number < sets; ++number) {
        auto added = memory.addSet(number);
        if (added) continue;
        if (number == 0) return std::unexpected(std::move(added.error()));
        memory.m_sets.pop_back(); // fewer will do
        break;
    }
    state.api->streamSynchronize(state.stream);
    return memory;
}

void BenchMemory::prepare(std::size_t set, std::size_t subject) {
    for (std::size_t i = 0; i < m_buffers->size(); ++i) {
        const auto& own = m_results[subject][i];
        if (!own || own->bytes() == 0) continue;
        if ((*m_buffers)[i].role == Role::inout)
            m_gpu->api->copyOnDevice(own->at(), m_sets[set][i]->at(), own->bytes(), m_gpu->stream);
        else
            m_gpu->api->setBytesLater(own->at(), unwritten, own->bytes(), m_gpu->stream);
    }
}

void BenchMemory::flush() {
    m_gpu->api->setBytesLater(m_flusher->at(), 0, m_flusher->bytes(), m_gpu->stream);
}

CUresult BenchMemory::launch(const BenchSubject& subject, std::size_t set, std::size_t number) const {
    std::vector<std::uint8_t> parameters = subject.shape.parameters;
    for (const Patch& patch : subject.shape.patches) {
        const CUdeviceptr at = address(set, number, patch.buffer);
        std::memcpy(parameters.data() + patch.offset, &at, sizeof at);
    }
    std::vector<CUdeviceptr> addresses;
    for (const TensorMapIn& map : subject.shape.tensorMaps) addresses.push_back(address(set, number, map.buffer));
    if (const CUresult refused = encodeTensorMaps(*m_gpu, subject.shape, addresses, parameters);
        refused != CUDA_SUCCESS)
        return refused;
    LaunchConfig config;
    if (const CUresult refused = configure(*subject.kernel, subject.shape, config); refused != CUDA_SUCCESS)
        return refused;
    return launchWith(*m_gpu, *subject.kernel, config, subject.shape, parameters);
}

CUdeviceptr BenchMemory::address(std::size_t set, std::size_t subject, std::size_t buffer) const {
    return (*m_buffers)[buffer].role == Role::input ? m_sets[set][buffer]->at() : m_results[subject][buffer]->at();
}

const DeviceBlock& BenchMemory::result(std::size_t subject, std::size_t buffer) const {
    return *m_results[subject][buffer];
}

} // namespace ptxwb::gpu

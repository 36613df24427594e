#include "gpu/peaks.h"

#include "gpu/bench_memory.h"
#include "gpu/peak_kernels.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ptxwb::gpu {

namespace {

constexpr std::size_t readBytes = std::size_t{1} << 30; ///< many times any L2
constexpr double longEnough = 2e-3;                     ///< seconds, so that the launch is nothing beside it
constexpr int repeats = 3;

class Events {
public:
    explicit Events(Gpu::State& gpu) : m_gpu(gpu) {
        gpu.api->eventCreate(&m_start, CU_EVENT_DEFAULT);
        gpu.api->eventCreate(&m_end, CU_EVENT_DEFAULT);
    }
    ~Events() {
        m_gpu.api->eventDestroy(m_start);
        m_gpu.api->eventDestroy(m_end);
    }
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;

    Expected<double> seconds(const Kernel& kernel, const LaunchRequest& shape) const {
        LaunchConfig config;
        std::vector<std::uint8_t> parameters = shape.parameters;
        CUresult result = configure(kernel, shape, config);
        if (result == CUDA_SUCCESS) result = m_gpu.api->eventRecord(m_start, m_gpu.stream);
        if (result == CUDA_SUCCESS) result = launchWith(m_gpu, kernel, config, shape, parameters);
        if (result == CUDA_SUCCESS) result = m_gpu.api->eventRecord(m_end, m_gpu.stream);
        if (result == CUDA_SUCCESS) result = m_gpu.api->streamSynchronize(m_gpu.stream);
        float milliseconds = 0;
        if (result == CUDA_SUCCESS) result = m_gpu.api->eventElapsed(&milliseconds, m_start, m_end);
        if (result != CUDA_SUCCESS) {
            m_gpu.lost = isSticky(result);
            return failure(Cause::internal, describe(*m_gpu.api, result, "measuring the device's peaks"));
        }
        return milliseconds / 1e3;
    }

    /// The shortest of some.
    Expected<double> best(const Kernel& kernel, const LaunchRequest& shape) const {
        double least = 0;
        for (int i = 0; i < repeats; ++i) {
            const auto once = seconds(kernel, shape);
            if (!once) return once;
            least = i == 0 ? *once : std::min(least, *once);
        }
        return least;
    }

private:
    Gpu::State& m_gpu;
    CUevent m_start = nullptr, m_end = nullptr;
};

template <typename... Values>
void setParameters(LaunchTarget& to, Values... values) {
    to.parameters.clear();
    to.offsets.clear();
    const auto add = [&to](auto value) {
        std::vector<std::uint8_t>& bytes = to.parameters;
        bytes.resize((bytes.size() + sizeof value - 1) / sizeof value * sizeof value);
        to.offsets.push_back(static_cast<std::uint32_t>(bytes.size()));
        const auto raw = std::bit_cast<std::array<std::uint8_t, sizeof value>>(value);
        bytes.insert(bytes.end(), raw.begin(), raw.end());
    };
    (add(values), ...);
}

Expected<double> operationRate(Gpu& gpu, const Events& events, const PeakKernel& peak, CUdeviceptr out) {
    const auto kernel = gpu.load(peak.ptx, "peak");
    if (!kernel) return std::unexpected(kernel.error());
    const auto blocks = gpu.blocksPerSm(**kernel, static_cast<int>(peak.block), 0);
    if (!blocks) return std::unexpected(blocks.error());
    LaunchRequest shape;
    shape.grid = {static_cast<std::uint32_t>(gpu.device().smCount * std::max(1, *blocks)), 1, 1};
    shape.block = {peak.block, 1, 1};
    std::uint32_t loops = 256;
    double seconds = 0;
    while (true) {
        setParameters(shape, loops, std::uint64_t{out});
        const auto once = events.best(**kernel, shape);
        if (!once) return once;
        seconds = *once;
        if (seconds >= longEnough || loops > (1U << 24)) break;
        loops *= 4;
    }
    return peak.operations * loops * shape.grid[0] * peak.block / seconds;
}

Expected<double> readRate(Gpu& gpu, const Events& events, CUdeviceptr data) {
    const auto kernel = gpu.load(bandwidthPtx(), "peak");
    if (!kernel) return std::unexpected(kernel.error());
    LaunchRequest shape;
    shape.grid = {static_cast<std::uint32_t>(readBytes / bandwidthBytesPerThread / bandwidthBlock), 1, 1};
    shape.block = {bandwidthBlock, 1, 1};
    setParameters(shape, std::uint64_t{data});
    const auto seconds = events.best(**kernel, shape);
    if (!seconds) return seconds;
    return static_cast<double>(readBytes) / *seconds;
}

} // namespace

Expected<Peaks> measurePeaks(Gpu& gpu, std::stop_token stop) {
    Gpu::State& state = gpu.state();
    state.api->contextSetCurrent(state.context);
    const auto memory = DeviceBlock::allocate(state, readBytes);
    if (!memory) return std::unexpected(memory.error());
    const Events events(state);
    Peaks peaks;
    const auto bytes = readRate(gpu, events, memory->at());
    if (!bytes) return std::unexpected(bytes.error());
    peaks.bytesPerSecond = *bytes;
    for (const PeakKernel& peak : peakKernels(gpu.device().major, gpu.device().minor)) {
        if (stop.stop_requested()) return failure(Cause::cancelled, "cancelled");
        const auto rate = operationRate(gpu, events, peak, memory->at());
        if (!rate) return std::unexpected(rate.error());
        peaks.operationsPerSecond[peak.rate] = *rate;
    }
    return peaks;
}

} // namespace ptxwb::gpu

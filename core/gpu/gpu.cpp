#include "gpu/gpu.h"

#include "gpu/bench_memory.h"
#include "gpu/guarded_buffer.h"
#include "gpu/texture_objects.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <thread>

namespace ptxwb::gpu {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

constexpr microseconds spinning{2000}, betweenLooks{100};

/// An event that is destroyed while its context lives.
class Event {
public:
    explicit Event(Gpu::State& gpu) : m_gpu(gpu) { m_gpu.api->eventCreate(&m_event, CU_EVENT_DEFAULT); }
    ~Event() {
        if (!m_gpu.lost) m_gpu.api->eventDestroy(m_event);
    }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    CUresult record() { return m_gpu.api->eventRecord(m_event, m_gpu.stream); }
    CUresult query() { return m_gpu.api->eventQuery(m_event); }
    double secondsSince(const Event& start) const {
        float milliseconds = 0;
        m_gpu.api->eventElapsed(&milliseconds, start.m_event, m_event);
        return static_cast<double>(milliseconds) * 1e-3;
    }

private:
    Gpu::State& m_gpu;
    CUevent m_event = nullptr;
};

/// Polls until the event has passed. CUDA_ERROR_NOT_READY at the deadline or when `stop` asks.
CUresult wait(Event& event, std::chrono::milliseconds deadline, const std::stop_token& stop) {
    const auto start = Clock::now();
    while (true) {
        const CUresult result = event.query();
        if (result != CUDA_ERROR_NOT_READY) return result;
        const auto waited = Clock::now() - start;
        if (waited > deadline || stop.stop_requested()) return CUDA_ERROR_NOT_READY;
        if (waited > spinning) std::this_thread::sleep_for(betweenLooks);
    }
}

FunctionInfo infoOf(const DriverApi& api, CUfunction function) {
    const auto attribute = [&](CUfunction_attribute which) {
        int value = 0;
        return api.functionAttribute(&value, which, function) == CUDA_SUCCESS ? value : 0;
    };
    return {attribute(CU_FUNC_ATTRIBUTE_NUM_REGS),          attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
            attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), attribute(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES),
            attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),  attribute(CU_FUNC_ATTRIBUTE_BINARY_VERSION)};
}

} // namespace

CUresult launchWith(Gpu::State& gpu, const Kernel& kernel, LaunchConfig& config, const LaunchTarget& target,
                    std::vector<std::uint8_t>& parameters) {
    std::vector<void*> each;
    for (const std::uint32_t offset : target.offsets) each.push_back(parameters.data() + offset);
    return gpu.api->launch(&config.config, Native::of(kernel).function, each.data(), nullptr);
}

CUresult configure(const Kernel& kernel, const LaunchTarget& request, LaunchConfig& to) {
    const auto& k = Native::of(kernel);
    const DriverApi& api = *k.gpu->api;
    constexpr std::uint32_t withoutAsking = 48 << 10, portableCluster = 8;
    if (request.sharedBytes + static_cast<std::uint32_t>(k.info.sharedBytes) > withoutAsking)
        if (const CUresult result = api.functionSetAttribute(
                k.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(request.sharedBytes));
            result != CUDA_SUCCESS)
            return result;
    to.config.gridDimX = request.grid[0];
    to.config.gridDimY = request.grid[1];
    to.config.gridDimZ = request.grid[2];
    to.config.blockDimX = request.block[0];
    to.config.blockDimY = request.block[1];
    to.config.blockDimZ = request.block[2];
    to.config.sharedMemBytes = request.sharedBytes;
    to.config.hStream = k.gpu->stream;
    to.config.attrs = to.attributes.data();
    const std::uint32_t clusterBlocks = request.cluster[0] * request.cluster[1] * request.cluster[2];
    if (clusterBlocks > 1) {
        if (clusterBlocks > portableCluster)
            if (const CUresult result =
                    api.functionSetAttribute(k.function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
                result != CUDA_SUCCESS)
                return result;
        CUlaunchAttribute& attribute = to.attributes[to.config.numAttrs++];
        attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attribute.value.clusterDim.x = request.cluster[0];
        attribute.value.clusterDim.y = request.cluster[1];
        attribute.value.clusterDim.z = request.cluster[2];
    }
    if (request.cooperative) {
        CUlaunchAttribute& attribute = to.attributes[to.config.numAttrs++];
        attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        attribute.value.cooperative = 1;
    }
    return CUDA_SUCCESS;
}

Kernel::Kernel(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Kernel::~Kernel() {
    if (m_state->module && m_state->ownsModule && !m_state->gpu->lost) m_state->gpu->api->moduleUnload(m_state->module);
}
const FunctionInfo& Kernel::info() const {
    return m_state->info;
}

Gpu::Gpu(std::unique_ptr<State> state) : m_state(std::move(state)) {}

Gpu::~Gpu() {
    // A lost context is the process's last: tearing it down may wait for a kernel that never ends.
    if (m_state->lost || !m_state->context) return;
    m_state->api->streamDestroy(m_state->stream);
    m_state->api->contextDestroy(m_state->context);
}

Expected<std::unique_ptr<Gpu>> Gpu::open(const Options& options) {
    const auto found = devices();
    if (!found) return std::unexpected(found.error());
    if (options.device < 0 || options.device >= static_cast<int>(found->size()))
        return failure(Cause::missing,
                       fmt::format("there is no device {}: this machine has {}", options.device, found->size()),
                       "`ptxwb doctor` lists them");
    auto state = std::make_unique<State>();
    state->api = *driver();
    state->device = (*found)[static_cast<std::size_t>(options.device)];
    // Before the context: records of one that is older are not complete.
    state->cupti = options.cupti;
    if (options.purpose != Purpose::timing)
        state->timingNote = "CUPTI is used for something else";
    else if (auto activity = Activity::enable(options.cupti))
        state->activity = *activity;
    else
        state->timingNote = activity.error().message;
    const DriverApi& api = *state->api;
    CUresult result = api.deviceGet(&state->handle, options.device);
    CUctxCreateParams parameters{};
    if (result == CUDA_SUCCESS)
        result = api.contextCreate(&state->context, &parameters, CU_CTX_SCHED_SPIN, state->handle);
    if (result != CUDA_SUCCESS)
        return failure(Cause::missing, describe(api, result, "cuCtxCreate"),
                       "the device may be full, in exclusive use or in another compute mode: see nvidia-smi");
    result = api.streamCreate(&state->stream, CU_STREAM_NON_BLOCKING);
    if (result != CUDA_SUCCESS) return failure(Cause::missing, describe(api, result, "cuStreamCreate"));
    api.contextSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0);
    return std::unique_ptr<Gpu>(new Gpu(std::move(state)));
}

const Device& Gpu::device() const {
    return m_state->device;
}
const std::string& Gpu::timingNote() const {
    return m_state->timingNote;
}
bool Gpu::isLost() const {
    return m_state->lost;
}

Expected<std::unique_ptr<Kernel>> Gpu::load(std::string_view image, const std::string& entry) {
    const DriverApi& api = *m_state->api;
    api.contextSetCurrent(m_state->context);
    auto kernel = std::make_unique<Kernel::State>();
    kernel->gpu = m_state.get();
    kernel->entry = entry;
    const std::string terminated(image); // PTX must end in a zero byte
    std::array<char, 4096> log{};        // of the driver's own compiler
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size() - 1)};
    CUresult result = api.moduleLoad(&kernel->module, terminated.c_str(), 2, options, values);
    if (result != CUDA_SUCCESS) {
        std::string_view said(log.data());
        while (!said.empty() && static_cast<unsigned char>(said.back()) <= ' ') said.remove_suffix(1);
        return failure(
            Cause::rejected,
            fmt::format("{}{}{}", describe(api, result, "cuModuleLoadDataEx"), said.empty() ? "" : ": ", said),
            fmt::format("the code must be for {} or run on it", m_state->device.arch()));
    }
    result = api.moduleFunction(&kernel->function, kernel->module, entry.c_str());
    if (result != CUDA_SUCCESS) {
        api.moduleUnload(kernel->module);
        return failure(Cause::rejected, fmt::format("{}: {}", entry, describe(api, result, "cuModuleGetFunction")));
    }
    kernel->info = infoOf(api, kernel->function);
    return std::unique_ptr<Kernel>(new Kernel(std::move(kernel)));
}

Expected<std::unique_ptr<Kernel>> Gpu::entry(const Kernel& loaded, const std::string& entry) {
    const DriverApi& api = *m_state->api;
    api.contextSetCurrent(m_state->context);
    auto kernel = std::make_unique<Kernel::State>();
    kernel->gpu = m_state.get();
    kernel->entry = entry;
    kernel->module = Native::of(loaded).module;
    kernel->ownsModule = false;
    if (const CUresult result = api.moduleFunction(&kernel->function, kernel->module, entry.c_str());
        result != CUDA_SUCCESS)
        return failure(Cause::rejected, fmt::format("{}: {}", entry, describe(api, result, "cuModuleGetFunction")));
    kernel->info = infoOf(api, kernel->function);
    return std::unique_ptr<Kernel>(new Kernel(std::move(kernel)));
}

Expected<std::vector<std::uint8_t>> Gpu::variable(const Kernel& kernel, const std::string& name) {
    const DriverApi& api = *m_state->api;
    api.contextSetCurrent(m_state->context);
    CUdeviceptr address = 0;
    std::size_t size = 0;
    CUresult result = api.moduleGlobal(&address, &size, Native::of(kernel).module, name.c_str());
    std::vector<std::uint8_t> bytes(size);
    if (result == CUDA_SUCCESS && size) result = api.copyToHost(bytes.data(), address, size);
    if (result == CUDA_SUCCESS) return bytes;
    return failure(Cause::rejected, fmt::format("{}: {}", name, describe(api, result, "cuModuleGetGlobal")));
}

namespace {

/// Writes the variables of the request into the kernel's module, or reads them back.
CUresult setVariables(const Gpu::State& gpu, const Kernel& kernel, const std::vector<VariableIn>& variables) {
    for (const VariableIn& variable : variables) {
        CUdeviceptr address = 0;
        std::size_t size = 0;
        CUresult result = gpu.api->moduleGlobal(&address, &size, Native::of(kernel).module, variable.name.c_str());
        if (result == CUDA_SUCCESS && size)
            result = gpu.api->copyToDevice(address, variable.bytes.data(), std::min(size, variable.bytes.size()));
        if (result != CUDA_SUCCESS) return result;
    }
    return CUDA_SUCCESS;
}

/// Calls f(target) for each launch of the request.
template <class F>
void eachTarget(const LaunchRequest& request, F f) {
    f(static_cast<const LaunchTarget&>(request));
    for (const FollowingLaunch& next : request.following) f(next.target);
}

/// Whether a texture reads the buffer where it lies.
bool isLinearTexture(const LaunchRequest& request, std::size_t buffer) {
    bool found = false;
    eachTarget(request, [&](const LaunchTarget& target) {
        for (const TextureIn& texture : target.textures) found |= texture.isLinear && texture.buffer == buffer;
    });
    return found;
}

CUresult makeTextures(TextureObjects& textures, const LaunchRequest& request,
                      const std::vector<CUdeviceptr>& addresses) {
    CUresult result = CUDA_SUCCESS;
    eachTarget(request, [&](const LaunchTarget& target) {
        if (result == CUDA_SUCCESS) result = textures.make(target, request.buffers, addresses);
    });
    return result == CUDA_SUCCESS ? textures.settle() : result;
}

/// The content of a buffer with the addresses that belong into it.
std::vector<std::uint8_t> withAddresses(const BufferIn& content, const std::vector<GuardedBuffer>& buffers,
                                        const std::vector<std::size_t>& places) {
    std::vector<std::uint8_t> bytes(content.bytes.begin(), content.bytes.end());
    for (const Patch& pointer : content.pointers) {
        const CUdeviceptr address = buffers[places[pointer.buffer]].address();
        std::memcpy(bytes.data() + pointer.offset, &address, sizeof address);
    }
    return bytes;
}

} // namespace

Expected<LaunchResult> Gpu::launch(const Kernel& kernel, const LaunchRequest& request, std::stop_token stop) {
    State& gpu = *m_state;
    const DriverApi& api = *gpu.api;
    if (gpu.lost)
        return failure(Cause::internal, "the device's context was lost by an earlier kernel", "start another worker");
    api.contextSetCurrent(gpu.context);
    std::vector<GuardedBuffer> buffers;
    buffers.reserve(request.buffers.size());
    std::vector<std::size_t> places(request.buffers.size()); ///< in `buffers`
    for (std::size_t i = 0; i < request.buffers.size(); ++i) {
        BufferIn content = request.buffers[i];
        if (content.sharesWith) {
            if (*content.sharesWith < i) places[i] = places[*content.sharesWith];
            continue;
        }
        const auto patched = withAddresses(content, buffers, places);
        if (!content.pointers.empty()) content.bytes = patched;
        if (isLinearTexture(request, i)) content.align = std::max(content.align, TextureObjects::linearAlign(gpu));
        places[i] = buffers.size();
        auto made = GuardedBuffer::make(api, gpu.handle, content, request.placement);
        if (!made) {
            // What was launched before may show only now; then nothing more can be done here.
            gpu.lost = isSticky(api.contextSynchronize());
            if (gpu.lost)
                for (GuardedBuffer& buffer : buffers) buffer.abandon();
            return std::unexpected(std::move(made.error()));
        }
        buffers.push_back(std::move(*made));
        if (content.access == Access::readOnly) buffers.back().protect();
    }
    for (std::size_t i = 0; i < request.buffers.size(); ++i)
        if (request.buffers[i].sharesWith) places[i] = places[*request.buffers[i].sharesWith];
    LaunchResult outcome;
    const auto ends = [&](Ended how, CUresult result, std::string_view call) {
        outcome.ended = how;
        outcome.code = static_cast<int>(result);
        outcome.problem = describe(api, result, call);
        if (how == Ended::refused && !isSticky(result)) return outcome;
        gpu.lost = true;
        for (GuardedBuffer& buffer : buffers) buffer.abandon();
        return outcome;
    };
    if (const CUresult result = setVariables(gpu, kernel, request.variables); result != CUDA_SUCCESS)
        return ends(isSticky(result) ? Ended::faulted : Ended::refused, result, "setting the module's variables");
    TextureObjects textures(gpu);
    std::vector<CUdeviceptr> eachAddress;
    for (const std::size_t place : places) eachAddress.push_back(buffers[place].address());
    if (const CUresult result = makeTextures(textures, request, eachAddress); result != CUDA_SUCCESS)
        return ends(isSticky(result) ? Ended::faulted : Ended::refused, result, "making a texture or surface object");
    Event start(gpu), end(gpu);
    const auto launchOne = [&](const Kernel& one, const LaunchTarget& target) -> std::optional<LaunchResult> {
        if (target.launchesNothing()) return std::nullopt;
        std::vector<std::uint8_t> parameters = target.parameters;
        for (const Patch& patch : target.patches) {
            const CUdeviceptr address = buffers[places[patch.buffer]].address();
            std::memcpy(parameters.data() + patch.offset, &address, sizeof address);
        }
        std::vector<CUdeviceptr> addresses;
        for (const TensorMapIn& map : target.tensorMaps) addresses.push_back(buffers[places[map.buffer]].address());
        if (const CUresult result = encodeTensorMaps(gpu, target, addresses, parameters); result != CUDA_SUCCESS)
            return ends(Ended::refused, result, "cuTensorMapEncodeTiled");
        textures.patch(target, parameters);
        LaunchConfig config;
        if (const CUresult result = configure(one, target, config); result != CUDA_SUCCESS)
            return ends(Ended::refused, result, "cuFuncSetAttribute");
        if (const CUresult result = launchWith(gpu, one, config, target, parameters); result != CUDA_SUCCESS)
            return ends(isSticky(result) ? Ended::faulted : Ended::refused, result, "cuLaunchKernelEx");
        return std::nullopt;
    };
    start.record();
    if (auto failed = launchOne(kernel, request)) return std::move(*failed);
    for (const FollowingLaunch& next : request.following)
        if (auto failed = launchOne(*next.kernel, next.target)) return std::move(*failed);
    end.record();
    if (const CUresult result = wait(end, request.deadline, stop); result == CUDA_ERROR_NOT_READY)
        return ends(Ended::timedOut, result, "the kernel still runs");
    else if (result != CUDA_SUCCESS)
        return ends(Ended::faulted, result, "the kernel");
    outcome.seconds = end.secondsSince(start);
    for (std::size_t i = 0; i < request.buffers.size(); ++i) {
        std::optional<std::int64_t> damage;
        std::vector<std::uint8_t>& content = outcome.buffers.emplace_back();
        if (const CUresult result = buffers[places[i]].read(content, damage); result != CUDA_SUCCESS)
            return ends(Ended::faulted, result, "cuMemcpyDtoH");
        if (const CUresult result = textures.read(i, content); result != CUDA_SUCCESS)
            return ends(Ended::faulted, result, "cuMemcpy3D from a surface's array");
        if (damage && !request.buffers[i].sharesWith) outcome.damage.push_back({i, *damage});
        // Addresses differ from launch to launch: what is still the one that was given counts as unchanged.
        const auto given = withAddresses(request.buffers[i], buffers, places);
        for (const Patch& pointer : request.buffers[i].pointers)
            if (std::memcmp(content.data() + pointer.offset, given.data() + pointer.offset, 8) == 0)
                std::memcpy(content.data() + pointer.offset, request.buffers[i].bytes.data() + pointer.offset, 8);
    }
    for (const VariableIn& each : request.variables) {
        auto content = variable(kernel, each.name);
        if (!content) return std::unexpected(std::move(content.error()));
        outcome.variables.push_back(std::move(*content));
    }
    return outcome;
}

Expected<void> Gpu::launchPlain(const Kernel& kernel, const LaunchRequest& request) {
    State& gpu = *m_state;
    const DriverApi& api = *gpu.api;
    api.contextSetCurrent(gpu.context);
    std::vector<DeviceBlock> blocks;
    for (const BufferIn& content : request.buffers) {
        auto block = DeviceBlock::allocate(gpu, std::max(content.size, content.bytes.size()));
        if (!block) return std::unexpected(std::move(block.error()));
        blocks.push_back(std::move(*block));
    }
    const auto patched = [&blocks](std::span<const std::uint8_t> given, const std::vector<Patch>& patches) {
        std::vector<std::uint8_t> bytes(given.begin(), given.end());
        for (const Patch& patch : patches) {
            const CUdeviceptr address = blocks[patch.buffer].at();
            std::memcpy(bytes.data() + patch.offset, &address, sizeof address);
        }
        return bytes;
    };
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto bytes = patched(request.buffers[i].bytes, request.buffers[i].pointers);
        if (!bytes.empty()) api.copyToDevice(blocks[i].at(), bytes.data(), bytes.size());
    }
    std::vector<CUdeviceptr> eachAddress;
    for (const DeviceBlock& block : blocks) eachAddress.push_back(block.at());
    CUresult result = setVariables(gpu, kernel, request.variables);
    TextureObjects textures(gpu);
    if (result == CUDA_SUCCESS) result = makeTextures(textures, request, eachAddress);
    const auto launchOne = [&](const Kernel& one, const LaunchTarget& target) {
        if (result != CUDA_SUCCESS || target.launchesNothing()) return;
        auto parameters = patched(target.parameters, target.patches);
        std::vector<CUdeviceptr> addresses;
        for (const TensorMapIn& map : target.tensorMaps) addresses.push_back(blocks[map.buffer].at());
        textures.patch(target, parameters);
        LaunchConfig config;
        result = encodeTensorMaps(gpu, target, addresses, parameters);
        if (result == CUDA_SUCCESS) result = configure(one, target, config);
        if (result == CUDA_SUCCESS) result = api.contextSynchronize();
        if (result == CUDA_SUCCESS) result = launchWith(gpu, one, config, target, parameters);
        if (result == CUDA_SUCCESS) result = api.streamSynchronize(gpu.stream);
    };
    launchOne(kernel, request);
    for (const FollowingLaunch& next : request.following) launchOne(*next.kernel, next.target);
    if (result == CUDA_SUCCESS) return {};
    gpu.lost = isSticky(result);
    return failure(Cause::rejected, describe(api, result, "the kernel"));
}

Expected<int> Gpu::blocksPerSm(const Kernel& kernel, int threads, std::size_t sharedBytes) const {
    m_state->api->contextSetCurrent(m_state->context);
    int blocks = 0;
    const CUresult result = m_state->api->occupancy(&blocks, Native::of(kernel).function, threads, sharedBytes);
    if (result != CUDA_SUCCESS)
        return failure(Cause::rejected, describe(*m_state->api, result, "cuOccupancyMaxActiveBlocksPerMultiprocessor"));
    return blocks;
}

} // namespace ptxwb::gpu

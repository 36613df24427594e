#include "gpu/bench_memory.h"

#include "gpu/texture_objects.h"

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
            if (buffers[i].role == Role::input || !buffers[i].variable.empty()) continue;
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
    memory.m_variables.resize(subjects);
    if (auto added = memory.addTables(); !added) return std::unexpected(std::move(added.error()));
    return memory;
}

Expected<void> BenchMemory::addTables() {
    m_tables.resize(m_sets.size());
    for (std::size_t set = 0; set < m_sets.size(); ++set)
        for (std::size_t subject = 0; subject < m_results.size(); ++subject) {
            auto& tables = m_tables[set].emplace_back();
            tables.resize(m_buffers->size());
            for (std::size_t i = 0; i < m_buffers->size(); ++i) {
                const BenchBuffer& buffer = (*m_buffers)[i];
                if (buffer.pointers.empty()) continue;
                std::vector<std::uint8_t> bytes(buffer.bytes.begin(), buffer.bytes.end());
                for (const Patch& pointer : buffer.pointers) {
                    const CUdeviceptr at = address(set, subject, pointer.buffer);
                    std::memcpy(bytes.data() + pointer.offset, &at, sizeof at);
                }
                auto block = DeviceBlock::allocate(*m_gpu, bytes.size());
                if (!block) return std::unexpected(std::move(block.error()));
                m_gpu->api->copyToDevice(block->at(), bytes.data(), bytes.size());
                tables[i].emplace(std::move(*block));
            }
        }
    return {};
}

CUresult BenchMemory::makeTextures(const BenchSubject& subject, std::size_t set, std::size_t number) {
    std::vector<TextureObject>& objects = m_textures[{set, number}];
    for (const TextureIn& texture : subject.shape.textures) {
        CUarray handle = nullptr;
        if (!texture.isLinear) {
            const bool isInput = (*m_buffers)[texture.buffer].role == Role::input;
            auto& arrays = isInput ? m_inputArrays : m_resultArrays;
            const auto [known, isNew] =
                arrays.try_emplace(Pair{isInput ? set : number, texture.buffer}, *m_gpu, texture);
            if (isNew) {
                CUresult result = known->second.create();
                if (result == CUDA_SUCCESS && isInput)
                    result = known->second.fromDevice(m_sets[set][texture.buffer]->at());
                if (result != CUDA_SUCCESS) return result;
            }
            handle = known->second.handle();
        }
        TextureObject object(*m_gpu);
        if (const CUresult result = object.create(texture, handle, address(set, number, texture.buffer));
            result != CUDA_SUCCESS)
            return result;
        objects.push_back(std::move(object));
    }
    return CUDA_SUCCESS;
}

Expected<void> BenchMemory::makeTextures(const std::vector<const BenchSubject*>& subjects) {
    for (const BenchSubject* subject : subjects)
        for (const FollowingLaunch& next : subject->shape.following)
            if (!next.target.textures.empty())
                return failure(Cause::rejected,
                               "a texture or surface of a later launch: only those of the first are timed",
                               "give each launch a spec of its own to time it");
    m_gpu->api->contextSynchronize(); // the inputs may still be on their way, on another stream
    for (std::size_t set = 0; set < m_sets.size(); ++set)
        for (std::size_t number = 0; number < subjects.size(); ++number) {
            const CUresult result = makeTextures(*subjects[number], set, number);
            if (result == CUDA_SUCCESS) continue;
            if (set == 0 || result != CUDA_ERROR_OUT_OF_MEMORY)
                return failure(Cause::missing, describe(*m_gpu->api, result, "making a texture or surface object"),
                               "use smaller benchmark sizes, or free the device's memory");
            const auto isOfSet = [set](const auto& each) { return each.first.first == set; };
            std::erase_if(m_textures, isOfSet);
            std::erase_if(m_inputArrays, isOfSet);
            m_sets.resize(set); // fewer will do
            return {};
        }
    return {};
}

Expected<void> BenchMemory::bind(std::size_t subject, const Kernel& kernel) {
    m_variables[subject].clear();
    for (std::size_t i = 0; i < m_buffers->size(); ++i) {
        const BenchBuffer& buffer = (*m_buffers)[i];
        if (buffer.variable.empty()) continue;
        Variable variable{i, {}};
        const CUresult result = m_gpu->api->moduleGlobal(&variable.place.at, &variable.place.bytes,
                                                         Native::of(kernel).module, buffer.variable.c_str());
        if (result != CUDA_SUCCESS)
            return failure(Cause::rejected,
                           fmt::format("{}: {}", buffer.variable, describe(*m_gpu->api, result, "cuModuleGetGlobal")));
        m_variables[subject].push_back(variable);
    }
    return {};
}

void BenchMemory::prepare(std::size_t set, std::size_t subject) {
    for (std::size_t i = 0; i < m_buffers->size(); ++i) {
        const auto& own = m_results[subject][i];
        if (!own || own->bytes() == 0) continue;
        if ((*m_buffers)[i].role != Role::output)
            m_gpu->api->copyOnDevice(own->at(), m_sets[set][i]->at(), own->bytes(), m_gpu->stream);
        else
            m_gpu->api->setBytesLater(own->at(), unwritten, own->bytes(), m_gpu->stream);
        if (const auto array = m_resultArrays.find({subject, i}); array != m_resultArrays.end())
            array->second.fromDevice(own->at());
    }
    for (const Variable& variable : m_variables[subject]) {
        const DeviceBlock& first = *m_sets[set][variable.buffer];
        const std::size_t bytes = std::min(first.bytes(), variable.place.bytes);
        if (bytes > 0) m_gpu->api->copyOnDevice(variable.place.at, first.at(), bytes, m_gpu->stream);
    }
}

void BenchMemory::collect(std::size_t subject) {
    for (const auto& [place, array] : m_resultArrays)
        if (place.first == subject) array.toDevice(m_results[subject][place.second]->at());
}

void BenchMemory::flush() {
    m_gpu->api->setBytesLater(m_flusher->at(), 0, m_flusher->bytes(), m_gpu->stream);
}

CUresult BenchMemory::launch(const BenchSubject& subject, std::size_t set, std::size_t number) const {
    CUresult result = launchPart(*subject.kernel, subject.shape, set, number);
    for (const FollowingLaunch& next : subject.shape.following) {
        if (result != CUDA_SUCCESS) break;
        result = launchPart(*next.kernel, next.target, set, number);
    }
    return result;
}

CUresult BenchMemory::launchPart(const Kernel& kernel, const LaunchTarget& target, std::size_t set,
                                 std::size_t number) const {
    if (target.launchesNothing()) return CUDA_SUCCESS;
    std::vector<std::uint8_t> parameters = target.parameters;
    for (const Patch& patch : target.patches) {
        const CUdeviceptr at = address(set, number, patch.buffer);
        std::memcpy(parameters.data() + patch.offset, &at, sizeof at);
    }
    std::vector<CUdeviceptr> addresses;
    for (const TensorMapIn& map : target.tensorMaps) addresses.push_back(address(set, number, map.buffer));
    if (const CUresult refused = encodeTensorMaps(*m_gpu, target, addresses, parameters); refused != CUDA_SUCCESS)
        return refused;
    if (const auto objects = m_textures.find({set, number}); !target.textures.empty() && objects != m_textures.end())
        patchHandles(target, objects->second, parameters);
    LaunchConfig config;
    if (const CUresult refused = configure(kernel, target, config); refused != CUDA_SUCCESS) return refused;
    return launchWith(*m_gpu, kernel, config, target, parameters);
}

CUdeviceptr BenchMemory::address(std::size_t set, std::size_t subject, std::size_t buffer) const {
    const BenchBuffer& which = (*m_buffers)[buffer];
    if (!which.pointers.empty()) return m_tables[set][subject][buffer]->at();
    return which.role == Role::input ? m_sets[set][buffer]->at() : m_results[subject][buffer]->at();
}

BenchMemory::Place BenchMemory::result(std::size_t subject, std::size_t buffer) const {
    for (const Variable& variable : m_variables[subject])
        if (variable.buffer == buffer)
            return {variable.place.at, std::min(variable.place.bytes, (*m_buffers)[buffer].bytes.size())};
    return {m_results[subject][buffer]->at(), m_results[subject][buffer]->bytes()};
}

} // namespace ptxwb::gpu

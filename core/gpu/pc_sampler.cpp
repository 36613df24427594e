#include "gpu/pc_sampler.h"

#include "gpu/bench_memory.h"
#include "gpu/cupti_library.h"

#include <algorithm>
#include <cstdlib>
#include <cupti_pcsampling.h>

namespace ptxwb::gpu {

namespace {

/// Enough that a line with a hundredth of the time stands out of the noise.
constexpr std::uint64_t enoughSamples = 20'000;
constexpr unsigned leastLaunches = 3, mostLaunches = 200;
constexpr std::size_t recordsAtOnce = 4096;

struct SamplerApi {
    CuptiLibrary library;
#define PTXWB_CUPTI(member, function) decltype(&::function) member = nullptr;
#include "gpu/sampler_functions.def"
#undef PTXWB_CUPTI
};

Expected<SamplerApi> openSampler(const std::filesystem::path& file) {
    auto library = CuptiLibrary::open(file);
    if (!library) return std::unexpected(std::move(library.error()));
    SamplerApi api{std::move(*library)};
#define PTXWB_CUPTI(member, function) api.library.find(api.member, #function);
#include "gpu/sampler_functions.def"
#undef PTXWB_CUPTI
    if (auto done = api.library.complete(); !done) return std::unexpected(std::move(done.error()));
    return api;
}

/// "smsp__pcsamp_warps_issue_stalled_long_scoreboard" to "long_scoreboard".
std::string shortName(std::string_view name) {
    for (const std::string_view prefix : {"smsp__pcsamp_warps_issue_", "stalled_"})
        if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    return std::string(name);
}

class Sampler {
public:
    Sampler(const SamplerApi& api, Gpu::State& gpu) : m_api(api), m_gpu(gpu) {}
    ~Sampler() {
        if (!m_enabled || m_gpu.lost) return;
        auto p = parameters<CUpti_PCSamplingDisableParams>(CUpti_PCSamplingDisableParamsSize);
        m_api.disable(&p);
    }
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    /// Before the kernel is loaded, so that its functions are known by name.
    Expected<void> open() {
        auto enable = parameters<CUpti_PCSamplingEnableParams>(CUpti_PCSamplingEnableParamsSize);
        if (auto done = check(m_api.enable(&enable), "cuptiPCSamplingEnable"); !done) return done;
        m_enabled = true;
        if (auto done = readReasons(); !done) return done;
        return configure();
    }

    Expected<void> start() {
        auto p = parameters<CUpti_PCSamplingStartParams>(CUpti_PCSamplingStartParamsSize);
        return check(m_api.start(&p), "cuptiPCSamplingStart");
    }

    /// After all launches have ended.
    Expected<void> stop() {
        auto p = parameters<CUpti_PCSamplingStopParams>(CUpti_PCSamplingStopParamsSize);
        return check(m_api.stop(&p), "cuptiPCSamplingStop");
    }

    /// What was recorded since the last call.
    Expected<void> take(std::string_view cubin) {
        addAll(m_configured.data, cubin); // what CUPTI put there by itself
        while (true) {
            auto p = parameters<CUpti_PCSamplingGetDataParams>(CUpti_PCSamplingGetDataParamsSize);
            p.pcSamplingData = &m_taken.data;
            const CUptiResult got = m_api.data(&p);
            // A full hardware buffer costs samples; what was decoded before is still right.
            if (got != CUPTI_ERROR_OUT_OF_MEMORY)
                if (auto done = check(got, "cuptiPCSamplingGetData"); !done) return done;
            const bool isLast = m_taken.data.remainingNumPcs == 0;
            addAll(m_taken.data, cubin);
            if (isLast) return {};
        }
    }

    std::uint64_t samples() const { return m_result.samples; }

    SampleResult result(unsigned launches) {
        for (auto& [at, instruction] : m_instructions)
            if (instruction.samples > 0) m_result.instructions.push_back(std::move(instruction));
        m_result.launches = launches;
        return std::move(m_result);
    }

private:
    /// Room for records, each with all reasons. Referred to by address.
    struct Records {
        CUpti_PCSamplingData data{};
        std::vector<CUpti_PCSamplingPCData> pcs;
        std::vector<CUpti_PCSamplingStallReason> reasons;

        void make(std::size_t reasonCount) {
            pcs.resize(recordsAtOnce);
            reasons.resize(recordsAtOnce * reasonCount);
            for (std::size_t i = 0; i < recordsAtOnce; ++i) {
                pcs[i].size = sizeof(CUpti_PCSamplingPCData);
                pcs[i].stallReason = reasons.data() + i * reasonCount;
            }
            data.size = sizeof data;
            data.collectNumPcs = recordsAtOnce;
            data.pPcData = pcs.data();
        }
    };

    template <typename Parameters>
    Parameters parameters(std::size_t size) const {
        Parameters p{};
        p.size = size;
        p.ctx = m_gpu.context;
        return p;
    }

    Expected<void> check(CUptiResult result, std::string_view call) const { return m_api.library.check(result, call); }

    Expected<void> readReasons() {
        std::size_t count = 0;
        auto size = parameters<CUpti_PCSamplingGetNumStallReasonsParams>(CUpti_PCSamplingGetNumStallReasonsParamsSize);
        size.numStallReasons = &count;
        if (auto done = check(m_api.reasonCount(&size), "cuptiPCSamplingGetNumStallReasons"); !done) return done;
        std::vector<std::array<char, CUPTI_STALL_REASON_STRING_SIZE>> texts(count);
        std::vector<char*> names;
        for (auto& text : texts) names.push_back(text.data());
        std::vector<std::uint32_t> indices(count);
        auto read = parameters<CUpti_PCSamplingGetStallReasonsParams>(CUpti_PCSamplingGetStallReasonsParamsSize);
        read.numStallReasons = count;
        read.stallReasonIndex = indices.data();
        read.stallReasons = names.data();
        if (auto done = check(m_api.reasons(&read), "cuptiPCSamplingGetStallReasons"); !done) return done;
        for (std::size_t i = 0; i < count; ++i) m_reasons[indices[i]] = shortName(texts[i].data());
        return {};
    }

    Expected<void> configure() {
        m_configured.make(m_reasons.size());
        m_taken.make(m_reasons.size());
        std::array<CUpti_PCSamplingConfigurationInfo, 3> infos{};
        infos[0].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE;
        infos[0].attributeData.collectionModeData.collectionMode = CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
        infos[1].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL;
        infos[1].attributeData.enableStartStopControlData.enableStartStopControl = 1;
        infos[2].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER;
        infos[2].attributeData.samplingDataBufferData.samplingDataBuffer = &m_configured.data;
        auto p = parameters<CUpti_PCSamplingConfigurationInfoParams>(CUpti_PCSamplingConfigurationInfoParamsSize);
        p.numAttributes = infos.size();
        p.pPCSamplingConfigurationInfo = infos.data();
        return check(m_api.configure(&p), "cuptiPCSamplingSetConfigurationAttribute");
    }

    void addAll(CUpti_PCSamplingData& data, std::string_view cubin) {
        for (std::size_t i = 0; i < data.totalNumPcs; ++i) add(data.pPcData[i], cubin);
        m_result.dropped += data.droppedSamples;
        data.totalNumPcs = 0;
        data.droppedSamples = 0;
    }

    void add(const CUpti_PCSamplingPCData& pc, std::string_view cubin) {
        const std::string function = pc.functionName ? pc.functionName : "";
        const auto [at, isNew] = m_instructions.try_emplace({function, pc.pcOffset});
        SampledInstruction& to = at->second;
        if (isNew) to = {pc.pcOffset, function, lineOf(pc.pcOffset, function, cubin), 0, {}};
        for (std::size_t i = 0; i < pc.stallReasonCount; ++i) {
            const auto [index, samples] = pc.stallReason[i];
            const std::string& reason = m_reasons[index];
            // A part of the reason of the same name: samples in cycles in which the scheduler issued nothing.
            if (reason.ends_with("_not_issued") || samples == 0) continue;
            to.reasons[reason] += samples;
            to.samples += samples;
            m_result.samples += samples;
        }
    }

    std::uint32_t lineOf(std::uint64_t offset, const std::string& function, std::string_view cubin) const {
        CUpti_GetSassToSourceCorrelationParams p{};
        p.size = CUpti_GetSassToSourceCorrelationParamsSize;
        p.cubin = cubin.data();
        p.cubinSize = cubin.size();
        p.functionName = function.c_str();
        p.pcOffset = offset;
        const CUptiResult found = m_api.sourceOf(&p);
        std::free(p.fileName);
        std::free(p.dirName);
        return found == CUPTI_SUCCESS ? p.lineNumber : 0;
    }

    const SamplerApi& m_api;
    Gpu::State& m_gpu;
    bool m_enabled = false;
    std::map<std::uint32_t, std::string> m_reasons;
    Records m_configured, m_taken;
    std::map<std::pair<std::string, std::uint64_t>, SampledInstruction> m_instructions; ///< by function and offset
    SampleResult m_result;
};

} // namespace

Expected<SampleResult> samplePcs(Gpu& gpu, std::string_view cubin, const std::vector<std::string>& entries,
                                 LaunchRequest shape, const std::vector<BenchBuffer>& buffers, std::stop_token stop) {
    Gpu::State& state = gpu.state();
    state.api->contextSetCurrent(state.context);
    const auto api = openSampler(state.cupti);
    if (!api) return std::unexpected(api.error());
    auto memory = BenchMemory::make(gpu, buffers, 1);
    if (!memory) return std::unexpected(std::move(memory.error()));
    Sampler sampler(*api, state);
    if (auto done = sampler.open(); !done) return std::unexpected(std::move(done.error()));
    const auto kernel = gpu.load(cubin, entries.front());
    if (!kernel) return std::unexpected(kernel.error());
    std::vector<std::unique_ptr<Kernel>> others; ///< of the same module: they end before it
    for (std::size_t i = 0; i < shape.following.size(); ++i) {
        auto other = gpu.entry(**kernel, entries.at(i + 1));
        if (!other) return std::unexpected(std::move(other.error()));
        shape.following[i].kernel = other->get();
        others.push_back(std::move(*other));
    }
    const BenchSubject subject{kernel->get(), std::move(shape)};
    if (auto bound = memory->bind(0, **kernel); !bound) return std::unexpected(std::move(bound.error()));
    if (auto made = memory->makeTextures({&subject}); !made) return std::unexpected(std::move(made.error()));
    unsigned launches = 0;
    for (; launches < mostLaunches && (launches < leastLaunches || sampler.samples() < enoughSamples); ++launches) {
        if (stop.stop_requested()) return failure(Cause::cancelled, "cancelled");
        memory->prepare(0, 0);
        memory->flush();
        state.api->streamSynchronize(state.stream);
        if (auto done = sampler.start(); !done) return std::unexpected(std::move(done.error()));
        CUresult ended = memory->launch(subject, 0, 0);
        if (ended == CUDA_SUCCESS) ended = state.api->streamSynchronize(state.stream);
        if (ended != CUDA_SUCCESS) {
            state.lost = isSticky(ended);
            return failure(Cause::rejected, describe(*state.api, ended, "the kernel under the sampler"));
        }
        if (auto done = sampler.stop(); !done) return std::unexpected(std::move(done.error()));
        if (auto done = sampler.take(cubin); !done) return std::unexpected(std::move(done.error()));
    }
    return sampler.result(launches);
}

} // namespace ptxwb::gpu

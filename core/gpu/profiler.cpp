#include "gpu/profiler.h"

#include "gpu/bench_memory.h"
#include "gpu/cupti_library.h"

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <fmt/format.h>

namespace ptxwb::gpu {

namespace {

struct ProfilerApi {
    CuptiLibrary library;
#define PTXWB_CUPTI(member, function) decltype(&::function) member = nullptr;
#include "gpu/profiler_functions.def"
#undef PTXWB_CUPTI
};

Expected<ProfilerApi> openProfiler(const std::filesystem::path& file) {
    auto library = CuptiLibrary::open(file);
    if (!library) return std::unexpected(std::move(library.error()));
    ProfilerApi api{std::move(*library)};
#define PTXWB_CUPTI(member, function) api.library.find(api.member, #function);
#include "gpu/profiler_functions.def"
#undef PTXWB_CUPTI
    if (auto done = api.library.complete(); !done) return std::unexpected(std::move(done.error()));
    return api;
}

/// The parameters of a call, with the size that the header says. Source: CUPTI, "structSize".
#define PTXWB_PARAMETERS(type, name)                                                                                   \
    type name{};                                                                                                       \
    name.structSize = type##_STRUCT_SIZE

class Session {
public:
    Session(const ProfilerApi& api, Gpu::State& gpu, std::size_t launches)
        : m_api(api), m_gpu(gpu), m_launches(launches) {}
    ~Session() {
        if (m_range) {
            PTXWB_PARAMETERS(CUpti_RangeProfiler_Disable_Params, p);
            p.pRangeProfilerObject = m_range;
            m_api.disable(&p);
        }
        if (m_host) {
            PTXWB_PARAMETERS(CUpti_Profiler_Host_Deinitialize_Params, p);
            p.pHostObject = m_host;
            m_api.hostDeinitialize(&p);
        }
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    Expected<void> open() {
        PTXWB_PARAMETERS(CUpti_Profiler_Initialize_Params, initialize);
        if (auto done = check(m_api.initialize(&initialize), "cuptiProfilerInitialize"); !done) return done;
        if (auto done = checkDevice(); !done) return done;
        PTXWB_PARAMETERS(CUpti_Device_GetChipName_Params, chip);
        chip.deviceIndex = static_cast<std::size_t>(m_gpu.device.ordinal);
        if (auto done = check(m_api.chipName(&chip), "cuptiDeviceGetChipName"); !done) return done;
        PTXWB_PARAMETERS(CUpti_Profiler_GetCounterAvailability_Params, available);
        available.ctx = m_gpu.context;
        if (auto done = check(m_api.availability(&available), "cuptiProfilerGetCounterAvailability"); !done)
            return done;
        m_available.resize(available.counterAvailabilityImageSize);
        available.pCounterAvailabilityImage = m_available.data();
        if (auto done = check(m_api.availability(&available), "cuptiProfilerGetCounterAvailability"); !done)
            return done;
        PTXWB_PARAMETERS(CUpti_Profiler_Host_Initialize_Params, host);
        host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
        host.pChipName = chip.pChipName;
        host.pCounterAvailabilityImage = m_available.data();
        if (auto done = check(m_api.hostInitialize(&host), "cuptiProfilerHostInitialize"); !done) return done;
        m_host = host.pHostObject;
        return {};
    }

    /// Those that the chip has; the others go to `unknown`.
    Expected<void> addMetrics(const std::vector<std::string>& names, std::vector<std::string>& unknown) {
        for (const std::string& name : names) {
            const char* text = name.c_str();
            PTXWB_PARAMETERS(CUpti_Profiler_Host_ConfigAddMetrics_Params, p);
            p.pHostObject = m_host;
            p.ppMetricNames = &text;
            p.numMetrics = 1;
            if (m_api.addMetrics(&p) == CUPTI_SUCCESS)
                m_metrics.push_back(name);
            else
                unknown.push_back(name);
        }
        if (m_metrics.empty())
            return failure(Cause::badRequest, "none of the metrics is known to this chip",
                           "`ncu --query-metrics` lists the names");
        for (const std::string& name : m_metrics) m_names.push_back(name.c_str());
        return {};
    }

    Expected<std::size_t> configure() {
        PTXWB_PARAMETERS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
        size.pHostObject = m_host;
        if (auto done = check(m_api.configSize(&size), "cuptiProfilerHostGetConfigImageSize"); !done)
            return std::unexpected(done.error());
        m_config.resize(size.configImageSize);
        PTXWB_PARAMETERS(CUpti_Profiler_Host_GetConfigImage_Params, image);
        image.pHostObject = m_host;
        image.configImageSize = m_config.size();
        image.pConfigImage = m_config.data();
        if (auto done = check(m_api.configImage(&image), "cuptiProfilerHostGetConfigImage"); !done)
            return std::unexpected(done.error());
        PTXWB_PARAMETERS(CUpti_Profiler_Host_GetNumOfPasses_Params, passes);
        passes.configImageSize = m_config.size();
        passes.pConfigImage = m_config.data();
        if (auto done = check(m_api.passes(&passes), "cuptiProfilerHostGetNumOfPasses"); !done)
            return std::unexpected(done.error());
        if (auto done = enable(); !done) return std::unexpected(done.error());
        return passes.numOfPasses;
    }

    /// `launch` may be called more than once: until all passes are made.
    Expected<void> measure(const std::function<CUresult()>& launch) {
        while (true) {
            PTXWB_PARAMETERS(CUpti_RangeProfiler_Start_Params, start);
            start.pRangeProfilerObject = m_range;
            if (auto done = check(m_api.start(&start), "cuptiRangeProfilerStart"); !done) return done;
            const CUresult launched = launch();
            const CUresult ended = launched == CUDA_SUCCESS ? m_gpu.api->streamSynchronize(m_gpu.stream) : launched;
            PTXWB_PARAMETERS(CUpti_RangeProfiler_Stop_Params, stop);
            stop.pRangeProfilerObject = m_range;
            const CUptiResult stopped = m_api.stop(&stop);
            if (ended != CUDA_SUCCESS) {
                m_gpu.lost = isSticky(ended);
                return failure(Cause::rejected, describe(*m_gpu.api, ended, "the kernel under the profiler"));
            }
            if (auto done = check(stopped, "cuptiRangeProfilerStop"); !done) return done;
            if (stop.isAllPassSubmitted) break;
        }
        PTXWB_PARAMETERS(CUpti_RangeProfiler_DecodeData_Params, decode);
        decode.pRangeProfilerObject = m_range;
        return check(m_api.decode(&decode), "cuptiRangeProfilerDecodeData");
    }

    Expected<std::vector<Metric>> values(std::size_t launch) {
        std::vector<double> numbers(m_names.size());
        PTXWB_PARAMETERS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, p);
        p.pHostObject = m_host;
        p.pCounterDataImage = m_data.data();
        p.counterDataImageSize = m_data.size();
        p.rangeIndex = launch;
        p.ppMetricNames = m_names.data();
        p.numMetrics = m_names.size();
        p.pMetricValues = numbers.data();
        if (auto done = check(m_api.evaluate(&p), "cuptiProfilerHostEvaluateToGpuValues"); !done)
            return std::unexpected(done.error());
        std::vector<Metric> metrics;
        for (std::size_t i = 0; i < numbers.size(); ++i) metrics.push_back({m_metrics[i], numbers[i]});
        return metrics;
    }

private:
    Expected<void> check(CUptiResult result, std::string_view call) const { return m_api.library.check(result, call); }

    Expected<void> checkDevice() const {
        PTXWB_PARAMETERS(CUpti_Profiler_DeviceSupported_Params, p);
        p.cuDevice = m_gpu.handle;
        p.api = CUPTI_PROFILER_RANGE_PROFILING;
        if (auto done = check(m_api.deviceSupported(&p), "cuptiProfilerDeviceSupported"); !done) return done;
        if (p.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED) return {};
        std::string why = "its configuration";
        const auto unlessSupported = [&](CUpti_Profiler_Support_Level level, const char* what) {
            if (level != CUPTI_PROFILER_CONFIGURATION_SUPPORTED) why = what;
        };
        unlessSupported(p.architecture, "its architecture");
        unlessSupported(p.vGpu, "a virtual GPU without profiling");
        unlessSupported(p.confidentialCompute, "confidential computing");
        unlessSupported(p.sli, "SLI");
        unlessSupported(p.wsl, "WSL");
        return failure(Cause::missing, fmt::format("{} has no counters for us: {}", m_gpu.device.name, why),
                       "everything else goes on without them");
    }

    Expected<void> enable() {
        PTXWB_PARAMETERS(CUpti_RangeProfiler_Enable_Params, enable);
        enable.ctx = m_gpu.context;
        if (auto done = check(m_api.enable(&enable), "cuptiRangeProfilerEnable"); !done) return done;
        m_range = enable.pRangeProfilerObject;
        PTXWB_PARAMETERS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
        size.pRangeProfilerObject = m_range;
        size.pMetricNames = m_names.data();
        size.numMetrics = m_names.size();
        size.maxNumOfRanges = m_launches;
        size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(m_launches);
        if (auto done = check(m_api.dataSize(&size), "cuptiRangeProfilerGetCounterDataSize"); !done) return done;
        m_data.resize(size.counterDataSize);
        PTXWB_PARAMETERS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, data);
        data.pRangeProfilerObject = m_range;
        data.counterDataSize = m_data.size();
        data.pCounterData = m_data.data();
        if (auto done = check(m_api.dataInitialize(&data), "cuptiRangeProfilerCounterDataImageInitialize"); !done)
            return done;
        PTXWB_PARAMETERS(CUpti_RangeProfiler_SetConfig_Params, config);
        config.pRangeProfilerObject = m_range;
        config.configSize = m_config.size();
        config.pConfig = m_config.data();
        config.counterDataImageSize = m_data.size();
        config.pCounterDataImage = m_data.data();
        config.range = CUPTI_AutoRange; // one kernel, one range; replayed with its memory restored
        config.replayMode = CUPTI_KernelReplay;
        config.maxRangesPerPass = m_launches;
        config.numNestingLevels = 1;
        config.minNestingLevel = 1;
        config.passIndex = 0;
        config.targetNestingLevel = 1;
        return check(m_api.setConfig(&config), "cuptiRangeProfilerSetConfig");
    }

    const ProfilerApi& m_api;
    Gpu::State& m_gpu;
    std::size_t m_launches; ///< each is a range
    CUpti_Profiler_Host_Object* m_host = nullptr;
    CUpti_RangeProfiler_Object* m_range = nullptr;
    std::vector<std::uint8_t> m_available, m_config, m_data;
    std::vector<std::string> m_metrics;
    std::vector<const char*> m_names; ///< of m_metrics
};

} // namespace

const std::vector<std::string>& defaultMetrics() {
    static const std::vector<std::string> names{
        "gpu__time_duration.sum",
        "sm__throughput.avg.pct_of_peak_sustained_elapsed",
        "dram__throughput.avg.pct_of_peak_sustained_elapsed",
        "sm__warps_active.avg.pct_of_peak_sustained_active",
        "l1tex__t_sector_hit_rate.pct",
        "lts__t_sector_hit_rate.pct",
        "dram__bytes_read.sum",
        "dram__bytes_write.sum",
        "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
        "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
        "sm__inst_executed_pipe_tensor.sum",
        "smsp__inst_executed.sum",
        "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
        "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
        "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio"};
    return names;
}

Expected<ProfileResult> profile(Gpu& gpu, const BenchSubject& subject, const std::vector<BenchBuffer>& buffers,
                                const std::vector<std::string>& metrics, std::stop_token stop) {
    Gpu::State& state = gpu.state();
    state.api->contextSetCurrent(state.context);
    const auto api = openProfiler(state.cupti);
    if (!api) return std::unexpected(api.error());
    auto memory = BenchMemory::make(gpu, buffers, 1);
    if (!memory) return std::unexpected(std::move(memory.error()));
    if (auto made = memory->makeTextures({&subject}); !made) return std::unexpected(std::move(made.error()));
    ProfileResult result;
    if (auto bound = memory->bind(0, *subject.kernel); !bound) return std::unexpected(std::move(bound.error()));
    Session session(*api, state, launchesOf(subject));
    if (auto done = session.open(); !done) return std::unexpected(done.error());
    if (auto done = session.addMetrics(metrics, result.unknown); !done) return std::unexpected(done.error());
    const auto passes = session.configure();
    if (!passes) return std::unexpected(passes.error());
    result.passes = *passes;
    memory->prepare(0, 0);
    memory->flush();
    state.api->streamSynchronize(state.stream);
    if (stop.stop_requested()) return failure(Cause::cancelled, "cancelled");
    const auto launch = [&] { return memory->launch(subject, 0, 0); };
    if (auto done = session.measure(launch); !done) return std::unexpected(done.error());
    for (std::size_t i = 0; i < launchesOf(subject); ++i) {
        auto values = session.values(i);
        if (!values) return std::unexpected(values.error());
        result.launches.push_back(std::move(*values));
    }
    return result;
}

} // namespace ptxwb::gpu

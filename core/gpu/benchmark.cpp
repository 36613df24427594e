#include "gpu/benchmark.h"

#include "gpu/bench_memory.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <random>
#include <thread>

namespace ptxwb::gpu {

namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned leastWarmUps = 3, mostWarmUps = 2000, windowOfWarmUp = 10;
constexpr double warmUpSeconds = 0.05, settled = 0.02;
constexpr double usualClockShare = 0.75;
constexpr unsigned hotRounds = 20, graphLaunches = 50;
constexpr double longestInGraph = 1e-3;                       ///< longer kernels do not feel the launch
constexpr std::size_t alwaysCompared = std::size_t{16} << 20; ///< bytes of an output whose bits differ
/// Hardware, thermal and power-brake slowdowns. A power cap is how a busy GPU works; it shows in the clock.
constexpr unsigned long long slowdowns = 0x8 | 0x20 | 0x40 | 0x80;

/// Counts words in which two buffers differ.
constexpr std::string_view differencesPtx = R"(.version 6.4
.target sm_75
.address_size 64
.visible .entry count_differences(.param .u64 a, .param .u64 b, .param .u64 words, .param .u64 counter)
{
	.reg .pred %p<3>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<12>;
	ld.param.u64 %rd1, [a];
	ld.param.u64 %rd2, [b];
	ld.param.u64 %rd3, [words];
	ld.param.u64 %rd4, [counter];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mov.u32 %r4, %nctaid.x;
	mad.wide.u32 %rd5, %r1, %r2, 0;
	cvt.u64.u32 %rd6, %r3;
	add.u64 %rd5, %rd5, %rd6;
	mul.wide.u32 %rd7, %r4, %r2;
	mov.u32 %r5, 0;
$loop:
	setp.ge.u64 %p1, %rd5, %rd3;
	@%p1 bra $done;
	shl.b64 %rd8, %rd5, 2;
	add.u64 %rd9, %rd1, %rd8;
	add.u64 %rd10, %rd2, %rd8;
	ld.global.u32 %r6, [%rd9];
	ld.global.u32 %r7, [%rd10];
	setp.ne.u32 %p2, %r6, %r7;
	@%p2 add.u32 %r5, %r5, 1;
	add.u64 %rd5, %rd5, %rd7;
	bra $loop;
$done:
	setp.ne.u32 %p2, %r5, 0;
	@%p2 red.global.add.u32 [%rd4], %r5;
	ret;
}
)";

class Bench {
public:
    Bench(Gpu& gpu, const std::vector<BenchBuffer>& buffers, const Compare& compare, const BenchOptions& options,
          std::stop_token stop, BenchMemory memory)
        : m_gpu(gpu), m_state(gpu.state()), m_buffers(buffers), m_compare(compare), m_options(options),
          m_stop(std::move(stop)), m_memory(std::move(memory)), m_monitor(Monitor::open(gpu.device().uuid)),
          m_random(options.seed) {}

    Expected<BenchResult> run(const BenchSubject& baseline, const BenchSubject& candidate) {
        m_subjects = {&baseline};
        if (candidate.kernel) m_subjects.push_back(&candidate);
        m_result.method = m_state.activity ? "CUPTI kernel records" : fmt::format("events ({})", m_state.timingNote);
        if (auto prepared = prepareCheck(); !prepared) return std::unexpected(std::move(prepared.error()));
        warmUp();
        measureCold();
        measureHot();
        measureGraph();
        if (m_stop.stop_requested()) return failure(Cause::cancelled, "cancelled");
        return std::move(m_result);
    }

private:
    BenchSeries& series(std::size_t subject) { return subject == 0 ? m_result.baseline : m_result.candidate; }
    bool mustEnd() const { return !m_result.problem.empty() || m_stop.stop_requested(); }

    void fail(std::size_t subject, std::string problem) {
        m_result.problem = std::move(problem);
        m_result.candidateFailed = subject == 1;
    }

    Expected<void> prepareCheck() {
        auto kernel = m_gpu.load(differencesPtx, "count_differences");
        if (!kernel) return std::unexpected(std::move(kernel.error()));
        m_differences = std::move(*kernel);
        auto counter = DeviceBlock::allocate(m_state, 4);
        if (!counter) return std::unexpected(std::move(counter.error()));
        m_counter.emplace(std::move(*counter));
        return {};
    }

    CUresult enqueue(std::size_t subject, std::size_t set) {
        return m_memory.launch(*m_subjects[subject], set, subject);
    }

    /// Waits for the stream with the deadline of a launch. False, and a problem, where it does not end well.
    bool finish(std::size_t subject, CUevent event) {
        const auto end = Clock::now() + m_options.deadline;
        while (true) {
            const CUresult result = m_state.api->eventQuery(event);
            if (result == CUDA_SUCCESS) return true;
            if (result != CUDA_ERROR_NOT_READY) {
                m_state.lost = true;
                fail(subject, describe(*m_state.api, result, "the kernel"));
                return false;
            }
            if (Clock::now() > end) {
                m_state.lost = true;
                fail(subject, fmt::format("the kernel still runs after {} ms", m_options.deadline.count()));
                return false;
            }
        }
    }

    /// Seconds of one launch; 0 where it failed.
    double timed(std::size_t subject, std::size_t set) {
        const DriverApi& api = *m_state.api;
        api.streamSynchronize(m_state.stream); // preparation is over
        if (m_state.activity) m_state.activity->take();
        CUevent start = nullptr, end = nullptr;
        api.eventCreate(&start, CU_EVENT_DEFAULT);
        api.eventCreate(&end, CU_EVENT_DEFAULT);
        api.eventRecord(start, m_state.stream);
        const CUresult launched = enqueue(subject, set);
        api.eventRecord(end, m_state.stream);
        double seconds = 0;
        if (launched != CUDA_SUCCESS) {
            m_state.lost = isSticky(launched);
            fail(subject, describe(api, launched, "cuLaunchKernelEx"));
        } else if (finish(subject, end)) {
            float milliseconds = 0;
            api.eventElapsed(&milliseconds, start, end);
            seconds = static_cast<double>(milliseconds) * 1e-3;
            if (m_state.activity) seconds = recorded().value_or(0);
        }
        if (!m_state.lost) {
            api.eventDestroy(start);
            api.eventDestroy(end);
        }
        return seconds;
    }

    /// The one record of the launch before. Nothing where it was dropped or has no time: the round does not count.
    std::optional<double> recorded() {
        const auto records = m_state.activity->take();
        if (records.size() != 1 || records[0].end <= records[0].start) return std::nullopt;
        return static_cast<double>(records[0].end - records[0].start) * 1e-9;
    }

    void warmUp() {
        for (std::size_t subject = 0; subject < m_subjects.size() && !mustEnd(); ++subject) {
            std::vector<double> times;
            double total = 0, before = 0;
            while (times.size() < mostWarmUps && !mustEnd()) {
                m_memory.prepare(times.size() % m_memory.sets(), subject);
                times.push_back(timed(subject, times.size() % m_memory.sets()));
                total += times.back();
                if (times.size() < leastWarmUps || total < warmUpSeconds) continue;
                const std::size_t window = std::min<std::size_t>(times.size(), windowOfWarmUp);
                const double now = median({times.end() - static_cast<std::ptrdiff_t>(window), times.end()});
                if (std::abs(now - before) <= settled * now) break;
                before = now;
            }
        }
        if (m_monitor)
            if (const auto state = m_monitor->state()) {
                m_usualClock = state->smClockMHz;
                m_result.smClockMHz = state->smClockMHz;
                m_result.memoryClockMHz = state->memoryClockMHz;
                m_result.temperatureC = state->temperatureC;
            }
    }

    bool isSlowedDown() {
        if (!m_monitor) return false;
        const auto state = m_monitor->state();
        if (!state) return false;
        const bool slow = state->smClockMHz < usualClockShare * m_usualClock;
        if (!slow && (state->throttleReasons & slowdowns) == 0) return false;
        const std::string why = throttleText(state->throttleReasons);
        m_result.throttled = why.empty() ? fmt::format("SM clock at {} MHz", state->smClockMHz) : why;
        return true;
    }

    void measureCold() {
        const auto end = Clock::now() + std::chrono::duration<double>(m_options.budgetSeconds);
        while (!mustEnd()) {
            const bool over = Clock::now() > end;
            if (m_result.rounds >= m_options.leastRounds && (over || isNarrow())) break;
            if (over && m_result.rounds + m_result.discarded >= 3 * m_options.leastRounds) break;
            coldRound();
        }
        if (m_result.rounds > 0 && !mustEnd()) checkOutputs(true);
    }

    void coldRound() {
        const std::size_t set = m_round++ % m_memory.sets();
        std::array<double, 2> seconds{};
        std::array<std::size_t, 2> order{0, 1};
        if (m_random() & 1U) std::swap(order[0], order[1]);
        for (const std::size_t subject : order) {
            if (subject >= m_subjects.size()) continue;
            m_memory.prepare(set, subject);
            m_memory.flush();
            seconds[subject] = timed(subject, set);
            if (mustEnd()) return;
        }
        const bool valid = seconds[0] > 0 && (m_subjects.size() == 1 || seconds[1] > 0);
        if (!valid || isSlowedDown()) {
            ++m_result.discarded;
            return;
        }
        for (std::size_t subject = 0; subject < m_subjects.size(); ++subject)
            series(subject).cold.push_back(seconds[subject]);
        ++m_result.rounds;
        checkOutputs(m_result.rounds <= 2);
    }

    bool isNarrow() {
        if (m_subjects.size() == 1) return m_result.rounds >= 2 * m_options.leastRounds;
        if (m_result.rounds % 10 != 0) return false; // resampling costs more than a round of a short kernel
        const Ratio ratio = pairedRatio(m_result.baseline.cold, m_result.candidate.cold, m_options.seed);
        return ratio.high - ratio.low < m_options.goodEnough;
    }

    unsigned differentWords(CUdeviceptr a, CUdeviceptr b, std::size_t bytes) {
        const DriverApi& api = *m_state.api;
        api.setBytesLater(m_counter->at(), 0, 4, m_state.stream);
        LaunchRequest request;
        request.grid = {1024, 1, 1};
        request.block = {256, 1, 1};
        LaunchConfig config;
        configure(*m_differences, request, config);
        std::uint64_t words = bytes / 4, counter = m_counter->at();
        void* parameters[] = {&a, &b, &words, &counter};
        api.launch(&config.config, Native::of(*m_differences).function, parameters, nullptr);
        api.streamSynchronize(m_state.stream);
        unsigned count = 0;
        api.copyToHost(&count, m_counter->at(), 4);
        return count;
    }

    /// Outputs of the two of the last round. `closely`: also large ones whose bits differ are compared by value.
    void checkOutputs(bool closely) {
        if (m_subjects.size() < 2) return;
        for (std::size_t i = 0; i < m_buffers.size() && m_result.mismatch.empty(); ++i) {
            if (m_buffers[i].role == Role::input) continue;
            const DeviceBlock &a = m_memory.result(0, i), &b = m_memory.result(1, i);
            const bool equal = a.bytes() % 4 == 0 && differentWords(a.at(), b.at(), a.bytes()) == 0;
            if (!equal && !closely && a.bytes() > alwaysCompared) continue;
            ++m_result.checkedOutputs;
            if (equal) continue;
            std::vector<std::uint8_t> left(a.bytes()), right(b.bytes());
            m_state.api->copyToHost(left.data(), a.at(), left.size());
            m_state.api->copyToHost(right.data(), b.at(), right.size());
            m_result.mismatch = m_compare(i, left, right);
        }
    }

    /// At once after itself, over the same data.
    void measureHot() {
        for (unsigned round = 0; round < hotRounds && !mustEnd(); ++round)
            for (std::size_t subject = 0; subject < m_subjects.size() && !mustEnd(); ++subject) {
                m_memory.prepare(0, subject);
                timed(subject, 0);
                if (mustEnd()) return;
                if (const double seconds = timed(subject, 0); seconds > 0) series(subject).hot.push_back(seconds);
            }
    }

    void measureGraph() {
        for (std::size_t subject = 0; subject < m_subjects.size() && !mustEnd(); ++subject) {
            if (series(subject).cold.empty() || median(series(subject).cold) > longestInGraph) continue;
            series(subject).graph = graphSeconds(subject);
        }
    }

    double graphSeconds(std::size_t subject) {
        const DriverApi& api = *m_state.api;
        m_memory.prepare(0, subject);
        api.streamSynchronize(m_state.stream);
        CUgraph graph = nullptr;
        CUgraphExec executable = nullptr;
        if (api.graphCaptureBegin(m_state.stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL) != CUDA_SUCCESS) return 0;
        bool good = true;
        for (unsigned i = 0; i < graphLaunches; ++i) good = enqueue(subject, 0) == CUDA_SUCCESS && good;
        good = api.graphCaptureEnd(m_state.stream, &graph) == CUDA_SUCCESS && good;
        good = good && api.graphInstantiate(&executable, graph, 0) == CUDA_SUCCESS;
        std::vector<double> times;
        CUevent start = nullptr, end = nullptr;
        api.eventCreate(&start, CU_EVENT_DEFAULT);
        api.eventCreate(&end, CU_EVENT_DEFAULT);
        for (int repeat = 0; repeat < 6 && good && !mustEnd(); ++repeat) {
            api.eventRecord(start, m_state.stream);
            good = api.graphLaunch(executable, m_state.stream) == CUDA_SUCCESS;
            api.eventRecord(end, m_state.stream);
            if (!finish(subject, end)) return 0;
            float milliseconds = 0;
            api.eventElapsed(&milliseconds, start, end);
            if (repeat > 0) times.push_back(static_cast<double>(milliseconds) * 1e-3 / graphLaunches);
        }
        api.eventDestroy(start);
        api.eventDestroy(end);
        if (executable) api.graphExecDestroy(executable);
        if (graph) api.graphDestroy(graph);
        return good ? median(times) : 0;
    }

    Gpu& m_gpu;
    Gpu::State& m_state;
    const std::vector<BenchBuffer>& m_buffers;
    const Compare& m_compare;
    const BenchOptions& m_options;
    std::stop_token m_stop;
    BenchMemory m_memory;
    std::optional<Monitor> m_monitor;
    std::mt19937_64 m_random;
    std::vector<const BenchSubject*> m_subjects;
    std::unique_ptr<Kernel> m_differences;
    std::optional<DeviceBlock> m_counter;
    BenchResult m_result;
    std::size_t m_round = 0;
    double m_usualClock = 0;
};

} // namespace

Expected<BenchResult> benchmark(Gpu& gpu, const BenchSubject& baseline, const BenchSubject& candidate,
                                const std::vector<BenchBuffer>& buffers, const Compare& compare,
                                const BenchOptions& options, std::stop_token stop) {
    if (gpu.isLost())
        return failure(Cause::internal, "the device's context was lost by an earlier kernel", "start another worker");
    gpu.state().api->contextSetCurrent(gpu.state().context);
    auto memory = BenchMemory::make(gpu, buffers, candidate.kernel ? 2 : 1);
    if (!memory) return std::unexpected(std::move(memory.error()));
    return Bench(gpu, buffers, compare, options, std::move(stop), std::move(*memory)).run(baseline, candidate);
}

} // namespace ptxwb::gpu

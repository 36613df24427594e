#include "gpu/benchmark.h"

#include "gpu/bench_memory.h"
#include "gpu/bench_ptx.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <map>
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
constexpr unsigned mostLargeCompared = 16;                    ///< larger ones; each takes a second on the host
/// Hardware, thermal and power-brake slowdowns. A power cap is how a busy GPU works; it shows in the clock.
constexpr unsigned long long slowdowns = 0x8 | 0x20 | 0x40 | 0x80;

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
        if (std::ranges::any_of(m_subjects, [](const BenchSubject* s) { return launchesOf(*s) > 1; }))
            m_result.method += ", from the first launch's start to the last one's end";
        for (std::size_t subject = 0; subject < m_subjects.size(); ++subject)
            if (auto bound = m_memory.bind(subject, *m_subjects[subject]->kernel); !bound) {
                fail(subject, bound.error().message);
                return std::move(m_result);
            }
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
        auto hash = m_gpu.load(hashPtx, "hash_words");
        if (!hash) return std::unexpected(std::move(hash.error()));
        m_hash = std::move(*hash);
        auto counter = DeviceBlock::allocate(m_state, 8);
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
            if (m_state.activity) seconds = recorded(launchesOf(*m_subjects[subject])).value_or(0);
        }
        if (!m_state.lost) {
            api.eventDestroy(start);
            api.eventDestroy(end);
        }
        return seconds;
    }

    /// From the first start to the last end of the launches before. Nothing where a record was dropped or has no time:
    /// the round does not count.
    std::optional<double> recorded(std::size_t launches) {
        const auto records = m_state.activity->take();
        if (records.size() != launches) return std::nullopt;
        std::uint64_t start = records[0].start, end = records[0].end;
        for (const KernelRecord& record : records) {
            if (record.end <= record.start) return std::nullopt;
            start = std::min(start, record.start);
            end = std::max(end, record.end);
        }
        return static_cast<double>(end - start) * 1e-9;
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
        if (m_result.rounds > 0 && !mustEnd()) checkOutputs(m_lastSet, true);
    }

    void coldRound() {
        const std::size_t set = m_round++ % m_memory.sets();
        m_lastSet = set;
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
        checkOutputs(set, m_result.rounds <= 2);
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

    std::uint64_t hashOf(const BenchMemory::Place& place) {
        const DriverApi& api = *m_state.api;
        api.setBytesLater(m_counter->at(), 0, 8, m_state.stream);
        LaunchRequest request;
        request.grid = {1024, 1, 1};
        request.block = {256, 1, 1};
        LaunchConfig config;
        configure(*m_hash, request, config);
        CUdeviceptr at = place.at;
        std::uint64_t words = place.bytes / 4, result = m_counter->at(), hash = 0;
        void* parameters[] = {&at, &words, &result};
        api.launch(&config.config, Native::of(*m_hash).function, parameters, nullptr);
        api.streamSynchronize(m_state.stream);
        api.copyToHost(&hash, m_counter->at(), 8);
        return hash;
    }

    /// Outputs of the two of the last round, over `set`. Those whose bits differ are compared by value; of a large one
    /// only what was not found right before: the candidate's bits over the same set are then the same again. `closely`:
    /// also where many large ones have been compared.
    void checkOutputs(std::size_t set, bool closely) {
        if (m_subjects.size() < 2) return;
        for (std::size_t subject = 0; subject < m_subjects.size(); ++subject) m_memory.collect(subject);
        m_state.api->streamSynchronize(m_state.stream);
        for (std::size_t i = 0; i < m_buffers.size() && m_result.mismatch.empty(); ++i) {
            if (m_buffers[i].role == Role::input || m_buffers[i].role == Role::scratch) continue;
            const BenchMemory::Place a = m_memory.result(0, i), b = m_memory.result(1, i);
            const bool equal = a.bytes % 4 == 0 && differentWords(a.at, b.at, a.bytes) == 0;
            const bool isLarge = a.bytes > alwaysCompared;
            const std::uint64_t hash = isLarge && !equal ? hashOf(b) : 0;
            const auto known = m_right.find({set, i});
            const bool isKnown = isLarge && known != m_right.end() && known->second == hash;
            if (isLarge && !equal && !isKnown && !closely && m_largeCompared >= mostLargeCompared) {
                ++m_result.uncheckedOutputs;
                continue;
            }
            ++m_result.checkedOutputs;
            if (equal || isKnown) continue;
            if (isLarge) ++m_largeCompared;
            std::vector<std::uint8_t> left(a.bytes), right(b.bytes);
            m_state.api->copyToHost(left.data(), a.at, left.size());
            m_state.api->copyToHost(right.data(), b.at, right.size());
            m_result.mismatch = m_compare(i, left, right);
            if (isLarge && m_result.mismatch.empty()) m_right[{set, i}] = hash;
        }
    }

    /// At once after itself, over the same data.
    void measureHot() {
        for (unsigned round = 0; round < hotRounds && !mustEnd(); ++round)
            for (std::size_t subject = 0; subject < m_subjects.size() && !mustEnd(); ++subject) {
                m_memory.prepare(0, subject);
                timed(subject, 0);
                if (mustEnd()) return;
                if (leadsOn()) m_memory.prepare(0, subject);
                if (const double seconds = timed(subject, 0); seconds > 0) series(subject).hot.push_back(seconds);
            }
    }

    /// Whether a launch over what the one before has left may go astray: a counter or an index that went on.
    bool leadsOn() const {
        return std::ranges::any_of(m_buffers, [](const BenchBuffer& buffer) {
            return buffer.role == Role::inout && !buffer.mayRotate;
        });
    }

    void measureGraph() {
        if (leadsOn()) return; // a graph's launches follow one another with nothing between
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
    std::unique_ptr<Kernel> m_differences, m_hash;
    std::optional<DeviceBlock> m_counter;
    BenchResult m_result;
    std::size_t m_round = 0, m_lastSet = 0;
    std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> m_right; ///< hashes by set and buffer
    unsigned m_largeCompared = 0;
    double m_usualClock = 0;
};

} // namespace

std::size_t launchesOf(const BenchSubject& subject) {
    const auto following = std::ranges::count_if(
        subject.shape.following, [](const FollowingLaunch& next) { return !next.target.launchesNothing(); });
    return (subject.shape.launchesNothing() ? 0 : 1) + static_cast<std::size_t>(following);
}

Expected<BenchResult> benchmark(Gpu& gpu, const BenchSubject& baseline, const BenchSubject& candidate,
                                const std::vector<BenchBuffer>& buffers, const Compare& compare,
                                const BenchOptions& options, std::stop_token stop) {
    if (gpu.isLost())
        return failure(Cause::internal, "the device's context was lost by an earlier kernel", "start another worker");
    gpu.state().api->contextSetCurrent(gpu.state().context);
    auto memory = BenchMemory::make(gpu, buffers, candidate.kernel ? 2 : 1);
    if (!memory) return std::unexpected(std::move(memory.error()));
    std::vector<const BenchSubject*> subjects{&baseline};
    if (candidate.kernel) subjects.push_back(&candidate);
    if (auto made = memory->makeTextures(subjects); !made) return std::unexpected(std::move(made.error()));
    return Bench(gpu, buffers, compare, options, std::move(stop), std::move(*memory)).run(baseline, candidate);
}

} // namespace ptxwb::gpu

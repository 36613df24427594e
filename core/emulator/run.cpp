#include "emulator/cluster.h"
#include "emulator/device_calls.h"
#include "emulator/observer.h"
#include "emulator/recorder.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <mutex>
#include <random>
#include <thread>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t maxSharedBytes = 227 * 1024; ///< the most that any GPU gives one block (sm_90, sm_100)

constexpr std::uint64_t maxBlocks = std::uint64_t{1} << 32; ///< the checkers keep their numbers in 32 bits

Expected<void> checkLaunch(const Program& program, const Launch& launch) {
    auto refuse = [](std::string message, std::string hint) {
        return failure(Cause::rejected, std::move(message), std::move(hint));
    };
    const auto& [bx, by, bz] = launch.block;
    const auto& [gx, gy, gz] = launch.grid;
    const std::uint64_t threads = std::uint64_t{bx} * by * bz;
    if (bx > 1024 || by > 1024 || bz > 64 || threads == 0 || threads > 1024)
        return refuse(fmt::format("a block of {} x {} x {} threads cannot be launched", bx, by, bz),
                      "a block has 1 to 1024 threads, at most 64 of them in z");
    if (gx == 0 || gy == 0 || gz == 0 || gx > 0x7FFFFFFFU || gy > 65535 || gz > 65535)
        return refuse(fmt::format("a grid of {} x {} x {} blocks cannot be launched", gx, gy, gz),
                      "a grid has at least one block, and at most 2147483647 x 65535 x 65535");
    const std::uint64_t blocks = std::uint64_t{gx} * gy * gz; // less than 2^63
    if (blocks > maxBlocks)
        return refuse(fmt::format("a grid of {} x {} x {} is {} blocks, and the emulator runs at most {}", gx, gy, gz,
                                  blocks, maxBlocks),
                      "choose smaller sizes for runs on the emulator");
    const std::uint64_t shared = std::uint64_t{program.staticSharedBytes} + launch.dynamicSharedBytes;
    if (shared > maxSharedBytes)
        return refuse(
            fmt::format("{} bytes of shared memory ({} static, {} dynamic) are more than the {} that a block can have",
                        shared, program.staticSharedBytes, launch.dynamicSharedBytes, maxSharedBytes),
            "use a smaller tile");
    if (launch.parameters.size() != program.parameterBytes)
        return refuse(fmt::format("the launch gives {} bytes of parameters and the entry takes {}",
                                  launch.parameters.size(), program.parameterBytes),
                      "compare the arguments of the spec with the entry's parameter list");
    for (const TensorMap& map : launch.tensorMaps)
        if (auto ok = checkTensorMap(map); !ok) return ok;
    for (const Texture& texture : launch.textures)
        if (auto ok = checkTexture(texture); !ok) return ok;
    return checkCluster(program, launch);
}

Expected<void> checkRecord(const RecordRequest& request, const Launch& launch) {
    const std::uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
    const std::uint32_t warps = (threads + 31) / 32;
    for (std::size_t i = 0; i < 3; ++i)
        if (request.block[i] >= launch.grid[i])
            return failure(Cause::badRequest,
                           fmt::format("block ({}, {}, {}) cannot be recorded: the grid has {} x {} x {}",
                                       request.block[0], request.block[1], request.block[2], launch.grid[0],
                                       launch.grid[1], launch.grid[2]),
                           "blocks count from 0");
    if (request.warp >= warps)
        return failure(
            Cause::badRequest,
            fmt::format("warp {} cannot be recorded: a block of {} threads has {}", request.warp, threads, warps),
            "warps count from 0");
    return {};
}

/// The module's variables with their initial values; addresses are those that `decode` gave them.
Memory imageOf(const Program& program) {
    Memory image;
    for (const auto& [variable, address] : program.image) {
        const Access access = variable->space == ptx::StateSpace::constant ? Access::readOnly : Access::readWrite;
        // Module variables without an initialiser are zero (PTX ISA 9.0, 5.4.4).
        Allocation& allocation =
            image.place(std::string(variable->name), address, variable->sizeBytes, access, Initially::written);
        std::copy_n(variable->initialiser.begin(),
                    std::min<std::size_t>(variable->initialiser.size(), variable->sizeBytes), allocation.bytes.begin());
        for (const ptx::Relocation& r : variable->relocations) {
            const std::uint64_t value = program.variableAddresses.at(r.symbol) + static_cast<std::uint64_t>(r.addend);
            std::memcpy(allocation.bytes.data() + r.offset, &value, r.bytes);
        }
    }
    return image;
}

/// Local memory of a thread: enough for every call path that is no recursion, and 16 KiB for those that are.
std::uint32_t localCapacityOf(const Program& program) {
    std::uint64_t all = 0;
    for (const DecodedFunction& f : program.functions) all += f.localBytes;
    const bool calls = program.functions.size() > 1;
    all = std::min<std::uint64_t>(all, 512 * 1024); // more than a thread has: calls that need it are refused
    return static_cast<std::uint32_t>((all + (calls ? 16384 : 0) + 63) / 64 * 64);
}

/// Each thread executes at least one instruction: such a launch cannot end.
std::optional<RunResult> tooManyThreads(const Program& program, const Launch& launch, const Options& options) {
    const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    const std::uint64_t threads = blocks * launch.block[0] * launch.block[1] * launch.block[2]; // at most 2^42
    if (threads <= options.instructionLimit) return std::nullopt;
    Finding finding;
    finding.kind = FindingKind::timeout;
    finding.check = "deadline";
    finding.message = fmt::format("{} blocks of {} threads cannot end within {} thread instructions: not begun", blocks,
                                  threads / blocks, options.instructionLimit);
    finding.hint = "choose smaller sizes for runs on the emulator";
    FindingCollector findings(program);
    findings.add(0, {&program.functions.front(), &program.functions.front().code.front()}, std::move(finding));
    RunResult result;
    result.ended = Ended::outOfTime;
    result.findings = findings.take(0, 1);
    result.lastWriters.resize(options.watched.size());
    return result;
}

/// Of one block while it runs: its shared memory with the race check's memory of it, its threads' local memory and
/// registers.
std::uint64_t bytesOfBlock(const Program& program, const Launch& launch) {
    const std::uint64_t warps = (std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2] + 31) / 32;
    const std::uint64_t shared = std::uint64_t{program.staticSharedBytes} + launch.dynamicSharedBytes;
    const std::uint64_t cells = shared / program.sharedGranule;
    const std::uint64_t entry = program.functions.front().registerBytes;
    return shared + cells * (16 + 12 * warps) + warps * (64 * std::uint64_t{localCapacityOf(program)} + entry + 8192) +
           65536;
}

/// What a launch may change.
class WritableBytes {
public:
    explicit WritableBytes(const Memory& memory) {
        for (const auto& a : memory.allocations())
            if (a->access == Access::readWrite) m_copies.push_back({a->bytes, a->written});
    }
    void restore(Memory& memory) const {
        auto copy = m_copies.begin();
        for (const auto& a : memory.allocations())
            if (a->access == Access::readWrite) {
                std::ranges::copy(copy->bytes, a->bytes.begin());
                std::ranges::copy(copy->written, a->written.begin());
                ++copy;
            }
    }

private:
    struct Copy {
        std::vector<std::uint8_t> bytes, written;
    };
    std::vector<Copy> m_copies;
};

std::uint64_t blocksOf(const Index3& size) {
    return std::uint64_t{size[0]} * size[1] * size[2];
}

/// A launch while it runs: clusters of blocks in turn. Without clusters each block is one.
class Grid {
public:
    Grid(const Program& program, Memory& memory, const Launch& launch, const Options& options, std::stop_token stop)
        : m_program(program), m_memory(memory), m_launch(launch), m_options(options), m_stop(std::move(stop)),
          m_clusterBlocks(blocksOf(clusterSize(program, launch))), m_clusters(blocksOf(launch.grid) / m_clusterBlocks),
          m_atOnce(std::clamp<std::uint64_t>(
              options.memoryLimit / 3 / (bytesOfBlock(program, launch) * m_clusterBlocks), 1, 1024)),
          m_image(imageOf(program)) {}

    RunResult run() {
        const unsigned threads = hostThreads();
        FindingCollector findings(m_program);
        InstructionPool pool(m_options.instructionLimit, threads);
        std::vector<std::jthread> helpers;
        std::vector<std::unique_ptr<Engine>> engines;
        for (unsigned i = 0; i < threads; ++i)
            engines.push_back(std::unique_ptr<Engine>(new Engine{m_program,
                                                                 m_memory,
                                                                 m_image,
                                                                 m_launch,
                                                                 m_options,
                                                                 m_stop,
                                                                 FindingCollector(m_program),
                                                                 {},
                                                                 pool,
                                                                 0,
                                                                 false,
                                                                 false,
                                                                 nullptr,
                                                                 localCapacityOf(m_program)}));
        for (const auto& engine : engines) {
            engine->lastWriters.resize(m_options.watched.size());
            if (m_options.races && m_options.globalRaces)
                engine->global =
                    std::make_unique<GlobalShadow>(m_program.globalGranule, m_options.memoryLimit / 3 / threads);
        }
        std::vector<std::unique_ptr<Observer>> observers;
        if (m_options.counting || m_options.record)
            for (const auto& engine : engines) {
                observers.push_back(std::make_unique<Observer>(m_program, m_launch, m_options));
                engine->observer = observers.back().get();
            }
        for (unsigned i = 1; i < threads; ++i)
            helpers.emplace_back([this, engine = engines[i].get()] { work(*engine); });
        work(*engines.front());
        helpers.clear(); // joins
        std::vector<const GlobalShadow*> shadows;
        for (const auto& engine : engines) {
            m_blocksRaced |= engine->blocksRaced;
            if (engine->global) shadows.push_back(engine->global.get());
        }
        m_blocksRaced |= GlobalShadow::overlap(shadows);
        RunResult result;
        for (std::size_t i = 1; i < observers.size() && m_options.counting; ++i)
            observers.front()->work->merge(*observers[i]->work);
        if (m_options.counting) result.work = observers.front()->work->result();
        if (m_options.record) result.recording = observers.front()->recorder->take();
        std::vector<Printed> printed;
        for (const auto& engine : engines) {
            findings.merge(engine->findings);
            result.counters += engine->counters;
            result.longestUnwatched = std::max(result.longestUnwatched, engine->longestUnwatched);
            std::ranges::move(engine->printed, std::back_inserter(printed));
        }
        result.lastWriters = engines.front()->lastWriters; // the only one, where there are any
        // Blocks of clusters have other numbers: all of them share one host thread or the run did not stop.
        const std::uint64_t lastBlock = m_clusterBlocks == 1 ? m_lastCluster.load() : ~std::uint64_t{0};
        result.printed = printedOf(std::move(printed), lastBlock);
        result.findings = findings.take(lastBlock, m_options.findingLimit);
        result.ended = m_stop.stop_requested() ? Ended::cancelled
                       : m_outOfTime           ? Ended::outOfTime
                       : m_stopped             ? Ended::stopped
                                               : Ended::completed;
        return result;
    }

    /// Whether two blocks touched the same bytes of global memory with nothing to order them: known after `run`.
    bool blocksRaced() const { return m_blocksRaced; }
    unsigned hostThreads() const {
        // Blocks that may speak to each other run on one thread, in an order that depends on nothing.
        if (m_program.ordersBlocks || !m_options.watched.empty() || m_options.record) return 1;
        const unsigned most =
            m_options.hostThreads ? m_options.hostThreads : std::max(1U, std::thread::hardware_concurrency());
        return static_cast<unsigned>(std::min({std::uint64_t{most}, m_clusters, m_atOnce}));
    }

private:
    static constexpr std::uint64_t slice = 1 << 20; ///< warp instructions before another block gets its turn

    void work(Engine& engine) {
        takeClusters(engine);
        engine.pool.leave(engine.instructionsLeft);
    }

    /// Takes clusters in order until none is left, or one before the next one has stopped the run. Where the blocks
    /// run in turns, with a seed the turns are short and whose they are is drawn.
    void takeClusters(Engine& engine) {
        std::vector<std::unique_ptr<Cluster>> suspended, spare;
        const bool drawn = m_options.seed && hostThreads() == 1;
        std::mt19937_64 random(m_options.seed);
        const auto resume = [&] {
            const std::size_t i = drawn ? random() % suspended.size() : 0;
            auto cluster = std::move(suspended[i]);
            suspended.erase(suspended.begin() + static_cast<std::ptrdiff_t>(i));
            return cluster;
        };
        while (!m_stop.stop_requested()) {
            std::unique_ptr<Cluster> cluster;
            const bool waits = suspended.size() >= m_atOnce || (drawn && !suspended.empty() && random() % 2);
            const std::uint64_t next = waits ? m_clusters : m_next.fetch_add(1);
            if (next < m_clusters && next <= m_lastCluster.load()) {
                if (!spare.empty()) {
                    cluster = std::move(spare.back());
                    spare.pop_back();
                } else {
                    cluster = std::make_unique<Cluster>();
                }
                startCluster(engine, *cluster, next);
            } else if (!suspended.empty()) {
                cluster = resume();
            } else {
                return;
            }
            switch (turn(engine, *cluster, drawn ? 1 + random() % 500 : slice, drawn)) {
            case BlockState::finished: spare.push_back(std::move(cluster)); break;
            case BlockState::suspended: suspended.push_back(std::move(cluster)); break;
            case BlockState::stopped: stopAt(cluster->linear, engine); break;
            case BlockState::waiting: break; // never of a whole cluster
            }
            if (engine.stopped && drawn && !m_program.ordersBlocks) {
                // As in order: those before it go on to their end.
                engine.stopped = false;
                std::erase_if(suspended, [&](const auto& c) { return c->linear > m_lastCluster.load(); });
            }
            // Every block before a stopped one has been taken by some thread already.
            if (engine.stopped || engine.outOfTime) return;
        }
    }

    BlockState turn(Engine& engine, Cluster& cluster, std::uint64_t instructions, bool drawn) {
        while (true) {
            const BlockState state = runCluster(engine, cluster, instructions);
            if (state != BlockState::suspended || m_program.ordersBlocks || drawn || m_stop.stop_requested())
                return state;
        }
    }

    void stopAt(std::uint64_t cluster, const Engine& engine) {
        std::lock_guard lock(m_mutex);
        if (engine.outOfTime) m_outOfTime = true;
        if (engine.stopped) m_stopped = true;
        if (engine.stopped || engine.outOfTime) m_lastCluster = std::min(m_lastCluster.load(), cluster);
    }

    const Program& m_program;
    Memory& m_memory;
    const Launch& m_launch;
    const Options& m_options;
    std::stop_token m_stop;
    std::uint64_t m_clusterBlocks, m_clusters, m_atOnce;
    Memory m_image;
    std::atomic<std::uint64_t> m_next = 0;
    std::atomic<std::uint64_t> m_lastCluster = ~std::uint64_t{0};
    std::mutex m_mutex;
    bool m_stopped = false, m_outOfTime = false, m_blocksRaced = false;
};

} // namespace

bool isOver(Engine& engine) {
    const std::uint64_t now = engine.counters.warpInstructions;
    engine.longestUnwatched = std::max(engine.longestUnwatched, now - engine.lookedAt);
    engine.lookedAt = now;
    const auto& deadline = engine.options.deadline;
    return engine.stop.stop_requested() || (deadline && std::chrono::steady_clock::now() >= *deadline);
}

Counters& Counters::operator+=(const Counters& o) {
    warpInstructions += o.warpInstructions;
    threadInstructions += o.threadInstructions;
    globalLoadBytes += o.globalLoadBytes;
    globalStoreBytes += o.globalStoreBytes;
    sharedAccesses += o.sharedAccesses;
    barriers += o.barriers;
    branches += o.branches;
    divergentBranches += o.divergentBranches;
    return *this;
}

Expected<RunResult> run(const Program& program, Memory& memory, const Launch& launch, const Options& options,
                        std::stop_token stop) {
    if (auto ok = checkLaunch(program, launch); !ok) return std::unexpected(ok.error());
    if (options.record)
        if (auto ok = checkRecord(*options.record, launch); !ok) return std::unexpected(ok.error());
    if (auto over = tooManyThreads(program, launch, options)) return *std::move(over);
    Grid grid(program, memory, launch, options, stop);
    if (grid.hostThreads() == 1 || !options.races || !options.globalRaces) return grid.run();
    // Where blocks race, what comes of it depends on which host thread comes first: such a launch runs again on one, so
    // that memory and findings are the same each time.
    const WritableBytes before(memory);
    RunResult result = grid.run();
    if (!grid.blocksRaced() || stop.stop_requested()) return result;
    before.restore(memory);
    Options alone = options;
    alone.hostThreads = 1;
    return Grid(program, memory, launch, alone, std::move(stop)).run();
}

} // namespace ptxwb::emulator

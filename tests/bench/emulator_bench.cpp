// How fast the emulator is: million thread instructions a second on the bundled examples and on a naive product, with the
// checkers off and on, on one host thread and on all. Ratios within one run are what counts; seconds depend on the machine.
#include "emulator/emulator.h"
#include "emulator/lanes.h"
#include "ptx/parse.h"
#include "support/files.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <thread>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

enum class Use { in, out, inout };
struct Buffer {
    std::uint64_t floats;
    Use use;
};

struct Case {
    std::string title, file, entry;
    Index3 grid, block;
    std::vector<std::uint32_t> scalars; ///< first parameters, 4 bytes each
    std::vector<Buffer> buffers;        ///< then these, 8 bytes each
};

/// Median of three runs, in million thread instructions a second.
double speed(const Case& c, const Options& options) {
    const auto text = readFile(c.file);
    if (!text) throw std::runtime_error(format(text.error()));
    const auto program = decode(ptx::parse(*text, c.file), c.entry);
    if (!program) throw std::runtime_error(format(program.error()));
    std::vector<double> speeds;
    for (int repeat = 0; repeat < 3; ++repeat) {
        Memory memory;
        Launch launch{c.grid, c.block, 0, std::vector<std::uint8_t>(parameterBytes(**program))};
        const auto layout = parameterLayout(**program);
        std::size_t next = 0;
        for (const std::uint32_t scalar : c.scalars) std::memcpy(launch.parameters.data() + layout.at(next++).offset, &scalar, 4);
        for (const Buffer& b : c.buffers) {
            const auto address = *memory.allocate(fmt::format("buffer{}", next), b.floats * 4, 256, b.use == Use::in ? Access::readOnly : Access::readWrite,
                                                  b.use == Use::out ? Initially::unwritten : Initially::written);
            auto* floats = reinterpret_cast<float*>(memory.find(address)->bytes.data());
            for (std::uint64_t i = 0; i < b.floats; ++i) floats[i] = static_cast<float>(i % 7);
            std::memcpy(launch.parameters.data() + layout.at(next++).offset, &address, 8);
        }
        const auto start = std::chrono::steady_clock::now();
        const auto result = run(**program, memory, launch, options);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (!result) throw std::runtime_error(format(result.error()));
        for (const Finding& f : result->findings) fmt::print("  unexpected finding: {} line {}: {}\n", name(f.kind), f.line, f.message);
        speeds.push_back(static_cast<double>(result->counters.threadInstructions) / seconds / 1e6);
    }
    std::ranges::sort(speeds);
    return speeds[1];
}

} // namespace

int main() {
    const std::string examples = PTXWB_SOURCE_DIR "/resources/examples/";
    const std::string ours = PTXWB_SOURCE_DIR "/tests/data/bench/products_and_sums.ptx";
    constexpr std::uint32_t n = 1 << 20, m = 256;
    const std::uint32_t two = 0x40000000; // 2.0f
    const std::vector<Case> cases = {
        {"saxpy 2^20", examples + "saxpy/saxpy.sm_90.ptx", "saxpy", {n / 256, 1, 1}, {256, 1, 1}, {n, two}, {{n, Use::in}, {n, Use::inout}}},
        {"reduce (shfl) 2^22", examples + "reduce/reduce.sm_90.ptx", "reduce", {4096, 1, 1}, {256, 1, 1}, {4 * n}, {{4 * n, Use::in}, {4096, Use::out}}},
        {"reduce (shared) 2^22", ours, "shared_reduction", {4096, 1, 1}, {256, 1, 1}, {4 * n}, {{4 * n, Use::in}, {4096, Use::out}}},
        {"sgemm_tiled 256^3", examples + "sgemm_tiled/sgemm_tiled.sm_90.ptx", "sgemm_tiled", {m / 16, m / 16, 1}, {16, 16, 1}, {m, m, m},
         {{m * m, Use::in}, {m * m, Use::in}, {m * m, Use::out}}},
        {"naive product 256^3", ours, "naive_product", {m / 16, m / 16, 1}, {16, 16, 1}, {m}, {{m * m, Use::in}, {m * m, Use::in}, {m * m, Use::out}}},
    };
    fmt::print("emulator, million thread instructions a second ({}, {} cores)\n", laneInstructionSet(), std::thread::hardware_concurrency());
    fmt::print("{:22}{:>14}{:>14}{:>14}{:>10}\n", "kernel", "checks off", "checks on", "on, all cores", "cost");
    try {
        for (const Case& c : cases) {
            Options off;
            off.initialisation = off.races = false;
            off.hostThreads = 1;
            Options on;
            on.hostThreads = 1;
            const Options all;
            const double plain = speed(c, off), checked = speed(c, on), parallel = speed(c, all);
            fmt::print("{:22}{:14.0f}{:14.0f}{:14.0f}{:9.2f}x\n", c.title, plain, checked, parallel, plain / checked);
        }
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}\n", e.what());
        return 1;
    }
    return 0;
}

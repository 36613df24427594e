// How fast the emulator is: million thread instructions a second on the bundled examples, products, a histogram and an
// mma product, with the checkers off and on, on one host thread and on two. Ratios within one run are what counts;
// seconds depend on the machine. Words given as arguments choose the kernels whose title has one of them.
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

struct Speed {
    double millions = 0; ///< thread instructions a second
    double seconds = 0;
};

/// Median of three runs.
Speed speed(const Case& c, const Options& options) {
    const auto text = readFile(c.file);
    if (!text) throw std::runtime_error(format(text.error()));
    const auto program = decode(ptx::parse(*text, c.file), c.entry);
    if (!program) throw std::runtime_error(format(program.error()));
    std::vector<Speed> speeds;
    for (int repeat = 0; repeat < 3; ++repeat) {
        Memory memory;
        Launch launch{c.grid, c.block, 0, std::vector<std::uint8_t>(parameterBytes(**program))};
        const auto layout = parameterLayout(**program);
        std::size_t next = 0;
        for (const std::uint32_t scalar : c.scalars)
            std::memcpy(launch.parameters.data() + layout.at(next++).offset, &scalar, 4);
        for (const Buffer& b : c.buffers) {
            const auto address = *memory.allocate(fmt::format("buffer{}", next), b.floats * 4, 256,
                                                  b.use == Use::in ? Access::readOnly : Access::readWrite,
                                                  b.use == Use::out ? Initially::unwritten : Initially::written);
            auto* floats = reinterpret_cast<float*>(memory.find(address)->bytes.data());
            for (std::uint64_t i = 0; i < b.floats; ++i) floats[i] = static_cast<float>(i % 7);
            std::memcpy(launch.parameters.data() + layout.at(next++).offset, &address, 8);
        }
        const auto start = std::chrono::steady_clock::now();
        const auto result = run(**program, memory, launch, options);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (!result) throw std::runtime_error(format(result.error()));
        for (const Finding& f : result->findings)
            fmt::print("  unexpected finding: {} line {}: {}\n", name(f.kind), f.line, f.message);
        speeds.push_back({static_cast<double>(result->counters.threadInstructions) / seconds / 1e6, seconds});
    }
    std::ranges::sort(speeds, {}, &Speed::millions);
    return speeds[1];
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string_view> wanted(argv + 1, argv + argc);
    const auto isWanted = [&](const Case& c) {
        return wanted.empty() ||
               std::ranges::any_of(wanted, [&](std::string_view w) { return c.title.find(w) != std::string::npos; });
    };
    const std::string examples = PTXWB_SOURCE_DIR "/resources/examples/";
    const std::string ours = PTXWB_SOURCE_DIR "/tests/data/bench/products_and_sums.ptx";
    const std::string tiles = PTXWB_SOURCE_DIR "/tests/data/bench/tiles_and_bins.ptx";
    constexpr std::uint32_t n = 1 << 20, m = 256, large = 512;
    const std::uint32_t two = 0x40000000; // 2.0f
    const std::vector<Case> cases = {
        {"saxpy 2^20",
         examples + "saxpy/saxpy.sm_90.ptx",
         "saxpy",
         {n / 256, 1, 1},
         {256, 1, 1},
         {n, two},
         {{n, Use::in}, {n, Use::inout}}},
        {"reduce (shfl) 2^22",
         examples + "reduce/reduce.sm_90.ptx",
         "reduce",
         {4096, 1, 1},
         {256, 1, 1},
         {4 * n},
         {{4 * n, Use::in}, {4096, Use::out}}},
        {"reduce (shared) 2^22",
         ours,
         "shared_reduction",
         {4096, 1, 1},
         {256, 1, 1},
         {4 * n},
         {{4 * n, Use::in}, {4096, Use::out}}},
        {"naive product 256^3",
         ours,
         "naive_product",
         {m / 16, m / 16, 1},
         {16, 16, 1},
         {m},
         {{m * m, Use::in}, {m * m, Use::in}, {m * m, Use::out}}},
        {"sgemm_tiled 256^3",
         examples + "sgemm_tiled/sgemm_tiled.sm_90.ptx",
         "sgemm_tiled",
         {m / 16, m / 16, 1},
         {16, 16, 1},
         {m, m, m},
         {{m * m, Use::in}, {m * m, Use::in}, {m * m, Use::out}}},
        {"sgemm_tiled 512^3",
         examples + "sgemm_tiled/sgemm_tiled.sm_90.ptx",
         "sgemm_tiled",
         {large / 16, large / 16, 1},
         {16, 16, 1},
         {large, large, large},
         {{large * large, Use::in}, {large * large, Use::in}, {large * large, Use::out}}},
        {"register tiles 256^3",
         tiles,
         "register_tiled_product",
         {m / 64, m / 64, 1},
         {256, 1, 1},
         {m},
         {{m * m, Use::in}, {m * m, Use::in}, {m * m, Use::out}}},
        {"histogram 2^22",
         tiles,
         "shared_histogram",
         {64, 1, 1},
         {256, 1, 1},
         {4 * n},
         {{4 * n, Use::in}, {64 * 256, Use::out}}},
        {"mma product 256^3",
         tiles,
         "mma_product",
         {m / 64, m / 64, 1},
         {128, 1, 1},
         {m},
         {{m * m / 2, Use::in}, {m * m / 2, Use::in}, {m * m, Use::out}}},
    };
    fmt::print("emulator, million thread instructions a second ({}, {} cores)\n", laneInstructionSet(),
               std::thread::hardware_concurrency());
    fmt::print("{:22}{:>12}{:>12}{:>8}{:>12}{:>12}{:>12}\n", "kernel", "1, off", "1, checked", "cost", "2, off",
               "2, checked", "seconds");
    try {
        for (const Case& c : cases) {
            if (!isWanted(c)) continue;
            Speed speeds[2][2];
            for (const unsigned threads : {1U, 2U})
                for (const bool checks : {false, true}) {
                    Options options;
                    options.initialisation = options.races = checks;
                    options.hostThreads = threads;
                    speeds[threads - 1][checks] = speed(c, options);
                }
            fmt::print("{:22}{:12.0f}{:12.0f}{:7.2f}x{:12.0f}{:12.0f}{:12.3f}\n", c.title, speeds[0][0].millions,
                       speeds[0][1].millions, speeds[0][0].millions / speeds[0][1].millions, speeds[1][0].millions,
                       speeds[1][1].millions, speeds[1][1].seconds);
        }
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}\n", e.what());
        return 1;
    }
    return 0;
}

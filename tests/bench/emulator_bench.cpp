// How fast the emulator is: million thread instructions a second and core on the bundled examples, products, a
// histogram and an mma product, with the checkers off and on, with work counted too, on one host thread and on two.
// Time is the process's own processor time, so that other programs on the machine spoil little; what the settings cost
// is measured in turns. PTXWB_LANES=generic, avx2 or avx512 chooses the lane functions. Words given as arguments choose
// the kernels whose title has one of them.
#include "emulator/emulator.h"
#include "emulator/lanes.h"
#include "ptx/parse.h"
#include "support/files.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
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

double processorSeconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/// One run: million thread instructions a second of processor time, which all host threads share.
double speed(const Case& c, const Program& program, const Options& options) {
    Memory memory;
    Launch launch{c.grid, c.block, 0, std::vector<std::uint8_t>(parameterBytes(program))};
    const auto layout = parameterLayout(program);
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
    const double start = processorSeconds();
    const auto result = run(program, memory, launch, options);
    const double seconds = processorSeconds() - start;
    if (!result) throw std::runtime_error(format(result.error()));
    for (const Finding& f : result->findings)
        fmt::print("  unexpected finding: {} line {}: {}\n", name(f.kind), f.line, f.message);
    return static_cast<double>(result->counters.threadInstructions) / seconds / 1e6;
}

/// Medians of five runs of each setting, in turns.
std::vector<double> speeds(const Case& c, const std::vector<Options>& settings) {
    const auto text = readFile(c.file);
    if (!text) throw std::runtime_error(format(text.error()));
    const auto program = decode(ptx::parse(*text, c.file), c.entry);
    if (!program) throw std::runtime_error(format(program.error()));
    std::vector<std::vector<double>> all(settings.size());
    for (int turn = 0; turn < 5; ++turn)
        for (std::size_t i = 0; i < settings.size(); ++i) all[i].push_back(speed(c, **program, settings[i]));
    std::vector<double> medians;
    for (auto& one : all) {
        std::ranges::sort(one);
        medians.push_back(one[one.size() / 2]);
    }
    return medians;
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
        {"mma product 512^3",
         tiles,
         "mma_product",
         {large / 64, large / 64, 1},
         {128, 1, 1},
         {large},
         {{large * large / 2, Use::in}, {large * large / 2, Use::in}, {large * large, Use::out}}},
    };
    fmt::print("emulator, million thread instructions a second and core ({}, {} cores)\n", laneInstructionSet(),
               std::thread::hardware_concurrency());
    fmt::print("{:22}{:>10}{:>10}{:>7}{:>10}{:>7}{:>10}{:>12}\n", "kernel", "off", "checked", "cost", "counted", "cost",
               "2, off", "2, checked");
    std::vector<Options> settings(5);
    for (std::size_t i = 0; i < settings.size(); ++i) settings[i].hostThreads = i < 3 ? 1 : 2;
    for (const std::size_t off : {0, 3}) settings[off].initialisation = settings[off].races = false;
    settings[2].counting = true;
    try {
        for (const Case& c : cases) {
            if (!isWanted(c)) continue;
            const std::vector<double> v = speeds(c, settings);
            fmt::print("{:22}{:10.0f}{:10.0f}{:6.2f}x{:10.0f}{:6.2f}x{:10.0f}{:12.0f}\n", c.title, v[0], v[1],
                       v[0] / v[1], v[2], v[1] / v[2], v[3], v[4]);
            std::fflush(stdout);
        }
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}\n", e.what());
        return 1;
    }
    return 0;
}

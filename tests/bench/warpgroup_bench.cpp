// How fast the emulator multiplies by wgmma: million thread instructions and million multiply-adds a second of
// processor time on one host thread, checkers off and on, on the forms of the bundled bf16 product.
#include "emulator/emulator.h"
#include "ptx/parse.h"
#include "support/files.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <fmt/format.h>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

constexpr std::uint32_t size = 512; ///< of all three dimensions

struct Form {
    const char* file;
    std::uint32_t rows, threads, sharedBytes; ///< rows of C a block
};

double processorSeconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/// bf16 numbers -1.5 to 1.5.
void fill(Allocation& allocation) {
    for (std::size_t i = 0; i + 1 < allocation.bytes.size(); i += 2) {
        constexpr std::uint16_t values[] = {0x3F80, 0xBF80, 0x3FC0, 0x3F00, 0xBFC0, 0x0000, 0xBF00};
        std::memcpy(allocation.bytes.data() + i, &values[i / 2 % 7], 2);
    }
}

TensorMap mapOf(std::uint64_t base, std::uint32_t rows) {
    TensorMap map;
    map.type = ptx::ScalarType::bf16;
    map.rank = 2;
    map.base = base;
    map.sizes = {size, size};
    map.strides = {2, 2 * size};
    map.box = {64, rows};
    map.swizzle = TensorMap::Swizzle::b128;
    return map;
}

struct Speed {
    double instructions = 0, multiplyAdds = 0; ///< million a second
};

Speed speed(const Program& program, const Form& form, const Options& options) {
    Memory memory;
    const auto buffer = [&](const char* name, std::size_t bytes, Access access, Initially initially) {
        return *memory.allocate(name, bytes, 256, access, initially);
    };
    const std::uint64_t a = buffer("a", std::size_t{2} * size * size, Access::readOnly, Initially::written);
    const std::uint64_t b = buffer("b", std::size_t{2} * size * size, Access::readOnly, Initially::written);
    const std::uint64_t c = buffer("c", std::size_t{4} * size * size, Access::readWrite, Initially::unwritten);
    fill(*memory.find(a));
    fill(*memory.find(b));
    Launch launch;
    launch.grid = {size / 128, size / form.rows, 1};
    launch.block = {form.threads, 1, 1};
    launch.dynamicSharedBytes = form.sharedBytes;
    launch.parameters.resize(parameterBytes(program));
    launch.tensorMaps = {mapOf(a, 64), mapOf(b, 128)};
    const auto layout = parameterLayout(program);
    for (std::uint32_t i = 0; i < 2; ++i)
        std::ranges::copy(tensorMapParameter(i), launch.parameters.begin() + layout.at(i).offset);
    std::memcpy(launch.parameters.data() + layout.at(2).offset, &c, 8);
    for (std::size_t i = 3; i < 6; ++i) std::memcpy(launch.parameters.data() + layout.at(i).offset, &size, 4);
    const double start = processorSeconds();
    const auto result = run(program, memory, launch, options);
    const double seconds = processorSeconds() - start;
    if (!result) throw std::runtime_error(format(result.error()));
    for (const Finding& f : result->findings)
        fmt::print("  unexpected finding: {} line {}: {}\n", name(f.kind), f.line, f.message);
    return {static_cast<double>(result->counters.threadInstructions) / seconds / 1e6,
            static_cast<double>(size) * size * size / seconds / 1e6};
}

Speed median(const Program& program, const Form& form, const Options& options) {
    std::vector<Speed> all;
    for (int turn = 0; turn < 3; ++turn) all.push_back(speed(program, form, options));
    std::ranges::sort(all, {}, &Speed::multiplyAdds);
    return all[all.size() / 2];
}

} // namespace

int main() {
    const std::string folder = PTXWB_SOURCE_DIR "/resources/examples/bf16_wgmma/";
    constexpr Form forms[] = {{"bf16_wgmma.sm_90.ptx", 64, 128, 0},
                              {"candidates/four_stages.ptx", 64, 128, 98304},
                              {"candidates/specialised.ptx", 128, 384, 131072}};
    fmt::print("wgmma product {}^3, bf16, million a second of one core\n{:28}{:>14}{:>16}{:>14}{:>16}\n", size, "form",
               "instructions", "multiply-adds", "checked", "checked");
    try {
        for (const Form& form : forms) {
            const auto text = readFile(folder + form.file);
            if (!text) throw std::runtime_error(format(text.error()));
            const auto program = decode(ptx::parse(*text, form.file), "bf16_wgmma");
            if (!program) throw std::runtime_error(format(program.error()));
            Options on;
            on.hostThreads = 1;
            Options off = on;
            off.initialisation = off.races = false;
            const Speed plain = median(**program, form, off), checked = median(**program, form, on);
            fmt::print("{:28}{:14.1f}{:16.0f}{:14.1f}{:16.0f}\n", form.file, plain.instructions, plain.multiplyAdds,
                       checked.instructions, checked.multiplyAdds);
        }
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}\n", e.what());
        return 1;
    }
    return 0;
}

#include "naive_harness.h"

#include "emulator/emulator.h"
#include "kernel/layout.h"
#include "verify/baseline.h"
#include "verify/emulated_device.h"
#include "verify/entry.h"
#include "verify/execute.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace ptxwb::test {

namespace {

constexpr std::uint64_t roomToSpare = 65536;

struct Buffers {
    emulator::Memory memory;
    std::vector<std::uint64_t> addresses;
    std::vector<emulator::Allocation*> allocations;
};

void upload(Buffers& buffers, const kernel::LaunchData& data, bool zeroTotals, bool outputsToo) {
    for (std::size_t i = 0; i < data.buffers.size(); ++i) {
        const kernel::Buffer& buffer = data.buffers[i];
        if (buffer.access == kernel::Access::out && !outputsToo) continue;
        auto& bytes = buffers.allocations[i]->bytes;
        std::ranges::copy(buffer.bytes, bytes.begin());
        if (buffer.access == kernel::Access::inout && zeroTotals)
            std::fill_n(bytes.begin(), static_cast<std::ptrdiff_t>(buffer.bytes.size()), std::uint8_t{0});
    }
}

std::string launch(const kernel::Kernel& kernel, const std::string& text, const NaiveTest& test, Buffers& buffers) {
    verify::PtxKernel one = verify::loadPtx(kernel.spec, "candidate", "candidate.ptx", text);
    const auto entry = verify::findEntry(*one.module, kernel.spec.entry);
    if (!entry) return entry.error().message;
    one.entry = *entry;
    if (auto decoded = verify::decodeEntry(one); !decoded) return decoded.error().message;
    kernel::BuildOptions options;
    options.seed = test.seed;
    options.launch = one.header.launch ? &*one.header.launch : nullptr;
    const auto data = kernel::buildLaunch(kernel, verify::withDevice(test.sizes), options);
    if (!data) return data.error().message;
    upload(buffers, *data, test.zeroTotals, false);
    emulator::Launch launch;
    launch.grid = data->grid;
    launch.block = data->block;
    launch.dynamicSharedBytes = data->sharedBytes;
    launch.parameters.resize(parameterBytes(*one.program));
    const auto layout = parameterLayout(*one.program);
    for (std::size_t i = 0; i < layout.size(); ++i) {
        std::vector<std::uint8_t> bytes = data->parameters[i].bytes;
        for (const kernel::Relocation& r : data->parameters[i].relocations)
            std::memcpy(bytes.data() + r.offset, &buffers.addresses[r.buffer], sizeof(std::uint64_t));
        std::ranges::copy(bytes, launch.parameters.begin() + layout[i].offset);
    }
    emulator::Options quiet;
    quiet.initialisation = quiet.races = false;
    quiet.instructionLimit = std::uint64_t{1} << 28;
    const auto ran = emulator::run(*one.program, buffers.memory, launch, quiet);
    if (!ran) return ran.error().message;
    return ran->ended == emulator::Ended::completed ? std::string{} : std::string("it did not end");
}

} // namespace

std::string naively(const kernel::Kernel& kernel, const std::string& baseline, const std::string& candidate,
                    const NaiveTest& test) {
    kernel::BuildOptions options;
    options.seed = test.seed;
    const auto data = kernel::buildLaunch(kernel, verify::withDevice(test.sizes), options);
    if (!data) return data.error().message;
    Buffers buffers;
    for (const kernel::Buffer& buffer : data->buffers) {
        // 256 bytes, as cudaMalloc; a page in front belongs to somebody else.
        const auto in_front = buffers.memory.allocate("before " + buffer.name, 4096, 256, emulator::Access::readWrite,
                                                      emulator::Initially::written);
        const auto address = buffers.memory.allocate(buffer.name, buffer.bytes.size() + roomToSpare, 256,
                                                     emulator::Access::readWrite, emulator::Initially::written);
        if (!in_front || !address) return "no memory";
        buffers.addresses.push_back(*address);
        buffers.allocations.push_back(buffers.memory.allocations().back().get());
    }
    upload(buffers, *data, test.zeroTotals, true);
    if (auto trouble = launch(kernel, baseline, test, buffers); !trouble.empty()) return "the baseline: " + trouble;
    std::vector<std::vector<std::uint8_t>> expected;
    for (const auto* allocation : buffers.allocations) expected.push_back(allocation->bytes);
    if (auto trouble = launch(kernel, candidate, test, buffers); !trouble.empty()) return trouble;
    for (std::size_t i = 0; i < data->buffers.size(); ++i) {
        const kernel::Buffer& buffer = data->buffers[i];
        if (buffer.access == kernel::Access::in) continue;
        for (std::uint64_t element = 0; element < buffer.elementCount; ++element) {
            const auto at = elementOffset(buffer, element);
            const double want = kernel::asDouble(buffer.type, kernel::loadBits(buffer.type, expected[i], at));
            const double got =
                kernel::asDouble(buffer.type, kernel::loadBits(buffer.type, buffers.allocations[i]->bytes, at));
            if (std::abs(got - want) > test.tolerance + test.tolerance * std::abs(want))
                return fmt::format("{}[{}] is {}, expected {}", buffer.name, element, got, want);
        }
    }
    return {};
}

} // namespace ptxwb::test

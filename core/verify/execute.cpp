#include "verify/execute.h"

#include "emulator/program.h"
#include "verify/entry.h"
#include "verify/findings.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace ptxwb::verify {

namespace {

using emulator::Initially;
using emulator::Memory;

emulator::Access accessOf(kernel::Access access) {
    return access == kernel::Access::in ? emulator::Access::readOnly : emulator::Access::readWrite;
}

/// The launch's buffers in device memory. Returns their addresses.
Expected<std::vector<std::uint64_t>> place(Memory& memory, const kernel::LaunchData& data, kernel::Poison pattern,
                                           Placement placement) {
    constexpr std::uint32_t allocated = 256;
    std::vector<std::uint64_t> addresses;
    for (const kernel::Buffer& buffer : data.buffers) {
        const bool isOutput = buffer.access == kernel::Access::out;
        const std::uint32_t align =
            placement == Placement::asAllocated ? std::max(buffer.align, allocated) : buffer.align;
        const auto address = memory.allocate(buffer.name, buffer.bytes.size(), align, accessOf(buffer.access),
                                             isOutput ? Initially::unwritten : Initially::written);
        if (!address) return std::unexpected(address.error());
        addresses.push_back(*address);
        const auto& allocation = memory.allocations().back();
        allocation->bytes = buffer.bytes;
        if (!isOutput) continue;
        kernel::Buffer poisoned = buffer;
        kernel::poison(poisoned, pattern);
        allocation->bytes = std::move(poisoned.bytes);
    }
    return addresses;
}

std::vector<emulator::Watch> watchesOf(const emulator::Program& program, const kernel::LaunchData& data,
                                       const ExecuteOptions& options, const std::vector<std::uint64_t>& addresses) {
    std::vector<emulator::Watch> watches;
    for (const auto& [buffer, element] : options.watched) {
        const std::uint32_t size = kernel::sizeOf(data.buffers[buffer].type);
        watches.push_back({addresses[buffer] + elementOffset(data.buffers[buffer], element) * size, size});
    }
    for (const auto& [variable, offset] : options.watchedVariables)
        watches.push_back({program.variableAddresses.at(variable) + offset, 1});
    return watches;
}

std::vector<std::uint8_t> parameterBlock(const emulator::Program& program, const kernel::LaunchData& data,
                                         const std::vector<std::uint64_t>& addresses) {
    std::vector<std::uint8_t> block(parameterBytes(program), 0);
    const auto layout = parameterLayout(program);
    for (std::size_t i = 0; i < std::min(layout.size(), data.parameters.size()); ++i) {
        std::vector<std::uint8_t> bytes = data.parameters[i].bytes;
        for (const kernel::Relocation& relocation : data.parameters[i].relocations)
            std::memcpy(bytes.data() + relocation.offset, &addresses[relocation.buffer], sizeof(std::uint64_t));
        std::copy_n(bytes.begin(), std::min<std::size_t>(bytes.size(), layout[i].size),
                    block.begin() + layout[i].offset);
    }
    return block;
}

BufferAfter after(const emulator::Allocation& allocation, const kernel::Buffer& buffer) {
    BufferAfter result;
    result.bytes = allocation.bytes;
    result.writtenBytes.resize(result.bytes.size());
    for (std::size_t i = 0; i < result.bytes.size(); ++i) result.writtenBytes[i] = allocation.wasWritten(i);
    if (buffer.access != kernel::Access::out) return result;
    const std::uint32_t size = kernel::sizeOf(buffer.type);
    result.written.resize(buffer.elementCount);
    for (std::uint64_t element = 0; element < buffer.elementCount; ++element) {
        const auto first =
            result.writtenBytes.begin() + static_cast<std::ptrdiff_t>(elementOffset(buffer, element) * size);
        result.written[element] = std::all_of(first, first + size, [](std::uint8_t b) { return b != 0; });
    }
    return result;
}

LaunchOutcome untouched(const kernel::LaunchData& data, kernel::Poison pattern) {
    LaunchOutcome outcome;
    for (const kernel::Buffer& buffer : data.buffers) {
        kernel::Buffer copy = buffer;
        const bool isOutput = buffer.access == kernel::Access::out;
        if (isOutput) kernel::poison(copy, pattern);
        const std::size_t bytes = copy.bytes.size();
        outcome.buffers.push_back({std::move(copy.bytes),
                                   std::vector<std::uint8_t>(isOutput ? buffer.elementCount : 0, 0),
                                   std::vector<std::uint8_t>(bytes, isOutput ? 0 : 1)});
    }
    return outcome;
}

std::vector<ParameterPlace> placesOf(const kernel::LaunchData& data) {
    std::vector<ParameterPlace> places;
    std::uint32_t end = 0;
    for (const kernel::Parameter& parameter : data.parameters) {
        const std::uint32_t align = std::max(1U, parameter.align);
        const std::uint32_t offset = (end + align - 1) / align * align;
        places.push_back({parameter.name, offset, static_cast<std::uint32_t>(parameter.bytes.size())});
        end = offset + places.back().size;
    }
    return places;
}

} // namespace

Expected<void> decodeEntry(PtxKernel& kernel) {
    if (kernel.program) return {};
    auto program = emulator::decode(kernel.module, kernel.entry->name);
    if (!program) return std::unexpected(std::move(program.error()));
    kernel.program = std::move(*program);
    return {};
}

std::optional<Finding> checkLaunch(const PtxKernel& kernel, const kernel::LaunchData& data) {
    if (auto finding = compareParameters(*kernel.module, *kernel.entry, placesOf(data), "the spec's arguments")) {
        finding->hint = "the spec's `arguments` and the entry's parameters must agree in number, order and size";
        return finding;
    }
    return checkBlockSize(*kernel.module, *kernel.entry, data.block);
}

Expected<LaunchOutcome> execute(const PtxKernel& kernel, const kernel::LaunchData& data, const ExecuteOptions& options,
                                std::stop_token stop) {
    if (data.isEmpty()) return untouched(data, options.poison);
    const bool isClustered = data.cluster != std::array<std::uint32_t, 3>{1, 1, 1};
    if (data.cooperative || isClustered) {
        auto problem =
            failure(Cause::rejected,
                    fmt::format("the emulator runs no {}",
                                data.cooperative ? "cooperative launches" : "clusters of more than one block"),
                    "verify on a machine with a GPU: it runs them");
        problem.error().kind = "unsupported";
        return problem;
    }
    Memory memory;
    placeVariables(memory, *kernel.program, options.variables);
    VariableContents before = variablesIn(memory, *kernel.program);
    if (options.otherAddresses) // the gap behind it is what counts
        if (auto gap = memory.allocate("nothing", 0, 1, emulator::Access::readOnly, Initially::written); !gap)
            return std::unexpected(gap.error());
    const std::size_t firstBuffer = memory.allocations().size();
    const auto addresses = place(memory, data, options.poison, options.placement);
    if (!addresses) return std::unexpected(addresses.error());
    emulator::Launch launch;
    launch.grid = data.grid;
    launch.block = data.block;
    launch.dynamicSharedBytes = data.sharedBytes;
    launch.parameters = parameterBlock(*kernel.program, data, *addresses);
    emulator::Options emulatorOptions = options.emulator;
    emulatorOptions.watched = watchesOf(*kernel.program, data, options, *addresses);
    auto result = emulator::run(*kernel.program, memory, launch, emulatorOptions, stop);
    if (!result) return std::unexpected(std::move(result.error()));
    LaunchOutcome outcome;
    outcome.ended = result->ended;
    outcome.findings = std::move(result->findings);
    outcome.counters = result->counters;
    outcome.work = std::move(result->work);
    outcome.recording = std::move(result->recording);
    outcome.printed = std::move(result->printed);
    outcome.lastWriters = std::move(result->lastWriters);
    addCudaPlaces(outcome.findings, *kernel.module);
    for (std::size_t i = 0; i < data.buffers.size(); ++i)
        outcome.buffers.push_back(after(*memory.allocations()[firstBuffer + i], data.buffers[i]));
    outcome.variablesBefore = std::move(before);
    outcome.variables = variablesIn(memory, *kernel.program);
    return outcome;
}

Expected<std::optional<emulator::Work>> countWork(const PtxKernel& kernel, const kernel::LaunchData& data,
                                                  std::uint64_t instructionLimit, std::stop_token stop) {
    ExecuteOptions options;
    options.placement = Placement::asAllocated;
    options.emulator.initialisation = options.emulator.races = false;
    options.emulator.instructionLimit = instructionLimit;
    options.emulator.counting = true;
    auto outcome = execute(kernel, data, options, stop);
    if (!outcome) return std::unexpected(std::move(outcome.error()));
    if (!outcome->completed()) return std::nullopt;
    return data.isEmpty() ? emulator::Work{} : std::move(outcome->work);
}

} // namespace ptxwb::verify

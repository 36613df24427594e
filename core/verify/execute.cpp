#include "verify/execute.h"

#include "emulator/program.h"
#include "verify/entry.h"
#include "verify/findings.h"
#include "verify/tensor_maps.h"
#include "verify/textures.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>

namespace ptxwb::verify {

namespace {

using emulator::Initially;
using emulator::Memory;

emulator::Access accessOf(kernel::Access access) {
    return access == kernel::Access::in ? emulator::Access::readOnly : emulator::Access::readWrite;
}

/// Where the launch's buffers lie.
struct Placed {
    std::vector<std::uint64_t> addresses;
    std::vector<emulator::Allocation*> allocations; ///< those of variables and of buffers in one place, too
};

/// Whether something that is written lies in the place of this buffer.
bool isShared(const kernel::LaunchData& data, std::size_t index) {
    return std::ranges::any_of(data.buffers, [&](const kernel::Buffer& b) { return b.sharesWith == index; });
}

/// The launch's buffers in device memory.
Expected<Placed> place(Memory& memory, const kernel::LaunchData& data, kernel::Poison pattern, Placement placement) {
    constexpr std::uint32_t allocated = 256; ///< what the CUDA runtime aligns to
    Placed placed;
    placed.addresses.resize(data.buffers.size());
    placed.allocations.resize(data.buffers.size());
    for (std::size_t i = 0; i < data.buffers.size(); ++i) {
        const kernel::Buffer& buffer = data.buffers[i];
        if (buffer.sharesWith) continue;
        if (buffer.isVariable) {
            placed.allocations[i] = memory.named(buffer.name); // variables were placed first
            placed.addresses[i] = placed.allocations[i]->address;
            continue;
        }
        const bool isOutput = buffer.access == kernel::Access::out;
        const auto access = isShared(data, i) ? emulator::Access::readWrite : accessOf(buffer.access);
        const std::uint32_t align =
            placement == Placement::asAllocated ? std::max(buffer.align, allocated) : buffer.align;
        const auto address = memory.allocate(buffer.name, buffer.bytes.size(), align, access,
                                             isOutput ? Initially::unwritten : Initially::written);
        if (!address) return std::unexpected(address.error());
        placed.addresses[i] = *address;
        placed.allocations[i] = memory.allocations().back().get();
        placed.allocations[i]->bytes = buffer.bytes;
        for (const kernel::Relocation& pointer : buffer.pointers)
            std::memcpy(placed.allocations[i]->bytes.data() + pointer.offset, &placed.addresses[pointer.buffer],
                        sizeof(std::uint64_t));
        if (!isOutput) continue;
        kernel::Buffer poisoned = buffer;
        kernel::poison(poisoned, pattern);
        placed.allocations[i]->bytes = std::move(poisoned.bytes);
    }
    for (std::size_t i = 0; i < data.buffers.size(); ++i)
        if (const auto with = data.buffers[i].sharesWith) {
            placed.addresses[i] = placed.addresses[*with];
            placed.allocations[i] = placed.allocations[*with];
        }
    return placed;
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

std::vector<std::uint8_t> parameterBlock(const emulator::Program& program, const kernel::LaunchPart& part,
                                         const std::vector<std::uint64_t>& addresses) {
    std::vector<std::uint8_t> block(parameterBytes(program), 0);
    const auto layout = parameterLayout(program);
    // A parameter names one by its number, in the order of tensorMapsOf and texturesOf.
    std::uint32_t maps = 0, textures = 0;
    for (std::size_t i = 0; i < std::min(layout.size(), part.parameters.size()); ++i) {
        std::vector<std::uint8_t> bytes = part.parameters[i].bytes;
        if (part.parameters[i].map) {
            const auto number = emulator::tensorMapParameter(maps++);
            bytes.assign(number.begin(), number.end());
        }
        if (part.parameters[i].texture) {
            const std::uint64_t handle = emulator::textureHandle(textures++);
            std::memcpy(bytes.data(), &handle, sizeof handle);
        }
        for (const kernel::Relocation& relocation : part.parameters[i].relocations)
            std::memcpy(bytes.data() + relocation.offset, &addresses[relocation.buffer], sizeof(std::uint64_t));
        std::copy_n(bytes.begin(), std::min<std::size_t>(bytes.size(), layout[i].size),
                    block.begin() + layout[i].offset);
    }
    return block;
}

std::vector<emulator::TensorMap> tensorMapsOf(const kernel::LaunchPart& part,
                                              const std::vector<std::uint64_t>& addresses) {
    std::vector<emulator::TensorMap> maps;
    for (const kernel::Parameter& parameter : part.parameters)
        if (parameter.map) maps.push_back(emulatedMap(*parameter.map, addresses[parameter.map->buffer]));
    return maps;
}

std::vector<emulator::Texture> texturesOf(const kernel::LaunchPart& part, const std::vector<std::uint64_t>& addresses) {
    std::vector<emulator::Texture> textures;
    for (const kernel::Parameter& parameter : part.parameters)
        if (parameter.texture)
            textures.push_back(emulatedTexture(*parameter.texture, addresses[parameter.texture->buffer]));
    return textures;
}

BufferAfter after(const emulator::Allocation& allocation, const kernel::Buffer& buffer,
                  const std::vector<std::uint64_t>& addresses) {
    BufferAfter result;
    result.bytes = allocation.bytes;
    if (buffer.isVariable) result.bytes.resize(buffer.bytes.size());
    for (const kernel::Relocation& pointer : buffer.pointers) // an address that is still there counts as unchanged
        if (std::memcmp(result.bytes.data() + pointer.offset, &addresses[pointer.buffer], 8) == 0)
            std::memset(result.bytes.data() + pointer.offset, 0, 8);
    result.writtenBytes.resize(result.bytes.size());
    for (std::size_t i = 0; i < result.bytes.size(); ++i) result.writtenBytes[i] = allocation.wasWritten(i);
    if (buffer.access != kernel::Access::out || buffer.sharesWith) return result;
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
        const bool isOutput = buffer.access == kernel::Access::out && !buffer.sharesWith;
        if (isOutput) kernel::poison(copy, pattern);
        const std::size_t bytes = copy.bytes.size();
        outcome.buffers.push_back({std::move(copy.bytes),
                                   std::vector<std::uint8_t>(isOutput ? buffer.elementCount : 0, 0),
                                   std::vector<std::uint8_t>(bytes, isOutput ? 0 : 1)});
    }
    return outcome;
}

std::vector<ParameterPlace> placesOf(const kernel::LaunchPart& part) {
    std::vector<ParameterPlace> places;
    std::uint32_t end = 0;
    for (const kernel::Parameter& parameter : part.parameters) {
        const std::uint32_t align = std::max(1U, parameter.align);
        const std::uint32_t offset = (end + align - 1) / align * align;
        places.push_back({parameter.name, offset, static_cast<std::uint32_t>(parameter.bytes.size())});
        end = offset + places.back().size;
    }
    return places;
}

std::optional<Finding> checkPart(const PtxKernel& kernel, const ptx::Function& entry, const kernel::LaunchPart& part) {
    if (auto finding = compareParameters(*kernel.module, entry, placesOf(part), "the spec's arguments")) {
        finding->hint = "the spec's `arguments` and the entry's parameters must agree in number, order and size";
        return finding;
    }
    return checkBlockSize(*kernel.module, entry, part.block);
}

/// The module variables that the spec sets must be there, and as large.
std::optional<Finding> checkVariables(const PtxKernel& kernel, const kernel::LaunchData& data) {
    const auto variables = moduleVariables(*kernel.module);
    for (const kernel::Buffer& buffer : data.buffers) {
        if (!buffer.isVariable) continue;
        Finding finding;
        finding.kind = FindingKind::launch;
        finding.check = "globals";
        finding.argument = buffer.name;
        const auto hit = std::ranges::find(variables, std::string_view(buffer.name), &ptx::Variable::name);
        if (hit == variables.end()) {
            finding.message = fmt::format("the module has no variable {}, which the spec's `globals` set", buffer.name);
            finding.hint = "declare it in the PTX as the baseline does, under the same name";
            return finding;
        }
        if ((*hit)->sizeBytes == buffer.bytes.size()) continue;
        finding.message = fmt::format("the variable {} has {} bytes, the spec's `globals` set {}", buffer.name,
                                      (*hit)->sizeBytes, buffer.bytes.size());
        finding.hint = "compare its type and `count` with the declaration";
        verify::place(finding, *kernel.module, (*hit)->nameSpan);
        return finding;
    }
    return std::nullopt;
}

/// How many blocks of a cooperative launch the emulator has at once: as many as it sets aside and goes back to.
constexpr std::uint64_t cooperativeBlocks = 1024;

Expected<void> runsHere(const kernel::LaunchPart& part) {
    const std::uint64_t blocks = std::uint64_t{part.grid[0]} * part.grid[1] * part.grid[2];
    if (!part.cooperative || blocks <= cooperativeBlocks) return {};
    auto problem =
        failure(Cause::rejected,
                fmt::format("the emulator runs no cooperative launches of more than {} blocks", cooperativeBlocks),
                "verify on a machine with a GPU: it runs them");
    problem.error().kind = "unsupported";
    return problem;
}

} // namespace

Expected<void> resolveEntries(PtxKernel& kernel, const kernel::KernelSpec& spec) {
    const auto& steps = kernel::launchSteps(spec, launchOf(kernel));
    const auto entry = findEntry(*kernel.module, steps.empty() ? spec.entry : steps.front().entry);
    if (!entry) return std::unexpected(entry.error());
    kernel.entry = *entry;
    kernel.following.clear();
    for (std::size_t i = 1; i < steps.size(); ++i) {
        const auto next = findEntry(*kernel.module, steps[i].entry);
        if (!next) return std::unexpected(next.error());
        kernel.following.push_back({*next, nullptr});
    }
    return {};
}

Expected<void> decodeEntry(PtxKernel& kernel) {
    if (!kernel.program) {
        auto program = emulator::decode(kernel.module, kernel.entry->name);
        if (!program) return std::unexpected(std::move(program.error()));
        kernel.program = std::move(*program);
    }
    for (FollowingEntry& next : kernel.following) {
        if (next.program) continue;
        auto program = emulator::decode(kernel.module, next.entry->name);
        if (!program) return std::unexpected(std::move(program.error()));
        next.program = std::move(*program);
    }
    return {};
}

std::optional<Finding> checkLaunch(const PtxKernel& kernel, const kernel::LaunchData& data) {
    if (auto finding = checkPart(kernel, *kernel.entry, data)) return finding;
    for (std::size_t i = 0; i < std::min(data.following.size(), kernel.following.size()); ++i)
        if (auto finding = checkPart(kernel, *kernel.following[i].entry, data.following[i])) return finding;
    return checkVariables(kernel, data);
}

namespace {

/// What several launches executed, as one.
void addWork(std::optional<emulator::Work>& to, std::optional<emulator::Work> more) {
    if (!more) return;
    if (!to) return void(to = std::move(more));
    to->total += more->total;
    for (std::size_t i = 0; i < to->mix.size(); ++i) {
        to->mix[i].warpInstructions += more->mix[i].warpInstructions;
        to->mix[i].threadInstructions += more->mix[i].threadInstructions;
    }
    std::map<std::uint32_t, emulator::WorkCounts> lines;
    for (const auto* part : {&to->lines, &more->lines})
        for (const emulator::LineCounts& line : *part) lines[line.line] += line.counts;
    to->lines.clear();
    for (const auto& [line, counts] : lines) to->lines.push_back({line, counts});
}

/// One launch over memory that is there. False where it did not complete.
Expected<bool> runPart(const emulator::Program& program, Memory& memory, const kernel::LaunchPart& part,
                       const emulator::Options& options, const std::vector<std::uint64_t>& addresses,
                       std::stop_token stop, LaunchOutcome& outcome) {
    if (part.launchesNothing()) return true;
    emulator::Launch launch;
    launch.grid = part.grid;
    launch.block = part.block;
    launch.dynamicSharedBytes = part.sharedBytes;
    launch.parameters = parameterBlock(program, part, addresses);
    launch.tensorMaps = tensorMapsOf(part, addresses);
    launch.textures = texturesOf(part, addresses);
    launch.cluster = part.cluster;
    auto result = emulator::run(program, memory, launch, options, std::move(stop));
    if (!result) return std::unexpected(std::move(result.error()));
    outcome.ended = result->ended;
    std::ranges::move(result->findings, std::back_inserter(outcome.findings));
    outcome.counters += result->counters;
    outcome.printed += result->printed;
    addWork(outcome.work, std::move(result->work));
    if (result->recording) outcome.recording = std::move(result->recording);
    outcome.lastWriters.resize(options.watched.size());
    for (std::size_t i = 0; i < result->lastWriters.size(); ++i)
        if (result->lastWriters[i]) outcome.lastWriters[i] = result->lastWriters[i];
    return outcome.completed();
}

} // namespace

Expected<LaunchOutcome> execute(const PtxKernel& kernel, const kernel::LaunchData& data, const ExecuteOptions& options,
                                std::stop_token stop) {
    if (data.isEmpty()) return untouched(data, options.poison);
    if (auto here = runsHere(data); !here) return std::unexpected(here.error());
    for (const kernel::LaunchPart& part : data.following)
        if (auto here = runsHere(part); !here) return std::unexpected(here.error());
    Memory memory;
    VariableContents variables = options.variables;
    for (const kernel::Buffer& buffer : data.buffers)
        if (buffer.isVariable) variables[buffer.name] = buffer.bytes;
    std::vector<const emulator::Program*> programs{kernel.program.get()};
    for (const FollowingEntry& next : kernel.following) programs.push_back(next.program.get());
    if (auto done = placeVariables(memory, programs, variables); !done) return std::unexpected(done.error());
    VariableContents before = variablesIn(memory, *kernel.module);
    if (options.otherAddresses) // the gap behind it is what counts
        if (auto gap = memory.allocate("nothing", 0, 1, emulator::Access::readOnly, Initially::written); !gap)
            return std::unexpected(gap.error());
    const auto placed = place(memory, data, options.poison, options.placement);
    if (!placed) return std::unexpected(placed.error());
    emulator::Options emulatorOptions = options.emulator;
    emulatorOptions.watched = watchesOf(*kernel.program, data, options, placed->addresses);
    LaunchOutcome outcome;
    auto goesOn = runPart(*kernel.program, memory, data, emulatorOptions, placed->addresses, stop, outcome);
    for (std::size_t i = 0; goesOn && *goesOn && i < std::min(data.following.size(), kernel.following.size()); ++i)
        goesOn = runPart(*kernel.following[i].program, memory, data.following[i], emulatorOptions, placed->addresses,
                         stop, outcome);
    if (!goesOn) return std::unexpected(std::move(goesOn.error()));
    addCudaPlaces(outcome.findings, *kernel.module);
    for (std::size_t i = 0; i < data.buffers.size(); ++i)
        outcome.buffers.push_back(after(*placed->allocations[i], data.buffers[i], placed->addresses));
    outcome.variablesBefore = std::move(before);
    outcome.variables = variablesIn(memory, *kernel.module);
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

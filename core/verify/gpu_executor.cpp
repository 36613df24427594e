#include "verify/gpu_executor.h"

#include "toolchain/ptxas.h"
#include "verify/entry.h"
#include "verify/last_writers.h"
#include "verify/tensor_maps.h"
#include "verify/textures.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::verify {

namespace {

gpu::Access accessOf(kernel::Access access) {
    return access == kernel::Access::in ? gpu::Access::readOnly : gpu::Access::readWrite;
}

/// First contents with the poison in the outputs.
std::vector<kernel::Buffer> poisoned(const kernel::LaunchData& data, kernel::Poison pattern) {
    std::vector<kernel::Buffer> buffers = data.buffers;
    for (kernel::Buffer& buffer : buffers)
        if (buffer.access == kernel::Access::out && !buffer.sharesWith) kernel::poison(buffer, pattern);
    return buffers;
}

Finding fault(const gpu::LaunchResult& result, std::chrono::milliseconds deadline) {
    Finding finding;
    finding.check = "fault";
    finding.message = result.problem;
    finding.hint = "the emulator says at which line: verify with --backend emulator, or read sanitize's findings";
    if (result.ended == gpu::Ended::timedOut) {
        finding.kind = FindingKind::timeout;
        finding.check = "deadline";
        finding.message = fmt::format("the kernel still runs after {} ms", deadline.count());
        return finding;
    }
    if (result.ended == gpu::Ended::refused) {
        finding.kind = FindingKind::launch;
        finding.check = "launch";
        finding.hint = "compare block size, shared memory and registers with what the device has";
        return finding;
    }
    constexpr int illegalAddress = 700, misaligned = 716; // CUDA Driver API, CUresult
    finding.kind = result.code == illegalAddress ? FindingKind::outOfBounds
                   : result.code == misaligned   ? FindingKind::misaligned
                                                 : FindingKind::launch;
    if (result.code == misaligned) finding.check = "alignment";
    if (result.code == illegalAddress) finding.check = "bounds";
    if (result.code == illegalAddress)
        finding.message += " (behind the end of a buffer, outside of all, or a store into an input)";
    return finding;
}

Finding damage(const kernel::Buffer& buffer, std::int64_t offset) {
    Finding finding;
    finding.kind = FindingKind::outOfBounds;
    finding.check = "guards";
    finding.argument = buffer.name;
    finding.message = offset < 0 ? fmt::format("writes {} bytes before the start of {}", -offset, buffer.name)
                                 : fmt::format("writes {} bytes behind the end of {} ({} bytes)",
                                               offset - static_cast<std::int64_t>(buffer.bytes.size()) + 1, buffer.name,
                                               buffer.bytes.size());
    finding.hint = "compare the index with the size before the access";
    return finding;
}

BufferAfter afterBoth(const kernel::Buffer& buffer, std::vector<std::uint8_t> first,
                      const std::vector<std::uint8_t>& second) {
    BufferAfter after;
    const bool isOutput = buffer.access == kernel::Access::out && !buffer.sharesWith;
    after.writtenBytes.assign(first.size(), 1);
    if (isOutput) {
        after.written = kernel::writtenElements(buffer, first, second);
        // What neither poison shows is what nobody wrote.
        for (std::size_t i = 0; i < first.size(); ++i) after.writtenBytes[i] = first[i] == second[i];
    }
    after.bytes = std::move(first);
    return after;
}

kernel::Poison other(kernel::Poison pattern) {
    return pattern == kernel::Poison::first ? kernel::Poison::second : kernel::Poison::first;
}

} // namespace

namespace {

void fillTarget(const kernel::LaunchPart& part, gpu::LaunchTarget& to) {
    to.grid = part.grid;
    to.block = part.block;
    to.cluster = part.cluster;
    to.sharedBytes = part.sharedBytes;
    to.cooperative = part.cooperative;
    for (const kernel::Parameter& parameter : part.parameters) {
        const std::size_t align = std::max<std::size_t>(1, parameter.align);
        const std::size_t offset = (to.parameters.size() + align - 1) / align * align;
        to.parameters.resize(offset);
        to.offsets.push_back(static_cast<std::uint32_t>(offset));
        to.parameters.insert(to.parameters.end(), parameter.bytes.begin(), parameter.bytes.end());
        for (const kernel::Relocation& relocation : parameter.relocations)
            to.patches.push_back({static_cast<std::uint32_t>(offset) + relocation.offset, relocation.buffer});
        if (parameter.map) to.tensorMaps.push_back(gpuMap(*parameter.map, static_cast<std::uint32_t>(offset)));
        if (parameter.texture)
            to.textures.push_back(gpuTexture(*parameter.texture, static_cast<std::uint32_t>(offset)));
    }
}

/// A buffer as the device gets it. Variables of the module have no memory of their own: no byte of it.
gpu::BufferIn bufferIn(const kernel::LaunchData& data, std::size_t index, const kernel::Buffer& content) {
    if (content.isVariable) return {{}, 4, gpu::Access::readWrite};
    const bool isShared =
        std::ranges::any_of(data.buffers, [&](const kernel::Buffer& b) { return b.sharesWith == index; });
    gpu::BufferIn buffer{content.bytes, content.align, isShared ? gpu::Access::readWrite : accessOf(content.access)};
    buffer.pointers = pointersOf(content);
    if (content.sharesWith) buffer.sharesWith = *content.sharesWith;
    return buffer;
}

} // namespace

gpu::LaunchRequest launchRequest(const kernel::LaunchData& data) {
    gpu::LaunchRequest request;
    fillTarget(data, request);
    for (const kernel::LaunchPart& part : data.following) fillTarget(part, request.following.emplace_back().target);
    return request;
}

std::vector<gpu::Patch> pointersOf(const kernel::Buffer& buffer) {
    std::vector<gpu::Patch> pointers;
    for (const kernel::Relocation& pointer : buffer.pointers) pointers.push_back({pointer.offset, pointer.buffer});
    return pointers;
}

gpu::BenchSubject GpuExecutor::subject(const PtxKernel& kernel, const kernel::LaunchData& data) const {
    const Loaded& ready = m_kernels.at(&kernel);
    gpu::BenchSubject subject{ready.first.get(), launchRequest(data)};
    for (std::size_t i = 0; i < subject.shape.following.size(); ++i)
        subject.shape.following[i].kernel = ready.following.at(i).get();
    return subject;
}

std::string archFor(const ptx::Module& module, const gpu::Device& device) {
    const std::string own = device.arch();
    for (const std::string_view target : module.targets)
        if (target.starts_with(own) && target.size() == own.size() + 1) return std::string(target);
    return own;
}

kernel::Symbols GpuExecutor::builtins() const {
    // One block is what fits whatever the kernel needs; how many more do is not known before it is launched.
    return {{"sm_count", m_gpu.device().smCount}, {"max_blocks_per_sm", 1}};
}

/// What the driver loads: a cubin, or the PTX itself.
Expected<std::string> GpuExecutor::machineCode(const PtxKernel& kernel) const {
    if (m_compiler == Compiler::driver) return *kernel.module->text;
    const toolchain::Toolkit* const toolkit = m_toolkit ? m_toolkit : m_context.machine.assembler();
    if (!toolkit)
        return failure(Cause::missing, "no ptxas was found, and the driver's own compiler is another one",
                       "install a CUDA toolkit, or set PTXWB_PTXAS");
    toolchain::PtxasRequest request;
    request.text = *kernel.module->text;
    request.file = kernel.module->name;
    request.arch = archFor(*kernel.module, m_gpu.device());
    auto assembled = toolchain::assemble(request, *toolkit, m_context.stop);
    if (!assembled) return std::unexpected(std::move(assembled.error()));
    if (!assembled->ok) {
        Diagnostic why = assembled->diagnostics.empty() ? Diagnostic{} : assembled->diagnostics.front();
        why.cause = Cause::rejected;
        why.message = fmt::format("ptxas refuses {} for {}: {}", kernel.name, request.arch, why.message);
        why.hint = "verify it first: the assemble stage names every line";
        return std::unexpected(std::move(why));
    }
    return std::move(assembled->cubin);
}

namespace {

bool isGlobal(const PtxKernel& kernel, std::string_view variable) {
    const auto variables = moduleVariables(*kernel.module);
    const auto hit = std::ranges::find(variables, variable, &ptx::Variable::name);
    return hit != variables.end() && (*hit)->space == ptx::StateSpace::global;
}

} // namespace

Expected<void> GpuExecutor::prepare(PtxKernel& kernel) {
    if (m_kernels.contains(&kernel)) return {};
    const auto code = machineCode(kernel);
    if (!code) return std::unexpected(code.error());
    auto loaded = m_gpu.load(*code, std::string(kernel.entry->name));
    if (!loaded) return std::unexpected(std::move(loaded.error()));
    Loaded all;
    for (const FollowingEntry& next : kernel.following) {
        auto other = m_gpu.entry(**loaded, std::string(next.entry->name));
        if (!other) return std::unexpected(std::move(other.error()));
        all.following.push_back(std::move(*other));
    }
    for (const ptx::Variable* variable : moduleVariables(*kernel.module))
        // ptxas drops what nothing refers to; what the driver does not know nobody can leave anything in.
        if (auto content = m_gpu.variable(**loaded, std::string(variable->name)))
            all.variables.emplace(variable->name, std::move(*content));
    all.first = std::move(*loaded);
    m_kernels.emplace(&kernel, std::move(all));
    return {};
}

Expected<gpu::DeviceLock> GpuExecutor::launchLock() const {
    constexpr double seconds = 120; // a benchmark is over by then
    return gpu::DeviceLock::take(m_gpu.device().uuid, gpu::DeviceLock::Use::launches, seconds);
}

Expected<LaunchOutcome> GpuExecutor::run(const PtxKernel& kernel, const kernel::LaunchData& data,
                                         const ExecuteOptions& options, std::stop_token stop) {
    LaunchOutcome outcome;
    const auto lock = launchLock();
    if (!lock) return std::unexpected(lock.error());
    const bool hasOutputs =
        std::ranges::any_of(data.buffers, [](const auto& b) { return b.access == kernel::Access::out; });
    const Loaded& ready = m_kernels.at(&kernel);
    // Every launch begins with the module as it was loaded, but for what is asked for.
    VariableContents variables = ready.variables;
    for (const auto& [name, bytes] : options.variables)
        if (const auto known = variables.find(name); known != variables.end()) known->second = bytes;
    for (const kernel::Buffer& buffer : data.buffers)
        if (buffer.isVariable) variables[buffer.name] = buffer.bytes;
    std::vector<std::vector<std::uint8_t>> first;
    // The second launch also puts every buffer at exactly the alignment that is granted.
    for (const bool again : {false, true}) {
        if (again && !hasOutputs && data.isEmpty()) break;
        const auto contents = poisoned(data, again ? other(options.poison) : options.poison);
        gpu::LaunchRequest request = subject(kernel, data).shape;
        request.deadline = m_context.input.plan.launchDeadline;
        request.placement = again                                             ? gpu::Placement::exact
                            : options.placement == Placement::asAllocated ? gpu::Placement::allocated
                                                                              : gpu::Placement::flush;
        for (std::size_t i = 0; i < contents.size(); ++i) request.buffers.push_back(bufferIn(data, i, contents[i]));
        for (const auto& [name, bytes] : variables) request.variables.push_back({name, bytes});
        if (data.isEmpty()) {
            for (const kernel::Buffer& buffer : contents)
                outcome.buffers.push_back(afterBoth(buffer, buffer.bytes, buffer.bytes));
            return outcome;
        }
        auto result = m_gpu.launch(loaded(kernel), request, stop);
        if (!result) return std::unexpected(std::move(result.error()));
        if (stop.stop_requested()) {
            outcome.ended = emulator::Ended::cancelled;
            return outcome;
        }
        if (result->ended != gpu::Ended::completed) {
            outcome.ended = emulator::Ended::stopped;
            outcome.findings.push_back(fault(*result, request.deadline));
            for (const kernel::Buffer& buffer : contents)
                outcome.buffers.push_back(afterBoth(buffer, buffer.bytes, buffer.bytes));
            return outcome;
        }
        outcome.variables.clear();
        for (std::size_t i = 0; i < result->variables.size(); ++i) {
            const auto buffer = std::ranges::find(data.buffers, request.variables[i].name, &kernel::Buffer::name);
            if (buffer != data.buffers.end() && buffer->isVariable)
                result->buffers[static_cast<std::size_t>(buffer - data.buffers.begin())] = result->variables[i];
            else if (isGlobal(kernel, request.variables[i].name))
                outcome.variables[request.variables[i].name] = std::move(result->variables[i]);
        }
        outcome.variablesBefore = variables;
        for (const gpu::GuardDamage& each : result->damage)
            outcome.findings.push_back(damage(data.buffers[each.buffer], each.offset));
        if (!again) {
            first = std::move(result->buffers);
            continue;
        }
        for (std::size_t i = 0; i < data.buffers.size(); ++i)
            outcome.buffers.push_back(afterBoth(data.buffers[i], std::move(first[i]), result->buffers[i]));
    }
    return outcome;
}

void GpuExecutor::explain(std::vector<Finding>& findings, const PtxKernel& kernel, const kernel::LaunchData& data,
                          const ExecuteOptions& options, std::stop_token stop) {
    PtxKernel copy = kernel;
    if (decodeEntry(copy)) addLastWriters(findings, copy, data, options, stop);
}

} // namespace ptxwb::verify

#include "lesson/metrics.h"

#include "emulator/emulator.h"
#include "gpu/occupancy.h"
#include "kernel/candidate_header.h"
#include "kernel/launch_shape.h"
#include "ptx/analysis/accesses.h"
#include "ptx/cfg.h"
#include "ptx/parse.h"
#include "verify/emulated_device.h"
#include "verify/entry.h"

#include <algorithm>

namespace ptxwb::lesson {

namespace {

constexpr const char* ofText[] = {"loads_in_flight", "block_threads", "shared_size",
                                  "blocks_per_sm",   "warps_per_sm",  "occupancy"};
constexpr std::int64_t assumedRegisters = 32;

std::string mixName(std::size_t c) {
    return "mix_" + std::string(emulator::name(static_cast<emulator::InstructionClass>(c)));
}

/// Loads whose results nobody has used yet, at most; within one block of code.
std::int64_t loadsInFlight(const ptx::Module& module, const ptx::Function& function) {
    const ptx::ControlFlow flow = ptx::controlFlow(module, function);
    const ptx::AccessTable accesses(function);
    std::int64_t most = 0;
    for (const ptx::Block& block : flow.blocks) {
        if (!block.reachable) continue;
        std::vector<std::vector<ptx::Index>> waiting; // destinations of each load
        for (std::uint32_t i = block.first; i < block.end; ++i) {
            const ptx::Instruction& instruction = function.instructions[i];
            const auto of = accesses.of(i);
            std::erase_if(waiting, [&](const std::vector<ptx::Index>& load) {
                return std::ranges::any_of(of, [&](const ptx::RegisterAccess& access) {
                    return std::ranges::find(load, access.reg) != load.end();
                });
            });
            if (instruction.opcode != ptx::Opcode::ld || function.spaceOf(instruction) != ptx::StateSpace::global)
                continue;
            auto& load = waiting.emplace_back();
            for (const ptx::RegisterAccess& access : of)
                if (access.kind != ptx::Access::read) load.push_back(access.reg);
            most = std::max(most, static_cast<std::int64_t>(waiting.size()));
        }
    }
    return most;
}

Expected<kernel::LaunchData> shapeOf(const kernel::KernelSpec& spec, const std::string& text,
                                     const kernel::Symbols& sizes) {
    const auto header = kernel::readCandidateHeader(text, kernel::symbolNames(spec));
    if (!header) return std::unexpected(header.error());
    kernel::LaunchData data;
    data.symbols = verify::withDevice(sizes);
    const auto shaped = kernel::shapeLaunch(spec.launch, header->launch ? &*header->launch : nullptr, data);
    if (!shaped) return std::unexpected(shaped.error());
    return data;
}

} // namespace

const std::vector<std::string>& metricNames() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all(std::begin(ofText), std::end(ofText));
        const emulator::WorkCounts none;
        emulator::eachWorkCount(none, [&](std::string_view key, std::uint64_t) { all.emplace_back(key); });
        for (std::size_t c = 0; c < emulator::instructionClasses; ++c) all.push_back(mixName(c));
        return all;
    }();
    return names;
}

Expected<kernel::Symbols> metricsOf(const Lesson& lesson, const std::string& text, const verify::WorkReport& work) {
    kernel::Symbols metrics;
    emulator::eachWorkCount(work.total, [&](std::string_view key, std::uint64_t value) {
        metrics[std::string(key)] = static_cast<std::int64_t>(value);
    });
    for (std::size_t c = 0; c < emulator::instructionClasses; ++c)
        metrics[mixName(c)] = static_cast<std::int64_t>(work.mix[c].warpInstructions);

    const auto module = ptx::parse(text, "submission.ptx");
    const kernel::KernelSpec& spec = lesson.kernel->spec;
    const auto entry = verify::findEntry(*module, spec.launches.empty() ? spec.entry : spec.launches.front().entry);
    if (!entry) return std::unexpected(entry.error());
    metrics["loads_in_flight"] = loadsInFlight(*module, **entry);

    const auto shape = shapeOf(lesson.kernel->spec, text, work.sizes);
    if (!shape) return std::unexpected(shape.error());
    const auto program = emulator::decode(module, (*entry)->name);
    if (!program) return std::unexpected(program.error());
    const auto arch = gpu::architecture(lesson.arch);
    if (!arch) return std::unexpected(arch.error());
    const auto assumed = lesson.occupancyAssumes.find("registers");
    gpu::OccupancyRequest request;
    request.block = shape->block[0] * shape->block[1] * shape->block[2];
    request.registers =
        static_cast<std::uint32_t>(assumed == lesson.occupancyAssumes.end() ? assumedRegisters : assumed->second);
    request.sharedStatic = emulator::staticSharedBytes(**program);
    request.sharedDynamic = shape->sharedBytes;
    const auto occupancy = gpu::occupancy(*arch, request);
    if (!occupancy) return std::unexpected(occupancy.error());
    metrics["block_threads"] = request.block;
    metrics["shared_size"] = std::int64_t{request.sharedStatic} + request.sharedDynamic;
    metrics["blocks_per_sm"] = occupancy->blocksPerSm;
    metrics["warps_per_sm"] = occupancy->warpsPerSm;
    metrics["occupancy"] = static_cast<std::int64_t>(occupancy->percent);
    return metrics;
}

std::vector<std::uint32_t> linesWith(const std::string& text, std::string_view word) {
    const std::size_t dot = std::min(word.find('.'), word.size());
    const ptx::Opcode code = ptx::opcode(word.substr(0, dot));
    std::vector<std::string_view> modifiers;
    for (std::size_t from = dot; from < word.size();) {
        const std::size_t to = std::min(word.find('.', from + 1), word.size());
        modifiers.push_back(word.substr(from, to - from)); // with its dot
        from = to;
    }
    std::vector<std::uint32_t> lines;
    const auto module = ptx::parse(text, "submission.ptx");
    for (const ptx::Function& function : module->functions)
        for (const ptx::Instruction& instruction : function.instructions) {
            if (instruction.opcode != code) continue;
            const bool all = std::ranges::all_of(modifiers, [&](std::string_view wanted) {
                return std::ranges::any_of(function.modifiersOf(instruction), [&](const ptx::ModifierUse& use) {
                    const std::string_view written = module->textOf(use.span);
                    // `.shared` is `.shared::cta` too.
                    return written == wanted ||
                           (written.starts_with(wanted) && written.substr(wanted.size(), 2) == "::");
                });
            });
            if (all) lines.push_back(module->lineOf(instruction.opcodeSpan.offset));
        }
    return lines;
}

} // namespace ptxwb::lesson

#include "verify/register_sweep.h"

#include "gpu/occupancy.h"
#include "ptx/parse.h"

#include <algorithm>
#include <fmt/format.h>
#include <ranges>

namespace ptxwb::verify {

namespace {
constexpr std::size_t mostSteps = 8;
constexpr std::uint32_t fewestRegisters = 16; ///< ptxas keeps to no smaller limit
} // namespace

std::vector<std::uint32_t> registerSteps(const gpu::Architecture& arch, const EntryResources& resources,
                                         std::uint32_t block, std::uint32_t sharedDynamic) {
    gpu::OccupancyRequest request;
    request.block = block;
    request.registers = resources.registers;
    request.sharedStatic = resources.staticSharedBytes;
    request.sharedDynamic = sharedDynamic;
    request.barriers = resources.barriers;
    std::vector<std::uint32_t> steps;
    for (auto fits = gpu::occupancy(arch, request); fits && fits->nextStep; fits = gpu::occupancy(arch, request)) {
        request.registers = fits->nextStep->registers;
        if (request.registers < fewestRegisters) break;
        steps.push_back(request.registers);
    }
    if (steps.size() <= mostSteps) return steps;
    // Small blocks have a step for each register: some of all sizes, the first and the last among them.
    std::vector<std::uint32_t> some;
    for (std::size_t i = 0; i < mostSteps; ++i) some.push_back(steps[i * (steps.size() - 1) / (mostSteps - 1)]);
    return some;
}

std::string withMostRegisters(const ptx::Module& module, std::uint32_t registers) {
    struct Edit {
        ptx::Span place; ///< of length 0: an insertion
        std::string text;
    };
    std::vector<Edit> edits;
    const std::string directive = fmt::format(".maxnreg {}", registers);
    for (const ptx::Function& function : module.functions) {
        if (!function.isEntry || !function.hasBody) continue;
        const auto own = std::ranges::find(function.directives, ".maxnreg", &ptx::PerformanceDirective::name);
        if (own != function.directives.end())
            edits.push_back({own->span, directive});
        else
            edits.push_back({{function.bodySpan.offset, 0}, directive + '\n'});
    }
    std::string text = *module.text;
    for (const Edit& edit : std::views::reverse(edits)) text.replace(edit.place.offset, edit.place.length, edit.text);
    return text;
}

std::vector<CandidateText> registerSweep(const CandidateText& baseline, const std::vector<std::uint32_t>& steps) {
    const auto module = ptx::parse(baseline.text, baseline.file);
    std::vector<CandidateText> texts;
    for (const std::uint32_t registers : steps)
        texts.push_back({fmt::format("{}_maxnreg_{}", baseline.name, registers), baseline.file,
                         withMostRegisters(*module, registers)});
    return texts;
}

} // namespace ptxwb::verify

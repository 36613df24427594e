#include "llm/prompt_facts.h"

#include "ptx/targets.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace ptxwb::llm {

using nlohmann::json;

namespace {

std::string formulaText(const kernel::Formula& formula) {
    return formula.wide ? std::to_string(*formula.wide) : std::string(formula.expression.text());
}

std::string three(const kernel::Formula3& formulas) {
    return fmt::format("{} x {} x {}", formulaText(formulas[0]), formulaText(formulas[1]), formulaText(formulas[2]));
}

/// A texture or surface with the texels behind it: they are no parameter of their own.
std::string imageText(const kernel::KernelSpec& spec, const kernel::Argument& argument) {
    const kernel::Argument* buffer = kernel::findArgument(spec, argument.of.front());
    std::string size = buffer->count ? formulaText(*buffer->count) : std::string();
    for (const auto& extent : buffer->shape) size += (size.empty() ? "" : " x ") + formulaText(extent);
    return fmt::format("{}: handle of a {} over {} elements of {}, slowest dimension first, {}{}", argument.name,
                       kernel::name(argument.kind), size, kernel::name(buffer->type),
                       buffer->access == kernel::Access::in ? "only read" : "written",
                       argument.options.empty() ? "" : "; " + argument.options);
}

std::string argumentText(const kernel::KernelSpec& spec, const kernel::Argument& argument) {
    switch (argument.kind) {
    case kernel::ArgumentKind::texture:
    case kernel::ArgumentKind::surface: return imageText(spec, argument);
    case kernel::ArgumentKind::scalar:
        return fmt::format("{}: scalar {}, = {}", argument.name, kernel::name(argument.type),
                           formulaText(argument.value));
    case kernel::ArgumentKind::buffer: {
        std::string size;
        if (argument.count) size = formulaText(*argument.count) + " elements";
        if (!argument.shape.empty()) {
            std::vector<std::string> shape, strides;
            for (const auto& one : argument.shape) shape.push_back(formulaText(one));
            for (const auto& one : argument.strides) strides.push_back(formulaText(one));
            size = fmt::format("{} elements, {}", fmt::join(shape, " x "),
                               strides.empty() ? "dense, the last index fastest"
                                               : fmt::format("strides {} (elements)", fmt::join(strides, ", ")));
        }
        const auto bytes = kernel::sizeOf(argument.type);
        return fmt::format("{}: pointer to {} in global memory, {}, {}; its address is a multiple of {} and nothing "
                           "more may be assumed",
                           argument.name, kernel::name(argument.type), size,
                           argument.access == kernel::Access::in      ? "only read"
                           : argument.access == kernel::Access::out   ? "only written, every element"
                           : argument.access == kernel::Access::inout ? "read and written"
                                                                      : "scratch, zeroed before the launch",
                           argument.align != 0 ? argument.align : bytes);
    }
    default: return fmt::format("{}: {}", argument.name, kernel::name(argument.kind));
    }
}

} // namespace

json specFacts(const kernel::Kernel& kernel) {
    const kernel::KernelSpec& spec = kernel.spec;
    json arguments = json::array(), symbols = json::array(), notes = json::array(), require = json::array();
    for (const kernel::Argument* argument : kernel::parameters(spec))
        arguments.push_back({{"text", argumentText(spec, *argument)}});
    // Sizes of the tests stay unknown to the model: what it does not know it cannot write into the code.
    for (const kernel::SymbolSizes& symbol : spec.symbols)
        symbols.push_back(
            {{"name", symbol.name},
             {"benchmark",
              symbol.benchmark.empty() ? std::string{} : fmt::format("{}", fmt::join(symbol.benchmark, ", "))}});
    for (const std::string& note : spec.notes) notes.push_back({{"text", note}});
    for (const kernel::Expression& condition : spec.require)
        require.push_back({{"text", std::string(condition.text())}});
    const auto source = kernel.files.find(spec.source);
    return {{"name", spec.name},
            {"title", spec.title},
            {"intent", spec.intent},
            {"notes", std::move(notes)},
            {"cuda", spec.source.empty() || source == kernel.files.end() ? std::string{} : source->second},
            {"arguments", std::move(arguments)},
            {"symbols", std::move(symbols)},
            {"require", std::move(require)},
            {"grid", three(spec.launch.grid)},
            {"block", three(spec.launch.block)},
            {"dynamic_shared", formulaText(spec.launch.sharedBytes)},
            {"several_launches", !spec.launches.empty()},
            {"deterministic", spec.deterministic},
            {"exact", spec.tolerance.rule == kernel::ToleranceRule::exact},
            {"max_registers", spec.limits.registers ? std::to_string(*spec.limits.registers) : std::string{}},
            {"max_shared", spec.limits.sharedBytes ? std::to_string(*spec.limits.sharedBytes) : std::string{}},
            {"flops", spec.work.flops ? formulaText(*spec.work.flops) : std::string{}},
            {"bytes", spec.work.bytes ? formulaText(*spec.work.bytes) : std::string{}}};
}

json targetFacts(const TargetLimits& target) {
    return {{"arch", target.arch},
            {"arch_name", target.name},
            {"warp_size", target.warpSize},
            {"threads_per_block", target.maxThreadsPerBlock},
            {"warps_per_sm", target.warpsPerSm},
            {"blocks_per_sm", target.blocksPerSm},
            {"registers_per_sm", target.registersPerSm},
            {"registers_per_thread", target.maxRegistersPerThread},
            {"shared_per_block", target.sharedPerBlock},
            {"shared_per_block_opt_in", target.sharedPerBlockOptIn},
            {"shared_per_sm", target.sharedPerSm},
            {"cluster", target.maxCluster},
            {"abilities", abilities(target.arch)}};
}

std::string abilities(std::string_view arch) {
    struct Ability {
        unsigned sm;
        char suffix; ///< that the target needs; none: '\0'
        std::string_view text;
    };
    // Source: PTX ISA 9.0, "Target ISA Notes" of each instruction.
    static constexpr auto all = std::to_array<Ability>({
        {70, 0, "shfl.sync, vote.sync; wmma for f16"},
        {75, 0, "ldmatrix; mma.sync m16n8k8 for f16, m8n8k16 for 8-bit integers"},
        {80, 0,
         "cp.async (4, 8 or 16 bytes from global to shared memory); mma.sync m16n8k16 for f16 and bf16, m16n8k8 for "
         "tf32, m16n8k32 for 8-bit integers; mbarrier; redux.sync for integers; bf16 arithmetic; createpolicy and L2 "
         "cache hints"},
        {89, 0, "mma.sync m16n8k32 for e4m3 and e5m2"},
        {90, 0,
         "thread block clusters and distributed shared memory; cp.async.bulk and tensor maps; stmatrix; "
         "mbarrier.try_wait; atomics and reductions on vectors of f32"},
        {90, 'a', "wgmma (four warps together); setmaxnreg"},
        {100, 0,
         "256-bit global loads and stores (.v8.b32, .v4.b64); packed f32x2 arithmetic; redux.sync for f32 on the a and "
         "f targets"},
        {100, 'a', "tcgen05 with tensor memory"},
    });
    const auto target = ptx::target(arch);
    std::string text;
    for (const Ability& ability : all)
        if (target && ability.sm <= target->sm &&
            (ability.suffix == 0 || (ability.suffix == target->suffix && ability.sm == target->sm)))
            text += fmt::format("- since sm_{}{}: {}\n", ability.sm, ability.suffix == 0 ? "" : "a", ability.text);
    if (target && target->suffix == 0 && target->sm >= 90)
        text += fmt::format("- not on {}: what needs the target sm_{}a ({})\n", arch, target->sm,
                            target->sm >= 100 ? "tcgen05" : "wgmma, setmaxnreg");
    return text;
}

} // namespace ptxwb::llm

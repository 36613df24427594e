#include "verify/spec_fits.h"

#include "kernel/launch_shape.h"
#include "kernel/sizes.h"
#include "verify/emulated_device.h"
#include "verify/entry.h"
#include "verify/execute.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::verify {

namespace {

using kernel::Argument;
using kernel::ArgumentKind;

std::unexpected<Diagnostic> wrong(std::string path, const std::string& what, std::string hint) {
    return failure(Cause::badRequest, fmt::format("{}: {}", path, what), std::move(hint));
}

/// How a parameter is declared: ".u64 scale_param_2".
std::string declared(const ptx::Variable& parameter) {
    if (parameter.isArray)
        return fmt::format(".align {} .b8 {}[{}]", parameter.align, parameter.name, parameter.sizeBytes);
    return fmt::format(".{} {}", name(parameter.type), parameter.name);
}

/// An argument that would fit the parameter.
std::string example(const ptx::Variable& parameter) {
    if (parameter.isArray)
        return fmt::format(R"({{"name": "p", "type": "bytes", "hex": "...", "align": {}}} with {} bytes, or a struct)",
                           parameter.align, parameter.sizeBytes);
    switch (parameter.sizeBytes) {
    case 1: return R"({"name": "flag", "type": "u8", "value": 1})";
    case 2: return R"({"name": "h", "type": "f16", "value": 1})";
    case 4:
        return parameter.type == ptx::ScalarType::f32 ? R"({"name": "a", "type": "f32", "value": 2.5})"
                                                      : R"({"name": "n", "type": "s32", "value": "n"})";
    default: return R"({"name": "x", "type": "f32", "count": "n", "access": "in"})";
    }
}

std::uint64_t bytesOf(const Argument& argument) {
    switch (argument.kind) {
    case ArgumentKind::scalar: return kernel::sizeOf(argument.type);
    case ArgumentKind::structure: return argument.size;
    case ArgumentKind::bytes: return argument.bytes.size();
    case ArgumentKind::tensormap: return 128;
    default: return 8;
    }
}

std::string described(const Argument& argument) {
    switch (argument.kind) {
    case ArgumentKind::scalar: return fmt::format("{} is a scalar {}", argument.name, name(argument.type));
    case ArgumentKind::buffer: return fmt::format("{} is a pointer", argument.name);
    default: return fmt::format("{} is a {}", argument.name, name(argument.kind));
    }
}

class Fit {
public:
    Fit(const kernel::KernelSpec& spec, const PtxKernel& baseline) : m_spec(spec), m_baseline(baseline) {}

    Expected<void> all() const {
        if (m_spec.launches.empty())
            return entry(m_spec.entry, "entry", "launch", m_spec.launch, kernel::parameters(m_spec));
        for (std::size_t i = 0; i < m_spec.launches.size(); ++i) {
            std::vector<const Argument*> arguments;
            for (const std::string& name : m_spec.launches[i].arguments)
                arguments.push_back(kernel::findArgument(m_spec, name));
            const auto path = fmt::format("launches[{}]", i);
            if (auto fits = entry(m_spec.launches[i].entry, path + ".entry", path + ".launch",
                                  m_spec.launches[i].launch, arguments);
                !fits)
                return fits;
        }
        return {};
    }

    Expected<void> globals() const {
        const auto variables = moduleVariables(*m_baseline.module);
        for (std::size_t i = 0; i < m_spec.globals.size(); ++i) {
            const kernel::GlobalVariable& global = m_spec.globals[i];
            const auto hit = std::ranges::find(variables, std::string_view(global.name), &ptx::Variable::name);
            if (hit != variables.end()) continue;
            std::vector<std::string> names;
            for (const ptx::Variable* variable : variables) names.emplace_back(variable->name);
            return wrong(fmt::format("globals[{}].name", i),
                         fmt::format("the baseline's module has no variable \"{}\"", global.name),
                         names.empty() ? std::string("it declares none: remove \"globals\"")
                                       : fmt::format("it declares: {}", fmt::join(names, ", ")));
        }
        return {};
    }

private:
    std::string pathOf(const Argument& argument) const {
        return fmt::format("arguments[{}]", &argument - m_spec.arguments.data());
    }

    Expected<void> entry(const std::string& symbol, const std::string& path, const std::string& launchPath,
                         const kernel::LaunchShape& launch, const std::vector<const Argument*>& arguments) const {
        const auto found = findEntry(*m_baseline.module, symbol);
        if (!found) return wrong(path, found.error().message, found.error().hint);
        const auto& parameters = (*found)->parameters;
        for (std::size_t i = 0; i < std::min(parameters.size(), arguments.size()); ++i) {
            const Argument& argument = *arguments[i];
            if (bytesOf(argument) == parameters[i].sizeBytes) continue;
            const std::string part = argument.kind == ArgumentKind::scalar      ? ".type"
                                     : argument.kind == ArgumentKind::structure ? ".size"
                                     : argument.kind == ArgumentKind::bytes     ? ".hex"
                                                                                : "";
            return wrong(pathOf(argument) + part,
                         fmt::format("{} of {} bytes, and parameter {} of {} in {} is {} of {} bytes",
                                     described(argument), bytesOf(argument), i + 1, (*found)->name,
                                     m_baseline.module->name, declared(parameters[i]), parameters[i].sizeBytes),
                         fmt::format("e.g. {}", example(parameters[i])));
        }
        if (arguments.size() > parameters.size())
            return wrong(pathOf(*arguments[parameters.size()]),
                         fmt::format("{} takes {} parameters, and {} would be one more", (*found)->name,
                                     parameters.size(), arguments[parameters.size()]->name),
                         "remove it, or reach it through a struct or a pointer array that names it");
        if (arguments.size() < parameters.size())
            return wrong(m_spec.launches.empty() ? "arguments" : path.substr(0, path.rfind('.')) + ".arguments",
                         fmt::format("{} arguments, and {} takes {} parameters: the next is {}", arguments.size(),
                                     (*found)->name, parameters.size(), declared(parameters[arguments.size()])),
                         fmt::format("e.g. {}", example(parameters[arguments.size()])));
        return block(**found, launchPath, launch);
    }

    /// A block whose extents are numbers must be one that `.maxntid` and the like allow.
    Expected<void> block(const ptx::Function& entry, const std::string& path, const kernel::LaunchShape& launch) const {
        Index3 block{};
        for (std::size_t i = 0; i < 3; ++i) {
            const auto extent = launch.block[i].expression.evaluate({});
            if (!extent || *extent < 1 || *extent > 1024) return {};
            block[i] = static_cast<std::uint32_t>(*extent);
        }
        const auto finding = checkBlockSize(*m_baseline.module, entry, block);
        if (!finding) return {};
        return wrong(path + ".block", finding->message,
                     finding->hint.empty() ? R"(e.g. "block": [128, 1, 1])" : finding->hint);
    }

    const kernel::KernelSpec& m_spec;
    const PtxKernel& m_baseline;
};

} // namespace

Expected<void> specFitsBaseline(const Context& context, const PtxKernel& baseline) {
    if (baseline.module->hasErrors()) return {};
    const Fit fit(context.spec(), baseline);
    if (auto fits = fit.all(); !fits) return fits;
    return fit.globals();
}

} // namespace ptxwb::verify

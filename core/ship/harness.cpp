#include "kernel/expression_c.h"
#include "kernel/reference_call.h"
#include "kernel/sizes.h"
#include "ship/parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::ship {

namespace {

using kernel::Argument;
using kernel::ArgumentKind;
using kernel::Arithmetic;
using kernel::KernelSpec;

std::unexpected<Diagnostic> unsupported(std::string what) {
    auto problem = failure(Cause::badRequest, fmt::format("not supported yet: a harness for {}", what),
                           "--as cubin and --as header give what is needed to launch it");
    problem.error().kind = "unsupported";
    return problem;
}

/// What of the spec this form cannot express.
Expected<void> supported(const kernel::Kernel& kernel) {
    const KernelSpec& spec = kernel.spec;
    if (spec.reference.kind != kernel::ReferenceKind::host)
        return unsupported("a kernel whose reference is no host C++");
    if (!kernel.files.contains(spec.reference.file)) return unsupported("a kernel whose reference is not there");
    if (spec.inputs || spec.compare) return unsupported("a kernel with functions `inputs` or `compare`");
    if (!spec.globals.empty()) return unsupported("a kernel with module variables");
    for (const Argument& argument : spec.arguments) {
        const auto known = {ArgumentKind::scalar, ArgumentKind::buffer, ArgumentKind::structure, ArgumentKind::bytes,
                            ArgumentKind::null};
        if (std::ranges::find(known, argument.kind) == known.end())
            return unsupported(fmt::format("a {} argument ({})", name(argument.kind), argument.name));
        if (argument.fill && argument.fill->kind == kernel::FillKind::file)
            return unsupported(fmt::format("an input from a file ({})", argument.name));
    }
    return {};
}

std::string number(double value) {
    const std::string text = fmt::format("{}", value);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string optionalText(const std::optional<double>& value) {
    return value ? number(*value) : "std::nullopt";
}

std::string fillText(const Argument& argument) {
    kernel::Fill fill;
    if (argument.fill)
        fill = *argument.fill;
    else if (argument.access == kernel::Access::scratch)
        fill.kind = kernel::FillKind::zeros;
    return fmt::format("Fill{{FillKind::{}, {}, {}, {}, {}, {}, {{}}}}", name(fill.kind), optionalText(fill.mean),
                       optionalText(fill.scale), optionalText(fill.value), optionalText(fill.low),
                       optionalText(fill.high));
}

std::string toleranceText(const kernel::Tolerance& t) {
    const char* rule = "automatic";
    switch (t.rule) {
    case kernel::ToleranceRule::automatic: break;
    case kernel::ToleranceRule::absoluteRelative: rule = "absoluteRelative"; break;
    case kernel::ToleranceRule::ulp: rule = "ulp"; break;
    case kernel::ToleranceRule::exact: rule = "exact"; break;
    }
    return fmt::format("Tolerance{{Rule::{}, {}, {}, {}}}", rule, number(t.absolute), number(t.relative),
                       number(static_cast<double>(t.ulp)));
}

std::string list(const std::vector<kernel::Formula>& formulas) {
    std::string out;
    for (const kernel::Formula& each : formulas) out += (out.empty() ? "" : ", ") + kernel::toC(each.expression);
    return out;
}

std::string bufferText(const KernelSpec& spec, const Argument& argument) {
    const std::string shape = argument.count ? kernel::toC(argument.count->expression) : list(argument.shape);
    return fmt::format("    buffers.push_back({{{}, ElementType::{}, Access::{}, {}, {}, {{{}}}, {{{}}}}});\n",
                       literal(argument.name), name(argument.type), name(argument.access), fillText(argument),
                       toleranceText(argument.tolerance.value_or(spec.tolerance)), shape, list(argument.strides));
}

std::size_t bufferIndex(const KernelSpec& spec, std::string_view wanted) {
    std::size_t index = 0;
    for (const Argument& argument : spec.arguments) {
        if (argument.name == wanted) break;
        if (argument.kind == ArgumentKind::buffer) ++index;
    }
    return index;
}

/// The bits of a scalar, as an expression of std::uint64_t.
std::string scalarBits(kernel::ElementType type, const kernel::Formula& value) {
    if (value.wide) return fmt::format("UINT64_C({})", *value.wide);
    if (kernel::isFloat(type))
        return fmt::format("ptxwb::kernel::encodeFloat(ElementType::{}, {})", name(type),
                           kernel::toC(value.expression, Arithmetic::real));
    return fmt::format("(std::uint64_t){}", kernel::toC(value.expression));
}

std::string parameterText(const KernelSpec& spec, const Argument& argument) {
    std::string out = "    {\n        Parameter& p = parameters.emplace_back();\n";
    switch (argument.kind) {
    case ArgumentKind::buffer:
        out += fmt::format("        p.bytes.assign(8, 0);\n        p.addresses = {{{{0, {}}}}}; // {}\n",
                           bufferIndex(spec, argument.name), comment(argument.name));
        break;
    case ArgumentKind::scalar:
        out +=
            fmt::format("        p.bytes.assign({}, 0);\n        putScalar(p.bytes, 0, ElementType::{}, {}); // {}\n",
                        kernel::sizeOf(argument.type), name(argument.type), scalarBits(argument.type, argument.value),
                        comment(argument.name));
        break;
    case ArgumentKind::structure:
        out += fmt::format("        p.bytes.assign({}, 0); // {}\n", argument.size, comment(argument.name));
        for (const kernel::StructField& field : argument.fields)
            out += field.buffer.empty()
                       ? fmt::format("        putScalar(p.bytes, {}, ElementType::{}, {});\n", field.offset,
                                     name(field.type), scalarBits(field.type, field.value))
                       : fmt::format("        p.addresses.push_back({{{}, {}}});\n", field.offset,
                                     bufferIndex(spec, field.buffer));
        break;
    case ArgumentKind::bytes:
        out +=
            fmt::format("        p.bytes = {{{}}}; // {}\n", fmt::join(argument.bytes, ", "), comment(argument.name));
        break;
    default: out += "        p.bytes.assign(8, 0);\n"; break; // null
    }
    return out + "    }\n";
}

/// The reference's arguments: pointers to doubles, to 64 bits, or to buffers.
std::string referenceText(const KernelSpec& spec) {
    const auto all = kernel::hostParameters(spec);
    std::string out =
        fmt::format("    std::vector<void*> arguments;\n    std::vector<double> reals({0});\n    "
                    "std::vector<std::uint64_t> words({0});\n    std::size_t used = 0;\n    (void)used;\n",
                    all.size() + 1);
    for (const kernel::HostParameter& p : all) {
        switch (p.form) {
        case kernel::HostParameter::Form::buffer:
            out += fmt::format("    arguments.push_back(host[{}].data());\n", bufferIndex(spec, p.buffer));
            break;
        case kernel::HostParameter::Form::scalar:
            out += fmt::format("    words[used] = ptxwb::kernel::loadBits(ElementType::{0}, "
                               "std::span(parameters[{1}].bytes).subspan({2}), 0);\n",
                               name(p.type), p.parameter, p.offset);
            if (kernel::isFloat(p.type))
                out += fmt::format("    reals[used] = ptxwb::kernel::decodeFloat(ElementType::{}, words[used]);\n    "
                                   "arguments.push_back(&reals[used++]);\n",
                                   name(p.type));
            else
                out += fmt::format("    if (ptxwb::kernel::isSigned(ElementType::{0})) words[used] = "
                                   "(std::uint64_t)(std::int64_t)ptxwb::kernel::asDouble(ElementType::{0}, "
                                   "words[used]);\n    arguments.push_back(&words[used++]);\n",
                                   name(p.type));
            break;
        case kernel::HostParameter::Form::raw:
            out += fmt::format("    arguments.push_back(parameters[{}].bytes.data());\n", p.parameter);
            break;
        case kernel::HostParameter::Form::null: out += "    arguments.push_back(nullptr);\n"; break;
        case kernel::HostParameter::Form::seed: // of `inputs` and `compare`, which no harness has
        case kernel::HostParameter::Form::verdict: break;
        }
    }
    return out;
}

std::string mainText(const Parts& parts, const kernel::Symbols& first) {
    const KernelSpec& spec = parts.shipment.kernel->spec;
    const bool hasBaseline = !parts.shipment.baselineCubin.empty();
    std::string out =
        "\nint main(int count, char** values) {\n    using namespace harness;\n    std::uint64_t seed = 1;\n";
    for (const std::string& symbol : kernel::symbolNames(spec))
        out += fmt::format("    int64_t {} = {};\n", kernel::cName(symbol), first.at(symbol));
    // What the funnel runs with as well.
    out += "    int64_t sm_count = 1, max_blocks_per_sm = 1;\n    (void)max_blocks_per_sm;\n"
           "    for (int i = 1; i < count; ++i) {\n        const std::string word = values[i];\n"
           "        const std::size_t at = word.find('=');\n        const std::string key = word.substr(0, at);\n"
           "        if (at == std::string::npos) giveUp(word + \": expected SYMBOL=NUMBER or seed=NUMBER\");\n"
           "        if (key == \"seed\") { seed = std::strtoull(&word[at + 1], nullptr, 10); continue; }\n";
    for (const std::string& symbol : kernel::symbolNames(spec))
        out += fmt::format("        if (key == {}) {{ {} = std::strtoll(&word[at + 1], nullptr, 10); continue; }}\n",
                           literal(symbol), kernel::cName(symbol));
    out += fmt::format(R"(        giveUp(key + " is no symbol of this kernel");
    }}
    check(cuInit(0), "cuInit");
    CUdevice device;
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    int multiprocessors = 0;
    check(cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device), "the device");
    sm_count = multiprocessors;
    CUcontext context;
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");

    if (!{0}_require({1})) giveUp("the candidate must not be launched for these sizes");
    ptxwb_launch_shape shape = {{}};
    if (!{0}_launch({2}&shape)) giveUp("no GPU takes the launch for these sizes");

    int okay = 1;
    int* ok = &okay;
    (void)ok;
    std::vector<Buffer> buffers;
)",
                       parts.name, symbolArguments(parts),
                       symbolArguments(parts).empty() ? "" : symbolArguments(parts) + ", ");
    for (const Argument& argument : spec.arguments)
        if (argument.kind == ArgumentKind::buffer) out += bufferText(spec, argument);
    out += "    if (!okay) giveUp(\"a buffer's size does not fit 64 bits\");\n"
           "    for (Buffer& b : buffers) prepare(b, seed);\n    std::vector<Parameter> parameters;\n";
    for (const Argument* argument : kernel::parameters(spec)) out += parameterText(spec, *argument);
    out += "    if (!okay) giveUp(\"a scalar does not fit 64 bits\");\n\n"
           "    std::vector<HostBuffer> host;\n    for (const Buffer& b : buffers) host.push_back(widened(b));\n";
    out += referenceText(spec) + "    call(arguments.data());\n\n";
    out += "    std::vector<double> baselineError(buffers.size(), 0.0);\n";
    if (hasBaseline)
        out += fmt::format(
            "    ptxwb_launch_shape baselineShape = {{}};\n    if (baseline_launch({0}sm_count, "
            "max_blocks_per_sm, &baselineShape)) {{\n        const auto after = launch(load({1}, {2}), "
            "baselineShape, buffers, parameters, 0xFF);\n        for (std::size_t i = 0; i < "
            "buffers.size(); ++i)\n            if (buffers[i].isOutput() && "
            "ptxwb::kernel::isFloat(buffers[i].type))\n                baselineError[i] = "
            "errorOf(buffers[i], host[i], after[i]);\n    }}\n",
            [&] {
                std::string text;
                for (const std::string& symbol : kernel::symbolNames(spec)) text += kernel::cName(symbol) + ", ";
                return text;
            }(),
            literal(parts.name + "_baseline.cubin"), literal(parts.entry));
    const std::string reduction = kernel::toC(spec.work.reduction.expression);
    out += fmt::format(R"(    const CUfunction function = load({0}, {1}_ENTRY);
    const auto one = launch(function, shape, buffers, parameters, 0xFF);
    const auto two = launch(function, shape, buffers, parameters, 0x5A);
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < buffers.size(); ++i) {{
        const Buffer& b = buffers[i];
        if (!isUntouched(b, one[i])) ++wrong;
        const ElementType accumulator = {2};
        if (b.isOutput())
            wrong += judge(b, host[i], one[i], two[i], 0xFF, 0x5A, baselineError[i], (double){3}, accumulator);
    }}
    std::printf("%s\n", wrong == 0 ? "right" : "WRONG");
    return wrong == 0 ? 0 : 1;
}}
)",
                       literal(parts.name + ".cubin"), parts.upper,
                       spec.work.accumulator ? fmt::format("ElementType::{}", name(*spec.work.accumulator))
                                             : "b.type == ElementType::f64 ? ElementType::f64 : ElementType::f32",
                       reduction);
    return out;
}

std::string harnessSource(const Parts& parts, const kernel::Symbols& first) {
    const KernelSpec& spec = parts.shipment.kernel->spec;
    std::string out = fmt::format(
        R"(// {0}: loads {1}.cubin, makes inputs, launches and checks against the reference. Needs an NVIDIA driver, no PTX Workbench.
//   g++ -std=c++20 -O2 -ffp-contract=off {1}_harness.cpp {1}_reference.cpp -I$CUDA_HOME/include -lcuda -o {1}_harness
//   nvcc -std=c++20 -O2 -Xcompiler -ffp-contract=off {1}_harness.cpp {1}_reference.cpp -lcuda -o {1}_harness
// Start it in this folder: ./{1}_harness [seed=NUMBER] [SYMBOL=NUMBER]...
// SPDX-License-Identifier: Apache-2.0
#include "{1}.h"
#include "{1}_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <string>
#include <utility>
#include <vector>

extern "C" void call(void** arguments); // of {1}_reference.cpp

)",
        comment(spec.name), parts.name);
    out += runtimeSource();
    if (!parts.shipment.baselineCubin.empty()) {
        std::string symbols, unused;
        for (const std::string& symbol : kernel::symbolNames(spec)) {
            symbols += fmt::format("int64_t {}, ", kernel::cName(symbol));
            unused += fmt::format("    (void){};\n", kernel::cName(symbol));
        }
        out += fmt::format("\nstatic int baseline_launch({}int64_t sm_count, int64_t max_blocks_per_sm, "
                           "ptxwb_launch_shape* shape) {{\n{}    (void)sm_count;\n    "
                           "(void)max_blocks_per_sm;\n{}}}\n",
                           symbols, unused, shapeBody(spec.launch, nullptr));
    }
    return out + mainText(parts, first);
}

} // namespace

Expected<std::vector<File>> harnessFiles(const Parts& parts) {
    const kernel::Kernel& kernel = *parts.shipment.kernel;
    if (auto fits = supported(kernel); !fits) return std::unexpected(std::move(fits.error()));
    kernel::SizesOptions options;
    options.require = parts.header.require;
    options.builtins = {{"sm_count", 1}, {"max_blocks_per_sm", 1}};
    const auto sizes = kernel::sizes(kernel.spec, kernel::Use::function, options);
    if (!sizes) return std::unexpected(sizes.error());
    std::vector<File> files{{parts.name + "_harness.cpp", harnessSource(parts, sizes->back())},
                            {parts.name + "_reference.cpp", kernel::callSource(kernel.spec)},
                            {parts.name + "_inputs.h", inputsSource()}};
    std::vector<std::string> names = kernel.spec.files;
    names.insert(names.begin(), kernel.spec.reference.file);
    for (const std::string& each : names)
        if (const auto found = kernel.files.find(each); found != kernel.files.end())
            files.push_back({each, found->second});
    if (!parts.shipment.baselineCubin.empty())
        files.push_back({parts.name + "_baseline.cubin", parts.shipment.baselineCubin});
    return files;
}

} // namespace ptxwb::ship

#include "kernel/expression_c.h"
#include "ship/parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::ship {

namespace {

using kernel::Expression;
using kernel::Formula3;

/// The shape with the candidate's own values in place of the spec's.
struct Shape {
    const Formula3 &grid, &block, &cluster;
    const kernel::Formula& sharedBytes;
    bool cooperative;
};

Shape shapeOf(const kernel::LaunchShape& launch, const kernel::LaunchOverride* own) {
    return {own && own->grid ? *own->grid : launch.grid, own && own->block ? *own->block : launch.block,
            own && own->cluster ? *own->cluster : launch.cluster,
            own && own->sharedBytes ? *own->sharedBytes : launch.sharedBytes,
            own && own->cooperative ? *own->cooperative : launch.cooperative};
}

const kernel::LaunchOverride* ownLaunch(const Parts& parts) {
    return parts.header.launch ? &*parts.header.launch : nullptr;
}

/// The built-in symbols that the candidate's shape or any requirement uses, in a fixed order.
std::vector<std::string> usedBuiltins(const Parts& parts) {
    const kernel::KernelSpec& spec = parts.shipment.kernel->spec;
    const Shape shape = shapeOf(spec.launch, ownLaunch(parts));
    std::vector<const Expression*> all{&shape.sharedBytes.expression};
    for (const Formula3* three : {&shape.grid, &shape.block, &shape.cluster})
        for (const kernel::Formula& each : *three) all.push_back(&each.expression);
    for (const Expression& each : spec.require) all.push_back(&each);
    for (const Expression& each : parts.header.require) all.push_back(&each);
    std::vector<std::string> used;
    for (const std::string_view builtin : kernel::builtinSymbols())
        if (std::ranges::any_of(all, [&](const Expression* e) {
                return std::ranges::find(e->symbols(), builtin) != e->symbols().end();
            }))
            used.emplace_back(builtin);
    return used;
}

std::vector<std::string> symbolsOf(const Parts& parts) {
    std::vector<std::string> names;
    for (const std::string& symbol : kernel::symbolNames(parts.shipment.kernel->spec))
        names.push_back(kernel::cName(symbol));
    for (std::string& builtin : usedBuiltins(parts)) names.push_back(std::move(builtin));
    return names;
}

std::string bytesOf(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size() * 5);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        out += fmt::format("{}{},", i % 24 == 0 ? "\n    " : "", static_cast<unsigned char>(bytes[i]));
    return out;
}

std::string formulas(const Formula3& three) {
    return fmt::format("{}, {}, {}", three[0].expression.text(), three[1].expression.text(),
                       three[2].expression.text());
}

std::string requirements(const Parts& parts) {
    std::vector<std::string> all;
    for (const Expression& each : parts.shipment.kernel->spec.require) all.push_back(comment(each.text()));
    for (const Expression& each : parts.header.require) all.push_back(comment(each.text()));
    return all.empty() ? "none" : fmt::format("{}", fmt::join(all, "; "));
}

} // namespace

std::string symbolParameters(const Parts& parts) {
    std::string list;
    for (const std::string& name : symbolsOf(parts))
        list += fmt::format("{}int64_t {}", list.empty() ? "" : ", ", name);
    return list.empty() ? "void" : list;
}

std::string symbolArguments(const Parts& parts) {
    return fmt::format("{}", fmt::join(symbolsOf(parts), ", "));
}

std::string shapeBody(const kernel::LaunchShape& launch, const kernel::LaunchOverride* own) {
    const Shape shape = shapeOf(launch, own);
    std::string body = "    int okay = 1;\n    int* ok = &okay;\n    int64_t value;\n    (void)ok;\n";
    // Source: CUDA C++ Programming Guide 13.0, table "Technical Specifications per Compute Capability".
    const auto assign = [&](const Expression& expression, const std::string& field, std::int64_t low,
                            std::int64_t high) {
        body += fmt::format("    value = {};\n    if (!okay || value < {} || value > {}) return 0;\n    shape->{} = "
                            "(unsigned)value;\n",
                            kernel::toC(expression), low, high, field);
    };
    constexpr std::array<std::int64_t, 3> gridLimits{2147483647, 65535, 65535}, blockLimits{1024, 1024, 64};
    for (std::size_t i = 0; i < 3; ++i) {
        assign(shape.grid[i].expression, fmt::format("grid[{}]", i), 0, gridLimits[i]);
        assign(shape.block[i].expression, fmt::format("block[{}]", i), 1, blockLimits[i]);
        assign(shape.cluster[i].expression, fmt::format("cluster[{}]", i), 1, 16);
    }
    assign(shape.sharedBytes.expression, "shared_bytes", 0, std::int64_t{1} << 20);
    body += fmt::format("    shape->cooperative = {};\n", shape.cooperative ? 1 : 0);
    return body + "    return shape->block[0] * shape->block[1] * shape->block[2] <= 1024;\n";
}

std::string requireBody(const Parts& parts, bool withOwn) {
    std::string body = "    int okay = 1;\n    int* ok = &okay;\n    (void)ok;\n";
    const auto add = [&](const Expression& each) {
        body += fmt::format("    if ({} == 0 || !okay) return 0; /* {} */\n", kernel::toC(each), comment(each.text()));
    };
    for (const Expression& each : parts.shipment.kernel->spec.require) add(each);
    if (withOwn)
        for (const Expression& each : parts.header.require) add(each);
    return body + "    return 1;\n";
}

std::string headerSource(const Parts& parts, Embed embed) {
    const Shipment& s = parts.shipment;
    const kernel::KernelSpec& spec = s.kernel->spec;
    const Shape shape = shapeOf(spec.launch, ownLaunch(parts));
    std::string out = fmt::format(
        "/* {}: candidate {}, for {}.\n   Made by ptxwb {}. The verdict that belongs to it was about the PTX and the "
        "machine "
        "code whose hashes stand below.\n   Grid: {}. Block: {}. Dynamic shared bytes: {}. Requires: {}. */\n",
        comment(spec.name), comment(s.candidate), comment(s.arch), comment(s.program), comment(formulas(shape.grid)),
        comment(formulas(shape.block)), comment(shape.sharedBytes.expression.text()), requirements(parts));
    const std::string& upper = parts.upper;
    out += fmt::format("#ifndef {0}_H\n#define {0}_H\n\n#include <stdint.h>\n\n", upper);
    const auto define = [&](const char* key, const std::string& value) {
        out += fmt::format("#define {}_{} {}\n", upper, key, value);
    };
    define("ENTRY", literal(parts.entry));
    define("ARCH", literal(s.arch));
    define("PTXAS_VERSION", literal(s.ptxas));
    define("PTXAS_FLAGS", literal(fmt::format("{}", fmt::join(s.flags, " "))));
    define("PTX_SHA256", literal(parts.ptxSha256));
    define("CUBIN_SHA256", literal(parts.cubinSha256));
    define("MACHINE_CODE_SHA256", literal(parts.textSha256));
    define("REGISTERS", std::to_string(s.registers));
    define("STATIC_SHARED_BYTES", std::to_string(s.staticSharedBytes));
    out +=
        "\n#ifndef PTXWB_LAUNCH_SHAPE\n#define PTXWB_LAUNCH_SHAPE\ntypedef struct {\n    unsigned grid[3], block[3], "
        "cluster[3];\n    unsigned shared_bytes; /* dynamic */\n    int cooperative;\n} "
        "ptxwb_launch_shape;\n#endif\n\n";
    out += kernel::cExpressionHelpers();
    const std::string parameters = symbolParameters(parts);
    const std::string unused = [&] {
        std::string text;
        for (const std::string& name : symbolsOf(parts)) text += fmt::format("    (void){};\n", name);
        return text;
    }();
    out += fmt::format("\n/* Whether the candidate may be launched for these sizes: 0 or 1. */\nstatic inline int "
                       "{}_require({}) {{\n{}{}}}\n",
                       parts.name, parameters, unused, requireBody(parts, true));
    out += fmt::format(
        "\n/* The launch for these sizes. 0: no GPU takes it. A grid of 0 launches nothing. */\nstatic inline "
        "int {}_launch({}ptxwb_launch_shape* shape) {{\n{}{}}}\n",
        parts.name, parameters == "void" ? "" : parameters + ", ", unused, shapeBody(spec.launch, ownLaunch(parts)));
    if (embed == Embed::cubin)
        out += fmt::format("\n/* For cuModuleLoadData. */\nstatic const unsigned char {}_cubin[{}] = {{{}\n}};\n",
                           parts.name, s.cubin.size(), bytesOf(s.cubin));
    return out + fmt::format("\n#endif /* {}_H */\n", upper);
}

} // namespace ptxwb::ship

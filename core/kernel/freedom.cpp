// What stress may change of a spec's arguments: values, numbers, places.
#include "kernel/layout.h"

#include <algorithm>

namespace ptxwb::kernel {

bool isFillFree(const Argument& argument) {
    if (argument.kind != ArgumentKind::buffer || (argument.access != Access::in && argument.access != Access::inout))
        return false;
    if (!argument.fill) return true;
    if (!isFloat(argument.type) || argument.fill->low || argument.fill->high) return false;
    switch (argument.fill->kind) {
    case FillKind::zeros:
    case FillKind::ones:
    case FillKind::iota:
    case FillKind::constant:
    case FillKind::file: return false;
    default: return true;
    }
}

bool isBounded(const Argument& argument) {
    if (argument.kind != ArgumentKind::buffer || (argument.access != Access::in && argument.access != Access::inout))
        return false;
    return argument.fill && argument.fill->low && argument.fill->high &&
           (argument.fill->kind == FillKind::integers || argument.fill->kind == FillKind::uniform);
}

bool isScalarFree(const Argument& argument) {
    if (argument.kind != ArgumentKind::scalar || argument.isFixed || !isFloat(argument.type)) return false;
    if (!argument.value.isNumber || argument.value.wide) return false;
    const auto value = argument.value.expression.evaluateReal({});
    return value && *value != 0;
}

std::vector<BuildOptions::Alias> allowedAliases(const KernelSpec& spec) {
    std::vector<BuildOptions::Alias> pairs;
    for (const Argument& argument : spec.arguments) {
        if (argument.kind != ArgumentKind::buffer) continue;
        for (const Argument& other : spec.arguments) {
            if (&other == &argument || other.kind != ArgumentKind::buffer || other.type != argument.type) continue;
            const bool allowed =
                argument.mayAliasAll || std::ranges::find(argument.mayAlias, other.name) != argument.mayAlias.end();
            if (!allowed) continue;
            // What is written lies in the place of what is read.
            const bool swap = argument.access == Access::in && other.access != Access::in;
            BuildOptions::Alias pair{swap ? other.name : argument.name, swap ? argument.name : other.name, true};
            const bool known = std::ranges::any_of(pairs, [&](const BuildOptions::Alias& p) {
                return (p.buffer == pair.buffer && p.of == pair.of) || (p.buffer == pair.of && p.of == pair.buffer);
            });
            if (!known) pairs.push_back(std::move(pair));
        }
    }
    return pairs;
}

} // namespace ptxwb::kernel

#include "kernel/tensor_map.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace ptxwb::kernel {

namespace {

constexpr auto fillNames = std::to_array<std::string_view>({"normal", "uniform", "zeros", "ones", "iota", "constant",
                                                            "integers", "sparse", "denormal", "huge", "cancelling",
                                                            "special", "isolated", "negative", "wide", "file"});
constexpr auto accessNames = std::to_array<std::string_view>({"in", "out", "inout", "scratch"});

} // namespace

std::string_view name(FillKind kind) {
    return fillNames[static_cast<std::size_t>(kind)];
}
std::string_view name(Access access) {
    return accessNames[static_cast<std::size_t>(access)];
}

std::optional<FillKind> fillKind(std::string_view text) {
    const auto found = std::ranges::find(fillNames, text);
    if (found == fillNames.end()) return std::nullopt;
    return static_cast<FillKind>(found - fillNames.begin());
}

const Argument* findArgument(const KernelSpec& spec, std::string_view name) {
    const auto found = std::ranges::find(spec.arguments, name, &Argument::name);
    return found == spec.arguments.end() ? nullptr : &*found;
}

std::vector<std::string> symbolNames(const KernelSpec& spec) {
    std::vector<std::string> names;
    for (const auto& symbol : spec.symbols) names.push_back(symbol.name);
    return names;
}

std::vector<const Argument*> parameters(const KernelSpec& spec) {
    std::set<std::string_view> reached;
    for (const auto& argument : spec.arguments) {
        for (const auto& field : argument.fields) reached.insert(field.buffer);
        reached.insert(argument.of.begin(), argument.of.end());
    }
    std::vector<const Argument*> result;
    for (const auto& argument : spec.arguments)
        if (!reached.contains(argument.name)) result.push_back(&argument);
    return result;
}

bool bringsCode(const KernelSpec& spec) {
    return spec.reference.kind == ReferenceKind::host || spec.reference.kind == ReferenceKind::python || spec.inputs ||
           spec.compare;
}

std::vector<std::string> namedFiles(const KernelSpec& spec) {
    std::vector<std::string> files;
    const auto add = [&files](const std::string& file) {
        if (!file.empty() && std::ranges::find(files, file) == files.end()) files.push_back(file);
    };
    add(spec.source);
    for (const auto& file : spec.files) add(file);
    if (spec.baseline) add(spec.baseline->ptx);
    for (const auto& other : spec.moreBaselines) add(other.ptx);
    add(spec.reference.file);
    for (const auto& [output, file] : spec.reference.expected) add(file);
    if (spec.inputs) add(spec.inputs->file);
    if (spec.compare) add(spec.compare->file);
    for (const auto& argument : spec.arguments)
        if (argument.fill) add(argument.fill->file);
    for (const auto& global : spec.globals)
        if (global.fill) add(global.fill->file);
    return files;
}

std::vector<Diagnostic> unsupportedFeatures(const KernelSpec& spec, Needed needed) {
    std::vector<Diagnostic> notes;
    const auto add = [&](Needed keepsFrom, std::string_view path, std::string_view what) {
        if (needed == Needed::launch && keepsFrom != Needed::launch) return;
        Diagnostic note;
        note.severity = Severity::note;
        note.kind = "unsupported";
        note.message = fmt::format("{}: not supported yet: {}", path, what);
        notes.push_back(std::move(note));
    };
    for (std::size_t i = 0; i < spec.arguments.size(); ++i) {
        const auto& argument = spec.arguments[i];
        const auto path = fmt::format("arguments[{}]", i);
        if (isInterleaved(argument))
            add(Needed::launch, path + ".interleave", fmt::format("an interleaved tensor map ({})", argument.name));
    }
    return notes;
}

} // namespace ptxwb::kernel

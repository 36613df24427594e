#include "kernel/spec_problems.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::kernel {

namespace {

std::vector<std::int64_t> readSizes(SpecContext& c, const JsonReader& object, std::string_view key) {
    std::vector<std::int64_t> sizes;
    const auto example = fmt::format("\"{}\": [1, 33, 1000]", key);
    const auto list = object.find(key);
    const auto elements = list ? c.problems.take(*list, list->elements(), example) : std::nullopt;
    if (!elements) return sizes;
    if (elements->empty()) c.problems.error(list->path(), "the list is empty", fmt::format("e.g. {}", example));
    for (const auto& element : *elements) {
        const auto size = c.problems.take(element, element.integer(), example);
        if (size && std::ranges::find(sizes, *size) == sizes.end()) sizes.push_back(*size);
    }
    return sizes;
}

void readSymbols(SpecContext& c, const JsonReader& root, KernelSpec& spec) {
    constexpr auto example = R"("symbols": {"n": {"function": [1, 33, 1000], "stress": [0, 1, 31, 32]}})";
    const auto symbols = root.find("symbols");
    const auto members = symbols ? c.problems.take(*symbols, symbols->members(), example) : std::nullopt;
    if (!members) return;
    for (const auto& [name, value] : *members) {
        if (!isFreeName(name))
            c.problems.error(
                value.path(), fmt::format("\"{}\" cannot be a symbol", name),
                "a symbol has letters, digits and _, and is none of sm_count, max_blocks_per_sm, ceil_div, "
                "min, max",
                PlaceOf::key);
        c.symbols.push_back(name);
        SymbolSizes sizes{name, {}, {}, {}};
        if (c.problems.onlyKeys(value, {"function", "stress", "benchmark"}, example)) {
            sizes.function = readSizes(c, value, "function");
            sizes.stress = readSizes(c, value, "stress");
            sizes.benchmark = readSizes(c, value, "benchmark");
            if (!value.has("function") && !value.has("stress") && !value.has("benchmark"))
                c.problems.error(value.path(), "no sizes are given", fmt::format("e.g. {}", example));
        }
        spec.symbols.push_back(std::move(sizes));
    }
}

std::string readFunction(SpecContext& c, const JsonReader& object, std::string_view example) {
    const auto member = c.problems.take(object, object.at("function"), example);
    if (!member) return {};
    const auto function = readText(c, *member, example);
    if (!function.empty() && !isIdentifier(function))
        c.problems.error(member->path(), fmt::format("\"{}\" is no C++ name", function),
                         fmt::format("e.g. {}", example));
    return function;
}

std::optional<HostFunction> readHostFunction(SpecContext& c, const JsonReader& root, std::string_view key) {
    const auto member = root.find(key);
    if (!member) return std::nullopt;
    const auto example = fmt::format(R"("{0}": {{"file": "{0}.cpp", "function": "{0}"}})", key);
    if (!c.problems.onlyKeys(*member, {"file", "function"}, example)) return std::nullopt;
    HostFunction result;
    if (const auto file = c.problems.take(*member, member->at("file"), example))
        result.file = readFileName(c, *file, example);
    result.function = readFunction(c, *member, example);
    return result;
}

void readReference(SpecContext& c, const JsonReader& root, Reference& reference) {
    constexpr auto example = R"("reference": {"file": "reference.cpp", "function": "reference"})";
    const auto member = root.find("reference");
    if (!member || !c.problems.onlyKeys(*member, {"file", "function", "python", "baseline", "expected"}, example))
        return;
    const int kinds = member->has("file") + member->has("python") + member->has("baseline") + member->has("expected");
    if (kinds != 1)
        return c.problems.error(member->path(),
                                "expected exactly one of \"file\", \"python\", \"baseline\" and \"expected\"",
                                fmt::format(R"(e.g. {} or {{"baseline": true}})", example));
    if (const auto baseline = member->find("baseline")) {
        reference.kind = ReferenceKind::baseline;
        if (readBoolean(c, *baseline) == false)
            c.problems.error(baseline->path(), "only true has a meaning", R"(leave "reference" out for none)");
        if (member->has("function"))
            c.problems.error(member->path() + ".function", "a baseline has no function", "leave it out");
        return;
    }
    if (const auto expected = member->find("expected")) {
        constexpr auto files = R"("reference": {"expected": {"y": "y.npy"}})";
        reference.kind = ReferenceKind::expected;
        if (member->has("function"))
            c.problems.error(member->path() + ".function", "a file has no function", "leave it out");
        const auto outputs = c.problems.take(*expected, expected->members(), files);
        if (!outputs) return;
        if (outputs->empty()) c.problems.error(expected->path(), "no output is named", fmt::format("e.g. {}", files));
        for (const auto& [output, file] : *outputs) {
            const std::string name = readFileName(c, file, files);
            if (!name.empty() && !name.ends_with(".npy") && !name.ends_with(".bin"))
                c.problems.error(file.path(), fmt::format("\"{}\" is neither .npy nor .bin", name),
                                 "a .bin file holds the elements, little-endian, with nothing before them");
            reference.expected.emplace(output, name);
        }
        return;
    }
    const bool python = member->has("python");
    reference.kind = python ? ReferenceKind::python : ReferenceKind::host;
    reference.file = readFileName(c, *member->find(python ? "python" : "file"), example);
    if (!python || member->has("function")) reference.function = readFunction(c, *member, example);
}

void readLaunches(SpecContext& c, const JsonReader& root, KernelSpec& spec) {
    constexpr auto example = R"("launches": [{"entry": "first", "launch": {...}, "arguments": ["x", "y"]}])";
    const auto launches = root.find("launches");
    if (!launches) {
        if (const auto entry = c.problems.take(root, root.at("entry"), R"("entry": "saxpy")"))
            spec.entry = readText(c, *entry, R"("entry": "saxpy")");
        if (const auto launch = c.problems.take(
                root, root.at("launch"), R"x("launch": {"grid": ["ceil_div(n, 256)", 1, 1], "block": [256, 1, 1]})x"))
            spec.launch = readLaunch(c, *launch);
        return;
    }
    for (const auto key : {"entry", "launch"})
        if (root.has(key))
            c.problems.error(key, "\"launches\" stands in its place", fmt::format("remove \"{}\" or \"launches\"", key),
                             PlaceOf::key);
    spec.launches = readSteps(c, *launches, example);
}

void readBaseline(SpecContext& c, const JsonReader& root, KernelSpec& spec) {
    constexpr auto example = R"("baseline": {"ptx": "saxpy.sm_90.ptx", "nvcc": "13.0.88"})";
    const auto member = root.find("baseline");
    if (!member || !c.problems.onlyKeys(*member, {"ptx", "nvcc", "source_sha256"}, example)) return;
    auto& baseline = spec.baseline.emplace();
    if (const auto ptx = c.problems.take(*member, member->at("ptx"), example))
        baseline.ptx = readFileName(c, *ptx, example);
    baseline.nvcc = readTextMember(c, *member, "nvcc", example);
    baseline.sourceSha256 =
        readTextMember(c, *member, "source_sha256", R"(64 hexadecimal digits, as sha256sum prints them)");
    const auto isHex = [](char d) { return (d >= '0' && d <= '9') || (d >= 'a' && d <= 'f'); };
    if (!baseline.sourceSha256.empty() &&
        (baseline.sourceSha256.size() != 64 || !std::ranges::all_of(baseline.sourceSha256, isHex)))
        c.problems.error(member->path() + ".source_sha256", "expected 64 lower-case hexadecimal digits",
                         "use what sha256sum prints for the source");
}

void readMoreBaselines(SpecContext& c, const JsonReader& root, KernelSpec& spec) {
    constexpr auto example = R"("baselines": [{"name": "cub", "ptx": "cub.sm_90.ptx"}])";
    const auto member = root.find("baselines");
    const auto elements = member ? c.problems.take(*member, member->elements(), example) : std::nullopt;
    if (!elements) return;
    for (const auto& element : *elements) {
        auto& other = spec.moreBaselines.emplace_back();
        if (!c.problems.onlyKeys(element, {"name", "ptx"}, example)) continue;
        if (const auto name = c.problems.take(element, element.at("name"), example))
            other.name = readText(c, *name, example);
        if (const auto ptx = c.problems.take(element, element.at("ptx"), example))
            other.ptx = readFileName(c, *ptx, example);
        if (other.name == "baseline")
            c.problems.error(element.path() + ".name", "\"baseline\" is the name of the first one",
                             "say what it is, e.g. \"cub\"");
    }
}

void readGlobals(SpecContext& c, const JsonReader& root, KernelSpec& spec) {
    constexpr auto example = R"("globals": [{"name": "table", "type": "f32", "count": 64, "fill": "uniform"}])";
    const auto member = root.find("globals");
    const auto elements = member ? c.problems.take(*member, member->elements(), example) : std::nullopt;
    if (!elements) return;
    for (const auto& element : *elements) {
        if (!c.problems.onlyKeys(element, {"name", "type", "value", "count", "fill", "compare"}, example)) continue;
        auto& global = spec.globals.emplace_back();
        if (const auto name = c.problems.take(element, element.at("name"), example))
            global.name = readText(c, *name, example);
        if (const auto type = c.problems.take(element, element.at("type"), example))
            global.type = readElementType(c, *type).value_or(global.type);
        if (const auto value = element.find("value")) global.value = readScalar(c, *value, global.type);
        if (const auto count = element.find("count"))
            global.count = readFormula(c, *count, Arithmetic::integer, example);
        if (const auto fill = element.find("fill")) {
            global.fill = readFill(c, *fill);
            checkFill(c, fill->path(), *global.fill);
        }
        if (const auto compare = element.find("compare")) global.compare = readBoolean(c, *compare).value_or(false);
    }
}

void readWorkAndLimits(SpecContext& c, const JsonReader& root, KernelSpec& spec) {
    constexpr auto example = R"("work": {"flops": "2*n", "bytes": "12*n", "reduction": 1, "accumulator": "f32"})";
    const auto work = root.find("work");
    if (work && c.problems.onlyKeys(*work, {"flops", "bytes", "reduction", "accumulator"}, example)) {
        if (const auto flops = work->find("flops"))
            spec.work.flops = readFormula(c, *flops, Arithmetic::integer, example);
        if (const auto bytes = work->find("bytes"))
            spec.work.bytes = readFormula(c, *bytes, Arithmetic::integer, example);
        if (const auto reduction = work->find("reduction"))
            spec.work.reduction = readFormula(c, *reduction, Arithmetic::integer, example);
        if (const auto accumulator = work->find("accumulator")) {
            constexpr auto known = std::to_array<std::string_view>({"f16", "bf16", "f32", "f64", "s32", "s64"});
            const auto text = readText(c, *accumulator, example);
            if (isOneOf(c, *accumulator, text, "accumulator", known)) spec.work.accumulator = elementType(text);
        }
    }
    const auto limits = root.find("limits");
    if (!limits || !c.problems.onlyKeys(*limits, {"registers", "shared_bytes"}, R"("limits": {"registers": 64})"))
        return;
    if (const auto registers = limits->find("registers"))
        spec.limits.registers = readCount32(c, *registers, R"("registers": 64)");
    if (const auto shared = limits->find("shared_bytes"))
        spec.limits.sharedBytes = readCount32(c, *shared, R"("shared_bytes": 49152)");
}

void readIdentity(SpecContext& c, const JsonReader& root, KernelSpec& spec) {
    if (const auto schema = c.problems.take(root, root.at("schema"), R"("schema": 1)"))
        if (const auto number = c.problems.take(*schema, schema->integer(), R"("schema": 1)"); number && *number != 1)
            c.problems.error("schema", fmt::format("{} is not a version that this program knows", *number),
                             "it knows 1; a newer version of the program may know more");
    if (const auto name = c.problems.take(root, root.at("name"), R"("name": "saxpy")")) {
        spec.name = readText(c, *name, R"("name": "saxpy")");
        if (!spec.name.empty() && !isIdentifier(spec.name))
            c.problems.error("name", fmt::format("\"{}\" cannot be a name", spec.name),
                             "a name has letters, digits and _, and does not start with a digit");
    }
    spec.title = readTextMember(c, root, "title", R"("title": "y = a*x + y")");
    spec.intent = readTextMember(c, root, "intent", R"("intent": "what the kernel must compute")");
    spec.notes = readTexts(c, root, "notes", R"("notes": ["y: decide whether it is read"])");
    if (const auto source = root.find("source")) spec.source = readFileName(c, *source, R"("source": "saxpy.cu")");
    spec.flags = readTexts(c, root, "flags", R"("flags": ["-O3"])");
    spec.files = readFileNames(c, root, "files", R"("files": ["common.cuh"])");
    spec.arch = readTextMember(c, root, "arch", R"("arch": "sm_90")");
    const auto digits = spec.arch.starts_with("sm_") ? std::string_view(spec.arch).substr(3) : std::string_view();
    const auto count = digits.find_first_not_of("0123456789");
    const auto suffix = count == std::string_view::npos ? std::string_view() : digits.substr(count);
    const bool fits = digits.size() - suffix.size() >= 2 && (suffix.empty() || suffix == "a" || suffix == "f");
    if (!spec.arch.empty() && !fits)
        c.problems.error("arch", fmt::format("\"{}\" is no target", spec.arch), R"(e.g. "arch": "sm_90" or "sm_90a")");
}

void readRest(SpecContext& c, const JsonReader& root, KernelSpec& spec) {
    if (const auto tolerance = root.find("tolerance")) spec.tolerance = readTolerance(c, *tolerance);
    if (const auto deterministic = root.find("deterministic"))
        spec.deterministic = readBoolean(c, *deterministic).value_or(true);
    if (const auto ships = root.find("ships_as")) {
        constexpr auto known = std::to_array<std::string_view>({"cubin", "ptx"});
        const auto text = readText(c, *ships, R"("ships_as": "cubin")");
        if (isOneOf(c, *ships, text, "form", known)) spec.shipsAs = text == "ptx" ? ShipsAs::ptx : ShipsAs::cubin;
    }
    if (const auto require = root.find("require"))
        if (const auto elements = c.problems.take(*require, require->elements(), R"("require": ["n % 4 == 0"])"))
            for (const auto& element : *elements)
                spec.require.push_back(
                    readFormula(c, element, Arithmetic::integer, R"("require": ["n % 4 == 0"])").expression);
    constexpr auto example = R"("arguments": [{"name": "n", "type": "s32", "value": "n"}])";
    if (const auto arguments = c.problems.take(root, root.at("arguments"), example))
        if (const auto elements = c.problems.take(*arguments, arguments->elements(), example))
            for (const auto& element : *elements)
                spec.arguments.push_back(readArgument(c, element).value_or(Argument{}));
    spec.candidates = readFileNames(c, root, "candidates", R"("candidates": ["candidates/vectorized.ptx"])");
}

} // namespace

KernelSpec readSpec(SpecContext& c, const JsonReader& root) {
    KernelSpec spec;
    if (!c.problems.onlyKeys(root, {"schema",    "name",     "title",     "intent",    "notes",         "source",
                                    "entry",     "flags",    "files",     "arch",      "baseline",      "baselines",
                                    "symbols",   "require",  "launch",    "launches",  "arguments",     "globals",
                                    "reference", "inputs",   "compare",   "tolerance", "deterministic", "limits",
                                    "work",      "ships_as", "candidates"},
                             R"({"schema": 1, "name": "saxpy", ...})"))
        return spec;
    readIdentity(c, root, spec);
    readSymbols(c, root, spec); // before everything that has expressions
    readBaseline(c, root, spec);
    readMoreBaselines(c, root, spec);
    readLaunches(c, root, spec);
    readRest(c, root, spec);
    readGlobals(c, root, spec);
    readReference(c, root, spec.reference);
    spec.inputs = readHostFunction(c, root, "inputs");
    spec.compare = readHostFunction(c, root, "compare");
    readWorkAndLimits(c, root, spec);
    return spec;
}

} // namespace ptxwb::kernel

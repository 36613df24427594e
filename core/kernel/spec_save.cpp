#include "kernel/spec_save.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::kernel {

namespace {

using Json = nlohmann::ordered_json;

Json toJson(const Formula& formula) {
    if (formula.wide) return *formula.wide;
    if (formula.isNumber) return Json::parse(formula.expression.text());
    return formula.expression.text();
}

template <class Range>
Json list(const Range& formulas) {
    Json result = Json::array();
    for (const auto& formula : formulas) result.push_back(toJson(formula));
    return result;
}

Json toJson(const LaunchShape& shape) {
    Json result = {
        {"grid", list(shape.grid)}, {"block", list(shape.block)}, {"shared_bytes", toJson(shape.sharedBytes)}};
    if (const auto cluster = list(shape.cluster); cluster != Json{1, 1, 1}) result["cluster"] = cluster;
    if (shape.cooperative) result["cooperative"] = true;
    return result;
}

Json toJson(const Tolerance& tolerance) {
    switch (tolerance.rule) {
    case ToleranceRule::automatic: return {{"rule", "auto"}};
    case ToleranceRule::absoluteRelative:
        return {{"rule", "absolute_relative"}, {"absolute", tolerance.absolute}, {"relative", tolerance.relative}};
    case ToleranceRule::ulp: return {{"rule", "ulp"}, {"ulp", tolerance.ulp}};
    case ToleranceRule::exact: return {{"rule", "exact"}};
    }
    return nullptr;
}

Json toJson(const Fill& fill) {
    if (fill.kind == FillKind::file) return {{"file", fill.file}};
    Json result = {{"kind", name(fill.kind)}};
    const auto put = [&result](const char* key, const std::optional<double>& value) {
        if (value) result[key] = *value;
    };
    put("mean", fill.mean);
    put("scale", fill.scale);
    put("value", fill.value);
    put("low", fill.low);
    put("high", fill.high);
    if (result.size() == 1) return name(fill.kind);
    return result;
}

void putBuffer(Json& result, const Argument& argument) {
    if (argument.count) result["count"] = toJson(*argument.count);
    if (!argument.shape.empty()) result["shape"] = list(argument.shape);
    if (!argument.strides.empty()) result["strides"] = list(argument.strides);
    result["access"] = name(argument.access);
    if (argument.fill) result["fill"] = toJson(*argument.fill);
    result["align"] = argument.align;
    if (argument.mayAliasAll) result["may_alias"] = true;
    if (!argument.mayAlias.empty()) result["may_alias"] = argument.mayAlias;
    if (argument.tolerance) result["tolerance"] = toJson(*argument.tolerance);
}

void putStruct(Json& result, const Argument& argument) {
    result["size"] = argument.size;
    result["align"] = argument.align;
    result["fields"] = Json::array();
    for (const auto& field : argument.fields) {
        Json entry = {{"offset", field.offset}};
        if (field.buffer.empty()) {
            entry["type"] = name(field.type);
            entry["value"] = toJson(field.value);
        } else {
            entry["buffer"] = field.buffer;
        }
        result["fields"].push_back(std::move(entry));
    }
}

Json toJson(const Argument& argument) {
    Json result = {{"name", argument.name}};
    const bool element = argument.kind == ArgumentKind::scalar || argument.kind == ArgumentKind::buffer;
    result["type"] = element ? name(argument.type) : name(argument.kind);
    switch (argument.kind) {
    case ArgumentKind::scalar:
        result["value"] = toJson(argument.value);
        if (argument.isFixed) result["fixed"] = true;
        break;
    case ArgumentKind::buffer: putBuffer(result, argument); break;
    case ArgumentKind::structure: putStruct(result, argument); break;
    case ArgumentKind::bytes: {
        std::string hex;
        for (const auto byte : argument.bytes) hex += fmt::format("{:02x}", byte);
        result["hex"] = hex;
        if (argument.align > 1) result["align"] = argument.align;
        break;
    }
    case ArgumentKind::null: break;
    case ArgumentKind::pointerArray: result["of"] = argument.of; break;
    default:
        result["of"] = argument.of.front();
        if (!argument.options.empty()) result.update(Json::parse(argument.options));
        break;
    }
    return result;
}

Json toJson(const GlobalVariable& global) {
    Json result = {{"name", global.name}, {"type", name(global.type)}};
    if (global.value) result["value"] = toJson(*global.value);
    if (global.count) result["count"] = toJson(*global.count);
    if (global.fill) result["fill"] = toJson(*global.fill);
    if (global.compare) result["compare"] = true;
    return result;
}

Json toJson(const SymbolSizes& sizes) {
    Json result = Json::object();
    if (!sizes.function.empty()) result["function"] = sizes.function;
    if (!sizes.stress.empty()) result["stress"] = sizes.stress;
    if (!sizes.benchmark.empty()) result["benchmark"] = sizes.benchmark;
    return result;
}

Json toJson(const Reference& reference) {
    if (reference.kind == ReferenceKind::baseline) return {{"baseline", true}};
    if (reference.kind == ReferenceKind::expected) {
        Json files = Json::object();
        for (const auto& [output, file] : reference.expected) files[output] = file;
        return {{"expected", std::move(files)}};
    }
    Json result = {{reference.kind == ReferenceKind::python ? "python" : "file", reference.file}};
    if (!reference.function.empty()) result["function"] = reference.function;
    return result;
}

void putText(Json& result, const char* key, const std::string& text) {
    if (!text.empty()) result[key] = text;
}

void putLists(Json& result, const KernelSpec& spec) {
    result["symbols"] = Json::object();
    for (const auto& symbol : spec.symbols) result["symbols"][symbol.name] = toJson(symbol);
    result["require"] = Json::array();
    for (const auto& condition : spec.require) result["require"].push_back(condition.text());
    if (spec.launches.empty()) {
        result["launch"] = toJson(spec.launch);
    } else {
        result["launches"] = Json::array();
        for (const auto& step : spec.launches)
            result["launches"].push_back(
                {{"entry", step.entry}, {"launch", toJson(step.launch)}, {"arguments", step.arguments}});
    }
    result["arguments"] = Json::array();
    for (const auto& argument : spec.arguments) result["arguments"].push_back(toJson(argument));
    if (!spec.globals.empty()) result["globals"] = Json::array();
    for (const auto& global : spec.globals) result["globals"].push_back(toJson(global));
}

void putWork(Json& result, const KernelSpec& spec) {
    if (spec.limits.registers) result["limits"]["registers"] = *spec.limits.registers;
    if (spec.limits.sharedBytes) result["limits"]["shared_bytes"] = *spec.limits.sharedBytes;
    auto& work = result["work"];
    if (spec.work.flops) work["flops"] = toJson(*spec.work.flops);
    if (spec.work.bytes) work["bytes"] = toJson(*spec.work.bytes);
    work["reduction"] = toJson(spec.work.reduction);
    if (spec.work.accumulator) work["accumulator"] = name(*spec.work.accumulator);
}

constexpr std::size_t lineWidth = 110;

void layOut(std::string& out, const Json& value, std::size_t indent, std::size_t used) {
    std::string flat;
    // One line with a blank after commas and colons, as a person writes it.
    const auto flatten = [&flat](const auto& self, const Json& v) -> void {
        const bool object = v.is_object();
        if (!object && !v.is_array()) {
            flat += v.dump(-1, ' ', false, Json::error_handler_t::replace);
            return;
        }
        flat += object ? '{' : '[';
        bool first = true;
        for (const auto& [key, member] : v.items()) {
            if (!first) flat += ", ";
            first = false;
            if (object) flat += Json(key).dump() + ": ";
            self(self, member);
        }
        flat += object ? '}' : ']';
    };
    flatten(flatten, value);
    // The document itself is never squeezed into one line.
    if (!value.is_structured() || value.empty() || (indent > 0 && used + flat.size() <= lineWidth)) {
        out += flat;
        return;
    }
    const bool object = value.is_object();
    const std::string inner(indent + 2, ' ');
    out += object ? "{\n" : "[\n";
    bool first = true;
    for (const auto& [key, member] : value.items()) {
        if (!first) out += ",\n";
        first = false;
        const std::string start = inner + (object ? Json(key).dump() + ": " : "");
        out += start;
        layOut(out, member, indent + 2, start.size() + 1);
    }
    out += "\n" + std::string(indent, ' ') + (object ? "}" : "]");
}

} // namespace

nlohmann::ordered_json toJson(const KernelSpec& spec) {
    Json result = {{"schema", 1}, {"name", spec.name}};
    putText(result, "title", spec.title);
    putText(result, "intent", spec.intent);
    if (!spec.notes.empty()) result["notes"] = spec.notes;
    putText(result, "source", spec.source);
    putText(result, "entry", spec.entry);
    if (!spec.flags.empty()) result["flags"] = spec.flags;
    if (!spec.files.empty()) result["files"] = spec.files;
    putText(result, "arch", spec.arch);
    if (spec.baseline) {
        result["baseline"]["ptx"] = spec.baseline->ptx;
        putText(result["baseline"], "nvcc", spec.baseline->nvcc);
        putText(result["baseline"], "source_sha256", spec.baseline->sourceSha256);
    }
    for (const auto& other : spec.moreBaselines)
        result["baselines"].push_back({{"name", other.name}, {"ptx", other.ptx}});
    putLists(result, spec);
    if (spec.reference.kind != ReferenceKind::none) result["reference"] = toJson(spec.reference);
    if (spec.inputs) result["inputs"] = {{"file", spec.inputs->file}, {"function", spec.inputs->function}};
    if (spec.compare) result["compare"] = {{"file", spec.compare->file}, {"function", spec.compare->function}};
    result["tolerance"] = toJson(spec.tolerance);
    result["deterministic"] = spec.deterministic;
    putWork(result, spec);
    result["ships_as"] = spec.shipsAs == ShipsAs::ptx ? "ptx" : "cubin";
    if (!spec.candidates.empty()) result["candidates"] = spec.candidates;
    return result;
}

std::string formatJson(const nlohmann::ordered_json& value) {
    std::string out;
    layOut(out, value, 0, 0);
    return out + "\n";
}

} // namespace ptxwb::kernel

#include "kernel/layout.h"

#include "kernel/fill.h"
#include "kernel/launch_shape.h"
#include "kernel/npy.h"
#include "support/files.h"
#include "support/nearest.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::kernel {

namespace {

std::unexpected<Diagnostic> refuse(std::string message, std::string hint = {}) {
    return failure(Cause::badRequest, std::move(message), std::move(hint));
}

Fill constantFill(double value) {
    Fill fill;
    fill.kind = FillKind::constant;
    fill.value = value;
    return fill;
}

class Builder {
public:
    Builder(const Kernel& kernel, const Symbols& symbols, const BuildOptions& options)
        : m_spec(kernel.spec), m_files(kernel.files), m_symbols(symbols), m_options(options) {}

    Expected<LaunchData> build() {
        if (const auto notes = unsupportedFeatures(m_spec, Needed::launch); !notes.empty()) {
            auto problem = refuse(notes.front().message, "the rest of the spec can be checked without launching");
            problem.error().kind = notes.front().kind;
            return problem;
        }
        m_data.symbols = m_symbols;
        m_data.seed = m_options.seed;
        if (auto done = shapes(); !done) return std::unexpected(done.error());
        for (std::size_t i = 0; i < m_spec.arguments.size(); ++i) {
            m_path = fmt::format("arguments[{}]", i);
            if (m_spec.arguments[i].kind != ArgumentKind::buffer) continue;
            if (auto done = buffer(m_spec.arguments[i]); !done) return std::unexpected(done.error());
        }
        for (std::size_t i = 0; i < m_spec.globals.size(); ++i) {
            m_path = fmt::format("globals[{}]", i);
            if (auto done = variable(m_spec.globals[i]); !done) return std::unexpected(done.error());
        }
        for (const Argument& argument : m_spec.arguments)
            if (argument.kind == ArgumentKind::pointerArray) pointerArray(argument);
        if (auto done = allParameters(); !done) return std::unexpected(done.error());
        if (m_options.alias)
            if (auto done = alias(*m_options.alias); !done) return std::unexpected(done.error());
        return std::move(m_data);
    }

private:
    Expected<std::int64_t> value(const Formula& formula, std::string_view path) const {
        return evaluateAt(formula, m_symbols, path);
    }

    const std::vector<LaunchStep>& steps() const { return launchSteps(m_spec, m_options.launch); }
    bool ownSteps() const { return m_options.launch && !m_options.launch->steps.empty(); }

    /// Where the steps stand, for messages.
    std::string stepPath(std::size_t index) const {
        return fmt::format("{}[{}]", ownSteps() ? "//@ launches" : "launches", index);
    }

    /// What the candidate's own line does wrong is not the spec's fault.
    std::unexpected<Diagnostic> refuseOwn(Diagnostic problem) const {
        if (ownSteps()) {
            problem.cause = Cause::rejected;
            problem.kind = "launch";
        }
        return std::unexpected(std::move(problem));
    }

    /// Entry and shape of every launch.
    Expected<void> shapes() {
        if (steps().empty()) {
            m_data.entry = m_spec.entry;
            return shapeLaunch(m_spec.launch, m_options.launch, m_data);
        }
        if (m_options.launch && !ownSteps())
            return refuseOwn(failure(Cause::rejected, "//@ launch: the spec has several launches, and this line is one",
                                     "say them all: //@ launches [{\"entry\": …, \"launch\": {…}, \"arguments\": […]}]")
                                 .error());
        m_data.following.resize(steps().size() - 1);
        for (std::size_t i = 0; i < steps().size(); ++i) {
            LaunchPart& part = i == 0 ? m_data : m_data.following[i - 1];
            part.entry = steps()[i].entry;
            if (auto done = shapePart(steps()[i].launch, nullptr, m_symbols, stepPath(i) + ".launch", part); !done)
                return refuseOwn(std::move(done.error()));
        }
        return ownSteps() && m_data.isEmpty() ? nothingLikeTheSpec() : Expected<void>{};
    }

    /// A sequence that launches nothing is right only where the spec launches nothing either.
    Expected<void> nothingLikeTheSpec() {
        BuildOptions options = m_options;
        options.launch = nullptr;
        options.contents = Contents::shapeOnly;
        const Kernel bare{m_spec, {}};
        const auto planned = Builder(bare, m_symbols, options).build();
        if (!planned || planned->isEmpty()) return {};
        return refuseOwn(failure(Cause::rejected,
                                 fmt::format("//@ launches: nothing is launched{}, and the spec launches something",
                                             inBrackets(m_symbols)),
                                 "round up with ceil_div, or narrow the sizes with //@ require")
                             .error());
    }

    Expected<void> allParameters() {
        const auto add = [this](const Argument& argument, LaunchPart& part) {
            m_path = fmt::format("arguments[{}]", &argument - m_spec.arguments.data());
            return parameter(argument, part);
        };
        LaunchPart all;
        for (const auto* argument : parameters(m_spec))
            if (auto done = add(*argument, all); !done) return done;
        if (steps().empty()) {
            m_data.parameters = std::move(all.parameters);
            return {};
        }
        m_data.arguments = std::move(all.parameters);
        for (std::size_t i = 0; i < steps().size(); ++i)
            for (const std::string& name : steps()[i].arguments) {
                const Argument* argument = findArgument(m_spec, name);
                if (!argument) return noSuchArgument(i, name);
                if (auto done = add(*argument, i == 0 ? m_data : m_data.following[i - 1]); !done) return done;
            }
        return {};
    }

    /// Of a candidate's own sequence; the spec's was checked when it was read.
    std::unexpected<Diagnostic> noSuchArgument(std::size_t step, const std::string& name) const {
        std::vector<std::string> known;
        for (const Argument& argument : m_spec.arguments) known.push_back(argument.name);
        const std::string nearest = nearestName(name, known);
        return refuseOwn(failure(Cause::rejected,
                                 fmt::format("{}.arguments: the spec has no argument \"{}\"", stepPath(step), name),
                                 nearest.empty() ? fmt::format("it has {}", fmt::join(known, ", "))
                                                 : fmt::format("did you mean \"{}\"?", nearest))
                             .error());
    }

    /// A module variable as a buffer that the module has the memory for.
    Expected<void> variable(const GlobalVariable& global) {
        Argument argument;
        argument.name = global.name;
        argument.kind = ArgumentKind::buffer;
        argument.type = global.type;
        argument.count = global.count.value_or(Formula::constant(1));
        argument.access = global.compare ? Access::inout : Access::scratch;
        argument.align = sizeOf(global.type);
        argument.fill = global.fill;
        if (global.value && !argument.fill) argument.fill = Fill{FillKind::zeros, {}, {}, {}, {}, {}, {}};
        if (auto done = buffer(argument); !done) return done;
        Buffer& made = m_data.buffers.back();
        made.isVariable = true;
        if (!global.value || made.bytes.empty()) return {};
        return scalar(*global.value, global.type, m_path + ".value", std::span(made.bytes).first(sizeOf(global.type)));
    }

    /// Addresses in device memory, one for each buffer that it names.
    void pointerArray(const Argument& argument) {
        Buffer buffer;
        buffer.name = argument.name;
        buffer.type = ElementType::b64;
        buffer.access = Access::in;
        buffer.align = sizeof(std::uint64_t);
        buffer.shape = {argument.of.size()};
        buffer.strides = {1};
        buffer.elementCount = argument.of.size();
        buffer.fill = "addresses";
        if (m_options.contents == Contents::filled) buffer.bytes.assign(8 * argument.of.size(), 0);
        for (std::size_t i = 0; i < argument.of.size(); ++i)
            buffer.pointers.push_back({static_cast<std::uint32_t>(8 * i), bufferIndex(argument.of[i])});
        m_data.buffers.push_back(std::move(buffer));
    }

    Expected<void> alias(const BuildOptions::Alias& alias) {
        Buffer& buffer = m_data.buffers[bufferIndex(alias.buffer)];
        const std::uint32_t of = bufferIndex(alias.of);
        if (buffer.bytes.size() != m_data.buffers[of].bytes.size() || buffer.type != m_data.buffers[of].type)
            return refuse(fmt::format("{} has {} bytes and {} has {}: they do not fit into one place", buffer.name,
                                      buffer.bytes.size(), alias.of, m_data.buffers[of].bytes.size()));
        buffer.bytes = m_data.buffers[of].bytes;
        if (alias.share) buffer.sharesWith = of;
        return {};
    }

    // Buffers

    Expected<std::vector<std::uint64_t>> extents(const std::vector<Formula>& formulas, std::string_view key) const {
        std::vector<std::uint64_t> result;
        for (std::size_t i = 0; i < formulas.size(); ++i) {
            const auto path = key == "count" ? m_path + ".count" : fmt::format("{}.{}[{}]", m_path, key, i);
            const auto number = value(formulas[i], path);
            if (!number) return std::unexpected(number.error());
            if (*number < 0)
                return refuse(fmt::format("{}: \"{}\" = {} is negative{}", path, formulas[i].expression.text(), *number,
                                          inBrackets(m_symbols)),
                              "exclude such sizes with \"require\", or use max(..., 0)");
            result.push_back(static_cast<std::uint64_t>(*number));
        }
        return result;
    }

    /// Elements from the first to behind the last one; nullopt where 64 bits do not hold it.
    static std::optional<std::uint64_t> extentOf(Buffer& buffer) {
        buffer.elementCount = 1;
        for (const auto extent : buffer.shape)
            if (__builtin_mul_overflow(buffer.elementCount, extent, &buffer.elementCount)) return std::nullopt;
        if (buffer.strides.empty()) {
            buffer.strides.assign(buffer.shape.size(), 1);
            for (std::size_t i = buffer.shape.size() - 1; i-- > 0;)
                buffer.strides[i] = buffer.strides[i + 1] * std::max<std::uint64_t>(buffer.shape[i + 1], 1);
        }
        if (buffer.elementCount == 0) return 0;
        std::uint64_t last = 0;
        for (std::size_t i = 0; i < buffer.shape.size(); ++i) {
            std::uint64_t step = 0;
            if (__builtin_mul_overflow(buffer.shape[i] - 1, buffer.strides[i], &step) ||
                __builtin_add_overflow(last, step, &last))
                return std::nullopt;
        }
        return last + 1;
    }

    Expected<void> buffer(const Argument& argument) {
        Buffer buffer;
        buffer.name = argument.name;
        buffer.type = argument.type;
        buffer.access = argument.access;
        buffer.align = argument.align;
        auto shape = argument.count ? extents({*argument.count}, "count") : extents(argument.shape, "shape");
        if (!shape) return std::unexpected(shape.error());
        auto strides = extents(argument.strides, "strides");
        if (!strides) return std::unexpected(strides.error());
        buffer.shape = std::move(*shape);
        buffer.strides = std::move(*strides);
        const auto elements = extentOf(buffer);
        std::uint64_t bytes = 0;
        if (!elements || __builtin_mul_overflow(*elements, std::uint64_t{sizeOf(argument.type)}, &bytes))
            return refuse(
                fmt::format("{}: the size of {} does not fit 64 bits{}", m_path, argument.name, inBrackets(m_symbols)),
                "smaller sizes are needed");
        if (bytes > m_options.byteLimit - m_bytes)
            return refuse(fmt::format("{}: {} needs {} bytes ({}){}, and {} of {} are left", m_path, argument.name,
                                      bytes, formatBytes(bytes), inBrackets(m_symbols),
                                      formatBytes(m_options.byteLimit - m_bytes), formatBytes(m_options.byteLimit)),
                          "smaller sizes are needed");
        m_bytes += bytes;
        if (argument.access == Access::out || argument.access == Access::inout)
            if (auto apart = elementsApart(buffer); !apart) return apart;
        if (m_options.contents == Contents::shapeOnly) {
            m_data.buffers.push_back(std::move(buffer));
            return {};
        }
        buffer.bytes.assign(bytes, buffer.elementCount * sizeOf(buffer.type) == bytes ? 0 : m_options.padding);
        if (auto done = firstContent(argument, buffer); !done) return done;
        m_data.buffers.push_back(std::move(buffer));
        return {};
    }

    /// An output must not have two elements in one place: neither could be right.
    Expected<void> elementsApart(const Buffer& buffer) const {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < buffer.shape.size(); ++i)
            if (buffer.shape[i] > 1) order.push_back(i);
        std::ranges::sort(order, {}, [&buffer](std::size_t i) { return buffer.strides[i]; });
        std::uint64_t reach = 1;
        for (const auto i : order) {
            if (buffer.strides[i] < reach && buffer.elementCount > 0)
                return refuse(fmt::format("{}.strides[{}]: {} elements overlap the {} of the inner dimensions{}",
                                          m_path, i, buffer.strides[i], reach, inBrackets(m_symbols)),
                              "the elements of an output lie apart");
            reach = buffer.strides[i] * (buffer.shape[i] - 1) + reach;
        }
        return {};
    }

    /// Whether element i lies at place i.
    static bool isDense(const Buffer& buffer) {
        std::uint64_t step = 1;
        for (std::size_t i = buffer.shape.size(); i-- > 0; step *= buffer.shape[i])
            if (buffer.shape[i] > 1 && buffer.strides[i] != step) return false;
        return true;
    }

    Expected<void> firstContent(const Argument& argument, Buffer& buffer) const {
        Fill fill = argument.fill.value_or(
            Fill{argument.access == Access::scratch ? FillKind::zeros : FillKind::normal, {}, {}, {}, {}, {}, {}});
        if (m_options.fill && isFillFree(argument)) fill = *m_options.fill;
        if (m_options.fill && isBounded(argument)) {
            if (m_options.fill->kind == FillKind::zeros) fill = constantFill(*argument.fill->low);
            if (m_options.fill->kind == FillKind::ones) fill = constantFill(*argument.fill->high);
        }
        if (argument.access == Access::out) fill = Fill{FillKind::zeros, {}, {}, {}, {}, {}, {}};
        if (argument.access != Access::out) buffer.fill = name(fill.kind);
        if (fill.kind == FillKind::file) {
            const auto content = m_files.find(fill.file);
            if (content == m_files.end())
                return refuse(fmt::format("{}.fill.file: {} is not there", m_path, fill.file), "send it with the spec");
            const auto elements = fileElements(fill.file, content->second, buffer.type, buffer.elementCount);
            if (!elements) return withPath(m_path + ".fill.file", elements.error());
            for (std::uint64_t i = 0; i < buffer.elementCount; ++i)
                storeBits(buffer.type, buffer.bytes, elementOffset(buffer, i), loadBits(buffer.type, *elements, i));
            return {};
        }
        if (fill.kind == FillKind::zeros && buffer.elementCount * sizeOf(buffer.type) == buffer.bytes.size()) return {};
        const auto key = fillKey(m_options.seed, argument.name);
        if (isDense(buffer)) {
            fillBuffer(fill, buffer.type, key, buffer.bytes);
            return {};
        }
        for (std::uint64_t i = 0; i < buffer.elementCount; ++i)
            storeBits(buffer.type, buffer.bytes, elementOffset(buffer, i), fillElement(fill, buffer.type, key, i));
        return {};
    }

    // Parameters

    Expected<void> scalar(const Formula& formula, ElementType type, const std::string& path,
                          std::span<std::uint8_t> bytes, double factor = 1) const {
        if (formula.wide) {
            storeBits(type, bytes, 0, *formula.wide);
            return {};
        }
        if (isFloat(type)) {
            auto number = formula.expression.evaluateReal(m_symbols);
            if (!number) return withPath(path, std::move(number.error()));
            *number *= factor;
            const auto bits = encodeFloat(type, *number);
            if (std::isfinite(*number) && !std::isfinite(decodeFloat(type, bits)))
                return refuse(
                    fmt::format("{}: {} is beyond the largest {}, {}", path, *number, name(type), largestFinite(type)),
                    "write \"inf\" where an infinity is meant");
            storeBits(type, bytes, 0, bits);
            return {};
        }
        const auto number = value(formula, path);
        if (!number) return std::unexpected(number.error());
        const auto range = integerRange(type);
        if (*number < range.low || (*number > 0 && static_cast<std::uint64_t>(*number) > range.high))
            return refuse(fmt::format("{}: {} does not fit {} ({} to {}){}", path, *number, name(type), range.low,
                                      range.high, inBrackets(m_symbols)),
                          "use a wider type or smaller sizes");
        storeBits(type, bytes, 0, static_cast<std::uint64_t>(*number));
        return {};
    }

    std::uint32_t bufferIndex(std::string_view name) const {
        return static_cast<std::uint32_t>(std::ranges::find(m_data.buffers, name, &Buffer::name) -
                                          m_data.buffers.begin());
    }

    Expected<void> parameter(const Argument& argument, LaunchPart& part) {
        Parameter parameter{argument.name, 8, std::vector<std::uint8_t>(8, 0), {}, {}};
        switch (argument.kind) {
        case ArgumentKind::buffer:
        case ArgumentKind::pointerArray: parameter.relocations.push_back({0, bufferIndex(argument.name)}); break;
        case ArgumentKind::null: break;
        case ArgumentKind::scalar:
            parameter.align = sizeOf(argument.type);
            parameter.bytes.assign(parameter.align, 0);
            if (auto done = scalar(argument.value, argument.type, m_path + ".value", parameter.bytes,
                                   isScalarFree(argument) ? m_options.scalarFactor : 1);
                !done)
                return done;
            break;
        case ArgumentKind::bytes:
            parameter.align = argument.align;
            parameter.bytes = argument.bytes;
            break;
        case ArgumentKind::structure:
            parameter.align = argument.align;
            parameter.bytes.assign(argument.size, 0);
            for (std::size_t i = 0; i < argument.fields.size(); ++i) {
                const auto& field = argument.fields[i];
                if (!field.buffer.empty()) {
                    parameter.relocations.push_back({field.offset, bufferIndex(field.buffer)});
                    continue;
                }
                const auto bytes = std::span(parameter.bytes).subspan(field.offset, sizeOf(field.type));
                if (auto done = scalar(field.value, field.type, fmt::format("{}.fields[{}].value", m_path, i), bytes);
                    !done)
                    return done;
            }
            break;
        case ArgumentKind::tensormap: {
            parameter.align = argument.align;
            parameter.bytes.assign(tensorMapBytes, 0);
            const std::uint32_t index = bufferIndex(argument.of.front());
            const Buffer& of = m_data.buffers[index];
            auto map = tensorMap(argument, of.type, of.shape, of.strides, m_path);
            if (!map) return std::unexpected(std::move(map.error()));
            map->buffer = index;
            parameter.map = std::move(*map);
            break;
        }
        case ArgumentKind::texture:
        case ArgumentKind::surface: {
            const std::uint32_t index = bufferIndex(argument.of.front());
            const Buffer& of = m_data.buffers[index];
            auto made = texture(argument, of.type, of.shape, m_path);
            if (!made) return std::unexpected(std::move(made.error()));
            made->buffer = index;
            parameter.texture = std::move(*made);
            break;
        }
        }
        part.parameters.push_back(std::move(parameter));
        return {};
    }

    const KernelSpec& m_spec;
    const KernelFiles& m_files;
    const Symbols& m_symbols;
    const BuildOptions& m_options;
    LaunchData m_data;
    std::string m_path;
    std::uint64_t m_bytes = 0;
};

} // namespace

Expected<LaunchData> buildLaunch(const Kernel& kernel, const Symbols& symbols, const BuildOptions& options) {
    return Builder(kernel, symbols, options).build();
}

} // namespace ptxwb::kernel

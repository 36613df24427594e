#include "kernel/reference_call.h"

#include "kernel/npy.h"
#include "support/child_process.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace ptxwb::kernel {

namespace {

void putWord(std::string& out, std::uint64_t word) {
    out.append(reinterpret_cast<const char*>(&word), sizeof word);
}

std::uint64_t wordAt(std::string_view text, std::size_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, text.data() + at, sizeof value);
    return value;
}

std::size_t bufferIndex(const LaunchData& launch, std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(launch.buffers, name, &Buffer::name) - launch.buffers.begin());
}

/// A buffer's bytes as the host function expects them: floating-point types as doubles.
std::string widened(ElementType type, std::span<const std::uint8_t> bytes) {
    if (!isFloat(type)) return {bytes.begin(), bytes.end()};
    std::string reals(bytes.size() / sizeOf(type) * sizeof(double), '\0');
    for (std::size_t i = 0; i < bytes.size() / sizeOf(type); ++i) {
        const double value = decodeFloat(type, loadBits(type, bytes, i));
        std::memcpy(reals.data() + i * sizeof value, &value, sizeof value);
    }
    return reals;
}

std::string bytesOf(const ReferenceOutput& output) {
    if (output.reals.empty()) return {output.bits.begin(), output.bits.end()};
    return {reinterpret_cast<const char*>(output.reals.data()), output.reals.size() * sizeof(double)};
}

/// Where a parameter's value lies: the first launch's parameters, as `hostParameters` numbers them.
std::string scalarOf(const HostParameter& p, const LaunchData& launch) {
    const auto& bytes = launch.allParameters()[p.parameter].bytes;
    if (p.form == HostParameter::Form::raw) return {bytes.begin(), bytes.end()};
    const std::uint64_t bits = loadBits(p.type, std::span(bytes).subspan(p.offset), 0);
    std::string text;
    putWord(text, isFloat(p.type) ? std::bit_cast<std::uint64_t>(decodeFloat(p.type, bits)) : bits);
    return text;
}

std::string lastLine(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    const auto start = text.rfind('\n');
    return std::string(start == std::string_view::npos ? text : text.substr(start + 1)).substr(0, 200);
}

} // namespace

Expected<std::vector<std::string>> callHost(const CompiledReference& program, std::span<const HostArgument> arguments,
                                            std::string_view what, const LaunchData& launch,
                                            const ReferenceOptions& options, std::stop_token stop) {
    const auto reject = [&](std::string_view how, std::string hint) {
        return failure(Cause::rejected, fmt::format("{} {}{}", what, how, inBrackets(launch.symbols)), std::move(hint));
    };
    ChildRequest child;
    child.arguments = {program.executable.string()};
    child.arguments.insert(child.arguments.end(), program.arguments.begin(), program.arguments.end());
    std::size_t answerBytes = 3 * sizeof(std::uint64_t);
    putWord(child.input, requestMagic);
    putWord(child.input, arguments.size());
    for (const HostArgument& argument : arguments) {
        putWord(child.input, argument.bytes.size());
        putWord(child.input, argument.back ? 1 : 0);
        child.input += argument.bytes;
        if (argument.back) answerBytes += argument.bytes.size();
    }
    child.outputLimit = answerBytes + 65536;
    child.deadline = options.deadline;
    child.memoryLimitBytes = options.memoryLimitBytes;
    const auto result = runChild(child, stop);
    const auto said = lastLine(result.errors);
    if (result.end == ChildEnd::cancelled)
        return failure(Cause::cancelled, fmt::format("cancelled while {} ran", what));
    if (result.end == ChildEnd::notStarted)
        return failure(Cause::missing, result.startError, "remove the cache folder and try again");
    if (!result.succeeded())
        return reject(describe(result, options.deadline) + (said.empty() ? "" : "; its last words: " + said),
                      "it must return normally, within its buffers and its deadline");
    std::string_view text = result.output;
    if (text.size() != answerBytes || wordAt(text, 0) != answerMagic || wordAt(text, text.size() - 8) != answerMagic)
        return reject("ended before it returned",
                      "it must not call exit, nor close or write to descriptors that it did not open");
    if (const auto overrun = wordAt(text, 8); overrun != 0)
        return reject(fmt::format("wrote behind the end of {}",
                                  arguments[std::min<std::size_t>(overrun - 1, arguments.size() - 1)].name),
                      "check its loop bounds against \"count\" in the spec");
    std::vector<std::string> back;
    std::size_t at = 16;
    for (const HostArgument& argument : arguments) {
        if (!argument.back) continue;
        back.emplace_back(text.substr(at, argument.bytes.size()));
        at += argument.bytes.size();
    }
    return back;
}

Expected<void> runInputs(const CompiledReference& inputs, const Kernel& kernel, LaunchData& launch,
                         const ReferenceOptions& options, std::stop_token stop) {
    std::vector<HostArgument> arguments;
    std::vector<std::size_t> changed; ///< buffers, one for each argument that comes back
    for (const HostParameter& p : hostParameters(kernel.spec, HostRole::inputs)) {
        HostArgument& argument = arguments.emplace_back();
        argument.name = p.name;
        if (p.form == HostParameter::Form::seed) {
            putWord(argument.bytes, launch.seed);
        } else if (p.form == HostParameter::Form::buffer) {
            const std::size_t index = bufferIndex(launch, p.buffer);
            argument.bytes = widened(p.type, launch.buffers[index].bytes);
            argument.back = p.access == Access::inout;
            if (argument.back) changed.push_back(index);
        } else if (p.form != HostParameter::Form::null) {
            argument.bytes = scalarOf(p, launch);
        }
    }
    const auto back = callHost(inputs, arguments, fmt::format("the host function {}", kernel.spec.inputs->function),
                               launch, options, std::move(stop));
    if (!back) return std::unexpected(back.error());
    for (std::size_t i = 0; i < changed.size(); ++i) {
        Buffer& buffer = launch.buffers[changed[i]];
        const std::string& bytes = (*back)[i];
        buffer.fill = kernel.spec.inputs->function;
        if (!isFloat(buffer.type)) {
            buffer.bytes.assign(bytes.begin(), bytes.end());
            continue;
        }
        for (std::uint64_t element = 0; element < buffer.elementCount; ++element) { // padding stays what it is
            const auto at = elementOffset(buffer, element);
            storeBits(buffer.type, buffer.bytes, at,
                      encodeFloat(buffer.type, std::bit_cast<double>(wordAt(bytes, at * sizeof(double)))));
        }
    }
    return {};
}

Expected<bool> runCompare(const CompiledReference& compare, const Kernel& kernel, const LaunchData& launch,
                          std::span<const std::vector<std::uint8_t>> got, std::span<const ReferenceOutput> expected,
                          const ReferenceOptions& options, std::stop_token stop) {
    std::vector<HostArgument> arguments;
    for (const HostParameter& p : hostParameters(kernel.spec, HostRole::compare)) {
        HostArgument& argument = arguments.emplace_back();
        argument.name = p.name;
        if (p.form == HostParameter::Form::verdict) {
            argument.bytes.assign(sizeof(std::uint64_t), '\0');
            argument.back = true;
        } else if (p.form == HostParameter::Form::buffer && p.isExpected) {
            const auto output = std::ranges::find(expected, p.buffer, &ReferenceOutput::argument);
            if (output == expected.end())
                return failure(Cause::rejected, fmt::format("there is no expected value of {}", p.buffer));
            argument.bytes = bytesOf(*output);
        } else if (p.form == HostParameter::Form::buffer) {
            argument.bytes = widened(p.type, got[bufferIndex(launch, p.buffer)]);
        } else if (p.form != HostParameter::Form::null) {
            argument.bytes = scalarOf(p, launch);
        }
    }
    const auto back = callHost(compare, arguments, fmt::format("the host function {}", kernel.spec.compare->function),
                               launch, options, std::move(stop));
    if (!back) return std::unexpected(back.error());
    return wordAt(back->front(), 0) != 0;
}

Expected<std::vector<ReferenceOutput>> expectedOutputs(const Kernel& kernel, const LaunchData& launch) {
    std::vector<ReferenceOutput> outputs;
    for (const auto& [name, file] : kernel.spec.reference.expected) {
        const Buffer& buffer = launch.buffers[bufferIndex(launch, name)];
        const auto content = kernel.files.find(file);
        if (content == kernel.files.end())
            return failure(Cause::badRequest, fmt::format("reference.expected.{}: {} is not there", name, file),
                           "send it with the spec");
        ElementType type = buffer.type;
        auto elements = fileElements(file, content->second, type, buffer.elementCount);
        if (!elements && isFloat(type) && type != ElementType::f64)
            if (auto wide = fileElements(file, content->second, ElementType::f64, buffer.elementCount)) {
                type = ElementType::f64;
                elements = std::move(wide);
            }
        if (!elements) {
            elements.error().message = fmt::format("reference.expected.{}: {}", name, elements.error().message);
            return std::unexpected(std::move(elements.error()));
        }
        ReferenceOutput& output = outputs.emplace_back();
        output.argument = name;
        if (!isFloat(buffer.type)) {
            output.bits = buffer.bytes;
            for (std::uint64_t i = 0; i < buffer.elementCount; ++i)
                storeBits(buffer.type, output.bits, elementOffset(buffer, i), loadBits(buffer.type, *elements, i));
            continue;
        }
        output.reals.resize(buffer.bytes.size() / sizeOf(buffer.type));
        for (std::uint64_t i = 0; i < buffer.elementCount; ++i)
            output.reals[elementOffset(buffer, i)] = decodeFloat(type, loadBits(type, *elements, i));
    }
    return outputs;
}

} // namespace ptxwb::kernel

#include "kernel/reference_call.h"

#include "support/child_process.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace ptxwb::kernel {

namespace {

/// What an output holds before the call: a NaN that no computation makes.
constexpr std::uint64_t unwrittenReal = 0x7FF8A5A5A5A5A5A5;

void putWord(std::string& out, std::uint64_t word) {
    out.append(reinterpret_cast<const char*>(&word), sizeof word);
}

const Buffer& bufferNamed(const LaunchData& launch, std::string_view name) {
    return *std::ranges::find(launch.buffers, name, &Buffer::name);
}

constexpr char unwrittenByte = '\xA5'; ///< in integer outputs, before the call

bool isOutput(const HostParameter& p) {
    return p.form == HostParameter::Form::buffer && (p.access == Access::out || p.access == Access::inout);
}

std::uint64_t spanOf(const Buffer& buffer) {
    return buffer.bytes.size() / sizeOf(buffer.type);
}

/// Bytes of one argument as the call expects them.
std::string content(const HostParameter& p, const LaunchData& launch) {
    std::string bytes;
    if (p.form == HostParameter::Form::buffer) {
        const auto& buffer = bufferNamed(launch, p.buffer);
        if (!isFloat(p.type)) {
            bytes.assign(buffer.bytes.begin(), buffer.bytes.end());
            if (p.access == Access::out) std::ranges::fill(bytes, unwrittenByte);
            return bytes;
        }
        std::vector<double> reals(spanOf(buffer), std::bit_cast<double>(unwrittenReal));
        if (p.access != Access::out)
            for (std::uint64_t i = 0; i < reals.size(); ++i)
                reals[i] = decodeFloat(p.type, loadBits(p.type, buffer.bytes, i));
        bytes.assign(reinterpret_cast<const char*>(reals.data()), reals.size() * sizeof(double));
        return bytes;
    }
    const auto& parameter = launch.allParameters()[p.parameter].bytes;
    if (p.form == HostParameter::Form::scalar) {
        const std::uint64_t bits = loadBits(p.type, std::span(parameter).subspan(p.offset), 0);
        putWord(bytes, isFloat(p.type) ? std::bit_cast<std::uint64_t>(decodeFloat(p.type, bits)) : bits);
    } else if (p.form == HostParameter::Form::raw) {
        bytes.assign(parameter.begin(), parameter.end());
    }
    return bytes;
}

std::string request(const std::vector<HostParameter>& parameters, const LaunchData& launch) {
    std::string text;
    putWord(text, requestMagic);
    putWord(text, parameters.size());
    for (const auto& parameter : parameters) {
        const auto bytes = content(parameter, launch);
        putWord(text, bytes.size());
        putWord(text, isOutput(parameter) ? 1 : 0);
        text += bytes;
    }
    return text;
}

std::string lastLine(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    const auto newline = text.rfind('\n');
    return std::string(newline == std::string_view::npos ? text : text.substr(newline + 1)).substr(0, 200);
}

class Answer {
public:
    Answer(const std::vector<HostParameter>& parameters, const LaunchData& launch)
        : m_parameters(parameters), m_launch(launch) {}

    std::size_t size() const {
        std::size_t bytes = 3 * sizeof(std::uint64_t);
        for (const auto& p : m_parameters)
            if (isOutput(p)) bytes += sizeIn(p);
        return bytes;
    }

    std::unexpected<Diagnostic> reject(std::string_view what, std::string hint) const {
        return failure(Cause::rejected, fmt::format("the reference {}{}", what, inBrackets(m_launch.symbols)),
                       std::move(hint));
    }

    Expected<std::vector<ReferenceOutput>> read(std::string_view text) const {
        if (text.size() != size() || word(text, 0) != answerMagic ||
            word(text, text.size() - sizeof(std::uint64_t)) != answerMagic)
            return reject("ended before it returned",
                          "it must not call exit, nor close or write to descriptors that it did not open");
        if (const auto overrun = word(text, sizeof(std::uint64_t)); overrun != 0)
            return reject(fmt::format("wrote behind the end of {}",
                                      m_parameters[std::min<std::size_t>(overrun - 1, m_parameters.size() - 1)].name),
                          "check its loop bounds against \"count\" in the spec");
        std::vector<ReferenceOutput> outputs;
        text.remove_prefix(2 * sizeof(std::uint64_t));
        for (const auto& p : m_parameters) {
            if (!isOutput(p)) continue;
            auto output = readOne(p, text.substr(0, sizeIn(p)));
            if (!output) return std::unexpected(output.error());
            outputs.push_back(std::move(*output));
            text.remove_prefix(sizeIn(p));
        }
        return outputs;
    }

private:
    static std::uint64_t word(std::string_view text, std::size_t at) {
        std::uint64_t value = 0;
        std::memcpy(&value, text.data() + at, sizeof value);
        return value;
    }

    std::size_t sizeIn(const HostParameter& p) const {
        const auto& buffer = bufferNamed(m_launch, p.buffer);
        return isFloat(p.type) ? spanOf(buffer) * sizeof(double) : buffer.bytes.size();
    }

    Expected<ReferenceOutput> readOne(const HostParameter& p, std::string_view bytes) const {
        const auto& buffer = bufferNamed(m_launch, p.buffer);
        ReferenceOutput output{p.buffer, {}, {}};
        if (!isFloat(p.type)) {
            output.bits.assign(bytes.begin(), bytes.end());
            return output;
        }
        output.reals.resize(spanOf(buffer));
        if (!bytes.empty()) std::memcpy(output.reals.data(), bytes.data(), bytes.size());
        for (std::uint64_t i = 0; i < buffer.elementCount; ++i)
            if (std::bit_cast<std::uint64_t>(output.reals[elementOffset(buffer, i)]) == unwrittenReal)
                return reject(fmt::format("left {}[{}] unwritten", p.name, fmt::join(elementIndex(buffer, i), ", ")),
                              "an output is written in full; a buffer that keeps some elements is \"inout\"");
        return output;
    }

    const std::vector<HostParameter>& m_parameters;
    const LaunchData& m_launch;
};

} // namespace

Expected<std::vector<ReferenceOutput>> runReference(const CompiledReference& reference, const Kernel& kernel,
                                                    const LaunchData& launch, const ReferenceOptions& options,
                                                    std::stop_token stop) {
    const auto parameters = hostParameters(kernel.spec);
    const Answer answer(parameters, launch);
    ChildRequest child;
    child.arguments = {reference.executable.string()};
    child.arguments.insert(child.arguments.end(), reference.arguments.begin(), reference.arguments.end());
    child.input = request(parameters, launch);
    child.outputLimit = answer.size() + 65536;
    child.deadline = options.deadline;
    child.memoryLimitBytes = options.memoryLimitBytes;
    const auto result = runChild(child, stop);
    const auto said = lastLine(result.errors);
    const auto ending =
        describe(result, options.deadline) + (said.empty() ? "" : fmt::format("; its last words: {}", said));
    switch (result.end) {
    case ChildEnd::cancelled: return failure(Cause::cancelled, "cancelled while the reference ran");
    case ChildEnd::notStarted:
        return failure(Cause::missing, result.startError, "remove the cache folder and try again");
    case ChildEnd::timedOut:
        return answer.reject(ending, "smaller sizes, a faster reference, or a longer deadline are needed");
    case ChildEnd::signalled:
        return answer.reject(
            "was " + ending,
            "it probably reads or writes outside its buffers; compile it with -fsanitize=address to see where");
    case ChildEnd::exited: break;
    }
    if (result.exitCode != 0) return answer.reject(ending, "see what it printed; it must return normally");
    return answer.read(result.output);
}

} // namespace ptxwb::kernel

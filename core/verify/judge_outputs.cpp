#include "verify/judge_outputs.h"

#include "kernel/tolerance.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::verify {

namespace {

using kernel::Access;
using kernel::Buffer;

bool isOutput(const Buffer& buffer) {
    return buffer.access == Access::out || buffer.access == Access::inout;
}

/// A buffer's elements as doubles, padding included, so that it is laid out as the buffer.
std::vector<double> realsOf(const Buffer& buffer, std::span<const std::uint8_t> bytes) {
    std::vector<double> reals(bytes.size() / kernel::sizeOf(buffer.type));
    for (std::size_t i = 0; i < reals.size(); ++i)
        reals[i] = kernel::decodeFloat(buffer.type, kernel::loadBits(buffer.type, bytes, i));
    return reals;
}

double reductionOf(const Context& context, const kernel::LaunchData& data) {
    // A formula that fails here has failed in the launch before; 1 is the strictest.
    return std::max(1.0, context.spec().work.reduction.expression.evaluateReal(data.symbols).value_or(1.0));
}

kernel::Tolerance toleranceOf(const kernel::KernelSpec& spec, const Buffer& buffer) {
    const kernel::Argument* argument = kernel::findArgument(spec, buffer.name);
    return argument && argument->tolerance ? *argument->tolerance : spec.tolerance;
}

Finding elementFinding(FindingKind kind, std::string check, const Buffer& buffer, std::uint64_t element) {
    Finding finding;
    finding.kind = kind;
    finding.check = std::move(check);
    finding.argument = buffer.name;
    finding.index = elementIndex(buffer, element);
    return finding;
}

std::string elementName(const Finding& finding) {
    return fmt::format("{}[{}]", finding.argument, fmt::join(finding.index, "]["));
}

double valueAt(const Buffer& buffer, const std::vector<std::uint8_t>& bytes, std::uint64_t element) {
    return kernel::asDouble(buffer.type, kernel::loadBits(buffer.type, bytes, elementOffset(buffer, element)));
}

std::uint64_t bitsAt(const Buffer& buffer, const std::vector<std::uint8_t>& bytes, std::uint64_t element) {
    return kernel::loadBits(buffer.type, bytes, elementOffset(buffer, element));
}

/// The elements whose bits differ, as one finding at the first; nullopt where there is none.
std::optional<Finding> firstDifference(FindingKind kind, std::string check, const Buffer& buffer,
                                       const std::vector<std::uint8_t>& before,
                                       const std::vector<std::uint8_t>& after) {
    std::optional<Finding> finding;
    for (std::uint64_t element = 0; element < buffer.elementCount; ++element) {
        if (bitsAt(buffer, before, element) == bitsAt(buffer, after, element)) continue;
        if (finding) {
            ++finding->occurrences;
            continue;
        }
        finding = elementFinding(kind, check, buffer, element);
        finding->expected = valueAt(buffer, before, element);
        finding->got = valueAt(buffer, after, element);
    }
    return finding;
}

} // namespace

std::vector<Finding> judgeMemory(const kernel::LaunchData& data, const LaunchOutcome& outcome) {
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < data.buffers.size(); ++i) {
        const Buffer& buffer = data.buffers[i];
        const BufferAfter& after = outcome.buffers[i];
        // The emulator names the store that it refused; then there is nothing to add.
        const bool known = std::ranges::any_of(outcome.findings, [&](const Finding& f) {
            return f.kind == FindingKind::inputModified && f.argument == buffer.name;
        });
        if (buffer.access == Access::in && !known)
            if (auto finding =
                    firstDifference(FindingKind::inputModified, "inputs", buffer, buffer.bytes, after.bytes)) {
                finding->message = fmt::format("the kernel changed its input: {} was {}, is {}", elementName(*finding),
                                               *finding->expected, *finding->got);
                findings.push_back(std::move(*finding));
            }
        if (const auto offset = kernel::damagedPadding(buffer, after.bytes)) {
            Finding& finding = findings.emplace_back();
            finding.kind = FindingKind::outOfBounds;
            finding.check = "padding";
            finding.argument = buffer.name;
            finding.address = *offset;
            finding.message = fmt::format("the padding of {} was overwritten at byte {}", buffer.name, *offset);
        }
    }
    return findings;
}

std::vector<Finding> judgeAgainst(const Context& context, const kernel::LaunchData& data, std::size_t buffer,
                                  std::span<const std::uint8_t> baseline, std::span<const std::uint8_t> candidate) {
    const Buffer& output = data.buffers[buffer];
    kernel::Comparison comparison;
    comparison.buffer = &output;
    comparison.candidate = candidate;
    comparison.tolerance = toleranceOf(context.spec(), output);
    comparison.reduction = reductionOf(context, data);
    comparison.accumulator = context.spec().work.accumulator;
    std::vector<double> reals;
    if (kernel::isFloat(output.type)) reals = realsOf(output, baseline);
    comparison.referenceReals = reals;
    comparison.referenceBits = baseline;
    comparison.allowedFactor = 2; // both sides have an error of their own
    return kernel::judge(comparison).findings;
}

OutputJudgement judgeOutputs(const Context& context, const kernel::LaunchData& data, const LaunchOutcome& outcome,
                             const Oracle& oracle, const OracleRun& expected, bool isBaseline) {
    OutputJudgement judgement;
    judgement.findings = judgeMemory(data, outcome);
    const bool fromBaseline = oracle.kind() == Oracle::Kind::baseline;
    if (data.isEmpty() || !expected.problem.empty() || oracle.kind() == Oracle::Kind::none ||
        (fromBaseline && (isBaseline || !expected.baseline)))
        return judgement;
    for (std::size_t i = 0; i < data.buffers.size(); ++i) {
        const Buffer& buffer = data.buffers[i];
        if (!isOutput(buffer) || buffer.elementCount == 0) continue;
        kernel::Comparison comparison;
        comparison.buffer = &buffer;
        comparison.candidate = outcome.buffers[i].bytes;
        comparison.written = outcome.buffers[i].written;
        comparison.tolerance = toleranceOf(context.spec(), buffer);
        comparison.reduction = reductionOf(context, data);
        comparison.accumulator = context.spec().work.accumulator;
        std::vector<double> reals;
        if (fromBaseline) {
            const std::vector<std::uint8_t>& bytes = expected.baseline->buffers[i].bytes;
            if (kernel::isFloat(buffer.type)) reals = realsOf(buffer, bytes);
            comparison.referenceReals = reals;
            comparison.referenceBits = bytes;
            comparison.allowedFactor = 2; // both sides have an error of their own
        } else {
            const auto output = std::ranges::find(expected.reference, buffer.name, &kernel::ReferenceOutput::argument);
            if (output == expected.reference.end()) continue;
            comparison.referenceReals = output->reals;
            comparison.referenceBits = output->bits;
            if (expected.baseline) comparison.baseline = expected.baseline->buffers[i].bytes;
        }
        kernel::Judgement judged = kernel::judge(comparison);
        if (judged.call == kernel::Judgement::Call::inDoubt && judgement.doubt.empty()) judgement.doubt = judged.reason;
        std::ranges::move(judged.findings, std::back_inserter(judgement.findings));
    }
    return judgement;
}

std::vector<Finding> compareRepeats(const kernel::LaunchData& data, const LaunchOutcome& first,
                                    const LaunchOutcome& second) {
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < data.buffers.size(); ++i) {
        const Buffer& buffer = data.buffers[i];
        if (!isOutput(buffer)) continue;
        auto finding = firstDifference(FindingKind::nondeterministic, "repeat", buffer, first.buffers[i].bytes,
                                       second.buffers[i].bytes);
        if (!finding) continue;
        finding->message = fmt::format("the same launch gave {} = {}, then {} the second time", elementName(*finding),
                                       *finding->expected, *finding->got);
        finding->hint = "the spec says `deterministic`: look for a race or for atomics on floating-point values";
        findings.push_back(std::move(*finding));
    }
    return findings;
}

} // namespace ptxwb::verify

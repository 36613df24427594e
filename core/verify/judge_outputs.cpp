#include "verify/judge_outputs.h"

#include "kernel/tolerance.h"
#include "verify/planned_launch.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::verify {

namespace {

using kernel::Access;
using kernel::Buffer;

/// Whether a buffer that may be written lies in the place of this one.
bool isShared(const kernel::LaunchData& data, std::size_t index) {
    return std::ranges::any_of(data.buffers, [&](const Buffer& b) { return b.sharesWith == index; });
}

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
        if (buffer.access == Access::in && !known && !isShared(data, i))
            if (auto finding =
                    firstDifference(FindingKind::inputModified, "inputs", buffer, buffer.bytes, after.bytes)) {
                finding->message = fmt::format("the kernel changed its input: {} was {}, is {}", elementName(*finding),
                                               *finding->expected, *finding->got);
                findings.push_back(std::move(*finding));
            }
        if (buffer.sharesWith) continue;
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

namespace {

/// What a buffer must hold, as doubles: the reference's answer or the baseline's; empty where there is none.
std::vector<double> expectedReals(const Buffer& buffer, std::size_t index, const OracleRun& expected,
                                  bool fromBaseline) {
    if (fromBaseline)
        return expected.baseline ? realsOf(buffer, expected.baseline->buffers[index].bytes) : std::vector<double>{};
    const auto output = std::ranges::find(expected.reference, buffer.name, &kernel::ReferenceOutput::argument);
    return output == expected.reference.end() ? std::vector<double>{} : output->reals;
}

/// Whether both are NaN, the same infinity, or numbers. What rounds beyond the type's range is an infinity, and near it
/// either will do.
bool isSameKind(const Buffer& buffer, double want, double is) {
    if (std::isfinite(want) && std::abs(want) > kernel::largestFinite(buffer.type) / 16) return true;
    if (std::isnan(want)) return std::isnan(is);
    if (std::isinf(want)) return is == want || buffer.type == kernel::ElementType::e4m3;
    return std::isfinite(is);
}

} // namespace

OutputJudgement judgeSpecials(const Context& context, const kernel::LaunchData& data, const LaunchOutcome& outcome,
                              const Oracle& oracle, const OracleRun& expected, bool isBaseline) {
    OutputJudgement judgement;
    (void)context;
    const bool fromBaseline = oracle.kind() == Oracle::Kind::baseline;
    if (data.isEmpty() || !expected.problem.empty() || oracle.kind() == Oracle::Kind::none ||
        (fromBaseline && isBaseline)) {
        judgement.doubt = expected.problem.empty() ? "nothing to compare with" : expected.problem;
        return judgement;
    }
    for (std::size_t i = 0; i < data.buffers.size(); ++i) {
        const Buffer& buffer = data.buffers[i];
        if (!isOutput(buffer) || !kernel::isFloat(buffer.type)) continue;
        const auto reals = expectedReals(buffer, i, expected, fromBaseline);
        if (reals.empty()) continue;
        const bool hasBoth = !fromBaseline && expected.baseline.has_value();
        std::optional<Finding> finding;
        for (std::uint64_t element = 0; element < buffer.elementCount; ++element) {
            const double want = reals[elementOffset(buffer, element)];
            if (hasBoth) {
                const double theirs = valueAt(buffer, expected.baseline->buffers[i].bytes, element);
                if (!isSameKind(buffer, want, theirs)) {
                    if (judgement.doubt.empty())
                        judgement.doubt =
                            fmt::format("the baseline has {} at {}[{}] where the reference has {}", theirs, buffer.name,
                                        fmt::join(elementIndex(buffer, element), "]["), want);
                    continue;
                }
            }
            judgement.wasCompared = true;
            const double is = valueAt(buffer, outcome.buffers[i].bytes, element);
            if (isSameKind(buffer, want, is)) continue;
            if (finding) {
                ++finding->occurrences;
                continue;
            }
            finding = elementFinding(FindingKind::nonfinite, "special_values", buffer, element);
            finding->got = is;
            finding->expected = want;
            finding->message = fmt::format("with NaN and infinities among the inputs: {} is {}, expected {}",
                                           elementName(*finding), is, want);
            finding->hint = "minimum, maximum and comparisons drop or keep a NaN each in their own way";
        }
        if (finding) judgement.findings.push_back(std::move(*finding));
    }
    return judgement;
}

std::optional<Finding> sameWhateverTheInput(const kernel::LaunchData& data, const LaunchOutcome& first,
                                            const OracleRun& firstExpected, const LaunchOutcome& second,
                                            const OracleRun& secondExpected) {
    bool expectedDiffers = false;
    const Buffer* any = nullptr;
    for (std::size_t i = 0; i < data.buffers.size(); ++i) {
        const Buffer& buffer = data.buffers[i];
        if (!isOutput(buffer) || buffer.elementCount == 0) continue;
        if (first.buffers[i].bytes != second.buffers[i].bytes) return std::nullopt;
        any = any ? any : &buffer;
        if (firstExpected.baseline && secondExpected.baseline) {
            expectedDiffers = expectedDiffers ||
                              firstExpected.baseline->buffers[i].bytes != secondExpected.baseline->buffers[i].bytes;
            continue;
        }
        const auto one = std::ranges::find(firstExpected.reference, buffer.name, &kernel::ReferenceOutput::argument);
        const auto other = std::ranges::find(secondExpected.reference, buffer.name, &kernel::ReferenceOutput::argument);
        if (one != firstExpected.reference.end() && other != secondExpected.reference.end())
            expectedDiffers = expectedDiffers || one->reals != other->reals || one->bits != other->bits;
    }
    if (!any || !expectedDiffers) return std::nullopt;
    Finding finding = elementFinding(FindingKind::mismatch, "input_dependence", *any, 0);
    finding.message = fmt::format("{} is the same to the bit for two sets of inputs whose answers differ", any->name);
    finding.hint = "it answers with a constant, or with what was there before";
    return finding;
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

namespace {

/// The spec's own `compare` decides.
OutputJudgement judgeByHost(const Context& context, const kernel::LaunchData& data, const LaunchOutcome& outcome,
                            const OracleRun& expected, bool fromBaseline, OutputJudgement judgement) {
    const auto program = hostProgram(context, kernel::HostRole::compare);
    if (!program) {
        judgement.doubt = program.error().message;
        return judgement;
    }
    std::vector<kernel::ReferenceOutput> outputs = expected.reference;
    if (fromBaseline) {
        outputs.clear();
        for (std::size_t i = 0; i < data.buffers.size(); ++i) {
            const Buffer& buffer = data.buffers[i];
            const auto& bytes = expected.baseline->buffers[i].bytes;
            if (!isOutput(buffer)) continue;
            kernel::ReferenceOutput& output = outputs.emplace_back();
            output.argument = buffer.name;
            if (kernel::isFloat(buffer.type))
                output.reals = realsOf(buffer, bytes);
            else
                output.bits = bytes;
        }
    }
    std::vector<std::vector<std::uint8_t>> got;
    for (std::size_t i = 0; i < data.buffers.size(); ++i) {
        const Buffer& buffer = data.buffers[i];
        got.push_back(outcome.buffers[i].bytes);
        const auto& written = outcome.buffers[i].written;
        const auto hole = std::ranges::find(written, std::uint8_t{0});
        if (hole == written.end()) continue;
        Finding finding = elementFinding(FindingKind::outputNotWritten, "written", buffer,
                                         static_cast<std::uint64_t>(hole - written.begin()));
        finding.message = fmt::format("{} was never written", elementName(finding));
        judgement.findings.push_back(std::move(finding));
    }
    const auto equal =
        kernel::runCompare(*program, context.input.kernel, data, got, outputs, referenceOptions(context), context.stop);
    judgement.wasCompared = equal.has_value();
    if (!equal) {
        judgement.doubt = equal.error().message;
    } else if (!*equal) {
        Finding& finding = judgement.findings.emplace_back();
        finding.kind = FindingKind::mismatch;
        finding.check = "compare";
        finding.message =
            fmt::format("{} of {} says that the outputs are not those of the {}", context.spec().compare->function,
                        context.spec().compare->file, fromBaseline ? "baseline" : "reference");
    }
    return judgement;
}

} // namespace

OutputJudgement judgeOutputs(const Context& context, const kernel::LaunchData& data, const LaunchOutcome& outcome,
                             const Oracle& oracle, const OracleRun& expected, bool isBaseline, WrongElements* wrong) {
    OutputJudgement judgement;
    if (wrong) wrong->assign(data.buffers.size(), {});
    judgement.findings = judgeMemory(data, outcome);
    const bool fromBaseline = oracle.kind() == Oracle::Kind::baseline;
    if (data.isEmpty() || !expected.problem.empty() || oracle.kind() == Oracle::Kind::none ||
        (fromBaseline && (isBaseline || !expected.baseline)))
        return judgement;
    if (context.spec().compare)
        return judgeByHost(context, data, outcome, expected, fromBaseline, std::move(judgement));
    for (std::size_t i = 0; i < data.buffers.size(); ++i) {
        const Buffer& buffer = data.buffers[i];
        if (!isOutput(buffer) || buffer.elementCount == 0) continue;
        // Two outputs in one place cannot both be right: what lies there was written by the other one.
        if (!buffer.sharesWith && isShared(data, i)) continue;
        kernel::Comparison comparison;
        comparison.buffer = &buffer;
        comparison.candidate = outcome.buffers[i].bytes;
        comparison.written = outcome.buffers[i].written;
        comparison.tolerance = toleranceOf(context.spec(), buffer);
        comparison.reduction = reductionOf(context, data);
        comparison.accumulator = context.spec().work.accumulator;
        if (wrong) comparison.wrong = &(*wrong)[i];
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
        finding->hint =
            "look for a race, or for atomics on floating-point values, whose order is free: where those are "
            "wanted, the spec says `\"deterministic\": false`";
        findings.push_back(std::move(*finding));
    }
    return findings;
}

} // namespace ptxwb::verify

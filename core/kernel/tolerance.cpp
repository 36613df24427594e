#include "kernel/tolerance.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace ptxwb::kernel {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string place(const Buffer& buffer, std::uint64_t element) {
    return fmt::format("{}[{}]", buffer.name, fmt::join(elementIndex(buffer, element), ", "));
}

Finding findingAt(FindingKind kind, const Buffer& buffer, std::uint64_t element, std::uint64_t occurrences) {
    Finding finding;
    finding.kind = kind;
    finding.check = "elements";
    finding.argument = buffer.name;
    finding.index = elementIndex(buffer, element);
    finding.occurrences = occurrences;
    return finding;
}

std::string ofAll(std::uint64_t count, std::uint64_t all) {
    return fmt::format("{} of {} element{}", count, all, all == 1 ? "" : "s");
}

/// First element of a kind and how many there are.
struct Tally {
    std::uint64_t first = 0, count = 0;
    void add(std::uint64_t element) {
        if (count++ == 0) first = element;
    }
};

void reportUnwritten(const Comparison& c, const Tally& tally, Judgement& judgement) {
    if (tally.count == 0) return;
    auto finding = findingAt(FindingKind::outputNotWritten, *c.buffer, tally.first, tally.count);
    finding.check = "written";
    finding.message = fmt::format("{} was never written ({} not)", place(*c.buffer, tally.first),
                                  ofAll(tally.count, c.buffer->elementCount));
    finding.hint = "check the bound that guards the store, and the grid";
    judgement.findings.push_back(std::move(finding));
}

void noteWrong(const Comparison& c, std::uint64_t element) {
    if (c.wrong) (*c.wrong)[element] = 1;
}

bool isWritten(const Comparison& c, std::uint64_t element) {
    return c.written.empty() || c.written[element] != 0;
}

// Integers and bit types

std::string shown(ElementType type, std::uint64_t bits) {
    if (isSigned(type)) {
        const int unused = 64 - 8 * static_cast<int>(sizeOf(type));
        return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
    }
    if (name(type).starts_with('b')) return fmt::format("0x{:0{}x}", bits, 2 * sizeOf(type));
    return std::to_string(bits);
}

Judgement judgeExactBits(const Comparison& c) {
    Judgement judgement;
    const auto& buffer = *c.buffer;
    Tally unwritten, wrong;
    for (std::uint64_t i = 0; i < buffer.elementCount; ++i) {
        const auto offset = elementOffset(buffer, i);
        const bool written = isWritten(c, i);
        if (written && loadBits(buffer.type, c.candidate, offset) == loadBits(buffer.type, c.referenceBits, offset))
            continue;
        (written ? wrong : unwritten).add(i);
        noteWrong(c, i);
    }
    reportUnwritten(c, unwritten, judgement);
    judgement.wrongElements = unwritten.count + wrong.count;
    if (judgement.wrongElements) judgement.call = Judgement::Call::wrong;
    if (wrong.count == 0) return judgement;
    const auto offset = elementOffset(buffer, wrong.first);
    const auto got = loadBits(buffer.type, c.candidate, offset),
               expected = loadBits(buffer.type, c.referenceBits, offset);
    auto finding = findingAt(FindingKind::mismatch, buffer, wrong.first, wrong.count);
    finding.got = asDouble(buffer.type, got);
    finding.expected = asDouble(buffer.type, expected);
    finding.allowed = 0;
    finding.message = fmt::format("{}: got {}, expected {}; {} must be exact ({} wrong)", place(buffer, wrong.first),
                                  shown(buffer.type, got), shown(buffer.type, expected), name(buffer.type),
                                  ofAll(wrong.count, buffer.elementCount));
    judgement.findings.push_back(std::move(finding));
    return judgement;
}

// Floating-point types

enum class Special : std::uint8_t {
    none,  ///< two finite numbers: their distance decides
    right, ///< NaN or an infinity where it belongs
    wrong,
};

class RealComparison {
public:
    explicit RealComparison(const Comparison& c)
        : m_c(c), m_buffer(*c.buffer), m_largest(largestFinite(m_buffer.type)) {
        const auto counts = [this](std::uint64_t i) { return std::abs(reference(i)) <= m_largest; }; // NaN does not
        std::uint64_t count = 0;
        for (std::uint64_t i = 0; i < m_buffer.elementCount; ++i) count += counts(i);
        // Divided before they are added: a sum of numbers near the largest double would be infinite and allow
        // everything.
        for (std::uint64_t i = 0; i < m_buffer.elementCount; ++i)
            if (counts(i)) m_mean += std::abs(reference(i)) / static_cast<double>(count);
    }

    Judgement judge() {
        measureBaseline();
        Judgement judgement;
        judgement.baselineError = m_baselineError;
        judgement.allowed = allowed();
        Tally unwritten, nonfinite, wrong;
        std::uint64_t worst = 0;
        double worstError = -1;
        for (std::uint64_t i = 0; i < m_buffer.elementCount; ++i) {
            if (!isWritten(m_c, i)) {
                unwritten.add(i);
                noteWrong(m_c, i);
                continue;
            }
            const double got = value(m_c.candidate, i), expected = reference(i);
            const auto special = specialCase(got, expected);
            if (special == Special::right) continue;
            if (special == Special::wrong && !std::isfinite(got) && !std::isnan(expected)) {
                nonfinite.add(i);
                noteWrong(m_c, i);
                continue;
            }
            const double error = special == Special::wrong ? infinity : measured(got, expected);
            if (error > judgement.allowed && isRounded(got, expected)) continue;
            judgement.error = std::max(judgement.error, error);
            if (error <= judgement.allowed) continue;
            wrong.add(i);
            noteWrong(m_c, i);
            if (error > worstError) {
                worstError = error;
                worst = i;
            }
        }
        reportUnwritten(m_c, unwritten, judgement);
        reportNonfinite(nonfinite, judgement);
        reportWrong(wrong, worst, judgement);
        judgement.wrongElements = unwritten.count + nonfinite.count + wrong.count;
        conclude(unwritten.count, judgement);
        if (judgement.findings.size() > m_c.findingLimit) judgement.findings.resize(m_c.findingLimit);
        return judgement;
    }

private:
    double reference(std::uint64_t element) const { return m_c.referenceReals[elementOffset(m_buffer, element)]; }
    double value(std::span<const std::uint8_t> bytes, std::uint64_t element) const {
        return decodeFloat(m_buffer.type, loadBits(m_buffer.type, bytes, elementOffset(m_buffer, element)));
    }
    ToleranceRule rule() const { return m_c.tolerance.rule; }

    Special specialCase(double got, double expected) const {
        if (std::isnan(expected)) return std::isnan(got) ? Special::right : Special::wrong;
        const bool beyond = std::abs(expected) > m_largest;
        if (m_buffer.type == ElementType::e4m3 && beyond) {
            if (std::isnan(got)) return Special::right;
            return std::abs(got) == m_largest && std::signbit(got) == std::signbit(expected) ? Special::right
                                                                                             : Special::wrong;
        }
        if (std::isfinite(got) && std::isfinite(expected)) return Special::none;
        return beyond && std::isinf(got) && std::signbit(got) == std::signbit(expected) ? Special::right
                                                                                        : Special::wrong;
    }

    bool isRounded(double got, double expected) const {
        return decodeFloat(m_buffer.type, encodeFloat(m_buffer.type, expected)) == got;
    }

    /// Distance of two finite numbers in the measure of the rule; 1 and less is right where the rule has its own bound.
    double measured(double got, double expected) const {
        const double distance = std::abs(got - expected);
        if (distance == 0) return 0;
        const double scale = bound(expected);
        return scale == 0 ? infinity : distance / scale;
    }

    double bound(double expected) const {
        switch (rule()) {
        case ToleranceRule::automatic: return std::max(std::abs(expected), m_mean);
        case ToleranceRule::absoluteRelative:
            return m_c.tolerance.absolute + m_c.tolerance.relative * std::abs(expected);
        case ToleranceRule::ulp: return static_cast<double>(m_c.tolerance.ulp) * spacingAt(m_buffer.type, expected);
        case ToleranceRule::exact: return 0;
        }
        return 0;
    }

    void measureBaseline() {
        if (rule() != ToleranceRule::automatic) return;
        m_baselineError = m_c.baselineError;
        if (m_c.baseline.empty()) return;
        double largest = 0;
        for (std::uint64_t i = 0; i < m_buffer.elementCount; ++i) {
            const double got = value(m_c.baseline, i), expected = reference(i);
            switch (specialCase(got, expected)) {
            case Special::right: break;
            case Special::wrong: largest = infinity; break;
            case Special::none: largest = std::max(largest, measured(got, expected)); break;
            }
        }
        m_baselineError = largest;
    }

    double accumulatorRoundoff() const {
        if (m_c.accumulator) return unitRoundoff(*m_c.accumulator);
        return unitRoundoff(m_buffer.type == ElementType::f64 ? ElementType::f64 : ElementType::f32);
    }

    double allowed() const {
        switch (rule()) {
        case ToleranceRule::automatic: {
            const double rounding =
                2 * unitRoundoff(m_buffer.type) + 8 * accumulatorRoundoff() * std::sqrt(std::max(m_c.reduction, 0.0));
            return m_c.allowedFactor * std::max(4 * baselineError(), rounding);
        }
        case ToleranceRule::absoluteRelative:
        case ToleranceRule::ulp: return m_c.allowedFactor;
        case ToleranceRule::exact: return 0;
        }
        return 0;
    }

    /// An infinite e0 would allow everything; such a baseline is in doubt anyway.
    double baselineError() const { return m_baselineError && std::isfinite(*m_baselineError) ? *m_baselineError : 0; }

    std::string figures(double error, double allowedError) const {
        switch (rule()) {
        case ToleranceRule::automatic:
            return fmt::format("relative error {:.3g}, allowed {:.3g}{}", error, allowedError,
                               m_baselineError ? fmt::format(", e0 {:.3g} (the baseline's)", *m_baselineError)
                                               : std::string(", no baseline to compare with"));
        case ToleranceRule::absoluteRelative:
            return fmt::format("{:.3g} times the allowed {:.3g} + {:.3g} |expected|", error, m_c.tolerance.absolute,
                               m_c.tolerance.relative);
        case ToleranceRule::ulp:
            return fmt::format("{:.3g} ulp, allowed {}", error * static_cast<double>(m_c.tolerance.ulp),
                               m_c.tolerance.ulp);
        case ToleranceRule::exact: return "must be the exact value";
        }
        return {};
    }

    Finding valueFinding(FindingKind kind, std::uint64_t element, std::uint64_t count, double allowedError) const {
        auto finding = findingAt(kind, m_buffer, element, count);
        finding.got = value(m_c.candidate, element);
        finding.expected = reference(element);
        const double scale = bound(*finding.expected);
        finding.allowed = std::isfinite(scale) ? allowedError * scale : 0;
        return finding;
    }

    void reportNonfinite(const Tally& tally, Judgement& judgement) const {
        if (tally.count == 0) return;
        auto finding = valueFinding(FindingKind::nonfinite, tally.first, tally.count, judgement.allowed);
        finding.check = "finite";
        finding.message = fmt::format("{}: got {}, expected {:.9g} ({} not finite or infinite with the wrong sign)",
                                      place(m_buffer, tally.first), *finding.got, *finding.expected,
                                      ofAll(tally.count, m_buffer.elementCount));
        judgement.findings.push_back(std::move(finding));
    }

    void reportWrong(const Tally& tally, std::uint64_t worst, Judgement& judgement) const {
        if (tally.count == 0) return;
        const auto add = [&](std::uint64_t element, std::uint64_t count, std::string_view what) {
            auto finding = valueFinding(FindingKind::mismatch, element, count, judgement.allowed);
            const double error = specialCase(*finding.got, *finding.expected) == Special::none
                                     ? measured(*finding.got, *finding.expected)
                                     : infinity;
            finding.message = fmt::format("{}: got {:.9g}, expected {:.9g}; {} ({})", place(m_buffer, element),
                                          *finding.got, *finding.expected, figures(error, judgement.allowed), what);
            judgement.findings.push_back(std::move(finding));
        };
        add(tally.first, tally.count, fmt::format("{} wrong", ofAll(tally.count, m_buffer.elementCount)));
        if (worst != tally.first) add(worst, 1, "the worst of them");
    }

    void conclude(std::uint64_t unwritten, Judgement& judgement) const {
        const double doubtful = std::max(0x1p-6, 2 * unitRoundoff(m_buffer.type));
        const bool inDoubt = m_baselineError && *m_baselineError > doubtful;
        if (judgement.wrongElements) judgement.call = Judgement::Call::wrong;
        // Whether an element was written needs no oracle.
        if (!inDoubt || unwritten) return;
        judgement.call = Judgement::Call::inDoubt;
        judgement.reason = fmt::format(
            "{}: the baseline's own error against the reference is {:.3g}, over {:.3g}: the reference, the spec "
            "or the baseline is wrong",
            m_buffer.name, *m_baselineError, doubtful);
    }

    const Comparison& m_c;
    const Buffer& m_buffer;
    double m_largest;
    double m_mean = 0;
    std::optional<double> m_baselineError;
};

} // namespace

Judgement judge(const Comparison& comparison) {
    if (comparison.wrong) comparison.wrong->assign(comparison.buffer->elementCount, 0);
    if (!isFloat(comparison.buffer->type)) return judgeExactBits(comparison);
    return RealComparison(comparison).judge();
}

} // namespace ptxwb::kernel

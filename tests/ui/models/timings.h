// Results that hold a benchmark, as a worker with a GPU answers. Used by the tests of ui/models and ui/panels.
#pragma once

#include "documents.h"

namespace ptxwb::test {

/// 110 samples at equal distances, in an order that is not sorted.
inline std::vector<double> samplesAround(double middle, double halfWidth) {
    std::vector<double> us;
    for (int i = 0; i < 110; ++i) us.push_back(middle + halfWidth * (2.0 * ((i * 7) % 110) / 109 - 1));
    return us;
}

struct Measured {
    double medianUs = 187, ratio = 1.269, low = 1.2663, high = 1.2713;
    std::string call = "faster";
    std::string device = "NVIDIA H200", size = "n = 67108864";
};

/// With nothing to compare with: as the baseline is measured.
inline verify::VerifyReport measuredAlone(const QString& text, const Measured& measured = {}) {
    verify::VerifyReport made = report(text);
    verify::CandidateResult& result = made.results.front();
    result.device = measured.device;
    for (verify::StageResult& stage : result.stages)
        if (stage.stage >= verify::Stage::function) stage.backend = "gpu";
    result.stages.back().status = verify::Status::pass;
    result.stages.back().reason = "n = 67108864, 110 rounds by CUPTI kernel records";
    verify::Timing timing;
    timing.medianUs = measured.medianUs;
    timing.p10Us = measured.medianUs - 0.8;
    timing.p90Us = measured.medianUs + 0.8;
    timing.hotUs = measured.medianUs - 1.5;
    timing.graphUs = measured.medianUs - 2;
    timing.method = "CUPTI kernel records";
    timing.clockMhz = 1980;
    timing.discarded = 3;
    timing.size = measured.size;
    timing.samplesUs = samplesAround(measured.medianUs, 1);
    timing.roofline = verify::Roofline{18100 / measured.medianUs, 1.1, "f32"};
    result.timing = timing;
    return made;
}

inline verify::VerifyReport measuredAgainstBaseline(const QString& text, const Measured& measured = {}) {
    verify::VerifyReport made = measuredAlone(text, measured);
    const double baselineUs = measured.medianUs * measured.ratio;
    made.results.front().speedup = verify::Speedup{measured.ratio,
                                                   measured.low,
                                                   measured.high,
                                                   measured.call,
                                                   "baseline",
                                                   baselineUs,
                                                   samplesAround(baselineUs, 2)};
    return made;
}

/// The benchmark's status and why; no time.
inline verify::VerifyReport notMeasured(const QString& text, verify::Status status, const std::string& reason) {
    verify::VerifyReport made = report(text);
    made.results.front().stages.back().status = status;
    made.results.front().stages.back().reason = reason;
    return made;
}

} // namespace ptxwb::test

#include "verify/last_writers.h"

#include "verify/findings.h"

#include <algorithm>

namespace ptxwb::verify {

namespace {

/// The element that a finding names; nullopt where it names none, or has its line already.
std::optional<BufferElement> elementOf(const Finding& finding, const kernel::LaunchData& data) {
    const auto buffer = std::ranges::find(data.buffers, finding.argument, &kernel::Buffer::name);
    if (finding.line || buffer == data.buffers.end() || finding.index.size() != buffer->shape.size())
        return std::nullopt;
    std::uint64_t element = 0; // row-major, as elementIndex has it
    for (std::size_t i = 0; i < finding.index.size(); ++i) element = element * buffer->shape[i] + finding.index[i];
    if (element >= buffer->elementCount) return std::nullopt;
    return BufferElement{static_cast<std::size_t>(buffer - data.buffers.begin()), element};
}

} // namespace

void addLastWriters(std::vector<Finding>& findings, const PtxKernel& kernel, const kernel::LaunchData& data,
                    ExecuteOptions options, std::stop_token stop) {
    std::vector<Finding*> asked;
    options.watched.clear();
    for (Finding& finding : findings) {
        const auto element = elementOf(finding, data);
        if (!element) continue;
        asked.push_back(&finding);
        options.watched.push_back(*element);
    }
    if (asked.empty() || data.isEmpty()) return;
    const auto outcome = execute(kernel, data, options, std::move(stop));
    if (!outcome || !outcome->completed()) return;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const std::optional<emulator::Writer>& writer = outcome->lastWriters[i];
        if (!writer) continue;
        asked[i]->line = writer->line;
        asked[i]->column = writer->column;
        asked[i]->length = writer->length;
        asked[i]->block = writer->block;
        asked[i]->thread = writer->thread;
    }
    addCudaPlaces(findings, *kernel.module);
}

} // namespace ptxwb::verify

// Built in place of the driver's part where the CUDA toolkit's headers were not there: everything says so.
#include "gpu/pc_sampler.h"
#include "gpu/peaks.h"
#include "gpu/profiler.h"

namespace ptxwb::gpu {

namespace {

std::unexpected<Diagnostic> leftOut() {
    return failure(Cause::missing, "this program was built without the CUDA toolkit's headers, so it uses no GPU",
                   "build it again where a CUDA toolkit (13.0 or newer) is installed, or use --backend emulator");
}

} // namespace

struct Kernel::State {
    FunctionInfo info;
};
struct Gpu::State {
    Device device;
    std::string timingNote;
};

Expected<std::vector<Device>> devices() {
    return leftOut();
}

Kernel::~Kernel() = default;
const FunctionInfo& Kernel::info() const {
    return m_state->info;
}
Gpu::~Gpu() = default;
Expected<std::unique_ptr<Gpu>> Gpu::open(const Options&) {
    return leftOut();
}
const Device& Gpu::device() const {
    return m_state->device;
}
const std::string& Gpu::timingNote() const {
    return m_state->timingNote;
}
Expected<void> Gpu::launchPlain(const Kernel&, const LaunchRequest&) {
    return leftOut();
}
bool Gpu::isLost() const {
    return false;
}
Expected<std::unique_ptr<Kernel>> Gpu::load(std::string_view, const std::string&) {
    return leftOut();
}
Expected<std::unique_ptr<Kernel>> Gpu::entry(const Kernel&, const std::string&) {
    return leftOut();
}
Expected<std::vector<std::uint8_t>> Gpu::variable(const Kernel&, const std::string&) {
    return leftOut();
}
Expected<LaunchResult> Gpu::launch(const Kernel&, const LaunchRequest&, std::stop_token) {
    return leftOut();
}
Expected<int> Gpu::blocksPerSm(const Kernel&, int, std::size_t) const {
    return leftOut();
}

const std::vector<std::string>& defaultMetrics() {
    static const std::vector<std::string> none;
    return none;
}
Expected<ProfileResult> profile(Gpu&, const BenchSubject&, const std::vector<BenchBuffer>&,
                                const std::vector<std::string>&, std::stop_token) {
    return leftOut();
}
Expected<Peaks> measurePeaks(Gpu&, std::stop_token) {
    return leftOut();
}
Expected<SampleResult> samplePcs(Gpu&, std::string_view, const std::string&, const LaunchRequest&,
                                 const std::vector<BenchBuffer>&, std::stop_token) {
    return leftOut();
}
Expected<BenchResult> benchmark(Gpu&, const BenchSubject&, const BenchSubject&, const std::vector<BenchBuffer>&,
                                const Compare&, const BenchOptions&, std::stop_token) {
    return leftOut();
}

} // namespace ptxwb::gpu

#include "verify/emulated_device.h"
#include "verify/executor.h"
#include "verify/last_writers.h"

namespace ptxwb::verify {

namespace {

class EmulatorExecutor final : public Executor {
public:
    std::string_view backend() const override { return "emulator"; }
    kernel::Symbols builtins() const override { return withDevice({}); }
    Expected<void> prepare(PtxKernel& kernel) override { return decodeEntry(kernel); }
    Expected<LaunchOutcome> run(const PtxKernel& kernel, const kernel::LaunchData& data, const ExecuteOptions& options,
                                std::stop_token stop) override {
        return execute(kernel, data, options, stop);
    }
    void explain(std::vector<Finding>& findings, const PtxKernel& kernel, const kernel::LaunchData& data,
                 const ExecuteOptions& options, std::stop_token stop) override {
        addLastWriters(findings, kernel, data, options, stop);
    }
};

} // namespace

Executor& emulatorExecutor() {
    static EmulatorExecutor emulator;
    return emulator;
}

} // namespace ptxwb::verify

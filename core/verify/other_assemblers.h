// The assemblers beside the one that the figures are of: those of further toolkits, and the driver's own for what ships
// as PTX. It has been seen that one made a right program of a text and another a wrong one.
// Called by the funnel.
#pragma once

#include "verify/dynamic_stages.h"
#include "verify/gpu_executor.h"
#include "verify/static_stages.h"

namespace ptxwb::verify {

/// The toolkits that the plan names. Errors (missing): a folder without a ptxas that runs.
Expected<std::vector<toolchain::Toolkit>> otherToolkits(const Plan& plan, std::stop_token stop);

class OtherAssemblers {
public:
    /// `gpu` is null where none judges; then `noGpu` says why. All outlive this.
    OtherAssemblers(const Context& context, GpuExecutor* gpu, std::string noGpu);
    ~OtherAssemblers();

    /// Each named ptxas takes the text, for every target of the plan: what it refuses fails the stage.
    void assemble(Assembled& to, const PtxKernel& kernel);

    /// `result`'s stage once more under each other assembler whose machine code is another, on the GPU; what differs
    /// fails the stage. Errors as `runStage`.
    Expected<void> runToo(StageResult& result, PtxKernel& kernel, Oracle& oracle, bool isBaseline);

    /// What became of each.
    std::vector<OtherAssembler> take() &&;

private:
    struct Entry;
    Expected<void> runUnder(Entry& entry, StageResult& result, PtxKernel& kernel, Oracle& oracle, bool isBaseline);

    const Context& m_context;
    GpuExecutor* m_gpu;
    std::string m_noGpu;
    std::string m_textSha256; ///< of the machine code that the figures are of
    std::vector<Entry> m_entries;
};

} // namespace ptxwb::verify

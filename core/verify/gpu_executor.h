// Launches on a GPU: the cubin that ptxas or the driver made, exact buffers between guards, two poisons, faults as
// findings. Made by the funnel where the plan wants a GPU and this machine has one; used by the benchmark stage too.
#pragma once

#include "gpu/benchmark.h"
#include "verify/executor.h"

#include <map>

namespace ptxwb::verify {

class GpuExecutor final : public Executor {
public:
    enum class Compiler : std::uint8_t { ptxas, driver };

    /// `gpu` outlives it. `compiler`: who makes the machine code; the driver's own is what a program that ships PTX
    /// gets.
    GpuExecutor(const Context& context, gpu::Gpu& gpu, Compiler compiler = Compiler::ptxas)
        : m_context(context), m_gpu(gpu), m_compiler(compiler) {}
    /// With the ptxas of `toolkit`, which outlives it, in place of the machine's first.
    GpuExecutor(const Context& context, gpu::Gpu& gpu, const toolchain::Toolkit& toolkit)
        : m_context(context), m_gpu(gpu), m_compiler(Compiler::ptxas), m_toolkit(&toolkit) {}

    std::string_view backend() const override { return "gpu"; }
    kernel::Symbols builtins() const override;
    Expected<void> prepare(PtxKernel& kernel) override;
    Expected<LaunchOutcome> run(const PtxKernel& kernel, const kernel::LaunchData& data, const ExecuteOptions& options,
                                std::stop_token stop) override;
    /// Runs the launch on the emulator, where that knows every instruction of the kernel.
    void explain(std::vector<Finding>& findings, const PtxKernel& kernel, const kernel::LaunchData& data,
                 const ExecuteOptions& options, std::stop_token stop) override;
    bool isLost() const override { return m_gpu.isLost(); }

    /// Taken before launches whose results are judged: nobody measures meanwhile.
    Expected<gpu::DeviceLock> launchLock() const;

    /// Only after `prepare`.
    const gpu::Kernel& loaded(const PtxKernel& kernel) const { return *m_kernels.at(&kernel).first; }
    /// Its launches of `data` as the driver takes them, over buffers to come; only after `prepare`.
    gpu::BenchSubject subject(const PtxKernel& kernel, const kernel::LaunchData& data) const;
    const gpu::Device& device() const { return m_gpu.device(); }
    gpu::Gpu& gpu() const { return m_gpu; }

private:
    Expected<std::string> machineCode(const PtxKernel& kernel) const;

    const Context& m_context;
    gpu::Gpu& m_gpu;
    Compiler m_compiler;
    const toolchain::Toolkit* m_toolkit = nullptr; ///< null: the machine's first with a ptxas
    struct Loaded {
        std::unique_ptr<gpu::Kernel> first;
        std::vector<std::unique_ptr<gpu::Kernel>> following; ///< of the same module: they end before it
        VariableContents variables;                          ///< what the module's variables held when it was loaded
    };
    std::map<const PtxKernel*, Loaded> m_kernels;
};

/// The launches of `data` without buffers, as the driver takes them; the kernels of those behind the first are still to
/// be named.
gpu::LaunchRequest launchRequest(const kernel::LaunchData& data);

/// Addresses of other buffers in the content of one, as the driver takes them.
std::vector<gpu::Patch> pointersOf(const kernel::Buffer& buffer);

/// What the module says it is for, if this device runs it: "sm_90a" on sm_90; else the device's own "sm_90".
std::string archFor(const ptx::Module& module, const gpu::Device& device);

} // namespace ptxwb::verify

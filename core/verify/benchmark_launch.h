// The launch that is timed and profiled: a kernel at the spec's benchmark size, with inputs that are made once.
// Called by the benchmark stage and by the profile job.
#pragma once

#include "gpu/benchmark.h"
#include "verify/gpu_executor.h"

namespace ptxwb::verify {

/// At the last of the spec's benchmark sizes, in the kernel's own shape. Errors: expressions of the spec (badRequest),
/// no benchmark size (missing).
Expected<kernel::LaunchData> benchmarkLaunch(const Context& context, const GpuExecutor& executor,
                                             const PtxKernel& kernel, kernel::Contents contents);

/// The first contents of all buffers, kept in the context's cache for the next candidate.
Expected<std::shared_ptr<const std::vector<kernel::Buffer>>>
benchmarkInputs(const Context& context, const GpuExecutor& executor, const PtxKernel& kernel);

/// As the benchmark takes them; they refer to `contents`.
std::vector<gpu::BenchBuffer> benchmarkBuffers(const kernel::KernelSpec& spec,
                                               const std::vector<kernel::Buffer>& contents);

} // namespace ptxwb::verify

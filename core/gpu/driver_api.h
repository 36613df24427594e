// The CUDA driver as a table of typed functions, found in libcuda.so.1 when it is first asked for.
// Used inside core/gpu only: the one place that includes cuda.h. Nothing links libcuda.
#pragma once

#include "support/diagnostic.h"

#include <cuda.h>

namespace ptxwb::gpu {

struct DriverApi {
#define PTXWB_DRIVER(member, function) decltype(&::function) member = nullptr;
#include "gpu/driver_functions.def"
#undef PTXWB_DRIVER
    int version = 0; ///< CUDA version that the driver serves: 13000 for 13.0
};

/// Opens the driver and calls cuInit, once for the process. Errors (Cause::missing): no driver, one that lacks a
/// function, no device, a device that may not be used; each says what to do.
Expected<const DriverApi*> driver();

/// "cuLaunchKernelEx: CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access was encountered"
std::string describe(const DriverApi& api, CUresult result, std::string_view call);

/// After these the context, or the process, can do no more. Source: the CUDA Driver API's notes on each error.
bool isSticky(CUresult result);

} // namespace ptxwb::gpu

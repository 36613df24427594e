// The CPU reference of a spec: compiled on the host with a generated call, run in a child, its answers as double or
// bits. Called by the funnel inside the worker; nothing of it runs before the person has trusted it (trust.h).
//
// The function has the kernel's parameter list: every floating-point buffer is `double*` (or `const double*`), every
// floating scalar `double`, integers as they are, a struct's fields one after the other in its place, `bytes` a `const
// unsigned char*`, a null pointer any pointer type. Scratch is zeroed or has its fill, padding is part of the buffers.
#pragma once

#include "kernel/layout.h"

#include <chrono>
#include <filesystem>
#include <stop_token>

namespace ptxwb::kernel {

struct ReferenceOptions {
    std::filesystem::path cacheFolder; ///< for executables; empty: `defaultCacheFolder()`
    std::chrono::milliseconds compileDeadline{120'000};
    std::chrono::milliseconds deadline{60'000};               ///< of one call
    std::uint64_t memoryLimitBytes = std::uint64_t{16} << 30; ///< address space of one call
};

/// $XDG_CACHE_HOME/ptxwb, else ~/.cache/ptxwb; empty without either.
std::filesystem::path defaultCacheFolder();

/// "void reference(int n, double a, const double* x, double* y)"
std::string referenceSignature(const KernelSpec& spec);

/// SHA-256 over the native code that the spec brings (reference, inputs, compare) and the files that travel with it:
/// what a person trusts. Empty where there is none.
std::string nativeCodeHash(const Kernel& kernel);

struct CompiledReference {
    std::filesystem::path executable;
    bool fromCache = false;
};

/// Compiles with $CXX, else g++, c++ or clang++ along PATH, at -O2 without fused multiply-add. The executable is kept
/// under the hash of text, files, compiler and flags. Errors: no host compiler (missing), the spec's reference is not
/// host C++ (badRequest, kind "unsupported"), compiler messages (rejected) with file, line and column in the reference;
/// parameters that do not fit point to the function and have the signature as hint.
Expected<CompiledReference> compileReference(const Kernel& kernel, const ReferenceOptions& options = {},
                                             std::stop_token stop = {});

/// One out or inout buffer after the call, laid out as the buffer.
struct ReferenceOutput {
    std::string argument;
    std::vector<double> reals;      ///< floating-point types
    std::vector<std::uint8_t> bits; ///< the others, little-endian, of their own size
};

/// Runs the reference on the first content of `launch`'s buffers. Errors (rejected): it crashed, ended by itself, ran
/// out of time or memory, wrote behind a buffer, left an output element unwritten (floating-point types).
/// Cause::cancelled on stop.
Expected<std::vector<ReferenceOutput>> runReference(const CompiledReference& reference, const Kernel& kernel,
                                                    const LaunchData& launch, const ReferenceOptions& options = {},
                                                    std::stop_token stop = {});

} // namespace ptxwb::kernel

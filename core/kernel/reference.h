// The CPU reference of a spec: compiled on the host with a generated call, run in a child, its answers as double or
// bits. Called by the funnel inside the worker; nothing of it runs before the person has trusted it (trust.h).
//
// The function has the kernel's parameter list: every floating-point buffer is `double*` (or `const double*`), every
// floating scalar `double`, integers as they are, a struct's fields one after the other in its place, `bytes` a `const
// unsigned char*`, a null pointer any pointer type, a pointer array its buffers one after the other. The spec's globals
// follow the arguments, each a pointer. Scratch is zeroed or has its fill, padding is part of the buffers.
//
// Two more host functions have that list: `inputs`, behind a seed, may change what buffers hold at first; `compare`
// gets every output twice, the kernel's and the expected one, and answers whether they are equal.
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

enum class HostRole : std::uint8_t { reference, inputs, compare };

/// "void reference(int n, double a, const double* x, double* y)",
/// "void inputs(unsigned long long seed, int n, double a, double* x, double* y)",
/// "bool compare(int n, double a, const double* x, const double* y, const double* y_expected)"
std::string hostSignature(const KernelSpec& spec, HostRole role);
std::string referenceSignature(const KernelSpec& spec);

/// SHA-256 over the native code that the spec brings (reference, inputs, compare) and the files that travel with it:
/// what a person trusts. Empty where there is none.
std::string nativeCodeHash(const Kernel& kernel);

struct CompiledReference {
    std::filesystem::path executable;
    std::vector<std::string> arguments = {}; ///< behind it on the command line: of the Python interpreter
    bool fromCache = false;
};

/// Compiles with $CXX, else g++, c++ or clang++ along PATH, at -O2 without fused multiply-add. The executable is kept
/// under the hash of text, files, compiler and flags. Errors: no host compiler (missing), the spec's reference is not
/// host C++ (badRequest, kind "unsupported"), compiler messages (rejected) with file, line and column in the reference;
/// parameters that do not fit point to the function and have the signature as hint.
///
/// For `role` inputs or compare the spec's function of that name is compiled in its place. A reference in Python needs
/// an interpreter (PTXWB_PYTHON, else python3 along PATH); buffers are numpy arrays where it has numpy, memoryviews
/// elsewhere. None, or one without numpy for a file that speaks of numpy or torch: missing.
Expected<CompiledReference> compileReference(const Kernel& kernel, const ReferenceOptions& options = {},
                                             std::stop_token stop = {}, HostRole role = HostRole::reference);

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

/// The contents of all in, inout and scratch buffers of `launch` as the host function `inputs` leaves them; it gets
/// `launch.seed`. Floating-point values are rounded to the buffer's type. Errors as `runReference`.
Expected<void> runInputs(const CompiledReference& inputs, const Kernel& kernel, LaunchData& launch,
                         const ReferenceOptions& options = {}, std::stop_token stop = {});

/// What the host function `compare` says. `got`: bytes of each buffer of `launch` after the launch; `expected`: of
/// every output. Errors as `runReference`.
Expected<bool> runCompare(const CompiledReference& compare, const Kernel& kernel, const LaunchData& launch,
                          std::span<const std::vector<std::uint8_t>> got, std::span<const ReferenceOutput> expected,
                          const ReferenceOptions& options = {}, std::stop_token stop = {});

/// The values of the spec's files of expected values, laid out as the buffers. Errors (badRequest): a file that does
/// not fit the buffer; floating-point values may be of the buffer's type or f64.
Expected<std::vector<ReferenceOutput>> expectedOutputs(const Kernel& kernel, const LaunchData& launch);

} // namespace ptxwb::kernel

// The reference's parameter list and the C++ text that calls it.
// Shared by reference_source.cpp, reference_compile.cpp and reference_run.cpp only.
#pragma once

#include "kernel/reference.h"

namespace ptxwb::kernel {

/// One parameter of the host function.
struct HostParameter {
    enum class Form : std::uint8_t { scalar, buffer, raw, null, seed, verdict } form = Form::scalar;
    std::string name;
    ElementType type = ElementType::s32;
    Access access = Access::in;  ///< buffer
    std::string buffer;          ///< name of the spec's buffer
    std::uint32_t parameter = 0; ///< scalar and raw: index among the kernel's parameters, and where in its bytes
    std::uint32_t offset = 0;
    bool isExpected = false; ///< compare: the expected content of `buffer`, not the kernel's
};
/// For inputs the seed comes first; for compare every output twice, and the verdict at the end, which is no parameter.
std::vector<HostParameter> hostParameters(const KernelSpec& spec, HostRole role = HostRole::reference);

/// File and function of the role.
HostFunction hostFunction(const KernelSpec& spec, HostRole role);

/// Includes the reference's file and defines `extern "C" void call(void**)`. A scalar's argument points to a double or
/// to 64 bits, a buffer's to its data.
std::string callSource(const KernelSpec& spec, HostRole role = HostRole::reference);

/// A Python program that does what `mainSource` does; its arguments are the module's file, the function, and for each
/// argument "double", "s32" and the like, "@" in front for a buffer.
std::string_view pythonSource();
std::vector<std::string> pythonKinds(const KernelSpec& spec);

/// One argument of a call: its bytes, and whether they are wanted back.
struct HostArgument {
    std::string name, bytes;
    bool back = false;
};
/// Runs the program over the arguments. The bytes of those that are wanted back, in order. `what`: how messages call it
/// ("the reference"). Errors: as `runReference`, but for unwritten elements.
Expected<std::vector<std::string>> callHost(const CompiledReference& program, std::span<const HostArgument> arguments,
                                            std::string_view what, const LaunchData& launch,
                                            const ReferenceOptions& options, std::stop_token stop);

/// Reads the request from stdin, calls, answers on stdout; independent of the spec.
/// Request: `requestMagic`, number of arguments; for each its size in bytes, 1 if it is to be sent back, its bytes.
/// Answer: `answerMagic`, status (0, or 1 + index of the argument that was overrun), the bytes to be sent back,
/// `answerMagic`.
std::string_view mainSource();
constexpr std::uint64_t requestMagic = 0x3151455246585450, answerMagic = 0x31534E4146585450;

} // namespace ptxwb::kernel

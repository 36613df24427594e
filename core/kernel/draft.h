// A first spec for a kernel that has none: what its parameters tell, and a note for everything that a person must
// decide. Called by `ptxwb init` and by the window's "New kernel".
#pragma once

#include "kernel/spec.h"

namespace ptxwb::kernel {

struct DraftParameter {
    std::string name;       ///< from the source where known; else the PTX name
    std::string type;       ///< as C++ spells it ("float const*"); empty where unknown
    std::string ptxType;    ///< ".u64" and the like, with or without the dot
    std::uint32_t size = 0; ///< bytes
    std::uint32_t align = 0;
    bool isPointer = false;
    std::uint32_t pointeeAlign = 0; ///< of a `.ptr .align`, 0: not said
    std::string handleOf = {};      ///< "texture" or "surface" where the code uses it as the handle of one
};

struct DraftRequest {
    std::string entry; ///< the symbol
    std::vector<DraftParameter> parameters;
    std::string arch;                          ///< "sm_90", may be empty
    std::array<std::uint32_t, 3> maxThreads{}; ///< .maxntid or .reqntid; zeros where there is none
    std::optional<std::uint32_t> sharedBytes;  ///< dynamic shared memory, where whoever made the PTX says so
    std::array<std::uint32_t, 3> cluster{1, 1, 1};
    std::vector<std::string> notes; ///< more to decide, behind the others
    std::string source, sourceText; ///< CUDA file beside the spec and its content, empty where there is none
    std::string ptx, nvcc;          ///< PTX file beside the spec and what made it, empty where there is none
    bool ownReference = false;      ///< NAME.reference.cpp: the folder's reference.cpp is another kernel's
};

/// What Triton writes beside the PTX in a cache folder (NAME.json), as far as a draft needs it.
struct TritonMetadata {
    std::string entry;
    std::uint32_t warps = 0, warpSize = 32, sharedBytes = 0;
    std::array<std::uint32_t, 3> cluster{1, 1, 1};
};
/// Errors (badRequest) name the key. Keys that are not known are Triton's own business. Source: triton/compiler, the
/// metadata of CompiledKernel.
Expected<TritonMetadata> readTritonMetadata(const std::string& text, const std::string& file);

struct Draft {
    KernelSpec spec;      ///< with `notes`
    std::string specFile; ///< "saxpy.kernel.json"
    std::string specText;
    std::string referenceText; ///< of the spec's reference; an #error until somebody writes the body
};

/// The spec loads; the reference does not compile. Fields that were not known have a harmless value and a note
/// "<argument>: decide ...".
Draft draftSpec(const DraftRequest& request);

/// `_Z5scalePfif` -> `scale(float*, int, float)`; a symbol that is no mangled name as it is.
std::string demangle(const std::string& symbol);

/// The parameter types of a demangled function, "float const*, int" split at the outer commas; empty without a list.
std::vector<std::string> parameterTypes(std::string_view demangled);

struct SourceParameter {
    std::string type, name;
};
/// The parameters of the definition or declaration of `function` marked __global__ in CUDA text; nullopt where there is
/// none, more than one that differ, or one that this simple reading does not understand.
std::optional<std::vector<SourceParameter>> sourceParameters(std::string_view text, std::string_view function);

} // namespace ptxwb::kernel

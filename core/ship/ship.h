// What production needs of a candidate: the cubin with a C header, or a program that launches and checks it without us.
// Called by `ptxwb export` and the window's export.
#pragma once

#include "kernel/spec.h"

namespace ptxwb::ship {

enum class As : std::uint8_t {
    cubin,   ///< NAME.cubin and NAME.h
    header,  ///< NAME.h with the cubin inside
    harness, ///< NAME.cubin, NAME.h and a program that loads, launches and checks
};
std::optional<As> as(std::string_view name);

/// A candidate, assembled.
struct Shipment {
    const kernel::Kernel* kernel = nullptr;
    std::string candidate; ///< its name
    std::string ptx;
    std::string entry;       ///< its symbol in the cubin
    std::string arch, ptxas; ///< "sm_90", version "13.0.88"
    std::vector<std::string> flags;
    std::uint32_t registers = 0, staticSharedBytes = 0;
    std::string cubin;         ///< bytes
    std::string baselineCubin; ///< for the harness: its error is the measure of the tolerance; empty: none
    std::string program;       ///< version of this program
};

struct File {
    std::string name, content; ///< a name without folders, but for the spec's own files
};

/// The files of an export, the main one first. Errors (badRequest, kind "unsupported") say what of the spec this form
/// cannot express; rejected: the candidate's `//@` lines, or a cubin without code.
Expected<std::vector<File>> ship(const Shipment& shipment, As form);

} // namespace ptxwb::ship

// Turning what other parts say into findings: diagnostics with places, and PTX lines into CUDA lines.
// Called by the stages of the funnel.
#pragma once

#include "ptx/module.h"
#include "support/finding.h"

namespace ptxwb::verify {

/// Sets line, column and length from a span of the module's text.
void place(Finding& finding, const ptx::Module& module, ptx::Span span);

/// A diagnostic of the parser, of ptxas or of the spec's expressions as a finding of `kind`, unless it names its own.
Finding findingFrom(const Diagnostic& diagnostic, FindingKind kind, std::string check);

/// Where the `.loc` in force at a PTX line points; empty for a line without instructions or without one.
std::optional<CudaPlace> cudaPlaceOf(const ptx::Module& module, std::uint32_t line);

/// Sets `cuda` of each finding with a PTX line where a `.loc` covers that line.
void addCudaPlaces(std::vector<Finding>& findings, const ptx::Module& module);

} // namespace ptxwb::verify

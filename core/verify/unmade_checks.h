// Why checks of function and stress were not made, where nothing else has said so.
// Called by these stages when they end.
#pragma once

#include "verify/check_ledger.h"
#include "verify/oracle.h"

namespace ptxwb::verify {

/// `againstItself`: the baseline is judged, and it is the only oracle.
void sayWhyNotMade(CheckLedger& ledger, const kernel::KernelSpec& spec, Stage stage, Oracle::Kind oracle,
                   bool againstItself);

} // namespace ptxwb::verify

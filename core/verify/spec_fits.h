// Whether a spec's arguments are the parameters that its own baseline takes: where they are not, it is the spec that is
// wrong, and no candidate. Called by the funnel before it judges anything.
#pragma once

#include "verify/context.h"

namespace ptxwb::verify {

/// Errors (badRequest) name the field, what the baseline has, and an example: an entry that is not there, arguments of
/// another number, size or order, a block that the entry does not allow, variables that the module does not have.
/// Nothing is said of a baseline that does not parse.
Expected<void> specFitsBaseline(const Context& context, const PtxKernel& baseline);

} // namespace ptxwb::verify

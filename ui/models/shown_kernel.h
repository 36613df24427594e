// The kernel of a session with the baseline that is shown: it may have been compiled after its file was recorded.
// What is judged, timed, asked about and exported is that one. Used by Document, the Model panel and Exporting.
#pragma once

#include "session/session.h"

namespace ptxwb::ui {

inline kernel::Kernel shownKernel(const session::Session& session) {
    kernel::Kernel kernel = session.kernel;
    if (const auto& recorded = kernel.spec.baseline; recorded && !session.baseline.text.empty())
        kernel.files[recorded->ptx] = session.baseline.text;
    return kernel;
}

} // namespace ptxwb::ui

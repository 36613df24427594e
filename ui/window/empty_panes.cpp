#include "window/empty_panes.h"

#include "editors/comparison_view.h"
#include "models/document.h"
#include "window/actions.h"
#include "window/baseline_compiling.h"

namespace ptxwb::ui {

void showWhyEmpty(ComparisonView& view, const Document& document, const BaselineCompiling& compiling,
                  const Actions& actions) {
    const session::Session& session = document.session();
    view.source().setEmptyText(session.baseline.text.empty() && session.candidates.empty()
                                   ? CodePane::tr("Open a kernel: CUDA source, PTX, a spec or a session.")
                                   : CodePane::tr("This kernel came without its CUDA source."),
                               actions.open);
    if (compiling.isRunning())
        view.baseline().setEmptyText(CodePane::tr("Compiling with nvcc…"));
    else if (!session.hasKernel() && !session.source.empty())
        view.baseline().setEmptyText(CodePane::tr("There is no kernel spec yet. It says with which arguments and sizes "
                                                  "the kernel runs; one can be drafted from the source."),
                                     actions.draft);
    else
        view.baseline().setEmptyText(compiling.problem().isEmpty() ? CodePane::tr("There is no baseline yet.")
                                                                   : compiling.problem(),
                                     actions.compile);
    if (document.current() == Document::baselineId())
        view.candidate().setEmptyText(CodePane::tr("The baseline itself is chosen. A candidate is a copy of it to "
                                                   "change, or PTX from elsewhere."),
                                      actions.create);
    else if (session.candidates.empty())
        view.candidate().setEmptyText(CodePane::tr("There is no candidate yet."), actions.create);
    else
        view.candidate().setEmptyText(CodePane::tr("This candidate is empty: write PTX here, or paste it."));
}

} // namespace ptxwb::ui

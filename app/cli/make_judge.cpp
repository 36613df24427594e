#include "make_judge.h"

#include "command.h"

namespace ptxwb::cli {

std::unique_ptr<KernelJudge> makeJudge(const kernel::Kernel& kernel, std::unique_ptr<worker::WorkerClient> client,
                                       verify::Plan plan) {
    proposals::JudgeCallbacks callbacks;
    callbacks.onNote = [](const std::string& message) {
        Diagnostic diagnostic = failure(Cause::badRequest, message).error();
        diagnostic.severity = Severity::note;
        printDiagnostic(diagnostic);
    };
    return std::make_unique<KernelJudge>(kernel, std::move(client), std::move(plan), std::move(callbacks));
}

} // namespace ptxwb::cli

#include "jobs/baseline_compiler.h"

#include "jobs/worker_call.h"
#include "support/finding_json.h"
#include "support/json.h"
#include "worker/requests.h"

#include <nlohmann/json.hpp>

namespace ptxwb::ui {

namespace {

constexpr std::chrono::minutes deadline{5};

/// Of the one target that was asked for.
Expected<std::string> readAnswer(const nlohmann::json& answer, std::vector<Diagnostic>& messages) {
    const auto results = JsonReader(answer).elements("results");
    if (!results) return std::unexpected(results.error());
    if (results->size() != 1)
        return failure(Cause::internal, "the worker's answer holds no result for the target",
                       "use the same version of ptxwb on both sides");
    const JsonReader& result = results->front();
    const auto diagnostics = result.elementsOr("diagnostics");
    if (!diagnostics) return std::unexpected(diagnostics.error());
    for (const JsonReader& each : *diagnostics) {
        auto message = diagnosticFromJson(each.value());
        if (!message) return std::unexpected(std::move(message.error()));
        messages.push_back(std::move(*message));
    }
    const auto ok = result.booleanOr("ok", false);
    if (!ok) return std::unexpected(ok.error());
    if (!*ok) return failure(Cause::rejected, "nvcc refuses the CUDA source", "mend the source, then compile again");
    return result.text("ptx");
}

} // namespace

BaselineCompiler::BaselineCompiler(QObject* parent) : QObject(parent) {}

BaselineCompiler::Answer BaselineCompiler::compile(const kernel::Kernel& kernel, const std::string& architecture,
                                                   const std::string& commandLine, std::stop_token stop) {
    Answer answer;
    worker::CompileRequest request{kernel, {}};
    if (!architecture.empty()) request.architectures = {architecture};
    const auto reply = callWorker(commandLine, worker::Job::compile, worker::toJson(request), stop, deadline);
    if (!reply) {
        answer.error = reply.error();
        return answer;
    }
    auto ptx = readAnswer(*reply, answer.messages);
    if (ptx)
        answer.ptx = QString::fromStdString(*ptx);
    else
        answer.error = std::move(ptx.error());
    return answer;
}

void BaselineCompiler::start(const kernel::Kernel& kernel, const QString& architecture, const QString& commandLine) {
    m_job.start([kernel, architecture = architecture.toStdString(), line = commandLine.toStdString()](
                    std::stop_token stop) { return compile(kernel, architecture, line, stop); },
                [this](const Answer& answer) {
                    if (answer.error)
                        emit failed(QString::fromStdString(answer.error->message),
                                    QString::fromStdString(answer.error->hint), answer.messages);
                    else
                        emit compiled(answer.ptx, answer.messages);
                });
}

void BaselineCompiler::cancel() {
    m_job.cancel();
}

} // namespace ptxwb::ui

#include "jobs/sass_job.h"

#include "jobs/worker_call.h"
#include "support/json_fields.h"
#include "worker/requests.h"

#include <nlohmann/json.hpp>

namespace ptxwb::ui {

namespace {

constexpr std::chrono::minutes deadline{2};

Expected<SassLine> lineFrom(const JsonReader& reader) {
    SassLine line;
    std::uint32_t ptxLine = 0;
    JsonFields fields(reader);
    fields.read("offset", line.offset);
    fields.read("text", line.text);
    fields.read("label", line.label);
    fields.read("line", ptxLine);
    line.line = static_cast<int>(ptxLine);
    return fields.result(std::move(line));
}

Expected<SassFunctionText> functionFrom(const JsonReader& reader) {
    SassFunctionText function;
    std::string name;
    JsonFields fields(reader);
    fields.read("name", name);
    fields.readList("instructions", function.lines, lineFrom);
    function.name = QString::fromStdString(name);
    return fields.result(std::move(function));
}

Expected<SassTexts> disassemble(const worker::SassRequest& request, const std::string& commandLine,
                                std::stop_token stop) {
    const auto answer = callWorker(commandLine, worker::Job::sass, worker::toJson(request), stop, deadline);
    if (!answer) return std::unexpected(answer.error());
    SassTexts texts;
    JsonFields fields((JsonReader(*answer)));
    fields.readList("functions", texts.candidate, functionFrom);
    if (const auto against = fields.reader().find("against")) {
        JsonFields other(*against);
        other.readList("functions", texts.baseline, functionFrom);
        if (auto read = other.result(true); !read) return std::unexpected(std::move(read.error()));
    }
    return fields.result(std::move(texts));
}

} // namespace

void SassJob::start(const QString& baseline, const QString& candidate, const QString& architecture,
                    const QString& commandLine) {
    worker::SassRequest request{{"candidate.ptx", candidate.toStdString(), {}}, {}, architecture.toStdString()};
    if (!baseline.isEmpty()) request.against = worker::SassInput{"baseline.ptx", baseline.toStdString(), {}};
    m_job.start([request = std::move(request),
                 line = commandLine.toStdString()](std::stop_token stop) { return disassemble(request, line, stop); },
                [this](const Expected<SassTexts>& texts) {
                    if (texts)
                        emit disassembled(*texts);
                    else
                        emit failed(QString::fromStdString(texts.error().message),
                                    QString::fromStdString(texts.error().hint));
                });
}

} // namespace ptxwb::ui

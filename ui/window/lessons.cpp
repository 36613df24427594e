#include "window/lessons.h"

#include "jobs/verify_runner.h"
#include "jobs/worker_call.h"
#include "models/document.h"
#include "window/session_files.h"
#include "worker/requests.h"

#include <nlohmann/json.hpp>

namespace ptxwb::ui {

namespace {

lesson::Verify verifierOf(std::string commandLine) {
    return [commandLine = std::move(commandLine)](const verify::VerifyInput& input, std::chrono::milliseconds deadline,
                                                  std::stop_token stop) -> Expected<verify::VerifyReport> {
        const auto answer = callWorker(commandLine, worker::Job::verify, worker::toJson(input), stop, deadline);
        if (!answer) return std::unexpected(answer.error());
        return verify::verifyReportFromJson(*answer);
    };
}

} // namespace

Lessons::Lessons(Document* document, SessionFiles* files, VerifyRunner* runner, QObject* parent)
    : QObject(parent), m_document(document), m_files(files), m_runner(runner), m_panel(new LessonPanel) {
    std::vector<Diagnostic> problems;
    std::vector<std::shared_ptr<const lesson::Lesson>> lessons;
    for (lesson::Lesson& one : lesson::loadLessons(lesson::lessonsFolder(), &problems))
        lessons.push_back(std::make_shared<const lesson::Lesson>(std::move(one)));
    QStringList lines;
    for (const Diagnostic& problem : problems) lines += QString::fromStdString(problem.message);
    m_panel->setLessons(std::move(lessons), lines.join(QLatin1Char('\n')));
    connect(m_panel, &LessonPanel::startWanted, this, &Lessons::start);
    connect(m_panel, &LessonPanel::checkWanted, this, &Lessons::check);
    connect(m_panel, &LessonPanel::lineWanted, this, &Lessons::lineWanted);
    connect(files, &SessionFiles::opened, this, &Lessons::opened);
    connect(files, &SessionFiles::failedToOpen, this, [this] { m_opening.reset(); });
    connect(document, &Document::textChanged, m_panel, &LessonPanel::clearJudgement);
}

void Lessons::start(std::shared_ptr<const lesson::Lesson> wanted) {
    m_job.cancel();
    if (!wanted->kernel) {
        m_panel->setOpened(std::move(wanted));
        emit started();
        return;
    }
    m_opening = std::move(wanted);
    m_files->open(QString::fromStdString(m_opening->folder.string()));
}

/// Any opening; the lesson's own gets its candidate, another one ends the lesson.
void Lessons::opened() {
    const auto lesson = std::move(m_opening);
    m_opening.reset();
    if (!lesson) {
        if (m_panel->opened() && m_panel->opened()->kernel) m_panel->setOpened(nullptr);
        return;
    }
    m_document->importCandidate(tr("my version"), QString::fromStdString(lesson->start), {});
    m_panel->setOpened(lesson);
    if (!lesson->counts.empty()) emit countsWanted(QString::fromStdString(lesson->counts));
    emit started();
}

void Lessons::check() {
    const auto lesson = m_panel->opened();
    if (!lesson) return;
    if (flush) flush();
    const std::string submission =
        lesson->kernel ? m_document->text(m_document->current()).toStdString() : m_panel->answers();
    m_panel->setBusy(true);
    m_job.start([lesson, submission, verify = verifierOf(m_runner->effectiveCommandLine().toStdString())](
                    std::stop_token stop) { return lesson::judge(*lesson, submission, {}, verify, stop); },
                [this, lesson](const Expected<lesson::Judgement>& judgement) {
                    m_panel->setBusy(false);
                    if (m_panel->opened() != lesson) return;
                    if (judgement)
                        m_panel->setJudgement(*judgement);
                    else
                        m_panel->setTrouble(tr("Not checked: %1. %2")
                                                .arg(QString::fromStdString(judgement.error().message),
                                                     QString::fromStdString(judgement.error().hint)));
                });
}

} // namespace ptxwb::ui

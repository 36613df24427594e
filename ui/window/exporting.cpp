#include "window/exporting.h"

#include "dialogs/problem_box.h"
#include "jobs/verify_runner.h"
#include "kernel/spec_save.h"
#include "models/document.h"
#include "models/shown_kernel.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "support/files.h"
#include "window/notice_bar.h"

#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QMenu>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace ptxwb::ui {

namespace {

namespace fs = std::filesystem;

fs::path path(const QString& file) {
    return QFile::encodeName(file).toStdString();
}

QString name(const fs::path& file) {
    return QFile::decodeName(QByteArray::fromStdString(file.string()));
}

/// By the name's ending; HTML where it has another.
std::string reportText(const session::Session& session, const QString& file, const std::string& program) {
    const report::Report made = report::makeReport(session, program);
    if (file.endsWith(QLatin1String(".md"))) return report::toMarkdown(made);
    if (file.endsWith(QLatin1String(".json")))
        return report::toJson(made).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
    return report::toHtml(made);
}

} // namespace

Exporting::Exporting(Document* document, NoticeBar* notices, QWidget* window, std::function<void()> flush)
    : QObject(window), m_document(document), m_notices(notices), m_window(window), m_flush(std::move(flush)) {
    connect(&m_ship, &ToolCall::answered, this, &Exporting::shipped);
    connect(&m_ship, &ToolCall::failed, this, &Exporting::couldNotShip);
}

Exporting::~Exporting() = default;

void Exporting::fillMenu(QMenu* menu) {
    const auto add = [&](const QString& text, const QString& tip, Form form) {
        menu->addAction(text, this, [this, form] { exportCandidate(form); })->setStatusTip(tip);
    };
    add(tr("&Cubin and header…"),
        tr("The current candidate's machine code, with a C header that says how to launch it"), Form::cubin);
    add(tr("C &header with the cubin inside…"), tr("One header that holds the current candidate's machine code"),
        Form::header);
    add(tr("&Program that checks it…"),
        tr("The current candidate with a program that launches and checks it without this window"), Form::harness);
}

QString Exporting::proposedFolder() const {
    if (!m_document->filePath().isEmpty()) return QFileInfo(m_document->filePath()).path();
    const session::Session& session = m_document->session();
    if (session.place == session::KernelPlace::file) return name(session.specFile.parent_path());
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

void Exporting::exportReport() {
    m_flush();
    const QString proposed = QStringLiteral("%1/%2.html")
                                 .arg(proposedFolder(), QString::fromStdString(session::title(m_document->session())));
    QString filter;
    QString file = QFileDialog::getSaveFileName(m_window, tr("Export report"), proposed,
                                                tr("Web page (*.html);;Markdown (*.md);;JSON (*.json)"), &filter);
    if (file.isEmpty()) return;
    if (QFileInfo(file).suffix().isEmpty())
        file += filter.contains(QLatin1String("*.md"))     ? QLatin1String(".md")
                : filter.contains(QLatin1String("*.json")) ? QLatin1String(".json")
                                                           : QLatin1String(".html");
    emit message(tr("Writing %1…").arg(file));
    m_report.start([session = m_document->session(), file, program = QApplication::applicationVersion().toStdString()](
                       std::stop_token) { return writeFileAtomically(path(file), reportText(session, file, program)); },
                   [this, file](Expected<void> written) {
                       emit message(written ? tr("Exported %1.").arg(file) : QString());
                       if (!written) showProblem(m_window, written.error());
                   });
}

Expected<fs::path> Exporting::writeKernel() {
    const session::Session& session = m_document->session();
    const session::Candidate* candidate = m_document->candidate(m_document->current());
    if (!session.hasKernel() || !candidate)
        return failure(Cause::badRequest, "There is no kernel spec, so nothing says how the candidate is launched.",
                       "Open a spec, or draft one: File, New kernel spec from source.");
    m_folder = std::make_unique<QTemporaryDir>();
    const fs::path folder = path(m_folder->path());
    kernel::KernelSpec spec = session.kernel.spec;
    spec.candidates.clear();
    const auto write = [&folder](const fs::path& file, const std::string& text) -> Expected<void> {
        if (file.is_absolute() || file.lexically_normal().string().starts_with(".."))
            return failure(Cause::badRequest, file.string() + " lies outside of the kernel's folder.",
                           "Put it beside the spec: an export takes the kernel's own files.");
        std::error_code ignored; // then the file cannot be written, and that says why
        fs::create_directories((folder / file).parent_path(), ignored);
        return writeFileAtomically(folder / file, text);
    };
    for (const auto& [file, text] : shownKernel(session).files)
        if (auto done = write(file, text); !done) return std::unexpected(std::move(done.error()));
    if (auto done = write(spec.name + ".kernel.json", kernel::formatJson(kernel::toJson(spec))); !done)
        return std::unexpected(std::move(done.error()));
    const fs::path file = fs::path("exported") / (candidate->name + ".ptx");
    if (auto done = write(file, candidate->text); !done) return std::unexpected(std::move(done.error()));
    return folder / file;
}

void Exporting::exportCandidate(Form form) {
    m_flush();
    const auto candidate = writeKernel();
    if (!candidate) return showProblem(m_window, candidate.error());
    const QString folder = QFileDialog::getExistingDirectory(m_window, tr("Export into this folder"), proposedFolder());
    if (folder.isEmpty()) return;
    const char* const as = form == Form::cubin ? "cubin" : form == Form::header ? "header" : "harness";
    // The file lies here, so the program beside the window does it, wherever the worker is.
    const QStringList program = ToolCall::inPlaceOfWorker(VerifyRunner::defaultCommandLine(), {});
    m_shippedName = QFileInfo(name(*candidate)).completeBaseName();
    m_isShipping = true;
    emit message(tr("Assembling %1…").arg(m_shippedName));
    m_ship.start(program.value(0, QStringLiteral("ptxwb")),
                 {QStringLiteral("export"), m_folder->path(), QStringLiteral("--candidate"), name(*candidate),
                  QStringLiteral("--as"), QLatin1String(as), QStringLiteral("-o"), folder});
}

void Exporting::shipped(const QJsonObject& answer) {
    m_isShipping = false;
    m_folder.reset();
    emit message({});
    QStringList files;
    for (const auto& each : answer.value(QLatin1String("files")).toArray())
        files += each.toObject().value(QLatin1String("file")).toString();
    m_notices->say(tr("Exported %1 for %2 by ptxas %3:\n%4")
                       .arg(m_shippedName, answer.value(QLatin1String("arch")).toString(),
                            answer.value(QLatin1String("ptxas")).toString(), files.join(QLatin1Char('\n'))));
}

void Exporting::couldNotShip(const QString& why, const QString& hint) {
    m_isShipping = false;
    m_folder.reset();
    emit message({});
    showProblem(m_window, failure(Cause::rejected, why.toStdString(), hint.toStdString()).error());
}

} // namespace ptxwb::ui

#include "dialogs/draft_dialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

namespace ptxwb::ui {

DraftDialog::DraftDialog(const QString& program, const QString& file, QWidget* parent)
    : QDialog(parent), m_program(program), m_file(new QLineEdit(file, this)), m_entry(new QLineEdit(this)),
      m_arch(new QLineEdit(QStringLiteral("sm_90"), this)), m_flags(new QLineEdit(this)), m_state(new QLabel(this)),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Cancel, this)) {
    setWindowTitle(tr("New kernel spec"));
    setMinimumWidth(600);
    auto* form = new QFormLayout(this);
    auto* about = new QLabel(
        tr("A spec says with which arguments and sizes a kernel runs, and what it must compute. It is drafted "
           "from the kernel's parameters and written beside the file."),
        this);
    about->setWordWrap(true);
    form->addRow(about);

    auto* fileRow = new QHBoxLayout;
    fileRow->addWidget(m_file, 1);
    auto* browse = new QToolButton(this);
    browse->setText(tr("Browse…"));
    fileRow->addWidget(browse);
    auto* fileLabel = new QLabel(tr("&File:"), this);
    fileLabel->setBuddy(m_file);
    form->addRow(fileLabel, fileRow);
    m_file->setPlaceholderText(tr("a .cu or .ptx file"));
    m_file->setAccessibleName(tr("File"));
    m_entry->setPlaceholderText(tr("only where the file has several"));
    form->addRow(tr("&Kernel:"), m_entry);
    form->addRow(tr("&Target:"), m_arch);
    m_flags->setPlaceholderText(tr("further flags for nvcc, as -use_fast_math"));
    form->addRow(tr("F&lags:"), m_flags);
    m_state->setWordWrap(true);
    m_state->setTextFormat(Qt::PlainText);
    form->addRow(m_state);
    QPushButton* draft = m_buttons->addButton(tr("&Draft"), QDialogButtonBox::AcceptRole);
    draft->setDefault(true);
    form->addRow(m_buttons);

    const auto update = [this, draft] { draft->setEnabled(!m_file->text().trimmed().isEmpty()); };
    connect(m_file, &QLineEdit::textChanged, this, update);
    update();
    connect(browse, &QToolButton::clicked, this, [this] {
        const QString chosen = QFileDialog::getOpenFileName(this, tr("CUDA source or PTX"), m_file->text(),
                                                            tr("CUDA source and PTX (*.cu *.ptx)"));
        if (!chosen.isEmpty()) m_file->setText(chosen);
    });
    connect(draft, &QPushButton::clicked, this, &DraftDialog::run);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(&m_call, &ToolCall::answered, this, &DraftDialog::take);
    connect(&m_call, &ToolCall::failed, this, [this](const QString& message, const QString& hint) {
        m_buttons->setEnabled(true);
        say(hint.isEmpty() ? message : message + QLatin1Char('\n') + hint);
    });
}

void DraftDialog::run() {
    QStringList arguments{QStringLiteral("init"), m_file->text().trimmed()};
    if (const QString entry = m_entry->text().trimmed(); !entry.isEmpty())
        arguments << QStringLiteral("--entry") << entry;
    if (const QString arch = m_arch->text().trimmed(); !arch.isEmpty()) arguments << QStringLiteral("--arch") << arch;
    for (const QString& flag : m_flags->text().split(QLatin1Char(' '), Qt::SkipEmptyParts))
        arguments << QStringLiteral("--flag=") + flag;
    m_buttons->setEnabled(false);
    say(tr("Compiling and drafting…"));
    m_call.start(m_program, arguments);
}

void DraftDialog::take(const QJsonObject& answer) {
    m_buttons->setEnabled(true);
    const QJsonObject kernel = answer.value(QLatin1String("kernels"))[0].toObject();
    m_specFile = kernel.value(QLatin1String("spec_file")).toString();
    if (m_specFile.isEmpty()) return say(tr("The answer of %1 names no spec.").arg(m_program));
    for (const QJsonValue& note : kernel.value(QLatin1String("notes")).toArray()) m_notes += note.toString();
    accept();
}

void DraftDialog::say(const QString& text) {
    m_state->setText(text);
    adjustSize();
}

} // namespace ptxwb::ui

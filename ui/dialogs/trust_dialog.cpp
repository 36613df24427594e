#include "dialogs/trust_dialog.h"

#include "editors/code_pane.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ptxwb::ui {

TrustDialog::TrustDialog(const QString& specFile, const QString& file, const QByteArray& text, const Theme& theme,
                         QWidget* parent)
    : QDialog(parent) {
    setWindowTitle(tr("Run the reference %1?").arg(file));
    resize(760, 560);
    auto* column = new QVBoxLayout(this);
    auto* question = new QLabel(
        tr("%1 was not written here. Its reference %2 is native code: it is compiled and runs on this machine with "
           "your "
           "rights. Read it before you say yes. Without it the baseline is what candidates are compared with.")
            .arg(specFile.isEmpty() ? tr("This session") : specFile, file));
    question->setTextFormat(Qt::PlainText);
    question->setWordWrap(true);
    column->addWidget(question);

    auto* code = new CodePane(Language::cuda, Access::readOnly, tr("Reference"), this);
    code->setTheme(theme);
    PaneTitle title;
    title.name = file;
    code->setTitle(title);
    code->setText(text);
    column->addWidget(code, 1);

    auto* buttons = new QDialogButtonBox(this);
    QPushButton* yes = buttons->addButton(tr("&Run it, now and while it is unchanged"), QDialogButtonBox::AcceptRole);
    QPushButton* no = buttons->addButton(tr("Verify &without it"), QDialogButtonBox::RejectRole);
    yes->setObjectName(QStringLiteral("trust"));
    yes->setAutoDefault(false); // Enter says no
    no->setDefault(true);
    no->setFocus();
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
}

} // namespace ptxwb::ui

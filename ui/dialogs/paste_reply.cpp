#include "dialogs/paste_reply.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace ptxwb::ui {

PasteReply::PasteReply(QWidget* parent) : QDialog(parent), m_text(new QPlainTextEdit) {
    setWindowTitle(tr("Paste reply"));
    resize(640, 480);
    auto* column = new QVBoxLayout(this);
    auto* words = new QLabel(tr("The chat's whole reply. It is only ever read as candidates: whole kernels, "
                                "differences, or the lines of the region that was asked for."));
    words->setWordWrap(true);
    column->addWidget(words);
    m_text->setObjectName(QStringLiteral("pastedReply"));
    m_text->setAccessibleName(tr("The reply"));
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setTabChangesFocus(true);
    column->addWidget(m_text, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    auto* take = buttons->button(QDialogButtonBox::Ok);
    take->setText(tr("&Take candidates"));
    take->setObjectName(QStringLiteral("pastedTake"));
    connect(m_text, &QPlainTextEdit::textChanged, this,
            [this, take] { take->setEnabled(!m_text->document()->isEmpty()); });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    take->setEnabled(false);
    m_text->setFocus();
}

QString PasteReply::text() const {
    return m_text->toPlainText();
}

} // namespace ptxwb::ui

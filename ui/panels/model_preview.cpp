#include "panels/model_preview.h"

#include <QCheckBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QVBoxLayout>

namespace ptxwb::ui {

namespace {

QString fromUtf8(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

} // namespace

QString messagesText(const std::vector<llm::Message>& messages, std::size_t from) {
    QString text;
    for (std::size_t i = from; i < messages.size(); ++i) {
        if (!text.isEmpty()) text += QLatin1Char('\n');
        text += QStringLiteral("── %1 ──\n").arg(fromUtf8(llm::name(messages[i].role)));
        text += fromUtf8(messages[i].text);
        if (!text.endsWith(QLatin1Char('\n'))) text += QLatin1Char('\n');
    }
    return text;
}

ModelPreview::ModelPreview(QWidget* parent)
    : QWidget(parent), m_head(new QLabel), m_remarks(new QLabel), m_forms(new QTabBar), m_text(new QPlainTextEdit),
      m_further(new QCheckBox(tr("Send &findings back without asking again"))), m_send(new QPushButton(tr("&Send"))),
      m_back(new QPushButton(tr("&Back"))), m_copy(new QPushButton(tr("&Copy prompt"))) {
    m_text->setObjectName(QStringLiteral("previewText"));
    m_send->setObjectName(QStringLiteral("previewSend"));
    m_back->setObjectName(QStringLiteral("previewBack"));
    m_copy->setObjectName(QStringLiteral("previewCopy"));
    m_further->setObjectName(QStringLiteral("previewFurther"));
    m_head->setObjectName(QStringLiteral("previewHead"));
    auto* column = new QVBoxLayout(this);
    for (QLabel* label : {m_head, m_remarks}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(label);
    }
    QFont bold = m_head->font();
    bold.setBold(true);
    m_head->setFont(bold);
    m_forms->addTab(tr("As text"));
    m_forms->addTab(tr("As it travels"));
    m_forms->setDrawBase(false);
    m_forms->setExpanding(false);
    m_forms->setObjectName(QStringLiteral("previewForms"));
    column->addWidget(m_forms);
    m_text->setReadOnly(true);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setAccessibleName(tr("What will be sent"));
    column->addWidget(m_text, 1);
    m_further->setToolTip(tr("What the tools find in an answer goes back as the next question, and is shown in the "
                             "conversation as it goes"));
    column->addWidget(m_further);
    auto* row = new QHBoxLayout;
    row->addWidget(m_back);
    row->addWidget(m_copy);
    row->addStretch(1);
    row->addWidget(m_send);
    column->addLayout(row);
    connect(m_forms, &QTabBar::currentChanged, this,
            [this](int form) { m_text->setPlainText(form == 0 ? m_asText : m_asSent); });
    connect(m_send, &QPushButton::clicked, this, &ModelPreview::agreed);
    connect(m_back, &QPushButton::clicked, this, &ModelPreview::refused);
    connect(m_copy, &QPushButton::clicked, this, &ModelPreview::copyWanted);
}

bool ModelPreview::sendsFurther() const {
    return m_further->isChecked();
}

void ModelPreview::present(const QString& head, const QStringList& remarks, const QString& text, const QString& body) {
    m_head->setText(head);
    m_remarks->setText(remarks.join(QLatin1Char('\n')));
    m_remarks->setVisible(!remarks.isEmpty());
    m_asText = text;
    m_asSent = body;
    m_forms->setTabVisible(1, !body.isEmpty());
    m_forms->setCurrentIndex(0);
    m_text->setPlainText(text);
    m_send->setFocus();
}

void ModelPreview::showQuestion(const PreparedQuestion& question, std::uint32_t candidates, std::uint32_t rounds) {
    const bool leaves = !question.url.empty();
    QStringList remarks;
    if (!question.region.empty()) remarks += tr("To rewrite: %1.").arg(fromUtf8(question.region));
    if (leaves && !question.keyName.empty())
        remarks += tr("Beside the text goes the key %1, in a header.").arg(fromUtf8(question.keyName));
    for (const std::string& note : question.notes) remarks += fromUtf8(note);
    if (!question.omitted.empty()) {
        QStringList parts;
        for (const std::string& part : question.omitted) parts += fromUtf8(part);
        remarks += tr("Left out: %1.").arg(parts.join(QStringLiteral("; ")));
    }
    const QString cost = question.mostDollars ? tr(", $%1 at the most").arg(*question.mostDollars, 0, 'f', 4)
                         : leaves             ? tr(", no price known")
                                              : QString();
    const QString head =
        leaves ? tr("To %1, model %2, %n time(s): about %3 tokens each%4.", nullptr, int(candidates))
                     .arg(fromUtf8(question.url), fromUtf8(question.model))
                     .arg(question.tokens)
                     .arg(cost)
               : tr("Nothing leaves this machine: a recorded conversation (%1) answers.").arg(fromUtf8(question.model));
    m_send->setText(leaves ? tr("&Send") : tr("&Replay"));
    m_back->setText(tr("&Back"));
    m_further->setVisible(leaves && rounds > 1);
    m_copy->show();
    present(head, remarks, messagesText(question.messages), fromUtf8(question.body));
}

void ModelPreview::showFurther(const PendingQuestion& question, const PreparedQuestion& first) {
    // The model's own answer and what is said about it.
    const std::size_t known = question.messages.size() > 2 ? question.messages.size() - 1 : 0;
    m_send->setText(tr("&Send"));
    m_back->setText(tr("&Do not send"));
    m_further->show();
    m_copy->hide();
    present(tr("To %1: candidate %2, question %3. The conversation so far goes along.")
                .arg(fromUtf8(first.url))
                .arg(question.candidate)
                .arg(question.round),
            {}, messagesText(question.messages, known), fromUtf8(question.body));
}

} // namespace ptxwb::ui

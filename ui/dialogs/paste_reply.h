// Where a reply from any chat is pasted.
// Opened by the Model panel's "Paste reply".
#pragma once

#include <QDialog>

class QPlainTextEdit;

namespace ptxwb::ui {

class PasteReply : public QDialog {
    Q_OBJECT

public:
    explicit PasteReply(QWidget* parent = nullptr);

    QString text() const;

private:
    QPlainTextEdit* m_text;
};

} // namespace ptxwb::ui

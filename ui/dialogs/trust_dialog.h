// The question before native code of a kernel runs on this machine: shows it, and takes the answer.
// Asked by the main window before the first verification, and from the menu.
#pragma once

#include <QByteArray>
#include <QDialog>
#include <QString>

namespace ptxwb::ui {

struct Theme;

class TrustDialog : public QDialog {
    Q_OBJECT

public:
    /// `file`: its name in the spec, `specFile`: where the kernel came from.
    TrustDialog(const QString& specFile, const QString& file, const QByteArray& text, const Theme& theme,
                QWidget* parent = nullptr);
};

} // namespace ptxwb::ui

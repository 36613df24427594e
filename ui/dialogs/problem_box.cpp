#include "dialogs/problem_box.h"

#include <QCoreApplication>
#include <QMessageBox>

namespace ptxwb::ui {

void showProblem(QWidget* parent, const Diagnostic& problem) {
    QMessageBox box(parent);
    box.setObjectName(QStringLiteral("problem"));
    box.setIcon(QMessageBox::Warning);
    box.setWindowTitle(QCoreApplication::applicationName());
    box.setTextFormat(Qt::PlainText); // messages quote what was typed
    box.setText(QString::fromStdString(problem.message));
    QStringList more;
    if (problem.place.line > 0)
        more += QCoreApplication::translate("Problem", "%1, line %2, column %3")
                    .arg(QString::fromStdString(problem.place.file))
                    .arg(problem.place.line)
                    .arg(problem.place.column);
    for (const RelatedPlace& other : problem.related)
        more += QCoreApplication::translate("Problem", "line %1: %2")
                    .arg(other.place.line)
                    .arg(QString::fromStdString(other.message));
    if (!problem.hint.empty()) more += QString::fromStdString(problem.hint);
    box.setInformativeText(more.join(QLatin1Char('\n')));
    box.exec();
}

} // namespace ptxwb::ui

// A window with settings of its own, and the steps that a person takes in it.
#pragma once

#include "editors/comparison_view.h"
#include "editors/editor.h"
#include "editors/pane_header.h"
#include "models/document.h"
#include "panels/candidate_panel.h"
#include "panels/outline_panel.h"
#include "panels/problem_panel.h"
#include "panels/resources_panel.h"
#include "panels/verification_panel.h"
#include "window/actions.h"
#include "window/live_analysis.h"
#include "window/main_window.h"
#include "window/session_files.h"
#include "window/verification.h"

#include <QApplication>
#include <QHeaderView>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeView>

namespace ptxwb::test {

using namespace ptxwb::ui;

/// Before the QApplication: nothing of a person's own is read or changed.
class OwnSettings {
public:
    OwnSettings() {
        for (const char* each : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
            qputenv(each, (m_home.path() + '/' + QLatin1String(each)).toLocal8Bit());
        qputenv("PTXWB_KEYRING", "off");
        qputenv("PTXWB_RESOURCES", PTXWB_SOURCE_DIR "/resources");
        qputenv("PTXWB_WORKER", "'" PTXWB_BINARY_DIR "/bin/ptxwb' worker");
        QCoreApplication::setOrganizationName(QStringLiteral("ptxwb"));
        QCoreApplication::setApplicationName(QStringLiteral("window tests"));
    }
    QString path() const { return m_home.path(); }

private:
    QTemporaryDir m_home;
};

class Person {
public:
    Person() {
        window.resize(1600, 960);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        m_unexpected.setInterval(5000);
        QObject::connect(&m_unexpected, &QTimer::timeout, &window, [] {
            QWidget* dialog = QApplication::activeModalWidget();
            if (!dialog) return;
            const auto* box = qobject_cast<QMessageBox*>(dialog);
            QTest::qFail(qPrintable("a dialog waits: " + (box ? box->text() : dialog->windowTitle())), __FILE__,
                         __LINE__);
            dialog->close();
        });
        m_unexpected.start();
    }
    ~Person() { window.document().discardAutosave(); }

    void open(const QString& what) {
        QSignalSpy opened(&window.files(), &SessionFiles::opened);
        window.files().open(what);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 10000);
        waitForAnalysis();
    }
    void waitForAnalysis() { QTRY_VERIFY_WITH_TIMEOUT(!window.analysis().isRunning(), 10000); }
    void waitForVerdict() { QTRY_VERIFY_WITH_TIMEOUT(!window.verification().isBusy(), 60000); }

    /// A click on the candidate's row.
    void choose(const QString& name) {
        QTableView& table = window.candidates().table();
        const int row = rowOf(name);
        QVERIFY2(row >= 0, qPrintable(name));
        const QModelIndex index = table.model()->index(row, CandidateModel::Name);
        table.scrollTo(index);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
        waitForAnalysis();
    }
    /// What the list shows.
    QString cell(const QString& name, CandidateModel::Column column) {
        const QAbstractItemModel* model = window.candidates().table().model();
        const int row = rowOf(name);
        return row < 0 ? QStringLiteral("no such row") : model->index(row, column).data().toString();
    }
    QStringList names() {
        QStringList found;
        const QAbstractItemModel* model = window.candidates().table().model();
        for (int row = 0; row < model->rowCount(); ++row)
            found += model->index(row, CandidateModel::Name).data().toString();
        return found;
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus ? focus : &window, key, modifiers);
    }
    /// Types into the candidate, at the caret.
    void type(const QString& text) {
        Editor& editor = window.view().candidate().editor();
        editor.setFocus();
        for (const QChar c : text)
            if (c == QLatin1Char('\n'))
                QTest::keyClick(&editor, Qt::Key_Return);
            else
                QTest::keyClicks(&editor, QString(c));
    }
    QString chip() { return window.view().candidate().header().chipText(); }

    MainWindow window;

private:
    QTimer m_unexpected; ///< a dialog that no test answers must not hang it
    int rowOf(const QString& name) { return int(names().indexOf(name)); }
};

/// Answers the next modal dialog; fails the test where none comes.
template <class Dialog, class Answer>
class NextDialog : public QObject {
public:
    explicit NextDialog(Answer answer) : m_answer(std::move(answer)) {
        m_timer.setInterval(20);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
            if (!dialog || !dialog->isVisible()) return;
            m_timer.stop();
            wasShown = true;
            m_answer(*dialog);
        });
        m_timer.start();
    }
    bool wasShown = false;

private:
    Answer m_answer;
    QTimer m_timer;
};

} // namespace ptxwb::test

#include "window/reviewing.h"

#include "editors/comment_marks.h"
#include "jobs/verify_runner.h"
#include "models/document.h"
#include "panels/review_panel.h"
#include "review/comments.h"
#include "review/decision.h"
#include "review/people.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>

namespace ptxwb::ui {

namespace {

const QString reviewerKey = QStringLiteral("review/reviewer"), signKey = QStringLiteral("review/key");
constexpr int followMilliseconds = 200; ///< after the last key

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

DecisionState stateOf(const review::Standing& standing) {
    if (!standing.decision) return DecisionState::none;
    if (!standing.changes.empty()) return DecisionState::withdrawn;
    return standing.decision->state == session::ReviewState::approved ? DecisionState::holds : DecisionState::refused;
}

session::ReviewState stateOf(DecisionKind kind) {
    switch (kind) {
    case DecisionKind::approve: return session::ReviewState::approved;
    case DecisionKind::requestChanges: return session::ReviewState::changesRequested;
    case DecisionKind::reject: break;
    }
    return session::ReviewState::rejected;
}

/// A key that ssh has by itself, so that most people need choose none.
QString usualKey() {
    for (const char* name : {"id_ed25519", "id_ecdsa", "id_rsa"})
        if (const QString path = QDir::home().filePath(QStringLiteral(".ssh/") + QLatin1String(name));
            QFileInfo::exists(path))
            return path;
    return {};
}

} // namespace

Reviewing::Reviewing(Document* document, ComparisonView* view, QWidget* window)
    : QObject(window), m_document(document), m_view(view), m_window(window), m_panel(new ReviewPanel),
      m_marks{new CommentMarks(&view->baseline()), new CommentMarks(&view->candidate())} {
    m_update.setSingleShot(true);
    m_update.setInterval(0);
    m_follow.setSingleShot(true);
    m_follow.setInterval(followMilliseconds);
    connect(&m_update, &QTimer::timeout, this, &Reviewing::updateNow);
    connect(&m_follow, &QTimer::timeout, this, [this] {
        followComments(m_followed);
        update();
    });
    for (const auto changed : {&Document::currentChanged, &Document::resultsChanged, &Document::candidateRenamed})
        connect(document, changed, this, &Reviewing::update);
    connect(document, &Document::textChanged, this, [this](const QString& id) {
        if (m_follow.isActive() && id != m_followed) followComments(m_followed);
        m_followed = id;
        m_follow.start(); // what follows reads and hashes the whole text: not with each key
    });
    for (const auto changed : {&Document::reviewChanged, &Document::targetsChanged})
        connect(document, changed, this, &Reviewing::update);
    connect(document, &Document::kernelChanged, this, [this] {
        m_hashes = review::hashKernel(m_document->session());
        update();
    });
    connect(document, &Document::candidateRemoved, this, &Reviewing::update);
    connect(document, &Document::sessionReplaced, this, [this] {
        m_approvedId.clear();
        m_hashes = review::hashKernel(m_document->session());
        // Files may have been changed outside since the comments were found last.
        session::Session session = m_document->session();
        if (review::follow(session)) m_document->setReview(session.review);
        update();
    });
    for (CommentMarks* marks : m_marks)
        connect(marks, &CommentMarks::clicked, this, [this](const QString& id) {
            if (showDock) showDock();
            m_panel->showPage(ReviewPanel::Page::comments);
            m_panel->comments().choose(id);
        });
    m_actions = {action(tr("&Comment on the selection"), tr("Comment on the selected lines, or on the caret's line"),
                        QKeySequence(tr("Ctrl+Alt+M")), [this] { commentOnSelection(); }),
                 action(tr("Comment on the c&hange"), tr("Comment on the change at the caret"),
                        QKeySequence(tr("Ctrl+Alt+Shift+M")), [this] { commentOnChange(); }),
                 action(tr("&Decide…"), tr("Approve, request changes or reject the current candidate"),
                        QKeySequence(tr("Ctrl+Alt+D")),
                        [this] {
                            if (showDock) showDock();
                            m_panel->showPage(ReviewPanel::Page::decision);
                        }),
                 action(tr("Chec&klist"), tr("Every check with what became of it"), {},
                        [this] {
                            if (showDock) showDock();
                            m_panel->showPage(ReviewPanel::Page::checklist);
                        }),
                 action(tr("Send open comments to the &model"), tr("Put the open comments into the model's question"),
                        {}, [this] { sendToModel(); }),
                 action(tr("Export &bundle…"), tr("One signed file with all that the decision rests on"), {},
                        [this] { bundle(); }),
                 action(tr("Compare with another &session…"), tr("A candidate of this session beside one of another"),
                        {}, [this] { emit compareSessions(); })};
    connectPanel();
    m_panel->decision().setReviewer(QSettings().value(reviewerKey).toString());
    m_document->setPerson(m_panel->decision().reviewer());
    update();
}

QAction* Reviewing::action(const QString& text, const QString& tip, const QKeySequence& key,
                           std::function<void()> run) {
    auto* made = new QAction(text, m_window);
    made->setShortcut(key);
    made->setStatusTip(tip);
    const QString keyText = key.toString(QKeySequence::NativeText);
    made->setToolTip(keyText.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, keyText));
    m_window->addAction(made);
    connect(made, &QAction::triggered, this, std::move(run));
    return made;
}

void Reviewing::fillMenu(QMenu* menu) {
    for (QAction* each : m_actions) menu->addAction(each);
}

void Reviewing::connectPanel() {
    CommentsPage& comments = m_panel->comments();
    const auto change = [this](auto what) {
        session::Session session = m_document->session();
        what(session);
        m_document->setReview(session.review);
    };
    connect(&comments, &CommentsPage::newComment, this,
            [this, change](const CommentPlace& place, const QString& words) {
                if (flush) flush();
                change([&](session::Session& session) {
                    const auto id = review::addComment(session, {place.candidate.toStdString(),
                                                                 std::uint32_t(place.line),
                                                                 std::uint32_t(place.count),
                                                                 words.toStdString(),
                                                                 m_panel->decision().reviewer().toStdString(),
                                                                 {}});
                    if (!id) emit message(qt(id.error().message));
                });
            });
    connect(&comments, &CommentsPage::answered, this, [this, change](const QString& id, const QString& words) {
        change([&](session::Session& session) {
            review::answer(session.review, id.toStdString(),
                           {words.toStdString(), m_panel->decision().reviewer().toStdString(), {}});
        });
    });
    connect(&comments, &CommentsPage::resolved, this, [this, change](const QString& id, bool resolved) {
        change([&](session::Session& session) {
            review::setResolved(session.review, id.toStdString(), resolved,
                                m_panel->decision().reviewer().toStdString());
        });
    });
    connect(&comments, &CommentsPage::removed, this, [change](const QString& id) {
        change([&](session::Session& session) { review::removeComment(session.review, id.toStdString()); });
    });
    connect(&comments, &CommentsPage::placeWanted, this, &Reviewing::goTo);
    connect(&comments, &CommentsPage::modelWanted, this, &Reviewing::sendToModel);

    DecisionPage& decision = m_panel->decision();
    connect(&decision, &DecisionPage::changed, this, &Reviewing::updateDecision);
    connect(&decision, &DecisionPage::reviewerEdited, this, [this] {
        QSettings().setValue(reviewerKey, m_panel->decision().reviewer());
        m_document->setPerson(m_panel->decision().reviewer());
    });
    connect(&decision, &DecisionPage::authorsEdited, this, [this] {
        std::vector<std::string> authors;
        for (const QString& each : m_panel->decision().authors()) authors.push_back(each.toStdString());
        m_document->setAuthors(m_document->current(), authors);
    });
    connect(&decision, &DecisionPage::decided, this, &Reviewing::decide);
    connect(&decision, &DecisionPage::bundleWanted, this, &Reviewing::bundle);
    connect(&m_bundle, &ToolCall::answered, this, [this](const QJsonObject& answer) {
        emit message(tr("%1: %2, %3.")
                         .arg(QFileInfo(m_bundleFile).fileName(), answer.value(QLatin1String("decision")).toString(),
                              answer.value(QLatin1String("signed")).toBool() ? tr("signed") : tr("not signed")));
    });
    connect(&m_bundle, &ToolCall::failed, this, [this](const QString& why, const QString& hint) {
        emit message(hint.isEmpty() ? tr("No bundle: %1").arg(why) : tr("No bundle: %1 (%2)").arg(why, hint));
    });
}

void Reviewing::setTheme(const Theme& theme) {
    for (CommentMarks* marks : m_marks) marks->setTheme(theme);
    update();
}

QString Reviewing::idOf(PaneId pane) const {
    return pane == PaneId::baseline ? Document::baselineId() : m_document->current();
}

void Reviewing::begin(PaneId pane, int line, int count) {
    const QString id = idOf(pane);
    const session::Candidate* candidate = pane == PaneId::source ? nullptr : m_document->candidate(id);
    if (!candidate) {
        emit message(tr("Comments are about lines of PTX: choose some in the baseline or the candidate."));
        return;
    }
    if (flush) flush();
    if (showDock) showDock();
    m_panel->showPage(ReviewPanel::Page::comments);
    const QString name = id == Document::baselineId() ? tr("baseline") : qt(candidate->name);
    m_panel->comments().begin({id, name, line, count});
}

void Reviewing::commentOnSelection() {
    const PaneId pane = m_view->currentPane();
    const auto [first, last] = m_view->pane(pane).selectedLines();
    begin(pane, first, last - first + 1);
}

void Reviewing::commentOnChange() {
    const auto [first, count] = m_view->changedLines();
    if (count > 0) return begin(m_view->currentPane(), first, count);
    emit message(first > 0 ? tr("The change has no line on this side: comment on it in the other pane.")
                           : tr("The caret stands on no change. F7 goes to the next one."));
}

void Reviewing::goTo(const QString& candidate, int line) {
    const bool isBaseline = candidate == Document::baselineId();
    if (!isBaseline) m_document->setCurrent(candidate);
    // The pane shows the candidate only once its text was set.
    QTimer::singleShot(0, this, [this, isBaseline, line] {
        m_view->showPtxLine(isBaseline ? PaneId::baseline : PaneId::candidate, line);
    });
}

void Reviewing::update() {
    m_update.start();
}

void Reviewing::updateNow() {
    const session::Session& session = m_document->session();
    std::map<std::string, QString> names{{std::string(session::baselineId), tr("baseline")}};
    for (const session::Candidate& each : session.candidates) names[each.id] = qt(each.name);
    m_panel->comments().setComments(session.review.comments, names);
    m_panel->setOpenComments(int(std::ranges::count(session.review.comments, false, &session::Comment::resolved)));
    updateMarks();
    updateDecision();
}

void Reviewing::updateMarks() {
    for (const PaneId pane : {PaneId::baseline, PaneId::candidate}) {
        std::vector<CommentMark> marks;
        const std::string id = idOf(pane).toStdString();
        const bool isShown = pane == PaneId::baseline || id != session::baselineId;
        for (const session::Comment& each : m_document->session().review.comments)
            if (isShown && each.candidate == id && !each.lost)
                marks.push_back(
                    {int(each.line), !each.resolved, qt(each.id),
                     tr("%1: %2").arg(each.author.empty() ? tr("Comment") : qt(each.author), qt(each.text))});
        this->marks(pane).show(std::move(marks));
    }
}

/// `id` by value: it may be `m_followed` itself.
void Reviewing::followComments(QString id) {
    m_follow.stop();
    m_followed.clear();
    const session::Candidate* candidate = m_document->candidate(id);
    session::Review review = m_document->session().review;
    if (candidate && review::follow(review, candidate->id, review::TextLines(candidate->text)))
        m_document->setReview(review);
}

review::Wish Reviewing::wish() const {
    const DecisionPage& form = m_panel->decision();
    review::Wish wish;
    wish.candidate = m_document->current().toStdString();
    wish.state = stateOf(form.kind());
    for (const QString& target : form.targets()) wish.targets.push_back(target.toStdString());
    wish.reviewer = form.reviewer().toStdString();
    wish.reason = form.reason().toStdString();
    return wish;
}

void Reviewing::updateDecision() {
    const session::Session& session = m_document->session();
    DecisionPage& form = m_panel->decision();
    const session::Candidate* candidate = m_document->candidate(m_document->current());
    QStringList targets, authors, details, obstacles;
    for (const std::string& target : session.targets) targets += qt(target);
    form.setTargets(targets.join(QLatin1Char(' ')));
    if (!candidate) return form.setObstacles({tr("nothing is open")});
    for (const std::string& author : candidate->authors) authors += qt(author);
    form.setAuthors(authors.join(QStringLiteral("; ")));

    const review::Standing standing = review::standing(session, candidate->id, &m_hashes);
    if (standing.decision) {
        details += qt(standing.decision->reason);
        for (const std::string& change : standing.changes) details += tr("\u2022 %1").arg(qt(change));
        const auto earlier =
            std::ranges::count(session.review.decisions, candidate->id, &session::Decision::candidate) - 1;
        if (earlier > 0) details += tr("%n earlier decision(s); the report lists them.", nullptr, int(earlier));
    }
    const QString name = candidate->id == session::baselineId ? tr("baseline") : qt(candidate->name);
    form.setStanding(name, stateOf(standing), qt(review::describe(standing)), details);
    const QString id = qt(candidate->id);
    if (standing.isApproved())
        m_approvedId = id;
    else if (m_approvedId == id) {
        m_approvedId.clear();
        if (standing.decision && !standing.changes.empty())
            emit withdrawn(tr("%1: %2").arg(name, qt(review::describe(standing))));
    }
    for (const std::string& each : review::obstacles(session, wish(), &m_hashes)) obstacles += qt(each);
    form.setObstacles(obstacles);
    form.setBundleProblem(!session.hasKernel()                   ? tr("A bundle needs a kernel spec.")
                          : candidate->id == session::baselineId ? tr("A bundle is of a candidate.")
                                                                 : QString());
    std::vector<std::string> named;
    for (const QString& target : form.targets()) named.push_back(target.toStdString());
    m_panel->setChecklist(candidate->id == session::baselineId
                              ? std::vector<review::Item>{}
                              : review::checklist(session, *candidate, named, m_hashes.whole));
}

void Reviewing::decide() {
    if (flush) flush();
    auto decision = review::decide(m_document->session(), wish());
    if (!decision) {
        updateDecision();
        return emit message(qt(decision.error().message));
    }
    session::Review review = m_document->session().review;
    review.decisions.push_back(std::move(*decision));
    m_document->setReview(review);
    m_panel->decision().clearReason();
    emit message(
        tr("%1. Save the session to keep it.")
            .arg(qt(review::describe(review::standing(m_document->session(), m_document->current().toStdString())))));
}

void Reviewing::sendToModel() {
    QString id = m_document->current();
    std::string text = review::openCommentsText(m_document->session(), id.toStdString());
    if (text.empty()) return emit message(tr("No comment about this candidate is open."));
    emit askModel(qt(text));
}

void Reviewing::bundle() {
    if (flush) flush();
    const session::Candidate* candidate = m_document->candidate(m_document->current());
    if (!candidate || candidate->id == session::baselineId)
        return emit message(tr("A bundle is of a candidate: choose one."));
    // It is made of what is saved, by the program that makes it in continuous integration too.
    if (!save || !save()) return emit message(tr("A bundle is made of the saved session."));
    QSettings settings;
    const QString proposed =
        QFileInfo(m_document->filePath())
            .dir()
            .filePath(
                QStringLiteral("%1-%2.ptxbundle").arg(qt(m_document->session().kernel.spec.name), qt(candidate->name)));
    m_bundleFile = QFileDialog::getSaveFileName(m_window, tr("Export bundle"), proposed, tr("Bundle (*.ptxbundle)"));
    if (m_bundleFile.isEmpty()) return;
    const QString key = QFileDialog::getOpenFileName(m_window, tr("Sign with which SSH key? Cancel: not signed"),
                                                     settings.value(signKey, usualKey()).toString(), {}, nullptr,
                                                     QFileDialog::DontResolveSymlinks);
    if (!key.isEmpty()) settings.setValue(signKey, key);
    QStringList arguments{QStringLiteral("bundle"), m_document->filePath(), QStringLiteral("--candidate"),
                          qt(candidate->id),        QStringLiteral("-o"),   m_bundleFile};
    if (!key.isEmpty()) arguments += {QStringLiteral("--sign"), key};
    emit message(tr("Making the bundle…"));
    // The session lies here, so the program beside the window makes it, wherever the worker is.
    const QStringList program = ToolCall::inPlaceOfWorker(VerifyRunner::defaultCommandLine(), {});
    m_bundle.start(program.value(0, QStringLiteral("ptxwb")), arguments);
}

} // namespace ptxwb::ui

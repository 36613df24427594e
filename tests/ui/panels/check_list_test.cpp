// The list of the funnel's checks as a person reads it.
#include "panels/check_list.h"

#include "shots.h"
#include "verify/checks.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace ptxwb;
using namespace ptxwb::ui;
using verify::CheckStatus;

namespace {

/// As the funnel folds them: all that have no say of their own have passed.
verify::CandidateResult result() {
    verify::CandidateResult result;
    for (const verify::Check& check : verify::checks())
        result.checks.push_back({std::string(check.name), CheckStatus::passed, {}});
    return result;
}

verify::CheckOutcome& of(verify::CandidateResult& result, std::string_view name) {
    return *std::ranges::find(result.checks, name, &verify::CheckOutcome::check);
}

/// The row of a check; nullptr where there is none.
QTreeWidgetItem* row(CheckList& list, const QString& name) {
    const auto found = list.tree().findItems(name, Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? nullptr : found.first();
}

} // namespace

class CheckListTest : public QObject {
    Q_OBJECT

private slots:
    void everyCheckHasARow() {
        CheckList list;
        verify::CandidateResult some = result();
        of(some, "shared_race").status = CheckStatus::failed;
        of(some, "shared_race").reason = "reads 4 bytes at line 41 that another thread writes at line 38";
        of(some, "guards").status = CheckStatus::notRun;
        of(some, "guards").reason = "no GPU judged";
        list.setResult(&some, false);
        test::show(list, {420, 420});
        const int all = static_cast<int>(some.checks.size());
        QCOMPARE(list.summary(), QString("%1 checks passed, 1 failed, 1 not run.").arg(all - 2));
        int rows = 0;
        for (int i = 0; i < list.tree().topLevelItemCount(); ++i) {
            rows += list.tree().topLevelItem(i)->childCount();
            QVERIFY(list.tree().topLevelItem(i)->isExpanded());
        }
        QCOMPARE(rows, all);
        QCOMPARE(row(list, "shared_race")->text(1),
                 QString("failed: reads 4 bytes at line 41 that another thread writes at line 38"));
        QCOMPARE(row(list, "guards")->text(1), QString("not run: no GPU judged"));
        QCOMPARE(row(list, "parser")->text(1), QString("passed"));
        QVERIFY(row(list, "parser")->toolTip(0).contains("the text is PTX"));
        QVERIFY(row(list, "sanitize")->text(1).endsWith(", 1 failed"));
        test::shoot(list, "checks");
    }

    void whatNoRunReached() {
        CheckList list;
        verify::CandidateResult some = result();
        some.strength = verify::Strength{};
        some.strength->instructions = 40;
        some.strength->reached = 38;
        some.strength->branchWays = 6;
        some.strength->waysTaken = 5;
        some.strength->unreached.push_back({57, "never reached", {}});
        some.strength->mutants = 12;
        some.strength->killed = 11;
        some.strength->survivors.push_back({31, "bar.sync dropped"});
        list.setResult(&some, false);
        QCOMPARE(list.strength(), QString("The runs reached 38 of 40 instructions and took 5 of 6 ways of branches. "
                                          "Not tried: line 57 never reached. 11 of 12 mutants were noticed. "
                                          "Not noticed: line 31 bar.sync dropped."));
        QSignalSpy lines(&list, &CheckList::ptxLineWanted);
        for (QLabel* label : list.findChildren<QLabel*>()) emit label->linkActivated("57");
        QVERIFY(!lines.isEmpty());
        QCOMPARE(lines.first().first().toInt(), 57);
    }

    void nothingAndStale() {
        CheckList list;
        QCOMPARE(list.summary(), QString("No check was made yet: a verification names each with its outcome."));
        QVERIFY(list.tree().isHidden());
        verify::CandidateResult some = result();
        list.setResult(&some, true);
        QVERIFY2(list.summary().contains("Of an earlier text."), qPrintable(list.summary()));
        QVERIFY(row(list, "parser")->data(0, Qt::AccessibleTextRole).toString().contains("stale"));
        list.setResult(nullptr, false);
        QCOMPARE(list.tree().topLevelItemCount(), 0);
    }
};

QTEST_MAIN(CheckListTest)
#include "check_list_test.moc"

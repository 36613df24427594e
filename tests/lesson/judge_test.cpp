// Every lesson's check is passed by its model solution and failed by its starting state; what a class can hand in stops
// no batch. The funnel runs in this process; through the program: tests/cli/lesson.cpp.
#include "lesson/grade.h"

#include "lesson/normal_form.h"
#include "verify/context.h"
#include "verify/funnel.h"

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::lesson;

namespace {

const std::filesystem::path root = PTXWB_SOURCE_DIR "/resources/lessons";

Expected<verify::VerifyReport> inThisProcess(const verify::VerifyInput& input, std::chrono::milliseconds,
                                             std::stop_token stop) {
    return verify::verifyCandidate(input, verify::Machine{}, *verify::makeOracleCache(), {}, stop);
}

Lesson lessonCalled(const std::string& name) {
    auto found = findLesson(name, root);
    if (!found) qFatal("%s", found.error().message.c_str());
    return std::move(*found);
}

/// "correct met, sectors missed".
QString summary(const Judgement& judgement) {
    QStringList parts;
    for (const GoalResult& goal : judgement.goals)
        parts += QString::fromStdString(goal.id + " " + std::string(name(goal.status)));
    return parts.join(", ");
}

QString messages(const Judgement& judgement) {
    QStringList parts;
    for (const GoalResult& goal : judgement.goals)
        if (!goal.message.empty()) parts += QString::fromStdString(goal.id + ": " + goal.message);
    return parts.join('\n');
}

Judgement judged(const Lesson& one, const std::string& text, JudgeOptions options = {}) {
    auto result = judge(one, text, options, inThisProcess);
    if (!result) qFatal("%s", result.error().message.c_str());
    return std::move(*result);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const auto at = text.find(what);
    if (at == std::string::npos) qFatal("%s is not there", what.c_str());
    return text.replace(at, what.size(), with);
}

} // namespace

class JudgeTest : public QObject {
    Q_OBJECT

private slots:
    void everyLesson_data() {
        QTest::addColumn<QString>("lesson");
        QTest::addColumn<QString>("start"); ///< what the starting state reaches
        const auto row = [](const char* lesson, const char* start) { QTest::newRow(lesson) << lesson << start; };
        row("coalescing", "correct met, sectors missed");
        row("bank_conflicts", "correct met, conflicts missed, sectors met, staged met");
        row("divergence", "correct met, together missed, lanes missed");
        row("latency_hiding", "correct met, in_flight missed, occupancy missed");
        row("shuffles", "correct met, exchange missed, no_shared missed, no_barrier missed");
        row("tensor_cores", "correct met, tensor missed, work missed, short missed");
        row("async_copies", "correct met, copies missed, no_store missed, wide met");
        row("reading_sass", "load missed, multiply-add missed, leaves missed, parameter-a missed, cvta missed, "
                            "block-number missed, address-y missed");
        // One that is new has its row here too.
        std::size_t folders = 0;
        for (const auto& entry : std::filesystem::directory_iterator(root)) folders += entry.is_directory();
        QCOMPARE(folders, std::size_t{8});
    }
    void everyLesson() {
        QFETCH(QString, lesson);
        QFETCH(QString, start);
        const Lesson one = lessonCalled(lesson.toStdString());
        const Judgement model = judged(one, one.solution);
        QVERIFY2(model.result == Result::passed, qPrintable(messages(model)));
        const Judgement begin = judged(one, one.start);
        QVERIFY(begin.result == Result::failed);
        QVERIFY2(summary(begin) == start, qPrintable(summary(begin) + '\n' + messages(begin)));
        // And with inputs that nobody has seen.
        if (one.kernel) {
            JudgeOptions options;
            options.seeds = seedsFrom(12345);
            const Judgement again = judged(one, one.solution, options);
            QVERIFY2(again.result == Result::passed, qPrintable(messages(again)));
            QCOMPARE(again.seeds.size(), std::size_t{2});
        }
    }

    void aFastKernelThatIsWrong() {
        const Lesson one = lessonCalled("coalescing");
        const Judgement wrong = judged(one, replaced(one.solution, "mul.rn.f32", "add.rn.f32"));
        QCOMPARE(summary(wrong), QString("correct missed, sectors met"));
        QVERIFY2(messages(wrong).contains("function: "), qPrintable(messages(wrong)));
        // Right at the spec's own sizes: the hidden ones tell.
        const std::string cheat = replaced(one.solution, "    @%outside bra   $done;",
                                           "    @%outside bra   $done;\n    setp.eq.u32 %outside, %rows, 7;\n"
                                           "    @%outside bra   $done;");
        const Judgement hidden = judged(one, cheat);
        QCOMPARE(summary(hidden), QString("correct missed, sectors met"));
        QVERIFY2(messages(hidden).contains("rows = 7"), qPrintable(messages(hidden)));
    }

    void whatIsNotExecutedShowsNothing() {
        const Lesson one = lessonCalled("shuffles");
        const std::string idle =
            replaced(one.start, "    ret;\n}", "    ret;\n    shfl.sync.down.b32 %w, %v, 1, 31, -1;\n    ret;\n}");
        QVERIFY2(messages(judged(one, idle)).contains("exchange: no shfl.sync and no redux.sync is executed"),
                 qPrintable(messages(judged(one, idle))));
    }

    void aRaceIsWrongToo() {
        const Lesson one = lessonCalled("async_copies");
        const Judgement early = judged(one, replaced(one.solution, "    cp.async.wait_group 0;\n", ""));
        QVERIFY(early.result == Result::failed);
        QVERIFY2(summary(early).startsWith("correct missed"), qPrintable(summary(early)));
        QVERIFY2(messages(early).contains("sanitize: "), qPrintable(messages(early)));
        QVERIFY(early.goals.front().line > 0);
    }

    void noPtxAndNoEnd() {
        const Lesson one = lessonCalled("divergence");
        const Judgement broken = judged(one, "this is no PTX\n");
        QVERIFY(broken.result == Result::failed);
        QVERIFY2(summary(broken) == "correct missed, together not_judged, lanes not_judged",
                 qPrintable(summary(broken)));
        const Judgement endless = judged(one, replaced(one.solution, "$done:", "$again:\n    bra $again;\n$done:"));
        QVERIFY(endless.result == Result::failed);
        QVERIFY2(summary(endless).startsWith("correct missed"), qPrintable(messages(endless)));
    }

    void aWorkerThatDiesIsTheSubmissions() {
        const Lesson one = lessonCalled("divergence");
        const Verify dies = [](const auto&, auto, auto) -> Expected<verify::VerifyReport> {
            return failure(Cause::internal, "the worker ended by signal 11 during function");
        };
        const auto crashed = judge(one, one.solution, {}, dies);
        QVERIFY(crashed && crashed->result == Result::failed);
        QVERIFY(messages(*crashed).contains("signal 11"));
        const Verify missing = [](const auto&, auto, auto) -> Expected<verify::VerifyReport> {
            return failure(Cause::missing, "there is no worker");
        };
        QVERIFY(!judge(one, one.solution, {}, missing));
    }

    void sameProgramsHaveOneNormalForm() {
        const Lesson one = lessonCalled("divergence");
        const std::string& text = one.solution;
        std::string renamed = text;
        for (const auto& [from, to] : {std::pair<std::string, std::string>{"%bit", "%parity"}, {"$done", "$out"}})
            for (std::size_t at = renamed.find(from); at != std::string::npos; at = renamed.find(from, at + 1))
                renamed.replace(at, from.size(), to);
        renamed = "// mine\n" + replaced(renamed, "and.b32         %parity, %i, 1;", "and.b32 %parity,%i,1; // odd?");
        QCOMPARE(normalForm(renamed), normalForm(text));
        QVERIFY(normalForm(one.start) != normalForm(text));
        QVERIFY(normalForm(replaced(text, "0f40800000", "0f40800001")) != normalForm(text));
        QVERIFY(normalForm(replaced(text, "and.b32", "or.b32")) != normalForm(text));
        QCOMPARE(normalForm(replaced(text, ".version 7.8", ".version 8.0")), normalForm(text));
        QVERIFY(normalForm("//@ launch {\"block\": [64, 1, 1]}\n" + text) != normalForm(text));
        QCOMPARE(normalForm("//@ origin a friend\n" + text), normalForm(text));
    }

    void aClassWithEverythingInIt() {
        const Lesson one = lessonCalled("divergence");
        const QTemporaryDir folder;
        const auto write = [&](const QString& name, const QByteArray& bytes) {
            QDir(folder.path()).mkpath(QFileInfo(folder.filePath(name)).path());
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes);
        };
        const QByteArray solution = QByteArray::fromStdString(one.solution);
        write("ada/mine.ptx", QByteArray("// by Ada\n") + QByteArray(solution).replace("%bit", "%b"));
        write("bob.ptx", QByteArray("// by Bob\n") + QByteArray(solution).replace("%bit", "%odd_or_even"));
        write("carl.ptx", QByteArray::fromStdString(one.start));
        write("dora.ptx", "");
        write("emil, jr.ptx", QByteArray("\0\1\2\3", 4));
        write("fay.ptx", QByteArray(2 << 20, 'x'));
        write("gus.ptx", QByteArray(solution).replace("fma.rn.f32      %r, %r, %t, %c0", "add.rn.f32 %r, %r, %c0"));
        write("=cmd.ptx", "not a kernel, \"at all\"\n");
        write("notes.txt", "no submission");
        int told = 0;
        GradeOptions options;
        options.judge.seeds = seedsFrom(7);
        options.onJudged = [&](const Graded&) { ++told; };
        const auto grades = grade(one, folder.path().toStdString(), options, inThisProcess);
        QVERIFY2(grades, grades ? "" : grades.error().message.c_str());
        QCOMPARE(told, 8);
        QStringList rows;
        for (const Graded& row : grades->rows)
            rows += QString::fromStdString(row.file + " " + std::string(name(row.judgement.result)) +
                                           (row.duplicateOf.empty() ? "" : " as " + row.duplicateOf) +
                                           (row.sameAs.empty() ? "" : " " + row.sameAs) +
                                           (row.problem.empty() ? "" : " problem"));
        QCOMPARE(rows, (QStringList{"=cmd.ptx failed", "ada/mine.ptx passed solution",
                                    "bob.ptx passed as ada/mine.ptx solution", "carl.ptx failed start",
                                    "dora.ptx failed problem", "emil, jr.ptx failed problem", "fay.ptx failed problem",
                                    "gus.ptx failed"}));
        const QStringList csv = QString::fromStdString(toCsv(one, *grades)).split("\r\n");
        QCOMPARE(csv.size(), 10); // a head, eight rows, the end
        QCOMPARE(csv[0], QString("file,result,problem,correct,together,lanes,message,duplicate_of,same_as,seconds"));
        QVERIFY2(csv[1].startsWith("'=cmd.ptx,failed,,missed,not_judged,not_judged,parse: "), qPrintable(csv[1]));
        QVERIFY2(csv[2].startsWith("ada/mine.ptx,passed,,met,met,met,,,solution,"), qPrintable(csv[2]));
        QVERIFY2(csv[6].startsWith("\"emil, jr.ptx\",failed,the file is no text"), qPrintable(csv[6]));
        QVERIFY2(csv[5].startsWith("dora.ptx,failed,the file is empty,not_judged"), qPrintable(csv[5]));
    }

    void anEmptyFolderIsAnError() {
        const QTemporaryDir folder;
        const Lesson one = lessonCalled("divergence");
        QVERIFY(!grade(one, folder.path().toStdString(), {}, inThisProcess));
        QVERIFY(!grade(one, folder.filePath("nothing").toStdString(), {}, inThisProcess));
    }
};

QTEST_APPLESS_MAIN(JudgeTest)
#include "judge_test.moc"

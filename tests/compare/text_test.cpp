// Texts that are not PTX are compared line by line and word by word.
#include "checks.h"

using namespace ptxwb::compare;
using namespace ptxwb::compare::test;

class TextTest : public QObject {
    Q_OBJECT

    const std::string m_cuda = "// y = a * x + y\n"
                               "__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
                               "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "    if (i < n)\n"
                               "        y[i] = a * x[i] + y[i];\n"
                               "}\n";

    static std::string replaced(std::string text, const std::string& from, const std::string& to) {
        return text.replace(text.find(from), from.size(), to);
    }

private slots:
    void itself() {
        const Comparison c = compareText(m_cuda, m_cuda);
        COMPARE_IS_SOUND(c, m_cuda, m_cuda);
        QVERIFY(c.same);
        QCOMPARE(c.counts.of(RowClass::identical), 6u);
        QVERIFY(c.kernels.empty());
    }

    void anImmediate() {
        const std::string right = replaced(m_cuda, "i < n", "i < 5");
        const Comparison c = compareText(replaced(m_cuda, "i < n", "i < 4"), right);
        QCOMPARE(summary(c), std::string("identical 5 immediate 1 different"));
        QCOMPARE(c.rows[3].leftSpans, (std::vector<ColumnSpan>{{13, 1}}));
        QCOMPARE(c.hunks.size(), 1u);
        QCOMPARE(c.hunks[0].firstRow, 3u);
    }

    void aNameIsNoRegister() {
        std::string right = m_cuda;
        for (std::size_t at = 0; (at = right.find("i ", at)) != std::string::npos; ++at) right[at] = 'k';
        QVERIFY(!compareText(m_cuda, right).same);
    }

    void aCommentCountsSpacesDoNot() {
        const std::string comment = replaced(m_cuda, "// y", "// z");
        QCOMPARE(summary(compareText(m_cuda, comment)), std::string("identical 5 operand 1 different"));
        const std::string spaces = replaced(m_cuda, "    if (i < n)", "\tif ( i<n )");
        QVERIFY(compareText(m_cuda, spaces).same);
    }

    void linesMore() {
        const std::string right = replaced(m_cuda, "    if", "    __syncthreads();\n    if");
        const Comparison c = compareText(m_cuda, right);
        COMPARE_IS_SOUND(c, m_cuda, right);
        QCOMPARE(summary(c), std::string("identical 6 added 1 different"));
        QCOMPARE(c.rows[3].rightLine, 4u);
    }

    void emptyTexts() {
        QVERIFY(compareText("", "").same);
        QVERIFY(compareText("", "").rows.empty());
        const Comparison c = compareText("", "a\nb\n");
        COMPARE_IS_SOUND(c, "", "a\nb\n");
        QCOMPARE(c.counts.of(RowClass::added), 2u);
    }

    void noNewlineAtTheEndAndOtherLineBreaks() {
        QVERIFY(compareText("a\nb", "a\r\nb\r\n").same);
        QVERIFY(compareText("a\n\n\n", "a\n").same); // blank lines are shown, not counted
        const Comparison c = compareText("a\n\n\n", "a\n");
        QCOMPARE(c.rows.size(), 3u);
        QVERIFY(c.rows[1].trivia && c.rows[2].trivia);
        QVERIFY(c.hunks.empty());
    }
};

QTEST_APPLESS_MAIN(TextTest)
#include "text_test.moc"

// Recorded answers: what counts as different, and what a file may look like.
#include "cases.h"

#include "support/files.h"

#include <QTest>
#include <algorithm>

using namespace ptxwb;
using kernels::Answer;

namespace {

const std::filesystem::path folder = PTXWB_SOURCE_DIR "/tests/data/kernels";

kernels::Case caseNamed(const std::string& title) {
    auto cases = kernels::readCases(folder);
    if (!cases) qFatal("%s", format(cases.error()).c_str());
    const auto hit = std::ranges::find(*cases, title, &kernels::Case::title);
    if (hit == cases->end()) qFatal("no case %s", title.c_str());
    return std::move(*hit);
}

std::vector<std::vector<std::uint8_t>> buffersOf(const kernels::Case& one) {
    std::vector<std::vector<std::uint8_t>> buffers;
    for (const kernel::Buffer& buffer : one.data.buffers) buffers.push_back(buffer.bytes);
    return buffers;
}

QStringList problems(const kernels::Case& one, const Answer& recorded, const Answer& now) {
    QStringList out;
    for (const std::string& line : kernels::differences(one, recorded, now)) out << QString::fromStdString(line);
    return out;
}

Expected<kernels::Recording> read(const std::string& text) {
    const auto scratch = TemporaryFolder::create();
    const auto file = scratch->path() / "h200.txt";
    if (const auto written = writeFileAtomically(file, text); !written) return std::unexpected(written.error());
    return kernels::readRecording(file);
}

} // namespace

class RecordingTest : public QObject {
    Q_OBJECT

private slots:
    void inputsAreLeftOut() {
        const auto one = caseNamed("hash_table n=300");
        const auto answer = kernels::answerOf(one, buffersOf(one), {});
        // keys is an input, slots and counts are scratch.
        QCOMPARE(answer.outputs.size(), std::size_t{1});
        QCOMPARE(answer.outputs[0].name, std::string("found"));
        QCOMPARE(answer.outputs[0].digest.size(), std::size_t{64});
    }

    void oneBit() {
        const auto one = caseNamed("grid_stride n=3001");
        auto buffers = buffersOf(one);
        const auto recorded = kernels::answerOf(one, buffers, {});
        QCOMPARE(problems(one, recorded, recorded), QStringList());
        buffers[1][12000] ^= 1;
        const auto found = problems(one, recorded, kernels::answerOf(one, buffers, {}));
        QCOMPARE(found.size(), 1);
        QVERIFY2(found[0].startsWith("y: other bytes: sha256 "), qPrintable(found[0]));
    }

    void bounds() {
        const auto one = caseNamed("fast_math");
        auto buffers = buffersOf(one);
        const auto put = [&](std::size_t element, float value) {
            kernel::storeBits(kernel::ElementType::f32, buffers[1], element,
                              kernel::encodeFloat(kernel::ElementType::f32, value));
        };
        put(17, 100.0F);
        const auto recorded = kernels::answerOf(one, buffers, {});
        QVERIFY(recorded.outputs[0].digest.empty());
        put(17, 100.0002F); // allowed: 1e-6 + 3e-6 * 100
        QCOMPARE(problems(one, recorded, kernels::answerOf(one, buffers, {})), QStringList());
        for (const float wrong : {100.001F, std::numeric_limits<float>::quiet_NaN()}) {
            put(17, wrong);
            const auto found = problems(one, recorded, kernels::answerOf(one, buffers, {}));
            QCOMPARE(found.size(), 1);
            QVERIFY2(found[0].startsWith("out: 1 of 512 values are outside of the bound"), qPrintable(found[0]));
        }
    }

    void otherInputs() {
        const auto one = caseNamed("printing");
        const auto now = kernels::answerOf(one, buffersOf(one), "a\n");
        auto recorded = now;
        recorded.key = "0123456789abcdef";
        QCOMPARE(problems(one, recorded, now),
                 QStringList{"printing: the PTX or the inputs are not those that were recorded: record it anew"});
        recorded = now;
        recorded.outputs.clear();
        recorded.printed = "b\n";
        QCOMPARE(problems(one, recorded, now),
                 (QStringList{"out: nothing is recorded for it", "printed \"a\\n\", recorded \"b\\n\""}));
    }

    void textAndBack() {
        kernels::Recording recording;
        recording.header = "# head\n";
        for (const char* title : {"fast_math", "printing", "layer_norm_half p=50"}) {
            const auto one = caseNamed(title);
            recording.answers.push_back(kernels::answerOf(one, buffersOf(one), "\x01 \"x\"\n"));
        }
        const std::string text = kernels::textOf(recording);
        const auto again = read(text);
        QVERIFY2(again.has_value(), again ? "" : format(again.error()).c_str());
        QCOMPARE(kernels::textOf(*again), text);
        QCOMPARE(again->answers[1].printed, recording.answers[1].printed);
        const auto* half = again->find("layer_norm_half p=50");
        QVERIFY(half != nullptr && half->outputs[0].bytes == recording.answers[2].outputs[0].bytes);
        QVERIFY(again->find("layer_norm_half") == nullptr);
    }

    void damaged_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::newRow("no kernel yet") << QByteArray("# head\n  out f32 1 values\n") << 2;
        QTest::newRow("no key") << QByteArray("kernel a n=1\n") << 1;
        QTest::newRow("no such type") << QByteArray("kernel a key b\n  out f31 1 values\n") << 2;
        QTest::newRow("short digest") << QByteArray("kernel a key b\n  out f32 1 sha256 abc\n") << 2;
        QTest::newRow("no number") << QByteArray("kernel a key b\n  out f32 1 values\n    3f80000g\n") << 3;
        QTest::newRow("no text") << QByteArray("kernel a key b\n  printed abc\n") << 2;
    }
    void damaged() {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        const auto recording = read(text.toStdString());
        QVERIFY(!recording.has_value());
        const QString expected = QString("h200.txt:%1: no line of a recording").arg(line);
        QVERIFY2(QString::fromStdString(recording.error().message).endsWith(expected),
                 recording.error().message.c_str());
    }
};

QTEST_APPLESS_MAIN(RecordingTest)
#include "recording_test.moc"

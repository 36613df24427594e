// The emulator against what a GPU answered: every form of forms.txt, with the bits that tests/golden/<group>.txt holds.
#include "forms.h"

#include "emulator/emulator.h"
#include "ptx/parse.h"

#include <QTemporaryDir>
#include <QTest>

#include <cstring>
#include <fmt/format.h>

using namespace ptxwb;
using golden::Form;

namespace {

const std::filesystem::path folder = PTXWB_SOURCE_DIR "/tests/golden";
using Columns = std::vector<std::vector<std::uint64_t>>;

struct Answer {
    Columns results;
    std::string problem; ///< why there are none
    bool unsupported = false;
};

Answer emulated(const std::shared_ptr<const ptx::Module>& module, std::size_t number, const Form& form,
                const Columns& operands) {
    Answer answer;
    const auto program = emulator::decode(module, fmt::format("form{}", number));
    if (!program) {
        answer.problem = program.error().message;
        return answer;
    }
    constexpr std::size_t each = golden::tuples * 8;
    emulator::Memory memory;
    using emulator::Access, emulator::Initially;
    const auto in = *memory.allocate("in", std::max<std::size_t>(operands.size(), 1) * each, 16, Access::readOnly,
                                     Initially::written);
    const auto out = *memory.allocate("out", form.results.size() * each, 16, Access::readWrite, Initially::written);
    for (std::size_t k = 0; k < operands.size(); ++k)
        std::memcpy(memory.find(in)->bytes.data() + k * each, operands[k].data(), each);
    emulator::Launch launch{{1, 1, 1}, {golden::tuples, 1, 1}, 0, std::vector<std::uint8_t>(16)};
    std::memcpy(launch.parameters.data(), &in, 8);
    std::memcpy(launch.parameters.data() + 8, &out, 8);
    const auto result = emulator::run(**program, memory, launch, {});
    if (!result) {
        answer.problem = result.error().message;
        return answer;
    }
    for (const Finding& finding : result->findings) {
        answer.unsupported |= finding.kind == FindingKind::unsupported;
        answer.problem = finding.message;
    }
    if (!answer.problem.empty()) return answer;
    for (std::size_t k = 0; k < form.results.size(); ++k)
        std::memcpy(answer.results.emplace_back(golden::tuples).data(), memory.find(out)->bytes.data() + k * each,
                    each);
    return answer;
}

} // namespace

class GoldenTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        auto read = golden::readForms(folder / "forms.txt");
        QVERIFY2(read.has_value(), read ? "" : format(read.error()).c_str());
        m_groups = std::move(*read);
    }

    void group_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < m_groups.size(); ++i)
            QTest::newRow(m_groups[i].name.c_str()) << static_cast<int>(i);
    }
    void group() {
        QFETCH(int, index);
        const golden::Group& group = m_groups[static_cast<std::size_t>(index)];
        const auto recording = golden::readRecording(folder / (group.name + ".txt"));
        const auto module = ptx::parse(golden::kernelsOf(group.forms, 90), "forms.ptx");
        for (const Diagnostic& d : module->diagnostics)
            QVERIFY2(d.severity != Severity::error, format(d, *module->text).c_str());
        std::size_t confirmed = 0, lacking = 0, vectors = 0, mismatches = 0, wrong = 0;
        for (std::size_t i = 0; i < group.forms.size(); ++i) {
            const Form& form = group.forms[i];
            const golden::Record* record = recording ? recording->find(form.text) : nullptr;
            const Answer answer = emulated(module, i, form, record ? record->operands : golden::operandsOf(form));
            if (answer.unsupported) {
                ++lacking;
                if (qEnvironmentVariableIsSet("PTXWB_GOLDEN_VERBOSE")) qInfo("lacks %s", form.text.c_str());
                continue;
            }
            QVERIFY2(answer.problem.empty(), (form.text + ": " + answer.problem).c_str());
            if (!record) continue;
            ++confirmed;
            vectors += golden::tuples;
            const auto lines = golden::differences(form, *record, answer.results);
            mismatches += lines.size();
            wrong += !lines.empty();
            for (std::size_t k = 0; k < std::min<std::size_t>(lines.size(), 3); ++k) qWarning("%s", lines[k].c_str());
        }
        qInfo("%zu forms: %zu compared with a GPU's answers (%zu vectors, %zu mismatches in %zu forms), %zu not "
              "confirmed on silicon, %zu that the emulator lacks",
              group.forms.size(), confirmed, vectors, mismatches, wrong, group.forms.size() - confirmed - lacking,
              lacking);
        QCOMPARE(mismatches, std::size_t{0});
    }

    // The comparison itself: a bit that differs is found, one inside the bound is not.
    void comparing() {
        Form form{"", "add.f32 d, a, b", {{"d", "f32"}}, {{"a", "f32"}}, {}};
        golden::Record record{form.text, Columns(1, std::vector<std::uint64_t>(golden::tuples)), {}};
        record.results = Columns(1, std::vector<std::uint64_t>(golden::tuples, 0x3F800000));
        Columns got = record.results;
        QVERIFY(golden::differences(form, record, got).empty());
        got[0][5] = 0x3F800001;
        const auto lines = golden::differences(form, record, got);
        QCOMPARE(lines.size(), std::size_t{1});
        QCOMPARE(lines[0], std::string("add.f32 d, a, b: a=00000000: got d=3f800001, recorded 3f800000"));
        form.bound.ulp = 1;
        QVERIFY(golden::differences(form, record, got).empty());
        got[0][5] = 0x3F800002;
        QCOMPARE(golden::differences(form, record, got).size(), std::size_t{1});
        got[0][5] = 0x7FC00000; // a NaN for a number is wrong under every bound
        QCOMPARE(golden::differences(form, record, got).size(), std::size_t{1});
        record.results[0][5] = 0x7FFFFFFF;
        QCOMPARE(golden::differences(form, record, got).size(), std::size_t{1});
        form.bound.anyNaN = true;
        QVERIFY(golden::differences(form, record, got).empty());
    }

    void recordingsComeBackAsTheyWere() {
        const golden::Group& group = m_groups.front();
        golden::Recording recording{"# one\n# two\n", {}};
        for (std::size_t i = 0; i < 9; ++i)
            recording.records.push_back({group.forms[i].text, golden::operandsOf(group.forms[i]),
                                         Columns(1, std::vector<std::uint64_t>(golden::tuples, i * 0x1111))});
        QTemporaryDir temporary;
        const std::filesystem::path file = temporary.filePath("r.txt").toStdString();
        QFile out(QString::fromStdString(file.string()));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(QByteArray::fromStdString(golden::textOf(recording, group)));
        out.close();
        const auto back = golden::readRecording(file);
        QVERIFY(back.has_value());
        QCOMPARE(back->header, recording.header);
        QCOMPARE(back->records.size(), recording.records.size());
        for (const golden::Record& record : recording.records) {
            const golden::Record* same = back->find(record.form);
            QVERIFY(same);
            QVERIFY(same->operands == record.operands);
            QVERIFY(same->results == record.results);
        }
    }

private:
    std::vector<golden::Group> m_groups;
};

QTEST_APPLESS_MAIN(GoldenTest)
#include "golden_test.moc"

// The cards' data: a record for each opcode that the front end knows, and what a broken file says.
#include "ptx/instruction_notes.h"
#include "test_data.h"

#include <set>

using namespace ptxwb::ptx;

class InstructionNotesTest : public QObject {
    Q_OBJECT

private slots:
    void everyOpcodeHasARecord() {
        std::set<std::string> meanings;
        for (unsigned i = 1; i <= static_cast<unsigned>(Opcode::setmaxnreg); ++i) {
            const auto code = static_cast<Opcode>(i);
            const InstructionRow& row = *instructionRow(code);
            const InstructionNotes* const notes = instructionNotes(code);
            QVERIFY2(notes, row.name.data());
            QVERIFY2(notes->syntax.find(row.name) != std::string::npos, row.name.data());
            QVERIFY2(notes->meaning.size() > 15 && notes->meaning.ends_with('.'), row.name.data());
            QVERIFY2(!notes->types.empty() && !notes->cost.empty() && !notes->latency.empty(), row.name.data());
            QVERIFY2(meanings.insert(notes->meaning).second, row.name.data()); // no text stands twice
        }
        QVERIFY(!instructionNotes(Opcode::unknown));
    }

    void ratesHaveTheirCapability() {
        const InstructionNotes& shift = *instructionNotes(Opcode::shl);
        QCOMPARE(shift.rates.size(), std::size_t{1});
        const auto& rate = shift.rates.front().perClock;
        QVERIFY(std::ranges::find(rate, std::pair<std::string, unsigned>("9.0", 64)) != rate.end());
        QVERIFY(instructionNotes(Opcode::bar)->rates.empty());
        QVERIFY(!instructionRatesSource().empty());
    }

    void saysWhatIsBroken_data() {
        QTest::addColumn<QString>("cards");
        QTest::addColumn<QString>("said");
        const QString good =
            R"("syntax": "s", "meaning": "m", "types": "t", "cost": "c", "rates": ["r"], "latency": "l")";
        QTest::newRow("good") << "\"add\": {" + good + "}" << "";
        QTest::newRow("no such opcode") << "\"adx\": {" + good + "}" << "cards.adx: there is no such opcode";
        QTest::newRow("unknown key") << "\"add\": {\"sintax\": 1, " + good + "}" << "sintax";
        QTest::newRow("missing text") << R"("add": {"syntax": "s", "meaning": "m", "types": "t", "latency": "l"})"
                                      << "cost";
        QTest::newRow("empty text") << "\"add\": {" + QString(good).replace("\"m\"", "\"\"") + "}"
                                    << "meaning is empty";
        QTest::newRow("unknown rate") << "\"add\": {" + QString(good).replace("\"r\"", "\"q\"") + "}"
                                      << "\"q\" is none";
        QTest::newRow("unknown latency") << "\"add\": {" + QString(good).replace("\"l\"", "\"slow\"") + "}" << "slow";
    }
    void saysWhatIsBroken() {
        QFETCH(const QString, cards);
        QFETCH(const QString, said);
        const QString text = R"({"schema": 1, "capabilities": ["9.0"], "rates_source": "s",
            "rates": {"r": {"what": "w", "per_clock": [64]}}, "latencies": {"l": "a while"}, "cards": {)" +
                             cards + "}}";
        const auto read = readInstructionCards(text.toStdString());
        const QString message = read ? QString() : QString::fromStdString(read.error().message);
        QVERIFY2(said.isEmpty() ? read.has_value() : message.contains(said), qPrintable(message));
    }
};

QTEST_APPLESS_MAIN(InstructionNotesTest)
#include "instruction_notes_test.moc"

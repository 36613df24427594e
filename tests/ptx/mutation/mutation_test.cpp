// Correct files are damaged at random places; ptxas and the checker are asked about each. Where ptxas refuses, we must
// report an error on a line that ptxas names or that was damaged (ptxas names the line where its parser gave up, which
// after a forgotten ';' is the next one); where it takes the text, we must report none.
//
// PTXWB_MUTATIONS=20000 makes a longer run, PTXWB_MUTATION_SEED another one, PTXWB_MUTATION_LOG=FILE lists what
// differed.
#include "damage.h"
#include "oracle.h"
#include "ptx/check.h"

#include "../test_data.h"

#include <map>

using namespace ptxwb;
using namespace ptxwb::ptx;
using namespace ptxwb::ptx::mutation;

namespace {

struct Base {
    std::string file, text;
    std::shared_ptr<const Module> module;
    QString architecture;
};

struct Case {
    const Base* base;
    const Damage* kind;
    std::string text;
    std::uint32_t firstLine, lastLine; ///< damaged
};

struct Count {
    int refused = 0, found = 0, taken = 0, silent = 0;
    void add(const Count& other) {
        refused += other.refused, found += other.found, taken += other.taken, silent += other.silent;
    }
};

double percent(int part, int whole) {
    return whole ? 100.0 * part / whole : 100.0;
}

} // namespace

class MutationTest : public QObject {
    Q_OBJECT

    Oracle m_oracle;
    std::vector<Base> m_bases;

    void collect(const std::filesystem::path& folder) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (entry.path().extension() != ".ptx") continue;
            Base base{entry.path().string(), readText(entry.path()), nullptr, {}};
            base.module = parse(base.text, entry.path().filename().string());
            if (base.module->targets.empty() || base.module->functions.empty()) continue;
            base.architecture = Oracle::architecture(base.module->targets.front());
            m_bases.push_back(std::move(base));
        }
    }

    std::vector<Case> draw(std::size_t count, Random& random) const {
        std::vector<const Damage*> kinds;
        for (const Damage& kind : instructionDamages()) kinds.push_back(&kind);
        for (const Damage& kind : declarationDamages()) kinds.push_back(&kind);
        // As many gentle changes as damages: most of what is typed is right.
        const std::size_t damages = kinds.size();
        for (std::size_t i = 0; i < damages; ++i) kinds.push_back(&gentleChanges()[i % gentleChanges().size()]);
        std::vector<Case> cases;
        for (std::size_t i = 0; cases.size() < count && i < 20 * count; ++i) {
            const Damage* const kind = kinds[i % kinds.size()];
            const Base& base = m_bases[random.below(m_bases.size())];
            const auto edit = damage(*base.module, *kind, random);
            if (!edit) continue;
            std::string text = base.text;
            text.replace(edit->span.offset, edit->span.length, edit->replacement);
            const std::uint32_t line = base.module->lineOf(edit->span.offset);
            const auto added = std::count(edit->replacement.begin(), edit->replacement.end(), '\n');
            cases.push_back({&base, kind, std::move(text), line, line + static_cast<std::uint32_t>(added)});
        }
        return cases;
    }

    /// Compares the two answers; says what differed.
    static std::string judge(const Case& one, const Answer& theirs, Count& count) {
        const auto module = parse(one.text, "damaged.ptx");
        const auto diagnostics = check(*module);
        bool any = false, sameLine = false;
        for (const Diagnostic& d : diagnostics) {
            if (d.severity != Severity::error) continue;
            any = true;
            const std::uint32_t line = d.place.line;
            sameLine |=
                theirs.lines.contains(line) || (line >= one.firstLine && line <= one.lastLine) || theirs.lines.empty();
        }
        if (theirs.taken) {
            ++count.taken;
            count.silent += !any;
            if (!any) return {};
        } else {
            ++count.refused;
            count.found += sameLine;
            if (sameLine) return {};
        }
        std::string what = std::string(theirs.taken ? "FALSE ALARM"
                                       : any        ? "OTHER LINE"
                                                    : "MISSED") +
                           ": " + one.kind->name + " in " + std::filesystem::path(one.base->file).filename().string() +
                           ", line " + std::to_string(one.firstLine) + "\n";
        std::istringstream lines(one.text);
        std::string line;
        for (std::uint32_t i = 0; i < one.firstLine && std::getline(lines, line); ++i) {
        }
        what += "    " + line.substr(0, 200) + "\n" + theirs.said.substr(0, 300);
        for (const Diagnostic& d : diagnostics)
            if (d.severity == Severity::error) what += format(d, one.text);
        return what;
    }

private slots:
    void initTestCase() {
        if (m_oracle.isMissing()) QSKIP("no ptxas on this machine: there is nobody to compare with");
        for (const char* folder : {"cases", "nvcc", "forms"}) collect(dataFolder() / folder);
        collect(std::filesystem::path(PTXWB_SOURCE_DIR) / "resources/examples");
        std::vector<std::string> texts;
        std::vector<QString> architectures;
        for (const Base& base : m_bases) {
            texts.push_back(base.text);
            architectures.push_back(base.architecture);
        }
        const auto answers = m_oracle.ask(texts, architectures);
        std::vector<Base> correct;
        for (std::size_t i = 0; i < m_bases.size(); ++i) {
            if (!answers[i].taken) continue;
            const auto diagnostics = check(*m_bases[i].module);
            QVERIFY2(!hasErrors(diagnostics), formatAll(*m_bases[i].module, diagnostics).c_str());
            correct.push_back(std::move(m_bases[i]));
        }
        m_bases.clear();
        // The files with one instruction of each kind are few and say most.
        for (const Base& base : correct)
            for (int i = 0; i < (base.file.find("/forms/") == std::string::npos ? 1 : 8); ++i) m_bases.push_back(base);
        QVERIFY(correct.size() >= 20);
    }

    void agreesWithPtxas() {
        bool given = false;
        const int wanted = qEnvironmentVariableIntValue("PTXWB_MUTATIONS", &given);
        Random random(qEnvironmentVariableIsSet("PTXWB_MUTATION_SEED")
                          ? static_cast<std::uint64_t>(qEnvironmentVariableIntValue("PTXWB_MUTATION_SEED"))
                          : 1);
        std::ofstream log(qEnvironmentVariable("PTXWB_MUTATION_LOG").toStdString());
        const auto cases = draw(given ? static_cast<std::size_t>(wanted) : 2000, random);
        std::vector<std::string> texts;
        std::vector<QString> architectures;
        for (const Case& one : cases) {
            texts.push_back(one.text);
            architectures.push_back(one.base->architecture);
        }
        const auto answers = m_oracle.ask(texts, architectures);
        std::map<std::string, Count> byKind;
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const std::string difference = judge(cases[i], answers[i], byKind[cases[i].kind->name]);
            if (!difference.empty()) log << difference << "\n";
        }
        Count all;
        for (const auto& [kind, count] : byKind) {
            qInfo("%-28s refused %4d, found %5.1f %%; taken %4d, silent %5.1f %%", kind.c_str(), count.refused,
                  percent(count.found, count.refused), count.taken, percent(count.silent, count.taken));
            all.add(count);
        }
        qInfo("all: %d refused by ptxas, %.2f %% found by us; %d taken, %.2f %% without an error of ours", all.refused,
              percent(all.found, all.refused), all.taken, percent(all.silent, all.taken));
        QVERIFY(byKind.size() >= 30);
        QVERIFY(percent(all.found, all.refused) >= 95.0);
        QVERIFY(percent(all.silent, all.taken) >= 99.5);
    }
};

QTEST_APPLESS_MAIN(MutationTest)
#include "mutation_test.moc"

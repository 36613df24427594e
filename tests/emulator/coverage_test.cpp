// Which share of the opcode forms in real kernels' PTX (tests/data/emulator/coverage/corpus.tsv) the emulator decodes.
// It prints the shares; the forms that it lacks are listed in unsupported.txt, most widely used first, and the test
// compares. PTXWB_UPDATE=1 writes that list anew.
#include "emulator/program.h"
#include "ptx/check.h"
#include "ptx/parse.h"

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

using namespace ptxwb;

namespace {

const std::filesystem::path folder = PTXWB_SOURCE_DIR "/tests/data/emulator/coverage";

struct CorpusForm {
    std::string text;
    std::uint64_t instructions = 0, kernels = 0;
};

struct OperandRow {
    std::vector<std::string> words; ///< the opcode first
    std::string operands;
};

std::vector<std::string> dataLines(const char* file) {
    std::ifstream in(folder / file);
    std::vector<std::string> out;
    for (std::string line; std::getline(in, line);)
        if (!line.empty() && !line.starts_with("#")) out.push_back(line);
    return out;
}

std::vector<CorpusForm> readCorpus() {
    std::vector<CorpusForm> out;
    for (const std::string& line : dataLines("corpus.tsv")) {
        std::istringstream columns(line);
        CorpusForm form;
        columns >> form.text >> form.instructions >> form.kernels;
        out.push_back(form);
    }
    return out;
}

std::vector<OperandRow> readOperands() {
    std::vector<OperandRow> out;
    for (const std::string& line : dataLines("operands.txt")) {
        const auto bar = line.find('|');
        std::istringstream words(line.substr(0, bar));
        OperandRow row;
        for (std::string word; words >> word;) row.words.push_back(word);
        const auto start = line.find_first_not_of(' ', bar + 1);
        if (start != std::string::npos) row.operands = line.substr(start);
        out.push_back(row);
    }
    return out;
}

std::vector<std::string> wordsOf(const std::string& form) {
    std::vector<std::string> out;
    std::istringstream in(form);
    for (std::string word; std::getline(in, word, '.');) out.push_back(word);
    return out;
}

char registerLetter(ptx::ScalarType type, bool twice) {
    using T = ptx::ScalarType;
    if (type == T::pred) return 'p';
    if (type == T::f32) return 'f';
    if (type == T::f64) return 'd';
    const unsigned bytes = ptx::sizeBytes(type) * (twice ? 2 : 1);
    return bytes >= 16 ? 'q' : bytes == 8 ? 'l' : bytes == 4 ? 'r' : 'h';
}

std::string registers(char letter, unsigned count) {
    std::string out;
    for (unsigned i = 0; i < count; ++i)
        out += fmt::format("{}%{}{}", i ? ", " : "", letter == 'l' ? "rd" : std::string(1, letter), i + 1);
    return out;
}

/// The operands of a row, for one form.
std::string expanded(const OperandRow& row, const std::vector<std::string>& words) {
    std::vector<ptx::ScalarType> types;
    unsigned vector = 0;
    ptx::StateSpace space = ptx::StateSpace::none;
    for (const std::string& text : words) {
        const ptx::Word word = ptx::word(text);
        if (word.type != ptx::ScalarType::none) types.push_back(word.type);
        if (word.vector) vector = word.vector;
        if (word.space != ptx::StateSpace::none) space = word.space;
    }
    const auto type = [&](std::size_t i) { return i < types.size() ? types[i] : ptx::ScalarType::b32; };
    std::string out;
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
        const char c = row.operands[i];
        if (c == '$') {
            const char what = row.operands[++i];
            if (what == 'v' && vector)
                out += "{" + registers(registerLetter(type(0), false), vector) + "}";
            else if (what == 'w')
                out += registers(registerLetter(type(0), true), 1);
            else
                out +=
                    registers(registerLetter(type(what == 'v' ? 0 : static_cast<std::size_t>(what - '0')), false), 1);
        } else if (c == '{' && i + 1 < row.operands.size() && std::isdigit(row.operands[i + 1])) {
            std::size_t letter = i + 1;
            while (std::isdigit(row.operands[letter])) ++letter;
            const unsigned count = static_cast<unsigned>(std::stoul(row.operands.substr(i + 1, letter - i - 1)));
            out += "{" + registers(row.operands[letter], count) + "}";
            i = letter + 1;
        } else if (c == '@') {
            switch (space) {
            case ptx::StateSpace::shared: out += "[shared]"; break;
            case ptx::StateSpace::local: out += "[local]"; break;
            case ptx::StateSpace::constant: out += "[constant]"; break;
            case ptx::StateSpace::param: out += words[0] == "st" ? "[argument]" : "[parameter]"; break;
            default: out += "[%rd1]"; break;
            }
        } else {
            out += c;
        }
    }
    return out;
}

std::string example(const std::string& form, const std::vector<OperandRow>& rows) {
    const auto words = wordsOf(form);
    for (const OperandRow& row : rows) {
        if (row.words[0] != words[0]) continue;
        const bool fits = std::ranges::all_of(
            row.words, [&](const std::string& word) { return std::ranges::find(words, word) != words.end(); });
        if (fits) return row.operands == "-" ? std::string() : form + " " + expanded(row, words) + ";";
    }
    return {};
}

std::shared_ptr<const ptx::Module> moduleWith(const std::string& instruction, const char* target) {
    return ptx::parse(fmt::format(".version 9.0\n.target {}\n.address_size 64\n"
                                  ".const .align 16 .b8 constant[64];\n"
                                  ".global .texref image;\n.global .surfref surface;\n"
                                  ".func (.param .b64 r) callee(.param .b64 a) {{ ret; }}\n"
                                  ".visible .entry k(.param .align 16 .b8 parameter[64])\n{{\n"
                                  ".shared .align 16 .b8 shared[64];\n.local .align 16 .b8 local[64];\n"
                                  ".reg .pred %p<4>; .reg .b8 %byte; .reg .b16 %h<9>; .reg .b32 %r<17>;\n"
                                  ".reg .b64 %rd<9>; .reg .f32 %f<129>; .reg .f64 %d<9>; .reg .b128 %q<4>;\n"
                                  ".param .b64 result;\n.param .align 16 .b8 argument[64];\n{}\nEND:\nret;\n}}\n",
                                  target, instruction),
                      "example.ptx");
}

std::string errorsOf(const ptx::Module& module) {
    for (const Diagnostic& d : ptx::check(module))
        if (d.severity == Severity::error) return d.message;
    return {};
}

bool decodes(const std::shared_ptr<const ptx::Module>& module) {
    const auto program = emulator::decode(module, "k");
    return program && std::ranges::none_of((*program)->functions, [](const emulator::DecodedFunction& f) {
               return std::ranges::any_of(f.code,
                                          [](const auto& op) { return op.kind == emulator::Kind::unsupported; });
           });
}

} // namespace

class CoverageTest : public QObject {
    Q_OBJECT

private slots:
    void share() {
        const auto corpus = readCorpus();
        const auto rows = readOperands();
        QVERIFY(corpus.size() > 900);
        std::uint64_t all = 0, decoded = 0;
        std::size_t forms = 0;
        std::string missing, wrong;
        for (const CorpusForm& form : corpus) {
            all += form.instructions;
            const std::string text = example(form.text, rows);
            auto module = moduleWith(text, "sm_90a");
            std::string error = errorsOf(*module);
            if (!error.empty()) {
                module = moduleWith(text, "sm_100a");
                if (errorsOf(*module).empty()) error.clear();
            }
            if (!error.empty()) wrong += fmt::format("{}: {}\n", text, error);
            if (!text.empty() && error.empty() && decodes(module)) {
                decoded += form.instructions;
                ++forms;
            } else {
                missing += fmt::format("{}\t{}\t{}\n", form.text, form.instructions, form.kernels);
            }
        }
        qInfo("decoded: %zu of %zu forms (%.1f %%), %.3f %% of %llu instructions", forms, corpus.size(),
              100.0 * static_cast<double>(forms) / static_cast<double>(corpus.size()),
              100.0 * static_cast<double>(decoded) / static_cast<double>(all), static_cast<unsigned long long>(all));
        QVERIFY2(wrong.empty(), wrong.c_str());
        const std::string expected = "# Forms of corpus.tsv that the emulator does not decode.\n" + missing;
        if (qEnvironmentVariableIsSet("PTXWB_UPDATE")) std::ofstream(folder / "unsupported.txt") << expected;
        std::ifstream file(folder / "unsupported.txt");
        std::ostringstream kept;
        kept << file.rdbuf();
        QCOMPARE(QString::fromStdString(expected), QString::fromStdString(kept.str()));
    }
};

QTEST_APPLESS_MAIN(CoverageTest)
#include "coverage_test.moc"

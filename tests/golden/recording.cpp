// Recorded answers: the text of tests/golden/<group>.txt, and the comparison with other answers.
#include "forms.h"
#include "support/files.h"

#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <sstream>

namespace ptxwb::golden {

namespace {

using Words = std::vector<std::uint64_t>;

void addWords(std::string& text, const std::string& name, const Words& words, unsigned bits) {
    const unsigned digits = (bits + 3) / 4;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i % 32 == 0) text += fmt::format("{}{}", i ? "\n" : "", name);
        text += fmt::format(" {:0{}x}", words[i], digits);
    }
    text += '\n';
}

std::string kindsOf(const std::vector<Value>& values) {
    std::string text;
    for (const Value& v : values) text += (text.empty() ? "" : " ") + v.kind;
    return text;
}

/// A value of the classes that have a bound; NaN for the others.
double numberOf(std::string_view kind, std::uint64_t bits) {
    if (kind == "f32") return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (kind == "f64") return std::bit_cast<double>(bits);
    if (kind == "bf16") return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
    if (kind != "f16") return std::nan("");
    const auto exponent = static_cast<int>(bits >> 10 & 31);
    const auto fraction = static_cast<double>(bits & 0x3FF);
    const double size = exponent == 31  ? (fraction != 0 ? std::nan("") : HUGE_VAL)
                        : exponent == 0 ? std::ldexp(fraction, -24)
                                        : std::ldexp(fraction + 1024, exponent - 25);
    return bits & 0x8000 ? -size : size;
}

/// Distance of two values in units of the last place: the order of the bits is the order of the numbers.
double placesApart(std::string_view kind, std::uint64_t a, std::uint64_t b) {
    const std::uint64_t sign = std::uint64_t{1} << (bitsOf(kind) - 1);
    const auto ordered = [sign](std::uint64_t x) {
        return x & sign ? -static_cast<double>(x & ~sign) : static_cast<double>(x);
    };
    return std::fabs(ordered(a) - ordered(b));
}

/// Packed classes are judged by their halves.
bool agrees(const Form& form, std::string_view kind, std::uint64_t got, std::uint64_t wanted) {
    if (got == wanted) return true;
    if (kind == "f16x2" || kind == "bf16x2") {
        const std::string_view half = kind == "f16x2" ? "f16" : "bf16";
        return agrees(form, half, got & 0xFFFF, wanted & 0xFFFF) && agrees(form, half, got >> 16, wanted >> 16);
    }
    const double a = numberOf(kind, got), b = numberOf(kind, wanted);
    const bool isFloat = kind == "f16" || kind == "bf16" || kind == "f32" || kind == "f64";
    if (isFloat && form.bound.anyNaN && std::isnan(a) && std::isnan(b)) return true;
    if (!isFloat || std::isnan(a) || std::isnan(b)) return false;
    const Bound& bound = form.bound;
    if (bound.isExact()) return false;
    const double apart = std::fabs(a - b);
    return placesApart(kind, got, wanted) <= bound.ulp || apart <= bound.relative * std::fabs(b) ||
           apart <= bound.absolute;
}

std::string shown(const std::vector<Value>& values, const std::vector<Words>& words, std::size_t tuple) {
    std::string text;
    for (std::size_t k = 0; k < values.size(); ++k)
        text += fmt::format("{}{}={:0{}x}", k ? " " : "", values[k].name, words[k][tuple],
                            (bitsOf(values[k].kind) + 3) / 4);
    return text;
}

} // namespace

const Record* Recording::find(std::string_view form) const {
    for (const Record& record : records)
        if (record.form == form) return &record;
    return nullptr;
}

std::string textOf(const Recording& recording, const Group& group) {
    std::string text = recording.header;
    std::string shared; // the operands that the next forms have in common
    std::map<std::string, std::vector<const Form*>> byKinds;
    for (const Form& form : group.forms) byKinds[kindsOf(form.operands)].push_back(&form);
    for (const auto& [kinds, forms] : byKinds)
        for (const Form* form : forms) {
            const Record* record = recording.find(form->text);
            if (!record) continue;
            if (shared != kinds) {
                text += fmt::format("operands {}\n", kinds);
                for (std::size_t k = 0; k < record->operands.size(); ++k)
                    addWords(text, ".", record->operands[k], bitsOf(form->operands[k].kind));
                shared = kinds;
            }
            text += fmt::format("form {}\n", form->text);
            for (std::size_t k = 0; k < record->results.size(); ++k)
                addWords(text, "=", record->results[k], bitsOf(form->results[k].kind));
        }
    return text;
}

Expected<Recording> readRecording(const std::filesystem::path& file) {
    auto text = readFile(file);
    if (!text) return std::unexpected(text.error());
    Recording recording;
    std::vector<Words> operands;
    std::istringstream stream(*text);
    std::string line;
    std::size_t k = 0, filled = tuples; // words of the register that is being read
    for (int number = 1; std::getline(stream, line); ++number) {
        if (line.starts_with('#')) {
            recording.header += line + "\n";
            continue;
        }
        if (line.starts_with("operands ")) {
            operands.clear();
            filled = tuples;
            continue;
        }
        if (line.starts_with("form ")) {
            recording.records.push_back({line.substr(5), operands, {}});
            filled = tuples;
            continue;
        }
        const bool isResult = line.starts_with("= ");
        if ((!isResult && !line.starts_with(". ")) || (isResult && recording.records.empty()))
            return failure(Cause::rejected,
                           fmt::format("{}, line {}: not a line of a recording", file.string(), number),
                           "record it again with golden_record");
        auto& into = isResult ? recording.records.back().results : operands;
        if (filled == tuples) {
            into.emplace_back();
            k = into.size() - 1;
            filled = 0;
        }
        std::istringstream values(line.substr(2));
        values >> std::hex;
        for (std::uint64_t value = 0; values >> value; ++filled) into[k].push_back(value);
    }
    return recording;
}

std::vector<std::string> differences(const Form& form, const Record& record, const std::vector<Words>& got) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < tuples; ++i)
        for (std::size_t k = 0; k < form.results.size(); ++k) {
            const Value& v = form.results[k];
            if (agrees(form, v.kind, got[k][i], record.results[k][i])) continue;
            const unsigned digits = (bitsOf(v.kind) + 3) / 4;
            out.push_back(fmt::format("{}: {}: got {}={:0{}x}, recorded {:0{}x}", form.text,
                                      shown(form.operands, record.operands, i), v.name, got[k][i], digits,
                                      record.results[k][i], digits));
        }
    return out;
}

} // namespace ptxwb::golden

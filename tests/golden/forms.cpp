// Reads forms.txt and writes its kernels.
#include "forms.h"
#include "support/files.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <sstream>

namespace ptxwb::golden {

namespace {

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> out;
    while (true) {
        const auto end = text.find(at);
        out.push_back(trimmed(text.substr(0, end)));
        if (end == std::string_view::npos) return out;
        text.remove_prefix(end + 1);
    }
}

/// Columns are set apart by a bar behind a blank: `d|e` is an operand.
std::vector<std::string> columnsOf(std::string_view line) {
    std::vector<std::string> out(1);
    for (std::size_t i = 0; i < line.size(); ++i)
        if (line[i] == '|' && i > 0 && line[i - 1] == ' ')
            out.emplace_back();
        else
            out.back() += line[i];
    for (std::string& column : out) column = trimmed(column);
    return out;
}

std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> out;
    for (std::string& word : split(text, ' '))
        if (!word.empty()) out.push_back(std::move(word));
    return out;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

/// "2^-22" or "1.5".
bool takeNumber(std::string_view text, double& out) {
    const bool power = text.starts_with("2^");
    if (power) text.remove_prefix(2);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (power) out = std::exp2(out);
    return error == std::errc() && end == text.data() + text.size();
}

/// The line and its copies for every value of `NAME value value ...` choices; `-` stands for nothing.
std::vector<std::string> expanded(const std::string& line, const std::string& choices) {
    std::vector<std::string> lines{line};
    for (const std::string& choice : split(choices, ';')) {
        const auto parts = words(choice);
        if (parts.size() < 2) continue;
        std::vector<std::string> next;
        for (const std::string& l : lines)
            for (std::size_t i = 1; i < parts.size(); ++i)
                next.push_back(replaced(l, "<" + parts[0] + ">", parts[i] == "-" ? "" : parts[i]));
        lines = std::move(next);
    }
    return lines;
}

bool takeValues(std::string_view text, std::vector<Value>& out) {
    for (const std::string& word : words(text)) {
        const auto parts = split(word, ':');
        if (parts.size() != 2 || !bitsOf(parts[1])) return false;
        out.push_back({parts[0], parts[1]});
    }
    return true;
}

bool takeBound(std::string_view text, Form& form) {
    for (const std::string& part : split(text, ',')) {
        const auto w = words(part);
        if (part == "exact" || part.empty()) continue;
        if (part == "any NaN") {
            form.bound.anyNaN = true;
            continue;
        }
        double Bound::* const limit = w[0] == "ulp"        ? &Bound::ulp
                                      : w[0] == "relative" ? &Bound::relative
                                      : w[0] == "absolute" ? &Bound::absolute
                                                           : nullptr;
        if (w.size() != 2 || !limit || !takeNumber(w[1], form.bound.*limit)) return false;
        form.bound.anyNaN = true;
    }
    return true;
}

bool takeForm(const std::string& line, Form& form) {
    const auto columns = columnsOf(line);
    if (columns.size() < 2) return false;
    form.text = columns[0];
    const auto sides = split(columns[1], '=');
    return sides.size() == 2 && takeValues(sides[0], form.results) && takeValues(sides[1], form.operands) &&
           (columns.size() < 3 || takeBound(columns[2], form));
}

std::string registerType(std::string_view kind) {
    const unsigned bits = bitsOf(kind);
    return bits == 1 ? ".pred" : bits <= 16 ? ".b16" : bits == 32 ? ".b32" : ".b64";
}

std::string kernelOf(const Form& form, std::size_t number) {
    std::string declarations, loads, stores;
    for (std::size_t k = 0; k < form.operands.size(); ++k) {
        const Value& v = form.operands[k];
        const unsigned bits = bitsOf(v.kind);
        const std::size_t offset = k * tuples * 8;
        declarations += fmt::format("\t.reg {} {};\n", registerType(v.kind), v.name);
        if (bits == 1)
            loads += fmt::format("\tld.global.b32 %word, [%in+{}];\n\tsetp.ne.b32 {}, %word, 0;\n", offset, v.name);
        else
            loads += fmt::format("\tld.global{} {}, [%in+{}];\n", registerType(v.kind), v.name, offset);
    }
    for (std::size_t k = 0; k < form.results.size(); ++k) {
        const Value& v = form.results[k];
        const std::size_t offset = k * tuples * 8;
        declarations += fmt::format("\t.reg {} {};\n", registerType(v.kind), v.name);
        if (bitsOf(v.kind) == 1)
            stores += fmt::format("\tselp.b32 %word, 1, 0, {};\n\tst.global.b32 [%out+{}], %word;\n", v.name, offset);
        else
            stores += fmt::format("\tst.global{} [%out+{}], {};\n", registerType(v.kind), offset, v.name);
    }
    if (form.text.find("buf") != std::string::npos || form.text.find("[s]") != std::string::npos)
        declarations += "\t.shared .align 16 .b8 buf[2048];\n";
    std::string body;
    for (const std::string& instruction : split(form.text, ';')) body += "\t" + instruction + ";\n";
    const bool usesShared = declarations.find(" buf[") != std::string::npos;
    return fmt::format(R"(// {0}
.visible .entry form{1}(.param .u64 in, .param .u64 out)
{{
	.reg .b32 %word, %index, t, u, s;
	.reg .pred p, q;
	.reg .b64 %in, %out, %step;
{2}	ld.param.u64 %in, [in];
	ld.param.u64 %out, [out];
	mov.u32 %index, %tid.x;
	mul.wide.u32 %step, %index, 8;
	add.s64 %in, %in, %step;
	add.s64 %out, %out, %step;
{3}{4}{5}{6}	ret;
}}
)",
                       form.text, number, declarations,
                       usesShared ? "\tmov.u32 s, buf;\n\tshl.b32 %word, %index, 4;\n\tadd.u32 s, s, %word;\n" : "",
                       loads, body, stores);
}

} // namespace

Expected<std::vector<Group>> readForms(const std::filesystem::path& file) {
    auto text = readFile(file);
    if (!text) return std::unexpected(text.error());
    std::vector<Group> groups;
    std::istringstream stream(*text);
    std::set<std::string> texts;
    std::string line;
    for (int number = 1; std::getline(stream, line); ++number) {
        line = trimmed(line);
        if (line.empty() || line.starts_with('#')) continue;
        const auto bad = [&](const char* what) {
            return failure(Cause::rejected, fmt::format("{}, line {}: {}", file.string(), number, what),
                           "the head of the file describes the columns");
        };
        if (line.starts_with("group ")) {
            const auto parts = words(line);
            if (parts.size() != 3 || !parts[2].starts_with("sm_")) return bad("a group is `group NAME sm_NN`");
            groups.push_back({parts[1], std::atoi(parts[2].c_str() + 3), {}});
            texts.clear();
            continue;
        }
        if (groups.empty()) return bad("a form before the first group");
        const auto columns = columnsOf(line);
        for (const std::string& each : expanded(line, columns.size() > 3 ? columns[3] : "")) {
            Form form;
            form.group = groups.back().name;
            if (!takeForm(each, form)) return bad("not `instructions | results = operands | bound | choices`");
            if (!texts.insert(form.text).second) return bad("the same form once more");
            groups.back().forms.push_back(std::move(form));
        }
    }
    return groups;
}

std::string kernelsOf(const std::vector<Form>& forms, int arch) {
    std::string text =
        fmt::format(".version {}\n.target sm_{}\n.address_size 64\n\n", arch < 100 ? "8.1" : "8.6", arch);
    for (std::size_t i = 0; i < forms.size(); ++i) text += kernelOf(forms[i], i) + "\n";
    return text;
}

} // namespace ptxwb::golden

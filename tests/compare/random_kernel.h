// Random PTX kernels, random renamings of them, random single mutations: from a seed, the same on every machine.
// Used by the tests of the comparison and its benchmark.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::compare::test {

class Random {
public:
    explicit Random(std::uint64_t seed) : m_engine(seed) {}
    /// 0 to n - 1
    std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(m_engine() % n); }
    template <class T>
    const T& of(const std::vector<T>& choices) {
        return choices[below(choices.size())];
    }
    template <class T>
    void shuffle(std::vector<T>& values) {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
    }

private:
    std::mt19937_64 m_engine;
};

inline std::vector<std::string> splitLines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

inline std::string joinLines(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text;
}

enum class Reuse : std::uint8_t { never, often };

/// About `instructions` instructions with blocks, loops, vectors, predicates and repeated stretches. With Reuse::never
/// each register is written once, as nvcc writes it.
class KernelWriter {
public:
    KernelWriter(std::uint64_t seed, Reuse reuse) : m_random(seed), m_reuse(reuse) {}

    std::string write(std::size_t instructions, const std::string& name = "kernel") {
        m_body.clear();
        m_count.clear();
        line("ld.param.u64 " + fresh("rd") + ", [" + name + "_param_0];");
        line("ld.param.u32 " + fresh("r") + ", [" + name + "_param_1];");
        line("mov.u32 " + fresh("r") + ", %tid.x;");
        line("mov.f32 " + fresh("f") + ", 0f00000000;");
        line("setp.ge.s32 " + fresh("p") + ", %r1, %r0;");
        std::size_t written = 5;
        std::vector<std::string> loops;
        while (written < instructions) {
            const std::uint32_t what = m_random.below(40);
            if (what == 0) {
                loops.push_back("$L__BB0_" + std::to_string(++m_labels));
                m_body.push_back("\n" + loops.back() + ":");
            } else if (what == 1 && !loops.empty()) {
                line("@" + std::string(m_random.below(2) ? "!" : "") + old("p") + " bra " + loops.back() + ";");
                loops.pop_back();
            } else if (what == 2) {
                // an unrolled stretch of like instructions
                const std::uint32_t times = 4 + m_random.below(12);
                for (std::uint32_t i = 0; i < times; ++i) line(fused());
                written += times;
            } else if (what == 3) {
                line("bar.sync 0;");
            } else {
                line(instruction());
            }
            ++written;
        }
        for (const std::string& label : loops) line("@" + old("p") + " bra " + label + ";");
        line("ret;");
        std::string text =
            "//\n// Generated for a test\n//\n\n.version 8.0\n.target sm_80\n.address_size 64\n\n.visible .entry " +
            name + "(\n\t.param .u64 " + name + "_param_0,\n\t.param .u32 " + name + "_param_1\n)\n{\n";
        const std::map<std::string, std::string> types{{"p", "pred"}, {"f", "f32"}, {"r", "b32"}, {"rd", "b64"}};
        for (const auto& [stem, type] : types)
            text += "\t.reg ." + type + " \t%" + stem + "<" + std::to_string(m_count[stem]) + ">;\n";
        text += "\n";
        for (const std::string& bodyLine : m_body) text += bodyLine + "\n";
        return text + "\n}\n";
    }

private:
    void line(const std::string& text) { m_body.push_back("\t" + text); }

    std::string fresh(const std::string& stem) { return "%" + stem + std::to_string(m_count[stem]++); }
    std::string old(const std::string& stem) {
        const std::uint32_t known = m_count[stem];
        // Recent values are read more often, as in real code.
        const std::uint32_t reach = std::min<std::uint32_t>(known, m_random.below(4) == 0 ? known : 12);
        return "%" + stem + std::to_string(known - 1 - m_random.below(reach));
    }
    std::string target(const std::string& stem) {
        return m_reuse == Reuse::often && m_random.below(2) ? old(stem) : fresh(stem);
    }
    std::string immediate() { return std::to_string(m_random.below(200)); }

    std::string fused() {
        const std::string a = old("f"), b = old("f"), c = old("f");
        return "fma.rn.f32 " + target("f") + ", " + a + ", " + b + ", " + c + ";";
    }

    std::string instruction() {
        const std::string r = old("r"), s = old("r"), f = old("f"), g = old("f"), d = old("rd"), p = old("p");
        switch (m_random.below(14)) {
        case 0:
            return "add.s32 " + target("r") + ", " + r + ", " + s + ";";
        case 1:
            return "add.s32 " + target("r") + ", " + r + ", " + immediate() + ";";
        case 2:
            return "mul.lo.s32 " + target("r") + ", " + r + ", " + s + ";";
        case 3:
            return "shl.b32 " + target("r") + ", " + r + ", " + std::to_string(m_random.below(31)) + ";";
        case 4:
            return "mul.wide.s32 " + target("rd") + ", " + r + ", 4;";
        case 5:
            return "add.s64 " + target("rd") + ", " + d + ", " + old("rd") + ";";
        case 6:
            return "ld.global.f32 " + target("f") + ", [" + d + "+" + immediate() + "];";
        case 7:
            return "ld.global.v2.f32 {" + fresh("f") + ", " + fresh("f") + "}, [" + d + "];";
        case 8:
            return "st.global.f32 [" + d + "+" + immediate() + "], " + f + ";";
        case 9:
            return "setp.lt.s32 " + target("p") + ", " + r + ", " + s + ";";
        case 10:
            return "selp.f32 " + target("f") + ", " + f + ", " + g + ", " + p + ";";
        case 11:
            return "@" + p + " add.f32 " + target("f") + ", " + f + ", " + g + ";";
        case 12:
            return "mov.f32 " + target("f") + ", 0f3F800000;";
        default:
            return fused();
        }
    }

    Random m_random;
    Reuse m_reuse;
    std::map<std::string, std::uint32_t> m_count;
    std::uint32_t m_labels = 0;
    std::vector<std::string> m_body;
};

/// Cuts a line into names, numbers and the rest, without white space.
inline std::vector<std::string> wordsOf(const std::string& line) {
    static const std::regex word(R"([%$\w]+|[^\s\w%$])");
    std::vector<std::string> words;
    for (auto it = std::sregex_iterator(line.begin(), line.end(), word); it != std::sregex_iterator(); ++it)
        words.push_back(it->str());
    return words;
}

inline bool isRegister(const std::string& word) {
    static const std::regex name("%(p|f|r|rd)[0-9]+");
    return std::regex_match(word, name);
}
inline bool isLabel(const std::string& word) {
    return word.starts_with("$L");
}
inline std::string stemOf(const std::string& word) {
    return word.substr(0, word.find_first_of("0123456789"));
}

/// Replaces each register and label by what `replace` says.
template <class Replace>
std::string replaceNames(const std::string& text, Replace replace) {
    static const std::regex name(R"(%[a-z]+[0-9]+|\$L\w+)");
    std::string result;
    auto last = text.begin();
    for (auto it = std::sregex_iterator(text.begin(), text.end(), name); it != std::sregex_iterator(); ++it) {
        result.append(last, text.begin() + it->position());
        result += replace(it->str());
        last = text.begin() + it->position() + it->length();
    }
    return result.append(last, text.end());
}

/// Registers trade their numbers within their group, labels get new names.
inline std::string renamePermuted(const std::string& text, Random& random) {
    std::map<std::string, std::uint32_t> sizes;
    static const std::regex declaration(R"((%[a-z]+)<([0-9]+)>)");
    for (auto it = std::sregex_iterator(text.begin(), text.end(), declaration); it != std::sregex_iterator(); ++it)
        sizes[(*it)[1]] = static_cast<std::uint32_t>(std::stoul((*it)[2]));
    std::map<std::string, std::vector<std::uint32_t>> order;
    for (const auto& [stem, size] : sizes) {
        for (std::uint32_t i = 0; i < size; ++i) order[stem].push_back(i);
        random.shuffle(order[stem]);
    }
    const std::string salt = std::to_string(random.below(1000));
    return replaceNames(text, [&](const std::string& name) {
        if (isLabel(name)) return "$L" + salt + "_" + std::to_string(std::hash<std::string>{}(name + salt));
        const std::string stem = stemOf(name);
        return stem + std::to_string(order.at(stem).at(std::stoul(name.substr(stem.size()))));
    });
}

/// Every register gets a name and a declarator of its own, in random order; `.reg` lines are added for it.
inline std::string renameSingly(const std::string& text, Random& random) {
    const std::string permuted = renamePermuted(text, random);
    std::string result = replaceNames(permuted, [&](const std::string& name) {
        if (isLabel(name)) return name;
        return "%own_" + name.substr(1);
    });
    static const std::regex declaration(R"(\t\.reg \.(\w+)\s+%([a-z]+)<([0-9]+)>;\n)");
    std::string declared;
    std::smatch match;
    while (std::regex_search(result, match, declaration)) {
        std::vector<std::string> names;
        for (std::uint32_t i = 0; i < std::stoul(match[3]); ++i)
            names.push_back("%own_" + match[2].str() + std::to_string(i));
        random.shuffle(names);
        std::string lines;
        for (std::size_t i = 0; i < names.size(); i += 7) {
            lines += "\t.reg ." + match[1].str() + " ";
            for (std::size_t k = i; k < std::min(i + 7, names.size()); ++k) lines += (k > i ? ", " : "") + names[k];
            lines += ";\n";
        }
        declared += lines;
        result.replace(static_cast<std::size_t>(match.position()), static_cast<std::size_t>(match.length()), "");
    }
    return result.insert(result.find("{\n") + 2, declared);
}

/// The plain definition of "same", line by line: blank lines and comments aside, equal words under one bijection of
/// registers (of one stem) and labels.
inline bool sameByDefinition(const std::string& a, const std::string& b) {
    const auto codeOf = [](const std::string& text) {
        std::vector<std::vector<std::string>> code;
        for (const std::string& line : splitLines(text)) {
            const auto words = wordsOf(line.substr(0, line.find("//")));
            if (!words.empty()) code.push_back(words);
        }
        return code;
    };
    const auto left = codeOf(a), right = codeOf(b);
    if (left.size() != right.size()) return false;
    std::map<std::string, std::string> there, back;
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (left[i].size() != right[i].size()) return false;
        for (std::size_t k = 0; k < left[i].size(); ++k) {
            const std::string &x = left[i][k], &y = right[i][k];
            const bool names = (isRegister(x) && isRegister(y) && stemOf(x) == stemOf(y)) || (isLabel(x) && isLabel(y));
            if (!names) {
                if (x != y) return false;
            } else if (there.emplace(x, y).first->second != y || back.emplace(y, x).first->second != x) {
                return false;
            }
        }
    }
    return true;
}

enum class Mutation : std::uint8_t { operand, immediate, modifier, opcode, label, erase, insert };
inline constexpr Mutation mutations[] = {Mutation::operand, Mutation::immediate, Mutation::modifier, Mutation::opcode,
                                         Mutation::label,   Mutation::erase,     Mutation::insert};

/// One mutation of one random line with an instruction; empty where no line allows it.
inline std::string mutate(const std::string& text, Mutation mutation, Random& random) {
    std::vector<std::string> lines = splitLines(text);
    std::set<std::string> registers, labels;
    for (const std::string& line : lines)
        for (const std::string& word : wordsOf(line)) {
            if (isRegister(word)) registers.insert(word);
            if (isLabel(word)) labels.insert(word);
        }
    const auto replacePiece = [&](std::string& line, const std::regex& piece, auto replacement) {
        std::vector<std::smatch> found;
        for (auto it = std::sregex_iterator(line.begin(), line.end(), piece); it != std::sregex_iterator(); ++it)
            found.push_back(*it);
        if (found.empty()) return false;
        const std::smatch match = random.of(found);
        const std::string before = match.str(), after = replacement(before);
        if (after == before) return false;
        line = line.substr(0, static_cast<std::size_t>(match.position())) + after +
               line.substr(static_cast<std::size_t>(match.position() + match.length()));
        return true;
    };
    const auto oneOf = [&](const std::set<std::string>& names, const std::string& stem) {
        std::vector<std::string> fitting;
        for (const std::string& name : names)
            if (stemOf(name) == stem) fitting.push_back(name);
        return random.of(fitting);
    };
    for (int attempt = 0; attempt < 500; ++attempt) {
        const std::uint32_t at = random.below(lines.size());
        std::string& line = lines[at];
        if (line.find(';') == std::string::npos || line.find(".reg") != std::string::npos) continue;
        switch (mutation) {
        case Mutation::operand:
            if (!replacePiece(line, std::regex("%(p|f|r|rd)[0-9]+"),
                              [&](const std::string& name) { return oneOf(registers, stemOf(name)); }))
                continue;
            break;
        case Mutation::immediate:
            if (!replacePiece(line, std::regex(R"([ +]\d+\b)"), [&](const std::string& n) {
                    return n[0] + std::to_string(std::stoul(n.substr(1)) + 1 + random.below(9));
                }))
                continue;
            break;
        case Mutation::modifier:
            if (!replacePiece(line, std::regex(R"(\.(s32|rn|lo|f32|lt|global|b32)\b)"), [](const std::string& m) {
                    const std::map<std::string, std::string> other{
                        {".s32", ".u32"}, {".rn", ".rz"},         {".lo", ".hi"},  {".f32", ".f64"},
                        {".lt", ".le"},   {".global", ".shared"}, {".b32", ".b16"}};
                    return other.at(m);
                }))
                continue;
            break;
        case Mutation::opcode:
            if (!replacePiece(line, std::regex(R"(\b(add|mul|shl|selp|ld|mov|bra)\b)"), [](const std::string& o) {
                    const std::map<std::string, std::string> other{{"add", "sub"},  {"mul", "add"}, {"shl", "shr"},
                                                                   {"selp", "min"}, {"ld", "ldu"},  {"mov", "cvt"},
                                                                   {"bra", "call"}};
                    return other.at(o);
                }))
                continue;
            break;
        case Mutation::label:
            if (labels.size() < 2) return {};
            if (line.find("bra") == std::string::npos) continue;
            if (!replacePiece(line, std::regex(R"(\$L\w+)"), [&](const std::string&) {
                    std::vector<std::string> all(labels.begin(), labels.end());
                    return random.of(all);
                }))
                continue;
            break;
        case Mutation::erase:
            lines.erase(lines.begin() + at);
            break;
        case Mutation::insert: {
            const std::vector<std::string> inserted{line, "\tmembar.gl;", "\tadd.s32 %r0, %r1, 77;"};
            lines.insert(lines.begin() + at, random.of(inserted));
            break;
        }
        }
        return joinLines(lines);
    }
    return {};
}

} // namespace ptxwb::compare::test

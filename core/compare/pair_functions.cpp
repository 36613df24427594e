#include "compare/pair_functions.h"

#include <algorithm>
#include <map>
#include <string>

namespace ptxwb::compare {
namespace {

using Functions = std::vector<ptx::Function>;

std::string signatureOf(const ptx::Function& function) {
    std::string result(1, function.isEntry ? 'e' : 'f');
    result += function.hasBody ? 'b' : 'd';
    const auto append = [&](const std::vector<ptx::Variable>& variables) {
        for (const ptx::Variable& v : variables)
            result += ',' + std::to_string(static_cast<int>(v.type)) + ':' + std::to_string(v.sizeBytes);
        result += ';';
    };
    append(function.results);
    append(function.parameters);
    return result;
}

std::map<std::pair<int, int>, std::uint64_t> declaredRegisters(const ptx::Function& function) {
    std::map<std::pair<int, int>, std::uint64_t> result;
    for (const ptx::RegisterGroup& group : function.registers)
        result[{static_cast<int>(group.type), group.vector}] += std::max(group.count, 1u);
    return result;
}

class Matcher {
public:
    Matcher(const Functions& left, const Functions& right) : m_left(left), m_right(right) {
        m_partner.assign(left.size(), none);
        m_taken.assign(right.size(), false);
    }

    std::vector<std::uint32_t> run() {
        // A name that a broken file defines twice: the first faces the first.
        std::map<const ptx::Function*, std::string> named;
        for (const Functions* side : {&m_left, &m_right}) {
            std::map<std::string, unsigned> seen;
            for (const ptx::Function& f : *side) {
                std::string key = std::string(f.name) + (f.hasBody ? "{}" : ";");
                const unsigned number = seen[key]++;
                named[&f] = key + std::to_string(number);
            }
        }
        byKey([&](const ptx::Function& f) { return named.at(&f); });
        byKey([](const ptx::Function& f) { return signatureOf(f); });
        byKey([](const ptx::Function& f) {
            return std::string(f.isEntry ? "entry" : "func") + (f.hasBody ? "{}" : ";");
        });
        return std::move(m_partner);
    }

private:
    /// Pairs what is alone with its key on both sides.
    template <class Key>
    void byKey(Key key) {
        struct Found {
            std::uint32_t left = none, right = none;
            unsigned lefts = 0, rights = 0;
        };
        std::map<std::string, Found> found;
        for (std::uint32_t i = 0; i < m_left.size(); ++i) {
            if (m_partner[i] != none) continue;
            Found& f = found[key(m_left[i])];
            f.left = i;
            ++f.lefts;
        }
        for (std::uint32_t i = 0; i < m_right.size(); ++i) {
            if (m_taken[i]) continue;
            Found& f = found[key(m_right[i])];
            f.right = i;
            ++f.rights;
        }
        for (const auto& [text, f] : found) {
            if (f.lefts != 1 || f.rights != 1) continue;
            m_partner[f.left] = f.right;
            m_taken[f.right] = true;
        }
    }

    const Functions& m_left;
    const Functions& m_right;
    std::vector<std::uint32_t> m_partner;
    std::vector<bool> m_taken;
};

/// Marks the pairs outside of the heaviest chain. Modules have few functions: quadratic is fine up to thousands.
void markOrder(std::vector<FunctionPair>& pairs, const std::vector<LineRange>& lines,
               const std::vector<LineRange>& rightLines) {
    std::ranges::sort(pairs, {}, [&](const FunctionPair& pair) { return lines[pair.left].begin; });

    std::vector<std::uint64_t> best(pairs.size());
    std::vector<std::size_t> previous(pairs.size(), pairs.size());
    std::size_t end = pairs.size();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        best[i] = lines[pairs[i].left].size();
        for (std::size_t j = 0; j < i; ++j) {
            const bool inOrder = rightLines[pairs[j].right].begin < rightLines[pairs[i].right].begin;
            if (!inOrder || best[j] + lines[pairs[i].left].size() <= best[i]) continue;
            best[i] = best[j] + lines[pairs[i].left].size();
            previous[i] = j;
        }
        if (end == pairs.size() || best[i] > best[end]) end = i;
    }
    for (FunctionPair& pair : pairs) pair.inOrder = false;
    for (; end != pairs.size(); end = previous[end]) pairs[end].inOrder = true;
}

} // namespace

std::vector<LineRange> functionLines(const Document& document) {
    std::vector<LineRange> result(document.module != nullptr ? document.module->functions.size() : 0);
    for (std::uint32_t i = 0; i < document.lines.size(); ++i) {
        const std::uint32_t f = document.lines[i].function;
        if (f == none) continue;
        if (result[f].size() == 0) result[f].begin = i;
        result[f].end = i + 1;
    }
    return result;
}

std::vector<FunctionPair> pairFunctions(const Document& left, const Document& right) {
    std::vector<FunctionPair> pairs;
    if (left.module == nullptr || right.module == nullptr) return pairs;
    const auto leftLines = functionLines(left), rightLines = functionLines(right);
    const Functions &a = left.module->functions, &b = right.module->functions;
    const std::vector<std::uint32_t> partner = Matcher(a, b).run();
    for (std::uint32_t l = 0; l < partner.size(); ++l) {
        const std::uint32_t r = partner[l];
        if (r == none || leftLines[l].size() == 0 || rightLines[r].size() == 0) continue;
        pairs.push_back({l, r, true, a[l].name == b[r].name, declaredRegisters(a[l]) == declaredRegisters(b[r])});
    }
    markOrder(pairs, leftLines, rightLines);
    return pairs;
}

} // namespace ptxwb::compare

#include "verify/entry.h"

#include "support/nearest.h"
#include "verify/findings.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <memory>

namespace ptxwb::verify {

namespace {

/// Where the parameter list of a demangled name begins: the parenthesis that the last one closes.
std::string_view withoutParameters(std::string_view name) {
    if (!name.ends_with(')')) return name;
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        if (name[i] == ')') ++depth;
        if (name[i] == '(' && --depth == 0) return name.substr(0, i);
    }
    return name;
}

/// A template function's demangled name starts with its return type: cut at the last blank outside of brackets.
std::string_view withoutReturnType(std::string_view name) {
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        if (name[i] == '>' || name[i] == ')') ++depth;
        if (name[i] == '<' || name[i] == '(') --depth;
        if (name[i] == ' ' && depth == 0) return name.substr(i + 1);
    }
    return name;
}

std::string_view withoutTemplateArguments(std::string_view name) {
    if (!name.ends_with('>')) return name;
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        if (name[i] == '>') ++depth;
        if (name[i] == '<' && --depth == 0) return name.substr(0, i);
    }
    return name;
}

/// The spellings under which a symbol may be asked for, the most exact first.
std::vector<std::string> spellings(std::string_view symbol) {
    const std::string full = demangled(symbol);
    const std::string_view typed = withoutReturnType(withoutParameters(full));
    const std::string signature = std::string(typed) + full.substr(withoutParameters(full).size());
    const std::string_view plain = withoutTemplateArguments(typed);
    return {full, signature, std::string(typed), std::string(plain), std::string(plain.substr(plain.rfind(':') + 1))};
}

std::uint32_t roundUp(std::uint32_t value, std::uint32_t step) {
    return step > 1 ? (value + step - 1) / step * step : value;
}

} // namespace

std::string demangled(std::string_view symbol) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), std::free);
    // A short name such as "f" or "a" reads as a mangled type; only symbols of functions are demangled.
    return status == 0 && text && symbol.starts_with("_Z") ? std::string(text.get()) : std::string(symbol);
}

Expected<const ptx::Function*> findEntry(const ptx::Module& module, std::string_view wanted) {
    std::vector<const ptx::Function*> entries = module.entries();
    std::erase_if(entries, [](const ptx::Function* f) { return !f->hasBody; });
    const std::string file = module.name.empty() ? "the PTX" : module.name;
    if (entries.empty())
        return failure(Cause::rejected, fmt::format("{} has no .entry with a body", file),
                       "a kernel is declared as `.visible .entry NAME(...)`");
    std::vector<std::string> names;
    for (const ptx::Function* entry : entries) names.push_back(demangled(entry->name));
    if (wanted.empty()) {
        if (entries.size() == 1) return entries.front();
        return failure(Cause::rejected,
                       fmt::format("{} has {} entries: {}", file, entries.size(), fmt::join(names, ", ")),
                       "say which one: the spec's `entry`");
    }
    for (const ptx::Function* entry : entries)
        if (entry->name == wanted) return entry;
    for (std::size_t level = 0; level < 5; ++level) {
        std::vector<const ptx::Function*> hits;
        for (const ptx::Function* entry : entries)
            if (spellings(entry->name)[level] == wanted) hits.push_back(entry);
        if (hits.size() == 1) return hits.front();
        if (hits.empty()) continue;
        std::vector<std::string> hitNames;
        for (const ptx::Function* hit : hits) hitNames.push_back(demangled(hit->name));
        return failure(
            Cause::rejected,
            fmt::format("{} has {} entries called {}: {}", file, hits.size(), wanted, fmt::join(hitNames, ", ")),
            "write the template arguments or the exact symbol in the spec's `entry`");
    }
    std::vector<std::string> known;
    for (const ptx::Function* entry : entries)
        for (auto& spelling : spellings(entry->name)) known.push_back(std::move(spelling));
    const std::string nearest = nearestName(wanted, known);
    return failure(Cause::rejected,
                   fmt::format("{} has no entry called {}; it has {}", file, wanted, fmt::join(names, ", ")),
                   nearest.empty() ? "the entry must keep the name that the spec gives it"
                                   : fmt::format("did you mean {}?", nearest));
}

std::vector<ParameterPlace> parameterPlaces(const ptx::Function& entry) {
    std::vector<ParameterPlace> places;
    std::uint32_t end = 0;
    for (const ptx::Variable& parameter : entry.parameters) {
        const std::uint32_t offset = roundUp(end, parameter.align);
        const auto size = static_cast<std::uint32_t>(parameter.sizeBytes);
        places.push_back({std::string(parameter.name), offset, size});
        end = offset + size;
    }
    return places;
}

std::optional<Finding> compareParameters(const ptx::Module& module, const ptx::Function& entry,
                                         const std::vector<ParameterPlace>& other, std::string_view otherName) {
    const std::vector<ParameterPlace> own = parameterPlaces(entry);
    Finding finding;
    finding.kind = FindingKind::launch;
    finding.check = "parameters";
    finding.hint = "a candidate must take the same parameters in the same order";
    for (std::size_t i = 0; i < std::min(own.size(), other.size()); ++i) {
        if (own[i].offset == other[i].offset && own[i].size == other[i].size) continue;
        place(finding, module, entry.parameters[i].span);
        finding.message = fmt::format("parameter {} ({}) takes {} bytes at offset {}, in {} ({}) {} bytes at offset {}",
                                      i + 1, own[i].name, own[i].size, own[i].offset, otherName, other[i].name,
                                      other[i].size, other[i].offset);
        return finding;
    }
    if (own.size() == other.size()) return std::nullopt;
    place(finding, module, entry.nameSpan);
    finding.message = fmt::format("entry {} takes {} parameters, {} takes {}", demangled(entry.name), own.size(),
                                  otherName, other.size());
    return finding;
}

std::optional<Finding> checkBlockSize(const ptx::Module& module, const ptx::Function& entry, const Index3& block) {
    for (const ptx::PerformanceDirective& directive : entry.directives) {
        const bool exact = directive.name == ".reqntid";
        if (!exact && directive.name != ".maxntid") continue;
        Index3 limit{1, 1, 1};
        std::copy_n(directive.values.begin(), std::min<std::size_t>(3, directive.values.size()), limit.begin());
        // Source: PTX ISA 9.0, 11.4.2 and 11.4.3. The limit of .maxntid is the product, that of .reqntid each
        // dimension.
        const auto product = [](const Index3& size) { return std::uint64_t{size[0]} * size[1] * size[2]; };
        if (exact ? block == limit : product(block) <= product(limit)) continue;
        Finding finding;
        finding.kind = FindingKind::launch;
        finding.check = "block_size";
        place(finding, module, directive.span);
        finding.message = fmt::format("the launch has blocks of {} x {} x {} threads, {} of the entry {} {} x {} x {}",
                                      block[0], block[1], block[2], directive.name,
                                      exact ? "requires" : "allows at most", limit[0], limit[1], limit[2]);
        finding.hint = "give the candidate a fitting `//@ launch` line or change the directive";
        return finding;
    }
    return std::nullopt;
}

} // namespace ptxwb::verify

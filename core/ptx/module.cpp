#include "ptx/module.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace ptxwb::ptx {

bool Function::has(const Instruction& instruction, Modifier wanted) const {
    for (const ModifierUse& use : modifiersOf(instruction))
        if (use.id == wanted) return true;
    return false;
}

ScalarType Function::typeOf(const Instruction& instruction, unsigned n) const {
    for (const ModifierUse& use : modifiersOf(instruction)) {
        if (use.type == ScalarType::none) continue;
        if (n-- == 0) return use.type;
    }
    return ScalarType::none;
}

StateSpace Function::spaceOf(const Instruction& instruction) const {
    for (const ModifierUse& use : modifiersOf(instruction))
        if (use.space != StateSpace::none) return use.space;
    return StateSpace::none;
}

unsigned Function::vectorOf(const Instruction& instruction) const {
    for (const ModifierUse& use : modifiersOf(instruction))
        if (use.vector) return use.vector;
    return 1;
}

const RegisterGroup& Function::groupOf(Index registerId) const {
    assert(registerId < registerCount);
    // Ranges declared <0> own no ids of their own but share their first with the next group: take the last that fits.
    auto after = std::upper_bound(registers.begin(), registers.end(), registerId,
                                  [](Index id, const RegisterGroup& group) { return id < group.first; });
    assert(after != registers.begin());
    return *(after - 1);
}

std::string Function::registerName(Index registerId) const {
    const RegisterGroup& group = groupOf(registerId);
    std::string full(group.stem);
    if (group.count) full += std::to_string(registerId - group.first);
    return full;
}

const Variable& variableOf(const Function& function, Index symbol) {
    if (symbol >= resultBase) return function.results[symbol - resultBase];
    if (symbol >= parameterBase) return function.parameters[symbol - parameterBase];
    return function.variables[symbol];
}

std::uint32_t Module::lineOf(std::uint32_t offset) const {
    const auto after = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
    return static_cast<std::uint32_t>(after - lineStarts.begin());
}

Place Module::placeOf(Span span) const {
    const std::uint32_t line = lineOf(span.offset);
    const std::uint32_t start = line ? lineStarts[line - 1] : 0;
    // A caret range stays on its line.
    const std::uint32_t lineEnd =
        line < lineStarts.size() ? lineStarts[line] - 1 : static_cast<std::uint32_t>(text->size());
    const std::uint32_t length = std::min(span.length, lineEnd > span.offset ? lineEnd - span.offset : 0);
    return {name, line, span.offset - start + 1, length};
}

bool Module::hasErrors() const {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::error; });
}

const Function* Module::function(std::string_view symbol) const {
    const Function* declaration = nullptr;
    for (const Function& candidate : functions) {
        if (candidate.name != symbol) continue;
        if (candidate.hasBody) return &candidate;
        if (!declaration) declaration = &candidate;
    }
    return declaration;
}

std::vector<const Function*> Module::entries() const {
    std::vector<const Function*> all;
    for (const Function& candidate : functions)
        if (candidate.isEntry && candidate.hasBody) all.push_back(&candidate);
    return all;
}

} // namespace ptxwb::ptx

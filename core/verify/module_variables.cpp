#include "verify/module_variables.h"

#include "emulator/program.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace ptxwb::verify {

namespace {

bool isConstant(const ptx::Variable& variable) {
    return variable.space == ptx::StateSpace::constant;
}

/// Zeros where there is no initialiser (PTX ISA 9.0, 5.4.4).
std::vector<std::uint8_t> firstContent(const emulator::Program& program, const ptx::Variable& variable) {
    std::vector<std::uint8_t> bytes(variable.sizeBytes, 0);
    std::copy_n(variable.initialiser.begin(), std::min(variable.initialiser.size(), bytes.size()), bytes.begin());
    for (const ptx::Relocation& r : variable.relocations) {
        const std::uint64_t value = program.variableAddresses.at(r.symbol) + static_cast<std::uint64_t>(r.addend);
        std::memcpy(bytes.data() + r.offset, &value, r.bytes);
    }
    return bytes;
}

} // namespace

std::vector<const ptx::Variable*> moduleVariables(const ptx::Module& module) {
    std::vector<const ptx::Variable*> result;
    for (const ptx::Variable& variable : module.variables)
        if ((variable.space == ptx::StateSpace::global || isConstant(variable)) &&
            variable.linkage != ptx::Linkage::external)
            result.push_back(&variable);
    return result;
}

Expected<void> placeVariables(emulator::Memory& memory, std::span<const emulator::Program* const> programs,
                              const VariableContents& contents) {
    struct Wanted {
        const ptx::Variable* variable;
        const emulator::Program* program;
    };
    std::map<std::uint64_t, Wanted> wanted; // by address
    for (const emulator::Program* program : programs)
        for (const auto& [variable, address] : program->image) {
            const auto known = wanted.try_emplace(address, variable, program).first;
            if (known->second.variable == variable) continue;
            auto problem = failure(Cause::rejected,
                                   fmt::format("the variables {} and {} of two entries lie in one place",
                                               known->second.variable->name, variable->name),
                                   "declare them in the module, not inside of a function");
            problem.error().kind = "unsupported";
            return problem;
        }
    for (const auto& [address, want] : wanted) {
        const ptx::Variable& variable = *want.variable;
        const auto access = isConstant(variable) ? emulator::Access::readOnly : emulator::Access::readWrite;
        emulator::Allocation& allocation =
            memory.place(std::string(variable.name), address, variable.sizeBytes, access, emulator::Initially::written);
        const auto given = contents.find(variable.name);
        auto bytes = given == contents.end() ? firstContent(*want.program, variable) : given->second;
        bytes.resize(variable.sizeBytes);
        allocation.bytes = std::move(bytes);
    }
    return {};
}

VariableContents variablesIn(emulator::Memory& memory, const ptx::Module& module) {
    VariableContents contents;
    for (const ptx::Variable* variable : moduleVariables(module)) {
        if (isConstant(*variable)) continue;
        if (const emulator::Allocation* allocation = memory.named(variable->name))
            contents.emplace(variable->name, allocation->bytes);
    }
    return contents;
}

} // namespace ptxwb::verify

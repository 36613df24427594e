#include "verify/module_variables.h"

#include "emulator/program.h"

#include <algorithm>
#include <cstring>

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

void placeVariables(emulator::Memory& memory, const emulator::Program& program, const VariableContents& contents) {
    for (const auto& [variable, address] : program.image) {
        const auto access = isConstant(*variable) ? emulator::Access::readOnly : emulator::Access::readWrite;
        emulator::Allocation& allocation = memory.place(std::string(variable->name), address, variable->sizeBytes,
                                                        access, emulator::Initially::written);
        const auto given = contents.find(variable->name);
        auto bytes = given == contents.end() ? firstContent(program, *variable) : given->second;
        bytes.resize(variable->sizeBytes);
        allocation.bytes = std::move(bytes);
    }
}

VariableContents variablesIn(const emulator::Memory& memory, const emulator::Program& program) {
    VariableContents contents;
    for (std::size_t i = 0; i < program.image.size(); ++i)
        if (!isConstant(*program.image[i].first))
            contents.emplace(program.image[i].first->name, memory.allocations()[i]->bytes);
    return contents;
}

} // namespace ptxwb::verify

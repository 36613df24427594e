// Calls, direct and through a register. Source: PTX ISA 9.0, 9.7.12.5 call.
#include "emulator/emitter.h"

#include <algorithm>

namespace ptxwb::emulator {

namespace {

using M = ptx::Modifier;
using T = ptx::ScalarType;
using ptx::Operand;
using ptx::OperandKind;

struct CallOperands {
    const Operand* callee = nullptr;
    const Operand* target = nullptr; ///< the register of an indirect call
    const Operand* results = nullptr;
    const Operand* arguments = nullptr;
};

CallOperands operandsOfCall(const Emitter& e) {
    CallOperands out;
    for (const Operand& operand : e.operands()) {
        if (operand.kind == OperandKind::function)
            out.callee = &operand;
        else if (operand.kind == OperandKind::reg)
            out.target = &operand;
        else if (operand.kind == OperandKind::list)
            (out.callee || out.target ? out.arguments : out.results) = &operand;
    }
    return out;
}

/// The places of a call's arguments or results in the caller's frame; empty where one is not a .param variable of the
/// formal's size.
std::optional<std::vector<ArgumentCopy>> copies(const Emitter& e, const Operand* list,
                                                const std::vector<ptx::Variable>& formals,
                                                const std::vector<std::uint32_t>& offsets) {
    std::vector<ArgumentCopy> out;
    const auto actuals = list ? e.source().childrenOf(*list) : std::span<const Operand>{};
    if (actuals.size() != formals.size()) return std::nullopt;
    for (std::size_t i = 0; i < formals.size(); ++i) {
        if (actuals[i].kind != OperandKind::variable || actuals[i].owner != ptx::Owner::function) return std::nullopt;
        const auto place = e.placeOf(actuals[i]);
        if (!place || !place->inFrame) return std::nullopt;
        if (ptx::variableOf(e.source(), actuals[i].symbol).sizeBytes < formals[i].sizeBytes) return std::nullopt;
        out.push_back(
            {static_cast<std::uint32_t>(place->offset), offsets[i], static_cast<std::uint32_t>(formals[i].sizeBytes)});
    }
    return out;
}

/// vprintf and __assertfail, which no module defines.
bool decodeDeviceCall(Emitter& e, const ptx::Function& callee, const CallOperands& operands) {
    const bool prints = callee.name == "vprintf";
    if (callee.hasBody || (!prints && callee.name != "__assertfail")) return false;
    const auto in =
        copies(e, operands.arguments, callee.parameters, std::vector<std::uint32_t>(callee.parameters.size()));
    const auto out = copies(e, operands.results, callee.results, std::vector<std::uint32_t>(callee.results.size()));
    if (!in || !out || in->size() != (prints ? 2U : 5U)) return false;
    DeviceCallOp call;
    call.kind = prints ? DeviceCallKind::print : DeviceCallKind::assertFail;
    call.arguments = *in;
    if (!out->empty()) call.result = out->front().from;
    MicroOp& op = e.emit(Kind::deviceCall);
    op.extra = static_cast<std::uint32_t>(e.function().deviceCalls.size());
    e.function().deviceCalls.push_back(std::move(call));
    return true;
}

/// The call of one function with these operands; empty where they do not fit its parameters and results.
std::optional<CallOp> callOf(const Emitter& e, const DecodedFunction& target, std::uint32_t index,
                             const CallOperands& operands) {
    CallOp call;
    call.function = index;
    const auto in = copies(e, operands.arguments, target.source->parameters, target.parameterOffsets);
    auto out = copies(e, operands.results, target.source->results, target.resultOffsets);
    if (!in || !out) return std::nullopt;
    call.arguments = *in;
    for (ArgumentCopy& copy : *out) std::swap(copy.from, copy.to);
    call.results = *out;
    return call;
}

/// Which function it is turns out when it is called: of those whose address is taken anywhere and whose parameters fit.
bool decodeIndirect(Emitter& e, const CallOperands& operands) {
    const auto target = e.source(*operands.target, T::u64, 8);
    if (!target) return false;
    IndirectCallOp indirect;
    const auto& functions = e.program().functions;
    for (std::uint32_t i = 1; i < functions.size(); ++i)
        if (auto call = callOf(e, functions[i], i, operands)) {
            indirect.calls.push_back(static_cast<std::uint32_t>(e.function().calls.size()));
            e.function().calls.push_back(std::move(*call));
        }
    MicroOp& op = e.emit(Kind::callIndirect);
    op.a = *target;
    op.extra = static_cast<std::uint32_t>(e.function().indirectCalls.size());
    e.function().indirectCalls.push_back(std::move(indirect));
    return true;
}

} // namespace

bool decodeCall(Emitter& e) {
    const CallOperands operands = operandsOfCall(e);
    if (!e.onlyModifiers({M::uni})) return false;
    if (operands.target) return decodeIndirect(e, operands);
    if (!operands.callee) return false;
    const ptx::Function& callee = e.program().module->functions[operands.callee->symbol];
    // `decode` has laid out every function that the entry reaches and that has a body.
    auto& functions = e.program().functions;
    const auto target =
        std::ranges::find_if(functions, [&](const DecodedFunction& f) { return f.source->name == callee.name; });
    if (target == functions.end()) return decodeDeviceCall(e, callee, operands);
    const auto call = callOf(e, *target, static_cast<std::uint32_t>(target - functions.begin()), operands);
    if (!call) return false;
    MicroOp& op = e.emit(Kind::call);
    op.extra = static_cast<std::uint32_t>(e.function().calls.size());
    e.function().calls.push_back(*call);
    return true;
}

} // namespace ptxwb::emulator

#include "emulator/work_counter.h"

namespace ptxwb::emulator {

namespace {

using O = ptx::Opcode;
using S = ptx::StateSpace;
using T = ptx::ScalarType;

InstructionClass byType(T type) {
    if (type == T::f64) return InstructionClass::float64;
    if (type == T::f32 || type == T::tf32) return InstructionClass::float32;
    if (!ptx::isFloat(type)) return InstructionClass::integer;
    return ptx::sizeBytes(type) == 8 ? InstructionClass::float32 : InstructionClass::half; // f32x2, else halves
}

InstructionClass bySpace(S space) {
    switch (space) {
    case S::global: return InstructionClass::globalMemory;
    case S::shared: return InstructionClass::sharedMemory;
    case S::local: return InstructionClass::localMemory;
    default: return InstructionClass::otherMemory;
    }
}

} // namespace

std::string_view name(InstructionClass c) {
    constexpr std::string_view names[] = {"integer",      "float32", "float64",       "half",          "convert",
                                          "compare",      "move",    "global_memory", "shared_memory", "local_memory",
                                          "other_memory", "texture", "atomic",        "tensor",        "warp",
                                          "barrier",      "control", "other"};
    static_assert(std::size(names) == instructionClasses);
    return names[static_cast<std::size_t>(c)];
}

InstructionClass classOf(const ptx::Function& function, const ptx::Instruction& instruction) {
    switch (instruction.opcode) {
    case O::ld:
    case O::ldu:
    case O::st: return bySpace(function.spaceOf(instruction));
    case O::cp: return InstructionClass::globalMemory; // the space that it names first is where it copies to
    case O::ldmatrix:
    case O::stmatrix: return InstructionClass::sharedMemory;
    case O::prefetch:
    case O::prefetchu:
    case O::applypriority:
    case O::discard:
    case O::createpolicy:
    case O::multimem: return InstructionClass::otherMemory;
    case O::tex:
    case O::tld4:
    case O::suld:
    case O::sust:
    case O::sured: return InstructionClass::texture;
    case O::atom:
    case O::red: return InstructionClass::atomic;
    case O::wmma:
        if (!function.has(instruction, ptx::Modifier::mma)) return bySpace(function.spaceOf(instruction));
        return InstructionClass::tensor;
    case O::mma:
    case O::wgmma:
    case O::tcgen05: return InstructionClass::tensor;
    case O::shfl:
    case O::vote:
    case O::match:
    case O::activemask:
    case O::redux:
    case O::elect:
    case O::movmatrix: return InstructionClass::warp;
    case O::bar:
    case O::barrier:
    case O::mbarrier:
    case O::membar:
    case O::fence: return InstructionClass::barrier;
    case O::bra:
    case O::brx:
    case O::call:
    case O::ret:
    case O::exit:
    case O::trap: return InstructionClass::control;
    case O::cvt:
    case O::cvta: return InstructionClass::convert;
    case O::setp:
    case O::set:
    case O::selp:
    case O::slct:
    case O::testp: return InstructionClass::compare;
    case O::mov:
    case O::prmt: return InstructionClass::move;
    case O::isspacep:
    case O::mapa:
    case O::getctarank:
    case O::tensormap:
    case O::txq:
    case O::istypep:
    case O::suq:
    case O::griddepcontrol:
    case O::clusterlaunchcontrol:
    case O::stacksave:
    case O::stackrestore:
    case O::alloca:
    case O::brkpt:
    case O::nanosleep:
    case O::pmevent:
    case O::setmaxnreg:
    case O::unknown: return InstructionClass::other;
    default: return byType(function.typeOf(instruction));
    }
}

} // namespace ptxwb::emulator

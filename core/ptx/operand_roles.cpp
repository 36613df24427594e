#include "ptx/operand_roles.h"

namespace ptxwb::ptx {

namespace {

using enum OperandRole;
using enum ScalarType;

constexpr TypeSet integers{u16, u32, u64, s16, s32, s64};
constexpr TypeSet words{u32, s32};
constexpr TypeSet bits{b16, b32, b64};
constexpr TypeSet wordBits{b32, b64};
constexpr TypeSet halves{f16, f16x2, bf16, bf16x2};
constexpr TypeSet singles{f32, f64};
constexpr TypeSet floats = halves | singles;
constexpr TypeSet memory = integers | bits | singles | TypeSet{u8, s8, b8, b128};
constexpr TypeSet atomics = floats | bits | TypeSet{u32, u64, s32, s64, b128};

// Source: PTX ISA 9.0, 9.7.1 to 9.7.13; each row tried with ptxas 13.0.88 over all types of instruction and register.
// clang-format off
constexpr TypeRule rules[] = {
    // opcode            types  first type                                       operands
    {Opcode::add,        1, integers | floats | TypeSet{f32x2, u16x2, s16x2}, {exact, exact, exact}},
    {Opcode::sub,        1, integers | floats | TypeSet{f32x2},               {exact, exact, exact}},
    {Opcode::mul,        1, integers | floats | TypeSet{f32x2},               {exact, exact, exact}},
    {Opcode::mad,        1, integers | singles,                               {exact, exact, exact, exact}},
    {Opcode::mul24,      1, words,                                            {exact, exact, exact}},
    {Opcode::mad24,      1, words,                                            {exact, exact, exact, exact}},
    {Opcode::addc,       1, integers,                                         {exact, exact, exact}},
    {Opcode::subc,       1, integers,                                         {exact, exact, exact}},
    {Opcode::madc,       1, integers,                                         {exact, exact, exact, exact}},
    {Opcode::sad,        1, integers,                                         {exact, exact, exact, exact}},
    {Opcode::div,        1, integers | singles,                               {exact, exact, exact}},
    {Opcode::rem,        1, integers,                                         {exact, exact, exact}},
    {Opcode::abs,        1, integers | floats,                                {exact, exact}},
    {Opcode::neg,        1, integers | floats,                                {exact, exact}},
    {Opcode::min,        1, integers | floats | TypeSet{u16x2, s16x2},        {exact, exact, exact, exact}},
    {Opcode::max,        1, integers | floats | TypeSet{u16x2, s16x2},        {exact, exact, exact, exact}},
    {Opcode::popc,       1, wordBits,                                         {word, exact}},
    {Opcode::clz,        1, wordBits,                                         {word, exact}},
    {Opcode::bfind,      1, TypeSet{u32, u64, s32, s64},                      {word, exact}},
    {Opcode::fns,        1, TypeSet{b32},                                     {exact, exact, exact, exact}},
    {Opcode::brev,       1, wordBits,                                         {exact, exact}},
    {Opcode::bfe,        1, TypeSet{u32, u64, s32, s64},                      {exact, exact, word, word}},
    {Opcode::bfi,        1, wordBits,                                         {exact, exact, exact, word, word}},
    {Opcode::szext,      1, words,                                            {exact, exact, word}},
    {Opcode::bmsk,       1, TypeSet{b32},                                     {exact, exact, exact}},
    {Opcode::dp4a,       2, words,                                            {word, word, word, word}},
    {Opcode::dp2a,       2, words,                                            {word, word, word, word}},
    {Opcode::testp,      1, singles,                                          {predicate, exact}},
    {Opcode::copysign,   1, singles,                                          {exact, exact, exact}},
    {Opcode::fma,        1, floats | TypeSet{f32x2},                          {exact, exact, exact, exact}},
    {Opcode::rcp,        1, singles,                                          {exact, exact}},
    {Opcode::sqrt,       1, singles,                                          {exact, exact}},
    {Opcode::rsqrt,      1, singles,                                          {exact, exact}},
    {Opcode::sin,        1, TypeSet{f32},                                     {exact, exact}},
    {Opcode::cos,        1, TypeSet{f32},                                     {exact, exact}},
    {Opcode::lg2,        1, TypeSet{f32},                                     {exact, exact}},
    {Opcode::ex2,        1, halves | TypeSet{f32},                            {exact, exact}},
    {Opcode::tanh,       1, halves | TypeSet{f32},                            {exact, exact}},
    {Opcode::set,        2, TypeSet{},                                        {exact, exactSecond, exactSecond, predicate}},
    {Opcode::setp,       1, integers | bits | floats,                         {predicate, exact, exact, predicate}},
    {Opcode::selp,       1, integers | bits | singles,                        {exact, exact, exact, predicate}},
    {Opcode::slct,       2, integers | bits | singles,                        {exact, exact, exact, exactSecond}},
    {Opcode::and_,       1, bits | TypeSet{pred},                             {exact, exact, exact}},
    {Opcode::or_,        1, bits | TypeSet{pred},                             {exact, exact, exact}},
    {Opcode::xor_,       1, bits | TypeSet{pred},                             {exact, exact, exact}},
    {Opcode::not_,       1, bits | TypeSet{pred},                             {exact, exact}},
    {Opcode::cnot,       1, bits,                                             {exact, exact}},
    {Opcode::lop3,       1, TypeSet{b32},                                     {exact, exact, exact, exact}},
    {Opcode::shf,        1, TypeSet{b32},                                     {exact, exact, exact, word}},
    {Opcode::shl,        1, bits,                                             {exact, exact, word}},
    {Opcode::shr,        1, integers | bits,                                  {exact, exact, word}},
    {Opcode::mov,        1, integers | bits | singles | TypeSet{b128, pred},  {exact, exact}},
    {Opcode::shfl,       1, TypeSet{b32},                                     {exact, exact, exact, exact, exact}},
    {Opcode::prmt,       1, TypeSet{b32},                                     {exact, exact, exact, exact}},
    {Opcode::ld,         1, memory,                                           {relaxed, address}},
    {Opcode::ldu,        1, memory,                                           {relaxed, address}},
    {Opcode::st,         1, memory,                                           {address, relaxed}},
    {Opcode::cvt,        2, TypeSet{},                                        {relaxed, relaxedSecond}},
    {Opcode::cvta,       1, TypeSet{u32, u64, s32, s64},                      {exact, exact}},
    {Opcode::atom,       1, atomics,                                          {exact, address, exact}},
    {Opcode::red,        1, atomics,                                          {address, exact}},
    {Opcode::vote,       1, TypeSet{b32, pred},                               {exact, predicate, word}},
    {Opcode::match,      1, wordBits,                                         {word, exact, word}},
    {Opcode::redux,      1, words | TypeSet{b32, f32},                        {exact, exact, word}},
    {Opcode::activemask, 1, TypeSet{b32},                                     {exact}},
};
// clang-format on

constexpr auto byOpcode = [] {
    std::array<const TypeRule*, 256> all{};
    for (const TypeRule& rule : rules) all[static_cast<std::size_t>(rule.opcode)] = &rule;
    return all;
}();

} // namespace

const TypeRule* typeRule(Opcode code) {
    const auto index = static_cast<std::size_t>(code);
    return index < byOpcode.size() ? byOpcode[index] : nullptr;
}

unsigned destinationCount(const Function& function, const Instruction& instruction) {
    const auto operands = function.operandsOf(instruction);
    if (operands.empty()) return 0;
    switch (instruction.opcode) {
    case Opcode::call: return operands[0].kind == OperandKind::list ? 1 : 0;
    case Opcode::bar:
    case Opcode::barrier: return function.has(instruction, Modifier::red) ? 1 : 0;
    case Opcode::multimem: return function.has(instruction, Modifier::ld_reduce) ? 1 : 0;
    case Opcode::mbarrier: return operands[0].kind == OperandKind::address ? 0 : 1;
    case Opcode::clusterlaunchcontrol: return function.has(instruction, Modifier::query_cancel) ? 1 : 0;
    case Opcode::wmma: return function.has(instruction, Modifier::store) ? 0 : 1;
    case Opcode::wgmma: return function.has(instruction, Modifier::mma_async) ? 1 : 0;
    case Opcode::tcgen05: return function.has(instruction, Modifier::ld) ? 1 : 0;
    default: break;
    }
    const InstructionRow* const row = instructionRow(instruction.opcode);
    return row ? row->destinations : 0;
}

} // namespace ptxwb::ptx

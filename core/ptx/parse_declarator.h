// What declarations of registers, variables and parameters have in common: attributes, types, sizes.
// Used by parse_variable.cpp and parse_parameter.cpp.
#pragma once

#include "ptx/parse_context.h"

namespace ptxwb::ptx {

/// What stands before the first name and holds for all of a declaration.
struct DeclarationHead {
    StateSpace space = StateSpace::none;
    ScalarType type = ScalarType::none;
    std::uint8_t vector = 1;
    std::uint32_t align = 0; ///< 0 where none is written
    Span typeSpan;
};

/// The state space that a directive names; `none` for all others and for `.shared::cta`.
StateSpace spaceOf(std::string_view directive);
/// `.align 16`
bool parseAlign(ParseContext& context, std::uint32_t& align);
/// `.attribute(.managed)`, `.attribute(.unified(1, 2))`: passed over.
bool parseAttribute(ParseContext& context);
/// `.v4`, then the type.
bool parseType(ParseContext& context, DeclarationHead& head);
/// Reports an attribute behind the type.
bool refuseLateAttribute(ParseContext& context);
/// ` name[4]` after a head. An open first dimension is 0.
bool parseDeclarator(ParseContext& context, const DeclarationHead& head, Variable& variable,
                     std::vector<std::uint64_t>& dimensions);
/// Elements and bytes of the whole; false where they do not fit 62 bits.
bool measure(Variable& variable, const std::vector<std::uint64_t>& dimensions);
std::uint32_t naturalAlign(const Variable& variable);

} // namespace ptxwb::ptx

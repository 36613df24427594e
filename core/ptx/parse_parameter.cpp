#include "ptx/parse_declarator.h"

#include <fmt/format.h>

namespace ptxwb::ptx {

namespace {

/// `.ptr .global .align 16` behind the type of a kernel's parameter.
bool parsePointer(ParseContext& context, Variable& parameter) {
    Cursor& cursor = context.cursor;
    parameter.isPointer = true;
    cursor.advance();
    if (cursor.at(TokenKind::directive) && !cursor.atDirective(".align")) {
        const StateSpace space = spaceOf(cursor.text());
        if (space != StateSpace::global && space != StateSpace::constant && space != StateSpace::local &&
            space != StateSpace::shared) {
            cursor.unexpected("the state space that this pointer points to", ".const, .global, .local or .shared");
            return false;
        }
        parameter.pointee = space;
        cursor.advance();
    }
    if (cursor.atDirective(".align") && !parseAlign(context, parameter.pointeeAlign)) return false;
    if (cursor.at(TokenKind::directive)) {
        cursor.unexpected("the name of the parameter", "the order is .ptr, state space, .align");
        return false;
    }
    return true;
}

bool parseParameter(ParseContext& context, std::vector<Variable>& parameters, ParameterNames names) {
    Cursor& cursor = context.cursor;
    const std::uint32_t start = cursor.token().offset;
    DeclarationHead head;
    while (startsVariable(cursor) && !cursor.atDirective(".attribute")) {
        if (cursor.atDirective(".align")) {
            if (!parseAlign(context, head.align)) return false;
        } else {
            head.space = spaceOf(cursor.text());
            cursor.advance();
        }
    }
    if (head.space != StateSpace::param && head.space != StateSpace::reg) {
        cursor.unexpected(".param or .reg before a parameter");
        return false;
    }
    if (!parseType(context, head)) return false;
    Variable parameter;
    if (cursor.atDirective(".align") && !parseAlign(context, head.align)) return false;
    if (cursor.atDirective(".ptr") && !parsePointer(context, parameter)) return false;
    if (!refuseLateAttribute(context)) return false;
    std::vector<std::uint64_t> dimensions;
    if (names == ParameterNames::ignored && !cursor.at(TokenKind::word)) {
        // a prototype may leave the name out
        parameter.type = head.type;
        parameter.space = head.space;
        parameter.vector = head.vector;
        measure(parameter, dimensions);
        parameter.align = head.align ? head.align : naturalAlign(parameter);
    } else if (!parseDeclarator(context, head, parameter, dimensions)) {
        return false;
    }
    parameter.span = cursor.from(start);
    parameters.push_back(std::move(parameter));
    return true;
}

} // namespace

bool parseParameters(ParseContext& context, std::vector<Variable>& parameters, ParameterNames names) {
    Cursor& cursor = context.cursor;
    cursor.advance();
    if (cursor.accept(')')) return true;
    do {
        if (!parseParameter(context, parameters, names)) return false;
    } while (cursor.accept(','));
    return cursor.expect(')', "or ',' after this parameter");
}

void declareParameters(ParseContext& context, const std::vector<Variable>& parameters, NameKind kind) {
    Function& function = *context.function;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Variable& parameter = parameters[i];
        if (parameter.name == "_") {
            context.reporter.error(parameter.nameSpan, "'_' is no name for a parameter of a function",
                                   "it stands in .callprototype only");
            continue;
        }
        if (reportDuplicate(context, context.names.conflict(parameter.name), parameter.name, parameter.nameSpan))
            continue;
        if (parameter.space != StateSpace::reg) {
            context.names.declare(parameter.name, kind, static_cast<Index>(i), parameter.nameSpan);
            continue;
        }
        // A register parameter is a register of the body as well.
        context.names.declare(parameter.name, NameKind::reg, function.registerCount, parameter.nameSpan);
        function.registers.push_back(
            {parameter.name, 0, function.registerCount, parameter.type, parameter.vector, 0, parameter.nameSpan});
        ++function.registerCount;
    }
}

} // namespace ptxwb::ptx

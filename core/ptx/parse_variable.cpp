#include "ptx/parse_declarator.h"

#include <fmt/format.h>

namespace ptxwb::ptx {

namespace {

/// Larger numbered families of variables (`.global .u32 t<100000>;`) are refused: each becomes a variable of its own.
constexpr std::uint32_t familyLimit = 65536;

bool mayReplace(const Variable& earlier, const Variable& later) {
    return earlier.linkage == Linkage::external && later.linkage != Linkage::internal;
}

void declareVariable(ParseContext& context, Variable&& variable, bool atModule) {
    std::vector<Variable>& list = atModule ? context.module.variables : context.function->variables;
    const Index index = static_cast<Index>(list.size());
    const auto other = context.names.conflict(variable.name);
    if (other && atModule && other->kind == NameKind::moduleVariable && mayReplace(list[other->index], variable)) {
        context.names.rebind(variable.name, index, variable.nameSpan);
    } else if (!reportDuplicate(context, other, variable.name, variable.nameSpan)) {
        context.names.declare(variable.name, atModule ? NameKind::moduleVariable : NameKind::variable, index,
                              variable.nameSpan);
    }
    list.push_back(std::move(variable));
}

/// `.global .u32 t<3>;`: t0, t1, t2.
bool declareFamily(ParseContext& context, const Variable& model, bool atModule) {
    Cursor& cursor = context.cursor;
    cursor.advance();
    const auto count = parseCount(context, "the number of variables");
    if (!count || !cursor.expect('>', "after the number of variables")) return false;
    if (*count > familyLimit) {
        context.reporter.error(model.nameSpan,
                               fmt::format("'{}<{}>' declares more than {} variables", model.name, *count, familyLimit),
                               "declare one array");
        return true;
    }
    for (std::uint32_t i = 0; i < *count; ++i) {
        Variable one = model;
        one.name = context.module.madeNames.emplace_back(fmt::format("{}{}", model.name, i));
        declareVariable(context, std::move(one), atModule);
    }
    return true;
}

} // namespace

bool startsVariable(const Cursor& cursor) {
    if (!cursor.at(TokenKind::directive)) return false;
    const std::string_view directive = cursor.text();
    return directive == ".align" || directive == ".attribute" ||
           (spaceOf(directive) != StateSpace::none && directive != ".sreg");
}

void parseRegisters(ParseContext& context) {
    Cursor& cursor = context.cursor;
    DeclarationHead head;
    head.space = StateSpace::reg;
    cursor.advance();
    while (cursor.atDirective(".align"))
        if (!parseAlign(context, head.align)) return cursor.skipStatement();
    if (!parseType(context, head) || !refuseLateAttribute(context)) return cursor.skipStatement();
    Function& function = *context.function;
    do {
        if (!cursor.at(TokenKind::word)) {
            cursor.unexpected("the name of a register");
            return cursor.skipStatement();
        }
        RegisterGroup group;
        group.stem = cursor.text();
        group.type = head.type;
        group.vector = head.vector;
        group.scope = context.scope;
        group.first = function.registerCount;
        group.span = cursor.token().span();
        const std::uint32_t start = cursor.token().offset;
        cursor.advance();
        if (cursor.at('[') || cursor.at('=')) {
            const bool array = cursor.at('[');
            context.reporter.error(
                cursor.token().span(), array ? "a register is no array" : "a register takes no initial value",
                array ? "a range is written .reg .b32 %r<4>; and gives %r0 to %r3" : "write it with mov");
            return cursor.skipStatement();
        }
        const bool range = cursor.accept('<');
        if (range) {
            const auto count = parseCount(context, "the number of registers");
            if (!count || !cursor.expect('>', "after the number of registers")) return cursor.skipStatement();
            group.count = *count;
            group.span = cursor.from(start);
        }
        const std::uint32_t ids = range ? group.count : 1;
        if (ids > parameterBase - function.registerCount) {
            context.reporter.error(group.span, "a function cannot have more than 2^30 registers");
            continue;
        }
        const auto other =
            range ? context.names.rangeConflict(group.stem, group.count) : context.names.conflict(group.stem);
        if (reportDuplicate(context, other, context.text(group.span), group.span)) continue;
        if (ids == 0) continue; // `<0>` declares nothing
        if (range)
            context.names.declareRange(group.stem, group.count, group.first, group.span);
        else
            context.names.declare(group.stem, NameKind::reg, group.first, group.span);
        function.registerCount += ids;
        function.registers.push_back(group);
    } while (cursor.accept(','));
    if (!cursor.expectSemicolon("declaration")) cursor.skipStatement();
}

void parseVariables(ParseContext& context, Linkage linkage, std::uint32_t start) {
    Cursor& cursor = context.cursor;
    const bool atModule = context.function == nullptr;
    DeclarationHead head;
    while (startsVariable(cursor)) {
        if (cursor.atDirective(".align")) {
            if (!parseAlign(context, head.align)) return cursor.skipDeclaration();
        } else if (cursor.atDirective(".attribute")) {
            if (!parseAttribute(context)) return cursor.skipDeclaration();
        } else {
            const StateSpace space = spaceOf(cursor.text());
            if (head.space != StateSpace::none) {
                // `.global .texref t` has one space; `.tex` itself is one
                cursor.unexpected("one state space", fmt::format("'.{}' has been read already", name(head.space)));
                return cursor.skipDeclaration();
            }
            if (atModule && (space == StateSpace::reg || space == StateSpace::local || space == StateSpace::param))
                context.reporter.error(
                    cursor.token().span(),
                    fmt::format("a variable in '{}' cannot be declared outside a function", cursor.text()),
                    "move it into the body that uses it");
            head.space = space;
            cursor.advance();
        }
    }
    if (head.space == StateSpace::none) {
        cursor.unexpected("a state space such as .global");
        return cursor.skipDeclaration();
    }
    if (!parseType(context, head) || !refuseLateAttribute(context)) return cursor.skipDeclaration();
    if (head.type == ScalarType::pred) {
        context.reporter.error(head.typeSpan, "predicates live in registers only", "store 0 or 1 as .u8 instead");
    }
    do {
        Variable variable;
        std::vector<std::uint64_t> dimensions;
        variable.linkage = linkage;
        if (!parseDeclarator(context, head, variable, dimensions)) return cursor.skipDeclaration();
        variable.scope = atModule ? noIndex : context.scope;
        if (cursor.at('<')) {
            variable.span = cursor.from(start);
            if (!declareFamily(context, variable, atModule)) return cursor.skipDeclaration();
            continue;
        }
        if (cursor.at('=')) {
            const Span equals = cursor.token().span();
            cursor.advance();
            if (head.type == ScalarType::samplerref || head.type == ScalarType::texref ||
                head.type == ScalarType::surfref) {
                if (!cursor.at('{')) {
                    cursor.unexpected("'{' before the settings of a sampler or texture");
                    return cursor.skipDeclaration();
                }
                cursor.skipBlock(); // filter_mode = linear, ...: nothing here depends on them
            } else if (!parseInitialiser(context, variable, dimensions)) {
                return cursor.skipDeclaration();
            }
            if (variable.space != StateSpace::global && variable.space != StateSpace::constant)
                context.reporter.error(equals,
                                       fmt::format("a variable in .{} takes no initial value", name(variable.space)),
                                       "only .global and .const variables do");
        }
        if (variable.isUnsized && linkage != Linkage::external && variable.space != StateSpace::param)
            context.reporter.error(variable.nameSpan, fmt::format("'{}' has no size", variable.name),
                                   "give the number of elements or an initial value, or declare it .extern");
        variable.span = cursor.from(start);
        declareVariable(context, std::move(variable), atModule);
    } while (cursor.accept(','));
    if (!cursor.expectSemicolon("declaration")) cursor.skipDeclaration();
}

} // namespace ptxwb::ptx

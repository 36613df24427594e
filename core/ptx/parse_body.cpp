#include "ptx/parse_context.h"

#include <fmt/format.h>

namespace ptxwb::ptx {

namespace {

void openScope(ParseContext& context) {
    Function& function = *context.function;
    function.scopes.push_back({context.scope, context.cursor.token().span()});
    context.scope = static_cast<Index>(function.scopes.size() - 1);
    context.names.open();
    context.cursor.advance();
}

void closeScope(ParseContext& context) {
    Function& function = *context.function;
    Scope& scope = function.scopes[context.scope];
    scope.span = context.cursor.from(scope.span.offset);
    context.names.close([&](Index operand, Index label) { bindLabel(context, operand, label); });
    context.scope = scope.parent;
}

void addLabel(ParseContext& context, const Token& word, Index directive) {
    Function& function = *context.function;
    const std::string_view name = context.cursor.textOf(word);
    const Index index = static_cast<Index>(function.labels.size());
    if (!reportDuplicate(context, context.names.conflict(name), name, word.span()))
        context.names.declare(name, NameKind::label, index, word.span());
    function.labels.push_back(
        {name, static_cast<std::uint32_t>(function.instructions.size()), context.scope, directive, word.span()});
}

/// A word, then a colon makes a label, everything else an instruction.
void parseWordStatement(ParseContext& context) {
    Cursor& cursor = context.cursor;
    const Token word = cursor.token();
    cursor.advance();
    if (!cursor.accept(':')) return parseInstructionAfterWord(context, word);
    if (cursor.atDirective(".branchtargets") || cursor.atDirective(".calltargets") ||
        cursor.atDirective(".callprototype"))
        return parseLabelled(context, word);
    addLabel(context, word, noIndex);
}

void parseDirectiveStatement(ParseContext& context) {
    Cursor& cursor = context.cursor;
    if (cursor.atDirective(".reg")) return parseRegisters(context);
    if (cursor.atDirective(".loc")) return parseLocation(context);
    if (cursor.atDirective(".pragma")) {
        if (!parsePragma(context, context.function->directives)) cursor.skipStatement();
        return;
    }
    if (startsVariable(cursor)) return parseVariables(context, Linkage::internal, cursor.token().offset);
    static const std::vector<std::string_view> known{".reg",   ".loc",   ".pragma", ".local", ".shared",
                                                     ".param", ".const", ".global", ".align"};
    const bool headOnly = cursor.text() == ".maxntid" || cursor.text() == ".reqntid" ||
                          cursor.text() == ".minnctapersm" || cursor.text() == ".maxnreg";
    cursor.unexpected("an instruction or a declaration",
                      headOnly ? "this directive stands between the parameters and the '{'"
                               : didYouMean(cursor.text(), known));
    cursor.skipStatement();
}

} // namespace

void bindLabel(ParseContext& context, Index operand, Index label) {
    if (operand == noIndex) return;
    Function& function = *context.function;
    Operand& use = function.operands[operand];
    use.kind = OperandKind::label;
    use.symbol = label;
    const Label& target = function.labels[label];
    if (target.directive == noIndex || target.span.offset < use.span.offset) return;
    Diagnostic* const d = context.reporter.error(
        use.span, fmt::format("'{}' must stand before the instruction that uses it", target.name),
        "branches may go forward, but tables and prototypes are declared first");
    Reporter::relate(d, context.module, target.span, "declared here");
}

void parseBody(ParseContext& context) {
    Cursor& cursor = context.cursor;
    Function& function = *context.function;
    const std::uint32_t start = cursor.token().offset;
    // Scope 0 shares the names of the parameters, which the caller has opened.
    function.scopes.push_back({noIndex, cursor.token().span()});
    context.scope = 0;
    cursor.advance();
    while (true) {
        switch (cursor.token().kind) {
        case TokenKind::word: parseWordStatement(context); continue;
        case TokenKind::directive: parseDirectiveStatement(context); continue;
        case TokenKind::end: {
            Diagnostic const* const d = context.reporter.error(
                cursor.token().span(), fmt::format("the text ends inside '{}'", function.name), "a '}' is missing");
            if (d)
                Reporter::relate(const_cast<Diagnostic*>(d), context.module, function.scopes[context.scope].span,
                                 "this '{' is not closed");
            while (context.scope != 0) closeScope(context);
            break;
        }
        case TokenKind::punctuation:
            if (cursor.at('{')) {
                openScope(context);
                continue;
            }
            if (cursor.at('}')) {
                cursor.advance();
                if (context.scope == 0) break;
                closeScope(context);
                continue;
            }
            if (cursor.at('@')) {
                parseInstruction(context);
                continue;
            }
            [[fallthrough]];
        default:
            cursor.unexpected("an instruction, a declaration or '}'",
                              cursor.at(';') ? "ptxas takes no empty statement: delete this ';'" : "");
            if (cursor.at(';'))
                cursor.advance();
            else
                cursor.skipStatement();
            continue;
        }
        break;
    }
    function.scopes[0].span = cursor.from(start);
    function.bodySpan = function.scopes[0].span;
}

void parseLabelled(ParseContext& context, const Token& label) {
    Cursor& cursor = context.cursor;
    Function& function = *context.function;
    LabelledDirective directive;
    directive.label = cursor.textOf(label);
    directive.name = cursor.text();
    directive.scope = context.scope;
    cursor.advance();
    bool good = true;
    if (directive.name == ".callprototype") {
        if (cursor.at('(')) good = parseParameters(context, directive.results, ParameterNames::ignored);
        if (good && cursor.at(TokenKind::word)) {
            cursor.advance(); // `_`, or a name that means nothing
        } else if (good) {
            cursor.unexpected("'_' in this prototype",
                              "for example: proto : .callprototype (.param .b32 _) _ (.param .b64 _);");
            good = false;
        }
        if (good && cursor.at('(')) good = parseParameters(context, directive.parameters, ParameterNames::ignored);
        std::vector<PerformanceDirective> ignored; // .noreturn, .abi_preserve
        while (good && cursor.at(TokenKind::directive) && !cursor.token().startsLine)
            good = parsePerformanceDirective(context, ignored);
        if (good && cursor.atDirective(".noreturn")) good = parsePerformanceDirective(context, ignored);
    } else {
        const bool branches = directive.name == ".branchtargets";
        do {
            if (!cursor.at(TokenKind::word)) {
                cursor.unexpected(branches ? "a label" : "the name of a function");
                good = false;
                break;
            }
            const std::string_view name = cursor.text();
            const Span span = cursor.token().span();
            cursor.advance();
            if (branches && cursor.accept('<')) {
                const auto count = parseCount(context, "the number of labels");
                if (!count || !cursor.expect('>', "after the number of labels")) {
                    good = false;
                    break;
                }
                if (*count > 65536) {
                    context.reporter.error(span, "more than 65536 labels");
                    continue;
                }
                for (std::uint32_t i = 0; i < *count; ++i) {
                    directive.targets.push_back(context.module.madeNames.emplace_back(fmt::format("{}{}", name, i)));
                    context.names.park(directive.targets.back(), noIndex, span);
                }
                continue;
            }
            directive.targets.push_back(name);
            if (branches) {
                context.names.park(name, noIndex, span);
            } else if (const auto found = context.names.find(name); !found) {
                reportUnknown(context, name, span, "function");
            } else if (found->kind != NameKind::function) {
                context.reporter.error(span, fmt::format("'{}' is no function", name));
            }
        } while (cursor.accept(','));
    }
    directive.span = cursor.from(label.offset);
    if (!good || !cursor.expectSemicolon("directive")) {
        cursor.skipStatement();
        return;
    }
    addLabel(context, label, static_cast<Index>(function.labelled.size()));
    function.labelled.push_back(std::move(directive));
}

void parseLocation(ParseContext& context) {
    Cursor& cursor = context.cursor;
    Function& function = *context.function;
    Location location;
    const std::uint32_t start = cursor.token().offset;
    cursor.advance();
    const auto file = parseCount(context, "the file's number after .loc");
    const auto line = file ? parseCount(context, "the line after the file of .loc") : std::nullopt;
    const auto column = line ? parseCount(context, "the column after the line of .loc") : std::nullopt;
    if (!column) return cursor.skipStatement();
    location.file = *file;
    location.line = *line;
    location.column = *column;
    while (cursor.accept(',')) {
        if (!cursor.at(TokenKind::word) || (cursor.text() != "function_name" && cursor.text() != "inlined_at")) {
            cursor.unexpected("function_name or inlined_at");
            return cursor.skipStatement();
        }
        const bool functionName = cursor.text() == "function_name";
        cursor.advance();
        if (functionName) {
            if (!cursor.at(TokenKind::word)) {
                cursor.unexpected("the label of the function's name");
                return cursor.skipStatement();
            }
            location.function = cursor.text();
            cursor.advance();
            if (cursor.accept('+')) {
                const auto offset = parseCount(context, "the offset of the function's name");
                if (!offset) return cursor.skipStatement();
                location.functionOffset = *offset;
            }
            continue;
        }
        const Span site = cursor.token().span();
        const auto siteFile = parseCount(context, "the file's number after inlined_at");
        const auto siteLine = siteFile ? parseCount(context, "the line of the call site") : std::nullopt;
        const auto siteColumn = siteLine ? parseCount(context, "the column of the call site") : std::nullopt;
        if (!siteColumn) return cursor.skipStatement();
        const auto known = context.callSites.find(callSiteKey(*siteFile, *siteLine, *siteColumn));
        if (known == context.callSites.end())
            context.reporter.error(
                cursor.from(site.offset),
                fmt::format("no .loc before this one names the call site {} {} {}", *siteFile, *siteLine, *siteColumn),
                "inlined_at refers to an earlier .loc of the same file, line and column");
        else
            location.inlinedAt = known->second;
    }
    location.span = cursor.from(start);
    cursor.accept(';'); // ptxas takes .loc without one
    context.location = static_cast<Index>(function.locations.size());
    context.callSites[callSiteKey(location.file, location.line, location.column)] = context.location;
    function.locations.push_back(location);
}

} // namespace ptxwb::ptx

#include "ptx/parse_context.h"

#include <fmt/format.h>

namespace ptxwb::ptx {

namespace {

/// Directives between a function's parameters and its body, with the most values that each takes.
struct DirectiveRow {
    std::string_view name;
    unsigned least, most;
};

constexpr DirectiveRow directiveRows[] = {
    {".maxntid", 1, 3},           {".reqntid", 1, 3},         {".maxnreg", 1, 1},
    {".minnctapersm", 1, 1},      {".maxnctapersm", 1, 1},    {".noreturn", 0, 0},
    {".reqnctapercluster", 1, 3}, {".explicitcluster", 0, 0}, {".maxclusterrank", 1, 1},
    {".blocksareclusters", 0, 0}, {".abi_preserve", 1, 1},    {".abi_preserve_control", 1, 1},
};

bool sameTypes(const std::vector<Variable>& a, const std::vector<Variable>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].sizeBytes != b[i].sizeBytes || sizeBytes(a[i].type) != sizeBytes(b[i].type)) return false;
    return true;
}

/// Makes the name known; a forward declaration before is taken over, another definition is reported.
void declareFunction(ParseContext& context, const Function& function) {
    const Index index = static_cast<Index>(context.module.functions.size());
    const auto other = context.names.conflict(function.name);
    if (other && other->kind == NameKind::function) {
        const Function& earlier = context.module.functions[other->index];
        if (!earlier.hasBody && earlier.isEntry == function.isEntry) {
            if (!sameTypes(earlier.parameters, function.parameters) || !sameTypes(earlier.results, function.results)) {
                Diagnostic* const d = context.reporter.error(
                    function.nameSpan, fmt::format("'{}' was declared with other parameters before", function.name),
                    "the declaration and the definition must agree");
                Reporter::relate(d, context.module, earlier.nameSpan, "declared here");
            }
            context.names.rebind(function.name, index, function.nameSpan);
            return;
        }
    }
    if (!reportDuplicate(context, other, function.name, function.nameSpan))
        context.names.declare(function.name, NameKind::function, index, function.nameSpan);
}

/// `(.param .b32 r) name (.param .b64 a)`.
bool parseSignature(ParseContext& context, Function& function) {
    Cursor& cursor = context.cursor;
    while (cursor.atDirective(".attribute")) {
        cursor.advance();
        if (!cursor.at('(')) {
            cursor.unexpected("'(' after .attribute");
            return false;
        }
        int depth = 0;
        do {
            depth += cursor.at('(') ? 1 : cursor.at(')') ? -1 : 0;
            cursor.advance();
        } while (depth > 0 && !cursor.atEnd() && !cursor.at('{') && !cursor.at(';'));
    }
    if (cursor.at('(')) {
        if (function.isEntry) {
            cursor.unexpected("the kernel's name", "a kernel returns nothing");
            return false;
        }
        if (!parseParameters(context, function.results, ParameterNames::declared)) return false;
    }
    if (!cursor.at(TokenKind::word)) {
        cursor.unexpected(function.isEntry ? "the kernel's name" : "the function's name");
        return false;
    }
    function.name = cursor.text();
    function.nameSpan = cursor.token().span();
    cursor.advance();
    return !cursor.at('(') || parseParameters(context, function.parameters, ParameterNames::declared);
}

/// After an error in a head: the body belongs to nothing, so it is passed over.
void skipFunction(ParseContext& context) {
    Cursor& cursor = context.cursor;
    while (!cursor.atEnd() && !cursor.at(';') && !cursor.at('{')) cursor.advance();
    if (cursor.at('{'))
        cursor.skipBlock();
    else
        cursor.accept(';');
}

} // namespace

bool parsePragma(ParseContext& context, std::vector<PerformanceDirective>& directives) {
    Cursor& cursor = context.cursor;
    PerformanceDirective pragma;
    const std::uint32_t start = cursor.token().offset;
    pragma.name = cursor.text();
    cursor.advance();
    do {
        if (!cursor.at(TokenKind::string)) {
            cursor.unexpected("a string after .pragma", R"(for example .pragma "nounroll";)");
            return false;
        }
        const std::string_view text = cursor.text();
        pragma.strings.push_back(text.substr(1, text.size() - 2));
        cursor.advance();
    } while (cursor.accept(','));
    pragma.span = cursor.from(start);
    directives.push_back(std::move(pragma));
    return cursor.expectSemicolon("directive");
}

bool parsePerformanceDirective(ParseContext& context, std::vector<PerformanceDirective>& directives) {
    Cursor& cursor = context.cursor;
    if (cursor.atDirective(".pragma")) return parsePragma(context, directives);
    const DirectiveRow* known = nullptr;
    for (const DirectiveRow& row : directiveRows)
        if (cursor.atDirective(row.name)) known = &row;
    if (!known) {
        std::vector<std::string_view> names;
        for (const DirectiveRow& row : directiveRows) names.push_back(row.name);
        cursor.unexpected("'{', ';' or a directive such as .maxntid",
                          cursor.at(TokenKind::directive) ? didYouMean(cursor.text(), names) : std::string());
        return false;
    }
    PerformanceDirective directive;
    const std::uint32_t start = cursor.token().offset;
    directive.name = cursor.text();
    cursor.advance();
    if (known->most) {
        do {
            const auto value = parseCount(context, fmt::format("a number after {}", directive.name));
            if (!value) return false;
            directive.values.push_back(*value);
        } while (cursor.accept(','));
        if (directive.values.size() > known->most)
            context.reporter.error(cursor.from(start),
                                   fmt::format("{} takes at most {} numbers, not {}", directive.name, known->most,
                                               directive.values.size()));
    }
    directive.span = cursor.from(start);
    directives.push_back(std::move(directive));
    return true;
}

void parseFunction(ParseContext& context, Linkage linkage, std::uint32_t start) {
    Cursor& cursor = context.cursor;
    Function function;
    function.linkage = linkage;
    function.isEntry = cursor.atDirective(".entry");
    cursor.advance();
    context.function = &function;
    context.location = noIndex;
    context.stack.clear();
    context.callSites.clear();
    context.unknownUses.clear();
    bool good = parseSignature(context, function);
    // The name belongs to the module, and is known inside its own body; the parameters share the body's scope.
    if (good) declareFunction(context, function);
    context.names.open();
    if (good) {
        declareParameters(context, function.results, NameKind::result);
        declareParameters(context, function.parameters, NameKind::parameter);
    }
    while (good && !cursor.at('{') && !cursor.at(';') && !cursor.atEnd())
        good = parsePerformanceDirective(context, function.directives);
    function.headSpan = cursor.from(start);
    if (good && cursor.at('{')) {
        function.hasBody = true;
        parseBody(context);
    } else if (good && !cursor.accept(';')) {
        cursor.unexpected("the body of this function, or ';'");
        good = false;
    }
    context.names.close([&](Index operand, Index label) { bindLabel(context, operand, label); });
    for (const Names::Use& use : context.names.takeUnbound()) reportUnknown(context, context.text(use.span), use.span);
    context.function = nullptr;
    if (!good) skipFunction(context);
    function.span = cursor.from(start);
    if (!function.name.empty()) context.module.functions.push_back(std::move(function));
}

} // namespace ptxwb::ptx

#include "ptx/parse.h"

#include "ptx/parse_context.h"
#include "ptx/special_registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace ptxwb::ptx {

namespace {

constexpr unsigned reportedUses = 20;

std::vector<std::uint32_t> findLines(const std::string& text) {
    std::vector<std::uint32_t> starts{0};
    const char* at = text.data();
    const char* const end = at + text.size();
    while (const void* const newline = std::memchr(at, '\n', static_cast<std::size_t>(end - at))) {
        at = static_cast<const char*>(newline) + 1;
        starts.push_back(static_cast<std::uint32_t>(at - text.data()));
    }
    return starts;
}

/// The lines `//@ key value` before the first line that is neither blank nor a comment.
void readCandidateLines(Module& module) {
    const std::string_view text = *module.text;
    for (const std::uint32_t start : module.lineStarts) {
        std::string_view line = text.substr(start, std::min(text.find('\n', start), text.size()) - start);
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos) continue;
        if (!line.substr(first).starts_with("//")) return;
        if (!line.substr(first).starts_with("//@")) continue;
        const std::size_t last = line.find_last_not_of(" \t\r");
        const Span span{static_cast<std::uint32_t>(start + first), static_cast<std::uint32_t>(last + 1 - first)};
        std::string_view body = module.textOf(span).substr(3);
        body.remove_prefix(std::min(body.find_first_not_of(" \t"), body.size()));
        const std::size_t keyEnd = std::min(body.find_first_of(" \t"), body.size());
        std::string_view value = body.substr(keyEnd);
        value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
        module.candidateLines.push_back({body.substr(0, keyEnd), value, span});
    }
}

/// `.version 8.5`
bool parseVersion(ParseContext& context) {
    Cursor& cursor = context.cursor;
    while (cursor.at(TokenKind::bad)) {
        cursor.unexpected(".version");
        cursor.advance();
    }
    if (!cursor.atDirective(".version")) {
        context.reporter.syntax(cursor.token().span(), "a PTX file begins with .version",
                                "write .version 8.0 and .target sm_90 before everything else");
        return false;
    }
    const std::uint32_t start = cursor.token().offset;
    cursor.advance();
    const std::string_view text = cursor.text();
    const std::size_t point = text.find('.');
    const bool digits = cursor.at(TokenKind::real) && point != std::string_view::npos && point + 2 == text.size() &&
                        point >= 1 && point <= 3 && text.find_first_not_of("0123456789.") == std::string_view::npos;
    if (!digits) {
        cursor.unexpected("a version such as 8.0 after .version", "major, a point, and one digit");
        return false;
    }
    unsigned major = 0;
    for (const char c : text.substr(0, point)) major = major * 10 + static_cast<unsigned>(c - '0');
    context.module.version = static_cast<std::uint16_t>(major * 10 + static_cast<unsigned>(text[point + 1] - '0'));
    cursor.advance();
    context.module.versionSpan = cursor.from(start);
    return true;
}

/// `.target sm_90a, debug`
bool parseTarget(ParseContext& context) {
    Cursor& cursor = context.cursor;
    Module& module = context.module;
    const std::uint32_t start = cursor.token().offset;
    cursor.advance();
    do {
        if (!cursor.at(TokenKind::word)) {
            cursor.unexpected("a target such as sm_90 after .target");
            return false;
        }
        module.targets.push_back(cursor.text());
        cursor.advance();
    } while (cursor.accept(','));
    if (module.targetSpan.length == 0) module.targetSpan = cursor.from(start);
    return true;
}

bool parseAddressSize(ParseContext& context) {
    Cursor& cursor = context.cursor;
    cursor.advance();
    const Span span = cursor.token().span();
    const auto size = parseCount(context, "64 after .address_size");
    if (!size) return false;
    if (*size != 32 && *size != 64)
        context.reporter.error(span, fmt::format("an address has 32 or 64 bits, not {}", *size),
                               "write .address_size 64");
    else
        context.module.addressSize = *size;
    return true;
}

/// `.file 1 "kernel.cu", 1700000000, 1234`
bool parseFile(ParseContext& context) {
    Cursor& cursor = context.cursor;
    cursor.advance();
    FileEntry entry;
    const auto index = parseCount(context, "a number after .file");
    if (!index) return false;
    entry.index = *index;
    if (!cursor.at(TokenKind::string)) {
        cursor.unexpected("the file's name in quotes");
        return false;
    }
    const std::string_view text = cursor.text();
    entry.name = text.substr(1, text.size() - 2);
    cursor.advance();
    while (cursor.accept(',')) { // time stamp and size
        if (!cursor.at(TokenKind::integer)) {
            cursor.unexpected("a number");
            return false;
        }
        cursor.advance();
    }
    cursor.accept(';');
    context.module.files.push_back(entry);
    return true;
}

/// `.section .debug_str { ... }`: debug data, kept as text.
bool parseSection(ParseContext& context) {
    Cursor& cursor = context.cursor;
    Section section;
    const std::uint32_t start = cursor.token().offset;
    cursor.advance();
    if (!cursor.at(TokenKind::directive) && !cursor.at(TokenKind::word)) {
        cursor.unexpected("the section's name");
        return false;
    }
    section.name = cursor.text();
    cursor.advance();
    if (!cursor.at('{')) {
        cursor.unexpected("'{' after the section's name");
        return false;
    }
    const Span open = cursor.token().span();
    if (!cursor.skipBlock()) {
        context.reporter.syntax(open, "this section is not closed", "a '}' is missing");
        return true;
    }
    section.body = {open.end(), cursor.lastEnd() - 1 - open.end()};
    section.span = cursor.from(start);
    context.module.sections.push_back(section);
    return true;
}

/// `.alias name, aliasee;`
bool parseAlias(ParseContext& context) {
    Cursor& cursor = context.cursor;
    Alias alias;
    const std::uint32_t start = cursor.token().offset;
    cursor.advance();
    for (std::string_view* const name : {&alias.name, &alias.aliasee}) {
        if (!cursor.at(TokenKind::word)) {
            cursor.unexpected("the name of a function");
            return false;
        }
        *name = cursor.text();
        const Span span = cursor.token().span();
        const auto found = context.names.find(*name);
        if (!found)
            reportUnknown(context, *name, span, "function");
        else if (found->kind != NameKind::function)
            context.reporter.error(span, fmt::format("'{}' is no function, and only functions have aliases", *name));
        cursor.advance();
        if (name == &alias.name && !cursor.expect(',', "between the two names of .alias")) return false;
    }
    alias.span = cursor.from(start);
    context.module.aliases.push_back(alias);
    return cursor.expectSemicolon("directive");
}

std::optional<Linkage> linkageOf(std::string_view directive) {
    if (directive == ".visible") return Linkage::visible;
    if (directive == ".extern") return Linkage::external;
    if (directive == ".weak") return Linkage::weak;
    if (directive == ".common") return Linkage::common;
    return std::nullopt;
}

bool startsTopLevel(std::string_view text) {
    static constexpr std::string_view words[] = {".entry",   ".func",   ".visible", ".extern",      ".weak",
                                                 ".common",  ".global", ".const",   ".shared",      ".file",
                                                 ".section", ".pragma", ".alias",   ".address_size"};
    return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

/// Goes on at what looks like the next declaration.
void recover(ParseContext& context) {
    Cursor& cursor = context.cursor;
    bool first = true;
    while (!cursor.atEnd()) {
        if (!first && cursor.token().startsLine && cursor.at(TokenKind::directive) && startsTopLevel(cursor.text()))
            return;
        first = false;
        if (cursor.at('{')) {
            cursor.skipBlock();
            return;
        }
        const bool last = cursor.at(';') || cursor.at('}');
        cursor.advance();
        if (last) return;
    }
}

void parseTopLevel(ParseContext& context) {
    Cursor& cursor = context.cursor;
    const std::uint32_t start = cursor.token().offset;
    Linkage linkage = Linkage::internal;
    if (cursor.at(TokenKind::directive)) {
        if (const auto written = linkageOf(cursor.text())) {
            linkage = *written;
            cursor.advance();
        }
    }
    if (cursor.atDirective(".entry") || cursor.atDirective(".func") || startsVariable(cursor)) context.inHead = false;
    if (cursor.atDirective(".entry") || cursor.atDirective(".func")) return parseFunction(context, linkage, start);
    if (startsVariable(cursor) || cursor.atDirective(".reg")) return parseVariables(context, linkage, start);
    const bool ofHead = cursor.atDirective(".target") || cursor.atDirective(".address_size");
    if (ofHead && !context.inHead) {
        context.reporter.syntax(cursor.token().span(), fmt::format("{} stands before all declarations", cursor.text()),
                                "move it up, behind .version");
        cursor.advance();
        return recover(context);
    }
    context.inHead &= ofHead;
    bool good = false;
    if (linkage == Linkage::internal && cursor.at(TokenKind::directive)) {
        const std::string_view directive = cursor.text();
        std::vector<PerformanceDirective> ignored;
        if (directive == ".file")
            good = parseFile(context);
        else if (directive == ".section")
            good = parseSection(context);
        else if (directive == ".address_size")
            good = parseAddressSize(context);
        else if (directive == ".target")
            good = parseTarget(context);
        else if (directive == ".pragma")
            good = parsePragma(context, ignored);
        else if (directive == ".alias")
            good = parseAlias(context);
        else if (directive == ".version") {
            context.reporter.syntax(cursor.token().span(), ".version stands once, at the start of the file",
                                    "several modules in one file cannot be assembled together");
            cursor.advance();
            if (cursor.at(TokenKind::real)) cursor.advance();
            return;
        } else {
            static const std::vector<std::string_view> known{
                ".entry",  ".func", ".visible", ".extern", ".weak",  ".common", ".global",      ".const",
                ".shared", ".file", ".section", ".pragma", ".alias", ".target", ".address_size"};
            cursor.unexpected("a declaration", didYouMean(directive, known));
        }
    } else if (linkage != Linkage::internal) {
        cursor.unexpected("a variable, .func or .entry");
    } else {
        cursor.unexpected("a declaration such as .visible .entry or .global",
                          cursor.at(';') ? "ptxas takes no empty statement: delete this ';'" : "");
    }
    if (!good) recover(context);
}

/// Calls before a definition refer to the forward declaration: point them at the definition.
void resolveForwardDeclarations(ParseContext& context) {
    Module& module = context.module;
    std::vector<Index> final(module.functions.size());
    bool changed = false;
    for (Index i = 0; i < final.size(); ++i) {
        const auto found = context.names.find(module.functions[i].name);
        final[i] = found && found->kind == NameKind::function && found->index < final.size() ? found->index : i;
        changed |= final[i] != i;
    }
    if (!changed) return;
    for (Function& function : module.functions)
        for (Operand& operand : function.operands)
            if (operand.kind == OperandKind::function) operand.symbol = final[operand.symbol];
}

std::shared_ptr<const Module> tooLarge(std::shared_ptr<Module> module) {
    Diagnostic diagnostic;
    diagnostic.cause = Cause::rejected;
    diagnostic.kind = "syntax";
    diagnostic.place.file = module->name;
    diagnostic.message = "this file is larger than 4 GiB";
    diagnostic.hint = "cut it down to the kernels that matter";
    module->diagnostics.push_back(std::move(diagnostic));
    module->text = std::make_shared<const std::string>();
    module->lineStarts = {0};
    return module;
}

} // namespace

bool reportDuplicate(ParseContext& context, const std::optional<Found>& other, std::string_view name, Span span) {
    if (!other) return false;
    Diagnostic* const d = context.reporter.error(span, fmt::format("'{}' is declared twice in one scope", name),
                                                 "rename one of them, or put the second into a block of its own");
    Reporter::relate(d, context.module, other->span, "declared here first");
    return true;
}

void reportUnknown(ParseContext& context, std::string_view name, Span span, std::string_view what) {
    const unsigned uses = ++context.unknownUses[name];
    if (uses > reportedUses) return;
    std::string hint;
    if (uses == 1 && context.unknownUses.size() <= 100) {
        std::vector<std::string_view> candidates;
        const std::string_view stem = name.substr(0, stemLength(name));
        if (const Function* function = context.function) {
            for (const RegisterGroup& group : function->registers) {
                if (group.count && group.stem == stem && stem.size() != name.size())
                    hint = fmt::format("{}<{}> ends at {}{}", stem, group.count, stem, group.count - 1);
                candidates.push_back(group.stem);
            }
            for (const Variable& v : function->parameters) candidates.push_back(v.name);
            for (const Variable& v : function->results) candidates.push_back(v.name);
            for (const Variable& v : function->variables) candidates.push_back(v.name);
            for (const Label& l : function->labels) candidates.push_back(l.name);
        }
        for (const Variable& v : context.module.variables) candidates.push_back(v.name);
        if (name.starts_with('%'))
            for (const SpecialRegister& special : specialRegisters()) candidates.push_back(special.name);
        for (const Function& f : context.module.functions) candidates.push_back(f.name);
        if (candidates.size() > 20000) candidates.resize(20000);
        if (hint.empty()) hint = didYouMean(name, candidates);
        if (hint.empty() && name.starts_with('%'))
            hint = what == "predicate" ? "declare it with .reg .pred" : "declare it with .reg";
    }
    const std::string_view more = uses == reportedUses ? "; further uses are not shown" : "";
    context.reporter.error(span, fmt::format("no {} '{}' is declared here{}", what, name, more), std::move(hint));
}

std::shared_ptr<const Module> parse(std::string text, std::string name) {
    auto module = std::make_shared<Module>();
    module->name = std::move(name);
    if (text.size() >= std::numeric_limits<std::uint32_t>::max()) return tooLarge(std::move(module));
    module->text = std::make_shared<const std::string>(std::move(text));
    module->lineStarts = findLines(*module->text);
    readCandidateLines(*module);

    Reporter reporter(*module);
    Cursor cursor(*module->text, reporter);
    ParseContext context(*module, reporter, cursor);
    if (parseVersion(context)) {
        if (!cursor.atDirective(".target"))
            reporter.syntax(cursor.token().span(), "expected .target after .version", "for example .target sm_90");
        else if (!parseTarget(context))
            recover(context);
    } else {
        // What follows is read all the same, for its own mistakes; a text without any directive is left alone.
        while (!cursor.atEnd() && !(cursor.at(TokenKind::directive) && cursor.text() != ".version")) cursor.advance();
        if (cursor.atDirective(".target") && !parseTarget(context)) recover(context);
    }
    while (!cursor.atEnd()) parseTopLevel(context);
    resolveForwardDeclarations(context);
    module->diagnostics = reporter.take();
    return module;
}

} // namespace ptxwb::ptx

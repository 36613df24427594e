#include "ptx/line_map.h"

#include "ptx/lexer.h"

#include <algorithm>

namespace ptxwb::ptx {

namespace {

std::string_view lastPart(std::string_view path) {
    const std::size_t slash = path.find_last_of('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string lineKey(std::string_view file, std::uint32_t line) {
    return std::string(file) + ':' + std::to_string(line);
}

} // namespace

std::string decodeFileName(std::string_view text) {
    std::string name;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            name += text[i];
            continue;
        }
        unsigned value = 0;
        std::size_t digits = 0;
        while (digits < 3 && i + 1 + digits < text.size() && text[i + 1 + digits] >= '0' && text[i + 1 + digits] <= '7')
            value = value * 8 + static_cast<unsigned>(text[i + 1 + digits++] - '0');
        if (digits) {
            name += static_cast<char>(value);
            i += digits;
        } else {
            name += text[++i];
        }
    }
    return name;
}

LineMap::LineMap(const Module& module) : m_module(module) {
    for (const FileEntry& file : module.files) m_files.try_emplace(file.index, decodeFileName(file.name));
    readStrings(module);
    for (Index f = 0; f < module.functions.size(); ++f) {
        const Function& function = module.functions[f];
        for (const Instruction& instruction : function.instructions)
            if (instruction.location != noIndex && function.locations[instruction.location].line != 0)
                m_entries.push_back({module.lineOf(instruction.opcodeSpan.offset), f, instruction.location});
    }
    std::stable_sort(m_entries.begin(), m_entries.end(),
                     [](const Entry& a, const Entry& b) { return a.ptxLine < b.ptxLine; });
    for (const Entry& entry : m_entries) {
        const Function& function = module.functions[entry.function];
        for (Index at = entry.location; at != noIndex; at = function.locations[at].inlinedAt) {
            const Location& location = function.locations[at];
            const std::string_view file = fileName(location.file);
            for (const std::string_view name : {file, lastPart(file)}) {
                std::vector<std::uint32_t>& lines = m_lines[lineKey(name, location.line)];
                if (lines.empty() || lines.back() != entry.ptxLine) lines.push_back(entry.ptxLine);
                if (lastPart(file) == file) break;
            }
        }
    }
}

/// `.section .debug_str { label: .b8 95, 90, ..., 0 ... }`
void LineMap::readStrings(const Module& module) {
    for (const Section& section : module.sections) {
        if (section.name != ".debug_str") continue;
        Lexer lexer(module.textOf(section.body));
        const std::string_view body = module.textOf(section.body);
        std::string* current = nullptr;
        Token before;
        for (Token token = lexer.next(); token.kind != TokenKind::end; token = lexer.next()) {
            if (token.is(':') && before.kind == TokenKind::word)
                current = &m_strings[body.substr(before.offset, before.length)];
            if (token.kind == TokenKind::integer && current) current->push_back(static_cast<char>(token.value));
            before = token;
        }
    }
}

std::string_view LineMap::fileName(std::uint32_t index) const {
    const auto found = m_files.find(index);
    return found == m_files.end() ? std::string_view() : std::string_view(found->second);
}

std::string_view LineMap::functionName(const Location& location) const {
    const auto found = m_strings.find(location.function);
    if (found == m_strings.end() || location.functionOffset >= found->second.size()) return {};
    return found->second.c_str() + location.functionOffset; // up to the zero byte
}

std::vector<SourcePlace> LineMap::sourceOf(std::uint32_t ptxLine) const {
    const auto entry = std::lower_bound(m_entries.begin(), m_entries.end(), ptxLine,
                                        [](const Entry& e, std::uint32_t line) { return e.ptxLine < line; });
    std::vector<SourcePlace> chain;
    if (entry == m_entries.end() || entry->ptxLine != ptxLine) return chain;
    const Function& function = m_module.functions[entry->function];
    for (Index at = entry->location; at != noIndex; at = function.locations[at].inlinedAt) {
        const Location& location = function.locations[at];
        chain.push_back({fileName(location.file), location.line, location.column, functionName(location)});
    }
    return chain;
}

std::vector<std::uint32_t> LineMap::linesOf(std::string_view file, std::uint32_t line) const {
    const auto found = m_lines.find(lineKey(file, line));
    return found == m_lines.end() ? std::vector<std::uint32_t>() : found->second;
}

std::vector<std::string_view> LineMap::files() const {
    std::vector<std::string_view> names;
    for (const FileEntry& entry : m_module.files) {
        const std::string_view name = fileName(entry.index);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names;
}

} // namespace ptxwb::ptx

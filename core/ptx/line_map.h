// PTX lines and the CUDA lines they come from, in both directions.
// Used by the window's source pane, by findings, and by reports.
#pragma once

#include "ptx/module.h"

#include <unordered_map>

namespace ptxwb::ptx {

/// One place in CUDA source. `file` is decoded: `\303\251` in a `.file` is one UTF-8 byte each.
struct SourcePlace {
    std::string_view file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string_view function; ///< inlined function as `.debug_str` names it; empty for the place itself, or if unknown
};

/// Made once for a module, whose text must outlive it.
class LineMap {
public:
    explicit LineMap(const Module& module);

    /// Innermost first, then the call sites that it was inlined at. Empty where no `.loc` is in force at that PTX line
    /// (counted from 1).
    std::vector<SourcePlace> sourceOf(std::uint32_t ptxLine) const;
    /// PTX lines with instructions of a CUDA line, also where it was inlined; in order. `file` as `SourcePlace` gives
    /// it, or its last part ("saxpy.cu").
    std::vector<std::uint32_t> linesOf(std::string_view file, std::uint32_t line) const;
    /// Names of all files that a `.loc` refers to, in order of `.file`.
    std::vector<std::string_view> files() const;
    bool empty() const { return m_entries.empty(); }

private:
    struct Entry {
        std::uint32_t ptxLine;
        Index function;
        Index location;
    };
    std::string_view fileName(std::uint32_t index) const;
    std::string_view functionName(const Location& location) const;
    void readStrings(const Module& module);

    const Module& m_module;
    std::vector<Entry> m_entries; ///< one an instruction with a location, in order of the PTX line
    std::unordered_map<std::uint32_t, std::string> m_files;
    std::unordered_map<std::string_view, std::string>
        m_strings; ///< labels of `.debug_str`, each to all that follows it
    std::unordered_map<std::string, std::vector<std::uint32_t>> m_lines; ///< "file:line" to PTX lines
};

/// Octal escapes (`\303\251`), `\\` and `\"` of a `.file` name to bytes.
std::string decodeFileName(std::string_view text);

} // namespace ptxwb::ptx

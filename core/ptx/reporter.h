// Collects the diagnostics of one file: places, order, and a limit.
// Used by the parser's parts and by the checker.
#pragma once

#include "ptx/module.h"

#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::ptx {

class Reporter {
public:
    explicit Reporter(const Module& module) : m_module(module) {}

    /// Grammar: kind "syntax".
    void syntax(Span span, std::string message, std::string hint = {});
    /// Names, types, counts: kind "type". The answer stays valid until the next report; nullptr past the limit.
    Diagnostic* error(Span span, std::string message, std::string hint = {});
    Diagnostic* warning(Span span, std::string message, std::string hint = {});
    Diagnostic* note(Span span, std::string message, std::string hint = {});

    /// For "declared here first".
    static void relate(Diagnostic* diagnostic, const Module& module, Span span, std::string message);

    /// Takes diagnostics that were made before, to be ordered with the new ones.
    void adopt(const std::vector<Diagnostic>& diagnostics);

    std::size_t errors() const { return m_errors; }
    /// In order of place; past the limit one last line tells how many are not shown.
    std::vector<Diagnostic> take();

private:
    Diagnostic* add(Severity severity, const char* kind, Span span, std::string&& message, std::string&& hint);

    static constexpr std::size_t limit = 1000;

    const Module& m_module;
    std::vector<Diagnostic> m_entries;
    std::size_t m_errors = 0;
    std::size_t m_dropped = 0;
};

/// "did you mean 'x'?" for the candidate nearest to `word`; empty where none is near.
std::string didYouMean(std::string_view word, const std::vector<std::string_view>& candidates);

} // namespace ptxwb::ptx

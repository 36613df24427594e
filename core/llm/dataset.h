// Kernels with verdicts as lines of a data set, each text once.
// Used by `ptxwb export-dataset`.
#pragma once

#include "llm/outcome.h"

#include <set>

namespace ptxwb::llm {

/// The text without what does not change the program: comments, blanks, line information, debug sections, `//@` lines,
/// and the names of registers and labels (numbered by their first use). Texts that parse alike under a renaming are the
/// same; a text that does not parse keeps its names.
std::string normalisedPtx(const std::string& text);

/// Where a text comes from.
struct Provenance {
    std::string kind; ///< hand, compiler, model, import
    std::string provider, model, promptSha256, toolkit;
};

struct DatasetEntry {
    std::string kernel, title, intent, cuda, arch, entry, name;
    std::string ptx;
    Provenance provenance;
    Outcome outcome;
};

class Dataset {
public:
    /// False where the same program is there already for this kernel and target.
    bool add(const DatasetEntry& entry);
    std::size_t size() const { return m_count; }
    std::size_t duplicates() const { return m_duplicates; }
    /// JSON lines, in the order of `add`.
    const std::string& text() const { return m_text; }

private:
    std::set<std::string> m_seen;
    std::string m_text;
    std::size_t m_count = 0, m_duplicates = 0;
};

} // namespace ptxwb::llm

// The library of patterns that made kernels faster: when each helps, and a short example in PTX.
// Files of resources/patterns, and a person's own beside them; chosen for a prompt by what the kernel does.
#pragma once

#include "support/diagnostic.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::llm {

struct Pattern {
    std::string name;  ///< of its file
    std::string title; ///< its heading
    std::string version;
    unsigned firstTarget = 0;      ///< 80 for sm_80
    std::vector<std::string> when; ///< features; each "a+b" wants both
    std::string helps;             ///< when it helps, and when it does not
    std::string ptx;               ///< a file that assembles
    std::string file;
    bool isOwn = false;
};

/// One file: a heading `# Title`, lines `- version: 1`, `- target: sm_80`, `- when: a+b, c`, `- helps: ...` (which may
/// go on in the next lines), and one fenced block. Errors name file and line.
Expected<Pattern> readPattern(std::string_view text, const std::string& file);

/// All *.md of both folders, by name; one's own replace bundled ones of the same name.
Expected<std::vector<Pattern>> loadPatterns(const std::filesystem::path& bundled,
                                            const std::filesystem::path& own = {});

/// Those that `target` ("sm_90") can run and whose features are there: the ones with most matching words first, at most
/// `limit`.
std::vector<Pattern> choosePatterns(const std::vector<Pattern>& all, const std::vector<std::string>& features,
                                    std::string_view target, std::size_t limit = 3);

} // namespace ptxwb::llm

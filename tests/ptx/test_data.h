// Reading of test data and short cuts for parsed modules.
#pragma once

#include "ptx/parse.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace ptxwb::ptx {

inline std::filesystem::path dataFolder() {
    return std::filesystem::path(PTXWB_SOURCE_DIR) / "tests/data/ptx";
}

inline std::string readText(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// All diagnostics as `ptxwb check` prints them.
inline std::string formatAll(const Module& module, const std::vector<Diagnostic>& diagnostics) {
    std::string all;
    for (const Diagnostic& diagnostic : diagnostics) all += format(diagnostic, *module.text);
    return all;
}

inline bool hasErrors(const std::vector<Diagnostic>& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics)
        if (diagnostic.severity == Severity::error) return true;
    return false;
}

/// A module with one kernel `k` around `body`, with parameters `P` (u64) and `N` (u32).
inline std::shared_ptr<const Module> kernel(const std::string& body, const std::string& before = {}) {
    return parse(".version 9.0\n.target sm_90a\n.address_size 64\n" + before +
                     "\n.visible .entry k(.param .u64 P, .param .u32 N) {\n" + body + "\n}\n",
                 "k.ptx");
}

} // namespace ptxwb::ptx

// Reading test stories: one JSON file each, input and expectation together.
// Used by the data-driven tests of this folder.
#pragma once

#include "compare_text.h"
#include "kernel/spec_load.h"
#include "support/files.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace ptxwb::kernel::test {

inline std::filesystem::path dataFolder() {
    return std::filesystem::path(PTXWB_SOURCE_DIR) / "tests/data/kernel";
}
inline std::filesystem::path examplesFolder() {
    return std::filesystem::path(PTXWB_SOURCE_DIR) / "resources/examples";
}

inline nlohmann::ordered_json readStory(const std::filesystem::path& file) {
    return nlohmann::ordered_json::parse(readFile(file).value());
}

inline Symbols symbolsOf(const nlohmann::ordered_json& object) {
    Symbols symbols;
    for (const auto& [name, value] : object.items()) symbols[name] = value.get<std::int64_t>();
    return symbols;
}

inline std::vector<std::string> namesOf(const Symbols& symbols) {
    std::vector<std::string> names;
    for (const auto& [name, unused] : symbols) names.push_back(name);
    return names;
}

/// An empty text for every file that the spec names.
inline KernelFiles filesOf(const nlohmann::ordered_json& spec) {
    KernelFiles files;
    const auto flat = spec.flatten();
    for (const auto& [pointer, value] : flat.items())
        if (value.is_string()) files[value.get<std::string>()] = "";
    return files;
}

/// All that the loader says, as the command line prints it.
inline std::string messages(const LoadedKernel& loaded) {
    std::string text;
    for (const auto& diagnostic : loaded.diagnostics) text += format(diagnostic, loaded.text);
    return text;
}

/// With PTXWB_UPDATE_STORIES set the expectations are written anew; `git diff` is then the review.
inline bool updating() {
    return qEnvironmentVariableIsSet("PTXWB_UPDATE_STORIES");
}

} // namespace ptxwb::kernel::test

// Prompt templates: texts with places for facts, in files that a person can read, replace and compare.
// Used by prompt.cpp.
#pragma once

#include "support/diagnostic.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace ptxwb::llm {

/// `{{name}}` is replaced by a text or a number; `{{#name}} ... {{/name}}` stays where the value is a text that is not
/// empty, true, or an object, and is repeated for each element of an array, with its members in reach; `{{^name}} ...
/// {{/name}}` stays where it is absent, empty or false; `{{! comment}}` goes. A line that holds nothing but one of the
/// last four goes with its end. What is put in is never read as a template. Errors: a name that `values` has nowhere
/// (with the nearest one), sections that are not closed, with line and column of `file`.
Expected<std::string> render(std::string_view text, const nlohmann::json& values, const std::string& file = {});

struct Template {
    std::string name, text, file;
    std::string version; ///< of its first line `{{! name, version 3: ... }}`
    bool isOwn = false;  ///< a person's own file in place of the bundled one
};

/// NAME.md of `own` where it is there, else of `bundled`. Errors: neither can be read.
Expected<Template> loadTemplate(std::string_view name, const std::filesystem::path& bundled,
                                const std::filesystem::path& own = {});

} // namespace ptxwb::llm

// Where `propose` and `import` put candidates: NAME.proposals/001, 002, ... with one PTX file each and the family tree.
// No name in there comes from a reply.
#pragma once

#include "proposals/describe.h"

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>

namespace ptxwb::cli {

using proposals::describe;

/// A new folder NAME.proposals/NNN below `where` (empty: the current folder). Errors: it cannot be made.
Expected<std::filesystem::path> makeProposalsFolder(const std::string& kernel, const std::string& where);

/// The candidate's text with a line `//@ origin ...` of ours at its top.
std::string withOrigin(const std::string& ptx, const std::string& origin);

/// An attempt as an element of `attempts`: names, family, problems, and what the worker said (`result`, may be null).
nlohmann::json toJson(const llm::Attempt& attempt, const nlohmann::json& result, const std::string& file);

} // namespace ptxwb::cli

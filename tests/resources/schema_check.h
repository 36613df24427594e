// Checks a JSON value against one of the schemas of resources/schemas, references between the files included.
// Called by the tests of formats.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ptxwb::test {

/// `name` as in `name.schema.json`. Empty where `value` fits, else one line a reason: "<root>[results][0]: Missing
/// required property 'verdict'." Throws std::runtime_error where the schema itself cannot be read.
std::string mismatch(const std::string& name, const nlohmann::json& value);

} // namespace ptxwb::test

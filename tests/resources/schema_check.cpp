#include "schema_check.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

// Warnings inside the library are not ours.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#pragma GCC diagnostic pop

namespace ptxwb::test {

namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

nlohmann::json readSchema(const std::string& file) {
    std::ifstream stream(std::string(PTXWB_SOURCE_DIR "/resources/schemas/") + file);
    if (!stream) throw std::runtime_error("no schema " + file + " in resources/schemas");
    return nlohmann::json::parse(stream);
}

} // namespace

std::string mismatch(const std::string& name, const nlohmann::json& value) {
    const nlohmann::json document = readSchema(name + ".schema.json");
    valijson::Schema schema;
    valijson::SchemaParser parser;
    parser.populateSchema(
        Adapter(document), schema,
        [](const std::string& file) -> const nlohmann::json* { return new nlohmann::json(readSchema(file)); },
        [](const nlohmann::json* fetched) { delete fetched; });

    valijson::Validator validator;
    valijson::ValidationResults results;
    if (validator.validate(schema, Adapter(value), &results)) return {};
    std::string reasons;
    for (const auto& error : results) {
        for (const auto& step : error.context) reasons += step;
        reasons += ": " + error.description + '\n';
    }
    return reasons.empty() ? "refused without a reason\n" : reasons;
}

} // namespace ptxwb::test

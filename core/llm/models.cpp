#include "llm/models.h"

#include "support/files.h"
#include "support/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ptxwb::llm {

namespace {

Expected<ModelFacts> factsOf(const std::string& name, const JsonReader& reader) {
    if (auto known = reader.onlyKeys({"window", "input_per_million", "output_per_million"}); !known)
        return std::unexpected(std::move(known.error()));
    ModelFacts facts;
    facts.name = name;
    if (reader.has("window")) {
        const auto window = reader.integer("window");
        if (!window) return std::unexpected(window.error());
        if (*window <= 0) return reader.at("window")->fail("a window holds at least one token");
        facts.window = static_cast<std::uint64_t>(*window);
    }
    if (reader.has("input_per_million") || reader.has("output_per_million")) {
        const auto input = reader.number("input_per_million"), output = reader.number("output_per_million");
        for (const auto* price : {&input, &output}) {
            if (!*price) return std::unexpected(price->error());
            if (!(**price >= 0)) return reader.fail("a price is 0 or more");
        }
        facts.price = Price{*input, *output};
    }
    return facts;
}

} // namespace

Expected<ModelTable> ModelTable::load(const std::filesystem::path& file, const std::filesystem::path& own) {
    ModelTable table;
    for (const auto& path : {file, own}) {
        std::error_code error;
        if (path.empty() || (&path != &file && path == own && !std::filesystem::exists(path, error))) continue;
        const auto text = readFile(path);
        if (!text) return std::unexpected(text.error());
        const auto json = parseJson(*text, path.string());
        if (!json) return std::unexpected(json.error());
        const JsonReader reader(*json, path.string());
        if (auto known = reader.onlyKeys({"schema", "as_of", "models"}); !known)
            return std::unexpected(std::move(known.error()));
        const auto asOf = reader.textOr("as_of", {});
        if (!asOf) return std::unexpected(asOf.error());
        if (path == file) table.m_asOf = *asOf;
        const auto models = reader.at("models");
        if (!models) return std::unexpected(models.error());
        const auto members = models->members();
        if (!members) return std::unexpected(members.error());
        for (const auto& [name, member] : *members) {
            auto facts = factsOf(name, member);
            if (!facts) return std::unexpected(std::move(facts.error()));
            std::erase_if(table.m_models, [&](const ModelFacts& old) { return old.name == facts->name; });
            table.m_models.push_back(std::move(*facts));
        }
    }
    return table;
}

ModelFacts ModelTable::find(std::string_view model) const {
    // "openai/gpt-4.1" of a router is the same model.
    if (const auto slash = model.rfind('/'); slash != std::string_view::npos) model.remove_prefix(slash + 1);
    ModelFacts best;
    for (const ModelFacts& facts : m_models)
        if (model.starts_with(facts.name) && facts.name.size() >= best.name.size()) best = facts;
    return best;
}

} // namespace ptxwb::llm

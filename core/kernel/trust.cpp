#include "kernel/trust.h"

#include "kernel/reference.h"
#include "support/environment.h"
#include "support/files.h"
#include "support/json.h"
#include "support/resources.h"
#include "support/sha256.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::kernel {

namespace {

namespace fs = std::filesystem;

Expected<std::vector<std::string>> readHashes(const fs::path& file) {
    // A folder that everybody may write to is no place for trust.
    if (file.empty())
        return failure(Cause::missing, "there is no place for what you trust: neither XDG_CONFIG_HOME nor HOME is set",
                       "set HOME");
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return std::vector<std::string>{};
    const auto damaged = [&file](const Diagnostic& problem) {
        return failure(Cause::badRequest, fmt::format("{} is damaged: {}", file.string(), problem.message),
                       "mend or remove it; then nothing is trusted and you are asked again");
    };
    const auto text = readFile(file);
    if (!text) return std::unexpected(text.error());
    const auto json = parseJson(*text, file.string());
    if (!json) return damaged(json.error());
    const JsonReader root(*json);
    const auto schema = root.integer("schema");
    if (!schema) return damaged(schema.error());
    if (*schema != 1)
        return failure(Cause::badRequest,
                       fmt::format("{} was written by a newer version (schema {})", file.string(), *schema),
                       "update the program, or remove the file and be asked again");
    const auto list = root.at("trusted");
    if (!list) return damaged(list.error());
    auto hashes = list->texts();
    if (!hashes) return damaged(hashes.error());
    return hashes;
}

} // namespace

TrustStore::TrustStore(fs::path file) : m_file(std::move(file)) {}

fs::path TrustStore::defaultFile() {
    if (const auto config = environmentVariable("XDG_CONFIG_HOME")) return fs::path(*config) / "ptxwb" / "trusted.json";
    if (const auto home = environmentVariable("HOME")) return fs::path(*home) / ".config" / "ptxwb" / "trusted.json";
    return {};
}

Expected<bool> TrustStore::isTrusted(std::string_view hash) const {
    const auto hashes = readHashes(m_file);
    if (!hashes) return std::unexpected(hashes.error());
    return !hash.empty() && std::ranges::find(*hashes, hash) != hashes->end();
}

Expected<void> TrustStore::trust(std::string_view hash) {
    auto hashes = readHashes(m_file);
    if (!hashes) return std::unexpected(hashes.error());
    if (std::ranges::find(*hashes, hash) != hashes->end()) return {};
    hashes->emplace_back(hash);
    std::ranges::sort(*hashes);
    std::error_code error;
    fs::create_directories(m_file.parent_path(), error);
    return writeFileAtomically(m_file, nlohmann::json{{"schema", 1}, {"trusted", *hashes}}.dump(2) + "\n");
}

Expected<Trust> trustOf(const Kernel& kernel, const fs::path& specFile, const fs::path& examples,
                        const TrustStore& store) {
    const std::string hash = nativeCodeHash(kernel);
    if (hash.empty()) return Trust::nothingToTrust;
    if (!specFile.empty() && isInside(specFile, examples)) return Trust::trusted;
    auto known = store.isTrusted(hash);
    if (known && !*known && !specFile.empty()) known = store.isTrusted(draftedHereMark(specFile));
    if (!known) return std::unexpected(known.error());
    return *known ? Trust::trusted : Trust::unknown;
}

std::string draftedHereMark(const fs::path& specFile) {
    std::error_code error;
    return sha256Hex("drafted here: " + fs::weakly_canonical(specFile, error).string());
}

} // namespace ptxwb::kernel

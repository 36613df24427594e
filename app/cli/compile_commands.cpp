#include "compile_commands.h"

#include "support/files.h"
#include "support/json.h"
#include "toolchain/flags.h"
#include "worker/requests.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

namespace fs = std::filesystem;

struct Entry {
    fs::path file; ///< absolute where the entry's folder is
    fs::path folder;
    std::vector<std::string> arguments;
};

Expected<Entry> readEntry(const JsonReader& reader) {
    Entry entry;
    const auto file = reader.text("file");
    if (!file) return std::unexpected(file.error());
    entry.folder = reader.textOr("directory", "").value_or("");
    entry.file = (entry.folder / *file).lexically_normal();
    if (reader.has("arguments")) {
        auto words = reader.at("arguments")->texts();
        if (!words) return std::unexpected(words.error());
        entry.arguments = std::move(*words);
        return entry;
    }
    const auto command = reader.text("command");
    if (!command) return std::unexpected(command.error());
    auto words = worker::splitCommandLine(*command);
    if (!words) return reader.fail(words.error().message);
    entry.arguments = std::move(*words);
    return entry;
}

/// With a relative include folder made absolute.
std::string resolved(const std::string& folder, const Entry& entry) {
    return fs::path(folder).is_absolute() ? folder : (entry.folder / folder).lexically_normal().string();
}

std::vector<std::string> allowedFlags(const Entry& entry) {
    constexpr auto folders = std::to_array<std::string_view>({"-I", "-isystem", "-include"});
    std::vector<std::string> flags;
    for (std::size_t i = 1; i < entry.arguments.size(); ++i) { // the first is the compiler
        const std::string& word = entry.arguments[i];
        if (!word.starts_with('-')) continue;
        const bool isFolder = std::ranges::find(folders, std::string_view(word)) != folders.end();
        const bool hasNext = i + 1 < entry.arguments.size();
        if (isFolder && hasNext) {
            flags.push_back(word + (word == "-I" ? "" : "=") + resolved(entry.arguments[++i], entry));
        } else if (word.starts_with("-I")) {
            flags.push_back("-I" + resolved(word.substr(2), entry));
        } else if (toolchain::checkNvccFlags({word})) {
            flags.push_back(word);
        } else if (hasNext && !entry.arguments[i + 1].starts_with('-') &&
                   toolchain::checkNvccFlags({word, entry.arguments[i + 1]})) {
            // A spec has one word for each flag.
            const bool isGlued = word == "-D" || word == "-U" || word == "-O";
            flags.push_back(word + (isGlued ? "" : "=") + entry.arguments[++i]);
        }
    }
    return flags;
}

} // namespace

Expected<std::vector<std::string>> projectFlags(const fs::path& database, const KernelArgument& kernel) {
    const std::string& source = kernel.kernel.spec.source;
    if (source.empty())
        return failure(Cause::badRequest,
                       fmt::format("{} has no `source` that a project could compile", kernel.kernel.spec.name));
    const auto text = readFile(database);
    if (!text) return std::unexpected(text.error());
    const auto json = parseJson(*text, database.string());
    if (!json) return std::unexpected(json.error());
    const auto elements = JsonReader(*json, database.string()).elements();
    if (!elements) return std::unexpected(elements.error());
    std::error_code error;
    const fs::path wanted = fs::weakly_canonical(kernel.specFile.parent_path() / source, error);
    std::vector<Entry> sameName;
    for (const JsonReader& element : *elements) {
        auto entry = readEntry(element);
        if (!entry) return std::unexpected(std::move(entry.error()));
        if (entry->file.filename() != wanted.filename()) continue;
        if (fs::weakly_canonical(entry->file, error) == wanted) return allowedFlags(*entry);
        sameName.push_back(std::move(*entry));
    }
    if (sameName.size() == 1) return allowedFlags(sameName.front());
    return failure(Cause::badRequest,
                   sameName.empty() ? fmt::format("{} has no entry for {}", database.string(), source)
                                    : fmt::format("{} has {} entries for files called {}, none of them {}",
                                                  database.string(), sameName.size(), source, wanted.string()),
                   "it is written by cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or by bear");
}

} // namespace ptxwb::cli

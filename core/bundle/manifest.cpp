#include "bundle/manifest.h"

#include "kernel/spec_save.h"
#include "support/json.h"
#include "support/json_fields.h"
#include "support/sha256.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace ptxwb::bundle {

namespace {

constexpr int schema = 1;

bool isOwn(std::string_view path) {
    return path == manifestFile || path == hashFile || path == signatureFile;
}

Expected<ListedFile> readFileEntry(const JsonReader& reader) {
    ListedFile file;
    JsonFields fields(reader);
    if (auto done = reader.onlyKeys({"path", "size", "sha256"}); !done) fields.note(std::move(done.error()));
    fields.take(reader.text("path"), file.path);
    fields.read("size", file.size);
    fields.take(reader.text("sha256"), file.sha256);
    return fields.result(std::move(file));
}

} // namespace

Manifest manifestOf(const Entries& entries, std::string program, std::string kernel, std::string candidate) {
    Manifest manifest{std::move(program), std::move(kernel), std::move(candidate), {}};
    for (const Entry& entry : entries)
        if (!isOwn(entry.path)) manifest.files.push_back({entry.path, sha256Hex(entry.content), entry.content.size()});
    std::ranges::sort(manifest.files, {}, &ListedFile::path);
    return manifest;
}

std::string toText(const Manifest& manifest) {
    nlohmann::ordered_json value{{"schema", schema},
                                 {"program", manifest.program},
                                 {"kernel", manifest.kernel},
                                 {"candidate", manifest.candidate},
                                 {"files", nlohmann::ordered_json::array()}};
    for (const ListedFile& file : manifest.files)
        value["files"].push_back({{"path", file.path}, {"size", file.size}, {"sha256", file.sha256}});
    return kernel::formatJson(value);
}

std::string hashText(const std::string& manifestText) {
    return fmt::format("{}  {}\n", sha256Hex(manifestText), manifestFile);
}

Expected<Manifest> manifestFromText(const std::string& text, const std::string& file) {
    const auto rejected = [&](Diagnostic why) {
        why.cause = Cause::rejected;
        why.kind = "bundle";
        why.place.file = file;
        why.message = fmt::format("{}: {}", manifestFile, why.message);
        return std::unexpected(std::move(why));
    };
    const auto json = parseJson(text);
    if (!json) return rejected(json.error());
    const JsonReader reader(*json);
    Manifest manifest;
    std::uint32_t version = 0;
    JsonFields fields(reader);
    fields.read("schema", version);
    if (version != schema)
        fields.note(reader
                        .fail(fmt::format("a bundle of schema {}, this program reads {}", version, schema),
                              "use the version of ptxwb that wrote it")
                        .error());
    if (auto done = reader.onlyKeys({"schema", "program", "kernel", "candidate", "files"}); !done)
        fields.note(std::move(done.error()));
    fields.read("program", manifest.program);
    fields.read("kernel", manifest.kernel);
    fields.read("candidate", manifest.candidate);
    fields.readList("files", manifest.files, readFileEntry);
    auto complete = fields.result(std::move(manifest));
    if (!complete) return rejected(std::move(complete.error()));
    if (toText(*complete) != text)
        return rejected(
            failure(Cause::rejected, "it is not laid out as it was written: something in it was changed").error());
    return complete;
}

std::vector<Problem> compareWith(const Manifest& manifest, const Entries& entries) {
    std::vector<Problem> problems;
    std::multimap<std::string, std::string> unknown; // hash to path, of files that nobody lists
    for (const Entry& entry : entries) {
        const auto listed = std::ranges::find(manifest.files, entry.path, &ListedFile::path);
        if (isOwn(entry.path)) continue;
        const std::string sha256 = sha256Hex(entry.content);
        if (listed == manifest.files.end())
            unknown.emplace(sha256, entry.path);
        else if (listed->size != entry.content.size())
            problems.push_back({entry.path, fmt::format("was changed: it has {} bytes instead of {}",
                                                        entry.content.size(), listed->size)});
        else if (listed->sha256 != sha256)
            problems.push_back({entry.path, fmt::format("was changed: its SHA-256 is {} instead of {}",
                                                        sha256.substr(0, 16), listed->sha256.substr(0, 16))});
    }
    for (const ListedFile& listed : manifest.files) {
        if (find(entries, listed.path)) continue;
        if (const auto same = unknown.find(listed.sha256); same != unknown.end()) {
            problems.push_back({listed.path, fmt::format("was renamed: {} has its content", same->second)});
            unknown.erase(same);
        } else {
            problems.push_back({listed.path, "is missing"});
        }
    }
    for (const auto& [sha256, path] : unknown) problems.push_back({path, "was added: the manifest does not list it"});
    std::ranges::stable_sort(problems, {}, &Problem::path);
    return problems;
}

} // namespace ptxwb::bundle

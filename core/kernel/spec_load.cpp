#include "kernel/spec_load.h"

#include "kernel/spec_problems.h"
#include "support/files.h"
#include "support/nearest.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::kernel {

namespace {

namespace fs = std::filesystem;

LoadedKernel refused(Diagnostic problem, std::string text = {}) {
    LoadedKernel loaded;
    loaded.diagnostics.push_back(std::move(problem));
    loaded.text = std::move(text);
    return loaded;
}

/// `collect(spec, problems)` gives the files once the spec itself is known to be right.
template <class Collect>
LoadedKernel load(std::string text, const std::string& file, Collect collect) {
    const auto json = parseJson(text, file);
    if (!json) return refused(json.error(), std::move(text));
    SpecProblems problems(text, file);
    SpecContext context{problems, {}};
    LoadedKernel loaded;
    loaded.text = std::move(text);
    auto spec = readSpec(context, JsonReader(*json, file));
    if (!problems.hasErrors()) {
        auto files = collect(spec, problems);
        checkSpec(problems, spec, files);
        if (!problems.hasErrors()) loaded.kernel = Kernel{std::move(spec), std::move(files)};
    }
    loaded.diagnostics = problems.take();
    return loaded;
}

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

/// What is missing is told by checkSpec, with the line of the field that names it.
KernelFiles readFiles(const fs::path& folder, const KernelSpec& spec, SpecProblems& problems) {
    KernelFiles files;
    const auto read = [&](const std::string& name) {
        if (!isThere(folder / name)) return;
        if (auto content = readFile(folder / name))
            files.emplace(name, std::move(*content));
        else
            problems.error({}, content.error().message, content.error().hint);
    };
    for (const auto& name : namedFiles(spec)) read(name);
    for (std::size_t i = 0; i < spec.candidates.size(); ++i) {
        read(spec.candidates[i]);
        if (!isThere(folder / spec.candidates[i]))
            problems.error(fmt::format("candidates[{}]", i),
                           fmt::format("{} is not in the spec's folder", spec.candidates[i]),
                           "correct the name or remove it from the list");
    }
    return files;
}

Expected<fs::path> onlySpecIn(const fs::path& folder) {
    const auto specs = specsIn(folder);
    if (specs.size() == 1) return specs.front();
    if (specs.empty())
        return failure(Cause::badRequest, fmt::format("{} holds no *.kernel.json", folder.string()),
                       "`ptxwb init` drafts one from a .cu or .ptx file");
    std::vector<std::string> names;
    for (const auto& spec : specs) names.push_back(spec.filename().string());
    return failure(Cause::badRequest,
                   fmt::format("{} holds {} specs: {}", folder.string(), specs.size(), fmt::join(names, ", ")),
                   "name one of them");
}

} // namespace

std::vector<fs::path> specsIn(const fs::path& folder) {
    std::vector<fs::path> specs;
    std::error_code error;
    for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
        if (entry->path().filename().string().ends_with(".kernel.json")) specs.push_back(entry->path());
    std::ranges::sort(specs);
    return specs;
}

LoadedKernel loadSpec(std::string text, std::string file, KernelFiles files) {
    return load(std::move(text), file, [&files](const KernelSpec&, SpecProblems&) { return std::move(files); });
}

LoadedKernel loadKernel(const fs::path& specFile) {
    auto text = readFile(specFile);
    if (!text) return refused(std::move(text.error()));
    return load(std::move(*text), specFile.string(), [&specFile](const KernelSpec& spec, SpecProblems& problems) {
        return readFiles(specFile.parent_path(), spec, problems);
    });
}

Expected<fs::path> findKernel(std::string_view argument, const fs::path& examples) {
    const fs::path path(argument);
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return onlySpecIn(path);
    if (isThere(path)) return path;
    std::vector<std::string> known;
    for (auto entry = fs::directory_iterator(examples, ignored); !ignored && entry != fs::directory_iterator();
         entry.increment(ignored))
        if (!specsIn(entry->path()).empty()) known.push_back(entry->path().filename().string());
    std::ranges::sort(known);
    if (std::ranges::find(known, argument) != known.end()) return onlySpecIn(examples / path);
    const auto nearest = nearestName(argument, std::span<const std::string>(known));
    return failure(Cause::badRequest,
                   fmt::format("{} is neither a spec file, nor a folder with one, nor a bundled example", argument),
                   nearest.empty()
                       ? fmt::format("bundled examples: {}",
                                     known.empty() ? "none found" : fmt::format("{}", fmt::join(known, ", ")))
                       : fmt::format("did you mean {}?", nearest));
}

Expected<Kernel> orFirstError(LoadedKernel loaded) {
    if (loaded.kernel) return std::move(*loaded.kernel);
    std::erase_if(loaded.diagnostics, [](const auto& d) { return d.severity != Severity::error; });
    Diagnostic first = std::move(loaded.diagnostics.front());
    for (std::size_t i = 1; i < loaded.diagnostics.size(); ++i)
        first.related.push_back({loaded.diagnostics[i].place, loaded.diagnostics[i].message});
    return std::unexpected(std::move(first));
}

} // namespace ptxwb::kernel

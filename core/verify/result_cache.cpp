#include "verify/result_cache.h"

#include "gpu/device.h"
#include "kernel/spec_save.h"
#include "support/files.h"
#include "support/json.h"
#include "support/sha256.h"
#include "verify/context.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace ptxwb::verify {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t mostEntries = 4000; ///< some kilobytes each

/// Which build of this program judges: versions stay the same while one works on it.
std::string ownIdentity() {
    struct stat file{};
    if (::stat("/proc/self/exe", &file) != 0) return {};
    return fmt::format("{} {} {}.{}", PTXWB_VERSION, file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
}

std::string gpuIdentity(const Context& context) {
    if (context.input.plan.backend == Backend::emulator || !context.machine.gpu) return "none";
    const auto devices = gpu::devices();
    if (!devices) return "none";
    for (const gpu::Device& device : *devices)
        if (device.ordinal == context.input.plan.device) return device.uuid + " " + gpu::driverRelease();
    return "none";
}

json toolsIdentity(const toolchain::Discovery& tools) {
    json list = json::array();
    for (const toolchain::Toolkit& toolkit : tools.toolkits)
        list.push_back({toolkit.root.string(), toolkit.version, toolkit.ptxas.has_value(), toolkit.nvcc.has_value(),
                        toolkit.computeSanitizer.has_value()});
    if (tools.hostCompiler) list.push_back({tools.hostCompiler->path.string(), tools.hostCompiler->version});
    return list;
}

json othersIdentity(const std::vector<toolchain::Toolkit>& toolkits) {
    json list = json::array();
    for (const toolchain::Toolkit& toolkit : toolkits) {
        struct stat file{};
        const bool known = ::stat(toolkit.ptxas->c_str(), &file) == 0;
        list.push_back(
            {toolkit.ptxas->string(), toolkit.version, known ? file.st_size : 0, known ? file.st_mtim.tv_sec : 0});
    }
    return list;
}

json planIdentity(const Plan& plan) {
    json stages = json::array();
    for (const Stage stage : plan.stages) stages.push_back(name(stage));
    return {stages,
            plan.architectures,
            static_cast<int>(plan.reference),
            plan.rebuildBaseline,
            plan.instructionLimit,
            plan.findingLimit,
            name(plan.backend),
            plan.deep,
            plan.launchDeadline.count()};
}

bool dependsOnTheMoment(const StageResult& stage) {
    return stage.status == Status::inconclusive || std::ranges::any_of(stage.findings, [](const Finding& finding) {
               return finding.kind == FindingKind::timeout || finding.kind == FindingKind::deviceBusy;
           });
}

} // namespace

std::string resultKey(const Context& context) {
    const VerifyInput& input = context.input;
    json files = json::object();
    for (const auto& [name, content] : input.kernel.files) files[name] = sha256Hex(content);
    const json key{{"spec", kernel::toJson(input.kernel.spec)},
                   {"files", std::move(files)},
                   {"candidate", input.candidate ? json{input.candidate->name, input.candidate->file,
                                                        sha256Hex(input.candidate->text)}
                                                 : json(nullptr)},
                   {"plan", planIdentity(input.plan)},
                   {"seed", context.seed},
                   {"tools", toolsIdentity(context.machine.tools)},
                   {"other_toolkits", othersIdentity(context.otherToolkits)},
                   {"program", ownIdentity()},
                   {"gpu", gpuIdentity(context)}};
    return sha256Hex(key.dump());
}

ResultCache::ResultCache(fs::path folder) : m_folder(folder.empty() ? folder : folder / "results") {}

std::optional<VerifyReport> ResultCache::find(const std::string& key) const {
    if (m_folder.empty()) return std::nullopt;
    const auto text = readFile(m_folder / (key + ".json"));
    if (!text) return std::nullopt;
    const auto value = parseJson(*text);
    if (!value) return std::nullopt;
    auto report = verifyReportFromJson(*value);
    if (!report || report->results.size() != 1) return std::nullopt;
    return std::move(*report);
}

void ResultCache::keep(const std::string& key, VerifyReport report) const {
    if (m_folder.empty()) return;
    CandidateResult& result = report.results.front();
    std::erase_if(result.stages, [](const StageResult& stage) { return stage.stage == Stage::benchmark; });
    if (std::ranges::any_of(result.stages, dependsOnTheMoment)) return;
    result.timing.reset();
    result.speedup.reset();
    std::error_code ignored; // without a cache it is judged the next time too
    fs::create_directories(m_folder, ignored);
    (void)writeFileAtomically(m_folder / (key + ".json"), toJson(report).dump());
    removeOldest();
}

void ResultCache::removeOldest() const {
    std::error_code ignored;
    std::vector<std::pair<fs::file_time_type, fs::path>> entries;
    for (const auto& entry : fs::directory_iterator(m_folder, ignored))
        entries.emplace_back(entry.last_write_time(ignored), entry.path());
    if (entries.size() <= mostEntries) return;
    std::ranges::sort(entries);
    for (std::size_t i = 0; i < entries.size() / 2; ++i) fs::remove(entries[i].second, ignored);
}

} // namespace ptxwb::verify

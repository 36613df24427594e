// `ptxwb doctor`: what this machine has, and for each thing that is missing what works without it and how to get it.
#include "command.h"

#include "gpu/device.h"
#include "proposals/provider_status.h"
#include "toolchain/discover.h"
#include "worker/handlers.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

using nlohmann::json;

json missing(std::string what, std::string without, std::string how) {
    return {{"what", std::move(what)}, {"without_it", std::move(without)}, {"how_to_get", std::move(how)}};
}

json toJson(const std::vector<proposals::ProviderStatus>& providers) {
    json list = json::array();
    for (const proposals::ProviderStatus& one : providers)
        list.push_back({{"name", one.name},
                        {"ready", one.ready},
                        {"reason", one.reason.empty() ? json(nullptr) : json(one.reason)}});
    return list;
}

json missingOf(const toolchain::Discovery& found, const Expected<std::vector<gpu::Device>>& devices,
               const std::vector<proposals::ProviderStatus>& providers) {
    json list = json::array();
    const auto has = [&](auto member) {
        return std::ranges::any_of(found.toolkits, [&](const auto& t) { return (t.*member).has_value(); });
    };
    const std::string toolkit = "install a CUDA toolkit (12 or newer), or `pip install nvidia-cuda-nvcc`; another "
                                "place: PTXWB_PTXAS, PTXWB_NVCC";
    if (!has(&toolchain::Toolkit::ptxas))
        list.push_back(missing(
            "ptxas",
            "check, diff, run and occupancy work; verify leaves `assemble` out, so its verdicts stay incomplete",
            toolkit));
    if (!has(&toolchain::Toolkit::nvcc))
        list.push_back(missing("nvcc", "recorded PTX is used; CUDA sources cannot be compiled here", toolkit));
    if (!has(&toolchain::Toolkit::nvdisasm))
        list.push_back(missing("nvdisasm", "everything but the view of machine code",
                               "it comes with the toolkit's package cuda-nvdisasm"));
    if (!found.hostCompiler)
        list.push_back(missing("host C++ compiler",
                               "references do not run, and the baseline is the oracle; nvcc does not work either",
                               "install g++ or clang++, or set CXX"));
    if (!devices)
        list.push_back(missing(
            "GPU", fmt::format("kernels run on the emulator, and time is not reported: {}", devices.error().message),
            devices.error().hint));
    const bool hasCupti = std::ranges::any_of(found.toolkits, [](const auto& t) { return t.cupti.has_value(); });
    if (devices && !hasCupti)
        list.push_back(missing("CUPTI", "durations come from events, which include the launch",
                               "install the toolkit's package cuda-cupti"));
    if (std::ranges::none_of(providers, &proposals::ProviderStatus::ready))
        list.push_back(missing("model provider",
                               "`ptxwb prompt` and `ptxwb import` carry questions and replies by copy and paste, and "
                               "recorded conversations can be replayed",
                               "export a provider's key (OPENAI_API_KEY, ANTHROPIC_API_KEY, ...; the window keeps keys "
                               "in the desktop's keyring), or start a server on this machine, such as Ollama"));
    return list;
}

/// "13.0" that the driver serves.
json cudaOf(const Expected<std::vector<gpu::Device>>& devices) {
    if (!devices || devices->empty()) return nullptr;
    const int version = devices->front().driverVersion;
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

json answer(const toolchain::Discovery& found, const std::vector<proposals::ProviderStatus>& providers) {
    const std::string driver = gpu::driverRelease();
    const auto devices = gpu::devices();
    json gpus = json::array();
    if (devices)
        for (const gpu::Device& device : *devices) gpus.push_back(worker::toJson(device));
    const std::string restricted = gpu::counterRestriction();
    json toolkits = json::array(), cupti = nullptr;
    for (const auto& toolkit : found.toolkits) {
        toolkits.push_back(worker::toJson(toolkit));
        if (cupti.is_null() && toolkit.cupti) cupti = {{"path", toolkit.cupti->string()}, {"version", nullptr}};
    }
    json compiler = nullptr;
    if (found.hostCompiler)
        compiler = {
            {"path", found.hostCompiler->path.string()},
            {"version", found.hostCompiler->version.empty() ? json(nullptr) : json(found.hostCompiler->version)}};
    return {{"schema", 1},
            {"toolkits", std::move(toolkits)},
            {"host_compiler", std::move(compiler)},
            {"gpus", std::move(gpus)},
            {"driver", driver.empty() ? json(nullptr) : json{{"version", driver}, {"cuda", cudaOf(devices)}}},
            {"cupti", std::move(cupti)},
            {"counters",
             {{"permitted", devices ? json(restricted.empty()) : json(nullptr)},
              {"reason", !devices             ? json("there is no GPU to ask")
                         : restricted.empty() ? json(nullptr)
                                              : json(restricted)}}},
            {"providers", toJson(providers)},
            {"missing", missingOf(found, devices, providers)}};
}

void printAnswer(const json& value) {
    const auto text = [](const json& v) { return v.is_null() ? std::string("-") : v.get<std::string>(); };
    fmt::print("toolkits:\n");
    for (const json& toolkit : value.at("toolkits")) {
        fmt::print("  {} {} (found by {})\n", text(toolkit.at("path")), text(toolkit.at("version")),
                   text(toolkit.at("from")));
        for (const auto& [tool, path] : toolkit.at("tools").items()) fmt::print("    {:<18} {}\n", tool, text(path));
    }
    if (value.at("toolkits").empty()) fmt::print("  none\n");
    const json& compiler = value.at("host_compiler");
    fmt::print("host compiler: {}\n",
               compiler.is_null() ? "none" : text(compiler.at("path")) + " " + text(compiler.at("version")));
    for (const json& device : value.at("gpus"))
        fmt::print("GPU {}: {} ({}, {} multiprocessors)\n", device.at("index").get<int>(), text(device.at("name")),
                   text(device.at("arch")), device.at("sm_count").get<int>());
    const json& driver = value.at("driver");
    fmt::print("NVIDIA driver: {}\n", driver.is_null() ? "none" : text(driver.at("version")));
    const json& cupti = value.at("cupti");
    fmt::print("CUPTI: {}\n", cupti.is_null() ? "none" : text(cupti.at("path")));
    fmt::print("model providers:{}\n", value.at("providers").empty() ? " none" : "");
    for (const json& one : value.at("providers"))
        fmt::print("  {:<12} {}\n", text(one.at("name")),
                   one.at("ready").get<bool>() ? "ready" : "not ready: " + text(one.at("reason")));
    fmt::print("missing:{}\n", value.at("missing").empty() ? " nothing" : "");
    for (const json& one : value.at("missing"))
        fmt::print("  {}\n    without it: {}\n    to get it: {}\n", text(one.at("what")), text(one.at("without_it")),
                   text(one.at("how_to_get")));
}

Expected<int> doctor(const Invocation& invocation) {
    const auto found = toolchain::discover({}, invocation.stop);
    if (!found) return std::unexpected(found.error());
    const auto providers = proposals::configuredProviders(invocation.stop);
    if (!providers) return std::unexpected(providers.error());
    const json value = answer(*found, *providers);
    if (invocation.json)
        printJson(value);
    else
        printAnswer(value);
    return passed;
}

} // namespace

void addDoctor(Invocation& invocation) {
    addCommand(invocation, "doctor", "what this machine has, what is missing, and how to get it", "ptxwb doctor",
               [&invocation] { return doctor(invocation); });
}

} // namespace ptxwb::cli

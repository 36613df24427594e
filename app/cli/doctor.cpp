// `ptxwb doctor`: what this machine has, and for each thing that is missing what works without it and how to get it.
#include "command.h"

#include "support/files.h"
#include "toolchain/discover.h"
#include "worker/handlers.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

using nlohmann::json;

/// The version in "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159  ...", empty where there is no driver.
std::string driverVersion() {
    const auto text = readFile("/proc/driver/nvidia/version");
    if (!text) return {};
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t i = 1; i < text->size(); ++i) {
        if (!digit((*text)[i]) || (*text)[i - 1] != ' ') continue;
        const auto end = std::find_if_not(text->begin() + static_cast<std::ptrdiff_t>(i), text->end(),
                                          [&](char c) { return digit(c) || c == '.'; });
        const std::string word(text->begin() + static_cast<std::ptrdiff_t>(i), end);
        if (word.find('.') != std::string::npos) return word;
    }
    return {};
}

json missing(std::string what, std::string without, std::string how) {
    return {{"what", std::move(what)}, {"without_it", std::move(without)}, {"how_to_get", std::move(how)}};
}

json missingOf(const toolchain::Discovery& found, const std::string& driver) {
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
    list.push_back(missing(
        "GPU measurements",
        driver.empty()
            ? "no NVIDIA driver is loaded: kernels run on the emulator, and time is not reported"
            : "an NVIDIA driver is loaded, but this version runs kernels on the emulator only, and reports no time",
        driver.empty() ? "use a machine with an NVIDIA GPU and its driver"
                       : "wait for a version with the GPU backend"));
    return list;
}

json answer(const toolchain::Discovery& found) {
    const std::string driver = driverVersion();
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
            {"gpus", json::array()},
            {"driver", driver.empty() ? json(nullptr) : json{{"version", driver}, {"cuda", nullptr}}},
            {"cupti", std::move(cupti)},
            {"counters", {{"permitted", nullptr}, {"reason", "not asked: this version uses no GPU"}}},
            {"providers", json::array()},
            {"missing", missingOf(found, driver)}};
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
    const json& driver = value.at("driver");
    fmt::print("NVIDIA driver: {}\n", driver.is_null() ? "none" : text(driver.at("version")));
    const json& cupti = value.at("cupti");
    fmt::print("CUPTI: {}\n", cupti.is_null() ? "none" : text(cupti.at("path")));
    fmt::print("missing:\n");
    for (const json& one : value.at("missing"))
        fmt::print("  {}\n    without it: {}\n    to get it: {}\n", text(one.at("what")), text(one.at("without_it")),
                   text(one.at("how_to_get")));
}

Expected<int> doctor(const Invocation& invocation) {
    const auto found = toolchain::discover({}, invocation.stop);
    if (!found) return std::unexpected(found.error());
    const json value = answer(*found);
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

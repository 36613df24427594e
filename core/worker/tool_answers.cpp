// The jobs that run a compiler and nothing else: compile and assemble.
#include "worker/handlers.h"

#include "support/finding_json.h"
#include "support/sha256.h"
#include "toolchain/cubin.h"
#include "toolchain/nvcc.h"
#include "toolchain/ptx_text.h"
#include "toolchain/ptxas.h"
#include "verify/context.h"
#include "worker/requests.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::worker {

namespace {

using nlohmann::json;

json list(const std::vector<Diagnostic>& diagnostics) {
    json values = json::array();
    for (const Diagnostic& diagnostic : diagnostics) values.push_back(ptxwb::toJson(diagnostic));
    return values;
}

json orNull(const std::string& text) {
    return text.empty() ? json(nullptr) : json(text);
}

json resourcesOf(const toolchain::PtxasResult& result, const std::string& arch) {
    json values = json::array();
    for (const auto& entry : result.resources)
        values.push_back({{"arch", arch},
                          {"entry", entry.entry},
                          {"registers", entry.registers},
                          {"stack_bytes", entry.stackBytes},
                          {"spill_store_bytes", entry.spillStoreBytes},
                          {"spill_load_bytes", entry.spillLoadBytes},
                          {"static_shared_bytes", entry.staticSharedBytes},
                          {"barriers", entry.barriers},
                          {"constant_bytes", entry.constantBytes}});
    return values;
}

Expected<json> assembleOne(const AssembleRequest& request, const std::string& arch, const toolchain::Toolkit& toolkit,
                           std::stop_token stop) {
    toolchain::PtxasRequest call;
    call.text = request.text;
    call.file = request.file;
    call.arch = arch;
    const auto result = toolchain::assemble(call, toolkit, stop);
    if (!result) return std::unexpected(result.error());
    const std::string text = result->ok ? toolchain::textSha256(result->cubin).value_or(std::string{}) : std::string{};
    return json{{"arch", arch},
                {"ok", result->ok},
                {"toolkit", orNull(result->version)},
                {"arguments", result->arguments},
                {"cubin_sha256", result->ok ? json(sha256Hex(result->cubin)) : json(nullptr)},
                {"text_sha256", orNull(text)},
                {"seconds", result->seconds},
                {"resources", resourcesOf(*result, arch)},
                {"diagnostics", list(result->diagnostics)},
                {"log", result->log}};
}

/// The toolkits that are asked for, each with a ptxas; else the first that was found.
Expected<std::vector<toolchain::Toolkit>> assemblers(const AssembleRequest& request, const verify::Machine& machine,
                                                     std::stop_token stop) {
    std::vector<toolchain::Toolkit> found;
    for (const std::string& folder : request.toolkits) {
        auto toolkit = toolchain::toolkitIn(folder, stop);
        if (!toolkit) return std::unexpected(std::move(toolkit.error()));
        found.push_back(std::move(*toolkit));
    }
    if (!found.empty()) return found;
    for (const auto& toolkit : machine.tools.toolkits)
        if (toolkit.ptxas) return std::vector{toolkit};
    return failure(Cause::missing, "no ptxas was found",
                   "install a CUDA toolkit, or set PTXWB_PTXAS to a ptxas; `ptxwb doctor` lists the places");
}

} // namespace

Expected<json> assembleAnswer(const json& body, const verify::Machine& machine, std::stop_token stop) {
    auto request = assembleRequestFromJson(body);
    if (!request) return std::unexpected(std::move(request.error()));
    const auto toolkits = assemblers(*request, machine, stop);
    if (!toolkits) return std::unexpected(toolkits.error());
    if (request->architectures.empty()) {
        const std::string target = toolchain::targetOf(request->text);
        request->architectures = {target.empty() ? "sm_90" : target};
    }
    json results = json::array();
    for (const auto& toolkit : *toolkits)
        for (const std::string& arch : request->architectures) {
            auto one = assembleOne(*request, arch, toolkit, stop);
            if (!one) return one;
            results.push_back(std::move(*one));
        }
    json version = results.at(0).at("toolkit");
    return json{
        {"schema", 1}, {"file", request->file}, {"toolkit", std::move(version)}, {"results", std::move(results)}};
}

Expected<json> compileAnswer(const json& body, const verify::Machine& machine, std::stop_token stop) {
    auto request = compileRequestFromJson(body);
    if (!request) return std::unexpected(std::move(request.error()));
    const kernel::KernelSpec& spec = request->kernel.spec;
    if (spec.source.empty())
        return failure(Cause::badRequest, fmt::format("the spec {} names no `source` to compile", spec.name),
                       "add \"source\": \"NAME.cu\"");
    const auto toolkit = std::ranges::find_if(machine.tools.toolkits, [](const auto& t) { return t.nvcc.has_value(); });
    if (toolkit == machine.tools.toolkits.end())
        return failure(Cause::missing, "no nvcc was found",
                       "install a CUDA toolkit, or set PTXWB_NVCC to an nvcc; `ptxwb doctor` lists the places");
    if (request->architectures.empty()) request->architectures = {spec.arch.empty() ? "sm_90" : spec.arch};
    json results = json::array();
    for (const std::string& arch : request->architectures) {
        toolchain::NvccRequest call;
        call.source = spec.source;
        call.files.emplace(request->kernel.files.begin(), request->kernel.files.end());
        call.arch = arch;
        call.flags = spec.flags;
        const auto result = toolchain::compileToPtx(call, *toolkit, stop);
        if (!result) return std::unexpected(result.error());
        results.push_back({{"arch", arch},
                           {"ok", result->ok},
                           {"ptx_file", nullptr},
                           {"ptx", result->ok ? json(result->ptx) : json(nullptr)},
                           {"sha256", result->ok ? json(sha256Hex(result->ptx)) : json(nullptr)},
                           {"seconds", result->seconds},
                           {"diagnostics", list(result->diagnostics)},
                           {"arguments", result->arguments}});
    }
    return json{{"schema", 1}, {"kernel", spec.name}, {"results", std::move(results)}};
}

json toJson(const toolchain::Toolkit& toolkit) {
    const auto path = [](const auto& tool) { return tool ? json(tool->string()) : json(nullptr); };
    return {{"path", toolkit.root.string()},
            {"version", orNull(toolkit.version)},
            {"from", toolkit.foundBy},
            {"tools",
             {{"nvcc", path(toolkit.nvcc)},
              {"ptxas", path(toolkit.ptxas)},
              {"nvdisasm", path(toolkit.nvdisasm)},
              {"cuobjdump", path(toolkit.cuobjdump)},
              {"compute-sanitizer", path(toolkit.computeSanitizer)}}}};
}

} // namespace ptxwb::worker

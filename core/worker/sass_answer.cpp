// The job that shows machine code: PTX is assembled with a line for each of its instructions, a cubin is taken as it
// is.
#include "worker/handlers.h"

#include "ptx/line_map.h"
#include "ptx/parse.h"
#include "support/sha256.h"
#include "toolchain/cubin.h"
#include "toolchain/ptx_text.h"
#include "toolchain/sass.h"
#include "verify/context.h"
#include "verify/own_lines.h"
#include "worker/requests.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ptxwb::worker {

namespace {

using nlohmann::json;

json placeOf(std::string_view file, std::uint32_t line) {
    if (line == 0) return nullptr;
    return {{"file", file}, {"line", line}};
}

/// `sources` is null for a cubin: its own line table speaks of CUDA.
json functionsOf(const std::vector<toolchain::SassFunction>& functions, const ptx::LineMap* sources) {
    json list = json::array();
    for (const toolchain::SassFunction& function : functions) {
        json instructions = json::array();
        for (const toolchain::SassInstruction& instruction : function.instructions) {
            json one{{"offset", instruction.offset}, {"text", instruction.text}, {"line", nullptr}};
            one["label"] = instruction.label.empty() ? json(nullptr) : json(instruction.label);
            if (!sources) {
                one["cuda"] = placeOf(instruction.file, instruction.line);
            } else {
                if (instruction.line > 0) one["line"] = instruction.line;
                const auto places = sources->sourceOf(instruction.line);
                one["cuda"] = places.empty() ? json(nullptr) : placeOf(places.front().file, places.front().line);
            }
            instructions.push_back(std::move(one));
        }
        list.push_back({{"name", function.name}, {"instructions", std::move(instructions)}});
    }
    return list;
}

/// One listing. `arch` is filled from the first PTX text that it is empty for: both are for the same target.
Expected<json> listingOf(SassInput input, std::string& arch, const toolchain::Toolkit& toolkit,
                         const verify::Machine& machine, std::stop_token stop) {
    std::shared_ptr<const ptx::Module> module;
    if (input.cubin.empty()) {
        if (arch.empty()) arch = toolchain::targetOf(input.text);
        if (arch.empty()) arch = "sm_90";
        module = ptx::parse(input.text, input.file);
        auto assembled = verify::cubinWithOwnLines(*module, arch, machine, stop);
        if (!assembled) {
            assembled.error().message = input.file + ": " + assembled.error().message;
            return std::unexpected(std::move(assembled.error()));
        }
        input.cubin = std::move(*assembled);
    }
    const auto functions = toolchain::disassemble(input.cubin, toolkit, stop);
    if (!functions) return std::unexpected(functions.error());
    std::optional<ptx::LineMap> sources;
    if (module) sources.emplace(*module);
    const auto hash = toolchain::textSha256(input.cubin);
    return json{{"schema", 1},
                {"file", input.file},
                {"arch", module ? json(arch) : json(nullptr)},
                {"toolkit", toolkit.version.empty() ? json(nullptr) : json(toolkit.version)},
                {"text_sha256", hash ? json(*hash) : json(nullptr)},
                {"functions", functionsOf(*functions, sources ? &*sources : nullptr)}};
}

} // namespace

Expected<json> sassAnswer(const json& body, const verify::Machine& machine, std::stop_token stop) {
    auto request = sassRequestFromJson(body);
    if (!request) return std::unexpected(std::move(request.error()));
    const auto& toolkits = machine.tools.toolkits;
    const auto toolkit = std::ranges::find_if(toolkits, [](const auto& t) { return t.nvdisasm.has_value(); });
    if (toolkit == toolkits.end())
        return failure(Cause::missing, "no nvdisasm was found",
                       "install the CUDA toolkit's package cuda-nvdisasm; everything but machine code goes on without");
    auto answer = listingOf(std::move(request->input), request->arch, *toolkit, machine, stop);
    if (!answer || !request->against) return answer;
    auto against = listingOf(std::move(*request->against), request->arch, *toolkit, machine, stop);
    if (!against) return against;
    (*answer)["against"] = std::move(*against);
    return answer;
}

} // namespace ptxwb::worker

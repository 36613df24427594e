#include "verify/plan.h"

#include "kernel/spec_save.h"
#include "support/sha256.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace ptxwb::verify {

std::uint64_t defaultSeed(const kernel::Kernel& kernel) {
    std::string text = kernel::toJson(kernel.spec).dump();
    for (const std::string& name : {kernel.spec.source, kernel.spec.reference.file})
        if (const auto file = kernel.files.find(name); file != kernel.files.end()) text += '\0' + file->second;
    const std::string digest = sha256Hex(text);
    std::uint64_t seed = 0;
    std::from_chars(digest.data(), digest.data() + 8, seed, 16);
    return seed;
}

std::string_view name(Backend backend) {
    switch (backend) {
    case Backend::emulator: return "emulator";
    case Backend::gpu: return "gpu";
    case Backend::automatic: break;
    }
    return "auto";
}

std::optional<Backend> backend(std::string_view name) {
    for (const Backend each : {Backend::automatic, Backend::emulator, Backend::gpu})
        if (verify::name(each) == name) return each;
    return std::nullopt;
}

bool asks(const Plan& plan, Stage stage) {
    return plan.stages.empty() || std::ranges::find(plan.stages, stage) != plan.stages.end();
}

} // namespace ptxwb::verify

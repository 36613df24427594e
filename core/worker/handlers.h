// What `ptxwb worker` does for each job: the funnel, nvcc, ptxas, one launch.
// Called by the command line's worker command, which hands the handler to `serve`.
#pragma once

#include "worker/serve.h"

#include <memory>

namespace ptxwb::gpu {
struct Device;
}
namespace ptxwb::toolchain {
struct Toolkit;
}
namespace ptxwb::verify {
struct Machine;
}

namespace ptxwb::worker {

/// The `hello` of this machine. Source: interfaces.md.
nlohmann::json helloOf(const verify::Machine& machine);

/// A handler that keeps references, baselines, oracle results and the GPU's context from one job to the next.
Handler makeHandler(std::shared_ptr<const verify::Machine> machine);

// The answers, as the schema of the command of the same name has them. compile.schema.json has `ptx_file` null here,
// and the text as `ptx` beside it for the client to store.
Expected<nlohmann::json> compileAnswer(const nlohmann::json& body, const verify::Machine& machine,
                                       std::stop_token stop);
Expected<nlohmann::json> assembleAnswer(const nlohmann::json& body, const verify::Machine& machine,
                                        std::stop_token stop);
Expected<nlohmann::json> sassAnswer(const nlohmann::json& body, const verify::Machine& machine, std::stop_token stop);
Expected<nlohmann::json> runAnswer(const nlohmann::json& body, std::stop_token stop);

/// A GPU as an element of `devices` of hello and `gpus` of `ptxwb doctor`.
nlohmann::json toJson(const gpu::Device& device);

/// A toolkit as an element of `toolkits` of hello and `ptxwb doctor`.
nlohmann::json toJson(const toolchain::Toolkit& toolkit);

} // namespace ptxwb::worker

#include "ship/ship.h"

#include "ship/parts.h"
#include "support/sha256.h"
#include "toolchain/cubin.h"

#include <fmt/format.h>

namespace ptxwb::ship {

std::optional<As> as(std::string_view name) {
    if (name == "cubin") return As::cubin;
    if (name == "header") return As::header;
    if (name == "harness") return As::harness;
    return std::nullopt;
}

Expected<std::vector<File>> ship(const Shipment& shipment, As form) {
    const kernel::KernelSpec& spec = shipment.kernel->spec;
    if (!spec.launches.empty()) {
        auto problem = failure(Cause::badRequest,
                               fmt::format("not supported yet: {} is made of {} launches, and an export holds one",
                                           spec.name, spec.launches.size()),
                               "export each launch from a spec of its own");
        problem.error().kind = "unsupported";
        return problem;
    }
    auto header = kernel::readCandidateHeader(shipment.ptx, kernel::symbolNames(spec), shipment.candidate + ".ptx");
    if (!header) return std::unexpected(std::move(header.error()));
    if (header->launch && !header->launch->steps.empty()) {
        auto problem =
            failure(Cause::badRequest,
                    fmt::format("not supported yet: {} makes {} launches of its own, and an export holds one",
                                shipment.candidate, header->launch->steps.size()),
                    "export each launch from a spec of its own");
        problem.error().kind = "unsupported";
        return problem;
    }
    const auto textSha256 = toolchain::textSha256(shipment.cubin);
    if (!textSha256) return std::unexpected(textSha256.error());
    const std::string name = identifier(spec.name + "_" + shipment.candidate);
    const Parts parts{shipment,
                      name,
                      upperCase(name),
                      shipment.entry,
                      std::move(*header),
                      sha256Hex(shipment.cubin),
                      sha256Hex(shipment.ptx),
                      *textSha256};
    if (form == As::header) return std::vector<File>{{name + ".h", headerSource(parts, Embed::cubin)}};
    std::vector<File> files{{name + ".cubin", shipment.cubin}, {name + ".h", headerSource(parts, Embed::no)}};
    if (form == As::cubin) return files;
    auto harness = harnessFiles(parts);
    if (!harness) return harness;
    harness->insert(harness->end(), files.begin(), files.end());
    return harness;
}

} // namespace ptxwb::ship

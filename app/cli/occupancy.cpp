// `ptxwb occupancy`: how many blocks fit on a multiprocessor, without a GPU.
#include "command.h"

#include "gpu/occupancy.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

using nlohmann::json;

struct OccupancyOptions {
    std::string arch = "sm_90", sweep;
    gpu::OccupancyRequest request;
};

json figures(const gpu::Occupancy& o) {
    return {{"blocks_per_sm", o.blocksPerSm},
            {"warps_per_sm", o.warpsPerSm},
            {"percent", o.percent},
            {"limiter", name(o.limiter)}};
}

json answer(const OccupancyOptions& options, const gpu::Occupancy& o) {
    json value = figures(o);
    value.update({{"schema", 1},
                  {"arch", options.arch},
                  {"block", options.request.block},
                  {"registers", options.request.registers},
                  {"shared_bytes", options.request.sharedDynamic},
                  {"reason", o.reason.empty() ? json(nullptr) : json(o.reason)},
                  {"next_step", nullptr}});
    if (o.nextStep)
        value["next_step"] = {{"registers", o.nextStep->registers}, {"blocks_per_sm", o.nextStep->blocksPerSm}};
    return value;
}

void printAnswer(const OccupancyOptions& options, const gpu::Occupancy& o) {
    fmt::print("{}, {} threads a block, {} registers, {} B shared: {} blocks, {} warps, {:.2f} % (limit: {})\n",
               options.arch, options.request.block, options.request.registers, options.request.sharedDynamic,
               o.blocksPerSm, o.warpsPerSm, o.percent, name(o.limiter));
    if (!o.reason.empty()) fmt::print("  {}\n", o.reason);
    if (!o.hint.empty()) fmt::print("  hint: {}\n", o.hint);
    if (o.nextStep) fmt::print("  {} registers would give {} blocks\n", o.nextStep->registers, o.nextStep->blocksPerSm);
}

Expected<gpu::SweepOver> sweepOver(const std::string& word) {
    if (word == "block") return gpu::SweepOver::block;
    if (word == "registers") return gpu::SweepOver::registers;
    if (word == "shared") return gpu::SweepOver::shared;
    return std::unexpected(
        unknownWord("--sweep takes block, registers or shared, not", word, {"block", "registers", "shared"}));
}

Expected<int> occupancyCommand(const OccupancyOptions& options, const Invocation& invocation) {
    const auto arch = gpu::architecture(options.arch);
    if (!arch) return std::unexpected(arch.error());
    const auto occupancy = gpu::occupancy(*arch, options.request);
    if (!occupancy) return std::unexpected(occupancy.error());
    json value = answer(options, *occupancy);
    if (!invocation.json) printAnswer(options, *occupancy);
    if (!options.sweep.empty()) {
        const auto over = sweepOver(options.sweep);
        if (!over) return std::unexpected(over.error());
        const auto points = gpu::sweep(*arch, options.request, *over);
        if (!points) return std::unexpected(points.error());
        json list = json::array();
        for (const gpu::SweepPoint& point : *points) {
            json one = figures(point.occupancy);
            one["at"] = point.value;
            list.push_back(std::move(one));
            if (!invocation.json)
                fmt::print("  {:>9} {:>8}  {:>3} blocks  {:>3} warps  {:>6.2f} %  {}\n", options.sweep, point.value,
                           point.occupancy.blocksPerSm, point.occupancy.warpsPerSm, point.occupancy.percent,
                           name(point.occupancy.limiter));
        }
        value["sweep"] = {{"over", options.sweep}, {"points", std::move(list)}};
    }
    if (invocation.json) printJson(value);
    return passed;
}

} // namespace

void addOccupancy(Invocation& invocation) {
    const auto options = std::make_shared<OccupancyOptions>();
    CLI::App* command =
        addCommand(invocation, "occupancy", "how many blocks fit on one multiprocessor, and what limits them",
                   "ptxwb occupancy --arch sm_90 --block 256 --registers 40 --shared 16384",
                   [options, &invocation] { return occupancyCommand(*options, invocation); });
    command->add_option("--arch", options->arch, "the architecture, such as sm_90")->required();
    command->add_option("--block", options->request.block, "threads of a block")->required();
    command->add_option("--registers", options->request.registers, "registers of a thread")->required();
    command->add_option("--shared", options->request.sharedDynamic, "bytes of shared memory of a block")->required();
    command->add_option("--sweep", options->sweep, "block, registers or shared: the figures over the whole range");
}

} // namespace ptxwb::cli

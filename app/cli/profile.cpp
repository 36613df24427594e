// `ptxwb profile`: hardware counters of a candidate beside the baseline's, from a GPU.
#include "command.h"

#include "kernel_argument.h"
#include "worker/requests.h"
#include "worker_process.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

using nlohmann::json;

struct ProfileOptions {
    std::string kernel, candidate, worker;
    std::vector<std::string> metrics;
    int device = 0;
};

/// The lines with most samples, with the reason that most of them have.
void printLines(const json& result) {
    constexpr std::size_t most = 8;
    const std::string name = result.at("candidate").get<std::string>();
    if (result.contains("sampling_problem"))
        fmt::print("\nno samples of {}: {}\n", name, result.at("sampling_problem").get<std::string>());
    if (result.at("sampling").is_null()) return;
    const json& sampling = result.at("sampling");
    std::vector<json> lines = sampling.at("lines");
    const auto samplesOf = [](const json& line) { return line.at("samples").get<std::uint64_t>(); };
    std::ranges::stable_sort(lines, std::ranges::greater(), samplesOf);
    if (lines.size() > most) lines.resize(most);
    fmt::print("\nwhere the warps of {} stood, by {} samples of {} launches:\n", name,
               sampling.at("samples").get<std::uint64_t>(), sampling.at("launches").get<int>());
    for (const json& line : lines) {
        std::pair<std::uint64_t, std::string> reason;
        for (const auto& [stall, samples] : line.at("stalls").items())
            reason = std::max(reason, {samples.get<std::uint64_t>(), stall});
        const double share = 100.0 * static_cast<double>(samplesOf(line)) / sampling.at("samples").get<double>();
        const json& cuda = line.at("cuda");
        fmt::print("{:>6.1f} %  line {:<6} {:<24}{}\n", share, line.at("line").get<int>(), reason.second,
                   cuda.is_null()
                       ? std::string()
                       : fmt::format("{}:{}", cuda.at("file").get<std::string>(), cuda.at("line").get<int>()));
    }
}

/// A row for each metric, a column for each kernel, and the candidate's share of the baseline's value.
void printAnswer(const json& answer) {
    const json& results = answer.at("results");
    std::size_t width = 0;
    for (const auto& [metric, value] : results.at(0).at("metrics").items()) width = std::max(width, metric.size());
    fmt::print("{:<{}}", "metric", width);
    for (const json& result : results) fmt::print("  {:>16}", result.at("candidate").get<std::string>());
    fmt::print("\n");
    const bool isSplit = std::ranges::any_of(results, [](const json& result) { return result.contains("launch"); });
    if (isSplit) {
        fmt::print("{:<{}}", "launch", width);
        for (const json& result : results) fmt::print("  {:>16}", result.value("launch", ""));
        fmt::print("\n");
    }
    for (const auto& [metric, first] : results.at(0).at("metrics").items()) {
        fmt::print("{:<{}}", metric, width);
        for (const json& result : results) fmt::print("  {:>16.6g}", result.at("metrics").at(metric).get<double>());
        const double base = first.get<double>(), last = results.back().at("metrics").at(metric).get<double>();
        if (results.size() > 1 && !isSplit && base != 0) fmt::print("  {:>+8.1f} %", (last / base - 1) * 100);
        fmt::print("\n");
    }
    fmt::print("\nkernel {}, {}, {}; {} passes\n", answer.at("kernel").get<std::string>(),
               answer.at("size").get<std::string>(), answer.at("device").get<std::string>(),
               results.at(0).at("passes").get<int>());
    for (const json& result : results) printLines(result);
    for (const json& name : answer.at("unknown")) fmt::print("not known to this chip: {}\n", name.get<std::string>());
}

Expected<int> profileCommand(const ProfileOptions& options, const Invocation& invocation) {
    const auto kernel = loadKernelArgument(options.kernel, invocation.json);
    if (!kernel) return std::unexpected(kernel.error());
    worker::ProfileRequest request{{kernel->kernel, std::nullopt, {}}, options.metrics};
    request.input.plan.device = options.device;
    if (!options.candidate.empty()) {
        auto candidate = loadCandidate(options.candidate, *kernel);
        if (!candidate) return std::unexpected(std::move(candidate.error()));
        request.input.candidate = std::move(*candidate);
    }
    const auto client = makeClient(options.worker);
    if (!client) return std::unexpected(client.error());
    const auto answer = (*client)->call(worker::Job::profile, worker::toJson(request), {}, invocation.stop);
    if (!answer) return std::unexpected(answer.error());
    if (invocation.json)
        printJson(*answer);
    else
        printAnswer(*answer);
    return passed;
}

} // namespace

void addProfile(Invocation& invocation) {
    const auto options = std::make_shared<ProfileOptions>();
    CLI::App* command = addCommand(invocation, "profile",
                                   "hardware counters of a candidate beside the baseline's (needs an NVIDIA GPU)",
                                   "ptxwb profile saxpy --candidate vectorized",
                                   [options, &invocation] { return profileCommand(*options, invocation); });
    command->add_option("KERNEL", options->kernel, "a spec file, a folder with one, or the name of an example")
        ->required();
    command->add_option("--candidate", options->candidate, "a PTX file or the name of one of the kernel's candidates");
    command->add_option("--metrics", options->metrics, "names as Nsight Compute spells them, separated by commas")
        ->delimiter(',');
    command->add_option("--device", options->device, "number of the GPU, as `ptxwb doctor` lists them");
    command->add_option("--worker", options->worker, workerHelp);
}

} // namespace ptxwb::cli

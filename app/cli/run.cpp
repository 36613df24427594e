// `ptxwb run`: one launch of one PTX file, with every checker on.
#include "command.h"

#include "kernel_argument.h"
#include "reference_trust.h"
#include "report/finding_text.h"
#include "support/files.h"
#include "support/finding_json.h"
#include "support/json.h"
#include "verify_table.h"
#include "work_text.h"
#include "worker/recording_json.h"
#include "worker/requests.h"
#include "worker_process.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

using nlohmann::json;

struct RunOptions {
    std::string file, spec, worker, seed, record, backend = "emulator";
    bool withoutCounts = false, trust = false;
    double timeoutSeconds = 0;
    std::uint64_t memoryMiB = emulator::Options{}.memoryLimit >> 20;
    std::vector<std::string> sets, dump;
};

Expected<std::int64_t> integerOf(std::string_view option, std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty())
        return failure(Cause::badRequest, fmt::format("{}: expected a whole number, got \"{}\"", option, text));
    return value;
}

/// "n=1000"
Expected<kernel::Symbols> sizesOf(const std::vector<std::string>& sets) {
    kernel::Symbols sizes;
    for (const std::string& set : sets) {
        const auto equals = set.find('=');
        if (equals == std::string::npos || equals == 0)
            return failure(Cause::badRequest, fmt::format("--set {}: expected SYMBOL=NUMBER", set),
                           "for instance --set n=1000");
        const auto value = integerOf("--set " + set, std::string_view(set).substr(equals + 1));
        if (!value) return std::unexpected(value.error());
        sizes[set.substr(0, equals)] = *value;
    }
    return sizes;
}

/// "2,1": warp 1 of block 2; up to three numbers for the block.
Expected<emulator::RecordRequest> recordOf(const std::string& text) {
    std::vector<std::uint32_t> numbers;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(',', from), text.size());
        const auto number = integerOf("--record " + text, std::string_view(text).substr(from, to - from));
        if (!number) return std::unexpected(number.error());
        if (*number < 0 || *number > 0x7FFFFFFF)
            return failure(Cause::badRequest, fmt::format("--record {}: numbers count from 0", text));
        numbers.push_back(static_cast<std::uint32_t>(*number));
        from = to + 1;
    }
    if (numbers.size() < 2 || numbers.size() > 4)
        return failure(Cause::badRequest, fmt::format("--record {}: expected BLOCK,WARP", text),
                       "for instance --record 0,1, or --record 2,0,0,1 for a block of a grid with three dimensions");
    emulator::RecordRequest request;
    request.warp = numbers.back();
    std::copy(numbers.begin(), numbers.end() - 1, request.block.begin());
    return request;
}

bool hasKind(const json& answer, std::string_view kind) {
    for (const json& finding : answer.at("findings"))
        if (finding.at("kind").get<std::string>() == kind) return true;
    return false;
}

void printAnswer(const json& answer, const std::string& file, const std::string& text) {
    const auto triple = [](const json& three) {
        return fmt::format("{} x {} x {}", three[0].get<int>(), three[1].get<int>(), three[2].get<int>());
    };
    fmt::print("{}: grid {}, block {}, seed {}: {}\n", answer.at("entry").get<std::string>(), triple(answer.at("grid")),
               triple(answer.at("block")), answer.at("seed").get<std::uint64_t>(),
               answer.at("completed").get<bool>() ? "completed on the emulator" : "did not complete");
    for (const json& value : answer.at("findings"))
        if (const auto finding = findingFromJson(value))
            fmt::print("{}", format(report::diagnosticOf(*finding, file), text));
    for (const auto& [name, digest] : answer.at("digests").items())
        fmt::print("  {:<16} sha256 {}\n", name, digest.get<std::string>());
    for (const auto& [name, count] : answer.at("counters").items())
        if (answer.at("work").is_null()) fmt::print("  {:<22} {}\n", name, count.get<std::uint64_t>());
    if (!answer.at("work").is_null())
        if (const auto work = verify::workReportFrom(JsonReader(answer.at("work"))))
            fmt::print("{}", workText(*work, text));
    if (const auto recorded = answer.find("recording"); recorded != answer.end() && !recorded->is_null())
        if (const auto recording = worker::recordingFromJson(*recorded)) fmt::print("{}", stepsText(*recording, text));
    if (const auto outputs = answer.find("outputs"); outputs != answer.end())
        for (const auto& [name, words] : outputs->items()) {
            fmt::print("{}:", name);
            for (const json& word : words) fmt::print(" {}", word.is_null() ? "--------" : word.get<std::string>());
            fmt::print("\n");
        }
    if (const std::string printed = answer.at("printed"); !printed.empty())
        fmt::print("printed by the kernel:\n{}{}", printed, printed.ends_with('\n') ? "" : "\n");
}

Expected<int> runCommand(const RunOptions& options, const Invocation& invocation) {
    if (options.backend == "gpu")
        return failure(Cause::missing, "--backend gpu: this version runs kernels on the emulator only",
                       "leave --backend out");
    if (options.backend != "emulator")
        return std::unexpected(
            unknownWord("--backend takes emulator or gpu, not", options.backend, {"emulator", "gpu"}));
    auto text = readFile(options.file);
    if (!text) return std::unexpected(std::move(text.error()));
    auto kernel = loadKernelArgument(options.spec, invocation.json);
    if (!kernel) return std::unexpected(std::move(kernel.error()));
    auto sizes = sizesOf(options.sets);
    if (!sizes) return std::unexpected(std::move(sizes.error()));
    worker::RunRequest request;
    if (kernel->kernel.spec.inputs) request.reference = referenceTrust(*kernel, options.trust);
    request.kernel = std::move(kernel->kernel);
    request.candidate = {std::filesystem::path(options.file).stem().string(), options.file, *text};
    request.sizes = std::move(*sizes);
    request.dump = options.dump;
    request.counting = !options.withoutCounts;
    request.deadline = std::chrono::milliseconds(std::llround(options.timeoutSeconds * 1000));
    request.memoryLimit = options.memoryMiB << 20;
    if (!options.record.empty()) {
        const auto record = recordOf(options.record);
        if (!record) return std::unexpected(record.error());
        request.record = *record;
    }
    if (!options.seed.empty()) {
        const auto seed = integerOf("--seed", options.seed);
        if (!seed) return std::unexpected(seed.error());
        if (*seed < 0) return failure(Cause::badRequest, fmt::format("--seed {}: expected a number from 0", *seed));
        request.seed = static_cast<std::uint64_t>(*seed);
    }
    const auto client = makeClient(options.worker);
    if (!client) return std::unexpected(client.error());
    const auto answer = (*client)->call(worker::Job::run, worker::toJson(request), {}, invocation.stop);
    if (!answer) {
        if (!invocation.json && answer.error().place.line != 0) {
            printDiagnostic(answer.error(), *text);
            return exitStatus(answer.error().cause);
        }
        return std::unexpected(answer.error());
    }
    if (invocation.json)
        printJson(*answer);
    else
        printAnswer(*answer, options.file, *text);
    if (hasKind(*answer, "unsupported")) return incomplete;
    return answer->at("completed").get<bool>() && answer->at("findings").empty() ? passed : failed;
}

} // namespace

void addRun(Invocation& invocation) {
    const auto options = std::make_shared<RunOptions>();
    CLI::App* command = addCommand(invocation, "run", "launch a PTX kernel once on the emulator, with every checker on",
                                   "ptxwb run saxpy.sm_90.ptx --spec saxpy --set n=100 --dump y",
                                   [options, &invocation] { return runCommand(*options, invocation); });
    command->add_option("FILE", options->file, "a PTX file")->required();
    command
        ->add_option("--spec", options->spec, "the kernel's spec: a file, a folder with one, or the name of an example")
        ->required();
    command->add_option("--set", options->sets,
                        "a symbol's value, as in n=1000; may be repeated (default: the spec's first function size)");
    command->add_option("--dump", options->dump, "print this buffer's words afterwards; may be repeated");
    command->add_option("--seed", options->seed, "of the inputs");
    command->add_flag("--without-counts", options->withoutCounts,
                      "do not count work by line (sectors, bank conflicts, ...): faster");
    command->add_option("--record", options->record, "BLOCK,WARP: record what this warp does, step by step");
    command
        ->add_option("--timeout", options->timeoutSeconds,
                     "SECONDS: a launch that still runs then ends there, and its line is told (default: no limit)")
        ->check(CLI::Range(0.001, 1e6));
    command
        ->add_option("--memory", options->memoryMiB,
                     "MIB that the emulator may take beside the kernel's buffers (default: 3072)")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 24));
    command->add_option("--backend", options->backend, "emulator");
    command->add_flag("--trust", options->trust, "run the spec's host function `inputs` without asking (for scripts)");
    command->add_option("--worker", options->worker, workerHelp);
}

} // namespace ptxwb::cli

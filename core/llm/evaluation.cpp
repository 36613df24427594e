#include "llm/evaluation.h"

#include "support/json_fields.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace ptxwb::llm {

using nlohmann::json;

namespace {

json orNull(const std::optional<bool>& value) {
    return value ? json(*value) : json(nullptr);
}

ClassRow rowOf(const std::string& name, const std::vector<const Trial*>& trials) {
    ClassRow row;
    row.kernelClass = name;
    std::set<std::string> kernels;
    std::map<std::pair<std::string, std::uint32_t>, const Trial*> last;
    std::uint64_t first = 0, firstRight = 0;
    std::set<std::pair<std::string, std::uint32_t>> rightAtFirst;
    for (const Trial* trial : trials) {
        kernels.insert(trial->kernel);
        const Trial*& kept = last[{trial->kernel, trial->candidate}];
        // Of several of one round the best counts.
        if (kept == nullptr || std::tuple(trial->round, trial->correct, trial->assembled) >
                                   std::tuple(kept->round, kept->correct, kept->assembled))
            kept = trial;
        if (trial->round == 1 && trial->correct) rightAtFirst.emplace(trial->kernel, trial->candidate);
    }
    std::uint64_t assembled = 0, correct = 0, timed = 0, faster = 0, counted = 0, fewer = 0;
    for (const auto& [key, trial] : last) {
        assembled += trial->assembled;
        correct += trial->correct;
        timed += trial->faster.has_value();
        faster += trial->faster.value_or(false);
        counted += trial->fewerInstructions.has_value();
        fewer += trial->fewerInstructions.value_or(false);
        ++first;
        firstRight += rightAtFirst.contains(key);
    }
    row.kernels = kernels.size();
    row.assembled = share(assembled, last.size());
    row.correct = share(correct, last.size());
    row.faster = share(faster, timed);
    row.fewerInstructions = share(fewer, counted);
    row.firstRound = share(firstRight, first);
    return row;
}

} // namespace

Share share(std::uint64_t count, std::uint64_t of) {
    Share result{count, of, 0, 1};
    if (of == 0) return result;
    constexpr double z = 1.959963984540054; // 97.5 % of the normal distribution
    const auto n = static_cast<double>(of);
    const double p = static_cast<double>(count) / n, z2 = z * z;
    const double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
    const double half = z / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
    result.low = count == 0 ? 0 : std::max(0.0, middle - half);
    result.high = count == of ? 1 : std::min(1.0, middle + half);
    return result;
}

json toJson(const Trial& trial) {
    return {{"kernel", trial.kernel},
            {"class", trial.kernelClass},
            {"name", trial.name},
            {"candidate", trial.candidate},
            {"round", trial.round},
            {"usable", trial.usable},
            {"assembled", trial.assembled},
            {"correct", trial.correct},
            {"faster", orNull(trial.faster)},
            {"fewer_instructions", orNull(trial.fewerInstructions)},
            {"reason", trial.reason}};
}

Expected<Trial> trialFromJson(const json& value) {
    const JsonReader reader(value);
    JsonFields fields(reader);
    Trial trial;
    fields.read("kernel", trial.kernel);
    fields.read("class", trial.kernelClass);
    fields.read("name", trial.name);
    fields.read("candidate", trial.candidate);
    fields.read("round", trial.round);
    fields.read("reason", trial.reason);
    fields.take(reader.booleanOr("usable", false), trial.usable);
    fields.take(reader.booleanOr("assembled", false), trial.assembled);
    fields.take(reader.booleanOr("correct", false), trial.correct);
    for (const auto& [key, target] :
         {std::pair{"faster", &trial.faster}, {"fewer_instructions", &trial.fewerInstructions}})
        if (reader.has(key)) {
            bool is = false;
            fields.take(reader.booleanOr(key, false), is);
            *target = is;
        }
    return fields.result(std::move(trial));
}

std::vector<ClassRow> table(const std::vector<Trial>& trials) {
    std::map<std::string, std::vector<const Trial*>> classes;
    std::vector<const Trial*> all;
    for (const Trial& trial : trials) {
        classes[trial.kernelClass].push_back(&trial);
        all.push_back(&trial);
    }
    std::vector<ClassRow> rows;
    for (const auto& [name, members] : classes) rows.push_back(rowOf(name, members));
    rows.push_back(rowOf("all", all));
    return rows;
}

std::string kernelClass(const std::vector<std::string>& features) {
    const auto has = [&](const char* name) { return std::ranges::find(features, name) != features.end(); };
    if (has("mma")) return "tensor cores";
    if (has("fma_in_loop")) return "multiply-add loops";
    if (has("shared_reduction") || has("shuffle") || has("barrier_in_loop") || has("copy_to_shared") ||
        has("shared_in_loop"))
        return "shared memory";
    return "streaming";
}

} // namespace ptxwb::llm

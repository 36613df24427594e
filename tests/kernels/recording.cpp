// Recorded answers: the text of tests/data/kernels/h200.txt, and the comparison with other answers.
#include "cases.h"

#include "kernel/tolerance.h"
#include "support/files.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ptxwb::kernels {

namespace {

void addValues(std::string& text, const Output& output) {
    constexpr std::size_t perLine = 12;
    const unsigned digits = 2 * kernel::sizeOf(output.type);
    for (std::uint64_t i = 0; i < output.count; ++i) {
        if (i % perLine == 0) text += "\n   ";
        text += fmt::format(" {:0{}x}", kernel::loadBits(output.type, output.bytes, i), digits);
    }
    text += '\n';
}

/// "  out f32 64 sha256 ..." or "  out f32 64 values" with lines of values behind it.
bool readOutput(std::istringstream& words, Answer& answer) {
    Output output;
    std::string type, how;
    if (!(words >> output.name >> type >> output.count >> how)) return false;
    const auto known = kernel::elementType(type);
    if (!known || output.count > largestFile) return false;
    output.type = *known;
    if (how == "sha256") words >> output.digest;
    if (how != "values" && output.digest.size() != 64) return false;
    answer.outputs.push_back(std::move(output));
    return true;
}

bool readValues(std::istringstream& words, Output& output) {
    const std::size_t size = kernel::sizeOf(output.type);
    for (std::string word; words >> word;) {
        std::uint64_t bits = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), bits, 16);
        if (error != std::errc{} || end != word.data() + word.size()) return false;
        output.bytes.resize(output.bytes.size() + size);
        kernel::storeBits(output.type, output.bytes, output.bytes.size() / size - 1, bits);
    }
    return true;
}

bool readLine(const std::string& line, Recording& recording) {
    std::istringstream words(line);
    if (line.starts_with("kernel ")) {
        const auto key = line.rfind(" key ");
        if (key == std::string::npos) return false;
        recording.answers.push_back({line.substr(7, key - 7), line.substr(key + 5), {}, {}});
        return true;
    }
    if (recording.answers.empty()) return false;
    Answer& answer = recording.answers.back();
    if (line.starts_with("    ")) return !answer.outputs.empty() && readValues(words, answer.outputs.back());
    if (!line.starts_with("  printed ")) return readOutput(words, answer);
    const auto text = nlohmann::json::parse(line.substr(10), nullptr, false);
    if (!text.is_string()) return false;
    answer.printed = text.get<std::string>();
    return true;
}

/// The recorded values are the reference, the spec's tolerance is the bound.
std::string outsideOfBound(const Case& launched, const Output& recorded, const Output& now) {
    std::vector<double> values(recorded.count);
    for (std::uint64_t i = 0; i < recorded.count; ++i)
        values[i] = kernel::asDouble(recorded.type, kernel::loadBits(recorded.type, recorded.bytes, i));
    const auto buffer = std::ranges::find(launched.data.buffers, recorded.name, &kernel::Buffer::name);
    kernel::Comparison comparison;
    comparison.buffer = &*buffer;
    comparison.referenceReals = values;
    comparison.referenceBits = recorded.bytes;
    comparison.candidate = now.bytes;
    comparison.tolerance = toleranceOf(launched.kernel.spec, recorded.name);
    const kernel::Judgement judgement = kernel::judge(comparison);
    if (judgement.call == kernel::Judgement::Call::right) return {};
    return fmt::format("{}: {} of {} values are outside of the bound, {:.3g} times as far: {}", recorded.name,
                       judgement.wrongElements, recorded.count, judgement.error,
                       judgement.findings.empty() ? judgement.reason : judgement.findings.front().message);
}

std::string difference(const Case& launched, const Output& recorded, const Output& now) {
    if (recorded.type != now.type || recorded.count != now.count || recorded.digest.empty() != now.digest.empty() ||
        recorded.bytes.size() != now.bytes.size())
        return fmt::format("{}: recorded as {} {}, now it is {} {}: record it anew", recorded.name, recorded.count,
                           name(recorded.type), now.count, name(now.type));
    if (recorded.digest != now.digest)
        return fmt::format("{}: other bytes: sha256 {}, recorded {}", now.name, now.digest, recorded.digest);
    if (recorded.digest.empty()) return outsideOfBound(launched, recorded, now);
    return {};
}

} // namespace

const Answer* Recording::find(std::string_view title) const {
    const auto hit = std::ranges::find(answers, title, &Answer::title);
    return hit == answers.end() ? nullptr : &*hit;
}

std::string textOf(const Recording& recording) {
    std::string text = recording.header;
    for (const Answer& answer : recording.answers) {
        text += fmt::format("kernel {} key {}\n", answer.title, answer.key);
        for (const Output& output : answer.outputs) {
            text += fmt::format("  {} {} {} ", output.name, name(output.type), output.count);
            if (output.digest.empty()) {
                text += "values";
                addValues(text, output);
            } else {
                text += fmt::format("sha256 {}\n", output.digest);
            }
        }
        if (!answer.printed.empty()) text += fmt::format("  printed {}\n", nlohmann::json(answer.printed).dump());
    }
    return text;
}

Expected<Recording> readRecording(const std::filesystem::path& file) {
    const auto text = readFile(file);
    if (!text) return std::unexpected(text.error());
    Recording recording;
    std::istringstream lines(*text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.starts_with('#'))
            recording.header += line + "\n";
        else if (!readLine(line, recording))
            return failure(Cause::badRequest, fmt::format("{}:{}: no line of a recording", file.string(), number),
                           "write the file with kernels_record");
    }
    return recording;
}

std::vector<std::string> differences(const Case& launched, const Answer& recorded, const Answer& now) {
    if (recorded.key != now.key)
        return {fmt::format("{}: the PTX or the inputs are not those that were recorded: record it anew", now.title)};
    std::vector<std::string> out;
    for (const Output& output : now.outputs) {
        const auto old = std::ranges::find(recorded.outputs, output.name, &Output::name);
        if (old == recorded.outputs.end())
            out.push_back(fmt::format("{}: nothing is recorded for it", output.name));
        else if (std::string text = difference(launched, *old, output); !text.empty())
            out.push_back(std::move(text));
    }
    if (recorded.printed != now.printed)
        out.push_back(fmt::format("printed {}, recorded {}", nlohmann::json(now.printed).dump(),
                                  nlohmann::json(recorded.printed).dump()));
    return out;
}

} // namespace ptxwb::kernels

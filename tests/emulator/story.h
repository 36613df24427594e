// PTX files that say at their top what must come of them: see the first lines of any in tests/data/emulator.
//   //! launch ENTRY grid G block B [shared S] [words W] [in N]   one or several; what follows is of this launch.
//                                   words: of the output buffer, the first parameter. in: words 0, 1, 2 ... in a
//                                   read-only buffer, the second parameter
//   //! map in|out TYPE sizes N... strides BYTES... box N... [elements N...] [swizzle 32|64|128] [fill nan] [base
//   BYTES]
//                                   a tensor map: the next parameter of 128 bytes. Strides and element strides are of
//                                   the dimensions from 1 on
//   //! out WORD WORD ...           hex, `null` where nothing is written, `...` where the rest does not matter
//   //! finding KIND line L [thread T] [block B][, line M [thread T] [block B]] [: text]
//                                   the text is in the message, or in that of a related place
//   //! in order                    schedules are not drawn: what is found depends on who comes first
//   //! checker NAME                the option that, when it is off, leaves the file without findings
// Every finding is listed, in order; a launch without `finding` must have none.
#pragma once

#include "kernel_run.h"

#include <QFile>
#include <algorithm>
#include <sstream>

namespace ptxwb::emulator {

struct StoryLaunch {
    KernelRun run;
    std::vector<std::string> out;
    bool outIsPrefix = false;
    std::vector<std::string> findings; ///< as they stand in the file
    bool hasRace() const {
        return std::ranges::any_of(findings, [](const std::string& f) { return f.starts_with("race "); });
    }
};

struct Story {
    std::vector<StoryLaunch> launches;
    bool inOrder = false;
    std::string checker;
};

inline StoryLaunch readLaunch(std::istringstream& words, const std::string& text) {
    StoryLaunch launch;
    launch.run.text = text;
    launch.run.outWords = 0;
    launch.run.options.instructionLimit = 1 << 24;
    words >> launch.run.entry;
    for (std::string word; words >> word;) {
        std::uint32_t value = 0;
        words >> value;
        if (word == "grid")
            launch.run.grid = {value, 1, 1};
        else if (word == "block")
            launch.run.block = {value, 1, 1};
        else if (word == "shared")
            launch.run.dynamicSharedBytes = value;
        else if (word == "words")
            launch.run.outWords = value;
        else if (word == "in")
            for (std::uint32_t i = 0; i < value; ++i)
                for (unsigned byte = 0; byte < 4; ++byte)
                    launch.run.input.push_back(static_cast<std::uint8_t>(i >> 8 * byte));
    }
    return launch;
}

inline MapOf readMap(std::istringstream& words) {
    MapOf out;
    TensorMap& map = out.map;
    std::string word, key;
    words >> word;
    out.ofInput = word == "in";
    words >> word;
    map.type = ptx::scalarType(word).value_or(ptx::ScalarType::none);
    std::size_t next = 0;
    while (words >> word) {
        if (!std::isdigit(static_cast<unsigned char>(word[0]))) {
            if (word == "nan") map.fill = TensorMap::Fill::nan;
            key = word;
            next = key == "strides" || key == "elements" ? 1 : 0;
            continue;
        }
        const auto value = static_cast<std::uint32_t>(std::stoul(word));
        if (key == "sizes") {
            map.sizes[next++] = value;
            map.rank = static_cast<unsigned>(next);
        } else if (key == "strides") {
            map.strides[next++] = value;
        } else if (key == "box") {
            map.box[next++] = value;
        } else if (key == "elements") {
            map.elementStrides[next++] = value;
        } else if (key == "swizzle") {
            map.swizzle = value == 32   ? TensorMap::Swizzle::b32
                          : value == 64 ? TensorMap::Swizzle::b64
                                        : TensorMap::Swizzle::b128;
        } else if (key == "base") {
            map.base = value;
        }
    }
    return out;
}

inline Story readStory(const QString& path) {
    QFile file(path);
    Story story;
    if (!file.open(QIODevice::ReadOnly)) return story;
    const std::string text = file.readAll().toStdString();
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("//! ")) continue;
        std::istringstream words(line.substr(4));
        std::string key, word;
        words >> key;
        if (key == "launch") {
            story.launches.push_back(readLaunch(words, text));
        } else if (key == "map") {
            story.launches.back().run.maps.push_back(readMap(words));
        } else if (key == "in") {
            story.inOrder = true;
        } else if (key == "checker") {
            words >> story.checker;
        } else if (key == "out") {
            while (words >> word) {
                if (word == "...")
                    story.launches.back().outIsPrefix = true;
                else
                    story.launches.back().out.push_back(word);
            }
        } else if (key == "finding") {
            story.launches.back().findings.push_back(line.substr(line.find("finding ") + 8));
        }
    }
    for (StoryLaunch& launch : story.launches)
        if (!launch.run.outWords) {
            const bool exact = !launch.out.empty() && !launch.outIsPrefix;
            launch.run.outWords = exact ? launch.out.size() : 64;
        }
    return story;
}

/// "line 12 thread 3 block 1": the thread and the block only where `like` has them.
inline std::string place(std::uint32_t line, const std::optional<Index3>& thread, const std::optional<Index3>& block,
                         std::string_view like) {
    std::string out = fmt::format("line {}", line);
    if (like.find(" thread ") != std::string_view::npos && thread) out += fmt::format(" thread {}", (*thread)[0]);
    if (like.find(" block ") != std::string_view::npos && block) out += fmt::format(" block {}", (*block)[0]);
    return out;
}

/// The finding as the file would have it, in as much detail as `expected`.
inline std::string asExpected(const Finding& f, const std::string& expected) {
    const auto colon = expected.find(": ");
    std::istringstream places(expected.substr(0, colon));
    std::string like;
    std::getline(places, like, ',');
    std::string out = fmt::format("{} {}", name(f.kind), place(f.line, f.thread, f.block, like));
    for (const RelatedFinding& r : f.related) {
        like.clear();
        std::getline(places, like, ',');
        out += ", " + place(r.line, r.thread, r.block, like);
    }
    if (colon == std::string::npos) return out;
    const std::string text = expected.substr(colon + 2);
    const bool says =
        f.message.find(text) != std::string::npos || std::ranges::any_of(f.related, [&](const RelatedFinding& r) {
            return r.message.find(text) != std::string::npos;
        });
    return out + ": " + (says ? text : f.message);
}

/// What is not as the file says; empty where all is.
inline std::string problems(const StoryLaunch& launch, const KernelAnswer& answer) {
    if (!answer.error.empty()) return answer.error;
    std::string seen, out;
    for (const Finding& f : answer.result.findings) seen += summary(f) + "\n";
    if (answer.result.findings.size() != launch.findings.size())
        return fmt::format("{} findings, not {}:\n{}", answer.result.findings.size(), launch.findings.size(), seen);
    for (std::size_t i = 0; i < launch.findings.size(); ++i) {
        const std::string is = asExpected(answer.result.findings[i], launch.findings[i]);
        if (is != launch.findings[i]) out += fmt::format("{}\n   instead of\n{}\n", is, launch.findings[i]);
    }
    for (std::size_t i = 0; i < launch.out.size(); ++i)
        if (answer.out[i] != launch.out[i])
            out += fmt::format("word {} is {}, must be {}\n", i, answer.out[i], launch.out[i]);
    return out;
}

} // namespace ptxwb::emulator

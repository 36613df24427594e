#include "emulator/recording_log.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

constexpr std::uint64_t version = 1;

// `PackWriter` and `PackReader` walk the same lists: what one writes the other reads.

class PackWriter {
public:
    static constexpr bool isReader = false;
    template <class T>
    void operator()(const T& number) {
        appendNumber(bytes, static_cast<std::uint64_t>(number));
    }
    void operator()(const std::string& text) {
        appendNumber(bytes, text.size());
        bytes.insert(bytes.end(), text.begin(), text.end());
    }
    void operator()(const bool& flag) { appendNumber(bytes, flag); }
    template <class T, class F>
    void list(const std::vector<T>& items, F each) {
        appendNumber(bytes, items.size());
        for (const T& item : items) each(*this, item);
    }
    std::vector<std::uint8_t> bytes;
};

class PackReader {
public:
    static constexpr bool isReader = true;
    explicit PackReader(std::span<const std::uint8_t> bytes) : log(bytes) {}
    template <class T>
    void operator()(T& number) {
        const auto value = log.number();
        good = good && value && static_cast<std::uint64_t>(static_cast<T>(*value)) == *value;
        if (good) number = static_cast<T>(*value);
    }
    void operator()(std::string& text) {
        const auto size = log.number();
        const auto bytes = size ? log.take(*size) : std::nullopt;
        good = good && bytes;
        if (good) text.assign(bytes->begin(), bytes->end());
    }
    void operator()(bool& flag) {
        const auto value = log.number();
        good = good && value && *value < 2;
        if (good) flag = *value;
    }
    template <class T, class F>
    void list(std::vector<T>& items, F each) {
        const auto size = log.number();
        good = good && size;
        for (std::uint64_t i = 0; good && i < *size; ++i) each(*this, items.emplace_back());
    }
    LogReader log;
    bool good = true;
};

template <class Io, class R>
void walk(Io& io, R& r) {
    for (auto& part : r.block) io(part);
    for (auto& part : r.blockSize) io(part);
    io(r.warp);
    io(r.startLanes);
    io(r.localBytes);
    io(r.stoppedEarly);
    io.list(r.functions, [](Io& o, auto& f) {
        o(f.name);
        o.list(f.registers, [](Io& p, auto& one) {
            p(one.name);
            p(one.type);
            p(one.offset);
            p(one.bytes);
        });
    });
    io.list(r.places, [](Io& o, auto& place) {
        o(place.function);
        o(place.line);
        o(place.column);
        o(place.length);
    });
    io.list(r.regions, [](Io& o, auto& region) {
        o(region.space);
        o(region.name);
        o(region.address);
        o(region.bytes);
        o(region.function);
        o(region.firstStep);
    });
    io.list(r.steps, [](Io& o, auto& step) {
        o(step.place);
        o(step.frame);
        o(step.lanes);
        o(step.split);
        o(step.others);
        o(step.barriers);
        o(step.before);
        o(step.after);
    });
    io.list(r.splitLists, [](Io& o, auto& list) {
        o.list(list, [](Io& p, auto& split) {
            p(split.lanes);
            p(split.place);
            p(split.frame);
            p(split.waits);
            p(split.barrier);
        });
    });
    io.list(r.barrierLists, [](Io& o, auto& list) {
        o.list(list, [](Io& p, auto& barrier) {
            p(barrier.isMbarrier);
            p(barrier.id);
            p(barrier.arrived);
            p(barrier.expected);
            p(barrier.warps);
            p(barrier.phase);
        });
    });
    io.list(r.stepFindings, [](Io& o, auto& found) {
        o(found.step);
        o(found.finding);
    });
}

/// What does not fit, empty where all does. Regions of over 1 GiB are refused: the stepper holds them all.
std::string problemOf(const Recording& r) {
    const auto registersFit = [](const RecordedFunction& f, std::uint64_t bytes) {
        return std::ranges::all_of(f.registers, [&](const RecordedRegister& one) {
            const std::uint64_t size = one.bytes == 0 ? 4 : std::uint64_t{32} * one.bytes;
            return (one.bytes == 0 || one.bytes == 4 || one.bytes == 8) && one.offset % 4 == 0 &&
                   one.offset + size <= bytes;
        });
    };
    std::uint64_t all = 0;
    for (const RecordedRegion& region : r.regions) {
        all += region.bytes;
        if (region.space > RecordedSpace::global || region.address + region.bytes < region.address)
            return "a region of no known memory";
        if (region.space == RecordedSpace::registers &&
            (region.function >= r.functions.size() || !registersFit(r.functions[region.function], region.bytes)))
            return "registers that lie outside of their frame";
        if (region.space == RecordedSpace::local && r.localBytes == 0) return "local memory without a size";
    }
    if (all > std::uint64_t{1} << 30) return "more memory than 1 GiB";
    const auto isFrame = [&](std::uint32_t region) {
        return region < r.regions.size() && r.regions[region].space == RecordedSpace::registers;
    };
    for (const RecordedPlace& place : r.places)
        if (place.function >= r.functions.size()) return "an instruction of no function";
    for (const auto& list : r.splitLists)
        for (const RecordedSplit& split : list)
            if (split.place >= r.places.size() || !isFrame(split.frame) ||
                split.waits > RecordedSplit::Waits::forMbarrier)
                return "lanes that stand nowhere";
    std::uint64_t log = 0;
    for (const RecordedStep& step : r.steps) {
        if (step.place >= r.places.size() || !isFrame(step.frame) || step.others >= r.splitLists.size() ||
            step.barriers >= r.barrierLists.size())
            return "a step of no instruction";
        log += std::uint64_t{step.before} + step.after;
    }
    if (log != r.log.size()) return "another number of changes than its steps have";
    std::uint32_t last = 0;
    for (const RecordedFinding& found : r.stepFindings) {
        if (found.step >= r.steps.size() || found.finding >= r.findings.size() || found.step < last)
            return "a finding of no step";
        last = found.step;
    }
    // Each group must end where a change does.
    std::span<const std::uint8_t> left = r.log;
    for (const RecordedStep& step : r.steps)
        for (const std::uint32_t bytes : {step.before, step.after}) {
            LogReader reader(left.first(bytes));
            while (const auto row = reader.next())
                if (row->region >= r.regions.size() || row->row >= recordedRows(r.regions[row->region]))
                    return "a change of no memory";
            if (reader.isBroken()) return "a change that is cut off";
            left = left.subspan(bytes);
        }
    return {};
}

} // namespace

std::vector<std::uint8_t> pack(const Recording& recording) {
    PackWriter writer;
    writer(version);
    walk(writer, recording);
    appendNumber(writer.bytes, recording.log.size());
    writer.bytes.insert(writer.bytes.end(), recording.log.begin(), recording.log.end());
    return std::move(writer.bytes);
}

Expected<Recording> unpack(std::span<const std::uint8_t> bytes, std::vector<Finding> findings) {
    const auto refuse = [](std::string_view what) {
        return failure(Cause::rejected, fmt::format("the recording cannot be read: it has {}", what),
                       "record again; a worker of the same version of ptxwb writes what this one reads");
    };
    PackReader reader(bytes);
    std::uint64_t found = 0;
    reader(found);
    if (!reader.good || found != version) return refuse(fmt::format("version {}, not {}", found, version));
    Recording recording;
    recording.findings = std::move(findings);
    walk(reader, recording);
    const auto size = reader.good ? reader.log.number() : std::nullopt;
    const auto log = size ? reader.log.take(*size) : std::nullopt;
    if (!log || !reader.log.atEnd()) return refuse("another length than it says");
    recording.log.assign(log->begin(), log->end());
    if (const std::string problem = problemOf(recording); !problem.empty()) return refuse(problem);
    return recording;
}

} // namespace ptxwb::emulator

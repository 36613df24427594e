#include "emulator/recording.h"

#include "emulator/recording_log.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t wordsPerRow = recordedRowWords;

std::uint32_t wordOf(const RecordedRegister& r, unsigned lane) {
    return r.offset / 4 + (r.bytes == 8 ? 2 * lane : r.bytes == 4 ? lane : 0);
}

std::uint64_t valueIn(const std::vector<std::uint32_t>& words, const RecordedRegister& r, unsigned lane) {
    const std::uint32_t at = wordOf(r, lane);
    if (r.bytes == 0) return words[at] >> lane & 1;
    return r.bytes == 8 ? words[at] | std::uint64_t{words[at + 1]} << 32 : words[at];
}

RecordedValues valuesIn(const std::vector<std::uint32_t>& words, const RecordedRegister& r) {
    RecordedValues values;
    for (unsigned lane = 0; lane < 32; ++lane) values.lanes[lane] = valueIn(words, r, lane);
    return values;
}

} // namespace

WarpStepper::WarpStepper(std::shared_ptr<const Recording> recording) : m_recording(std::move(recording)) {
    for (const RecordedRegion& region : m_recording->regions) m_state.emplace_back(recordedRows(region) * wordsPerRow);
    m_stepsOfPlace.resize(m_recording->places.size());
    for (std::uint32_t i = 0; i < steps(); ++i) m_stepsOfPlace[m_recording->steps[i].place].push_back(i);
    if (steps()) {
        flip(0, m_recording->steps.front().before);
        m_at = m_recording->steps.front().before;
    }
}

const RecordedStep* WarpStepper::step() const {
    return m_position < steps() ? &m_recording->steps[m_position] : nullptr;
}

template <class F>
void WarpStepper::eachChange(std::size_t from, std::size_t bytes, F f) const {
    LogReader reader(std::span(m_recording->log).subspan(from, bytes));
    while (const auto row = reader.next()) f(*row);
}

void WarpStepper::flip(std::size_t from, std::size_t bytes) {
    eachChange(from, bytes, [&](const RowChange& row) {
        std::uint32_t* words = m_state[row.region].data() + std::size_t{row.row} * wordsPerRow;
        for (std::uint32_t i = 0; i < wordsPerRow; ++i) words[i] ^= row.flips[i];
    });
}

bool WarpStepper::forward() {
    const RecordedStep* now = step();
    if (!now) return false;
    flip(m_at, now->after);
    m_at += now->after;
    ++m_position;
    if (const RecordedStep* next = step()) {
        flip(m_at, next->before);
        m_at += next->before;
    }
    return true;
}

bool WarpStepper::back() {
    if (!m_position) return false;
    if (const RecordedStep* next = step()) {
        m_at -= next->before;
        flip(m_at, next->before);
    }
    --m_position;
    m_at -= step()->after;
    flip(m_at, step()->after);
    return true;
}

void WarpStepper::moveTo(std::uint32_t position) {
    position = std::min(position, steps());
    while (m_position < position) forward();
    while (m_position > position) back();
}

std::optional<std::uint32_t> WarpStepper::find(std::span<const Breakpoint> breakpoints, Direction direction) const {
    std::optional<std::uint32_t> best;
    const auto nearer = [&](std::uint32_t i) {
        return !best || (direction == Direction::forward ? i < *best : i > *best);
    };
    for (const Breakpoint& breakpoint : breakpoints)
        for (std::uint32_t place = 0; place < m_stepsOfPlace.size(); ++place) {
            if (m_recording->places[place].line != breakpoint.line) continue;
            const auto& here = m_stepsOfPlace[place];
            const auto stops = [&](std::uint32_t i) { return m_recording->steps[i].lanes & breakpoint.lanes; };
            if (direction == Direction::forward) {
                auto it = std::upper_bound(here.begin(), here.end(), m_position);
                while (it != here.end() && !stops(*it)) ++it;
                if (it != here.end() && nearer(*it)) best = *it;
            } else {
                auto it = std::lower_bound(here.begin(), here.end(), m_position);
                while (it != here.begin() && !stops(*std::prev(it))) --it;
                if (it != here.begin() && nearer(*std::prev(it))) best = *std::prev(it);
            }
        }
    return best;
}

RecordedValues WarpStepper::value(std::uint32_t frame, std::uint32_t number) const {
    const RecordedFunction& function = m_recording->functions[m_recording->regions[frame].function];
    return valuesIn(m_state[frame], function.registers[number]);
}

std::vector<RegisterChange> WarpStepper::registerChanges() const {
    std::vector<RegisterChange> changes;
    const RecordedStep* now = step();
    if (!now) return changes;
    std::vector<std::uint32_t> after = m_state[now->frame];
    eachChange(m_at, now->after, [&](const RowChange& row) {
        if (row.region != now->frame) return;
        for (std::uint32_t i = 0; i < wordsPerRow; ++i) after[row.row * wordsPerRow + i] ^= row.flips[i];
    });
    const auto& registers = m_recording->functions[m_recording->regions[now->frame].function].registers;
    for (std::uint32_t number = 0; number < registers.size(); ++number) {
        const RecordedValues was = valuesIn(m_state[now->frame], registers[number]);
        const RecordedValues is = valuesIn(after, registers[number]);
        std::uint32_t lanes = 0;
        for (unsigned lane = 0; lane < 32; ++lane)
            lanes |= static_cast<std::uint32_t>(was.lanes[lane] != is.lanes[lane]) << lane;
        if (lanes) changes.push_back({number, lanes, was, is});
    }
    return changes;
}

std::vector<MemoryChange> WarpStepper::memoryChanges() const {
    std::vector<MemoryChange> changes;
    const RecordedStep* now = step();
    if (!now) return changes;
    eachChange(m_at, now->after, [&](const RowChange& row) {
        const RecordedRegion& region = m_recording->regions[row.region];
        if (region.space == RecordedSpace::registers) return;
        for (std::uint32_t i = 0; i < wordsPerRow; ++i) {
            if (!row.flips[i]) continue;
            const std::uint32_t word = row.row * wordsPerRow + i;
            MemoryChange change;
            change.space = region.space;
            change.address = region.address + std::uint64_t{4} * word;
            if (region.space == RecordedSpace::local) {
                change.lane = static_cast<std::uint32_t>(change.address / m_recording->localBytes);
                change.address %= m_recording->localBytes;
            }
            change.before = m_state[row.region][word];
            change.after = change.before ^ row.flips[i];
            changes.push_back(change);
        }
    });
    return changes;
}

std::vector<std::optional<std::uint8_t>> WarpStepper::memory(RecordedSpace space, std::uint64_t address,
                                                             std::uint32_t count, std::uint32_t lane) const {
    std::vector<std::optional<std::uint8_t>> bytes(count);
    if (address + count < address) return bytes;
    if (space == RecordedSpace::local) {
        if (address >= m_recording->localBytes || count > m_recording->localBytes - address) return bytes;
        address += std::uint64_t{lane} * m_recording->localBytes;
    }
    for (std::size_t r = 0; r < m_recording->regions.size(); ++r) {
        const RecordedRegion& region = m_recording->regions[r];
        if (region.space != space || region.firstStep > m_position) continue;
        const std::uint64_t first = std::max(address, region.address);
        const std::uint64_t last = std::min(address + count, region.address + region.bytes);
        for (std::uint64_t at = first; at < last; ++at) {
            const std::uint64_t offset = at - region.address;
            bytes[at - address] = static_cast<std::uint8_t>(m_state[r][offset / 4] >> (offset % 4 * 8));
        }
    }
    return bytes;
}

std::vector<const Finding*> WarpStepper::findings() const {
    std::vector<const Finding*> found;
    const auto range = std::ranges::equal_range(m_recording->stepFindings, m_position, {}, &RecordedFinding::step);
    for (const RecordedFinding& f : range) found.push_back(&m_recording->findings[f.finding]);
    return found;
}

} // namespace ptxwb::emulator

#include "models/access_grid.h"

#include "models/warp_replay.h"

#include <algorithm>
#include <array>
#include <map>

namespace ptxwb::ui {

namespace {

using emulator::RecordedSpace;
using emulator::StepAccess;

constexpr int mostRows = 64;
constexpr unsigned sectorWords = 8, banks = 32, wordBytes = 4;

/// Lanes by 4-byte word of memory.
std::map<std::uint64_t, std::uint32_t> wordsOf(const StepAccess& access) {
    std::map<std::uint64_t, std::uint32_t> words;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (!(access.lanes >> lane & 1)) continue;
        const std::uint64_t last = access.at[lane] + access.bytes - 1;
        for (std::uint64_t word = access.at[lane] / wordBytes; word <= last / wordBytes; ++word)
            words[word] |= 1U << lane;
    }
    return words;
}

void addSectors(AccessGrid& grid, const StepAccess& access, const WarpReplay& replay) {
    for (unsigned word = 0; word < sectorWords; ++word) grid.columns += QStringLiteral("+%1").arg(word * wordBytes);
    std::uint64_t shown = ~std::uint64_t{0};
    for (const auto& [word, lanes] : wordsOf(access)) {
        const std::uint64_t sector = word / sectorWords;
        if (sector != shown) {
            shown = sector;
            if (int(grid.rows.size()) >= mostRows) {
                ++grid.rowsLeftOut;
            } else {
                grid.rows.push_back(
                    {replay.addressText(sector * sectorWords * wordBytes), std::vector<QString>(sectorWords)});
            }
        }
        if (grid.rowsLeftOut == 0) grid.rows.back().cells[word % sectorWords] = laneList(lanes);
    }
}

void addBanks(AccessGrid& grid, const StepAccess& access) {
    std::array<std::size_t, banks> next{};
    for (unsigned bank = 0; bank < banks; ++bank) grid.columns += QString::number(bank);
    for (const auto& [word, lanes] : wordsOf(access)) {
        const std::size_t row = next[word % banks]++;
        if (row >= std::size_t(mostRows)) {
            grid.rowsLeftOut = std::max(grid.rowsLeftOut, int(row) + 1 - mostRows);
            continue;
        }
        if (row >= grid.rows.size())
            grid.rows.push_back({QStringLiteral("%1").arg(row + 1), std::vector<QString>(banks)});
        grid.rows[row].cells[word % banks] = laneList(lanes);
    }
}

} // namespace

QString laneList(std::uint32_t lanes) {
    QStringList parts;
    for (unsigned first = 0; first < 32; ++first) {
        if (!(lanes >> first & 1)) continue;
        unsigned last = first;
        while (last + 1 < 32 && lanes >> (last + 1) & 1) ++last;
        parts += first == last ? QString::number(first) : QStringLiteral("%1-%2").arg(first).arg(last);
        first = last;
    }
    return parts.join(QStringLiteral(", "));
}

std::vector<AccessGrid> accessGrids(const WarpReplay& replay) {
    std::vector<AccessGrid> grids;
    for (const StepAccess& access : replay.accesses()) {
        AccessGrid& grid = grids.emplace_back();
        grid.title = replay.accessLine(access);
        if (access.isConstant) continue;
        if (access.space == RecordedSpace::global) addSectors(grid, access, replay);
        if (access.space == RecordedSpace::shared) addBanks(grid, access);
    }
    return grids;
}

} // namespace ptxwb::ui

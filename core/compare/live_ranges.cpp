#include "compare/live_ranges.h"

#include <algorithm>

namespace ptxwb::compare {
namespace {

/// Registers are numbered anew by what is mentioned: a declared count may be in the billions.
class Numbering {
public:
    Numbering(std::span<const Mention> mentions, std::uint32_t registerCount) {
        // The ids themselves where they lie close together, as they nearly always do.
        m_dense = registerCount <= 16 * mentions.size() + 4096;
        if (m_dense) {
            m_size = registerCount;
            return;
        }
        m_known.reserve(mentions.size());
        for (const Mention& mention : mentions) m_known.push_back(mention.reg);
        std::ranges::sort(m_known);
        const auto rest = std::ranges::unique(m_known);
        m_known.erase(rest.begin(), rest.end());
        m_size = m_known.size();
    }
    std::uint32_t operator()(ptx::Index reg) const {
        if (m_dense) return reg;
        return static_cast<std::uint32_t>(std::ranges::lower_bound(m_known, reg) - m_known.begin());
    }
    std::size_t size() const { return m_size; }

private:
    std::vector<ptx::Index> m_known;
    std::size_t m_size = 0;
    bool m_dense = false;
};

struct RegisterState {
    bool crossesBlocks = false;
    std::uint32_t writtenIn = none; ///< last block that wrote it
    std::uint32_t lastWrite = none; ///< in the block at hand: index of the mention
    std::uint32_t crossing = none;  ///< the range that crosses blocks
    std::uint32_t current = none;
    std::uint32_t currentBlock = none;
};

} // namespace

void splitLiveRanges(Document& document, std::uint32_t functionIndex, std::span<const Mention> mentions) {
    const ptx::Function& function = document.module->functions[functionIndex];
    const Numbering number(mentions, function.registerCount);
    std::vector<RegisterState> states(number.size());
    for (const Mention& mention : mentions) {
        RegisterState& state = states[number(mention.reg)];
        if (mention.access == Access::write)
            state.writtenIn = mention.block;
        else if (state.writtenIn != mention.block)
            state.crossesBlocks = true;
    }
    const auto newRange = [&](ptx::Index reg) {
        const ptx::RegisterGroup& group = function.groupOf(reg);
        document.ranges.push_back({functionIndex, reg, group.type, group.vector});
        return static_cast<std::uint32_t>(document.ranges.size()) - 1;
    };
    for (std::size_t begin = 0; begin < mentions.size();) {
        std::size_t end = begin;
        for (; end < mentions.size() && mentions[end].block == mentions[begin].block; ++end)
            if (mentions[end].access == Access::write)
                states[number(mentions[end].reg)].lastWrite = static_cast<std::uint32_t>(end);
        for (std::size_t i = begin; i < end; ++i) {
            const Mention& mention = mentions[i];
            RegisterState& state = states[number(mention.reg)];
            // What crosses blocks is the value that a block finds and the value that it leaves behind.
            const bool entering = state.crossesBlocks && state.currentBlock != mention.block;
            const bool leaving = state.crossesBlocks && mention.access == Access::write && state.lastWrite == i;
            if (leaving || (entering && mention.access != Access::write)) {
                if (state.crossing == none) state.crossing = newRange(mention.reg);
                state.current = state.crossing;
            } else if (mention.access == Access::write || state.current == none) {
                state.current = newRange(mention.reg);
            }
            state.currentBlock = mention.block;
            document.tokens[mention.token].symbol = state.current;
        }
        begin = end;
    }
}

} // namespace ptxwb::compare

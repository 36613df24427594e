// Collects what the checkers see during a run: one finding a kind and place, of the first block in which it shows.
// Each host thread has its own; `run` merges them, so that which findings there are does not depend on their number.
#pragma once

#include "emulator/program.h"

#include <map>
#include <tuple>

namespace ptxwb::emulator {

/// Where in the code: function and micro-operation.
struct CodePlace {
    const DecodedFunction* function = nullptr;
    const MicroOp* op = nullptr;
};

class FindingCollector {
public:
    explicit FindingCollector(const Program& program) : m_program(&program) {}

    /// Adds an occurrence; the caller has filled everything but line and column. True where it is the first at its
    /// place.
    bool add(std::uint64_t block, CodePlace place, Finding finding, CodePlace other = {});
    /// Whether an occurrence at this place is known already: lets checkers skip making a message.
    bool known(FindingKind kind, CodePlace place, CodePlace other = {}, std::uint64_t block = ~std::uint64_t{0});
    void merge(const FindingCollector& other);
    /// In order of block, then of the place in the text; none of a block behind `lastBlock`.
    std::vector<Finding> take(std::uint64_t lastBlock, std::size_t limit) const;

    /// For the recording of a warp: every finding that is added or met again, whether new or not.
    void listen(bool on) { m_listens = on; }
    const std::vector<const Finding*>& heard() const { return m_heard; }
    void forgetHeard() { m_heard.clear(); }

private:
    using Key =
        std::tuple<FindingKind, std::uint32_t, std::uint32_t>; ///< kind, byte offset of the place, of the other place
    struct Entry {
        std::uint64_t block = 0;
        std::uint64_t order = 0;
        Finding finding;
    };
    Key keyOf(FindingKind kind, CodePlace place, CodePlace other) const;

    const Program* m_program;
    std::map<Key, Entry> m_entries;
    std::uint64_t m_order = 0;
    bool m_listens = false;
    std::vector<const Finding*> m_heard;
};

} // namespace ptxwb::emulator

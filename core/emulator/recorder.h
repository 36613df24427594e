// Records one warp while its grid runs: what each of its steps changes, found by comparing with a copy of what it had.
// Made and called by the observer; the run with a recording has one host thread.
#pragma once

#include "emulator/memory_access.h"
#include "emulator/recording_log.h"

#include <map>

namespace ptxwb::emulator {

class Recorder {
public:
    Recorder(const Program& program, const Launch& launch, const RecordRequest& request);

    /// Whether the step belongs to the warp, and there is still room.
    bool isOf(const Step& step) const {
        return step.warp.index == m_request.warp && step.block.linear == m_blockNumber && !m_full;
    }
    void begin(const Step& step, std::size_t running);
    void takeBack();
    void access(const Step& step, Window window, const Addresses& a, std::uint32_t mask, std::uint64_t base,
                std::uint32_t bytes);
    /// The step touches the frame's own area.
    void accessFrame() { m_touchedLocal = true; }
    void settle();
    /// What was recorded; nullptr where the warp never ran.
    std::shared_ptr<const Recording> take();

private:
    /// A region with the host's bytes and what they were at the last look.
    struct Source {
        const std::uint8_t* host = nullptr;
        std::vector<std::uint32_t> last; ///< rows of 32 words
    };

    std::uint32_t addRegion(RecordedRegion region, const std::uint8_t* host);
    void compareRow(std::uint32_t region, std::uint32_t row);
    void compareAll(std::uint32_t region);
    void comparePages();
    void start(const Step& step);
    void touchGlobal(const Step& step, std::uint64_t address, std::uint32_t bytes);
    std::uint32_t frameOf(const Frame& frame);
    void forgetFrames(const Warp& warp);
    std::uint32_t placeOf(const DecodedFunction& function, const MicroOp& op);
    std::uint32_t othersOf(const Step& step, std::size_t running);
    std::uint32_t barriersOf(const Block& block);
    void noteFindings();
    void finish();
    std::size_t size() const;

    const Program* m_program;
    RecordRequest m_request;
    std::uint64_t m_blockNumber = ~std::uint64_t{0};
    std::shared_ptr<Recording> m_recording;
    std::vector<Source> m_sources; ///< by region
    std::size_t m_heldBytes = 0;   ///< in m_sources
    std::uint32_t m_shared = ~0U, m_local = ~0U;
    std::map<const Frame*, std::uint32_t> m_frames; ///< those that live, to their regions
    std::map<std::uint64_t, std::uint32_t> m_pages; ///< of global memory, by address
    std::map<std::pair<const DecodedFunction*, std::uint32_t>, std::uint32_t> m_places; ///< by instruction
    std::map<std::vector<std::uint32_t>, std::uint32_t> m_splitLists, m_barrierLists;   ///< by their numbers
    std::map<const Finding*, std::uint32_t> m_findings;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_touched; ///< region and row, by the running step
    std::uint64_t m_expected = 0; ///< warp instructions of the run, if no other warp has run since
    const Warp* m_warp = nullptr;
    Engine* m_engine = nullptr;
    const Frame* m_frame = nullptr;
    std::size_t m_carried = 0; ///< bytes of the log that belong to the step which comes next
    bool m_started = false, m_open = false, m_touchedLocal = false, m_touchedShared = false, m_leaves = false;
    bool m_full = false;
};

} // namespace ptxwb::emulator

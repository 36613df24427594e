// Whether the emulator counts sectors and bank conflicts as the GPU does: one small kernel for each pattern of
// addresses, run under CUPTI's counters and on the emulator. Instructions differ (the GPU executes SASS, the emulator
// PTX) and are only printed. Ends with 1 where a count differs, with 77 where there is no GPU or its counters may not
// be read.
#include "kernel/layout.h"
#include "kernel/spec_load.h"
#include "verify/baseline.h"
#include "verify/context.h"
#include "verify/entry.h"
#include "verify/execute.h"
#include "verify/funnel.h"
#include "verify/gpu_holder.h"
#include "verify/gpu_profile.h"
#include "verify/oracle.h"

#include <algorithm>
#include <fmt/format.h>

using namespace ptxwb;

namespace {

struct Pattern {
    const char* name;
    const char* body; ///< %x is the input, %o the output, %t the thread, %s shared memory; what it loads goes to %w0
    bool stores;      ///< the pattern is a store; otherwise %w0 is stored in a row afterwards
};

// A load's registers are added up, so that none of it is dead.
const Pattern patterns[] = {
    {"ld.global in a row", "mad.wide.u32 %a, %t, 4, %x; ld.global.u32 %w0, [%a];", false},
    {"ld.global every second word", "mad.wide.u32 %a, %t, 8, %x; ld.global.u32 %w0, [%a];", false},
    {"ld.global off by one word", "mad.wide.u32 %a, %t, 4, %x; ld.global.u32 %w0, [%a+4];", false},
    {"ld.global one word", "ld.global.u32 %w0, [%x];", false},
    {"ld.global one word a sector", "mad.wide.u32 %a, %t, 32, %x; ld.global.u32 %w0, [%a];", false},
    {"ld.global one word a line", "mad.wide.u32 %a, %t, 128, %x; ld.global.u32 %w0, [%a];", false},
    {"ld.global.v2 in a row", "mad.wide.u32 %a, %t, 8, %x; ld.global.v2.u32 {%w0, %w1}, [%a]; add.u32 %w0, %w0, %w1;",
     false},
    {"ld.global.v2 one pair", "ld.global.v2.u32 {%w0, %w1}, [%x]; add.u32 %w0, %w0, %w1;", false},
    {"ld.global.v4 in a row",
     "mad.wide.u32 %a, %t, 16, %x; ld.global.v4.u32 {%w0, %w1, %w2, %w3}, [%a]; add.u32 %w0, %w0, %w1; add.u32 %w0, "
     "%w0, "
     "%w2; add.u32 %w0, %w0, %w3;",
     false},
    {"ld.global.v4 one four",
     "ld.global.v4.u32 {%w0, %w1, %w2, %w3}, [%x]; add.u32 %w0, %w0, %w1; add.u32 %w0, %w0, %w2; add.u32 %w0, %w0, "
     "%w3;",
     false},
    {"ld.global.v4 every second four",
     "mad.wide.u32 %a, %t, 32, %x; ld.global.v4.u32 {%w0, %w1, %w2, %w3}, [%a]; add.u32 %w0, %w0, %w1; add.u32 %w0, "
     "%w0, "
     "%w2; add.u32 %w0, %w0, %w3;",
     false},
    {"ld.global.u8 in a row", "cvt.u64.u32 %a, %t; add.u64 %a, %a, %x; ld.global.u8 %w0, [%a];", false},
    {"ld.global half the lanes",
     "mad.wide.u32 %a, %t, 4, %x; setp.lt.u32 %p, %t, 16; mov.u32 %w0, 0; @%p ld.global.u32 %w0, [%a];", false},
    {"st.global every second word", "mad.wide.u32 %a, %t, 8, %o; st.global.u32 [%a], %t;", true},
    {"st.global.v4 in a row", "mad.wide.u32 %a, %t, 16, %o; st.global.v4.u32 [%a], {%t, %t, %t, %t};", true},
    {"st.shared in a row", "mad.lo.u32 %b, %t, 4, %s; st.shared.u32 [%b], %t;", false},
    {"ld.shared in a row", "mad.lo.u32 %b, %t, 4, %s; ld.shared.u32 %w0, [%b];", false},
    {"ld.shared every second word", "mad.lo.u32 %b, %t, 8, %s; ld.shared.u32 %w0, [%b];", false},
    {"ld.shared one bank", "mad.lo.u32 %b, %t, 128, %s; ld.shared.u32 %w0, [%b];", false},
    {"ld.shared 33 words apart", "mad.lo.u32 %b, %t, 132, %s; ld.shared.u32 %w0, [%b];", false},
    {"ld.shared one word", "ld.shared.u32 %w0, [%s];", false},
    {"ld.shared two words of a bank", "and.b32 %b, %t, 1; mad.lo.u32 %b, %b, 128, %s; ld.shared.u32 %w0, [%b];", false},
    {"ld.shared.v2 in a row", "mad.lo.u32 %b, %t, 8, %s; ld.shared.v2.u32 {%w0, %w1}, [%b]; add.u32 %w0, %w0, %w1;",
     false},
    {"ld.shared.v2 every second pair",
     "mad.lo.u32 %b, %t, 16, %s; ld.shared.v2.u32 {%w0, %w1}, [%b]; add.u32 %w0, %w0, %w1;", false},
    {"ld.shared.v2 lanes n and n ^ 1 alike",
     "shr.u32 %b, %t, 1; mad.lo.u32 %b, %b, 8, %s; ld.shared.v2.u32 {%w0, %w1}, [%b]; add.u32 %w0, %w0, %w1;", false},
    {"ld.shared.v4 in a row",
     "mad.lo.u32 %b, %t, 16, %s; ld.shared.v4.u32 {%w0, %w1, %w2, %w3}, [%b]; add.u32 %w0, %w0, %w1; add.u32 %w0, %w0, "
     "%w2; add.u32 %w0, %w0, %w3;",
     false},
    {"ld.shared.v4 every second four",
     "mad.lo.u32 %b, %t, 32, %s; ld.shared.v4.u32 {%w0, %w1, %w2, %w3}, [%b]; add.u32 %w0, %w0, %w1; add.u32 %w0, %w0, "
     "%w2; add.u32 %w0, %w0, %w3;",
     false},
    {"ld.shared.v4 one four",
     "ld.shared.v4.u32 {%w0, %w1, %w2, %w3}, [%s]; add.u32 %w0, %w0, %w1; add.u32 %w0, %w0, %w2; add.u32 %w0, %w0, "
     "%w3;",
     false},
    {"ldmatrix.x4 rows in a row",
     "mad.lo.u32 %b, %t, 16, %s; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%w0, %w1, %w2, %w3}, [%b]; add.u32 %w0, "
     "%w0, "
     "%w1; add.u32 %w0, %w0, %w2; add.u32 %w0, %w0, %w3;",
     false},
    {"ldmatrix.x4 rows in one bank",
     "mad.lo.u32 %b, %t, 128, %s; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%w0, %w1, %w2, %w3}, [%b]; add.u32 %w0, "
     "%w0, "
     "%w1; add.u32 %w0, %w0, %w2; add.u32 %w0, %w0, %w3;",
     false},
};

/// Every kernel first fills 8 KiB of shared memory with a store that has no conflict, so that loads have something.
std::string textOf(const Pattern& pattern) {
    return fmt::format(R"(.version 8.0
.target sm_80
.address_size 64
.shared .align 16 .b8 tile[8192];
.visible .entry k(.param .u64 x, .param .u64 out)
{{
    .reg .b32 %t, %b, %s, %i, %w<4>;
    .reg .b64 %x, %o, %a;
    .reg .pred %p;
    ld.param.u64 %x, [x];
    ld.param.u64 %o, [out];
    cvta.to.global.u64 %x, %x;
    cvta.to.global.u64 %o, %o;
    mov.u32 %t, %tid.x;
    mov.u32 %s, tile;
    mov.u32 %w0, %t;
    mov.u32 %i, 0;
    mad.lo.u32 %b, %t, 4, %s;
$fill:
    st.shared.u32 [%b], %t;
    add.u32 %b, %b, 128;
    add.u32 %i, %i, 1;
    setp.lt.u32 %p, %i, 64;
    @%p bra $fill;
    bar.sync 0;
    {}
    {}
    ret;
}}
)",
                       pattern.body, pattern.stores ? "" : "mad.wide.u32 %a, %t, 4, %o; st.global.u32 [%a], %w0;");
}

constexpr const char* spec = R"({"schema": 1, "name": "pattern", "entry": "k", "baseline": {"ptx": "pattern.ptx"},
 "symbols": {"n": {"function": [8192], "benchmark": [8192]}},
 "launch": {"grid": [1, 1, 1], "block": [32, 1, 1]},
 "arguments": [{"name": "x", "type": "b32", "count": "n", "access": "in", "fill": "iota", "align": 256},
               {"name": "out", "type": "b32", "count": "n", "access": "out", "align": 256}]})";

struct Compared {
    const char* metric;
    std::uint64_t emulated;
};

/// Counts of the lines whose text has one of the opcodes. All of a pattern stands on one line with one access.
template <class F>
std::uint64_t sum(const emulator::Work& work, const std::string& text, std::initializer_list<const char*> opcodes,
                  F f) {
    std::uint64_t all = 0;
    for (const emulator::LineCounts& line : work.lines) {
        std::size_t from = 0;
        for (std::uint32_t i = 1; i < line.line; ++i) from = text.find('\n', from) + 1;
        const std::string source = text.substr(from, text.find('\n', from) - from);
        for (const char* opcode : opcodes)
            if (source.find(opcode) != std::string::npos) all += f(line.counts);
    }
    return all;
}

std::vector<Compared> comparedOf(const emulator::Work& work, const std::string& text) {
    using Counts = emulator::WorkCounts;
    const auto sectors = [](const Counts& c) { return c.globalSectors; };
    const auto requests = [](const Counts& c) { return c.globalRequests; };
    const auto wavefronts = [](const Counts& c) { return c.sharedWavefronts; };
    const auto conflicts = [](const Counts& c) { return c.sharedWavefronts - c.sharedIdealWavefronts; };
    return {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", sum(work, text, {"ld.global"}, requests)},
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", sum(work, text, {"ld.global"}, sectors)},
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", sum(work, text, {"st.global"}, sectors)},
            {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
             sum(work, text, {"ld.shared", "ldmatrix"}, wavefronts)},
            {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", sum(work, text, {"st.shared"}, wavefronts)},
            {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
             sum(work, text, {"ld.shared", "ldmatrix", "st.shared"}, conflicts)}};
}

/// True where all agree; prints a line for each count.
Expected<bool> compare(const Pattern& pattern, const verify::Machine& machine, verify::OracleCache& cache) {
    const std::string text = textOf(pattern);
    auto loaded = kernel::orFirstError(kernel::loadSpec(spec, "pattern.kernel.json", {{"pattern.ptx", text}}));
    if (!loaded) return std::unexpected(std::move(loaded.error()));
    verify::PtxKernel ptx = verify::loadPtx(loaded->spec, "pattern", "pattern.ptx", text);
    const auto entry = verify::findEntry(*ptx.module, "k");
    if (!entry) return std::unexpected(entry.error());
    ptx.entry = *entry;
    if (auto decoded = verify::decodeEntry(ptx); !decoded) return std::unexpected(std::move(decoded.error()));
    const auto data = kernel::buildLaunch(*loaded, {{"n", 8192}});
    if (!data) return std::unexpected(data.error());
    const auto work = verify::countWork(ptx, *data, 1 << 24, {});
    if (!work) return std::unexpected(work.error());
    if (!*work) return failure(Cause::internal, "the pattern does not complete on the emulator");

    const std::vector<Compared> compared = comparedOf(**work, text);
    std::vector<std::string> metrics = {"smsp__inst_executed.sum", "smsp__thread_inst_executed.sum"};
    for (const Compared& c : compared) metrics.emplace_back(c.metric);
    const auto report = verify::profileKernels({std::move(*loaded), std::nullopt, {}}, metrics, machine, cache, {});
    if (!report) return std::unexpected(report.error());
    bool same = true;
    fmt::print("{}\n", pattern.name);
    for (const auto& [metric, value] : report->kernels.front().metrics) {
        const auto it =
            std::find_if(compared.begin(), compared.end(), [&](const Compared& c) { return metric == c.metric; });
        if (it == compared.end()) {
            fmt::print("    {:<58} {:>8.0f}\n", metric, value);
            continue;
        }
        const bool agrees = value == static_cast<double>(it->emulated);
        if (value != 0 || it->emulated != 0)
            fmt::print("{} {:<58} {:>8.0f}, emulator {:>8}\n", agrees ? "   " : "!!!", metric, value, it->emulated);
        same &= agrees;
    }
    for (const std::string& unknown : report->unknown) fmt::print("    {} is not known to this chip\n", unknown);
    return same;
}

} // namespace

int main() {
    verify::Machine machine;
    auto tools = toolchain::discover({}, {});
    if (tools) machine.tools = std::move(*tools);
    machine.gpu = std::make_shared<verify::GpuHolder>();
    const auto cache = verify::makeOracleCache();
    std::size_t different = 0;
    for (const Pattern& pattern : patterns) {
        const auto same = compare(pattern, machine, *cache);
        if (!same) {
            fmt::print("{}: {}\n", pattern.name, format(same.error()));
            return same.error().cause == Cause::missing ? 77 : 1;
        }
        different += !*same;
    }
    fmt::print("{} of {} patterns differ\n", different, std::size(patterns));
    return different ? 1 : 0;
}

// Recordings of small kernels, as a worker would send them. For the tests and the bench of the warp stepper.
#pragma once

#include "../../emulator/kernel_run.h"
#include "models/warp_replay.h"

namespace ptxwb::test {

/// Two warps; the second stores what the first reads behind a barrier, after a branch and `rounds` rounds of a loop.
inline std::string barrierKernel(int rounds) {
    return R"(.version 8.0
.target sm_80
.address_size 64
.shared .align 4 .b32 s[64];
.visible .entry k(.param .u64 out)
{
    .reg .b32 %t, %a, %n;
    .reg .f32 %v;
    .reg .b64 %o, %g;
    .reg .pred %p, %q;
    ld.param.u64 %o, [out];
    mov.u32 %t, %tid.x;
    shl.b32 %a, %t, 2;
    st.shared.u32 [%a], %t;
    bar.sync 0;
    sub.u32 %a, 252, %a;
    ld.shared.f32 %v, [%a];
    cvt.rn.f32.u32 %v, %t;
    setp.lt.u32 %p, %t, 8;
    @%p bra $small;
    add.f32 %v, %v, 0f42C80000;
    bra.uni $join;
$small:
    add.f32 %v, %v, 0f43480000;
$join:
    mov.u32 %n, 0;
$loop:
    add.f32 %v, %v, 0f3F800000;
    add.u32 %n, %n, 1;
    setp.lt.u32 %q, %n, )" +
           std::to_string(rounds) +
           R"(;
    @%q bra $loop;
    mad.wide.u32 %g, %t, 4, %o;
    st.global.f32 [%g], %v;
    ret;
}
)";
}

inline ui::RecordedWarp recordWarp(const std::string& text, std::uint32_t warp = 0,
                                   std::size_t byteLimit = emulator::RecordRequest{}.byteLimit,
                                   std::size_t outWords = 64) {
    emulator::KernelRun run;
    run.text = text;
    run.entry = "k";
    run.block = {64, 1, 1};
    run.outWords = outWords;
    run.align = 128; // as a GPU allocates
    run.options.record = emulator::RecordRequest{{}, warp, byteLimit};
    const auto answer = emulator::runKernel(run);
    if (!answer.error.empty()) qFatal("%s", answer.error.c_str());
    auto prepared = ui::prepareWarp(ptx::parse(text, "test.ptx"), answer.result.recording);
    if (!prepared) qFatal("%s", prepared.error().message.c_str());
    return std::move(*prepared);
}

/// The line of the text that holds `part`, from 1.
inline int lineOf(const std::string& text, std::string_view part) {
    return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(text.find(part)), '\n')) + 1;
}

} // namespace ptxwb::test

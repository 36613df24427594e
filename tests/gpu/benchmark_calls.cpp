// How often the benchmark calls a difference that is there, and one that is not. Needs a GPU and ptxas; prints a table.
//   A/A: a kernel against itself, 20 times: "same" in at least 19, the ratio within 0.5 %.
//   A/B: against itself with 1 % and with 3 % more work: "slower" for 3 % in at least 18, never "faster" for 1 %.
// Ends with 1 where that does not hold, with 77 where there is no GPU.
#include "gpu/benchmark.h"
#include "support/files.h"
#include "toolchain/discover.h"
#include "toolchain/ptxas.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>

using namespace ptxwb;

namespace {

constexpr int notHere = 77, repeats = 20;

/// y[i] = x[i] after `steps` dependent multiply-adds, 4 of them a turn of the loop.
std::string kernelWith(int steps) {
    return fmt::format(R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry work(.param .u32 n, .param .u64 x, .param .u64 y)
{{
	.reg .pred %p<3>;
	.reg .f32 %f<3>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<8>;
	ld.param.u32 %r1, [n];
	ld.param.u64 %rd1, [x];
	ld.param.u64 %rd2, [y];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.x;
	mad.lo.s32 %r5, %r2, %r3, %r4;
	setp.ge.s32 %p1, %r5, %r1;
	@%p1 bra $end;
	mul.wide.s32 %rd3, %r5, 4;
	add.s64 %rd4, %rd1, %rd3;
	add.s64 %rd5, %rd2, %rd3;
	ld.global.f32 %f1, [%rd4];
	mov.u32 %r6, {};
$loop:
	fma.rn.f32 %f1, %f1, 0f3F7FFFFF, 0f33800000;
	fma.rn.f32 %f1, %f1, 0f3F7FFFFF, 0f33800000;
	fma.rn.f32 %f1, %f1, 0f3F7FFFFF, 0f33800000;
	fma.rn.f32 %f1, %f1, 0f3F7FFFFF, 0f33800000;
	add.s32 %r6, %r6, -1;
	setp.ne.s32 %p2, %r6, 0;
	@%p2 bra $loop;
	st.global.f32 [%rd5], %f1;
$end:
	ret;
}}
)",
                       steps / 4);
}

struct Setup {
    std::unique_ptr<gpu::Gpu> gpu;
    toolchain::Toolkit toolkit;
};

std::unique_ptr<gpu::Kernel> load(const Setup& setup, int steps) {
    toolchain::PtxasRequest request;
    request.text = kernelWith(steps);
    request.file = "work.ptx";
    request.arch = setup.gpu->device().arch();
    request.flags = {"-O3"};
    const auto assembled = toolchain::assemble(request, setup.toolkit);
    if (!assembled || !assembled->ok) {
        std::fprintf(stderr, "ptxas: %s\n", assembled ? assembled->log.c_str() : assembled.error().message.c_str());
        std::exit(2);
    }
    auto loaded = setup.gpu->load(assembled->cubin, "work");
    if (!loaded) {
        std::fprintf(stderr, "%s\n", loaded.error().message.c_str());
        std::exit(2);
    }
    return std::move(*loaded);
}

struct Tally {
    int faster = 0, slower = 0, same = 0, unclear = 0;
    double lowest = 10, highest = 0;
};

Tally compare(const Setup& setup, const gpu::Kernel& baseline, const gpu::Kernel& candidate, double budget) {
    constexpr std::uint32_t n = 1 << 22;
    std::vector<std::uint8_t> x(n * 4), y(n * 4);
    for (std::uint32_t i = 0; i < n; ++i) {
        const float value = 1.0F + static_cast<float>(i % 1000) * 1e-3F;
        std::copy_n(reinterpret_cast<const std::uint8_t*>(&value), 4, x.begin() + i * 4);
    }
    gpu::LaunchRequest shape;
    shape.grid = {n / 256, 1, 1};
    shape.block = {256, 1, 1};
    shape.parameters.assign(24, 0);
    std::copy_n(reinterpret_cast<const std::uint8_t*>(&n), 4, shape.parameters.begin());
    shape.offsets = {0, 8, 16};
    shape.patches = {{8, 0}, {16, 1}};
    const std::vector<gpu::BenchBuffer> buffers{{x, gpu::Role::input, 4, true}, {y, gpu::Role::output, 4, false}};
    Tally tally;
    for (int i = 0; i < repeats; ++i) {
        gpu::BenchOptions options;
        options.budgetSeconds = budget;
        options.seed = static_cast<std::uint64_t>(i) + 1;
        const auto result = gpu::benchmark(*setup.gpu, {&baseline, shape}, {&candidate, shape}, buffers,
                                           [](std::size_t, auto, auto) { return std::string(); }, options, {});
        if (!result || !result->problem.empty() || result->rounds == 0) {
            std::fprintf(stderr, "%s\n", result ? result->problem.c_str() : result.error().message.c_str());
            std::exit(2);
        }
        const gpu::Ratio ratio = gpu::pairedRatio(result->baseline.cold, result->candidate.cold, options.seed);
        tally.lowest = std::min(tally.lowest, ratio.value);
        tally.highest = std::max(tally.highest, ratio.value);
        switch (gpu::callOf(ratio)) {
        case gpu::Call::faster: ++tally.faster; break;
        case gpu::Call::slower: ++tally.slower; break;
        case gpu::Call::same: ++tally.same; break;
        case gpu::Call::unclear: ++tally.unclear; break;
        }
    }
    return tally;
}

bool report(const char* what, const Tally& t, bool good) {
    std::printf("%-28s same %2d  slower %2d  faster %2d  unclear %2d   ratio %.4f to %.4f   %s\n", what, t.same,
                t.slower, t.faster, t.unclear, t.lowest, t.highest, good ? "ok" : "NOT AS IT SHOULD BE");
    return good;
}

} // namespace

int main(int count, char** arguments) {
    const double budget = count > 1 ? std::atof(arguments[1]) : 1.0;
    const auto tools = toolchain::discover();
    Setup setup;
    std::filesystem::path cupti;
    for (const auto& toolkit : tools->toolkits) {
        if (toolkit.ptxas && !setup.toolkit.ptxas) setup.toolkit = toolkit;
        if (toolkit.cupti && cupti.empty()) cupti = *toolkit.cupti;
    }
    auto opened = gpu::Gpu::open({0, cupti});
    if (!opened || !setup.toolkit.ptxas) {
        std::printf("skipped: %s\n", opened ? "no ptxas" : opened.error().message.c_str());
        return notHere;
    }
    setup.gpu = std::move(*opened);
    std::printf("%s, driver %s, %s\n", setup.gpu->device().name.c_str(), gpu::driverRelease().c_str(),
                setup.gpu->timingNote().empty() ? "CUPTI" : setup.gpu->timingNote().c_str());
    bool good = true;
    for (const int steps : {400, 4000}) {
        const auto base = load(setup, steps), alike = load(setup, steps), one = load(setup, steps * 101 / 100),
                   three = load(setup, steps * 103 / 100);
        std::printf("%d multiply-adds a thread\n", steps);
        const Tally aa = compare(setup, *base, *alike, budget), ab1 = compare(setup, *base, *one, budget),
                    ab3 = compare(setup, *base, *three, budget);
        good &= report("  against itself", aa, aa.same >= 19 && aa.lowest > 0.995 && aa.highest < 1.005);
        good &= report("  against 1 % more work", ab1, ab1.faster == 0);
        good &= report("  against 3 % more work", ab3, ab3.slower >= 18);
    }
    return good ? 0 : 1;
}

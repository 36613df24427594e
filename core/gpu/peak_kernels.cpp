#include "gpu/peak_kernels.h"

#include <fmt/format.h>

namespace ptxwb::gpu {

namespace {

/// Enough independent chains that latency is hidden at eight warps a scheduler.
constexpr unsigned chains = 8;

/// "%a0, %a1, %a2" of `count` registers from `first` on.
std::string registers(char letter, unsigned first, unsigned count) {
    std::string list;
    for (unsigned i = 0; i < count; ++i) list += fmt::format("{}%{}{}", i ? ", " : "", letter, first + i);
    return list;
}

struct Shape {
    std::string version = "6.4", target = "sm_75";
    std::string accumulatorType = "b32"; ///< of the registers %a
    unsigned accumulators = chains;
    std::string shared; ///< declarations
    std::string before; ///< once, ahead of the loop
    std::string body;   ///< of the loop
};

std::string frame(const Shape& shape) {
    const bool isWide = shape.accumulatorType.ends_with("64");
    std::string text =
        fmt::format(".version {}\n.target {}\n.address_size 64\n"
                    ".visible .entry peak(.param .u32 loops, .param .u64 out)\n{{\n"
                    "\t.reg .pred %p<4>;\n\t.reg .b32 %r<8>;\n\t.reg .b64 %d<8>;\n"
                    "\t.reg .b32 %x<8>;\n\t.reg .b64 %w<8>;\n\t.reg .{} %a<{}>;\n{}",
                    shape.version, shape.target, shape.accumulatorType, shape.accumulators, shape.shared);
    text += "\tld.param.u32 %r1, [loops];\n\tmov.u32 %r2, %tid.x;\n\tcvt.u64.u32 %d1, %r2;\n";
    for (unsigned i = 0; i < 8; ++i) text += fmt::format("\tmov.b32 %x{0}, %r2;\n\tmov.b64 %w{0}, %d1;\n", i);
    // Each its own, else the chains would be seen to be one.
    for (unsigned i = 0; i < shape.accumulators; ++i)
        text += fmt::format("\tadd.u{0} %a{1}, {2}, {1};\n", isWide ? 64 : 32, i, isWide ? "%d1" : "%r2");
    text += shape.before + "again:\n" + shape.body;
    text += "\tsub.u32 %r1, %r1, 1;\n\tsetp.ne.u32 %p1, %r1, 0;\n\t@%p1 bra again;\n\tmov.u32 %r3, 0;\n";
    for (unsigned i = 0; i < shape.accumulators; ++i)
        text += isWide ? fmt::format("\tcvt.u32.u64 %r4, %a{};\n\txor.b32 %r3, %r3, %r4;\n", i)
                       : fmt::format("\txor.b32 %r3, %r3, %a{};\n", i);
    // A store that hardly ever happens: without one the arithmetic would be left out.
    text += "\tsetp.ne.u32 %p2, %r3, 0x7fedcba9;\n\t@%p2 bra done;\n\tld.param.u64 %d2, [out];\n"
            "\tst.global.u32 [%d2], %r3;\ndone:\n\tret;\n}\n";
    return text;
}

/// `instruction` has one {} for the accumulator, which it reads and writes.
PeakKernel scalar(std::string rate, std::string_view instruction, double operations, std::string type = "b32") {
    constexpr unsigned repeats = 8;
    Shape shape;
    shape.accumulatorType = std::move(type);
    for (unsigned r = 0; r < repeats; ++r)
        for (unsigned i = 0; i < chains; ++i) shape.body += fmt::format(fmt::runtime(instruction), fmt::arg("a", i));
    return {std::move(rate), frame(shape), operations * chains * repeats, 256};
}

struct MmaForm {
    const char* rate;
    const char* version;
    const char* target;
    const char* name;          ///< behind "mma.sync.aligned."
    unsigned m, n, k, a, b, c; ///< shape; registers of each operand in a lane
    bool isDouble = false;
};

PeakKernel mma(const MmaForm& form) {
    Shape shape;
    shape.version = form.version;
    shape.target = form.target;
    shape.accumulatorType = form.isDouble ? "b64" : "b32";
    shape.accumulators = chains * form.c;
    const char letter = form.isDouble ? 'w' : 'x';
    for (unsigned i = 0; i < chains; ++i) {
        const std::string own = registers('a', i * form.c, form.c);
        shape.body += fmt::format("\tmma.sync.aligned.{} {{{}}}, {{{}}}, {{{}}}, {{{}}};\n", form.name, own,
                                  registers(letter, 0, form.a), registers(letter, form.a, form.b), own);
    }
    return {form.rate, frame(shape), 2.0 * form.m * form.n * form.k * chains / 32, 256};
}

struct WgmmaForm {
    const char* rate;
    const char* name; ///< behind "wgmma.mma_async.sync.aligned.m64n256"
    unsigned k;
    const char* immediates; ///< behind the predicate
};

PeakKernel wgmma(const WgmmaForm& form) {
    constexpr unsigned m = 64, n = 256, accumulators = 128, repeats = 4, warpgroup = 128;
    Shape shape;
    shape.version = "8.0";
    shape.target = "sm_90a";
    shape.accumulators = accumulators;
    shape.shared = "\t.shared .align 1024 .b8 tiles[16384];\n";
    // Descriptors of both operands: the address in units of 16 bytes, no swizzle; any offsets inside of `tiles` will
    // do.
    shape.before = "\tmov.u32 %r5, tiles;\n\tshr.u32 %r5, %r5, 4;\n\tcvt.u64.u32 %w0, %r5;\n"
                   "\tor.b64 %w0, %w0, 0x0000000800080000;\n\tsetp.ne.u32 %p3, %r1, 0;\n";
    shape.body = "\twgmma.fence.sync.aligned;\n";
    for (unsigned i = 0; i < repeats; ++i)
        shape.body += fmt::format("\twgmma.mma_async.sync.aligned.m64n256{} {{{}}}, %w0, %w0, %p3{};\n", form.name,
                                  registers('a', 0, accumulators), form.immediates);
    shape.body += "\twgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;\n";
    return {form.rate, frame(shape), 2.0 * m * n * form.k * repeats / warpgroup, warpgroup};
}

} // namespace

std::vector<PeakKernel> peakKernels(int major, int minor) {
    const int capability = 10 * major + minor;
    std::vector<PeakKernel> kernels{
        scalar("f32", "\tfma.rn.f32 %a{a}, %a{a}, %x1, %x2;\n", 2),
        scalar("f64", "\tfma.rn.f64 %a{a}, %a{a}, %w1, %w2;\n", 2, "b64"),
        scalar("f16x2", "\tfma.rn.f16x2 %a{a}, %a{a}, %x1, %x2;\n", 4),
        scalar("s32", "\tmad.lo.s32 %a{a}, %a{a}, %x1, %x2;\n", 2),
        scalar("dp4a", "\tdp4a.s32.s32 %a{a}, %x1, %x2, %a{a};\n", 8),
    };
    if (capability < 80) {
        kernels.push_back(mma({"mma.f16", "6.5", "sm_75", "m16n8k8.row.col.f16.f16.f16.f16", 16, 8, 8, 2, 1, 2}));
        kernels.push_back(mma({"mma.s8", "6.5", "sm_75", "m8n8k16.row.col.s32.s8.s8.s32", 8, 8, 16, 1, 1, 2}));
        return kernels;
    }
    kernels.push_back(mma({"mma.f16", "7.0", "sm_80", "m16n8k16.row.col.f16.f16.f16.f16", 16, 8, 16, 4, 2, 2}));
    kernels.push_back(mma({"mma.tf32", "7.0", "sm_80", "m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, 4, 2, 4}));
    kernels.push_back(mma({"mma.s8", "7.0", "sm_80", "m16n8k32.row.col.s32.s8.s8.s32", 16, 8, 32, 4, 2, 4}));
    kernels.push_back(mma({"mma.f64", "7.0", "sm_80", "m8n8k4.row.col.f64.f64.f64.f64", 8, 8, 4, 1, 1, 2, true}));
    if (capability >= 89)
        kernels.push_back(mma({"mma.f8", "8.4", "sm_89", "m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 8, 32, 4, 2, 4}));
    if (capability == 90)
        for (const WgmmaForm& form :
             {WgmmaForm{"wgmma.f16", "k16.f32.f16.f16", 16, ", 1, 1, 0, 0"},
              WgmmaForm{"wgmma.tf32", "k8.f32.tf32.tf32", 8, ", 1, 1"}, WgmmaForm{"wgmma.s8", "k32.s32.s8.s8", 32, ""},
              WgmmaForm{"wgmma.f8", "k32.f32.e4m3.e4m3", 32, ", 1, 1"}})
            kernels.push_back(wgmma(form));
    return kernels;
}

std::string bandwidthPtx() {
    std::string text = R"(.version 6.4
.target sm_75
.address_size 64
.visible .entry peak(.param .u64 data)
{
	.reg .pred %p<2>;
	.reg .b32 %r<40>;
	.reg .b64 %d<8>;
	ld.param.u64 %d1, [data];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %tid.x;
	mul.wide.u32 %d2, %r1, 32768;
	mul.wide.u32 %d3, %r2, 16;
	add.u64 %d1, %d1, %d2;
	add.u64 %d1, %d1, %d3;
)";
    constexpr unsigned loads = bandwidthBytesPerThread / 16;
    static_assert(bandwidthBlock * bandwidthBytesPerThread == 32768);
    for (unsigned i = 0; i < loads; ++i)
        text += fmt::format("\tld.global.v4.u32 {{{}}}, [%d1+{}];\n", registers('r', 4 + 4 * i, 4),
                            i * 16 * bandwidthBlock);
    for (unsigned i = 1; i < 4 * loads; ++i) text += fmt::format("\txor.b32 %r4, %r4, %r{};\n", 4 + i);
    return text +
           "\tsetp.ne.u32 %p1, %r4, 0x7fedcba9;\n\t@%p1 bra done;\n\tst.global.u32 [%d1], %r4;\ndone:\n\tret;\n}\n";
}

} // namespace ptxwb::gpu

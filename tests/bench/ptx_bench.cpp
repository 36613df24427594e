// How fast PTX is parsed, checked, analysed and completed, over generated files of 1,000 to 100,000 lines, and how long
// ptxas takes to parse the same file. Prints; judges nothing.
#include "ptx/analysis/liveness.h"
#include "ptx/analysis/outline.h"
#include "ptx/analysis/reaching.h"
#include "ptx/analysis/uniformity.h"
#include "ptx/check.h"
#include "ptx/completion.h"
#include "ptx/parse.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace ptxwb;

namespace {

/// What nvcc's code looks like: address arithmetic, loads, float arithmetic, comparisons, branches, in kernels of
/// about 500 lines.
std::string generate(std::size_t lines) {
    std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n\n";
    std::size_t written = 4;
    for (unsigned kernel = 0; written < lines; ++kernel) {
        const std::string name = "_Z6kernel" + std::to_string(kernel) + "PKfPfi";
        text += ".visible .entry " + name + "(\n\t.param .u64 " + name + "_param_0,\n\t.param .u64 " + name +
                "_param_1,\n\t.param .u32 " + name + "_param_2\n)\n{\n";
        text += "\t.reg .pred \t%p<100>;\n\t.reg .b32 \t%r<300>;\n\t.reg .f32 \t%f<300>;\n\t.reg .b64 \t%rd<300>;\n\n";
        text += "\tld.param.u64 \t%rd1, [" + name + "_param_0];\n\tld.param.u64 \t%rd2, [" + name +
                "_param_1];\n\tld.param.u32 \t%r1, [" + name + "_param_2];\n";
        text += "\tmov.u32 \t%r2, %ctaid.x;\n\tmov.u32 \t%r3, %ntid.x;\n\tmov.u32 \t%r4, %tid.x;\n\tmad.lo.s32 \t%r5, "
                "%r2, %r3, %r4;\n\tmov.f32 \t%f1, 0f00000000;\n";
        written += 18;
        for (unsigned i = 0; i < 45; ++i) {
            const auto n = [&](unsigned at) { return std::to_string(6 + i * 4 + at); };
            const std::string label = "$L__BB" + std::to_string(kernel) + "_" + std::to_string(i);
            text += "\tsetp.ge.s32 \t%p" + std::to_string(i + 1) + ", %r5, %r1;\n\t@%p" + std::to_string(i + 1) +
                    " bra \t" + label + ";\n";
            text += "\tmul.wide.s32 \t%rd" + n(0) + ", %r5, 4;\n\tadd.s64 \t%rd" + n(1) + ", %rd1, %rd" + n(0) + ";\n";
            text += "\tld.global.nc.f32 \t%f" + n(0) + ", [%rd" + n(1) + "+" + std::to_string(i * 4) + "];\n";
            text += "\tfma.rn.f32 \t%f" + n(1) + ", %f" + n(0) + ", 0f3FB8AA3B, %f1;\n\tadd.f32 \t%f1, %f1, %f" + n(1) +
                    ";\n";
            text += "\tshl.b32 \t%r" + n(0) + ", %r5, 2;\n\tand.b32 \t%r" + n(1) + ", %r" + n(0) + ", 31;\n" + label +
                    ":\n";
            written += 10;
        }
        text += "\tst.global.f32 \t[%rd2], %f1;\n\tret;\n}\n\n";
        written += 4;
    }
    return text;
}

/// Processor time, so that a busy machine does not show.
template <class Work>
double bestMilliseconds(Work work) {
    std::vector<double> all;
    for (int i = 0; i < 7; ++i) {
        const std::clock_t start = std::clock();
        work();
        all.push_back(static_cast<double>(std::clock() - start) * 1e3 / CLOCKS_PER_SEC);
    }
    return *std::min_element(all.begin(), all.end());
}

/// Wall time of `ptxas -arch=compute_90`, which only parses; negative where there is none.
double ptxasMilliseconds(const std::string& text) {
    const auto file = std::filesystem::temp_directory_path() / "ptxwb_bench.ptx";
    std::ofstream(file, std::ios::binary) << text;
    const std::string command = "ptxas -arch=compute_90 " + file.string() + " -o /dev/null > /dev/null 2>&1";
    const auto start = std::chrono::steady_clock::now();
    const bool good = std::system(command.c_str()) == 0;
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    std::filesystem::remove(file);
    return good ? took.count() : -1;
}

double analyseMilliseconds(const ptx::Module& module) {
    return bestMilliseconds([&] {
        for (const ptx::Function& function : module.functions) {
            const ptx::ControlFlow flow = ptx::controlFlow(module, function);
            ptx::registerPressure(function, flow, ptx::liveness(function, flow));
            ptx::webs(function, flow);
            ptx::uniformity(module, function, flow);
        }
        ptx::outline(module);
    });
}

/// The slowest of some carets.
double completeMilliseconds(const ptx::Module& module) {
    double slowest = 0;
    for (std::uint32_t i = 1; i < 10; ++i) {
        const auto caret = static_cast<std::uint32_t>(module.text->size() / 10 * i);
        slowest = std::max(slowest, bestMilliseconds([&] { return ptx::complete(module, caret); }));
    }
    return slowest;
}

} // namespace

int main() {
    for (const std::size_t lines : {std::size_t{1'000}, std::size_t{10'000}, std::size_t{100'000}}) {
        const std::string text = generate(lines);
        const double megabytes = static_cast<double>(text.size()) / 1e6;
        const auto module = ptx::parse(text, "bench.ptx");
        std::size_t errors = 0;
        for (const Diagnostic& diagnostic : ptx::check(*module)) errors += diagnostic.severity == Severity::error;
        const double parse = bestMilliseconds([&] { return ptx::parse(text, "bench.ptx"); });
        const double check = bestMilliseconds([&] { return ptx::check(*module); });
        std::printf(
            "%7zu lines, %5.1f MB, %zu errors: parse %7.2f ms (%6.1f MB/s), check %7.2f ms, together %7.2f ms\n", lines,
            megabytes, errors, parse, megabytes / parse * 1e3, check, parse + check);
        std::printf("%13s analyses %7.2f ms, completion %6.3f ms, ptxas parses it in %7.0f ms (wall)\n", "",
                    analyseMilliseconds(*module), completeMilliseconds(*module), ptxasMilliseconds(text));
    }
}

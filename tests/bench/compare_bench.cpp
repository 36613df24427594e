// How long the comparison of two 10,000-line files takes: renamed, lightly edited, heavily edited, unlike.
// Run by hand; the target is 100 ms. On a busy machine the processor's time is the figure to look at.
#include "../compare/random_kernel.h"
#include "compare/compare.h"
#include "ptx/parse.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>

using namespace ptxwb;
using namespace ptxwb::compare::test;

namespace {

void measure(const char* what, const std::string& left, const std::string& right) {
    const auto a = ptx::parse(left, "left.ptx"), b = ptx::parse(right, "right.ptx");
    std::vector<double> times, processor;
    compare::Comparison result;
    for (int i = 0; i < 7; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t clock = std::clock();
        result = compare::compare(*a, *b);
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        processor.push_back(1000.0 * double(std::clock() - clock) / CLOCKS_PER_SEC);
    }
    std::ranges::sort(times);
    std::ranges::sort(processor);
    std::printf("%-34s %6zu lines  median %6.1f ms, best %6.1f, processor %6.1f  %6u changes, %6u renamed%s\n", what,
                a->lineStarts.size(), times[times.size() / 2], times.front(), processor[processor.size() / 2],
                result.counts.changes(), result.counts.of(compare::RowClass::renamed),
                result.approximate ? ", approximate" : "");
}

std::string edited(std::string text, int edits, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::string> lines = splitLines(text);
    for (int i = 0; i < edits; ++i) {
        const std::uint32_t from = 20 + random.below(lines.size() - 30);
        if (random.below(2))
            lines.erase(lines.begin() + from);
        else
            lines.insert(lines.begin() + from, "\tadd.s32 \t%r1, %r2, " + std::to_string(random.below(1000)) + ";");
    }
    return joinLines(lines);
}

} // namespace

int main() {
    const std::string once = KernelWriter(1, Reuse::never).write(10'000);
    const std::string often = KernelWriter(2, Reuse::often).write(10'000);
    Random random(3);
    const std::string renamed = renamePermuted(once, random);
    measure("the same text", once, once);
    measure("renamed", once, renamed);
    measure("registers reused, renamed", often, renamePermuted(often, random));
    measure("renamed, 10 edits", once, edited(renamed, 10, 4));
    measure("renamed, 300 edits", once, edited(renamed, 300, 5));
    measure("renamed, 3,000 edits", once, edited(renamed, 3000, 6));
    measure("registers reused, 300 edits", often, edited(renamePermuted(often, random), 300, 7));
    measure("nothing in common", once, KernelWriter(99, Reuse::never).write(10'000));
    std::string alike = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\t.reg .f32 %f<4>;\n";
    for (int i = 0; i < 10'000; ++i) alike += "\tfma.rn.f32 %f1, %f2, %f3, %f1;\n";
    alike += "\tret;\n}\n";
    measure("10,000 equal lines, 10 edits", alike, edited(alike, 10, 8));
    std::puts("growth: renamed, with an edit in 100 lines");
    for (const std::size_t count : {1'000, 10'000, 100'000}) {
        const std::string text = KernelWriter(11, Reuse::never).write(count);
        measure("  the same kernel", text, edited(renamePermuted(text, random), static_cast<int>(count / 100), 12));
    }
    return 0;
}

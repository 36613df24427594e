#include "emulator/cluster.h"

#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

std::string_view verb(Direction direction) {
    switch (direction) {
    case Direction::read: return "reads";
    case Direction::write: return "writes";
    case Direction::atomic: return "updates";
    }
    return "";
}

std::string_view windowName(Window window) {
    switch (window) {
    case Window::global: return "global";
    case Window::shared: return "shared";
    case Window::local: return "local";
    case Window::parameter: return "parameter";
    }
    return "";
}

struct Where {
    std::string text;     ///< "at offset 4096, 4 bytes past the end of y (4096 bytes)"
    std::string argument; ///< the allocation's name
    std::uint64_t offset = 0;
};

Where whereIs(const Step& step, Window window, std::uint64_t address, std::uint32_t bytes) {
    Where where;
    where.offset = address;
    if (window != Window::global) {
        const std::uint64_t size = window == Window::shared ? step.block.shared.size()
                                   : window == Window::parameter
                                       ? step.engine.launch.parameters.size()
                                       : step.frame().localBase + std::uint64_t{step.function().localBytes};
        where.text = fmt::format("at offset {} of the {} bytes of {} memory", address, size, windowName(window));
        return where;
    }
    const Allocation* a = step.engine.memory.find(address);
    if (!a) a = step.engine.image.find(address);
    if (!a && address < imageWindow) {
        where.text = fmt::format("at address 0x{:x}, which no buffer is near to", address);
        return where;
    }
    if (!a) {
        a = step.engine.memory.nearest(address);
        const Allocation* b = step.engine.image.nearest(address);
        auto distance = [&](const Allocation* x) {
            return address < x->address ? x->address - address : address - (x->address + x->size);
        };
        if (!a || (b && distance(b) < distance(a))) a = b;
    }
    if (!a) {
        where.text = fmt::format("at address 0x{:x}; the kernel has no buffer", address);
        return where;
    }
    where.argument = a->name;
    where.offset = address - a->address;
    if (address < a->address)
        where.text = fmt::format("{} bytes before the start of {} ({} bytes)", a->address - address, a->name, a->size);
    else if (address + bytes > a->address + a->size)
        where.text = fmt::format("at offset {}, {} bytes past the end of {} ({} bytes)", where.offset,
                                 where.offset + bytes - a->size, a->name, a->size);
    else
        where.text = fmt::format("at offset {} of {} ({} bytes)", where.offset, a->name, a->size);
    return where;
}

Finding accessFinding(const Step& step, FindingKind kind, const char* check, Window window, std::uint64_t address,
                      std::uint32_t bytes, Where& where) {
    where = whereIs(step, window, address, bytes);
    Finding finding;
    finding.kind = kind;
    finding.check = check;
    finding.argument = where.argument;
    finding.address = where.offset;
    finding.bytes = bytes;
    return finding;
}

} // namespace

std::string_view name(Direction direction) {
    switch (direction) {
    case Direction::read: return "read";
    case Direction::write: return "write";
    case Direction::atomic: return "atomic";
    }
    return "";
}

void reportOutOfBounds(const Step& step, unsigned lane, Direction direction, Window window, std::uint64_t address,
                       std::uint32_t bytes) {
    Where where;
    Finding finding = accessFinding(step, FindingKind::outOfBounds, "bounds", window, address, bytes, where);
    finding.message = fmt::format("{} {} bytes {}", verb(direction), bytes, where.text);
    finding.hint = "compare the index with the size before the access";
    report(step, lane, std::move(finding));
}

void reportMisaligned(const Step& step, unsigned lane, Direction direction, Window window, std::uint64_t address,
                      std::uint32_t bytes) {
    Where where;
    Finding finding = accessFinding(step, FindingKind::misaligned, "alignment", window, address, bytes, where);
    finding.message = fmt::format("{} {} bytes {}: the address 0x{:x} is no multiple of {}", verb(direction), bytes,
                                  where.text, address, bytes);
    finding.hint =
        "a vector access needs its whole size as alignment: check the pointer at run time, or use narrower accesses";
    report(step, lane, std::move(finding));
}

void reportUninitialized(const Step& step, unsigned lane, Window window, std::uint64_t address, std::uint32_t bytes) {
    Where where;
    Finding finding = accessFinding(step, FindingKind::uninitialized, "memory", window, address, bytes, where);
    finding.message = fmt::format("reads {} bytes {} that nothing has written", bytes, where.text);
    finding.hint = window == Window::shared ? "write every element that is read, and put a barrier between"
                                            : "write it first, or do not read it";
    report(step, lane, std::move(finding));
}

void reportReadOnly(const Step& step, unsigned lane, const Allocation& allocation, std::uint64_t address,
                    std::uint32_t bytes) {
    Where where;
    Finding finding = accessFinding(step, FindingKind::inputModified, "inputs", Window::global, address, bytes, where);
    finding.message = fmt::format("writes {} bytes {}, which is an input", bytes, where.text);
    finding.hint = fmt::format("\"{}\" may only be read", allocation.name);
    report(step, lane, std::move(finding));
}

void reportRace(const Step& step, unsigned lane, Direction direction, std::uint32_t offset, std::uint32_t bytes,
                const EarlierAccess& earlier) {
    const Program& program = step.engine.program;
    const CodePlace other = codePlace(program, earlier.place);
    if (step.engine.findings.known(FindingKind::race, step.place(), other, step.block.linear)) return;
    Finding finding;
    finding.kind = FindingKind::race;
    finding.check = "shared_race";
    finding.address = offset;
    finding.bytes = bytes;
    const Direction before = earlier.wasAtomic  ? Direction::atomic
                             : earlier.wasWrite ? Direction::write
                                                : Direction::read;
    const Place there = program.module->placeOf(other.function->source->instructions[other.op->instruction].span);
    finding.message = fmt::format(
        "{} {} bytes of shared memory at offset {} that another thread {} at line {}, with no barrier between",
        verb(direction), bytes, offset, earlier.wasWrite ? (earlier.wasAtomic ? "updates" : "writes") : "reads",
        there.line);
    finding.hint = "put bar.sync between the two accesses";
    RelatedFinding related;
    related.line = there.line;
    related.column = there.column;
    related.block = step.block.index;
    related.thread = threadIndex(step.engine.launch, earlier.warp, earlier.lane);
    related.access = name(before);
    related.message = fmt::format("the other access: a {}", name(before));
    finding.related.push_back(std::move(related));
    report(step, lane, std::move(finding), other);
}

void reportGlobalRace(const Step& step, unsigned lane, Direction direction, std::uint64_t address, std::uint32_t bytes,
                      const EarlierGlobalAccess& earlier) {
    const Program& program = step.engine.program;
    const Launch& launch = step.engine.launch;
    const CodePlace other = codePlace(program, earlier.place);
    if (step.engine.findings.known(FindingKind::race, step.place(), other, step.block.linear)) return;
    Where where;
    Finding finding = accessFinding(step, FindingKind::race, "global_race", Window::global, address, bytes, where);
    const bool wasAtomic = other.op->kind == Kind::atomic;
    const bool otherBlock = earlier.block != static_cast<std::uint32_t>(step.block.linear);
    const bool ownWarp = !otherBlock && earlier.warp == step.warp.index;
    const Direction before = wasAtomic ? Direction::atomic : earlier.wasWrite ? Direction::write : Direction::read;
    const Place there = program.module->placeOf(other.function->source->instructions[other.op->instruction].span);
    const std::string_view whose = otherBlock ? "a thread of another block" : ownWarp ? "another lane" : "another warp";
    if (earlier.readOnlyPath) {
        finding.check = "read_only_path";
        finding.message = fmt::format(
            "{} {} bytes {} that line {} {} in the same launch: ld.global.nc may only read what no thread writes",
            verb(direction), bytes, where.text, there.line, verb(before));
        finding.hint = "read it without .nc (in CUDA: without const __restrict__ or __ldg)";
    } else {
        finding.message = fmt::format("{} {} bytes {} that {} {} at line {}, with nothing that orders the two",
                                      verb(direction), bytes, where.text, whose, verb(before), there.line);
        finding.hint = otherBlock
                           ? "blocks run in any order: let the one write, pass a fence (__threadfence()) and set "
                             "a flag with an atomic, and the other read the flag and pass a fence; or use a "
                             "second launch"
                       : ownWarp ? "put bar.warp.sync (__syncwarp()) between the two accesses"
                                 : "put bar.sync (__syncthreads()) between the two accesses";
    }
    RelatedFinding related;
    related.line = there.line;
    related.column = there.column;
    const std::uint64_t block = earlier.block;
    related.block = Index3{static_cast<std::uint32_t>(block % launch.grid[0]),
                           static_cast<std::uint32_t>(block / launch.grid[0] % launch.grid[1]),
                           static_cast<std::uint32_t>(block / launch.grid[0] / launch.grid[1])};
    related.thread = threadIndex(launch, earlier.warp, earlier.lane);
    related.access = name(before);
    related.message = fmt::format("the other access: a {}", name(before));
    finding.related.push_back(std::move(related));
    report(step, lane, std::move(finding), other);
}

CodePlace codePlace(const Program& program, std::uint32_t placeNumber) {
    for (const DecodedFunction& f : program.functions) {
        if (placeNumber < f.code.size()) return {&f, &f.code[placeNumber]};
        placeNumber -= static_cast<std::uint32_t>(f.code.size());
    }
    return {};
}

Index3 threadIndex(const Launch& launch, std::uint32_t warp, std::uint32_t lane) {
    const std::uint32_t linear = warp * 32 + lane;
    return {linear % launch.block[0], linear / launch.block[0] % launch.block[1],
            linear / launch.block[0] / launch.block[1]};
}

static bool isOff(const Options& options, const Finding& finding) {
    switch (finding.kind) {
    case FindingKind::outOfBounds: return !options.bounds && finding.check == "bounds";
    case FindingKind::misaligned: return !options.alignment;
    case FindingKind::inputModified: return !options.readOnly;
    case FindingKind::barrierDivergence: return !options.barriers;
    case FindingKind::uninitialized: return !options.barriers && finding.check == "member_mask";
    case FindingKind::type: return !options.printing;
    default: return false;
    }
}

void report(const Step& step, unsigned lane, Finding finding, CodePlace other) {
    if (isOff(step.engine.options, finding)) return;
    const Block& home = homeOf(step);
    if (step.engine.findings.known(finding.kind, step.place(), other, home.linear)) return;
    finding.block = home.index;
    finding.thread = threadIndex(step.engine.launch, step.warp.index, lane);
    step.engine.findings.add(home.linear, step.place(), std::move(finding), other);
}

} // namespace ptxwb::emulator

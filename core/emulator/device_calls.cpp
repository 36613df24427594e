// What the device runtime gives to kernels without a body: vprintf and __assertfail.
// Source: CUDA C++ Programming Guide, formatted output and assertion; the argument buffer is laid out as C lays out a
// struct of the promoted arguments: 4 or 8 bytes each, on a multiple of their size.
#include "emulator/device_calls.h"

#include "emulator/memory_access.h"
#include "emulator/warp_control.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

constexpr std::size_t printLimit = std::size_t{1} << 20; ///< bytes of one host thread, as large as the device's buffer
constexpr std::size_t stringLimit = 4096;
constexpr int fieldLimit = 1024; ///< width and precision

/// `count` bytes at a generic address; false where they are not all memory of the thread.
bool readBytes(const Step& step, unsigned lane, std::uint64_t address, std::size_t count, void* to) {
    const std::uint8_t* from = nullptr;
    switch (windowOf(address)) {
    case Window::global:
        if (const Allocation* a = allocationOf(step.engine, address, address, static_cast<std::uint32_t>(count)))
            from = a->bytes.data() + (address - a->address);
        break;
    case Window::shared:
        if (address - sharedWindow + count <= step.block.shared.size())
            from = step.block.shared.data() + (address - sharedWindow);
        break;
    case Window::local:
        if (address - localWindow + count <= step.engine.localCapacity)
            from = step.warp.local.data() + std::size_t{lane} * step.engine.localCapacity + (address - localWindow);
        break;
    case Window::parameter: break;
    }
    if (from) std::memcpy(to, from, count);
    return from != nullptr;
}

/// A C string; what lies outside of memory is reported and ends it.
std::string readString(const Step& step, unsigned lane, std::uint64_t address) {
    std::string text;
    for (char c = 0; text.size() < stringLimit; text += c) {
        if (!readBytes(step, lane, address + text.size(), 1, &c)) {
            reportOutOfBounds(step, lane, Direction::read, Window::global, address + text.size(), 1);
            break;
        }
        if (!c) break;
    }
    return text;
}

class Printer {
public:
    Printer(const Step& step, unsigned lane, std::uint64_t arguments) : m_step(step), m_lane(lane), m_next(arguments) {}

    std::string print(std::string_view format) {
        std::string out;
        while (!format.empty()) {
            const auto percent = format.find('%');
            out += format.substr(0, percent);
            if (percent == std::string_view::npos) break;
            m_conversion = format.substr(percent);
            format.remove_prefix(percent + 1);
            out += conversion(format);
        }
        return out;
    }
    unsigned taken() const { return m_taken; }

private:
    void doubt(std::string message, std::string hint) {
        Finding finding;
        finding.kind = FindingKind::type;
        finding.check = "printf";
        finding.message = std::move(message);
        finding.hint = std::move(hint);
        report(m_step, m_lane, std::move(finding));
    }

    /// The conversion that is being printed, up to its letter.
    std::string conversionText() const {
        const auto letter = m_conversion.find_first_not_of("0123456789.*-+ #hlLzjt", 1);
        return std::string(m_conversion.substr(0, letter == std::string_view::npos ? letter : letter + 1));
    }

    /// The caller has stored the arguments in its frame one after the other: what it has not stored is none.
    void checkArgument(std::uint64_t address, std::size_t bytes) {
        const Options& options = m_step.engine.options;
        if (!options.printing || !options.initialisation || windowOf(address) != Window::local) return;
        const std::uint64_t at = address - localWindow;
        const std::uint64_t end = m_step.frame().localBase + std::uint64_t{m_step.function().localBytes};
        const std::uint8_t* written =
            m_step.warp.localWritten.data() + std::size_t{m_lane} * m_step.engine.localCapacity;
        std::size_t passed = 0;
        for (std::size_t i = 0; i < bytes && at + i < end; ++i) passed += written[at + i];
        if (passed == bytes) return;
        doubt(fmt::format("argument {} of printf, for {}, takes {} bytes and the call passes {}", m_taken + 1,
                          conversionText(), bytes, passed),
              "the conversions must match the arguments in number and type");
    }

    template <class T>
    T take() {
        T value{};
        m_next = (m_next + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        checkArgument(m_next, sizeof(T));
        if (!readBytes(m_step, m_lane, m_next, sizeof(T), &value))
            reportOutOfBounds(m_step, m_lane, Direction::read, Window::global, m_next, sizeof(T));
        m_next += sizeof(T);
        ++m_taken;
        return value;
    }

    template <class T>
    static std::string formatted(const std::string& spec, T value) {
        const int size = std::snprintf(nullptr, 0, spec.c_str(), value);
        std::string out(static_cast<std::size_t>(std::max(size, 0)) + 1, '\0');
        std::snprintf(out.data(), out.size(), spec.c_str(), value);
        out.pop_back();
        return out;
    }

    /// Digits or `*`, as text for the specification.
    std::string number(std::string_view& format) {
        int value = 0;
        if (!format.empty() && format.front() == '*') {
            format.remove_prefix(1);
            value = take<std::int32_t>();
        } else {
            if (format.empty() || format.front() < '0' || format.front() > '9') return {};
            for (; !format.empty() && format.front() >= '0' && format.front() <= '9'; format.remove_prefix(1))
                value = std::min(value * 10 + (format.front() - '0'), fieldLimit);
        }
        return std::to_string(std::clamp(value, -fieldLimit, fieldLimit));
    }

    /// One conversion behind its `%`.
    std::string conversion(std::string_view& format) {
        if (format.starts_with('%')) {
            format.remove_prefix(1);
            return "%";
        }
        const std::string_view whole = format;
        std::string spec = "%";
        while (!format.empty() && std::strchr("-+ #0", format.front())) {
            spec += format.front();
            format.remove_prefix(1);
        }
        spec += number(format);
        if (format.starts_with('.')) {
            format.remove_prefix(1);
            spec += "." + number(format);
        }
        bool wide = false;
        std::string narrow; // h and hh: promoted to int, cut as it is printed
        while (!format.empty() && std::strchr("hlLzjt", format.front())) {
            if (format.front() == 'h')
                narrow += 'h';
            else
                wide = true;
            format.remove_prefix(1);
        }
        const char kind = format.empty() ? '\0' : format.front();
        if (!format.empty()) format.remove_prefix(1);
        switch (kind) {
        case 'd':
        case 'i':
            return wide ? formatted(spec + "lld", static_cast<long long>(take<std::int64_t>()))
                        : formatted(spec + narrow + "d", take<std::int32_t>());
        case 'u':
        case 'o':
        case 'x':
        case 'X':
            return wide ? formatted(spec + "ll" + kind, static_cast<unsigned long long>(take<std::uint64_t>()))
                        : formatted(spec + narrow + kind, take<std::uint32_t>());
        case 'c': return formatted(spec + kind, take<std::int32_t>());
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
        case 'A': return formatted(spec + kind, take<double>());
        case 's': {
            const auto address = take<std::uint64_t>();
            if (char c = 0; readBytes(m_step, m_lane, address, 1, &c))
                return formatted(spec + kind, readString(m_step, m_lane, address).c_str());
            doubt(fmt::format("argument {} of printf, for {}, is 0x{:x}, where no string lies", m_taken,
                              conversionText(), address),
                  "pass a pointer to a string that ends with 0");
            return {};
        }
        case 'p': return fmt::format("0x{:x}", take<std::uint64_t>());
        default:
            doubt(fmt::format("printf has no conversion {}", conversionText()),
                  "it is printed as it stands; write %% for a percent sign");
            return "%" + std::string(whole.substr(0, whole.size() - format.size())); // as it stands
        }
    }

    const Step& m_step;
    unsigned m_lane;
    std::uint64_t m_next;
    std::string_view m_conversion; ///< from its % on
    unsigned m_taken = 0;
};

/// A parameter of the call, from the caller's frame.
std::uint64_t argument(const Step& step, unsigned lane, const DeviceCallOp& op, std::size_t i) {
    std::uint64_t value = 0;
    if (i < op.arguments.size())
        std::memcpy(&value,
                    step.warp.local.data() + std::size_t{lane} * step.engine.localCapacity + step.frame().localBase +
                        op.arguments[i].from,
                    std::min<std::size_t>(op.arguments[i].bytes, 8));
    return value;
}

void print(const Step& step, const DeviceCallOp& op) {
    forLanes(step.mask, [&](unsigned lane) {
        Printer printer(step, lane, argument(step, lane, op, 1));
        const std::string text = printer.print(readString(step, lane, argument(step, lane, op, 0)));
        Engine& engine = step.engine;
        if (engine.printedBytes + text.size() <= printLimit)
            engine.printed.push_back({step.block.linear, text});
        else if (engine.printedBytes <= printLimit)
            engine.printed.push_back({step.block.linear, "[more was printed than a run keeps]\n"});
        engine.printedBytes += text.size();
        if (op.result == ~0U) return;
        const std::size_t at = std::size_t{lane} * engine.localCapacity + step.frame().localBase + op.result;
        const std::uint32_t count = printer.taken();
        std::memcpy(step.warp.local.data() + at, &count, 4);
        std::memset(step.warp.localWritten.data() + at, 1, 4);
    });
}

} // namespace

Next deviceCall(const Step& step) {
    if (!step.mask) return Next::advance;
    const DeviceCallOp& op = step.function().deviceCalls[step.op.extra];
    if (op.kind == DeviceCallKind::print) {
        print(step, op);
        return Next::advance;
    }
    const auto lane = static_cast<unsigned>(std::countr_zero(step.mask));
    const auto text = [&](std::size_t i) { return readString(step, lane, argument(step, lane, op, i)); };
    return stopRun(step, FindingKind::launch, "assert",
                   fmt::format("assertion `{}` failed ({}, line {}, in {})", text(0), text(1),
                               argument(step, lane, op, 2) & 0xFFFFFFFF, text(3)),
                   "the kernel's own check does not hold for these inputs");
}

std::string printedOf(std::vector<Printed> printed, std::uint64_t lastBlock) {
    std::ranges::stable_sort(printed, {}, &Printed::block);
    std::string text;
    for (const Printed& p : printed)
        if (p.block <= lastBlock) text += p.text;
    return text;
}

} // namespace ptxwb::emulator

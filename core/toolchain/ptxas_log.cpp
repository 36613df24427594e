#include "toolchain/ptxas_log.h"

#include "toolchain/ptx_text.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace ptxwb::toolchain {

namespace {

constexpr std::size_t shownRepetitions = 50;

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

template <class Number>
std::optional<Number> leadingNumber(std::string_view& text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

bool skip(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

std::string_view between(std::string_view text, std::string_view open, std::string_view close) {
    const auto begin = text.find(open);
    if (begin == std::string_view::npos) return {};
    const auto end = text.find(close, begin + open.size());
    if (end == std::string_view::npos) return {};
    return text.substr(begin + open.size(), end - begin - open.size());
}

std::string_view quotedName(std::string_view text) {
    return between(text, "'", "'");
}

std::vector<std::string_view> commaParts(std::string_view text) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto comma = text.find(", ");
        parts.push_back(trimmed(text.substr(0, comma)));
        if (comma == std::string_view::npos) return parts;
        text.remove_prefix(comma + 2);
    }
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    if (from.empty()) return text;
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

enum class Level : std::uint8_t { info, warning, error };

struct Message {
    Level level = Level::info;
    std::uint32_t line = 0;
    std::string_view text;
};

/// "info    : text", "fatal   : text"
std::optional<Message> levelled(std::string_view text) {
    Message message;
    if (skip(text, "info"))
        message.level = Level::info;
    else if (skip(text, "warning"))
        message.level = Level::warning;
    else if (skip(text, "error") || skip(text, "fatal"))
        message.level = Level::error;
    else
        return std::nullopt;
    text = trimmed(text);
    if (!skip(text, ":")) return std::nullopt;
    message.text = trimmed(text);
    return message;
}

/// "ptxas FILE, line 25; error   : text", or without the place.
std::optional<Message> message(std::string_view line) {
    if (!skip(line, "ptxas ")) return std::nullopt;
    if (auto found = levelled(line)) return found;
    // A file's name may hold ", line ": the place is the first that a level follows.
    for (auto at = line.find(", line "); at != std::string_view::npos; at = line.find(", line ", at + 1)) {
        auto rest = line.substr(at + 7);
        const auto number = leadingNumber<std::uint32_t>(rest);
        if (!number || !skip(rest, "; ")) continue;
        if (auto found = levelled(rest)) {
            found->line = *number;
            return found;
        }
    }
    return std::nullopt;
}

class Reader {
public:
    Reader(std::string_view ptx, std::string_view file, std::string_view assembledAs)
        : m_ptx(ptx), m_file(file), m_assembledAs(assembledAs) {}

    PtxasLog read(std::string_view log) {
        while (!log.empty()) {
            const auto newline = log.find('\n');
            auto line = log.substr(0, newline);
            if (line.ends_with('\r')) line.remove_suffix(1);
            readLine(line);
            log.remove_prefix(newline == std::string_view::npos ? log.size() : newline + 1);
        }
        const auto isError = [](const Diagnostic& d) { return d.severity == Severity::error; };
        if (m_aborted && std::ranges::none_of(m_log.diagnostics, isError)) report(Severity::error, 0, *m_aborted);
        for (std::size_t i = 0; i < m_counts.size(); ++i)
            if (m_counts[i] > 1) m_log.diagnostics[i].message += fmt::format(" ({} times)", m_counts[i]);
        return std::move(m_log);
    }

private:
    void readLine(std::string_view line) {
        if (trimmed(line).empty()) return;
        const auto found = message(line);
        if (!found) {
            if (!readFrame(trimmed(line))) m_log.unknownLines.emplace_back(line);
            return;
        }
        switch (found->level) {
        case Level::info: return readInfo(*found, line);
        case Level::warning: return report(Severity::warning, found->line, std::string(found->text));
        case Level::error:
            // Says nothing where another error does.
            if (found->text == "Ptx assembly aborted due to errors")
                m_aborted = std::string(found->text);
            else
                report(Severity::error, found->line, std::string(found->text));
        }
    }

    void readInfo(const Message& message, std::string_view whole) {
        auto text = message.text;
        if (skip(text, "Compiling entry function ")) {
            EntryResources entry;
            entry.entry = quotedName(text);
            entry.arch = quotedName(text.substr(std::min(text.size(), entry.entry.size() + 2)));
            m_log.entries.push_back(std::move(entry));
            m_function.clear();
        } else if (skip(text, "Function properties for ")) {
            m_function = trimmed(text);
        } else if (skip(text, "Used ")) {
            if (m_log.entries.empty())
                m_log.unknownLines.emplace_back(whole);
            else
                readUsed(text, m_log.entries.back());
        } else if (skip(text, "Compile time = ")) {
            // The total of the whole run is written in the same way before any entry.
            const auto time = leadingNumber<double>(text);
            if (time && !m_log.entries.empty()) m_log.entries.back().compileMilliseconds = *time;
        } else if (!readModule(text)) {
            // Advice such as "(C7510) Potential Performance Loss": worth a note at the function that it names.
            if (text.starts_with("(C") || text.starts_with("Overriding "))
                report(Severity::note, message.line, std::string(text));
            else
                m_log.unknownLines.emplace_back(whole);
        }
    }

    /// "16 registers, used 1 barriers, 64 bytes cumulative stack size, 1024 bytes smem, 364 bytes cmem[0]"
    void readUsed(std::string_view text, EntryResources& entry) {
        for (const auto part : commaParts(text)) {
            auto rest = part;
            skip(rest, "used ");
            const auto number = leadingNumber<std::uint32_t>(rest);
            rest = trimmed(rest);
            int bank = 0;
            if (!number)
                entry.other.emplace_back(part);
            else if (rest == "registers")
                entry.registers = *number;
            else if (rest == "barriers")
                entry.barriers = *number;
            else if (rest == "bytes smem")
                entry.staticSharedBytes = *number;
            else if (rest == "bytes lmem")
                entry.localBytes = *number;
            else if (rest == "bytes cumulative stack size")
                entry.cumulativeStackBytes = *number;
            else if (rest == "textures")
                entry.textureCount = *number;
            else if (rest == "surfaces")
                entry.surfaceCount = *number;
            else if (rest == "samplers")
                entry.samplerCount = *number;
            else if (constantBank(rest, bank)) {
                entry.constantBanks[bank] += *number;
                entry.constantBytes += *number;
            } else
                entry.other.emplace_back(part);
        }
    }

    static bool constantBank(std::string_view text, int& bank) {
        if (!skip(text, "bytes cmem[")) return false;
        const auto number = leadingNumber<int>(text);
        if (!number || text != "]") return false;
        bank = *number;
        return true;
    }

    /// "132 bytes gmem, 16 bytes cmem[4]"
    bool readModule(std::string_view text) {
        std::uint32_t global = 0;
        std::map<int, std::uint32_t> banks;
        for (const auto part : commaParts(text)) {
            auto rest = part;
            const auto number = leadingNumber<std::uint32_t>(rest);
            rest = trimmed(rest);
            int bank = 0;
            if (!number) return false;
            if (rest == "bytes gmem")
                global = *number;
            else if (constantBank(rest, bank))
                banks[bank] = *number;
            else
                return false;
        }
        m_log.globalBytes = global;
        m_log.moduleConstantBanks = std::move(banks);
        return true;
    }

    /// "336 bytes stack frame, 384 bytes spill stores, 392 bytes spill loads"
    bool readFrame(std::string_view text) {
        FunctionResources frame;
        frame.function = m_function;
        bool known = false;
        for (const auto part : commaParts(text)) {
            auto rest = part;
            const auto number = leadingNumber<std::uint32_t>(rest);
            rest = trimmed(rest);
            if (!number) return false;
            if (rest == "bytes stack frame")
                frame.stackBytes = *number;
            else if (rest == "bytes spill stores")
                frame.spillStoreBytes = *number;
            else if (rest == "bytes spill loads")
                frame.spillLoadBytes = *number;
            else
                return false;
            known = true;
        }
        if (!known || m_function.empty()) return false;
        const auto entry = std::ranges::find(m_log.entries, m_function, &EntryResources::entry);
        if (entry == m_log.entries.end()) {
            m_log.functions.push_back(std::move(frame));
        } else {
            entry->stackBytes = frame.stackBytes;
            entry->spillStoreBytes = frame.spillStoreBytes;
            entry->spillLoadBytes = frame.spillLoadBytes;
        }
        return true;
    }

    /// Where a message without a line belongs.
    Place placeOf(std::string_view text) const {
        for (const std::string_view intro : {"encountered on line ", "instruction at line "})
            if (const auto at = text.find(intro); at != std::string_view::npos) {
                auto rest = text.substr(at + intro.size());
                if (const auto line = leadingNumber<std::uint32_t>(rest)) return placeInLine(m_ptx, *line, {});
            }
        if (m_ptx.empty()) return {};
        if (text.find(".target") != std::string_view::npos || text.find("'gpu-name'") != std::string_view::npos)
            return findDirective(m_ptx, ".target");
        if (text.find(".address_size") != std::string_view::npos ||
            text.find("32-Bit compilation") != std::string_view::npos)
            return findDirective(m_ptx, ".address_size");
        auto function = between(text, "unction '", "'");
        if (function.empty()) function = between(text, "for entry ", ",");
        if (function.empty()) function = between(text, "for entry ", " ");
        if (text.starts_with("Unresolved extern")) return findWord(m_ptx, {}, function);
        return findWord(m_ptx, ".entry", function);
    }

    void report(Severity severity, std::uint32_t line, std::string text) {
        Diagnostic d;
        d.severity = severity;
        d.cause = Cause::rejected;
        d.kind = "assembler";
        // 'foo' in a message is mostly a word of the line; an opcode's name is its beginning.
        d.place = line ? placeInLine(m_ptx, line, quotedName(text)) : placeOf(text);
        d.place.file = m_file;
        d.message = withDecimals(replaced(std::move(text), m_assembledAs, m_file));
        const auto same = std::ranges::find_if(m_log.diagnostics, [&d](const Diagnostic& other) {
            return other.severity == d.severity && other.message == d.message;
        });
        if (same == m_log.diagnostics.end()) {
            m_log.diagnostics.push_back(std::move(d));
            m_counts.push_back(1);
            return;
        }
        const auto index = static_cast<std::size_t>(same - m_log.diagnostics.begin());
        ++m_counts[index];
        const bool newPlace =
            d.place != same->place &&
            std::ranges::none_of(same->related, [&d](const RelatedPlace& r) { return r.place == d.place; });
        if (newPlace && same->related.size() < shownRepetitions) same->related.push_back({d.place, "the same here"});
    }

    /// "(0xea60 bytes, 0xc000 max)" -> "(60000 bytes, 49152 max)": nobody tunes in hexadecimal.
    static std::string withDecimals(std::string text) {
        for (auto at = text.find("(0x"); at != std::string::npos; at = text.find("(0x", at + 1)) {
            const auto close = text.find(')', at);
            if (close == std::string::npos) break;
            const std::string_view inside(text.data() + at + 1, close - at - 1);
            std::string result;
            for (const auto part : commaParts(inside)) {
                auto rest = part;
                std::uint64_t value = 0;
                if (!skip(rest, "0x")) return text;
                const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value, 16);
                if (error != std::errc{}) return text;
                rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
                result += fmt::format("{}{}{}", result.empty() ? "" : ", ", value, rest);
            }
            text.replace(at + 1, close - at - 1, result);
        }
        return text;
    }

    std::string_view m_ptx, m_file, m_assembledAs;
    std::string m_function;
    std::optional<std::string> m_aborted;
    std::vector<std::size_t> m_counts;
    PtxasLog m_log;
};

} // namespace

PtxasLog parsePtxasLog(std::string_view log, std::string_view ptx, std::string_view file,
                       std::string_view assembledAs) {
    return Reader(ptx, file, assembledAs).read(log);
}

} // namespace ptxwb::toolchain

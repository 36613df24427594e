#include "toolchain/sass.h"

#include "support/child_process.h"
#include "support/files.h"
#include "toolchain/discover.h"

#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace ptxwb::toolchain {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds deadline = 60s;

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The text between `before` and `after`; nothing where one of them is not there.
std::optional<std::string_view> between(std::string_view text, std::string_view before, std::string_view after) {
    const auto at = text.find(before);
    if (at == std::string_view::npos) return std::nullopt;
    const auto begin = at + before.size(), end = text.find(after, begin);
    if (end == std::string_view::npos) return std::nullopt;
    return text.substr(begin, end - begin);
}

std::uint32_t numberOf(std::string_view digits, int base) {
    std::uint32_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    return value;
}

/// Reads the listing line by line. Places stand before the instructions that they are of.
class Reader {
public:
    void read(std::string_view line) {
        line = trimmed(line);
        if (line.starts_with("//## File"))
            place(line);
        else if (line.starts_with(".text.") && line.ends_with(':'))
            beginFunction(line.substr(6, line.size() - 7));
        else if ((line.starts_with(".L_") || line.starts_with('$')) && line.ends_with(':'))
            m_label = line.substr(0, line.size() - 1); // of a branch, or of a function that lies in the entry's section
        else if (line.starts_with("/*"))
            instruction(line);
    }

    std::vector<SassFunction> take() {
        std::erase_if(m_functions, [](const SassFunction& function) { return function.instructions.empty(); });
        return std::move(m_functions);
    }

private:
    /// `//## File "k.cu", line 12`; with -g an inlined instruction has the place inside of the inlined function.
    void place(std::string_view line) {
        const auto file = between(line, "File \"", "\"");
        const auto at = line.find("line ");
        if (!file || at == std::string_view::npos) return;
        m_file = *file;
        m_line = numberOf(line.substr(at + 5), 10);
    }

    void beginFunction(std::string_view name) {
        m_functions.emplace_back().name = name;
        m_file.clear();
        m_label.clear();
        m_line = 0;
    }

    /// `/*0070*/ @P0 LDG.E R2, [R4.64] ;`, on some machines followed by the encoding in another comment.
    void instruction(std::string_view line) {
        const auto offset = between(line, "/*", "*/");
        if (!offset || m_functions.empty()) return;
        std::string_view text = line.substr(offset->size() + 4);
        text = trimmed(text.substr(0, text.rfind(';')));
        if (text.empty() || offset->find_first_not_of("0123456789abcdef") != std::string_view::npos) return;
        m_functions.back().instructions.push_back(
            {numberOf(*offset, 16), std::string(text), std::exchange(m_label, {}), m_file, m_line});
    }

    std::vector<SassFunction> m_functions;
    std::string m_file, m_label;
    std::uint32_t m_line = 0;
};

} // namespace

Expected<std::vector<SassFunction>> parseSass(std::string_view text) {
    Reader reader;
    while (!text.empty()) {
        const auto end = text.find('\n');
        reader.read(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    auto functions = reader.take();
    if (functions.empty())
        return failure(Cause::internal, "nvdisasm's listing holds no instruction", "another version of the toolkit?");
    return functions;
}

Expected<std::vector<SassFunction>> disassemble(std::string_view cubin, const Toolkit& toolkit, std::stop_token stop) {
    if (!toolkit.nvdisasm)
        return failure(Cause::missing, "no nvdisasm was found",
                       "install the CUDA toolkit's package cuda-nvdisasm; everything but machine code goes on without");
    auto folder = TemporaryFolder::create("ptxwb-sass");
    if (!folder) return std::unexpected(std::move(folder.error()));
    const auto file = folder->path() / "kernel.cubin";
    if (auto written = writeFileAtomically(file, cubin); !written) return std::unexpected(std::move(written.error()));
    ChildRequest child;
    child.arguments = {toolkit.nvdisasm->string(), "-c", "-g", file.string()};
    child.workingFolder = folder->path().string();
    child.deadline = deadline;
    const ChildResult result = runChild(child, stop);
    if (result.end == ChildEnd::cancelled) return failure(Cause::cancelled, "disassembling was cancelled");
    if (!result.succeeded())
        return failure(
            Cause::rejected,
            fmt::format("nvdisasm {}: {}", describe(result, deadline), trimmed(result.errors.substr(0, 400))),
            "is it a cubin for one target?");
    return parseSass(result.output);
}

} // namespace ptxwb::toolchain

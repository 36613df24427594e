#include "kernel/spec_problems.h"

#include "support/nearest.h"
#include "support/sha256.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace ptxwb::kernel {

namespace {

std::string at(std::string_view list, std::size_t index) {
    return fmt::format("{}[{}]", list, index);
}

class Check {
public:
    Check(SpecProblems& problems, const KernelSpec& spec, const KernelFiles& files)
        : m_problems(problems), m_spec(spec), m_files(files) {}

    void all() {
        uniqueNames();
        for (std::size_t i = 0; i < m_spec.arguments.size(); ++i) {
            const auto& argument = m_spec.arguments[i];
            const auto path = at("arguments", i);
            for (std::size_t k = 0; k < argument.of.size(); ++k)
                isBuffer(argument.kind == ArgumentKind::pointerArray ? at(path + ".of", k) : path + ".of",
                         argument.of[k]);
            for (std::size_t k = 0; k < argument.mayAlias.size(); ++k)
                isBuffer(path + ".may_alias", argument.mayAlias[k]);
            if (argument.kind == ArgumentKind::structure) structLayout(path, argument);
        }
        for (std::size_t i = 0; i < m_spec.launches.size(); ++i)
            for (std::size_t k = 0; k < m_spec.launches[i].arguments.size(); ++k)
                isArgument(at(at("launches", i) + ".arguments", k), m_spec.launches[i].arguments[k]);
        for (std::size_t i = 0; i < m_spec.flags.size(); ++i)
            if (!m_spec.flags[i].starts_with('-'))
                m_problems.error(at("flags", i), fmt::format("\"{}\" is no flag of nvcc", m_spec.flags[i]),
                                 R"(flags begin with -, one element for each, e.g. ["-O3", "-DTILE=16"])");
        checkTextures(m_problems, m_spec);
        benchmarkLengths();
        globals();
        launchesUseEverything();
        expectedValues();
        baselineNames();
        namedFilesAreThere();
        sourceIsUnchanged();
        somethingToRun();
    }

private:
    void uniqueNames() {
        std::set<std::string_view> seen;
        for (std::size_t i = 0; i < m_spec.arguments.size(); ++i)
            if (!seen.insert(m_spec.arguments[i].name).second)
                m_problems.error(at("arguments", i) + ".name",
                                 fmt::format("a second argument named \"{}\"", m_spec.arguments[i].name),
                                 "findings and dumps tell arguments apart by their names");
    }

    void isArgument(const std::string& path, const std::string& name) {
        if (findArgument(m_spec, name)) return;
        std::vector<std::string> known;
        for (const auto& argument : m_spec.arguments) known.push_back(argument.name);
        unknown(path, name, "argument", known);
    }

    void isBuffer(const std::string& path, const std::string& name) {
        std::vector<std::string> known;
        for (const auto& argument : m_spec.arguments)
            if (argument.kind == ArgumentKind::buffer) known.push_back(argument.name);
        if (std::ranges::find(known, name) == known.end()) unknown(path, name, "buffer", known);
    }

    void unknown(const std::string& path, const std::string& name, std::string_view what,
                 const std::vector<std::string>& known) {
        const auto nearest = nearestName(name, std::span<const std::string>(known));
        m_problems.error(path, fmt::format("there is no {} named \"{}\"", what, name),
                         nearest.empty() ? fmt::format("known: {}", fmt::join(known, ", "))
                                         : fmt::format("did you mean \"{}\"?", nearest));
    }

    void structLayout(const std::string& path, const Argument& argument) {
        std::vector<std::uint8_t> taken(argument.size, 0);
        for (std::size_t i = 0; i < argument.fields.size(); ++i) {
            const auto& field = argument.fields[i];
            const auto fieldPath = at(path + ".fields", i);
            const std::uint32_t size = field.buffer.empty() ? sizeOf(field.type) : 8;
            if (!field.buffer.empty()) isBuffer(fieldPath + ".buffer", field.buffer);
            if (std::uint64_t{field.offset} + size > argument.size) {
                m_problems.error(fieldPath + ".offset",
                                 fmt::format("{} bytes at offset {} end behind the struct's {} bytes", size,
                                             field.offset, argument.size),
                                 "correct the offset or \"size\"");
                continue;
            }
            const auto range = std::span(taken).subspan(field.offset, size);
            if (std::ranges::find(range, 1) != range.end())
                m_problems.error(fieldPath + ".offset",
                                 fmt::format("offset {} overlaps an earlier field", field.offset),
                                 "each byte belongs to one field");
            std::ranges::fill(range, std::uint8_t{1});
        }
        if (argument.size % argument.align != 0)
            m_problems.error(path + ".size",
                             fmt::format("{} is no multiple of the alignment {}", argument.size, argument.align),
                             "a C++ struct's size is one; \"align\" can be given");
    }

    void benchmarkLengths() {
        std::string firstName;
        std::size_t length = 0;
        for (const auto& symbol : m_spec.symbols) {
            if (symbol.benchmark.size() <= 1) continue;
            if (length != 0 && symbol.benchmark.size() != length)
                m_problems.error(fmt::format("symbols.{}.benchmark", symbol.name),
                                 fmt::format("{} sizes, but {} has {}", symbol.benchmark.size(), firstName, length),
                                 "benchmark sizes are taken together by position; a single size goes with all");
            if (length == 0) firstName = symbol.name;
            length = symbol.benchmark.size();
        }
    }

    void globals() {
        std::set<std::string_view> seen;
        for (std::size_t i = 0; i < m_spec.globals.size(); ++i) {
            const auto& global = m_spec.globals[i];
            const auto path = at("globals", i);
            if (!seen.insert(global.name).second || findArgument(m_spec, global.name))
                m_problems.error(path + ".name", fmt::format("\"{}\" is the name of something else too", global.name),
                                 "findings tell variables and arguments apart by their names");
            if (global.value && (global.count || global.fill))
                m_problems.error(path, "both \"value\" and \"count\" or \"fill\" are given",
                                 R"(one number: {"name": "scale", "type": "f32", "value": 2.5}; an array: )"
                                 R"({"name": "table", "type": "f32", "count": 64, "fill": "uniform"})");
        }
    }

    void launchesUseEverything() {
        if (m_spec.launches.empty()) return;
        std::set<std::string_view> used;
        for (const auto& step : m_spec.launches) used.insert(step.arguments.begin(), step.arguments.end());
        for (const auto* argument : parameters(m_spec))
            if (!used.contains(argument->name))
                m_problems.warning("launches", fmt::format("no launch takes {}", argument->name),
                                   "name it among the \"arguments\" of a launch, or remove it");
    }

    /// Values in a file are right for one set of inputs only.
    void expectedValues() {
        if (m_spec.reference.kind != ReferenceKind::expected) return;
        for (const auto& [output, file] : m_spec.reference.expected) {
            const auto* argument = findArgument(m_spec, output);
            const auto path = "reference.expected." + output;
            isBuffer(path, output);
            if (argument && argument->kind == ArgumentKind::buffer && argument->access != Access::out &&
                argument->access != Access::inout)
                m_problems.error(path, fmt::format("{} is no output", output), R"(name a buffer with "access": "out")");
        }
        for (std::size_t i = 0; i < m_spec.arguments.size(); ++i) {
            const auto& argument = m_spec.arguments[i];
            const bool isRead = argument.access == Access::in || argument.access == Access::inout;
            if (argument.kind != ArgumentKind::buffer || !isRead) continue;
            const auto kind = argument.fill ? argument.fill->kind : FillKind::normal;
            constexpr auto fixed =
                std::to_array({FillKind::file, FillKind::zeros, FillKind::ones, FillKind::iota, FillKind::constant});
            if (std::ranges::find(fixed, kind) == fixed.end())
                m_problems.error(
                    at("arguments", i) + (argument.fill ? ".fill" : ""),
                    fmt::format("{} is drawn anew from every seed, and the expected values are from a file",
                                argument.name),
                    R"(give the inputs that they belong to: "fill": {"file": "x.npy"})");
        }
    }

    void baselineNames() {
        std::set<std::string_view> seen;
        for (std::size_t i = 0; i < m_spec.moreBaselines.size(); ++i)
            if (!seen.insert(m_spec.moreBaselines[i].name).second)
                m_problems.error(at("baselines", i) + ".name",
                                 fmt::format("a second baseline named \"{}\"", m_spec.moreBaselines[i].name),
                                 "tables tell them apart by their names");
    }

    void isThere(const std::string& path, const std::string& file) {
        if (!file.empty() && !m_files.contains(file))
            m_problems.error(path, fmt::format("{} is not in the spec's folder", file),
                             "correct the name or add the file");
    }

    void namedFilesAreThere() {
        isThere("source", m_spec.source);
        for (std::size_t i = 0; i < m_spec.files.size(); ++i) isThere(at("files", i), m_spec.files[i]);
        if (m_spec.baseline) isThere("baseline.ptx", m_spec.baseline->ptx);
        isThere(m_spec.reference.kind == ReferenceKind::python ? "reference.python" : "reference.file",
                m_spec.reference.file);
        for (std::size_t i = 0; i < m_spec.moreBaselines.size(); ++i)
            isThere(at("baselines", i) + ".ptx", m_spec.moreBaselines[i].ptx);
        for (const auto& [output, file] : m_spec.reference.expected) isThere("reference.expected." + output, file);
        if (m_spec.inputs) isThere("inputs.file", m_spec.inputs->file);
        if (m_spec.compare) isThere("compare.file", m_spec.compare->file);
        for (std::size_t i = 0; i < m_spec.arguments.size(); ++i)
            if (m_spec.arguments[i].fill) isThere(at("arguments", i) + ".fill.file", m_spec.arguments[i].fill->file);
    }

    void sourceIsUnchanged() {
        if (!m_spec.baseline || m_spec.baseline->sourceSha256.empty() || m_spec.source.empty()) return;
        const auto source = m_files.find(m_spec.source);
        if (source == m_files.end() || sha256Hex(source->second) == m_spec.baseline->sourceSha256) return;
        m_problems.warning("baseline.source_sha256",
                           fmt::format("{} has changed since {} was made from it", m_spec.source, m_spec.baseline->ptx),
                           "verify with --rebuild-baseline, or compile anew and write down the new hash");
    }

    void somethingToRun() {
        if (m_spec.reference.kind == ReferenceKind::baseline && !m_spec.baseline && m_spec.source.empty())
            m_problems.error(
                "reference.baseline", "the baseline is the oracle, but there is neither \"baseline\" nor \"source\"",
                R"(name one, or a host function: "reference": {"file": "reference.cpp", "function": "reference"})");
    }

    SpecProblems& m_problems;
    const KernelSpec& m_spec;
    const KernelFiles& m_files;
};

} // namespace

void checkSpec(SpecProblems& problems, const KernelSpec& spec, const KernelFiles& files) {
    Check(problems, spec, files).all();
}

} // namespace ptxwb::kernel

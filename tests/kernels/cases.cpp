// From the specs of a folder to launches, and from a launch's buffers to an answer.
#include "cases.h"

#include "kernel/sizes.h"
#include "kernel/spec_load.h"
#include "support/sha256.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::kernels {

namespace {

constexpr std::uint64_t seed = 1;

std::string_view textIn(const std::vector<std::uint8_t>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string keyOf(const Case& launched) {
    const kernel::LaunchData& data = launched.data;
    std::string all =
        fmt::format("{}\n{}\n{} {} {} {} {} {} {}\n", launched.ptx, data.entry, data.grid[0], data.grid[1],
                    data.grid[2], data.block[0], data.block[1], data.block[2], data.sharedBytes);
    for (const kernel::Parameter& parameter : data.parameters) {
        all += textIn(parameter.bytes);
        if (const auto& map = parameter.map)
            all +=
                fmt::format("\n{} {} {} {} {} {} {} {}\n", map->buffer, name(map->type), fmt::join(map->sizes, ","),
                            fmt::join(map->strides, ","), fmt::join(map->box, ","), fmt::join(map->elementStrides, ","),
                            static_cast<int>(map->swizzle), static_cast<int>(map->fill));
        if (const auto& t = parameter.texture) {
            all += fmt::format("\n{} {} {} {} {} {} {} {} {}", t->isSurface ? "surface" : "texture", t->buffer,
                               name(t->type), t->channels, fmt::join(t->size, ","), static_cast<int>(t->memory),
                               static_cast<int>(t->filter), t->normalized, static_cast<int>(t->read));
            for (const kernel::Texture::Address address : t->address)
                all += fmt::format(" {}", static_cast<int>(address));
            all += "\n";
        }
    }
    if (data.cluster != std::array<std::uint32_t, 3>{1, 1, 1})
        all += fmt::format("\ncluster {}\n", fmt::join(data.cluster, ","));
    for (const kernel::Buffer& buffer : data.buffers) {
        all += fmt::format("\n{} {} {}\n", buffer.name, name(buffer.access), buffer.align);
        all += textIn(buffer.bytes);
    }
    return sha256Hex(all).substr(0, 16);
}

Expected<void> addCases(const std::filesystem::path& file, std::vector<Case>& cases) {
    kernel::LoadedKernel read = kernel::loadKernel(file);
    // A warning too: PTX that is older than its source is no kernel to compare.
    if (!read.diagnostics.empty()) return std::unexpected(std::move(read.diagnostics.front()));
    auto& loaded = read.kernel;
    const kernel::KernelSpec& spec = loaded->spec;
    if (!spec.baseline) return failure(Cause::badRequest, fmt::format("{}: no baseline", file.string()));
    const auto sizes = kernel::sizes(spec, kernel::Use::function);
    if (!sizes) return std::unexpected(sizes.error());
    for (const kernel::Symbols& symbols : *sizes) {
        Case one;
        one.title = spec.name;
        for (const auto& [symbol, value] : symbols) one.title += fmt::format(" {}={}", symbol, value);
        one.kernel = *loaded;
        one.ptxFile = spec.baseline->ptx;
        one.ptx = loaded->files.at(one.ptxFile);
        kernel::BuildOptions options;
        options.seed = seed;
        auto data = kernel::buildLaunch(one.kernel, symbols, options);
        if (!data) return std::unexpected(std::move(data.error()));
        one.data = std::move(*data);
        one.key = keyOf(one);
        cases.push_back(std::move(one));
    }
    return {};
}

} // namespace

Expected<std::vector<Case>> readCases(const std::filesystem::path& folder) {
    std::vector<Case> cases;
    for (const auto& file : kernel::specsIn(folder))
        if (const auto added = addCases(file, cases); !added) return std::unexpected(added.error());
    return cases;
}

kernel::Tolerance toleranceOf(const kernel::KernelSpec& spec, std::string_view argument) {
    kernel::Tolerance tolerance = spec.tolerance;
    if (const auto* own = kernel::findArgument(spec, argument); own && own->tolerance) tolerance = *own->tolerance;
    if (tolerance.rule == kernel::ToleranceRule::automatic) tolerance.rule = kernel::ToleranceRule::exact;
    return tolerance;
}

Answer answerOf(const Case& launched, const std::vector<std::vector<std::uint8_t>>& buffers, std::string printed) {
    Answer answer{launched.title, launched.key, {}, std::move(printed)};
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const kernel::Buffer& buffer = launched.data.buffers[i];
        if (buffer.access == kernel::Access::in || buffer.access == kernel::Access::scratch) continue;
        Output output{buffer.name, buffer.type, buffer.elementCount, {}, {}};
        if (toleranceOf(launched.kernel.spec, buffer.name).rule == kernel::ToleranceRule::exact)
            output.digest = sha256Hex(textIn(buffers[i]));
        else
            output.bytes = buffers[i];
        answer.outputs.push_back(std::move(output));
    }
    return answer;
}

} // namespace ptxwb::kernels

#include "toolchain/cubin.h"

#include "support/sha256.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fmt/format.h>

namespace ptxwb::toolchain {

namespace {

/// A copy of the structure at `offset`: the bytes need not be aligned.
template <class T>
std::optional<T> at(std::string_view bytes, std::uint64_t offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

std::optional<std::string_view> range(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
    if (offset > bytes.size() || bytes.size() - offset < size) return std::nullopt;
    return bytes.substr(offset, size);
}

auto damaged(std::string_view why) {
    return failure(Cause::badRequest, fmt::format("the cubin is damaged or is none: {}", why), "Assemble it again.");
}

constexpr std::uint8_t formatSized = 4;      // two bytes of length and the payload follow
constexpr std::uint8_t attributeParams = 10; // PARAM_CBANK: symbol index, offset and size of the parameters in bank 0

std::optional<std::uint32_t> parameterBytes(std::string_view info) {
    std::uint64_t offset = 0;
    while (const auto head = at<std::uint32_t>(info, offset)) {
        const auto format = static_cast<std::uint8_t>(*head & 0xFF),
                   attribute = static_cast<std::uint8_t>(*head >> 8 & 0xFF);
        const auto length = *head >> 16;
        if (format == formatSized && attribute == attributeParams && length >= 8) {
            const auto size = at<std::uint16_t>(info, offset + 4 + 6);
            return size ? std::optional<std::uint32_t>(*size) : std::nullopt;
        }
        offset += 4 + (format == formatSized ? length : 0);
    }
    return std::nullopt;
}

} // namespace

Expected<std::vector<CubinSection>> cubinSections(std::string_view cubin) {
    const auto header = at<Elf64_Ehdr>(cubin, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return damaged("it does not begin as an ELF file");
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
        return damaged("it is not a 64-bit little-endian ELF file");
    if (header->e_shentsize != sizeof(Elf64_Shdr)) return damaged("its section headers have an unknown size");
    const auto sectionAt = [&](std::uint64_t index) {
        // No overflow: e_shnum and e_shentsize have 16 bits.
        const auto offset = index * sizeof(Elf64_Shdr);
        return header->e_shoff > cubin.size() ? std::nullopt : at<Elf64_Shdr>(cubin, header->e_shoff + offset);
    };
    const auto namesHeader = sectionAt(header->e_shstrndx);
    if (!namesHeader) return damaged("its table of section names is outside of the file");
    const auto names = range(cubin, namesHeader->sh_offset, namesHeader->sh_size);
    if (!names) return damaged("its table of section names is outside of the file");
    std::vector<CubinSection> sections;
    for (std::uint16_t index = 0; index < header->e_shnum; ++index) {
        const auto section = sectionAt(index);
        if (!section) return damaged(fmt::format("the header of section {} is outside of the file", index));
        if (section->sh_type == SHT_NULL || section->sh_type == SHT_NOBITS) continue;
        const auto bytes = range(cubin, section->sh_offset, section->sh_size);
        if (!bytes) return damaged(fmt::format("section {} is outside of the file", index));
        if (section->sh_name >= names->size()) return damaged(fmt::format("section {} has no name", index));
        const auto name = names->substr(section->sh_name);
        const auto end = name.find('\0');
        if (end == std::string_view::npos) return damaged(fmt::format("the name of section {} does not end", index));
        sections.push_back({name.substr(0, end), *bytes});
    }
    return sections;
}

Expected<std::string> textSha256(std::string_view cubin) {
    auto sections = cubinSections(cubin);
    if (!sections) return std::unexpected(std::move(sections.error()));
    std::erase_if(*sections, [](const CubinSection& section) { return !section.name.starts_with(".text."); });
    if (sections->empty()) return failure(Cause::badRequest, "the cubin holds no code: it has no .text section");
    std::ranges::sort(*sections, {}, &CubinSection::name);
    std::string all;
    for (const auto& section : *sections) {
        all += fmt::format("{} {}\n", section.name, section.bytes.size());
        all += section.bytes;
    }
    return sha256Hex(std::string_view(all));
}

std::optional<std::uint32_t> entryConstantBytes(const std::vector<CubinSection>& sections, std::string_view entry) {
    std::optional<std::uint32_t> parameters;
    std::uint32_t constants = 0;
    for (const auto& section : sections) {
        if (section.name == fmt::format(".nv.info.{}", entry)) parameters = parameterBytes(section.bytes).value_or(0);
        if (!section.name.starts_with(".nv.constant") || section.name.starts_with(".nv.constant0.")) continue;
        if (section.name.ends_with(fmt::format(".{}", entry)))
            constants += static_cast<std::uint32_t>(section.bytes.size());
    }
    if (!parameters) return std::nullopt;
    return *parameters + constants;
}

} // namespace ptxwb::toolchain

#include "damage.h"

#include <array>

namespace ptxwb::ptx::mutation {

namespace {

using Answer = std::optional<Edit>;

/// The whole line around `span`, with its line end.
Span lineOf(const Module& module, Span span) {
    const std::string& text = *module.text;
    const std::size_t before = span.offset ? text.rfind('\n', span.offset - 1) : std::string::npos;
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t end = text.find('\n', span.end());
    return {static_cast<std::uint32_t>(begin),
            static_cast<std::uint32_t>((end == std::string::npos ? text.size() : end + 1) - begin)};
}

const RegisterGroup* anyGroup(const Place& place) {
    const auto& all = place.function.registers;
    return all.empty() ? nullptr : &all[place.random.below(all.size())];
}

Answer declarationMissing(const Place& place) {
    const RegisterGroup* group = anyGroup(place);
    if (!group) return std::nullopt;
    const Span line = lineOf(place.module, group->span);
    const std::string text = place.textOf(line);
    // Lines with one declaration only: otherwise something else goes as well.
    if (text.find(';') != text.rfind(';') || text.find(".reg") == std::string::npos) return std::nullopt;
    return Edit{line, "\n"};
}

Answer declarationTwice(const Place& place) {
    const RegisterGroup* group = anyGroup(place);
    if (!group) return std::nullopt;
    return Edit{{group->span.end(), 0}, ", " + place.textOf(group->span)};
}

Answer otherDeclaredType(const Place& place) {
    static constexpr std::array<std::string_view, 6> types{".b16", ".b32", ".b64", ".f32", ".f64", ".pred"};
    const RegisterGroup* group = anyGroup(place);
    if (!group) return std::nullopt;
    const Span line = lineOf(place.module, group->span);
    const std::string text = place.textOf(line);
    const std::string old = "." + std::string(name(group->type));
    const std::size_t at = text.find(old + " ");
    if (at == std::string::npos) return std::nullopt;
    const std::string_view other = place.random.of(std::span<const std::string_view>(types));
    if (old == other) return std::nullopt;
    return Edit{{line.offset + static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(old.size())},
                std::string(other)};
}

Answer fewerRegisters(const Place& place) {
    const RegisterGroup* group = anyGroup(place);
    if (!group || group->count < 2) return std::nullopt;
    return Edit{group->span, std::string(group->stem) + "<1>"};
}

const Label* anyLabel(const Place& place) {
    const auto& all = place.function.labels;
    return all.empty() ? nullptr : &all[place.random.below(all.size())];
}

Answer labelMissing(const Place& place) {
    const Label* label = anyLabel(place);
    if (!label || label->directive != noIndex) return std::nullopt;
    const std::string& text = *place.module.text;
    const std::size_t colon = text.find(':', label->span.offset);
    if (colon == std::string::npos) return std::nullopt;
    return Edit{{label->span.offset, static_cast<std::uint32_t>(colon + 1 - label->span.offset)}, ""};
}

Answer labelTwice(const Place& place) {
    const Label* label = anyLabel(place);
    if (!label || label->directive != noIndex) return std::nullopt;
    return Edit{{place.instruction.span.offset, 0}, std::string(label->name) + ": "};
}

Answer labelWithoutColon(const Place& place) {
    const Label* label = anyLabel(place);
    if (!label) return std::nullopt;
    const std::size_t colon = place.module.text->find(':', label->span.offset);
    return Edit{{static_cast<std::uint32_t>(colon), 1}, ""};
}

Answer braceMissing(const Place& place) {
    const Span body = place.function.bodySpan;
    return Edit{{place.random.below(2) ? body.offset : body.end() - 1, 1}, ""};
}

Answer braceTooMany(const Place& place) {
    return Edit{{place.instruction.span.offset, 0}, place.random.below(2) ? "} " : "{ "};
}

Answer directiveMisspelt(const Place& place) {
    static constexpr std::array<std::string_view, 9> words{".reg",     ".entry",  ".func",    ".param", ".visible",
                                                           ".version", ".target", ".maxntid", ".align"};
    const std::string& text = *place.module.text;
    const std::string word(place.random.of(std::span<const std::string_view>(words)));
    const std::size_t start = place.random.below(text.size());
    std::size_t at = text.find(word + " ", start);
    if (at == std::string::npos) at = text.find(word + " ");
    if (at == std::string::npos) return std::nullopt;
    std::string other = word;
    std::swap(other[2], other[3]);
    return Edit{{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(word.size())}, other};
}

Answer parameterMissing(const Place& place) {
    const auto& all = place.function.parameters;
    if (all.empty()) return std::nullopt;
    const Variable& one = all[place.random.below(all.size())];
    return Edit{one.nameSpan, std::string(one.name) + "x"};
}

Answer versionTooOld(const Place& place) {
    static constexpr std::array<std::string_view, 5> versions{".version 3.0", ".version 6.0", ".version 7.8",
                                                              ".version 6.7", ".version 8.4"};
    return Edit{place.module.versionSpan, std::string(place.random.of(std::span<const std::string_view>(versions)))};
}

Answer variableTwice(const Place& place) {
    const auto& all = place.module.variables;
    if (all.empty()) return std::nullopt;
    const Variable& one = all[place.random.below(all.size())];
    return Edit{{place.function.span.offset, 0}, ".global .b32 " + std::string(one.name) + ";\n"};
}

constexpr Damage damages[] = {
    {"declaration missing", declarationMissing},
    {"declaration twice", declarationTwice},
    {"another declared type", otherDeclaredType},
    {"fewer registers", fewerRegisters},
    {"label missing", labelMissing},
    {"label twice", labelTwice},
    {"label without colon", labelWithoutColon},
    {"brace missing", braceMissing},
    {"brace too many", braceTooMany},
    {"directive misspelt", directiveMisspelt},
    {"parameter missing", parameterMissing},
    {"version too old", versionTooOld},
    {"variable twice", variableTwice},
};

} // namespace

std::span<const Damage> declarationDamages() {
    return damages;
}

std::optional<Edit> damage(const Module& module, const Damage& kind, Random& random) {
    for (int tries = 0; tries < 40; ++tries) {
        const Function& function = module.functions[random.below(module.functions.size())];
        if (function.instructions.empty()) continue;
        const Instruction& instruction = function.instructions[random.below(function.instructions.size())];
        if (auto edit = kind.make({module, function, instruction, random})) return edit;
    }
    return std::nullopt;
}

} // namespace ptxwb::ptx::mutation

#include "ptx/instruction_help.h"

#include <fmt/format.h>

namespace ptxwb::ptx {

namespace {

struct Chapter {
    std::string_view section, anchor;
};

constexpr Chapter chapters[] = {
    {"9.7.1.", "integer-arithmetic-instructions"},
    {"9.7.2.", "extended-precision-integer-arithmetic-instructions"},
    {"9.7.3.", "floating-point-instructions"},
    {"9.7.6.", "comparison-and-selection-instructions"},
    {"9.7.8.", "logic-and-shift-instructions"},
    {"9.7.9.", "data-movement-and-conversion-instructions"},
    {"9.7.10.", "texture-instructions"},
    {"9.7.11.", "surface-instructions"},
    {"9.7.12.", "control-flow-instructions"},
    {"9.7.13.", "parallel-synchronization-and-communication-instructions"},
    {"9.7.14.", "warp-level-matrix-instructions"},
    {"9.7.15", "asynchronous-warpgroup-level-matrix-instructions"},
    {"9.7.16", "tensorcore-5th-generation-instructions"},
    {"9.7.17.", "stack-manipulation-instructions"},
    {"9.7.18.", "video-instructions"},
    {"9.7.19.", "miscellaneous-instructions"},
};

std::string addressOf(std::string_view section) {
    constexpr std::string_view page = "https://docs.nvidia.com/cuda/parallel-thread-execution/index.html";
    for (const Chapter& chapter : chapters)
        if (section.starts_with(chapter.section)) return fmt::format("{}#{}", page, chapter.anchor);
    return std::string(page);
}

/// What no toolkit in use lacks is not told.
std::string sinceText(unsigned ptx, unsigned target, bool letter) {
    std::string text;
    if (ptx >= 60) text = fmt::format("PTX {}.{}", ptx / 10, ptx % 10);
    if (target >= 60) text += fmt::format("{}sm_{}{}", text.empty() ? "" : ", ", target, letter ? "a" : "");
    return text;
}

} // namespace

std::optional<InstructionCard> instructionCard(std::string_view written) {
    std::vector<ModifierUse> words;
    const std::size_t end = written.find('.');
    const Opcode code = opcode(written.substr(0, end));
    if (code == Opcode::unknown) return std::nullopt;
    for (std::string_view rest = end == std::string_view::npos ? "" : written.substr(end + 1); !rest.empty();) {
        const std::size_t dot = rest.find('.');
        const Word meaning = word(rest.substr(0, dot));
        words.push_back({meaning.modifier, meaning.type, meaning.space, meaning.vector, {}});
        rest = dot == std::string_view::npos ? "" : rest.substr(dot + 1);
    }
    const InstructionRow& row = *instructionRow(code);
    InstructionCard card;
    card.name = row.name;
    card.operands = row.operands == "*" ? "" : row.operands;
    card.meaning = row.meaning;
    card.section = row.section;
    card.address = addressOf(row.section);
    card.since = sinceText(row.firstPtx, row.firstTarget, false);
    const Form* const nearest = words.empty() ? nullptr : bestFit(code, words).form;
    for (const Form& form : formsOf(code))
        card.forms.push_back({fmt::format("{}{}", row.name, formText(form)),
                              sinceText(form.firstPtx, form.firstTarget, form.needsLetter), &form == nearest});
    return card;
}

} // namespace ptxwb::ptx

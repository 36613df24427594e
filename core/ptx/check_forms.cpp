#include "ptx/check_context.h"
#include "ptx/operand_shapes.h"

#include <fmt/format.h>

#include <bit>

namespace ptxwb::ptx {

namespace {

/// The requirements of the first years are not told apart by any toolkit in use.
constexpr unsigned firstCheckedVersion = 40, firstCheckedTarget = 60;

Span headOf(const Function& function, const Instruction& instruction) {
    const auto modifiers = function.modifiersOf(instruction);
    const std::uint32_t end = modifiers.empty() ? instruction.opcodeSpan.end() : modifiers.back().span.end();
    return {instruction.opcodeSpan.offset, end - instruction.opcodeSpan.offset};
}

bool anyFormHas(Opcode opcode, WordKey key) {
    for (const Form& form : formsOf(opcode))
        for (const std::uint16_t group : form.groups)
            if (formGroup(group).has(key)) return true;
    return false;
}

std::string choices(const WordGroup& group) {
    std::string all;
    constexpr std::size_t shown = 10;
    for (std::size_t i = 0; i < group.words.size() && i < shown; ++i)
        all += fmt::format("{}.{}", i ? " " : "", wordText(group.words[i]));
    return group.words.size() > shown ? all + " ..." : all;
}

void reportMisfit(CheckContext& context, const Function& function, const Instruction& instruction, const Fit& fit) {
    const auto modifiers = function.modifiersOf(instruction);
    const std::string_view opcodeName = instructionRow(instruction.opcode)->name;
    const std::string_view written = writtenName(context, function, instruction);
    const auto say = [&](Span span, std::string message) {
        std::string hint = fit.form->groups.empty()
                               ? fmt::format("write {} alone", opcodeName)
                               : fmt::format("it is written {}{}", opcodeName, formText(*fit.form));
        // What this program's table does not have a newer PTX may.
        if (context.module.version <= ptxVersions().back())
            context.reporter.error(span, std::move(message), std::move(hint));
        else
            context.reporter.note(span, std::move(message), std::move(hint));
    };
    if (fit.extra) {
        const ModifierUse& use = modifiers[static_cast<std::size_t>(std::countr_zero(fit.extra))];
        const std::string_view word = context.module.textOf(use.span);
        if (!anyFormHas(instruction.opcode, wordKey(use)))
            say(use.span, fmt::format("{} has no {} {}", opcodeName,
                                      use.type != ScalarType::none ? "form for" : "modifier", word));
        else
            say(use.span, fmt::format("{} does not go with the rest of {}", word, written));
        return;
    }
    const auto at = static_cast<std::size_t>(std::countr_zero(fit.missing));
    const WordGroup& group = formGroup(fit.form->groups[at]);
    if (group.words.size() == 1)
        say(headOf(function, instruction), fmt::format("{} needs .{}", written, wordText(group.words[0])));
    else
        say(headOf(function, instruction), fmt::format("{} needs one of {}", written, choices(group)));
}

void checkVersionOf(CheckContext& context, std::string_view what, unsigned first, Span span) {
    const unsigned version = context.module.version;
    if (!version || first < firstCheckedVersion || version >= first) return;
    Diagnostic* const d = context.reporter.error(span,
                                                 fmt::format("{} came with PTX {}, and this file is written in PTX {}",
                                                             what, versionText(first), versionText(version)),
                                                 fmt::format("write .version {} or newer", versionText(first)));
    Reporter::relate(d, context.module, context.module.versionSpan, "the version is declared here");
}

void checkTargetOf(CheckContext& context, std::string_view what, const Form& form, Span span) {
    const Target target = context.target;
    if (!target.sm || form.firstTarget < firstCheckedTarget) return;
    const bool old = target.sm < form.firstTarget, plain = form.needsLetter && !target.suffix;
    const bool gone = form.beforeTarget && target.sm >= form.beforeTarget;
    if (!old && !plain && !gone) return;
    const std::string letter = form.needsLetter ? "a" : "";
    Diagnostic* const d = context.reporter.error(
        span,
        fmt::format("{} needs sm_{}{}, and the target is sm_{}{}", what, form.firstTarget, letter, target.sm,
                    target.suffix ? std::string(1, target.suffix) : ""),
        gone    ? "newer architectures do it another way"
        : plain ? fmt::format("write .target sm_{}a: what only one architecture has needs the letter", target.sm)
                : "choose a newer target, or do it another way");
    Reporter::relate(d, context.module, context.module.targetSpan, "the target is declared here");
}

/// Words that are newer than the form they stand in.
void checkWordAges(CheckContext& context, const Function& function, const Instruction& instruction, const Form& form) {
    for (const ModifierUse& use : function.modifiersOf(instruction)) {
        const WordAge age = wordAge(wordKey(use));
        const std::string_view word = context.module.textOf(use.span);
        if (age.firstPtx > form.firstPtx) checkVersionOf(context, word, age.firstPtx, use.span);
        Form asked;
        asked.firstTarget = age.firstTarget;
        if (age.firstTarget > form.firstTarget) checkTargetOf(context, word, asked, use.span);
    }
}

} // namespace

const Spelling& Spellings::of(std::string_view written, Opcode opcode, std::span<const ModifierUse> words) {
    const auto [found, isNew] = m_known.try_emplace(written);
    if (isNew) found->second = {bestFit(opcode, words), shapeRow(opcode, words)};
    return found->second;
}

void checkAge(CheckContext& context, const Function& function, const Instruction& instruction) {
    const InstructionRow& row = *instructionRow(instruction.opcode);
    Form oldest;
    oldest.firstTarget = row.firstTarget;
    checkVersionOf(context, row.name, row.firstPtx, instruction.opcodeSpan);
    if (formsOf(instruction.opcode).empty()) return checkTargetOf(context, row.name, oldest, instruction.opcodeSpan);
    const std::string_view written = writtenName(context, function, instruction);
    const Fit& fit = context.spellings.of(written, instruction.opcode, function.modifiersOf(instruction)).fit;
    if (!fit.fits()) return checkTargetOf(context, row.name, oldest, instruction.opcodeSpan);
    const Span head = headOf(function, instruction);
    if (fit.form->firstPtx > row.firstPtx) checkVersionOf(context, written, fit.form->firstPtx, head);
    const bool asOpcode = fit.form->firstTarget == row.firstTarget && !fit.form->beforeTarget;
    checkTargetOf(context, asOpcode ? row.name : written, *fit.form, asOpcode ? instruction.opcodeSpan : head);
    checkWordAges(context, function, instruction, *fit.form);
    // The one opcode whose number of operands grew.
    const bool grew = instruction.opcode == Opcode::min || instruction.opcode == Opcode::max;
    if (grew && instruction.operandCount == 4) {
        Form three = *fit.form;
        three.firstTarget = 100;
        const std::string what = fmt::format("{} of three", written);
        checkVersionOf(context, what, 88, head);
        checkTargetOf(context, what, three, head);
    }
}

void checkForm(CheckContext& context, const Function& function, const Instruction& instruction) {
    if (formsOf(instruction.opcode).empty()) return;
    const auto words = function.modifiersOf(instruction);
    for (const ModifierUse& use : words)
        if (wordKey(use) == noWord) return; // has been reported
    const Fit& fit = context.spellings.of(writtenName(context, function, instruction), instruction.opcode, words).fit;
    if (!fit.fits()) reportMisfit(context, function, instruction, fit);
}

} // namespace ptxwb::ptx

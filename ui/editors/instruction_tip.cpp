#include "editors/instruction_tip.h"

#include "ptx/instruction_help.h"
#include "ptx/instruction_notes.h"

#include <QCoreApplication>

#include <algorithm>

namespace ptxwb::ui {

namespace {

constexpr std::size_t mostForms = 4; ///< those of a load take three lines each

QString html(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size())).toHtmlEscaped();
}

bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

/// Letters, digits and what stands within an opcode: "cp.async.ca", "setp.lt.s32", "mbarrier::complete_tx".
bool isOpcodeCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == ':';
}

/// Behind labels ("$L1:"), braces and a guard ("@%p1", "@!%p1").
std::size_t statementStart(std::string_view line) {
    std::size_t at = 0;
    while (at < line.size()) {
        while (at < line.size() && (isBlank(line[at]) || line[at] == '{' || line[at] == '}')) ++at;
        const std::size_t word = at;
        if (at < line.size() && line[at] == '@') {
            while (at < line.size() && !isBlank(line[at])) ++at;
            continue;
        }
        while (at < line.size() && !isBlank(line[at]) && line[at] != ';') ++at;
        if (at > word && line[at - 1] == ':') continue; // a label
        return word;
    }
    return line.size();
}

QString translated(const char* words) {
    return QCoreApplication::translate("InstructionTip", words);
}

/// Cost, rates and latency, each with where it is from.
QString costHtml(const ptx::InstructionNotes& notes) {
    QString text = translated("<p><i>Cost:</i> %1</p>").arg(html(notes.cost));
    for (const ptx::InstructionNotes::Rate& rate : notes.rates) {
        QStringList figures;
        for (const auto& [capability, count] : rate.perClock)
            figures += translated("%1 on %2").arg(count).arg(html(capability));
        text += translated("<p><i>Rate:</i> %1: %2 results a clock and multiprocessor.</p>")
                    .arg(html(rate.what), figures.join(QStringLiteral(", ")));
    }
    return text + translated("<p><i>Latency:</i> %1.</p>").arg(html(notes.latency));
}

} // namespace

std::string_view opcodeOnLine(std::string_view line, int column) {
    const std::size_t begin = statementStart(line);
    std::size_t end = begin;
    while (end < line.size() && isOpcodeCharacter(line[end])) ++end;
    if (end == begin || line[begin] < 'a' || line[begin] > 'z') return {};
    const auto at = static_cast<std::size_t>(column);
    if (column >= 0 && (at < begin || at > end)) return {};
    return line.substr(begin, end - begin);
}

QString instructionTip(std::string_view opcode) {
    const auto card = ptx::instructionCard(opcode);
    if (!card) return {};
    const std::string_view mnemonic = opcode.substr(0, opcode.find('.'));
    const ptx::InstructionNotes* const notes = ptx::instructionNotes(ptx::opcode(mnemonic));
    QString text = QStringLiteral("<b>%1</b>").arg(html(card->name));
    if (notes) {
        // One line for each form.
        text += QStringLiteral(" <tt>%1</tt>")
                    .arg(html(notes->syntax).replace(QStringLiteral(";  "), QStringLiteral(";<br>")));
        text += QStringLiteral("<p>%1</p>").arg(html(notes->meaning));
        text += translated("<p><i>Types:</i> %1</p>").arg(html(notes->types));
    } else {
        if (!card->operands.empty()) text += QStringLiteral(" <tt>%1</tt>").arg(html(card->operands));
        text += QStringLiteral("<br>%1").arg(html(card->meaning));
    }
    // The form that is meant comes first, then as many others as one reads.
    auto forms = card->forms;
    std::ranges::stable_sort(forms, [](const auto& a, const auto& b) { return a.isThis > b.isThis; });
    text += QStringLiteral("<table cellspacing='0' cellpadding='1'>");
    for (std::size_t i = 0; i < std::min(forms.size(), mostForms); ++i)
        text += QStringLiteral("<tr><td><tt>%1%2%3</tt>&nbsp;&nbsp;</td><td>%4</td></tr>")
                    .arg(forms[i].isThis ? QStringLiteral("<b>") : QString(), html(forms[i].text),
                         forms[i].isThis ? QStringLiteral("</b>") : QString(), html(forms[i].since));
    text += QStringLiteral("</table>");
    if (forms.size() > mostForms)
        text += QCoreApplication::translate("InstructionTip", "and %n more form(s)<br>", nullptr,
                                            int(forms.size() - mostForms));
    if (notes) text += costHtml(*notes);
    QStringList last;
    if (!card->since.empty()) last += QCoreApplication::translate("InstructionTip", "since %1").arg(html(card->since));
    if (!card->section.empty())
        last += QCoreApplication::translate("InstructionTip", "PTX ISA 9.0, %1").arg(html(card->section));
    return text + last.join(QStringLiteral("; "));
}

} // namespace ptxwb::ui

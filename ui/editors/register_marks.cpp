#include "editors/register_marks.h"

#include "editors/editor.h"
#include "editors/scintilla_numbers.h"

namespace ptxwb::ui {

using S = QsciScintillaBase;

void RegisterMarks::show(Editor& editor, const ptx::Module& module, std::uint32_t offset) {
    const auto operand = ptx::operandAt(module, offset);
    if (!operand || operand->kind != ptx::OperandKind::reg) return clear(editor);
    const ptx::Function& function = module.functions[operand->function];
    const ptx::RegisterUse use = ptx::registerUse(module, *operand);
    const BatchUpdate batch(editor);
    clear(editor);
    m_shown = true;
    const auto lineOf = [&](std::uint32_t instruction) {
        return std::uintptr_t(module.lineOf(function.instructions[instruction].opcodeSpan.offset) - 1);
    };
    for (const ptx::Occurrence& one : use.occurrences) {
        editor.send(S::SCI_SETINDICATORCURRENT, std::uintptr_t(one.inRange ? indicator::use : indicator::otherUse));
        editor.send(S::SCI_INDICATORFILLRANGE, std::uintptr_t(one.span.offset), long(one.span.length));
        if (!one.inRange) continue;
        // A line that reads and writes has both marks; the one of the write lies over the other.
        editor.send(S::SCI_MARKERADD, lineOf(one.instruction), long(one.isWrite ? marker::write : marker::read));
    }
    for (std::uint32_t i = 0; i < use.live.size(); ++i)
        if (use.live[i]) editor.send(S::SCI_MARKERADD, lineOf(i), long(marker::live));
    editor.showRangeMargin(true);
}

void RegisterMarks::clear(Editor& editor) {
    if (!m_shown) return;
    m_shown = false;
    for (const int each : {indicator::use, indicator::otherUse}) {
        editor.send(S::SCI_SETINDICATORCURRENT, std::uintptr_t(each));
        editor.send(S::SCI_INDICATORCLEARRANGE, 0, editor.length());
    }
    for (const int each : {marker::live, marker::read, marker::write})
        editor.send(S::SCI_MARKERDELETEALL, std::uintptr_t(each));
    editor.showRangeMargin(false);
}

} // namespace ptxwb::ui

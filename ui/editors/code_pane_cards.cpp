// What a code pane knows of its PTX: the card of an instruction, the operand under the pointer, the register at the
// caret.
#include "editors/card_popup.h"
#include "editors/code_pane.h"
#include "editors/editor.h"
#include "editors/instruction_tip.h"
#include "editors/long_lines.h"
#include "editors/operand_tip.h"

namespace ptxwb::ui {

using S = QsciScintillaBase;

void CodePane::showInstructionHelp() {
    if (m_language != Language::ptx) return;
    const int line = currentLine() - 1;
    QStringList cards{instructionTip(opcodeOnLine(lineBytes(line), -1))};
    const long caret = m_editor->send(S::SCI_GETCURRENTPOS);
    // The caret stands between two characters: the name may end there.
    for (const long at : {caret, caret - 1}) {
        const auto offset = moduleOffset(at);
        const auto operand = offset ? ptx::operandAt(*m_module, *offset) : std::nullopt;
        if (!operand) continue;
        cards.prepend(operandTip(*m_module, *operand));
        break;
    }
    cards.removeAll(QString());
    if (cards.isEmpty()) cards += tr("There is no instruction on this line that the table knows.");
    if (!m_card) {
        m_card = new CardPopup(this);
        connect(m_card, &CardPopup::lineWanted, this, [this](int wanted) { goToLine(wanted); });
    }
    const long start = m_editor->lineStart(line);
    const QPoint place(int(m_editor->send(S::SCI_POINTXFROMPOSITION, 0, start)),
                       int(m_editor->send(S::SCI_POINTYFROMPOSITION, 0, start)) + m_editor->lineHeight());
    m_card->showAt(m_editor->viewport()->mapToGlobal(place), cards.join(QStringLiteral("<hr>")));
}

/// A position of the editor as a byte of the module's text; nothing where there is no module.
std::optional<std::uint32_t> CodePane::moduleOffset(long position) const {
    if (!m_module || position < 0 || position >= long(m_module->text->size())) return std::nullopt;
    return static_cast<std::uint32_t>(position);
}

void CodePane::setModule(std::shared_ptr<const ptx::Module> module) {
    // Over-long lines are shown shortened: places would not fit.
    const bool fits = module && m_longLines->empty() && long(module->text->size()) == m_editor->length();
    if (!fits && !m_module) return;
    m_module = fits ? std::move(module) : nullptr;
    if (m_module)
        markRegister();
    else
        m_registerMarks.clear(*m_editor);
    emit moduleChanged();
}

void CodePane::markRegister() {
    if (!m_module) return m_registerMarks.clear(*m_editor);
    // The caret may stand behind the name.
    const long caret = m_editor->send(S::SCI_GETCURRENTPOS);
    const auto at = moduleOffset(caret), before = moduleOffset(caret - 1);
    const auto isOperand = [this](std::optional<std::uint32_t> offset) {
        return offset && ptx::operandAt(*m_module, *offset);
    };
    if (m_editor->hasSelectedText() || (!isOperand(at) && !isOperand(before)))
        m_registerMarks.clear(*m_editor);
    else
        m_registerMarks.show(*m_editor, *m_module, isOperand(at) ? *at : *before);
}

} // namespace ptxwb::ui

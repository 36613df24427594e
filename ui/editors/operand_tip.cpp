#include "editors/operand_tip.h"

#include "ptx/special_registers.h"

#include <QCoreApplication>
#include <QStringList>

namespace ptxwb::ui {

namespace {

constexpr std::size_t mostLines = 6;

QString tr(const char* words) {
    return QCoreApplication::translate("OperandTip", words);
}

QString html(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size())).simplified().toHtmlEscaped();
}

QString lineLink(std::uint32_t line) {
    return QStringLiteral("<a href='line:%1'>%1</a>").arg(line);
}

/// The whole line that an offset lies on.
std::string_view lineText(const ptx::Module& module, std::uint32_t line) {
    const std::uint32_t begin = module.lineStarts[line - 1];
    const std::uint32_t end =
        line < module.lineStarts.size() ? module.lineStarts[line] : static_cast<std::uint32_t>(module.text->size());
    return std::string_view(*module.text).substr(begin, std::min<std::uint32_t>(end - begin, 200));
}

QString lineRow(const ptx::Module& module, const QString& what, std::uint32_t line) {
    return QStringLiteral("<tr><td>%1&nbsp;</td><td>%2&nbsp;&nbsp;</td><td><tt>%3</tt></td></tr>")
        .arg(what, lineLink(line), html(lineText(module, line)));
}

/// "1-3, 7" of the lines on which the value lives.
QString liveLines(const ptx::Module& module, const ptx::Function& function, const std::vector<bool>& live) {
    QStringList parts;
    for (std::size_t i = 0; i < live.size(); ++i) {
        if (!live[i]) continue;
        const std::uint32_t first = module.lineOf(function.instructions[i].span.offset);
        while (i + 1 < live.size() && live[i + 1]) ++i;
        const std::uint32_t last = module.lineOf(function.instructions[i].span.offset);
        parts += first == last ? lineLink(first) : QStringLiteral("%1\u2013%2").arg(lineLink(first), lineLink(last));
        if (parts.size() == int(mostLines)) {
            parts += QStringLiteral("\u2026");
            break;
        }
    }
    return parts.join(QStringLiteral(", "));
}

QString registerRows(const ptx::Module& module, const ptx::OperandAt& operand) {
    const ptx::Function& function = module.functions[operand.function];
    const ptx::RegisterUse use = ptx::registerUse(module, operand);
    QString rows;
    const auto lineOf = [&](std::uint32_t instruction) {
        return module.lineOf(function.instructions[instruction].opcodeSpan.offset);
    };
    for (std::size_t i = 0; i < std::min(use.definitions.size(), mostLines); ++i)
        rows += lineRow(module, i == 0 ? tr("written in") : tr("or in"), lineOf(use.definitions[i]));
    if (use.maybeUnwritten)
        rows += QStringLiteral("<tr><td colspan='3'>%1</td></tr>").arg(tr("On some way here nothing has written it."));
    int reads = 0, writes = 0;
    for (const ptx::Occurrence& one : use.occurrences) {
        if (!one.inRange) continue;
        ++(one.isWrite ? writes : reads);
    }
    const QString live = liveLines(module, function, use.live);
    rows += QStringLiteral("<tr><td colspan='3'>%1</td></tr>")
                .arg(live.isEmpty() ? tr("This value is never read.")
                                    : tr("This value: written %1 times, read %2 times, live in lines %3")
                                          .arg(writes)
                                          .arg(reads)
                                          .arg(live));
    return rows;
}

QString kindOf(const ptx::Module& module, const ptx::OperandAt& operand) {
    const ptx::Function& function = module.functions[operand.function];
    switch (operand.kind) {
    case ptx::OperandKind::reg: return tr("register, .%1").arg(html(ptx::name(function.registerType(operand.symbol))));
    case ptx::OperandKind::label: return tr("label");
    case ptx::OperandKind::function: return tr("function");
    case ptx::OperandKind::variable: {
        if (operand.owner == ptx::Owner::module)
            return tr("variable in .%1 memory").arg(html(ptx::name(module.variables[operand.symbol].space)));
        if (operand.symbol >= ptx::resultBase) return tr("result");
        if (operand.symbol >= ptx::parameterBase) return tr("parameter");
        return tr("variable in .%1 memory").arg(html(ptx::name(ptx::variableOf(function, operand.symbol).space)));
    }
    default: return {};
    }
}

QString specialText(std::string_view written) {
    const ptx::SpecialRegister* const row = ptx::specialRegister(written.substr(0, written.find('.')));
    if (!row) return {};
    return tr("<b>%1</b> special register, .%2, read-only%3")
        .arg(html(written), html(ptx::name(row->type)),
             row->components > 1 ? tr("; it has the parts .x, .y and .z") : QString());
}

} // namespace

QString operandTip(const ptx::Module& module, const ptx::OperandAt& operand) {
    const std::string_view name = module.textOf(operand.span);
    if (operand.kind == ptx::OperandKind::special) return specialText(name);
    const auto declared = ptx::declarationOf(module, operand);
    if (!declared) return {};
    QString text =
        QStringLiteral("<b>%1</b> %2<table cellspacing='0' cellpadding='1'>").arg(html(name), kindOf(module, operand));
    text += lineRow(module, tr("declared in"), module.lineOf(declared->offset));
    if (operand.kind == ptx::OperandKind::reg) text += registerRows(module, operand);
    return text + QStringLiteral("</table>");
}

} // namespace ptxwb::ui

// A PTX kernel of many lines, and the same with other registers and a change now and then.
// Used by the tests of the editors and by ui_bench.
#pragma once

#include <QByteArray>

namespace ptxwb::ui::test {

/// `lines` instructions; every `editEvery`th is another one, is missing or has a neighbour (0: none). `offset` is added
/// to every register's number.
inline QByteArray longKernel(int lines, int offset = 0, int editEvery = 0) {
    QByteArray text =
        ".version 9.0\n.target sm_90\n.address_size 64\n\n.visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n"
        "\t.reg .f32 \t%f<40000>;\n\t.reg .b32 \t%r<40000>;\n\t.reg .b64 \t%rd<40000>;\n\n";
    const auto name = [offset](const char* stem, int number) {
        return QByteArray(stem) + QByteArray::number(number + offset);
    };
    for (int i = 1; i <= lines; ++i) {
        const bool edit = editEvery != 0 && i % editEvery == 0;
        if (edit && i / editEvery % 3 == 0) continue;
        if (edit && i / editEvery % 3 == 1) text += "\tadd.s32 \t" + name("%r", 20'000 + i) + ", 1, 2;\n";
        const QByteArray opcode = edit ? "fma.rz.f32" : "fma.rn.f32";
        switch (i % 4) {
        case 0:
            text += "\tld.global.f32 \t" + name("%f", i) + ", [" + name("%rd", i % 7) + "+" +
                    QByteArray::number(4 * i) + "];\n";
            break;
        case 1:
            text += "\t" + opcode + " \t" + name("%f", i) + ", " + name("%f", i - 1) + ", " + name("%f", i / 2) + ", " +
                    name("%f", i / 3) + ";\n";
            break;
        case 2:
            text += "\tadd.s32 \t" + name("%r", i) + ", " + name("%r", i / 2) + ", " + QByteArray::number(i) + ";\n";
            break;
        default:
            text += "\tst.global.f32 \t[" + name("%rd", i % 5) + "+" + QByteArray::number(4 * i) + "], " +
                    name("%f", i / 2) + ";\n";
        }
    }
    return text + "\tret;\n}\n";
}

} // namespace ptxwb::ui::test

// Source: PTX ISA 9.0, 9.7.14.5.15 ldmatrix, 9.7.14.5.16 stmatrix, 9.7.14.5.17 movmatrix. Lane l of a fragment holds
// the elements 2 (l mod 4) and 2 (l mod 4) + 1 of row l / 4; transposed, of column l / 4.
#include "emulator/matrix.h"

namespace ptxwb::emulator {

namespace {

using Matrix = std::uint16_t[8][8];

void fromFragment(const Step& step, SlotRef slot, Matrix& m, bool transposed) {
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned e = 0; e < 2; ++e) {
            const auto v = static_cast<std::uint16_t>(step.value(slot, lane) >> (16 * e));
            const unsigned major = lane / 4, minor = lane % 4 * 2 + e;
            (transposed ? m[minor][major] : m[major][minor]) = v;
        }
}

void toFragment(const Step& step, SlotRef slot, const Matrix& m, bool transposed) {
    for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned major = lane / 4, minor = lane % 4 * 2;
        const std::uint32_t low = transposed ? m[minor][major] : m[major][minor];
        const std::uint32_t high = transposed ? m[minor + 1][major] : m[major][minor + 1];
        step.set(slot, lane, low | high << 16);
    }
}

} // namespace

void rowsToFragments(const Step& step, const MatrixOp& op) {
    static const FragmentFunction fragment = fragmentFunction();
    const std::uint32_t* words[4];
    for (unsigned word = 0; word < 4; ++word) words[word] = &step.word32(op.a[word].slot, 0);
    for (unsigned j = 0; j < op.d.size(); ++j) fragment(words, j, op.transposed, &step.word32(op.d[j].slot, 0));
}

void fragmentsToRows(const Step& step, const MatrixOp& op) {
    for (unsigned j = 0; j < op.a.size(); ++j) {
        Matrix m;
        fromFragment(step, op.a[j], m, op.transposed);
        for (unsigned row = 0; row < 8; ++row)
            for (unsigned word = 0; word < 4; ++word)
                step.set(op.d[word], 8 * j + row, m[row][2 * word] | std::uint32_t{m[row][2 * word + 1]} << 16);
    }
}

void transposeFragment(const Step& step, const MatrixOp& op) {
    Matrix m;
    fromFragment(step, op.a[0], m, false);
    toFragment(step, op.d[0], m, true);
}

} // namespace ptxwb::emulator

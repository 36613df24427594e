// A small kernel of our own for whole verifications: y[i] = 2 * x[i], with a body that each test chooses.
// Used by the tests of the funnel and of `ptxwb verify`.
#pragma once

#include <string>

namespace ptxwb::test {

/// PTX of the entry `twice(n, x, y)`. In `body`, which threads with i < n reach, %rd4 is &x[i] and %rd5 is &y[i].
inline std::string twicePtx(const std::string& body) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry twice(.param .u32 n, .param .u64 x, .param "
           ".u64 y)\n{\n"
           "\t.reg .pred %p;\n\t.reg .b32 %r<8>;\n\t.reg .f32 %f<4>;\n\t.reg .b64 %rd<8>;\n"
           "\tld.param.u32 %r1, [n];\n\tld.param.u64 %rd1, [x];\n\tld.param.u64 %rd2, [y];\n"
           "\tmov.u32 %r2, %ctaid.x;\n\tmov.u32 %r3, %ntid.x;\n\tmov.u32 %r4, %tid.x;\n\tmad.lo.s32 %r5, %r2, %r3, "
           "%r4;\n"
           "\tsetp.ge.s32 %p, %r5, %r1;\n\t@%p bra DONE;\n\tmul.wide.s32 %rd3, %r5, 4;\n\tadd.s64 %rd4, %rd1, "
           "%rd3;\n\tadd.s64 %rd5, %rd2, %rd3;\n" +
           body + "DONE:\n\tret;\n}\n";
}

/// The body that is right.
inline const std::string twiceBody =
    "\tld.global.f32 %f1, [%rd4];\n\tadd.f32 %f2, %f1, %f1;\n\tst.global.f32 [%rd5], %f2;\n";

} // namespace ptxwb::test

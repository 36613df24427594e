// Which code of a candidate the runs of the funnel reached, and which ways its branches went: what no run reached, no
// run has tested. Called by the funnel behind the stages that run kernels. Source: verification.md, "the tests were too
// weak".
#pragma once

#include "verify/dynamic_stages.h"

namespace ptxwb::verify {

/// A module's text with a store into a variable of its own before each piece of straight-line code, each guarded
/// instruction and each branch. No line changes its number. Exact on any machine, without a word from it.
struct MarkedText {
    std::string text;
    std::string variable; ///< 32-bit words, one a mark; not 0 where it was reached
    struct Mark {
        enum class What : std::uint8_t { code, guarded, taken, notTaken } what = What::code;
        std::uint32_t firstInstruction = 0; ///< of `function`
        std::uint32_t count = 1;            ///< instructions that it stands for
        const ptx::Function* function = nullptr;
    };
    std::vector<Mark> marks;
};
MarkedText markText(const ptx::Module& module, const std::vector<const ptx::Function*>& functions);

/// The launches of function and stress once more, on the emulator, over the marked text. Adds nothing but figures; at
/// most about as many instructions as a second of emulation takes, the smaller sizes first. Errors: as `runStage`.
Expected<Strength> measureCoverage(const Context& context, const PtxKernel& kernel);

} // namespace ptxwb::verify

// libFuzzer target of the checker, the analyses and completion: no input may crash, hang or leak.
// How to build and run it: CMakeLists.txt in this folder.
#include "ptx/analysis/dominators.h"
#include "ptx/analysis/liveness.h"
#include "ptx/analysis/outline.h"
#include "ptx/analysis/reaching.h"
#include "ptx/analysis/uniformity.h"
#include "ptx/check.h"
#include "ptx/completion.h"
#include "ptx/instruction_help.h"
#include "ptx/parse.h"

using namespace ptxwb;
using namespace ptxwb::ptx;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto module = parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz.ptx");
    for (const Diagnostic& diagnostic : check(*module)) format(diagnostic, *module->text);
    outline(*module);
    for (const Function& function : module->functions) {
        const ControlFlow flow = controlFlow(*module, function);
        const Liveness live = liveness(function, flow);
        registerPressure(function, flow, live);
        webs(function, flow);
        uniformity(*module, function, flow);
        const std::uint32_t line = module->lineOf(function.span.offset);
        regionLiveness(*module, function, flow, live, line, line + 5);
        for (const Instruction& instruction : function.instructions)
            instructionCard(module->textOf(instruction.opcodeSpan));
    }
    // A few carets, at places that the input itself decides.
    std::uint32_t place = 0;
    for (int i = 0; i < 8 && size > 0; ++i) {
        place = (place * 31 + data[place % size] + 7) % static_cast<std::uint32_t>(size + 1);
        complete(*module, place);
    }
    return 0;
}

// libFuzzer target of the lexer, the parser and the checker: no input may crash, hang or leak.
// How to build and run it: CMakeLists.txt in this folder.
#include "ptx/check.h"
#include "ptx/line_map.h"
#include "ptx/parse.h"
#include "ptx/print.h"

using namespace ptxwb;
using namespace ptxwb::ptx;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto module = parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz.ptx");
    for (const Diagnostic& diagnostic : check(*module)) format(diagnostic, *module->text);
    const LineMap map(*module);
    for (const Function& function : module->functions) {
        for (std::size_t i = 0; i < function.instructions.size(); ++i) instructionText(*module, function, i);
        map.sourceOf(module->lineOf(function.span.offset));
    }
    return 0;
}

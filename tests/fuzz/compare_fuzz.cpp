// libFuzzer target of the comparison: the input is two texts with a byte 0xFF between them; one text is compared with
// itself. No input may crash, hang or leak, and a text is the same as itself.
// How to build and run it: CMakeLists.txt in this folder.
#include "compare/compare.h"
#include "ptx/parse.h"

#include <cstdlib>
#include <string>

using namespace ptxwb;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string all(reinterpret_cast<const char*>(data), size);
    const std::size_t at = all.find('\xFF');
    const std::string left = all.substr(0, at), right = at == std::string::npos ? left : all.substr(at + 1);
    const auto a = ptx::parse(left, "left.ptx"), b = ptx::parse(right, "right.ptx");
    const compare::Comparison c = compare::compare(*a, *b);
    if (left == right && !c.same) std::abort();
    compare::compareText(left, right);
    return 0;
}

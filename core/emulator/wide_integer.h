// 128-bit integers, which the compilers have and the standard has not. For exact products and sums of 64-bit operands.
#pragma once

namespace ptxwb::emulator {

__extension__ using Signed128 = __int128;
__extension__ using Unsigned128 = unsigned __int128;

} // namespace ptxwb::emulator

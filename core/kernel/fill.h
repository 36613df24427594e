// Input data from a seed: the same bytes on every machine, by integer arithmetic and IEEE 754 operations only.
// Called by layout for every buffer of a launch.
//
// Defaults have a mean that is not 0, so that a kernel which answers with a constant or leaves out terms is noticed:
//   normal      mean 0.5, scale 1 (integers: mean 5, scale 10): the sum of twelve uniforms minus 6, scaled and moved
//   uniform     `low` to `high` (not reached by floats); default mean - scale/2 to mean + scale/2 with mean 0.5, scale
//   1
//               (signed integers -40 to 90, others 0 to 100)
//   integers    whole numbers `low` to `high`, default -3 to 12 (unsigned 0 to 15), exact in every type
//   constant    `value`, default 1.5 (integers 3)
//   iota        0, 1, 2, ...; starts anew where the type could not hold the next number exactly
//   sparse      nine of ten elements 0, the others as normal
//   denormal    subnormal numbers of both signs (integers: -1, 0, 1)
//   huge        both signs, a quarter of the largest finite value to that value (integers: the last 16 before each end)
//   cancelling  pairs that almost add up to 0: element 2k + 1 is minus element 2k, moved by at most 2^-10 of it
//   special     NaN, infinities, zeros of both signs, largest and smallest numbers among normal ones (integers: the
//   ends of
//               the range and their neighbours among normal ones)
//   negative    below zero, from -0.125 down: minus the amount of a normal one (unsigned integers: as normal)
//   wide        both signs, 2^-20 to 2^20 or what the type's exponents allow (integers: any number of bits)
//   isolated    at most one NaN or infinity in 64 elements, among normal ones (integers: an end of the range): what a
//               sum of many terms makes of a single one
// b8 to b64 are filled as unsigned integers.
#pragma once

#include "kernel/spec.h"

namespace ptxwb::kernel {

/// Key of one buffer's stream.
std::uint64_t fillKey(std::uint64_t seed, std::string_view argument);

/// Bits of element `index`. Not for FillKind::file.
std::uint64_t fillElement(const Fill& fill, ElementType type, std::uint64_t key, std::uint64_t index);

/// Elements 0 to bytes.size() / sizeOf(type) - 1, little-endian.
void fillBuffer(const Fill& fill, ElementType type, std::uint64_t key, std::span<std::uint8_t> bytes);

} // namespace ptxwb::kernel

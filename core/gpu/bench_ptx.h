// Small kernels with which a benchmark looks at outputs on the device. Used by benchmark.cpp only.
#pragma once

#include <string_view>

namespace ptxwb::gpu {

/// Counts words in which two buffers differ.
inline constexpr std::string_view differencesPtx = R"(.version 6.4
.target sm_75
.address_size 64
.visible .entry count_differences(.param .u64 a, .param .u64 b, .param .u64 words, .param .u64 counter)
{
	.reg .pred %p<3>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<12>;
	ld.param.u64 %rd1, [a];
	ld.param.u64 %rd2, [b];
	ld.param.u64 %rd3, [words];
	ld.param.u64 %rd4, [counter];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mov.u32 %r4, %nctaid.x;
	mad.wide.u32 %rd5, %r1, %r2, 0;
	cvt.u64.u32 %rd6, %r3;
	add.u64 %rd5, %rd5, %rd6;
	mul.wide.u32 %rd7, %r4, %r2;
	mov.u32 %r5, 0;
$loop:
	setp.ge.u64 %p1, %rd5, %rd3;
	@%p1 bra $done;
	shl.b64 %rd8, %rd5, 2;
	add.u64 %rd9, %rd1, %rd8;
	add.u64 %rd10, %rd2, %rd8;
	ld.global.u32 %r6, [%rd9];
	ld.global.u32 %r7, [%rd10];
	setp.ne.u32 %p2, %r6, %r7;
	@%p2 add.u32 %r5, %r5, 1;
	add.u64 %rd5, %rd5, %rd7;
	bra $loop;
$done:
	setp.ne.u32 %p2, %r5, 0;
	@%p2 red.global.add.u32 [%rd4], %r5;
	ret;
}
)";

/// A hash of a buffer's words by value and place: equal bits have equal hashes, whatever order the threads add in.
inline constexpr std::string_view hashPtx = R"(.version 6.4
.target sm_75
.address_size 64
.visible .entry hash_words(.param .u64 words, .param .u64 count, .param .u64 result)
{
	.reg .pred %p<2>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<16>;
	ld.param.u64 %rd1, [words];
	ld.param.u64 %rd2, [count];
	ld.param.u64 %rd3, [result];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mov.u32 %r4, %nctaid.x;
	mul.wide.u32 %rd4, %r1, %r2;
	cvt.u64.u32 %rd5, %r3;
	add.u64 %rd4, %rd4, %rd5;
	mul.wide.u32 %rd6, %r4, %r2;
	mov.u64 %rd7, 0;
$loop:
	setp.ge.u64 %p1, %rd4, %rd2;
	@%p1 bra $done;
	shl.b64 %rd8, %rd4, 2;
	add.u64 %rd8, %rd1, %rd8;
	ld.global.u32 %r5, [%rd8];
	cvt.u64.u32 %rd9, %r5;
	mul.lo.u64 %rd10, %rd4, 0x9E3779B97F4A7C15;
	add.u64 %rd9, %rd9, %rd10;
	shr.u64 %rd11, %rd9, 32;
	xor.b64 %rd9, %rd9, %rd11;
	mul.lo.u64 %rd9, %rd9, 0xD6E8FEB86659FD93;
	shr.u64 %rd11, %rd9, 32;
	xor.b64 %rd9, %rd9, %rd11;
	add.u64 %rd7, %rd7, %rd9;
	add.u64 %rd4, %rd4, %rd6;
	bra $loop;
$done:
	red.global.add.u64 [%rd3], %rd7;
	ret;
}
)";

} // namespace ptxwb::gpu

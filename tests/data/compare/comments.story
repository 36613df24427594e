Comments, blank lines and the indent are shown by no change.
--- left
.version 8.0
.target sm_80
.address_size 64

.visible .entry k(
	.param .u64 k_param_0,
	.param .u32 k_param_1
)
{
	.reg .pred %p<4>;
	.reg .f32 %f<9>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;

	ld.param.u64 	%rd1, [k_param_0];
	ld.param.u32 	%r1, [k_param_1];
	cvta.to.global.u64 	%rd2, %rd1;
	mov.u32 	%r2, %tid.x;
	mul.wide.u32 	%rd3, %r2, 4;
	add.s64 	%rd4, %rd2, %rd3;
	mov.f32 	%f1, 0f00000000;
	mov.u32 	%r3, 0;

$L__BB0_1:
	ld.global.f32 	%f2, [%rd2+16];
	ld.global.f32 	%f3, [%rd4];
	fma.rn.f32 	%f1, %f3, %f2, %f1;
	add.s32 	%r3, %r3, 1;
	setp.lt.s32 	%p1, %r3, %r1;
	@%p1 bra 	$L__BB0_1;

	mul.lo.s32 	%r4, %r2, 8;
	add.s32 	%r5, %r4, %r1;
	st.global.f32 	[%rd4], %f1;
	ret;
}
--- right
.version 8.0
.target sm_80
.address_size 64

.visible .entry k(
	.param .u64 k_param_0,
	.param .u32 k_param_1
)
{
	.reg .pred %p<4>;
	.reg .f32 %f<9>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;

	ld.param.u64 	%rd1, [k_param_0];
	ld.param.u32 	%r1, [k_param_1];
	cvta.to.global.u64 	%rd2, %rd1;
	mov.u32 	%r2, %tid.x;
	mul.wide.u32 	%rd3, %r2, 4;
	add.s64 	%rd4, %rd2, %rd3;
	// the sum

    mov.f32 %f1, 0f00000000;  // zero
	mov.u32 	%r3, 0;

$L__BB0_1:
	ld.global.f32 	%f2, [%rd2+16];
	ld.global.f32 	%f3, [%rd4];
	fma.rn.f32 	%f1, %f3, %f2, %f1;
	add.s32 	%r3, %r3, 1;
	setp.lt.s32 	%p1, %r3, %r1;
	@%p1 bra 	$L__BB0_1;

	mul.lo.s32 	%r4, %r2, 8;
	add.s32 	%r5, %r4, %r1;
	st.global.f32 	[%rd4], %f1;
	ret;
}
--- all
--- left.ptx
+++ right.ptx
@@ -1,4 +1,4 @@
    1   1 | .version 8.0
    2   2 | .target sm_80
    3   3 | .address_size 64
    4   4 | 
@@ -5,32 +5,34 @@ k
    5   5 | .visible .entry k(
    6   6 | 	.param .u64 k_param_0,
    7   7 | 	.param .u32 k_param_1
    8   8 | )
    9   9 | {
   10  10 | 	.reg .pred %p<4>;
   11  11 | 	.reg .f32 %f<9>;
   12  12 | 	.reg .b32 %r<9>;
   13  13 | 	.reg .b64 %rd<9>;
   14  14 | 
   15  15 | 	ld.param.u64 	%rd1, [k_param_0];
   16  16 | 	ld.param.u32 	%r1, [k_param_1];
   17  17 | 	cvta.to.global.u64 	%rd2, %rd1;
   18  18 | 	mov.u32 	%r2, %tid.x;
   19  19 | 	mul.wide.u32 	%rd3, %r2, 4;
   20  20 | 	add.s64 	%rd4, %rd2, %rd3;
+      21 | 	// the sum
+      22 | 
   21  23 | 	mov.f32 	%f1, 0f00000000;
   22  24 | 	mov.u32 	%r3, 0;
   23  25 | 
   24  26 | $L__BB0_1:
   25  27 | 	ld.global.f32 	%f2, [%rd2+16];
   26  28 | 	ld.global.f32 	%f3, [%rd4];
   27  29 | 	fma.rn.f32 	%f1, %f3, %f2, %f1;
   28  30 | 	add.s32 	%r3, %r3, 1;
   29  31 | 	setp.lt.s32 	%p1, %r3, %r1;
   30  32 | 	@%p1 bra 	$L__BB0_1;
   31  33 | 
   32  34 | 	mul.lo.s32 	%r4, %r2, 8;
   33  35 | 	add.s32 	%r5, %r4, %r1;
   34  36 | 	st.global.f32 	[%rd4], %f1;
   35  37 | 	ret;
   36  38 | }
same: 0 renamed, 32 identical

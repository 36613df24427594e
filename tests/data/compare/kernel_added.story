A function that only one side has takes part in nothing else.
--- left
.version 8.0
.target sm_80
.address_size 64

.visible .entry other(
	.param .u64 other_param_0,
	.param .u32 other_param_1
)
{
	.reg .pred %p<4>;
	.reg .f32 %f<9>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;

	ld.param.u32 	%r1, [other_param_1];
	add.s32 	%r2, %r1, 5;
	bar.sync 	0;
	ret;
}
--- right
.version 8.0
.target sm_80
.address_size 64

.visible .entry other(
	.param .u64 other_param_0,
	.param .u32 other_param_1
)
{
	.reg .pred %p<4>;
	.reg .f32 %f<9>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;

	ld.param.u32 	%r1, [other_param_1];
	add.s32 	%r2, %r1, 5;
	bar.sync 	0;
	ret;
}

.visible .entry third(
	.param .u64 third_param_0,
	.param .u32 third_param_1
)
{
	.reg .pred %p<4>;
	.reg .f32 %f<9>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;

	mov.u32 	%r1, %tid.x;
	ret;
}

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
--- changed
--- left.ptx
+++ right.ptx
@@ -19,1 +19,48 @@ third
   19  19 | }
+      20 | 
+      21 | .visible .entry third(
+      22 | 	.param .u64 third_param_0,
+      23 | 	.param .u32 third_param_1
+      24 | )
+      25 | {
+      26 | 	.reg .pred %p<4>;
+      27 | 	.reg .f32 %f<9>;
+      28 | 	.reg .b32 %r<9>;
+      29 | 	.reg .b64 %rd<9>;
+      30 | 
+      31 | 	mov.u32 	%r1, %tid.x;
+      32 | 	ret;
+      33 | }
+      34 | 
+      35 | .visible .entry k(
+      36 | 	.param .u64 k_param_0,
+      37 | 	.param .u32 k_param_1
+      38 | )
+      39 | {
+      40 | 	.reg .pred %p<4>;
+      41 | 	.reg .f32 %f<9>;
+      42 | 	.reg .b32 %r<9>;
+      43 | 	.reg .b64 %rd<9>;
+      44 | 
+      45 | 	ld.param.u64 	%rd1, [k_param_0];
+      46 | 	ld.param.u32 	%r1, [k_param_1];
+      47 | 	cvta.to.global.u64 	%rd2, %rd1;
+      48 | 	mov.u32 	%r2, %tid.x;
+      49 | 	mul.wide.u32 	%rd3, %r2, 4;
+      50 | 	add.s64 	%rd4, %rd2, %rd3;
+      51 | 	mov.f32 	%f1, 0f00000000;
+      52 | 	mov.u32 	%r3, 0;
+      53 | 
+      54 | $L__BB0_1:
+      55 | 	ld.global.f32 	%f2, [%rd2+16];
+      56 | 	ld.global.f32 	%f3, [%rd4];
+      57 | 	fma.rn.f32 	%f1, %f3, %f2, %f1;
+      58 | 	add.s32 	%r3, %r3, 1;
+      59 | 	setp.lt.s32 	%p1, %r3, %r1;
+      60 | 	@%p1 bra 	$L__BB0_1;
+      61 | 
+      62 | 	mul.lo.s32 	%r4, %r2, 8;
+      63 | 	add.s32 	%r5, %r4, %r1;
+      64 | 	st.global.f32 	[%rd4], %f1;
+      65 | 	ret;
+      66 | }
41 changes: 41 added; 0 renamed, 17 identical

The header of a hunk names its kernel.
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
	mov.f32 	%f1, 0f00000000;
	mov.u32 	%r3, 0;

$L__BB0_1:
	ld.global.f32 	%f2, [%rd2+20];
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

	mov.u32 	%r1, %tid.y;
	ret;
}
--- changed
--- left.ptx
+++ right.ptx
@@ -24,3 +24,3 @@ k
   24  24 | $L__BB0_1:
~  25     | 	ld.global.f32 	%f2, [%rd2+16];
          | 	              	           ^^
~      25 | 	ld.global.f32 	%f2, [%rd2+20];
          | 	              	           ^^
   26  26 | 	ld.global.f32 	%f3, [%rd4];
@@ -63,3 +63,3 @@ third
   63  63 | 
~  64     | 	mov.u32 	%r1, %tid.x;
          | 	        	         ^^
~      64 | 	mov.u32 	%r1, %tid.y;
          | 	        	         ^^
   65  65 | 	ret;
2 changes: 1 immediate, 1 operand; 0 renamed, 56 identical

A declared type is one change, not one for each register.
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
	.reg .b32 %f<9>;
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
@@ -10,3 +10,3 @@ k
   10  10 | 	.reg .pred %p<4>;
~  11     | 	.reg .f32 %f<9>;
          | 	     ^^^^
~      11 | 	.reg .b32 %f<9>;
          | 	     ^^^^
   12  12 | 	.reg .b32 %r<9>;
1 change: 1 modifier; 0 renamed, 31 identical

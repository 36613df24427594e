Lines that may compute the same are changes with a note, never equal.
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
	mov.f32 	%f1, 0f00000000;
	mov.u32 	%r3, 0;

$L__BB0_1:
	ld.global.f32 	%f2, [%rd2+0x10];
	ld.global.f32 	%f3, [%rd4];
	fma.rn.f32 	%f1, %f2, %f3, %f1;
	add.s32 	%r3, %r3, 1;
	setp.lt.s32 	%p1, %r3, %r1;
	@%p1 bra 	$L__BB0_1;

	shl.b32 	%r4, %r2, 3;
	add.s32 	%r5, %r1, %r4;
	st.global.f32 	[%rd4], %f1;
	ret;
}
--- changed
--- left.ptx
+++ right.ptx
@@ -24,5 +24,5 @@ k
   24  24 | $L__BB0_1:
~  25     | 	ld.global.f32 	%f2, [%rd2+16];
          | 	              	           ^^
~      25 | 	ld.global.f32 	%f2, [%rd2+0x10];
          | 	              	           ^^^^
          | (possibly equivalent: the same value written differently)
   26  26 | 	ld.global.f32 	%f3, [%rd4];
~  27     | 	fma.rn.f32 	%f1, %f3, %f2, %f1;
          | 	           	     ^^^  ^^^
~      27 | 	fma.rn.f32 	%f1, %f2, %f3, %f1;
          | 	           	     ^^^  ^^^
          | (possibly equivalent: commuted operands)
   28  28 | 	add.s32 	%r3, %r3, 1;
@@ -31,4 +31,4 @@ k
   31  31 | 
~  32     | 	mul.lo.s32 	%r4, %r2, 8;
          | 	^^^^^^^^^^ 	          ^
~      32 | 	shl.b32 	%r4, %r2, 3;
          | 	^^^^^^^ 	          ^
          | (possibly equivalent: multiplication by 8 and shift by 3)
~  33     | 	add.s32 	%r5, %r4, %r1;
          | 	        	     ^^^  ^^^
~      33 | 	add.s32 	%r5, %r1, %r4;
          | 	        	     ^^^  ^^^
          | (possibly equivalent: commuted operands)
   34  34 | 	st.global.f32 	[%rd4], %f1;
4 changes: 1 immediate, 2 operand, 1 opcode; 0 renamed, 28 identical

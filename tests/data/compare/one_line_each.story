Opcode, modifier, immediate and operand of one line each, one line more, one line less.
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
	bar.sync 	0;

$L__BB0_1:
	ld.global.f32 	%f2, [%rd2+32];
	ld.global.nc.f32 	%f3, [%rd4];
	fma.rn.f32 	%f1, %f3, %f2, %f1;
	sub.s32 	%r3, %r3, 1;
	setp.lt.s32 	%p1, %r3, %r2;
	@%p1 bra 	$L__BB0_1;

	mul.lo.s32 	%r4, %r2, 8;
	st.global.f32 	[%rd4], %f1;
	ret;
}
--- changed
--- left.ptx
+++ right.ptx
@@ -22,9 +22,10 @@ k
   22  22 | 	mov.u32 	%r3, 0;
+      23 | 	bar.sync 	0;
   23  24 | 
   24  25 | $L__BB0_1:
~  25     | 	ld.global.f32 	%f2, [%rd2+16];
          | 	              	           ^^
~      26 | 	ld.global.f32 	%f2, [%rd2+32];
          | 	              	           ^^
~  26     | 	ld.global.f32 	%f3, [%rd4];
~      27 | 	ld.global.nc.f32 	%f3, [%rd4];
          | 	         ^^^
   27  28 | 	fma.rn.f32 	%f1, %f3, %f2, %f1;
~  28     | 	add.s32 	%r3, %r3, 1;
          | 	^^^
~      29 | 	sub.s32 	%r3, %r3, 1;
          | 	^^^
~  29     | 	setp.lt.s32 	%p1, %r3, %r1;
          | 	            	          ^^^
~      30 | 	setp.lt.s32 	%p1, %r3, %r2;
          | 	            	          ^^^
   30  31 | 	@%p1 bra 	$L__BB0_1;
@@ -32,3 +33,2 @@ k
   32  33 | 	mul.lo.s32 	%r4, %r2, 8;
-  33     | 	add.s32 	%r5, %r4, %r1;
   34  34 | 	st.global.f32 	[%rd4], %f1;
6 changes: 1 immediate, 1 modifier, 1 operand, 1 opcode, 1 added, 1 removed; 0 renamed, 27 identical

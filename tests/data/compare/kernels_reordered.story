A function in another place is moved line by line; what differs in it is told.
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
	add.s32 	%r2, %r1, 6;
	bar.sync 	0;
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
@@ -4,2 +4,18 @@ other
    4   4 | 
↕       5 | .visible .entry other(
          | (moved from line 38)
↕       6 | 	.param .u64 other_param_0,
↕       7 | 	.param .u32 other_param_1
↕       8 | )
↕       9 | {
↕      10 | 	.reg .pred %p<4>;
↕      11 | 	.reg .f32 %f<9>;
↕      12 | 	.reg .b32 %r<9>;
↕      13 | 	.reg .b64 %rd<9>;
↕      14 | 
↕      15 | 	ld.param.u32 	%r1, [other_param_1];
+      16 | 	add.s32 	%r2, %r1, 6;
          | (line 49 on the other side stands elsewhere and differs: immediate)
↕      17 | 	bar.sync 	0;
          | (moved from line 50)
↕      18 | 	ret;
↕      19 | }
+      20 | 
    5  21 | .visible .entry k(
@@ -36,17 +52,1 @@ other
   36  52 | }
-  37     | 
↕  38     | .visible .entry other(
          | (moved to line 5)
↕  39     | 	.param .u64 other_param_0,
↕  40     | 	.param .u32 other_param_1
↕  41     | )
↕  42     | {
↕  43     | 	.reg .pred %p<4>;
↕  44     | 	.reg .f32 %f<9>;
↕  45     | 	.reg .b32 %r<9>;
↕  46     | 	.reg .b64 %rd<9>;
↕  47     | 
↕  48     | 	ld.param.u32 	%r1, [other_param_1];
-  49     | 	add.s32 	%r2, %r1, 5;
          | (line 16 on the other side stands elsewhere and differs: immediate)
↕  50     | 	bar.sync 	0;
          | (moved to line 17)
↕  51     | 	ret;
↕  52     | }
15 changes: 13 moved, 1 added, 1 removed; 0 renamed, 32 identical

A branch to another label.
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

$A:
	add.s32 	%r1, %r1, 1;
$B:
	add.s32 	%r2, %r2, 1;
	setp.lt.s32 	%p1, %r1, %r2;
	@%p1 bra 	$A;
	@%p1 bra 	$B;
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

$A:
	add.s32 	%r1, %r1, 1;
$B:
	add.s32 	%r2, %r2, 1;
	setp.lt.s32 	%p1, %r1, %r2;
	@%p1 bra 	$A;
	@%p1 bra 	$A;
	ret;
}
--- changed
--- left.ptx
+++ right.ptx
@@ -20,3 +20,3 @@ k
   20  20 | 	@%p1 bra 	$A;
~  21     | 	@%p1 bra 	$B;
          | 	         	^^
~      21 | 	@%p1 bra 	$A;
          | 	         	^^
   22  22 | 	ret;
1 change: 1 operand; 0 renamed, 20 identical

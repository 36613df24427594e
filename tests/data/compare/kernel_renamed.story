A renamed kernel: its name is a change, the names of its parameters follow it.
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

.visible .entry faster(
	.param .u64 faster_param_0,
	.param .u32 faster_param_1
)
{
	.reg .pred %p<4>;
	.reg .f32 %f<9>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;

	ld.param.u32 	%r1, [faster_param_1];
	add.s32 	%r2, %r1, 5;
	bar.sync 	0;
	ret;
}
--- changed
--- left.ptx
+++ right.ptx
@@ -4,3 +4,3 @@ other | faster
    4   4 | 
~   5     | .visible .entry other(
          |                 ^^^^^
~       5 | .visible .entry faster(
          |                 ^^^^^^
    6   6 | 	.param .u64 other_param_0,
1 change: 1 operand; 3 renamed, 13 identical

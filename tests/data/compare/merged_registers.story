Two registers became one: every value still fits, but the registers are no bijection.
--- left
.version 8.0
.target sm_80
.address_size 64

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
	mov.u32 	%r2, %tid.y;
	ret;
}
--- right
.version 8.0
.target sm_80
.address_size 64

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
	mov.u32 	%r1, %tid.y;
	ret;
}
--- changed
--- left.ptx
+++ right.ptx
@@ -15,3 +15,3 @@ third
   15  15 | 	mov.u32 	%r1, %tid.x;
~  16     | 	mov.u32 	%r2, %tid.y;
          | 	        	^^^
~      16 | 	mov.u32 	%r1, %tid.y;
          | 	        	^^^
          | (from here %r1 stands for %r2, another register than elsewhere)
   17  17 | 	ret;
1 change: 1 operand; 0 renamed, 15 identical

A register of another type under the same shape of names.
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

	mov.b32 	%r1, 5;
	mov.b32 	%r2, %r1;
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

	mov.b32 	%f1, 5;
	mov.b32 	%r2, %f1;
	ret;
}
--- changed
--- left.ptx
+++ right.ptx
@@ -14,3 +14,3 @@ k
   14  14 | 
~  15     | 	mov.b32 	%r1, 5;
          | 	        	^^^
~      15 | 	mov.b32 	%f1, 5;
          | 	        	^^^
          | (%r1 is declared .b32, %f1 is declared .f32)
   16  16 | 	mov.b32 	%r2, %r1;
1 change: 1 operand; 1 renamed, 14 identical

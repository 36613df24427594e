Three lines that belong together stand below another six.
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
	ld.global.f32 	%f1, [%rd1+4];
	mul.f32 	%f1, %f1, %f1;
	st.global.f32 	[%rd1+4], %f1;
	ld.global.f32 	%f2, [%rd1+8];
	mul.f32 	%f2, %f2, %f2;
	st.global.f32 	[%rd1+8], %f2;
	ld.global.f32 	%f3, [%rd1+12];
	mul.f32 	%f3, %f3, %f3;
	st.global.f32 	[%rd1+12], %f3;
	ld.global.f32 	%f4, [%rd1+16];
	mul.f32 	%f4, %f4, %f4;
	st.global.f32 	[%rd1+16], %f4;
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
	ld.global.f32 	%f1, [%rd1+4];
	mul.f32 	%f1, %f1, %f1;
	st.global.f32 	[%rd1+4], %f1;
	ld.global.f32 	%f3, [%rd1+12];
	mul.f32 	%f3, %f3, %f3;
	st.global.f32 	[%rd1+12], %f3;
	ld.global.f32 	%f4, [%rd1+16];
	mul.f32 	%f4, %f4, %f4;
	st.global.f32 	[%rd1+16], %f4;
	ld.global.f32 	%f2, [%rd1+8];
	mul.f32 	%f2, %f2, %f2;
	st.global.f32 	[%rd1+8], %f2;
	ret;
}
--- changed
--- left.ptx
+++ right.ptx
@@ -18,5 +18,2 @@ k
   18  18 | 	st.global.f32 	[%rd1+4], %f1;
↕  19     | 	ld.global.f32 	%f2, [%rd1+8];
          | (moved to line 25)
↕  20     | 	mul.f32 	%f2, %f2, %f2;
↕  21     | 	st.global.f32 	[%rd1+8], %f2;
   22  19 | 	ld.global.f32 	%f3, [%rd1+12];
@@ -27,2 +24,5 @@ k
   27  24 | 	st.global.f32 	[%rd1+16], %f4;
↕      25 | 	ld.global.f32 	%f2, [%rd1+8];
          | (moved from line 19)
↕      26 | 	mul.f32 	%f2, %f2, %f2;
↕      27 | 	st.global.f32 	[%rd1+8], %f2;
   28  28 | 	ret;
3 changes: 3 moved; 0 renamed, 24 identical

__global__ void fetches(cudaTextureObject_t t, cudaTextureObject_t i, cudaTextureObject_t c, float4* o, int4* q, float x, float y) {
    o[0] = tex1Dfetch<float4>(t, 3); o[1] = tex2D<float4>(t, x, y); o[2] = tex3D<float4>(t, x, y, x); o[3] = tex2DLod<float4>(t, x, y, 2.f);
    o[4] = tex2DGrad<float4>(t, x, y, make_float2(x, x), make_float2(y, y)); o[5] = tex2DLayered<float4>(t, x, y, 3); o[6] = texCubemap<float4>(c, x, y, x);
    o[7] = tex2Dgather<float4>(t, x, y, 1); q[0] = tex2D<int4>(i, x, y); q[1] = tex1DLayered<int4>(i, x, 2); o[8].x = tex2D<float>(t, x, y); o[9] = texCubemapLayered<float4>(c, x, y, x, 1);
}
__global__ void surfaces(cudaSurfaceObject_t s, float4* o, int x, int y) {
    float4 v; surf2Dread(&v, s, x * 16, y); o[0] = v; surf2Dwrite(v, s, x * 16, y, cudaBoundaryModeClamp); unsigned char b; surf1Dread(&b, s, x, cudaBoundaryModeZero);
    surf3Dwrite(make_int2(x, y), s, x, y, 3); surf2DLayeredwrite((short)x, s, x, y, 2); surfCubemapwrite(x, s, x, y, 3); o[1].x = b;
}

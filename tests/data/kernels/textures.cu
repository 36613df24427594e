// Textures and surfaces: what each gives for coordinates inside and outside, one number a thread. The steps between
// coordinates are multiples of powers of two, so that no thread's coordinate is rounded.
#include <stdint.h>
#define COLUMN (blockIdx.x * blockDim.x + threadIdx.x)
#define ROW (blockIdx.y * blockDim.y + threadIdx.y)
#define WIDTH (gridDim.x * blockDim.x)
#define HEIGHT (gridDim.y * blockDim.y)
#define PLACE ((blockIdx.z * HEIGHT + ROW) * WIDTH + COLUMN)

// From two texels in front of the texture to behind it.
extern "C" __global__ void fetch_1d(cudaTextureObject_t t, float* out) { out[COLUMN] = tex1Dfetch<float>(t, int(COLUMN) - 2); }
extern "C" __global__ void fetch_1d_bytes(cudaTextureObject_t t, int* out) {
    const uchar4 v = tex1Dfetch<uchar4>(t, int(COLUMN) - 2);
    out[COLUMN] = v.x | v.y << 8 | v.z << 16 | v.w << 24;
}

extern "C" __global__ void sample_1d(cudaTextureObject_t t, float* out, float x, float dx) { out[COLUMN] = tex1D<float>(t, x + dx * COLUMN); }
extern "C" __global__ void sample_2d(cudaTextureObject_t t, float* out, float x, float y, float dx, float dy) {
    out[PLACE] = tex2D<float>(t, x + dx * COLUMN, y + dy * ROW);
}
extern "C" __global__ void sample_3d(cudaTextureObject_t t, float* out, float x, float y, float z, float dx, float dy, float dz) {
    out[PLACE] = tex3D<float>(t, x + dx * COLUMN, y + dy * ROW, z + dz * blockIdx.z);
}
extern "C" __global__ void sample_pairs(cudaTextureObject_t t, float2* out, float x, float y, float dx, float dy) {
    out[PLACE] = tex2D<float2>(t, x + dx * COLUMN, y + dy * ROW);
}
extern "C" __global__ void sample_quads(cudaTextureObject_t t, float4* out, float x, float y, float dx, float dy) {
    out[PLACE] = tex2D<float4>(t, x + dx * COLUMN, y + dy * ROW);
}
extern "C" __global__ void sample_integers(cudaTextureObject_t words, cudaTextureObject_t pairs, cudaTextureObject_t bytes, int4* out, float x,
                                           float y, float dx, float dy) {
    const float column = x + dx * COLUMN, row = y + dy * ROW;
    const int word = tex2D<int>(words, column, row);
    const short2 pair = tex2D<short2>(pairs, column, row);
    const uchar4 byte = tex2D<uchar4>(bytes, column, row);
    out[PLACE] = make_int4(word, pair.x, pair.y, byte.x | byte.y << 8 | byte.z << 16 | byte.w << 24);
}

// All four components, of textures that have fewer.
extern "C" __global__ void channels(cudaTextureObject_t one, cudaTextureObject_t two, cudaTextureObject_t integers, uint4* out) {
    const float x = COLUMN - 0.5f;
    uint4 v;
#define SAMPLE(TYPE, TEXTURE)                                                                    \
    asm volatile("{\n.reg ." TYPE " a, b, c, d;\ntex.1d.v4." TYPE ".f32 {a, b, c, d}, [%4, {%5}];\n" \
                 "mov.b32 %0, a;\nmov.b32 %1, b;\nmov.b32 %2, c;\nmov.b32 %3, d;\n}"             \
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)                                    \
                 : "l"(TEXTURE), "f"(x));
    SAMPLE("f32", one)
    out[COLUMN] = v;
    SAMPLE("f32", two)
    out[WIDTH + COLUMN] = v;
    SAMPLE("s32", integers)
    out[2 * WIDTH + COLUMN] = v;
}

// Integer coordinates into arrays, from two texels in front to behind the end.
extern "C" __global__ void integer_coordinates(cudaTextureObject_t line, cudaTextureObject_t plane, cudaTextureObject_t body, float4* out) {
    const int x = int(COLUMN) - 2, y = int(ROW) - 2, z = int(blockIdx.z) - 1;
    float4 v;
    float lost;
    asm volatile("tex.1d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5}];" : "=f"(v.x), "=f"(lost), "=f"(lost), "=f"(lost) : "l"(line), "r"(x));
    asm volatile("tex.2d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
                 : "=f"(v.y), "=f"(lost), "=f"(lost), "=f"(lost)
                 : "l"(plane), "r"(x), "r"(y));
    asm volatile("tex.3d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"
                 : "=f"(v.z), "=f"(lost), "=f"(lost), "=f"(lost)
                 : "l"(body), "r"(x), "r"(y), "r"(z));
    v.w = lost == lost ? 1.f : 0.f;
    out[PLACE] = v;
}

extern "C" __global__ void queries(cudaTextureObject_t line, cudaTextureObject_t body, cudaSurfaceObject_t surface, int* out) {
    asm volatile("txq.width.b32 %0, [%1];" : "=r"(out[0]) : "l"(line));
    asm volatile("txq.width.b32 %0, [%1];" : "=r"(out[1]) : "l"(body));
    asm volatile("txq.height.b32 %0, [%1];" : "=r"(out[2]) : "l"(body));
    asm volatile("txq.depth.b32 %0, [%1];" : "=r"(out[3]) : "l"(body));
    asm volatile("suq.width.b32 %0, [%1];" : "=r"(out[4]) : "l"(surface));
    asm volatile("suq.height.b32 %0, [%1];" : "=r"(out[5]) : "l"(surface));
}

// Reads around the surface too, where zeros come back; writes around the other one, where they are dropped.
extern "C" __global__ void surface_zero(cudaSurfaceObject_t from, cudaSurfaceObject_t to, float* seen) {
    const int x = int(COLUMN) - 2, y = int(ROW) - 2;
    const float v = surf2Dread<float>(from, x * 4, y, cudaBoundaryModeZero);
    seen[PLACE] = v;
    surf2Dwrite(v + 1000 * y + x, to, x * 4, y, cudaBoundaryModeZero);
}
// Two threads outside write the first and the last texel, which nobody else writes.
extern "C" __global__ void surface_clamp(cudaSurfaceObject_t from, cudaSurfaceObject_t to, float2* seen, int width, int height) {
    const int x = int(COLUMN) - 1, y = int(ROW) - 1;
    const float2 v = surf2Dread<float2>(from, x * 8, y, cudaBoundaryModeClamp);
    seen[PLACE] = v;
    const bool first = x == 0 && y == 0, last = x == width - 1 && y == height - 1;
    const bool inside = x >= 0 && y >= 0 && x < width && y < height;
    if ((inside && !first && !last) || (x == -1 && y == -1) || (x == width && y == height))
        surf2Dwrite(make_float2(v.x + x, v.y - y), to, x * 8, y, cudaBoundaryModeClamp);
}
extern "C" __global__ void surface_3d(cudaSurfaceObject_t s) {
    const int x = COLUMN * 4, y = ROW, z = blockIdx.z;
    surf3Dwrite(surf3Dread<int>(s, x, y, z) * 3 + x + 100 * y + 10000 * z, s, x, y, z);
}
// Every width that an access has.
extern "C" __global__ void surface_widths(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
    const int i = COLUMN * 64;
    surf1Dwrite(surf1Dread<unsigned char>(from, i), to, i);
    surf1Dwrite(surf1Dread<uchar2>(from, i + 2), to, i + 2);
    surf1Dwrite(surf1Dread<uchar4>(from, i + 4), to, i + 4);
    surf1Dwrite(surf1Dread<short>(from, i + 8), to, i + 8);
    surf1Dwrite(surf1Dread<ushort2>(from, i + 12), to, i + 12);
    surf1Dwrite(surf1Dread<ushort4>(from, i + 16), to, i + 16);
    surf1Dwrite(surf1Dread<int>(from, i + 24), to, i + 24);
    surf1Dwrite(surf1Dread<int2>(from, i + 32), to, i + 32);
    surf1Dwrite(surf1Dread<int4>(from, i + 48), to, i + 48);
}

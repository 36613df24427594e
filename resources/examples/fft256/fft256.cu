// Forward Fourier transforms of 256 complex numbers each, the step that longer transforms are made of. A block of 128
// threads has one; eight radix-2 passes (Stockham) go back and forth between two buffers in shared memory.
extern "C" __global__ void fft256(int batch, const float2* in, float2* out) {
    __shared__ float2 buffers[2][256];

    int t = threadIdx.x;
    size_t first = (size_t)blockIdx.x * 256;
    buffers[0][t] = in[first + t];
    buffers[0][t + 128] = in[first + t + 128];
    __syncthreads();

    int from = 0;
    for (int p = 1; p < 256; p *= 2) { // transforms of length p become transforms of length 2p
        int k = t & (p - 1);
        float s, c;
        sincospif(-(float)k / p, &s, &c);
        float2 a = buffers[from][t], b = buffers[from][t + 128];
        float2 turned = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
        int j = 2 * t - k;
        buffers[1 - from][j] = make_float2(a.x + turned.x, a.y + turned.y);
        buffers[1 - from][j + p] = make_float2(a.x - turned.x, a.y - turned.y);
        from = 1 - from;
        __syncthreads();
    }
    out[first + t] = buffers[from][t];
    out[first + t + 128] = buffers[from][t + 128];
}

// Adds to counts[v] how often the byte v occurs in `in`. A block counts in shared memory and adds its 256 counts to the
// result at the end; the blocks walk over the array in strides of the whole grid.
extern "C" __global__ void histogram(int n, const unsigned char* in, unsigned* counts) {
    __shared__ unsigned mine[256];

    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&mine[in[i]], 1);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

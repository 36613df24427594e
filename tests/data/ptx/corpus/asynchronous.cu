// at least sm_80
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
__global__ void pipeline(const float4* in, float* out) {
    __shared__ float4 stage[2][128]; for (int i = 0; i < 2; ++i) { __pipeline_memcpy_async(&stage[i][threadIdx.x], in + i * 128 + threadIdx.x, 16); __pipeline_commit(); }
    __pipeline_wait_prior(1); __syncthreads(); out[threadIdx.x] = stage[0][127 - threadIdx.x].x; __pipeline_wait_prior(0);
}
__global__ void barriers(const int* in, int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> b; __shared__ int data[256]; if (threadIdx.x == 0) init(&b, blockDim.x); __syncthreads();
    cuda::memcpy_async(data + threadIdx.x, in + threadIdx.x, sizeof(int), b); b.arrive_and_wait(); out[threadIdx.x] = data[255 - threadIdx.x]; auto token = b.arrive(); b.wait(std::move(token)); b.arrive_and_drop();
}

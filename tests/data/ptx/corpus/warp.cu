// at least sm_80
__global__ void warp(int* o, unsigned long long* l, float f) {
    int lane = threadIdx.x & 31, v = o[lane]; unsigned m = __activemask();
    o[0] = __shfl_sync(m, v, 3) + __shfl_up_sync(m, v, 1) + __shfl_down_sync(~0u, v, 2, 16) + __shfl_xor_sync(~0u, v, 4, 8);
    o[1] = __ballot_sync(m, v > 3) + __any_sync(m, v) + __all_sync(m, v < 9) + __popc(__match_any_sync(m, v));
    int p; o[2] = __match_all_sync(m, v, &p) + p; l[0] = __shfl_sync(m, l[1], 2); o[3] = __float_as_int(__shfl_xor_sync(m, f, 16));
    __syncwarp(); __syncwarp(m & 0xff); __syncthreads(); o[4] = __syncthreads_count(v) + __syncthreads_and(v) + __syncthreads_or(v);
    __nanosleep(100); o[5] = clock() + (int)clock64(); asm volatile("bar.arrive 1, 64;"); l[2] = __reduce_add_sync(m, v) + __reduce_xor_sync(m, (unsigned)v);
}

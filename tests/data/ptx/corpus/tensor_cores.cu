#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
template <class T, class A> __device__ void product(const T* a, const T* b, A* c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> fa; wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::col_major> fb; wmma::fragment<wmma::accumulator, 16, 16, 16, A> fc;
    wmma::fill_fragment(fc, A(0)); wmma::load_matrix_sync(fa, a, 16); wmma::load_matrix_sync(fb, b, 16); wmma::mma_sync(fc, fa, fb, fc); wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
__global__ void half_float(const half* a, const half* b, float* c) { product(a, b, c); }
__global__ void half_half(const half* a, const half* b, half* c) { product(a, b, c); }
__global__ void bytes(const signed char* a, const signed char* b, int* c) { product(a, b, c); }
#if __CUDA_ARCH__ >= 800 || !defined(__CUDA_ARCH__)
__global__ void bfloats(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) { product(a, b, c); }
__global__ void doubles(const double* a, const double* b, double* c) { wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa; wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> fb; wmma::fragment<wmma::accumulator, 8, 8, 4, double> fc; wmma::fill_fragment(fc, 0.0); wmma::load_matrix_sync(fa, a, 4); wmma::load_matrix_sync(fb, b, 4); wmma::mma_sync(fc, fa, fb, fc); wmma::store_matrix_sync(c, fc, 8, wmma::mem_col_major); }
#endif
__global__ void by_hand(const unsigned* a, float* c, unsigned at) {
    unsigned r[4]; asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(r[0]), "r"(r[1]), "r"(r[2]));
}

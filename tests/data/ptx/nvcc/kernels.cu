#include <cstdio>
#include <cuda_fp16.h>
#include <mma.h>
template<class T> __device__ __noinline__ T sq(T x){ return x*x; }
struct S { int a; double b; char c[7]; };
__constant__ float tab[4] = {1,2,3,4}; __device__ int counter = 7; __managed__ int mg = 3;
__device__ int* ptr = &counter; __device__ const char* msg = "hello\n";
__global__ void saxpy(int n, float a, const float* x, float* y){ int i=blockIdx.x*blockDim.x+threadIdx.x; if(i<n) y[i]=a*x[i]+y[i]; }
__global__ void k2(S s, half2* h, float* o){ __shared__ float sh[256]; sh[threadIdx.x]=o[threadIdx.x]; __syncthreads(); float v=sh[255-threadIdx.x]; v+=__shfl_down_sync(~0u,v,3); h[threadIdx.x]=__hmul2(h[threadIdx.x],h[threadIdx.x]); o[threadIdx.x]=sq(v)+tab[s.a&3]+s.b; atomicAdd(&counter,1); if(v>3) printf("%f %d\n",v,s.c[3]); switch(s.a){case 0:o[1]=2;break;case 1:o[2]=sinf(v);break;case 2:o[3]=expf(v);break;case 3:o[4]=o[9]/v;break;case 4:o[7]=sqrtf(v);case 5: o[8]=1.f/v; } *ptr=5; }
typedef float (*fp)(float); __device__ fp fns[2]={sq<float>,sq<float>}; __global__ void k3(float*o,int i){ o[0]=fns[i](o[1]); extern __shared__ int dyn[]; dyn[threadIdx.x]=mg; }
using namespace nvcuda; __global__ void __launch_bounds__(128,2) k4(half*a,half*b,float*c){ wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major> fa; wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major> fb; wmma::fragment<wmma::accumulator,16,16,16,float> fc; wmma::fill_fragment(fc,0.f); wmma::load_matrix_sync(fa,a,16); wmma::load_matrix_sync(fb,b,16); wmma::mma_sync(fc,fa,fb,fc); wmma::store_matrix_sync(c,fc,16,wmma::mem_row_major); }

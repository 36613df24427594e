// Threads that wait for each other: locks, pairs of warps, barriers of blocks, queues.
extern "C" __global__ void spin_lock(int* lock, int* sum, int* order) {
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            const int before = *(volatile int*)sum;
            *(volatile int*)sum = before + me;
            *(volatile int*)(order + me) = 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// Tickets are served in their order; who waits sleeps.
extern "C" __global__ void ticket_lock(unsigned* tickets, unsigned* serving, unsigned long long* hash) {
    const unsigned mine = atomicAdd(tickets, 1u);
    for (bool done = false; !done;) {
        if (*(volatile unsigned*)serving == mine) {
            __threadfence();
            *(volatile unsigned long long*)hash = *(volatile unsigned long long*)hash * 31 + mine;
            __threadfence();
            atomicAdd(serving, 1u);
            done = true;
        } else {
            __nanosleep(20);
        }
    }
}

// Warp 0 fills two buffers in turns, warp 1 empties them: named barriers for "full" and "empty".
extern "C" __global__ void producer_consumer(const int* in, int* out, int rounds) {
    __shared__ int buffer[2][32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int r = 0; r < rounds; ++r) {
            if (r >= 2) asm volatile("bar.sync %0, 64;" ::"r"(3 + (r & 1)) : "memory");
            buffer[r & 1][lane] = in[r * 32 + lane] * 3;
            asm volatile("bar.arrive %0, 64;" ::"r"(1 + (r & 1)) : "memory");
        }
    } else {
        int sum = 0;
        for (int r = 0; r < rounds; ++r) {
            asm volatile("bar.sync %0, 64;" ::"r"(1 + (r & 1)) : "memory");
            sum += buffer[r & 1][31 - lane];
            out[r * 32 + lane] = sum;
            if (r + 2 < rounds) asm volatile("bar.arrive %0, 64;" ::"r"(3 + (r & 1)) : "memory");
        }
    }
}

// The same with a flag in shared memory that both warps watch.
extern "C" __global__ void producer_consumer_flags(const int* in, int* out, int rounds) {
    __shared__ int buffer[32];
    __shared__ int full;
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) full = 0;
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        const bool produces = threadIdx.x < 32;
        if (lane == 0)
            while (atomicAdd(&full, 0) != (produces ? 0 : 1)) {}
        __syncwarp();
        __threadfence_block();
        if (produces) buffer[lane] = in[r * 32 + lane] + r;
        else out[r * 32 + lane] = buffer[lane ^ 1];
        __threadfence_block();
        __syncwarp();
        if (lane == 0) atomicExch(&full, produces ? 1 : 0);
    }
}

// Four blocks meet after each step: a barrier of atomics, all blocks at once on the device.
extern "C" __global__ void block_barrier(int* ring, unsigned* arrived, int steps) {
    const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < steps; ++step) {
        volatile int* from = ring + (step & 1) * n;
        volatile int* to = ring + (1 - (step & 1)) * n;
        to[i] = from[i] + from[(i + 1) % n] * 2;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(arrived, 1u);
            while (atomicAdd(arrived, 0u) < gridDim.x * (step + 1)) {}
            __threadfence();
        }
        __syncthreads();
    }
}

// Blocks take work of uneven size from a queue until it is empty.
extern "C" __global__ void work_queue(unsigned* next, int jobs, unsigned* out) {
    __shared__ unsigned job;
    while (true) {
        if (threadIdx.x == 0) job = atomicAdd(next, 1u);
        __syncthreads();
        const unsigned mine = job;
        __syncthreads();
        if (mine >= unsigned(jobs)) return;
        unsigned steps = 0;
        for (unsigned v = mine * 32 + threadIdx.x + 1; v != 1; ++steps) v = v & 1 ? 3 * v + 1 : v / 2;
        out[mine * 32 + threadIdx.x] = steps;
    }
}

// __syncthreads_count, _and, _or.
extern "C" __global__ void barrier_votes(const int* in, int* out) {
    const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    const int count = __syncthreads_count(value > 5);
    const int all = __syncthreads_and(value > -100), any = __syncthreads_or(value == 12345);
    out[blockIdx.x * blockDim.x + threadIdx.x] = count * 4 + (all != 0) * 2 + (any != 0);
}

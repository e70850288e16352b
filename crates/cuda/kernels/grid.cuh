// A barrier for all blocks of a kernel that was launched cooperatively, so that all of them run at the same time.
#pragma once

#include "lane.cuh"

// `count` begins at zero; `passed` counts the barriers that this block has been through.
DEVICE void grid_barrier(unsigned *count, unsigned &passed) {
    __syncthreads();
    passed++;
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1u);
        unsigned seen;
        do {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(count) : "memory");
        } while (seen < passed * gridDim.x);
        __threadfence();
    }
    __syncthreads();
}

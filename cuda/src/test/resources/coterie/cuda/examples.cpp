// SPDX-License-Identifier: Apache-2.0

// The kernels of examples and measurements for threads of a CPU: what CUDA has built in, for one thread.

#include "coterie_gin.cuh"

#define __global__
#define __device__

struct Extent3 {
    int x;
};

static thread_local Extent3 threadIdx, blockIdx, blockDim, gridDim;
static thread_local int warpSize;  // a block is one warp

static inline void __syncthreads() { coterie_detail::block_scope::sync(); }

#include "costs.cu"
#include "dispatch.cu"
#include "halo.cu"

extern "C" int kernel_place(int thread, int threads, int block, int blocks) {
    threadIdx.x = thread;
    blockDim.x = warpSize = threads;
    blockIdx.x = block;
    gridDim.x = blocks;
    return 0;
}

extern "C" int kernel_halo(const coterie_team *team, int memory, int rows, int width, int steps) {
    halo(team, memory, rows, width, steps);
    return coterie_status_of(team);
}

extern "C" int kernel_dispatch(const coterie_team *team, const int *chosen, coterie_u64 *seen, int tokens, int layer) {
    dispatch(team, chosen, seen, tokens, layer);
    return coterie_status_of(team);
}

extern "C" int kernel_pingpong(const coterie_team *team, coterie_u64 bytes, int first, int rounds) {
    pingpong(team, bytes, first, rounds);
    return coterie_status_of(team);
}

extern "C" int kernel_stream(const coterie_team *team, coterie_u64 bytes, int rounds) {
    stream(team, bytes, rounds);
    return coterie_status_of(team);
}

// SPDX-License-Identifier: Apache-2.0

// The kernels of examples, measurements and tests of devices for threads of a CPU: what CUDA has built in, for one
// thread.

#include "coterie_gin.cuh"

#define __global__
#define __device__

struct Extent3 {
    int x;
};

static thread_local Extent3 threadIdx, blockIdx, blockDim, gridDim;
static thread_local int warpSize;  // a block is one warp

static inline void __syncthreads() { coterie_detail::block_scope::sync(); }
static inline int __syncthreads_or(int condition) { return coterie_detail::block_scope::any(condition); }

#include "costs.cu"
#include "device_team.cu"
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

#define PROGRAM(name, parameters, arguments) \
    extern "C" int kernel_##name parameters { \
        name arguments;                       \
        return coterie_status_of(team);       \
    }

PROGRAM(sender, (const coterie_team *team, int memory, coterie_u64 *source, int words, int operation, int pe,
                 int rounds, int *status), (team, memory, source, words, operation, pe, rounds, status))
PROGRAM(receiver, (const coterie_team *team, int memory, int words, int pe, int rounds, int *status),
        (team, memory, words, pe, rounds, status))
PROGRAM(meet, (const coterie_team *team, int memory, int rounds, int *status), (team, memory, rounds, status))
PROGRAM(warps, (const coterie_team *team, int memory, coterie_u64 *own, int rounds, int *status),
        (team, memory, own, rounds, status))
PROGRAM(gins, (const coterie_team *team, int memory, int rounds, int *status), (team, memory, rounds, status))
PROGRAM(elements, (const coterie_team *team, int memory, coterie_u64 *own, int *status),
        (team, memory, own, status))

// SPDX-License-Identifier: Apache-2.0
#include "coterie_reduce.cuh"

// Gradient descent by several devices, in one kernel: each member computes a gradient of its own, all members have the
// sum, and each makes the same step with it. Blocks of threads of the same number share a part of the weights, and wait
// for each other, so that the launch is a cooperative one.
//
// Memory of a PE, from byte 0 of the team's block `memory`: the gradient and the sum, numbers of 16 bits, and the
// weights, all for gridDim.x parts of `part` numbers.

// An allreduce of a block of threads with those of the same number on the other members: each of them reduces its share
// of the part, and writes the result to all. A barrier before says that all sources are there, one after it that all
// targets are, and that the sources may be written again. `places` has room for two locations of each member.
template <typename T, typename Operator>
__device__ int allreduce(const coterie_team *team, int memory, coterie_u64 source, coterie_u64 target, int count,
                         coterie_location *places, Operator combine) {
    const int me = coterie_pe(team), size = coterie_size(team), unit = 16 / (int)sizeof(T);
    const int share = (count + size * unit - 1) / (size * unit) * unit;  // whole loads of 16 bytes
    const int begin = min(count, me * share), end = min(count, begin + share);
    for (int pe = threadIdx.x; pe < size; pe += blockDim.x) {
        places[pe] = coterie_at(memory, source + begin * sizeof(T), pe);
        places[size + pe] = coterie_at(memory, target + begin * sizeof(T), pe);
    }
    int status = coterie_barrier_block(team, blockIdx.x);
    if (status == COTERIE_OK) {
        status = coterie_reduce_copy_block<T>(team, places, size, places + size, size, end - begin, combine);
    }
    return status != COTERIE_OK ? status : coterie_barrier_block(team, blockIdx.x);
}

// The derivative by weight i of what member `pe` minimizes in a step.
__device__ inline float slope(float weight, int i, int pe, int step) {
    return (weight + 1) * (float)((i + 3 * pe + 5 * step) % 17 - 8) / 64;
}

extern "C" __global__ void descend(const coterie_team *team, int memory, int part, int steps) {
    __shared__ coterie_location places[2 * 32];
    const coterie_u64 all = (coterie_u64)gridDim.x * part, first = (coterie_u64)blockIdx.x * part;
    const coterie_u64 gradientAt = 2 * first, sumAt = 2 * (all + first), weightsAt = 4 * (all + first);
    coterie_half *gradient = (coterie_half *)coterie_local(team, memory, gradientAt);
    const coterie_half *sum = (const coterie_half *)coterie_local(team, memory, sumAt);
    float *weights = (float *)coterie_local(team, memory, weightsAt);

    for (int step = 0; step < steps; step++) {
        for (int i = threadIdx.x; i < part; i += blockDim.x) {
            gradient[i] = coterie_to_half(slope(weights[i], (int)first + i, coterie_pe(team), step));
        }
        if (allreduce<coterie_half>(team, memory, gradientAt, sumAt, part, places, coterie_sum()) != COTERIE_OK) {
            return;  // the team has recorded why
        }
        for (int i = threadIdx.x; i < part; i += blockDim.x) {
            weights[i] = weights[i] - coterie_to_float(sum[i]) / 4;
        }
    }
}

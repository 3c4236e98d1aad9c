// SPDX-License-Identifier: Apache-2.0

// Programs of a team of kernels, for a device. Each leaves the sum of the statuses that it got in *status.

#include "coterie.cuh"

// Message passing: puts of `words` words that all have the round's number, with a signal, into a window of 8; the
// receiver acknowledges every eighth.
extern "C" __global__ void send(const coterie_team *team, int memory, coterie_u64 *source, int words, int operation,
                                int pe, int rounds, int *status) {
    for (int round = 1; round <= rounds && *status == 0; round++) {
        const coterie_u64 place = (coterie_u64)(round % 8) * words;
        for (int i = threadIdx.x; i < words; i += blockDim.x) {
            source[place + i] = round;
        }
        int result = coterie_put_signal_nbi_block(team, memory, 4096 + 8 * place, source + place, 8ull * words, memory,
                                                  0, operation, operation == COTERIE_SIGNAL_SET ? round : 1, pe);
        if (result == COTERIE_OK && round % 8 == 0) {
            result = coterie_signal_wait_block(team, memory, 64, COTERIE_GE, round);
        }
        if (threadIdx.x == 0) {
            *status = result;
        }
        __syncthreads();
    }
    coterie_quiet_block(team);
}

extern "C" __global__ void receive(const coterie_team *team, int memory, int words, int pe, int rounds, int *status) {
    const coterie_u64 *data = (const coterie_u64 *)coterie_local(team, memory, 4096);
    for (int round = 1; round <= rounds && *status == 0; round++) {
        int result = coterie_signal_wait_block(team, memory, 0, COTERIE_GE, round);
        const coterie_u64 place = (coterie_u64)(round % 8) * words;
        int stale = 0;
        for (int i = threadIdx.x; i < words; i += blockDim.x) {
            stale |= data[place + i] < (coterie_u64)round;
        }
        stale = __syncthreads_or(stale);
        if (threadIdx.x == 0) {
            if (result == COTERIE_OK && stale != 0) {
                result = 1000;
            }
            if (result == COTERIE_OK && round % 8 == 0) {
                result = coterie_signal(team, memory, 64, COTERIE_SIGNAL_SET, round, pe);
            }
            *status = result;
        }
        __syncthreads();
    }
}

// Every thread adds to a word of PE 0, fetching and not.
extern "C" __global__ void adds(const coterie_team *team, int memory, int count, int *status) {
    for (int i = 0; i < count; i++) {
        coterie_atomic_fetch_add<coterie_u64>(team, memory, 128, 1, 0);
        coterie_signal(team, memory, 128, COTERIE_SIGNAL_ADD, 1, 0);
    }
    coterie_quiet(team);
    if (threadIdx.x == 0) {
        *status = coterie_status_of(team);
    }
}

// Each member stores the round to all, meets them, and checks.
extern "C" __global__ void meet(const coterie_team *team, int memory, int rounds, int *status) {
    const int *words = (const int *)coterie_local(team, memory, 256);
    for (int round = 1; round <= rounds && *status == 0; round++) {
        for (int pe = threadIdx.x; pe < coterie_size(team); pe += blockDim.x) {
            coterie_put_value<int>(team, memory, 256 + 4 * coterie_pe(team), round, pe);
        }
        int result = coterie_barrier_block(team, 0);
        for (int pe = threadIdx.x; pe < coterie_size(team); pe += blockDim.x) {
            result |= words[pe] == round ? 0 : 1000;
        }
        result = __syncthreads_or(result) | coterie_sync_block(team, 0);
        if (threadIdx.x == 0) {
            *status = result;
        }
        __syncthreads();
    }
}

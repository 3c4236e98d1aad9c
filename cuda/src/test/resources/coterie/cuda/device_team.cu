// SPDX-License-Identifier: Apache-2.0

// Programs of a team of kernels. Each leaves the first status that is no COTERIE_OK in *status, or a number above 1000
// for what it should not have found.

#include "coterie.cuh"

// A plain load of what may come later. It leaves a copy in a cache, which is not to be found after the wait for it.
__device__ int look(const void *word) {
    int value;
    asm volatile("ld.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
}

// Message passing: puts of `words` words that all have the round's number, with a signal, into a window of 8; the
// receiver acknowledges every eighth.
extern "C" __global__ void sender(const coterie_team *team, int memory, coterie_u64 *source, int words, int operation,
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

extern "C" __global__ void receiver(const coterie_team *team, int memory, int words, int pe, int rounds, int *status) {
    const coterie_u64 *data = (const coterie_u64 *)coterie_local(team, memory, 4096);
    for (int round = 1; round <= rounds && *status == 0; round++) {
        const coterie_u64 place = (coterie_u64)(round % 8) * words;
        for (int i = threadIdx.x; i < words; i += blockDim.x) {
            look(data + place + i);
        }
        int result = coterie_signal_wait_block(team, memory, 0, COTERIE_GE, round);
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
        for (int pe = threadIdx.x; pe < coterie_size(team); pe += blockDim.x) {
            look(words + pe);
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

// Two members, a thread of each. A word that is put before a fence is there once the flag is that is put after it. Of two
// members of which each puts a word to the other, completes it, and then loads its own, one at least finds the other's.
extern "C" __global__ void fences(const coterie_team *team, int memory, int rounds, int *status) {
    if (threadIdx.x != 0) {
        return;
    }
    const int me = coterie_pe(team), peer = coterie_size(team) - 1 - me;
    const coterie_u64 data = 16384, ready = data + 64, crossed = data + 128, seen = data + 192, told = data + 256;
    int result = COTERIE_OK;
    for (int i = 1; i <= rounds && result == COTERIE_OK; i++) {
        const coterie_u64 round = i;
        coterie_put_value<coterie_u64>(team, memory, data, round, peer);
        coterie_fence(team);
        coterie_put_value<coterie_u64>(team, memory, ready, round, peer);
        result = coterie_signal_wait(team, memory, ready, COTERIE_GE, round);
        if (result == COTERIE_OK && coterie_get_value<coterie_u64>(team, memory, data, me) < round) {
            result = 1000;
        }
        coterie_put_value<coterie_u64>(team, memory, crossed, round, peer);
        coterie_quiet(team);
        const coterie_u64 found = coterie_get_value<coterie_u64>(team, memory, crossed, me);
        coterie_put_value<coterie_u64>(team, memory, seen, found, peer);
        coterie_fence(team);
        coterie_put_value<coterie_u64>(team, memory, told, round, peer);
        if (result == COTERIE_OK) {
            result = coterie_signal_wait(team, memory, told, COTERIE_GE, round);
        }
        const coterie_u64 others = coterie_get_value<coterie_u64>(team, memory, seen, me);
        if (result == COTERIE_OK && found < round && others < round) {
            result = 1001;
        }
    }
    *status = result;
}

// Each warp puts 64 words to the next PE with a signal of its own, checks those that come from the PE before, and, once
// the next PE has told that it has them, gets its own back. `own` has 128 words for each warp.
extern "C" __global__ void warps(const coterie_team *team, int memory, coterie_u64 *own, int rounds, int *status) {
    const int warp = threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
    const int size = coterie_size(team), me = coterie_pe(team), right = (me + 1) % size, left = (me + size - 1) % size;
    const coterie_u64 data = 8192 + 512ull * warp, arrived = 1024 + 8ull * warp, taken = 2048 + 8ull * warp;
    const coterie_u64 *received = (const coterie_u64 *)coterie_local(team, memory, data);
    coterie_u64 *source = own + 128 * warp, *target = source + 64;
    int result = COTERIE_OK;
    bool isWrong = false;
    for (int round = 1; round <= rounds && result == COTERIE_OK; round++) {
        for (int i = lane; i < 64; i += warpSize) {
            source[i] = 1000ull * round + 64 * me + i;
            target[i] = 0;
        }
        result = coterie_put_signal_warp(team, memory, data, source, 512, memory, arrived, COTERIE_SIGNAL_SET, round,
                                         right);
        if (result == COTERIE_OK) {
            result = coterie_signal_wait_warp(team, memory, arrived, COTERIE_GE, round);
        }
        for (int i = lane; i < 64 && result == COTERIE_OK; i += warpSize) {
            isWrong |= coterie_detail::load_relaxed(received + i) != 1000ull * round + 64 * left + i;
        }
        if (result == COTERIE_OK) {
            result = coterie_fence_warp(team);  // all lanes have read before the PE before may write again
        }
        if (result == COTERIE_OK && lane == 0) {
            coterie_signal(team, memory, taken, COTERIE_SIGNAL_SET, round, left);
        }
        if (result == COTERIE_OK) {
            result = coterie_signal_wait_warp(team, memory, taken, COTERIE_GE, round);
        }
        if (result == COTERIE_OK) {
            result = coterie_get_warp(team, memory, data, target, 512, right);
        }
        for (int i = lane; i < 64 && result == COTERIE_OK; i += warpSize) {
            isWrong |= target[i] != source[i];
        }
    }
    if (isWrong || (lane == 0 && result != COTERIE_OK)) {
        *status = isWrong ? 1001 : result;
    }
}

#define EXPECT(condition)                             \
    do {                                              \
        if (!(condition)) return 1000 + __LINE__;     \
    } while (0)

template <typename T>
__device__ int fetching(const coterie_team *team, int memory, coterie_u64 at, int pe) {
    coterie_atomic_set<T>(team, memory, at, 0, pe);
    EXPECT(coterie_atomic_swap<T>(team, memory, at, (T)-1, pe) == 0);
    EXPECT(coterie_atomic_fetch_add<T>(team, memory, at, 3, pe) == (T)-1);
    EXPECT(coterie_atomic_fetch_or<T>(team, memory, at, 12, pe) == 2);
    EXPECT(coterie_atomic_fetch_and<T>(team, memory, at, 6, pe) == 14);
    EXPECT(coterie_atomic_fetch_xor<T>(team, memory, at, 5, pe) == 6);
    EXPECT(coterie_atomic_compare_swap<T>(team, memory, at, 4, 9, pe) == 3);
    EXPECT(coterie_atomic_compare_swap<T>(team, memory, at, 3, 9, pe) == 3);
    EXPECT(coterie_atomic_fetch<T>(team, memory, at, pe) == 9);
    coterie_atomic_add<T>(team, memory, at, 1, pe);
    coterie_atomic_or<T>(team, memory, at, 16, pe);
    coterie_atomic_xor<T>(team, memory, at, 2, pe);
    coterie_atomic_and<T>(team, memory, at, 24, pe);
    EXPECT(coterie_atomic_fetch<T>(team, memory, at, pe) == 24);
    return coterie_status_of(team);
}

__device__ inline int elements_of(const coterie_team *team, int memory, int pe, coterie_u64 *own) {
    const coterie_u64 at = 65536, value = 0x8182838485868788ull;
    coterie_put_value<signed char>(team, memory, at + 1, (signed char)value, pe);
    coterie_put_value<short>(team, memory, at + 2, (short)value, pe);
    coterie_put_value<int>(team, memory, at + 4, (int)value, pe);
    coterie_put_value<coterie_u64>(team, memory, at + 8, value, pe);
    coterie_put_value<double>(team, memory, at + 16, -2.25, pe);
    coterie_put_value<float>(team, memory, at + 24, 1.5f, pe);
    coterie_quiet(team);
    EXPECT(coterie_get_value<signed char>(team, memory, at + 1, pe) == (signed char)value);
    EXPECT(coterie_get_value<short>(team, memory, at + 2, pe) == (short)value);
    EXPECT(coterie_get_value<int>(team, memory, at + 4, pe) == (int)value);
    EXPECT(coterie_get_value<coterie_u64>(team, memory, at + 8, pe) == value);
    EXPECT(coterie_get_value<double>(team, memory, at + 16, pe) == -2.25);
    EXPECT(coterie_get_value<float>(team, memory, at + 24, pe) == 1.5f);
    EXPECT(coterie_get_value<signed char>(team, memory, at, pe) == 0);  // beside the others
    EXPECT(coterie_get(team, memory, at + 8, own, 8, pe) == COTERIE_OK && own[0] == value);
    EXPECT(coterie_get_nbi(team, memory, at + 8, own + 1, 8, pe) == COTERIE_OK && coterie_quiet(team) == COTERIE_OK);
    EXPECT(own[1] == value);
    int result = fetching<int>(team, memory, at + 32, pe) | fetching<coterie_u32>(team, memory, at + 36, pe);
    return result | fetching<long long>(team, memory, at + 40, pe) | fetching<coterie_u64>(team, memory, at + 48, pe);
}

// One thread: elements of 1 to 8 bytes, gets, and the fetching atomics, at the next PE.
extern "C" __global__ void elements(const coterie_team *team, int memory, coterie_u64 *own, int *status) {
    if (threadIdx.x == 0) {
        *status = elements_of(team, memory, (coterie_pe(team) + 1) % coterie_size(team), own);
    }
}

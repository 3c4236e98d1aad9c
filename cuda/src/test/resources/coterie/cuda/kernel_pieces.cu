// SPDX-License-Identifier: Apache-2.0

// Checks of floating-point atomics, flushes, strides and counted signals.

#include "coterie_reduce.cuh"
#include "checks.cuh"

__device__ inline int right_of(const coterie_team *team) { return (coterie_pe(team) + 1) % coterie_size(team); }
__device__ inline int left_of(const coterie_team *team) {
    return (coterie_pe(team) + coterie_size(team) - 1) % coterie_size(team);
}

// --------------------------------------------------------------------------------------------- floating-point atomics

template <typename T>
__device__ int floating_of(const coterie_team *team, int memory, coterie_u64 at, int pe) {
    TRY(coterie_atomic_set<T>(team, memory, at, (T)1.5, pe));
    CHECK(coterie_atomic_fetch_add<T>(team, memory, at, (T)-0.25, pe) == (T)1.5);
    TRY(coterie_atomic_add<T>(team, memory, at, (T)3, pe));
    CHECK(coterie_atomic_fetch<T>(team, memory, at, pe) == (T)4.25);
    CHECK(coterie_atomic_swap<T>(team, memory, at, (T)-0.0, pe) == (T)4.25);
    CHECK(coterie_atomic_compare_swap<T>(team, memory, at, (T)0.0, (T)7, pe) == (T)0);  // -0 has other bits than 0
    CHECK((T)1 / coterie_atomic_compare_swap<T>(team, memory, at, (T)-0.0, (T)7, pe) < (T)0);
    CHECK(coterie_atomic_fetch<T>(team, memory, at, pe) == (T)7);
    return coterie_status_of(team);
}

// One thread: each of them at the next PE, beside a word that stays.
extern "C" __global__ void floating(const coterie_team *team, int memory, int *status) {
    if (threadIdx.x == 0) {
        leave(status, floating_of<float>(team, memory, 20484, right_of(team)));
        leave(status, floating_of<double>(team, memory, 20488, right_of(team)));
        leave(status, coterie_get_value<int>(team, memory, 20480, right_of(team)) == 0 ? COTERIE_OK : 1000);
    }
}

// Every thread adds to a float and a double of PE 0, fetching and not: numbers whose sum is exact in any order.
extern "C" __global__ void floating_adds(const coterie_team *team, int memory, int count, int *status) {
    for (int i = 0; i < count; i++) {
        coterie_atomic_fetch_add<float>(team, memory, 24576, 0.5f, 0);
        coterie_atomic_add<float>(team, memory, 24576, 0.25f, 0);
        coterie_atomic_fetch_add<double>(team, memory, 24584, 0.5, 0);
        coterie_atomic_add<double>(team, memory, 24584, 0.25, 0);
    }
    leave(status, coterie_quiet(team));
}

// One thread: numbers of 16 bits at the next PE, each in either half of 4 bytes, beside one that stays.
template <typename T>
__device__ int narrow_of(const coterie_team *team, int memory, coterie_u64 at, T large, T one, T two, T sum, int pe) {
    for (int half = 0; half < 4; half += 2) {
        const coterie_u64 own = at + half, beside = at + 2 - half;
        TRY(coterie_put_value<coterie_u16>(team, memory, own, large.bits, pe));
        TRY(coterie_put_value<coterie_u16>(team, memory, beside, 0x7e11, pe));
        TRY(coterie_quiet(team));
        CHECK(coterie_atomic_fetch_add<T>(team, memory, own, one, pe).bits == large.bits);  // a tie: to the even number
        CHECK(coterie_atomic_fetch_add<T>(team, memory, own, one, pe).bits == large.bits);
        TRY(coterie_atomic_add<T>(team, memory, own, two, pe));
        CHECK(coterie_atomic_fetch_add<T>(team, memory, own, one, pe).bits == sum.bits);
        CHECK(coterie_get_value<coterie_u16>(team, memory, beside, pe) == 0x7e11);
    }
    return coterie_status_of(team);
}

extern "C" __global__ void narrow(const coterie_team *team, int memory, int *status) {
    if (threadIdx.x == 0) {
        leave(status, narrow_of(team, memory, 20480, coterie_to_half(2048), coterie_to_half(1), coterie_to_half(2),
                                coterie_to_half(2050), right_of(team)));
        leave(status, narrow_of(team, memory, 20484, coterie_to_bfloat16(256), coterie_to_bfloat16(1),
                                coterie_to_bfloat16(2), coterie_to_bfloat16(258), right_of(team)));
    }
}

// Every thread adds to four neighbours of PE 0, fetching and not: numbers whose sum is exact in any order.
extern "C" __global__ void narrow_adds(const coterie_team *team, int memory, int count, int *status) {
    const coterie_half half = coterie_to_half(0.125f);
    const coterie_bfloat16 brain = coterie_to_bfloat16(0.125f);
    for (int i = 0; i < count; i++) {
        coterie_atomic_fetch_add<coterie_half>(team, memory, 24592, half, 0);
        coterie_atomic_add<coterie_half>(team, memory, 24594, half, 0);
        coterie_atomic_fetch_add<coterie_bfloat16>(team, memory, 24596, brain, 0);
        coterie_atomic_add<coterie_bfloat16>(team, memory, 24598, brain, 0);
    }
    leave(status, coterie_quiet(team));
}

// ---------------------------------------------------------------------------------------------------------- flushes

// The block puts from one source again and again, and overwrites it after each flush.
__device__ int flushes_of(const coterie_team *team, int memory, coterie_u64 *own, int rounds) {
    const int pe = right_of(team), words = 512, left = left_of(team);
    if (rounds > 0 && threadIdx.x == 0) {
        TRY(coterie_put_value<coterie_u64>(team, memory, 20480, 4711, pe));
        TRY(coterie_barrier(team, 3));
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = threadIdx.x; i < words; i += blockDim.x) {
            own[i] = 1000ull * round + i + coterie_pe(team);
        }
        own[words] = 0;
        __syncthreads();
        const coterie_u64 at = 32768 + 8ull * words * (round % 4);
        if (round % 3 == 0) {
            TRY(coterie_put_nbi_block(team, memory, at, own, 8 * words, pe));
            TRY(coterie_flush_block(team));
        } else if (threadIdx.x / 32 == round % 2) {
            const coterie_u64 half = round % 2 * words / 2;  // the other half stays what it was
            TRY(coterie_put_nbi_warp(team, memory, at + 8 * half, own + half, 4 * words, pe));
            TRY(coterie_flush_warp(team));
            if (threadIdx.x % 32 == 0) {
                TRY(coterie_get_nbi(team, memory, 20480, own + words, 8, pe));
                TRY(coterie_flush(team));
                CHECK(((volatile coterie_u64 *)own)[words] == 4711);
            }
        }
        __syncthreads();
        for (int i = threadIdx.x; i < words; i += blockDim.x) {
            own[i] = ~0ull;
        }
        TRY(coterie_barrier_block(team, 3));
        const coterie_u64 *received = (const coterie_u64 *)coterie_local(team, memory, at);
        const int from = round % 3 == 0 ? 0 : round % 2 * words / 2, to = round % 3 == 0 ? words : from + words / 2;
        for (int i = from + threadIdx.x; i < to; i += blockDim.x) {
            CHECK(coterie_detail::load_relaxed(received + i) == 1000ull * round + i + left);
        }
        TRY(coterie_sync_block(team, 3));
    }
    return coterie_status_of(team);
}

extern "C" __global__ void flushes(const coterie_team *team, int memory, coterie_u64 *own, int rounds, int *status) {
    leave(status, flushes_of(team, memory, own, rounds));
}

// ------------------------------------------------------------------------------------------------------------ strides

// Elements go to the next PE and back, at strides; what is between them stays. A group of `threads` threads calls it.
#define STRIDES(suffix, sync)                                                                                         \
    template <typename T>                                                                                             \
    __device__ int strides_of##suffix(const coterie_team *team, int memory, T *own, int threads) {                    \
        const int pe = right_of(team), most = 64 * 5;                                                                 \
        T *target = own + most, *whole = own + 2 * most;                                                              \
        const coterie_u64 at = 49152;                                                                                 \
        for (int count = 0; count <= 64; count = count * 4 + 1) {                                                     \
            for (int far = 1; far <= 5; far += 2) {                                                                   \
                for (int near = 1; near <= 4; near += 3) {                                                            \
                    for (int i = threadIdx.x; i < most; i += threads) {                                               \
                        own[i] = (T)(i + 3 * count + far);                                                            \
                        target[i] = (T)111;                                                                           \
                        whole[i] = (T)99;                                                                             \
                    }                                                                                                 \
                    TRY(coterie_put##suffix(team, memory, at, whole, most * sizeof(T), pe));                          \
                    TRY(coterie_quiet##suffix(team));                                                                 \
                    TRY(coterie_iput##suffix(team, memory, at, own, far, near, count, pe));                           \
                    TRY(coterie_quiet##suffix(team));                                                                 \
                    TRY(coterie_get##suffix(team, memory, at, whole, most * sizeof(T), pe));                          \
                    TRY(coterie_iget##suffix(team, memory, at, target, near, far, count, pe));                        \
                    for (int i = threadIdx.x; i < most; i += threads) {                                               \
                        CHECK(whole[i] == (i % far == 0 && i / far < count ? own[i / far * near] : (T)99));           \
                        CHECK(target[i] == (i % near == 0 && i / near < count ? own[i] : (T)111));                    \
                    }                                                                                                 \
                    sync;                                                                                             \
                }                                                                                                     \
            }                                                                                                         \
        }                                                                                                             \
        return coterie_status_of(team);                                                                               \
    }

STRIDES(, )
STRIDES(_warp, __syncwarp())
STRIDES(_block, __syncthreads())

extern "C" __global__ void strides(const coterie_team *team, int memory, coterie_u64 *own, int *status) {
    if (threadIdx.x == 0) {
        leave(status, strides_of(team, memory, (short *)own, 1));
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        leave(status, strides_of_warp(team, memory, (coterie_u8 *)own, 32));
        leave(status, strides_of_warp(team, memory, (double *)own, 32));
    }
    __syncthreads();
    leave(status, strides_of_block(team, memory, (float *)own, blockDim.x));
    leave(status, strides_of_block(team, memory, own, blockDim.x));
}

// ----------------------------------------------------------------------------------------------------- counted signals

// Puts pieces of several sizes to the next PE, by a thread, a warp and the block; the word there has the sum at last.
__device__ int counts_of(const coterie_team *team, int memory, coterie_u8 *own, int rounds) {
    const int sizes[] = {0, 8, 1000, 4096}, pe = right_of(team), left = left_of(team);
    const coterie_u64 total = 5104, word = 8192, at = 65536;
    const volatile coterie_u8 *received = (const volatile coterie_u8 *)coterie_local(team, memory, at);
    for (int round = 1; round <= rounds; round++) {
        for (coterie_u64 i = threadIdx.x; i < total; i += blockDim.x) {
            own[i] = (coterie_u8)(i + coterie_pe(team) + round);
        }
        __syncthreads();
        coterie_u64 done = 0;
        for (int s = 0; s < 4; done += sizes[s++]) {
            if (s == 1 && threadIdx.x == 0) {
                TRY(coterie_put_signal_counted(team, memory, at + done, own + done, sizes[s], memory, word, pe));
            } else if (s == 2 && threadIdx.x < 32) {
                TRY(coterie_put_signal_counted_nbi_warp(team, memory, at + done, own + done, sizes[s], memory, word,
                                                        pe));
            } else if (s == 0 || s == 3) {
                TRY(coterie_put_signal_counted_block(team, memory, at + done, own + done, sizes[s], memory, word, pe));
            }
        }
        TRY(coterie_signal_counted_wait_block(team, memory, word, total));
        CHECK(coterie_signal_fetch(team, memory, word) == total);
        for (coterie_u64 i = threadIdx.x; i < total; i += blockDim.x) {
            CHECK(received[i] == (coterie_u8)(i + left + round));
        }
        TRY(coterie_barrier_block(team, 2));
        if (threadIdx.x == 0) {
            TRY(coterie_signal_counted_reset(team, memory, word));
            CHECK(coterie_signal_fetch(team, memory, word) == 0);
        }
        TRY(coterie_barrier_block(team, 2));
    }
    return coterie_status_of(team);
}

extern "C" __global__ void counts(const coterie_team *team, int memory, coterie_u8 *own, int rounds, int *status) {
    leave(status, counts_of(team, memory, own, rounds));
}

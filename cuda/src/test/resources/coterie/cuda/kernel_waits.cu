// SPDX-License-Identifier: Apache-2.0

// Checks of waits for several words.

#include "coterie.cuh"
#include "checks.cuh"

__device__ inline int right_of(const coterie_team *team) { return (coterie_pe(team) + 1) % coterie_size(team); }
__device__ inline int left_of(const coterie_team *team) {
    return (coterie_pe(team) + coterie_size(team) - 1) % coterie_size(team);
}

// -------------------------------------------------------------------------------------------- waits for several words

enum { WORDS = 9, FIRST = 98304 };

// Sets the words of the next PE in an order that changes with the round, before or while it waits for them. The waiter
// takes them one by one, or as many as there are, each once; then all are there.
#define WAITS(suffix, sync)                                                                                           \
    __device__ int waits_of##suffix(const coterie_team *team, int memory, coterie_u64 *own, int rounds) {             \
        int *skip = (int *)own;                                                                                       \
        coterie_u64 *indices = own + 16;                                                                              \
        const coterie_u64 *words = (const coterie_u64 *)coterie_local(team, memory, FIRST);                           \
        const bool leads = threadIdx.x == 0;                                                                          \
        for (int round = 1; round <= rounds; round++) {                                                               \
            for (int i = 0; leads && i < WORDS; i++) {                                                                \
                skip[i] = 0;                                                                                          \
                TRY(coterie_signal(team, memory, FIRST + 8 * ((4 * i + round) % WORDS), COTERIE_SIGNAL_SET, round,    \
                                   right_of(team)));                                                                  \
            }                                                                                                         \
            for (coterie_u64 taken = 0; taken < WORDS;) {                                                             \
                coterie_u64 index = 0, met = 1;                                                                       \
                if (round % 2 == 0) {                                                                                 \
                    TRY(coterie_signal_wait_any##suffix(team, memory, FIRST, WORDS, skip, COTERIE_GE, round,          \
                                                        &index));                                                     \
                } else {                                                                                              \
                    TRY(coterie_signal_wait_some##suffix(team, memory, FIRST, WORDS, skip, COTERIE_GE, round,         \
                                                         indices, &met));                                             \
                }                                                                                                     \
                CHECK(met >= 1 && met <= WORDS - taken);                                                              \
                for (coterie_u64 i = 0; i < met; i++) {                                                               \
                    const coterie_u64 which = round % 2 == 0 ? index : indices[i];                                    \
                    CHECK(which < WORDS && ((volatile int *)skip)[which] == 0);                                       \
                    CHECK(coterie_detail::load_relaxed(words + which) >= round);                                      \
                    CHECK(round % 2 == 0 || i == 0 || indices[i - 1] < which);                                        \
                }                                                                                                     \
                sync;                                                                                                 \
                for (coterie_u64 i = 0; leads && i < met; i++) {                                                      \
                    skip[round % 2 == 0 ? index : indices[i]] = 1;                                                    \
                }                                                                                                     \
                taken += met;                                                                                         \
            }                                                                                                         \
            coterie_u64 none = 0;                                                                                     \
            TRY(coterie_signal_wait_any##suffix(team, memory, FIRST, WORDS, skip, COTERIE_GE, round, &none));         \
            CHECK(none == COTERIE_NO_INDEX);                                                                          \
            TRY(coterie_signal_wait_some##suffix(team, memory, FIRST, WORDS, skip, COTERIE_LT, 0, indices, &none));   \
            CHECK(none == 0);                                                                                         \
            TRY(coterie_signal_wait_all##suffix(team, memory, FIRST, WORDS, nullptr, COTERIE_GE, round));             \
            TRY(coterie_signal_wait_all##suffix(team, memory, FIRST, WORDS, skip, COTERIE_LT, 0));                    \
            for (int i = 0; i < WORDS; i++) {                                                                         \
                CHECK(coterie_detail::load_relaxed(words + i) >= round);                                              \
            }                                                                                                         \
        }                                                                                                             \
        return coterie_status_of(team);                                                                               \
    }

WAITS(, )
WAITS(_warp, __syncwarp())
WAITS(_block, __syncthreads())

extern "C" __global__ void waits(const coterie_team *team, int memory, coterie_u64 *own, int scope, int rounds,
                                 int *status) {
    if (scope == 0 && threadIdx.x == 0) {
        leave(status, waits_of(team, memory, own, rounds));
    } else if (scope == 1 && threadIdx.x < 32) {
        leave(status, waits_of_warp(team, memory, own, rounds));
    } else if (scope == 2) {
        leave(status, waits_of_block(team, memory, own, rounds));
    }
}

// Waits of the block for words of which one, the third, never compares; `which` is 0 for any, 1 for some, 2 for all.
extern "C" __global__ void late(const coterie_team *team, int memory, coterie_u64 *own, int which, int *status) {
    int *skip = (int *)own;
    if (threadIdx.x < 4) {
        skip[threadIdx.x] = which != 2 && threadIdx.x != 2;
    }
    __syncthreads();
    coterie_u64 index = 77;
    int result;
    if (which == 0) {
        result = coterie_signal_wait_any_block(team, memory, FIRST, 4, skip, COTERIE_GE, 5, &index);
    } else if (which == 1) {
        result = coterie_signal_wait_some_block(team, memory, FIRST, 4, skip, COTERIE_GE, 5, own + 16, &index);
    } else {
        result = coterie_signal_wait_all_block(team, memory, FIRST, 4, skip, COTERIE_GE, 5);
    }
    if (index != 77 || __syncthreads_or(result != coterie_broadcast_block(result, 0))) {
        result = 1000 + __LINE__;
    }
    leave(status, result);
}

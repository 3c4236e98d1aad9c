// SPDX-License-Identifier: Apache-2.0

// Checks of the device header's functions, one by one.

#include "coterie_gin.cuh"
#include "checks.cuh"

__device__ inline int right_of(const coterie_team *team) { return (coterie_pe(team) + 1) % coterie_size(team); }

// ------------------------------------------------------------------------------------------------------ transfers

__device__ inline coterie_u8 nth_byte(int i, int pe, int round) { return (coterie_u8)(i * 7 + pe * 31 + round * 13 + 1); }

// Puts of all sizes and alignments to the next PE, by a thread or the block; gets of the same bytes and of one more on
// each side, which nothing has written. `own` has 5,120 bytes for a source, and as many for a target.
__device__ int copies_of(const coterie_team *team, int memory, coterie_u8 *own) {
    const int sizes[] = {0, 1, 15, 16, 17, 64, 1000, 4097}, me = coterie_pe(team), pe = right_of(team);
    coterie_u8 *target = own + 5120;
    int round = 0;
    for (int s = 0; s < 8; s++) {
        const int size = sizes[s];
        for (int skew = 0; skew < 16; skew += 5) {
            for (int from = 0; from < 16; from = from * 2 + (from == 0)) {
                const coterie_u64 at = 20480 + skew * 4099, around = at - 1;
                round++;
                for (int i = threadIdx.x; i < size; i += blockDim.x) {
                    own[from + i] = nth_byte(i, me, round);
                }
                for (int i = threadIdx.x; i < size + 2; i += blockDim.x) {
                    target[i] = 0xee;
                }
                if (threadIdx.x == 0) {
                    TRY(coterie_put_value<coterie_u8>(team, memory, around, 0xa1, pe));
                    TRY(coterie_put_value<coterie_u8>(team, memory, at + size, 0xa2, pe));
                    TRY(coterie_quiet(team));
                }
                __syncthreads();
                if (s % 2 == 0) {
                    TRY(coterie_put_block(team, memory, at, own + from, size, pe));
                    TRY(coterie_quiet_block(team));
                    TRY(coterie_get_block(team, memory, around, target, size + 2, pe));
                } else {
                    if (threadIdx.x == 0) {
                        TRY(coterie_put(team, memory, at, own + from, size, pe));
                        TRY(coterie_quiet(team));
                        TRY(coterie_get(team, memory, around, target, size + 2, pe));
                    }
                    __syncthreads();
                }
                for (int i = threadIdx.x; i < size; i += blockDim.x) {
                    CHECK(target[1 + i] == nth_byte(i, me, round));
                }
                CHECK(target[0] == 0xa1 && target[size + 1] == 0xa2);
                __syncthreads();
            }
        }
    }
    return coterie_status_of(team);
}

extern "C" __global__ void copies(const coterie_team *team, int memory, coterie_u8 *own, int *status) {
    leave(status, copies_of(team, memory, own));
}

// One thread: the bytes of nbi puts and gets are there after a quiet.
__device__ int non_blocking_of(const coterie_team *team, int memory, coterie_u64 *own, int count) {
    if (count == 0) {
        return COTERIE_OK;
    }
    const int pe = right_of(team), left = (coterie_pe(team) + coterie_size(team) - 1) % coterie_size(team);
    const coterie_u64 at = 20480;
    for (int i = 0; i < count; i++) {
        own[i] = 7ull * i + coterie_pe(team);
        TRY(coterie_put_nbi(team, memory, at + 8 * i, own + i, 8, pe));
    }
    TRY(coterie_barrier(team, 5));  // a quiet, and all members
    for (int i = 0; i < count; i++) {
        CHECK(coterie_get_value<coterie_u64>(team, memory, at + 8 * i, coterie_pe(team)) == 7ull * i + left);
        TRY(coterie_get_nbi(team, memory, at + 8 * i, own + count + i, 8, pe));
    }
    TRY(coterie_quiet(team));
    for (int i = 0; i < count; i++) {
        CHECK(((volatile coterie_u64 *)own)[count + i] == 7ull * i + coterie_pe(team));
    }
    return coterie_sync(team, 5);
}

extern "C" __global__ void non_blocking(const coterie_team *team, int memory, coterie_u64 *own, int count, int *status) {
    if (threadIdx.x == 0) {
        leave(status, non_blocking_of(team, memory, own, count));
    }
}

// ------------------------------------------------------------------------------------------- order and barriers

// Two members, a thread of each: an atomic, by the ring or not, a fence, and a flag; the receiver of the flag checks.
__device__ int fenced_adds_of(const coterie_team *team, int memory, int rounds) {
    const coterie_u64 data = 20480, flag = data + 64, ack = data + 128;
    const int me = coterie_pe(team), peer = coterie_size(team) - 1 - me;
    for (int i = 1; i <= rounds; i++) {
        const coterie_u64 round = i;
        TRY(coterie_atomic_add<coterie_u64>(team, memory, data, 1, peer));
        TRY(coterie_fence(team));
        TRY(coterie_put_value<coterie_u64>(team, memory, flag, round, peer));
        TRY(coterie_signal_wait(team, memory, flag, COTERIE_GE, round));
        CHECK(coterie_signal_fetch(team, memory, data) == round);
        TRY(coterie_signal(team, memory, ack, COTERIE_SIGNAL_SET, round, peer));
        TRY(coterie_signal_wait(team, memory, ack, COTERIE_GE, round));
    }
    return coterie_status_of(team);
}

extern "C" __global__ void fenced_adds(const coterie_team *team, int memory, int rounds, int *status) {
    if (threadIdx.x == 0) {
        leave(status, fenced_adds_of(team, memory, rounds));
    }
}

// Two blocks, of which each meets the same of the other members at a barrier of its own: the first as a block, the
// second by one thread.
__device__ int two_barriers_of(const coterie_team *team, int memory, int rounds) {
    const bool isBlock = blockIdx.x == 0;
    const coterie_u64 at = 20480 + 4096ull * blockIdx.x;
    const int barrier = (int)blockIdx.x;
    for (int round = 1; round <= rounds; round++) {
        for (int pe = threadIdx.x; pe < coterie_size(team); pe += isBlock ? blockDim.x : 1) {
            TRY(coterie_put_value<int>(team, memory, at + 4 * coterie_pe(team), round, pe));
        }
        TRY(isBlock ? coterie_barrier_block(team, barrier) : coterie_barrier(team, barrier));
        for (int pe = 0; pe < coterie_size(team); pe++) {
            CHECK(coterie_get_value<int>(team, memory, at + 4 * pe, coterie_pe(team)) == round);
        }
        TRY(isBlock ? coterie_sync_block(team, barrier) : coterie_sync(team, barrier));
    }
    return coterie_status_of(team);
}

extern "C" __global__ void two_barriers(const coterie_team *team, int memory, int rounds, int *status) {
    if (blockIdx.x == 0 || threadIdx.x == 0) {
        leave(status, two_barriers_of(team, memory, rounds));
    }
}

// --------------------------------------------------------------------------------------------------------- errors

// Every thread of a block checks that it gets the expected status of each operation of a group.
__device__ int statuses_of(const coterie_team *team, int memory, coterie_u64 bytes, void *own) {
    const int outside = coterie_size(team);
    CHECK(coterie_put_block(team, memory, bytes, own, 8, 0) == COTERIE_BAD_RANGE);
    CHECK(coterie_put_block(team, 99, 0, own, 8, 0) == COTERIE_BAD_MEMORY);
    CHECK(coterie_put_signal_block(team, memory, 0, own, 8, memory, 4, COTERIE_SIGNAL_SET, 1, 0) ==
          COTERIE_MISALIGNED);
    CHECK(coterie_get_warp(team, memory, bytes - 4, own, 8, 0) == COTERIE_BAD_RANGE);
    CHECK(coterie_get_block(team, memory, 0, own, 8, outside) == COTERIE_BAD_PE);
    CHECK(coterie_sync_block(team, 99) == COTERIE_BAD_INDEX);
    CHECK(coterie_put_signal_block(team, memory, 0, own, 8, memory, 8, 3, 1, 0) == COTERIE_BAD_OPERATION);
    const coterie::Gin gin(team, 0);
    const coterie::Window window = {memory};
    const coterie::Team alone = coterie::teamInnerFactor(coterie::teamWorld(team), 1);
    CHECK(gin.put(alone, 1, window, 0, window, 0, 8, coterie::None(), coterie::None(), coterie::CoopCta()) ==
          COTERIE_BAD_PE);
    CHECK(gin.put(alone, 1, window, 0, window, 0, 0, coterie::None(), coterie::WeakCounterInc{0},
                  coterie::CoopCta()) == COTERIE_BAD_PE);
    CHECK(gin.signal(alone, -1, coterie::WeakSignalInc{0}) == COTERIE_BAD_PE);
    CHECK(coterie_signal_wait_block(team, memory, 3, COTERIE_GE, 1) == COTERIE_MISALIGNED);
    CHECK(coterie_status_of(team) == COTERIE_BAD_RANGE);
    return COTERIE_OK;
}

extern "C" __global__ void statuses(const coterie_team *team, int memory, coterie_u64 bytes, void *own, int *status) {
    leave(status, statuses_of(team, memory, bytes, own));
}

enum mistake {
    PUT,              // of 8 bytes
    GET,              // the same
    SIGNAL,           // argument: the operation
    BARRIER,          // argument: its number
    GIN_SIGNAL,       // argument: the context; offset: the signal
    LATE_SIGNAL_WAIT  // for 5, and then again
};

// One thread makes a mistake, and leaves the status that it gets.
extern "C" __global__ void mistaken(const coterie_team *team, int what, int memory, coterie_u64 offset,
                                    coterie_u64 bytes, int pe, int argument, coterie_u64 *own, int *status) {
    if (threadIdx.x != 0) {
        return;
    }
    switch (what) {
        case PUT:
            *status = coterie_put(team, memory, offset, own, bytes, pe);
            break;
        case GET:
            *status = coterie_get(team, memory, offset, own, bytes, pe);
            break;
        case SIGNAL:
            *status = coterie_signal(team, memory, offset, argument, 1, pe);
            break;
        case BARRIER:
            *status = coterie_barrier(team, argument);
            break;
        case GIN_SIGNAL:
            *status = coterie::Gin(team, argument)
                          .signal(coterie::teamWorld(team), 0, coterie::WeakSignalInc{(int)offset});
            break;
        default: {
            const int first = coterie_signal_wait(team, memory, offset, COTERIE_GE, 5);
            const int second = coterie_signal_wait(team, memory, offset, COTERIE_GE, 5);
            *status = second != COTERIE_POISONED              ? 1000 + second
                      : coterie_status_of(team) != first ? 2000
                                                              : first;
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ GIN

// All ranks put to all: a put without an action, and one with a strong signal that comes after both. Then each puts with
// a counter, and waits for the counter before it writes to its source again.
__device__ int gin_block_of(const coterie_team *team, int memory, int rounds) {
    using namespace coterie;
    if (rounds == 0) {
        return COTERIE_OK;
    }
    CoopCta coop;
    Gin gin(team, 1);
    Team world = teamWorld(team);
    Window window = {memory};
    BarrierSession barrier(gin, 3);
    const int size = coterie_size(team), me = coterie_pe(team);
    const coterie_u64 at = 20480, received = at + 16;  // a source of 2 words, then 2 from each rank
    coterie_u64 *own = (coterie_u64 *)coterie_local(team, memory, at);
    for (int round = 1; round <= rounds; round++) {
        if (threadIdx.x == 0) {
            own[0] = round;
            own[1] = round + me;
        }
        for (int i = 0; i < size; i++) {
            const int peer = (me + i) % size;
            const coterie_u64 to = received + 16 * me;
            TRY(gin.put(world, peer, window, to, window, at, 8, None(), None(), coop));
            TRY(gin.put(world, peer, window, to + 8, window, at + 8, 8, StrongSignalAdd{2, 3}, WeakCounterInc{1}, coop));
        }
        TRY(gin.waitCounter(coop, 1, (coterie_u64)round * size));
        __syncthreads();
        if (threadIdx.x == 0) {
            own[0] = own[1] = 0;  // its puts have read it
        }
        TRY(gin.waitSignal(coop, 2, 3ull * round * size));
        if (threadIdx.x == 0) {
            for (int peer = 0; peer < size; peer++) {
                TRY(gin.signal(world, peer, WeakSignalInc{3}));
            }
        }
        for (coterie_u64 seen = 0, before, delta; seen < (coterie_u64)size; seen += delta) {
            TRY(gin.waitSignalFollowShadow(coop, 3, 1, &before, &delta));  // all threads go round as often
            CHECK(before == (coterie_u64)(round - 1) * size + seen);
        }
        for (int rank = 0; rank < size; rank++) {
            CHECK(coterie_detail::load_relaxed(own + 2 + 2 * rank) == (coterie_u64)round);
            CHECK(coterie_detail::load_relaxed(own + 3 + 2 * rank) == (coterie_u64)(round + rank));
        }
        TRY(barrier.sync(coop, FenceNone));
    }
    CHECK(gin.readSignal(2) == 3ull * rounds * size);
    CHECK(gin.readCounter(1) == (coterie_u64)rounds * size);
    CHECK(Gin(team, 0).readSignal(2) == 0);
    TRY(barrier.sync(coop, FencePut));
    if (threadIdx.x == 0) {
        TRY(gin.resetSignal(2));
        TRY(gin.resetCounter(1));
        CHECK(gin.readCounter(1) == 0);
        TRY(gin.quiet());
    }
    TRY(barrier.sync(coop, FencePut));
    CHECK(gin.readSignal(2) == 0);
    return COTERIE_OK;
}

extern "C" __global__ void gin_block(const coterie_team *team, int memory, int rounds, int *status) {
    leave(status, gin_block_of(team, memory, rounds));
}

// One thread: values with signals, gets, requests, shadows, VA signals, and signals on a circle of 8 bits.
__device__ int gin_thread_of(const coterie_team *team, int memory, coterie_u64 rounds) {
    using namespace coterie;
    if (rounds == 0) {
        return COTERIE_OK;
    }
    CoopThread coop;
    Gin gin(team, 0);
    Team world = teamWorld(team);
    Window window = {memory};
    BarrierSession barrier(gin, 4);
    const int peer = right_of(team);
    const coterie_u64 at = 40960;
    for (coterie_u64 i = 1; i <= rounds; i++) {
        TRY(gin.putValue(world, peer, window, at, i, WeakSignalInc{5}));
        coterie_u64 before, delta;
        TRY(gin.waitSignalFollowShadow(coop, 5, 1, &before, &delta));
        CHECK(before + delta >= i && delta >= 1);
        CHECK(coterie_get_value<coterie_u64>(team, memory, at, coterie_pe(team)) >= i);
        TRY(gin.signal(world, peer, StrongVASignalAdd{window, at + 8, i}));
        TRY(gin.waitSignal(coop, window, at + 8, i * (i + 1) / 2));
        TRY(barrier.sync(coop, FenceNone));
    }
    CHECK(*gin.getSignalShadowPtr(5) == rounds);
    TRY(gin.increaseSignalShadow(5, 2));
    TRY(gin.signal(world, peer, WeakSignalAdd{5, 2}));
    TRY(gin.waitSignalMeetShadow(coop, 5));
    Request request;
    TRY(gin.get(world, peer, window, at, window, at + 256, 8));
    gin.flushAsync(world, peer, &request);
    TRY(gin.wait(request));
    CHECK(coterie_get_value<coterie_u64>(team, memory, at + 256, coterie_pe(team)) == rounds);
    TRY(gin.signal(world, peer, WeakSignalAdd{6, 250}));
    TRY(gin.waitSignal(coop, 6, 250, 8));
    TRY(gin.signal(world, peer, WeakSignalAdd{6, 10}));
    TRY(gin.waitSignal(coop, 6, 4, 8));
    CHECK(gin.readSignal(6, 8) == 4 && gin.readSignal(6) == 260);
    TRY(barrier.sync(coop, FenceGet));
    return coterie_status_of(team);
}

extern "C" __global__ void gin_thread(const coterie_team *team, int memory, int rounds, int *status) {
    if (threadIdx.x == 0) {
        leave(status, gin_thread_of(team, memory, rounds));
    }
}

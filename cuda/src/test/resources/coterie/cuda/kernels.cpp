// SPDX-License-Identifier: Apache-2.0

// Programs over the device header for threads of a CPU. Each returns 0, a status of the header, or the number of the
// line whose check failed.

#include "coterie.cuh"
#include "coterie_gin.cuh"

#define CHECK(condition)                       \
    do {                                       \
        if (!(condition)) return 1000 + __LINE__; \
    } while (0)

#define TRY(call)                            \
    do {                                     \
        int status_ = (call);                \
        if (status_ != COTERIE_OK) return status_; \
    } while (0)

extern "C" {

// Makes the calling thread number `index` of a group.
void kernel_enter(void *group, int index) {
    coterie_detail::host_self().group = (coterie_detail::host_group *)group;
    coterie_detail::host_self().index = (unsigned)index;
}

int kernel_put(const coterie_team *team, int memory, coterie_u64 offset, void *source, coterie_u64 bytes, int pe) {
    return coterie_put(team, memory, offset, source, bytes, pe);
}

int kernel_put_block(const coterie_team *team, int memory, coterie_u64 offset, void *source, coterie_u64 bytes,
                     int pe) {
    return coterie_put_block(team, memory, offset, source, bytes, pe);
}

int kernel_get_block(const coterie_team *team, int memory, coterie_u64 offset, void *target, coterie_u64 bytes,
                     int pe) {
    return coterie_get_block(team, memory, offset, target, bytes, pe);
}

int kernel_put_nbi(const coterie_team *team, int memory, coterie_u64 offset, void *source, coterie_u64 bytes, int pe) {
    return coterie_put_nbi(team, memory, offset, source, bytes, pe);
}

int kernel_get(const coterie_team *team, int memory, coterie_u64 offset, void *target, coterie_u64 bytes, int pe) {
    return coterie_get(team, memory, offset, target, bytes, pe);
}

int kernel_get_nbi(const coterie_team *team, int memory, coterie_u64 offset, void *target, coterie_u64 bytes, int pe) {
    return coterie_get_nbi(team, memory, offset, target, bytes, pe);
}

int kernel_signal(const coterie_team *team, int memory, coterie_u64 offset, int operation, coterie_u64 value, int pe) {
    return coterie_signal(team, memory, offset, operation, value, pe);
}

int kernel_signal_wait(const coterie_team *team, int memory, coterie_u64 offset, int comparison, coterie_u64 operand) {
    return coterie_signal_wait(team, memory, offset, comparison, operand);
}

// Every thread of a group checks that it gets the expected status of each operation of a group.
int kernel_statuses(const coterie_team *team, int memory, coterie_u64 bytes, void *own) {
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

int kernel_quiet(const coterie_team *team) { return coterie_quiet(team); }
int kernel_fence(const coterie_team *team) { return coterie_fence(team); }
int kernel_barrier(const coterie_team *team, int barrier) { return coterie_barrier(team, barrier); }
int kernel_sync_block(const coterie_team *team, int barrier) { return coterie_sync_block(team, barrier); }
int kernel_status(const coterie_team *team) { return coterie_status_of(team); }

// Every element of 1 to 8 bytes of `value`, at its own offset, and back.
int kernel_values(const coterie_team *team, int memory, int pe, coterie_u64 value) {
    TRY(coterie_put_value<signed char>(team, memory, 1, (signed char)value, pe));
    TRY(coterie_put_value<short>(team, memory, 2, (short)value, pe));
    TRY(coterie_put_value<int>(team, memory, 4, (int)value, pe));
    TRY(coterie_put_value<coterie_u64>(team, memory, 8, value, pe));
    TRY(coterie_put_value<float>(team, memory, 16, 1.5f, pe));
    TRY(coterie_put_value<double>(team, memory, 24, -2.25, pe));
    TRY(coterie_quiet(team));
    CHECK(coterie_get_value<signed char>(team, memory, 1, pe) == (signed char)value);
    CHECK(coterie_get_value<short>(team, memory, 2, pe) == (short)value);
    CHECK(coterie_get_value<int>(team, memory, 4, pe) == (int)value);
    CHECK(coterie_get_value<coterie_u64>(team, memory, 8, pe) == value);
    CHECK(coterie_get_value<float>(team, memory, 16, pe) == 1.5f);
    CHECK(coterie_get_value<double>(team, memory, 24, pe) == -2.25);
    CHECK(coterie_get_value<signed char>(team, memory, 0, pe) == 0);
    return coterie_status_of(team);
}

}  // extern "C"

template <typename T>
static int atomics(const coterie_team *team, int memory, coterie_u64 at, int pe) {
    const T ones = (T)-1;
    CHECK(coterie_atomic_swap<T>(team, memory, at, ones, pe) == 0);
    CHECK(coterie_atomic_fetch_add<T>(team, memory, at, 3, pe) == ones);
    CHECK(coterie_atomic_fetch_or<T>(team, memory, at, 12, pe) == 2);
    CHECK(coterie_atomic_fetch_and<T>(team, memory, at, 6, pe) == 14);
    CHECK(coterie_atomic_fetch_xor<T>(team, memory, at, 5, pe) == 6);
    CHECK(coterie_atomic_compare_swap<T>(team, memory, at, 4, 9, pe) == 3);
    CHECK(coterie_atomic_compare_swap<T>(team, memory, at, 3, 9, pe) == 3);
    CHECK(coterie_atomic_fetch<T>(team, memory, at, pe) == 9);
    TRY(coterie_atomic_add<T>(team, memory, at, 1, pe));
    TRY(coterie_atomic_or<T>(team, memory, at, 16, pe));
    TRY(coterie_atomic_xor<T>(team, memory, at, 2, pe));
    TRY(coterie_atomic_and<T>(team, memory, at, 24, pe));
    CHECK(coterie_atomic_fetch<T>(team, memory, at, pe) == 24);
    TRY(coterie_atomic_set<T>(team, memory, at, 0, pe));
    CHECK(coterie_atomic_fetch<T>(team, memory, at, pe) == 0);
    return coterie_status_of(team);
}

extern "C" {

int kernel_atomics(const coterie_team *team, int memory, int pe) {
    TRY(atomics<int>(team, memory, 64, pe));
    TRY(atomics<coterie_u32>(team, memory, 68, pe));
    TRY(atomics<long long>(team, memory, 72, pe));
    TRY(atomics<coterie_u64>(team, memory, 80, pe));
    return COTERIE_OK;
}

int kernel_adds(const coterie_team *team, int memory, coterie_u64 offset, int pe, int count) {
    for (int i = 0; i < count; i++) {
        if (i % 2 == 0) {
            coterie_atomic_fetch_add<coterie_u64>(team, memory, offset, 1, pe);
        } else {
            TRY(coterie_signal(team, memory, offset, COTERIE_SIGNAL_ADD, 1, pe));
        }
    }
    return coterie_quiet(team);
}

// Message passing: puts of `bytes` bytes that all have the round's number, each with a signal, into a window of 8.
// The receiver acknowledges every eighth. `source` is the sender's own memory.
int kernel_send(const coterie_team *team, int memory, coterie_u64 at, coterie_u64 signal, coterie_u64 ack,
                coterie_u64 *source, coterie_u64 bytes, int operation, int pe, int rounds) {
    coterie_detail::block_scope scope;
    for (coterie_u64 round = 1; round <= (coterie_u64)rounds; round++) {
        coterie_u64 place = round % 8 * bytes;
        for (coterie_u64 i = scope.index(); i < bytes / 8; i += scope.count()) {
            source[place / 8 + i] = round;
        }
        TRY(coterie_put_signal_nbi_block(team, memory, at + place, source + place / 8, bytes, memory, signal,
                                         operation, operation == COTERIE_SIGNAL_SET ? round : 1, pe));
        if (round % 8 == 0) {
            TRY(coterie_signal_wait_block(team, memory, ack, COTERIE_GE, round));
        }
    }
    return coterie_quiet_block(team);
}

int kernel_receive(const coterie_team *team, int memory, coterie_u64 at, coterie_u64 signal, coterie_u64 ack,
                   coterie_u64 bytes, int pe, int rounds) {
    coterie_detail::block_scope scope;
    const coterie_u64 *words = (const coterie_u64 *)coterie_local(team, memory, at);
    for (coterie_u64 round = 1; round <= (coterie_u64)rounds; round++) {
        TRY(coterie_signal_wait_block(team, memory, signal, COTERIE_GE, round));
        coterie_u64 place = round % 8 * bytes / 8;
        bool isStale = false;
        for (coterie_u64 i = scope.index(); i < bytes / 8; i += scope.count()) {
            isStale |= coterie_detail::load_relaxed(words + place + i) < round;
        }
        CHECK(scope.any(isStale ? 1 : 0) == 0);
        if (round % 8 == 0 && scope.index() == 0) {
            TRY(coterie_signal(team, memory, ack, COTERIE_SIGNAL_SET, round, pe));
        }
    }
    return COTERIE_OK;
}

// Each member stores the round to all members, meets them, checks what they have stored, and meets them again.
int kernel_rounds(const coterie_team *team, int memory, coterie_u64 at, int barrier, int rounds) {
    coterie_detail::block_scope scope;
    for (int round = 1; round <= rounds; round++) {
        for (int pe = (int)scope.index(); pe < coterie_size(team); pe += (int)scope.count()) {
            TRY(coterie_put_value<int>(team, memory, at + 4 * (coterie_u64)coterie_pe(team), round, pe));
        }
        TRY(coterie_barrier_block(team, barrier));
        const int *words = (const int *)coterie_local(team, memory, at);
        for (int pe = 0; pe < coterie_size(team); pe++) {
            CHECK(*(const volatile int *)(words + pe) == round);
        }
        TRY(coterie_sync_block(team, barrier));
    }
    return COTERIE_OK;
}

// A put to a place by the ring or by stores, a fence, and a flag by the other way; the receiver of the flag checks.
int kernel_fenced_send(const coterie_team *team, int memory, coterie_u64 data, coterie_u64 flag, coterie_u64 ack,
                       int pe, int rounds) {
    for (coterie_u64 round = 1; round <= (coterie_u64)rounds; round++) {
        TRY(coterie_atomic_add<coterie_u64>(team, memory, data, 1, pe));
        TRY(coterie_fence(team));
        TRY(coterie_put_value<coterie_u64>(team, memory, flag, round, pe));
        TRY(coterie_signal_wait(team, memory, ack, COTERIE_GE, round));
    }
    return COTERIE_OK;
}

int kernel_fenced_receive(const coterie_team *team, int memory, coterie_u64 data, coterie_u64 flag, coterie_u64 ack,
                          int pe, int rounds) {
    for (coterie_u64 round = 1; round <= (coterie_u64)rounds; round++) {
        TRY(coterie_signal_wait(team, memory, flag, COTERIE_GE, round));
        CHECK(coterie_signal_fetch(team, memory, data) == round);
        TRY(coterie_signal(team, memory, ack, COTERIE_SIGNAL_SET, round, pe));
    }
    return COTERIE_OK;
}

}  // extern "C"

extern "C" {

// All ranks put to all: a put without an action, and one with a strong signal that comes after both. Then each puts
// with a counter, and waits for the counter before it writes to its source again.
int kernel_gin(const coterie_team *team, int memory, coterie_u64 at, int rounds) {
    using namespace coterie;
    CoopCta coop;
    coterie_detail::block_scope scope;
    Gin gin(team, 1);
    Team world = teamWorld(team);
    Window window = {memory};
    BarrierSession barrier(gin, 3);
    int size = coterie_size(team), me = coterie_pe(team);
    coterie_u64 *own = (coterie_u64 *)coterie_local(team, memory, at);  // a source of 2 words, then 2 from each rank
    coterie_u64 received = at + 16;
    for (int round = 1; round <= rounds; round++) {
        if (scope.index() == 0) {
            own[0] = (coterie_u64)round;
            own[1] = (coterie_u64)(round + me);
        }
        for (int i = 0; i < size; i++) {
            int peer = (me + i) % size;
            coterie_u64 to = received + 16 * (coterie_u64)me;
            TRY(gin.put(world, peer, window, to, window, at, 8, None(), None(), coop));
            TRY(gin.put(world, peer, window, to + 8, window, at + 8, 8, StrongSignalAdd{2, 3}, WeakCounterInc{1}, coop));
        }
        TRY(gin.waitCounter(coop, 1, (coterie_u64)(round * size)));
        CHECK(scope.agree(0) == 0);
        if (scope.index() == 0) {
            own[0] = own[1] = 0;  // its puts have read it
        }
        TRY(gin.waitSignal(coop, 2, (coterie_u64)(3 * round * size)));
        if (scope.index() == 0) {
            for (int peer = 0; peer < size; peer++) {
                TRY(gin.signal(world, peer, WeakSignalInc{3}));
            }
        }
        for (coterie_u64 seen = 0, before, delta; seen < (coterie_u64)size; seen += delta) {
            TRY(gin.waitSignalFollowShadow(coop, 3, 1, &before, &delta));  // all threads go round as often
            CHECK(before == (coterie_u64)((round - 1) * size) + seen);
        }
        for (int rank = 0; rank < size; rank++) {
            CHECK(coterie_detail::load_relaxed(own + 2 + 2 * rank) == (coterie_u64)round);
            CHECK(coterie_detail::load_relaxed(own + 3 + 2 * rank) == (coterie_u64)(round + rank));
        }
        TRY(barrier.sync(coop, FenceNone));
    }
    CHECK(gin.readSignal(2) == (coterie_u64)(3 * rounds * size));
    CHECK(gin.readCounter(1) == (coterie_u64)(rounds * size));
    CHECK(Gin(team, 0).readSignal(2) == 0);
    TRY(barrier.sync(coop, FencePut));
    if (scope.index() == 0) {
        TRY(gin.resetSignal(2));
        TRY(gin.resetCounter(1));
        CHECK(gin.readCounter(1) == 0);
        TRY(gin.quiet());
    }
    TRY(barrier.sync(coop, FencePut));
    CHECK(gin.readSignal(2) == 0);
    return COTERIE_OK;
}

// One thread: values with signals, gets, requests, shadows, VA signals, and signals on a circle of 8 bits.
int kernel_gin_thread(const coterie_team *team, int memory, int peer) {
    using namespace coterie;
    CoopThread coop;
    Gin gin(team, 0);
    Team world = teamWorld(team);
    Window window = {memory};
    BarrierSession barrier(gin, 4);
    for (coterie_u64 i = 1; i <= 100; i++) {
        TRY(gin.putValue(world, peer, window, 256, i, WeakSignalInc{5}));
        coterie_u64 before, delta;
        TRY(gin.waitSignalFollowShadow(coop, 5, 1, &before, &delta));
        CHECK(before + delta >= i && delta >= 1);
        CHECK(coterie_get_value<coterie_u64>(team, memory, 256, coterie_pe(team)) >= i);
        TRY(gin.signal(world, peer, StrongVASignalAdd{window, 264, i}));
        TRY(gin.waitSignal(coop, window, 264, i * (i + 1) / 2));
        TRY(barrier.sync(coop, FenceNone));
    }
    CHECK(*gin.getSignalShadowPtr(5) == 100);
    TRY(gin.increaseSignalShadow(5, 2));
    TRY(gin.signal(world, peer, WeakSignalAdd{5, 2}));
    TRY(gin.waitSignalMeetShadow(coop, 5));
    Request request;
    TRY(gin.get(world, peer, window, 256, window, 512, 8));
    gin.flushAsync(world, peer, &request);
    TRY(gin.wait(request));
    CHECK(coterie_get_value<coterie_u64>(team, memory, 512, coterie_pe(team)) == 100);
    TRY(gin.signal(world, peer, WeakSignalAdd{6, 250}));
    TRY(gin.waitSignal(coop, 6, 250, 8));
    TRY(gin.signal(world, peer, WeakSignalAdd{6, 10}));
    TRY(gin.waitSignal(coop, 6, 4, 8));
    CHECK(gin.readSignal(6, 8) == 4 && gin.readSignal(6) == 260);
    TRY(barrier.sync(coop, FenceGet));
    return coterie_status_of(team);
}

int kernel_gin_bad(const coterie_team *team, int context, int signal) {
    return coterie::Gin(team, context).signal(coterie::teamWorld(team), 0, coterie::WeakSignalInc{signal});
}

}  // extern "C"

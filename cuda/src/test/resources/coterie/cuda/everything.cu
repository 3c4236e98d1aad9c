// SPDX-License-Identifier: Apache-2.0

// Every public function of the device header, at every scope: a compiler must accept all of them without a warning.

#include "coterie_lsa.cuh"
#include "coterie_reduce.cuh"

#define SCOPED(suffix)                                                                                    \
    extern "C" __global__ void all##suffix(const coterie_team *team, coterie_u64 *data, int *status) {   \
        int bits = coterie_put##suffix(team, 1, 0, data, 64, 1);                                          \
        bits |= coterie_put_nbi##suffix(team, 1, 0, data, 64, 1);                                         \
        bits |= coterie_put_signal##suffix(team, 1, 0, data, 64, 1, 128, COTERIE_SIGNAL_SET, 1, 1);       \
        bits |= coterie_put_signal_nbi##suffix(team, 1, 0, data, 64, 1, 128, COTERIE_SIGNAL_ADD, 1, 1);   \
        bits |= coterie_get##suffix(team, 1, 0, data, 64, 1);                                             \
        bits |= coterie_get_nbi##suffix(team, 1, 0, data, 64, 1);                                         \
        bits |= coterie_signal_wait##suffix(team, 1, 128, COTERIE_GE, 1);                                 \
        bits |= coterie_put_signal_counted##suffix(team, 1, 0, data, 64, 1, 128, 1);                      \
        bits |= coterie_put_signal_counted_nbi##suffix(team, 1, 0, data, 64, 1, 128, 1);                  \
        bits |= coterie_signal_counted_wait##suffix(team, 1, 128, 64);                                    \
        bits |= coterie_signal_wait_any##suffix(team, 1, 128, 4, status, COTERIE_GE, 1, data);            \
        bits |= coterie_signal_wait_some##suffix(team, 1, 128, 4, nullptr, COTERIE_GE, 1, data, data + 8);\
        bits |= coterie_signal_wait_all##suffix(team, 1, 128, 4, status, COTERIE_GE, 1);                  \
        bits |= coterie_fence##suffix(team) | coterie_quiet##suffix(team) | coterie_flush##suffix(team);  \
        bits |= coterie_sync##suffix(team, 0) | coterie_barrier##suffix(team, 0);                         \
        *status = bits;                                                                                   \
    }                                                                                                     \
                                                                                                          \
    template <typename T>                                                                                 \
    __device__ int strides##suffix(const coterie_team *team, T *own) {                                    \
        return coterie_iput##suffix(team, 1, 0, own, 2, 3, 8, 1) |                                        \
               coterie_iget##suffix(team, 1, 0, own, 2, 3, 8, 1);                                         \
    }                                                                                                     \
    extern "C" __global__ void all_strides##suffix(const coterie_team *team, void *own, int *status) {    \
        *status = strides##suffix(team, (signed char *)own) | strides##suffix(team, (short *)own) |       \
                  strides##suffix(team, (float *)own) | strides##suffix(team, (double *)own) |            \
                  strides##suffix(team, (coterie_u64 *)own);                                              \
    }                                                                                                     \
                                                                                                          \
    template <typename T, typename Operator>                                                              \
    __device__ int reduction##suffix(const coterie_team *team, T *own, Operator combine) {                \
        coterie_location places[] = {coterie_at(1, 0, 1), coterie_at(own)};                               \
        return coterie_reduce_copy##suffix<T>(team, places, 2, places + 1, 1, 64, combine);               \
    }                                                                                                     \
    extern "C" __global__ void all_reductions##suffix(const coterie_team *team, void *own, int *status) { \
        *status = reduction##suffix(team, (signed char *)own, coterie_sum()) |                            \
                  reduction##suffix(team, (unsigned short *)own, coterie_product()) |                     \
                  reduction##suffix(team, (int *)own, coterie_min()) |                                    \
                  reduction##suffix(team, (coterie_u64 *)own, coterie_max()) |                            \
                  reduction##suffix(team, (float *)own, coterie_min()) |                                  \
                  reduction##suffix(team, (double *)own, coterie_product()) |                             \
                  reduction##suffix(team, (coterie_half *)own, coterie_max()) |                           \
                  reduction##suffix(team, (coterie_bfloat16 *)own, coterie_sum());                        \
    }

SCOPED()
SCOPED(_warp)
SCOPED(_block)

extern "C" __global__ void all_queries(const coterie_team *team, coterie_u64 *data) {
    data[0] = (coterie_u64)(coterie_pe(team) + coterie_size(team) + coterie_world_pe(team, 0));
    data[1] = (coterie_u64)coterie_pointer(team, 1, 0, 1) + (coterie_u64)coterie_local(team, 1, 0);
    data[2] = (coterie_u64)coterie_status_of(team) + coterie_signal_fetch(team, 1, 0);
    data[3] = (coterie_u64)coterie_signal(team, 1, 0, COTERIE_SIGNAL_ADD, 1, 1);
    data[4] = (coterie_u64)coterie_signal_wait_value(team, 1, 0, COTERIE_NE, 1, data + 5);
    data[6] = coterie_broadcast_warp(data[0], 1) + coterie_broadcast_block(data[1], 1);
    data[7] = (coterie_u64)coterie_broadcast_warp(1.5f, 1) + (coterie_u64)coterie_broadcast_block(1.5, 1);
}

template <typename T>
__device__ void all_values(const coterie_team *team) {
    coterie_put_value<T>(team, 1, 0, coterie_get_value<T>(team, 1, 8, 1), 1);
}

template <typename T>
__device__ T all_atomics(const coterie_team *team) {
    coterie_atomic_set<T>(team, 1, 0, 1, 1);
    coterie_atomic_add<T>(team, 1, 0, 1, 1);
    coterie_atomic_and<T>(team, 1, 0, 1, 1);
    coterie_atomic_or<T>(team, 1, 0, 1, 1);
    coterie_atomic_xor<T>(team, 1, 0, 1, 1);
    return coterie_atomic_fetch<T>(team, 1, 0, 1) + coterie_atomic_swap<T>(team, 1, 0, 1, 1) +
           coterie_atomic_compare_swap<T>(team, 1, 0, 1, 2, 1) + coterie_atomic_fetch_add<T>(team, 1, 0, 1, 1) +
           coterie_atomic_fetch_and<T>(team, 1, 0, 1, 1) + coterie_atomic_fetch_or<T>(team, 1, 0, 1, 1) +
           coterie_atomic_fetch_xor<T>(team, 1, 0, 1, 1);
}

// Of float and double, which have no operations on their bits.
template <typename T>
__device__ T all_floating_atomics(const coterie_team *team) {
    coterie_atomic_set<T>(team, 1, 0, 1, 1);
    coterie_atomic_add<T>(team, 1, 0, 1, 1);
    return coterie_atomic_fetch<T>(team, 1, 0, 1) + coterie_atomic_swap<T>(team, 1, 0, 1, 1) +
           coterie_atomic_compare_swap<T>(team, 1, 0, 1, 2, 1) + coterie_atomic_fetch_add<T>(team, 1, 0, 1, 1);
}

template <typename T>
__device__ coterie_u64 all_narrow_atomics(const coterie_team *team, T one) {
    coterie_atomic_add<T>(team, 1, 0, one, 1);
    return coterie_atomic_fetch_add<T>(team, 1, 2, one, 1).bits;
}

extern "C" __global__ void all_elements(const coterie_team *team, coterie_u64 *data) {
    all_values<signed char>(team);
    all_values<unsigned char>(team);
    all_values<short>(team);
    all_values<unsigned short>(team);
    all_values<int>(team);
    all_values<unsigned>(team);
    all_values<long long>(team);
    all_values<unsigned long long>(team);
    all_values<float>(team);
    all_values<double>(team);
    data[0] = (coterie_u64)all_atomics<int>(team) + all_atomics<unsigned>(team) +
              (coterie_u64)all_atomics<long long>(team) + all_atomics<unsigned long long>(team);
    data[1] = (coterie_u64)all_floating_atomics<float>(team) + (coterie_u64)all_floating_atomics<double>(team);
    data[2] = all_narrow_atomics(team, coterie_to_half(1)) + all_narrow_atomics(team, coterie_to_bfloat16(1));
    data[2] = (coterie_u64)coterie_signal_counted_reset(team, 1, 0);
}

template <typename Coop>
__device__ int all_gin(const coterie_team *team, coterie_u64 *data) {
    using namespace coterie;
    Gin gin(team, 0);
    Team world = teamWorld(team);
    Team row = teamInnerFactor(world, 2);
    Team column = teamOuterFactor(world, 2);
    Window window = {1};
    Coop coop;
    int bits = gin.put(world, 1, window, 0, window, 64, 64, None(), None(), coop);
    bits |= gin.put(row, 1, window, 0, window, 64, 64, WeakSignalInc{0}, WeakCounterInc{0}, coop);
    bits |= gin.put(column, 0, window, 0, window, 64, 64, WeakSignalAdd{0, 2}, None(), coop);
    bits |= gin.put(world, 1, window, 0, window, 64, 64, StrongSignalInc{0}, None(), coop);
    bits |= gin.put(world, 1, window, 0, window, 64, 64, StrongSignalAdd{0, 2}, None(), coop);
    bits |= gin.put(world, 1, window, 0, window, 64, 64, WeakVASignalInc{window, 8}, None(), coop);
    bits |= gin.put(world, 1, window, 0, window, 64, 64, WeakVASignalAdd{window, 8, 2}, None(), coop);
    bits |= gin.put(world, 1, window, 0, window, 64, 64, StrongVASignalInc{window, 8}, None(), coop);
    bits |= gin.put(world, 1, window, 0, window, 64, 64, StrongVASignalAdd{window, 8, 2}, None(), coop);
    bits |= gin.get(world, 1, window, 0, window, 64, 64, coop) | gin.flush(coop);
    bits |= gin.waitSignal(coop, 0, 1) | gin.waitSignal(coop, window, 8, 1, 32) | gin.waitSignalMeetShadow(coop, 0);
    bits |= gin.waitSignalFollowShadow(coop, 0, 1, data, data + 1) | gin.waitCounter(coop, 0, 1);
    SymPtr<float> elements(window, 64);
    bits |= gin.put(world, 1, elements, elements + 16, 16, WeakSignalInc{0}, None(), coop, OptFlagsAggregateRequests);
    LsaBarrierSession lsa(team, teamLsa(team), 1);
    bits |= lsa.arrive(coop) | lsa.wait(coop) | lsa.sync(coop);
    bits |= TeamBarrierSession(team, teamRail(team), 2).sync(coop, FenceGet);
    LLA2ASession session(team, teamLsa(team), window, 1024, 8);
    float found;
    bits |= session.send(0, 0, 1.5f) | session.bcast(1, 2.5f) | session.recv(0, &found);
    bits |= session.recvReduce(1, 1, 1, coterie_sum(), &found) | session.endEpoch(coop) | session.status();
    return bits | BarrierSession(gin, 0).sync(coop, FencePut);
}

extern "C" __global__ void all_gins(const coterie_team *team, coterie_u64 *data) {
    using namespace coterie;
    Gin gin(team, 1);
    Team world = teamWorld(team);
    Window window = {1};
    int bits = all_gin<CoopThread>(team, data) | all_gin<CoopWarp>(team, data) | all_gin<CoopCta>(team, data);
    bits |= gin.put(world, 1, window, 0, window, 64, 64) | gin.put(world, 1, window, 0, window, 64, 64, StrongSignalInc{0});
    bits |= gin.putValue(world, 1, window, 0, 1.5f) | gin.putValue(world, 1, window, 0, 1ull, WeakSignalInc{0});
    bits |= gin.putValue(world, 1, window, 0, (short)1, StrongSignalInc{0}) | gin.signal(world, 1, WeakSignalInc{0});
    bits |= gin.signal(world, 1, StrongVASignalAdd{window, 8, 1}) | gin.get(world, 1, window, 0, window, 64, 64);
    SymPtr<double> first(window, 0), second = first + 8;
    second += 2, second -= 1;
    bits |= gin.put(world, 1, first, second, 4) | gin.putValue(world, 1, first, 1.5) | (first == second);
    bits |= gin.putValue(world, 1, first, 1.5, None(), OptFlagsMaySkipCreditCheck) | (first != second - 1);
    bits |= (void *)((SymPtr<int>)first).localPtr(team) == second.peerPtr(team, 1) ? (int)(second - first) : 0;
    bits |= second.peerPtr(team, world, 1) == nullptr;
    Request request;
    gin.flushAsync(world, 1, &request);
    bits |= gin.wait(request) | gin.flush() | gin.quiet() | gin.resetSignal(0) | gin.resetSignal(window, 8);
    bits |= gin.resetCounter(0) | gin.increaseSignalShadow(0, 1);
    data[0] = gin.readSignal(0) + gin.readSignal(window, 8, 32) + gin.readCounter(0) + *gin.getSignalShadowPtr(0);
    data[1] = (coterie_u64)(bits + teamRankToWorld(team, world, 0));
}

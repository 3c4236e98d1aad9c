// SPDX-License-Identifier: Apache-2.0

// Checks of reductions and broadcasts.

#include "coterie_reduce.cuh"
#include "checks.cuh"

__device__ inline int right_of(const coterie_team *team) { return (coterie_pe(team) + 1) % coterie_size(team); }
__device__ inline int left_of(const coterie_team *team) {
    return (coterie_pe(team) + coterie_size(team) - 1) % coterie_size(team);
}

// ---------------------------------------------------------------------------------------------------------- reductions

// Numbers of small integers, so that a sum of floats is exact; their order shows in none of them.
template <typename T>
struct numbers {
    static __device__ T of(int value) { return (T)value; }
    static __device__ float as_float(T value) { return (float)value; }
};
template <>
struct numbers<coterie_half> {
    static __device__ coterie_half of(int value) { return coterie_to_half((float)value); }
    static __device__ float as_float(coterie_half value) { return coterie_to_float(value); }
};
template <>
struct numbers<coterie_bfloat16> {
    static __device__ coterie_bfloat16 of(int value) { return coterie_to_bfloat16((float)value); }
    static __device__ float as_float(coterie_bfloat16 value) { return coterie_to_float(value); }
};

struct last {  // an operator of a program's own: the second of two
    template <typename T>
    __device__ T operator()(T, T b) const {
        return b;
    }
};

// By thread 0, the first warp or the block; the others do nothing.
template <typename T, typename Operator>
__device__ int reduce(int scope, const coterie_team *team, const coterie_location *lists, int size, int count,
                      Operator combine) {
    if (scope == 2) {
        return coterie_reduce_copy_block<T>(team, lists, size, lists + size, size, count, combine);
    }
    if (scope == 1 && threadIdx.x < 32) {
        return coterie_reduce_copy_warp<T>(team, lists, size, lists + size, size, count, combine);
    }
    return scope == 0 && threadIdx.x == 0
               ? coterie_reduce_copy<T>(team, lists, size, lists + size, size, count, combine)
               : COTERIE_OK;
}

__device__ inline int combined(int kind, int a, int b) {
    return kind == 0 ? a + b : kind == 1 ? a * b : kind == 2 ? (b < a ? b : a) : kind == 3 ? (b > a ? b : a) : b;
}

// Each member reduces its share of all members' elements, from `skew` elements on, and writes it to all of them; the
// elements beside the results stay. Not inlined, which takes the compiler half the time.
template <typename T, typename Operator>
__device__ __noinline__ int reductions_of(int scope, const coterie_team *team, int memory, coterie_location *lists, int count,
                             int skew, Operator combine, int kind) {
    const int me = coterie_pe(team), size = coterie_size(team);
    const coterie_u64 from = 20480 + skew * sizeof(T), to = 65536 + skew * sizeof(T);
    const int begin = (int)((long long)count * me / size), end = (int)((long long)count * (me + 1) / size);
    T *mine = (T *)coterie_local(team, memory, from), *result = (T *)coterie_local(team, memory, to);
    for (int i = threadIdx.x; i < count + 2; i += blockDim.x) {
        mine[i - 1] = numbers<T>::of((i * 5 + me * 3) % 16);
        result[i - 1] = numbers<T>::of(55);
    }
    for (int pe = threadIdx.x; pe < size; pe += blockDim.x) {
        lists[pe] = coterie_at(memory, from + begin * sizeof(T), pe);
        lists[size + pe] = coterie_at(memory, to + begin * sizeof(T), pe);
    }
    TRY(coterie_barrier_block(team, 1));
    TRY(reduce<T>(scope, team, lists, size, end - begin, combine));
    TRY(coterie_barrier_block(team, 1));
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        int expected = (i + 1) * 5 % 16;
        for (int pe = 1; pe < size; pe++) {
            expected = combined(kind, expected, ((i + 1) * 5 + pe * 3) % 16);
        }
        CHECK(numbers<T>::as_float(result[i]) == numbers<T>::as_float(numbers<T>::of(expected)));
    }
    CHECK(numbers<T>::as_float(result[-1]) == 55.0f && numbers<T>::as_float(result[count]) == 55.0f);
    return coterie_sync_block(team, 1);
}

extern "C" __global__ void reductions(const coterie_team *team, int memory, coterie_location *lists, int scope,
                                      int *status) {
    if (scope < 0) {
        return;
    }
    leave(status, reductions_of<coterie_u16>(scope, team, memory, lists, 1003, 16, coterie_sum(), 0));
    leave(status, reductions_of<int>(scope, team, memory, lists, 2048, 16, last(), 4));
    leave(status, reductions_of<coterie_half>(scope, team, memory, lists, 1003, 16, coterie_sum(), 0));
    leave(status, reductions_of<coterie_half>(scope, team, memory, lists, 77, 1, coterie_sum(), 0));
    leave(status, reductions_of<double>(scope, team, memory, lists, 501, 2, coterie_max(), 3));
    leave(status, reductions_of<float>(scope, team, memory, lists, 500, 4, coterie_product(), 1));
    leave(status, reductions_of<signed char>(scope, team, memory, lists, 500, 4, coterie_min(), 2));
}

template <typename T, typename Operator>
__device__ T reduced_of(const coterie_team *team, T *own, T a, T b, T c, Operator combine) {
    own[0] = a, own[1] = b, own[2] = c;
    coterie_location places[] = {coterie_at(own), coterie_at(own + 1), coterie_at(own + 2)};
    coterie_reduce_copy<T>(team, places, 3, places, 2, 1, combine);  // two of the sources are targets
    return own[0];
}

// One thread, its own memory: how numbers are rounded, and what minima and maxima of special ones are.
__device__ int roundings_of(const coterie_team *team, coterie_u64 *own) {
    // 256 + 1 is 256 in bfloat16, and 2048 + 1 is 2048 in binary16: rounded once, the sums are others
    CHECK(reduced_of(team, (coterie_bfloat16 *)own, coterie_to_bfloat16(256), coterie_to_bfloat16(1),
                     coterie_to_bfloat16(1), coterie_sum()).bits == coterie_to_bfloat16(258).bits);
    CHECK(reduced_of(team, (coterie_half *)own, coterie_to_half(2048), coterie_to_half(1), coterie_to_half(1),
                     coterie_sum()).bits == coterie_to_half(2050).bits);
    CHECK(((coterie_half *)own)[1].bits == coterie_to_half(2050).bits);
    CHECK(((coterie_half *)own)[2].bits == coterie_to_half(1).bits);
    const float nan = __uint_as_float(0x7fc01234), none = -0.0f;
    coterie_half odd = {0x7e11}, one = coterie_to_half(1);
    CHECK(reduced_of(team, (coterie_half *)own, odd, one, one, coterie_sum()).bits == 0x7e00);
    CHECK(coterie_to_bfloat16(nan).bits == 0x7fc0 && coterie_to_bfloat16(__uint_as_float(0x3f808000)).bits == 0x3f80);
    CHECK(coterie_to_bfloat16(__uint_as_float(0x3f818000)).bits == 0x3f82);
    const float first = reduced_of(team, (float *)own, 1.0f, nan, 0.0f, coterie_min());
    CHECK(first != first);
    CHECK(1.0f / reduced_of(team, (float *)own, 0.0f, none, 0.0f, coterie_min()) < 0.0f);
    CHECK(1.0f / reduced_of(team, (float *)own, none, 0.0f, none, coterie_max()) > 0.0f);
    CHECK(reduced_of(team, (int *)own, 0x7fffffff, 1, 0, coterie_sum()) == (int)0x80000000);
    CHECK(reduced_of(team, (signed char *)own, (signed char)100, (signed char)100, (signed char)0, coterie_sum()) == -56);
    // of one source the bits stay
    *(coterie_half *)own = odd;
    coterie_location places[] = {coterie_at(own), coterie_at((coterie_half *)own + 1)};
    TRY(coterie_reduce_copy<coterie_half>(team, places, 1, places + 1, 1, 1, coterie_sum()));
    CHECK(((coterie_half *)own)[1].bits == odd.bits);
    return coterie_status_of(team);
}

extern "C" __global__ void roundings(const coterie_team *team, coterie_u64 *own, int *status) {
    if (threadIdx.x == 0) {
        leave(status, roundings_of(team, own));
    }
}

// ---------------------------------------------------------------------------------------------------------- broadcasts

__device__ int broadcasts_of(const coterie_team *team) {
    const int me = threadIdx.x, warp = me / 32 * 32;
    for (unsigned root = 0; root < 40; root++) {
        CHECK(coterie_broadcast_warp(1000ull * me, root) == 1000ull * (warp + root % 32));
        CHECK(coterie_broadcast_warp((signed char)me, root) == (signed char)(warp + root % 32));
        CHECK(coterie_broadcast_block(me * 0.5, root * 4) == root * 4 % blockDim.x * 0.5);
        CHECK(coterie_broadcast_block((short)-me, root) == -(short)root);
    }
    return coterie_status_of(team);
}

extern "C" __global__ void broadcasts(const coterie_team *team, int *status) { leave(status, broadcasts_of(team)); }

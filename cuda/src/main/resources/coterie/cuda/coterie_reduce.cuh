// SPDX-License-Identifier: Apache-2.0
#ifndef COTERIE_REDUCE_CUH
#define COTERIE_REDUCE_CUH

// Reductions in kernels: a group of threads reads elements of several places, combines them, and writes the results to
// several places. With a barrier before and after it this is an allreduce; examples/gpu/allreduce.cu has one.

#include "coterie.cuh"

// ------------------------------------------------------------------------------------------------------ locations

// Where elements are. coterie_at makes it.
struct coterie_location {
    int memory, pe;
    coterie_u64 offset;  // or an address
};

// Numbers of 16 bits, which are combined as float, and rounded once.
struct coterie_half {
    coterie_u16 bits;  // IEEE binary16
};
struct coterie_bfloat16 {
    coterie_u16 bits;
};

namespace coterie_detail {

enum { ADDRESS = -0x7fffffff };  // in place of a block

}  // namespace coterie_detail

// A member's elements in a block.
COTERIE_DEVICE coterie_location coterie_at(int memory, coterie_u64 offset, int pe) {
    coterie_location made = {memory == coterie_detail::ADDRESS ? -1 : memory, pe, offset};
    return made;
}

// The caller's own elements: global memory, or shared memory of a group within a block.
COTERIE_DEVICE coterie_location coterie_at(const void *own) {
    coterie_location made = {coterie_detail::ADDRESS, 0, (coterie_u64)own};
    return made;
}

// -------------------------------------------------------------------------------------------------------- numbers

COTERIE_DEVICE float coterie_to_float(coterie_half number) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(number.bits));
    return value;
}

COTERIE_DEVICE float coterie_to_float(coterie_bfloat16 number) {
    return __uint_as_float((coterie_u32)number.bits << 16);
}

// Rounds to the nearest, to the even one of two; a NaN has one form.
COTERIE_DEVICE coterie_half coterie_to_half(float value) {
    coterie_half number = {0x7e00};
    if (value == value) {
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(number.bits) : "f"(value));
    }
    return number;
}

COTERIE_DEVICE coterie_bfloat16 coterie_to_bfloat16(float value) {
    coterie_u32 bits = __float_as_uint(value);
    coterie_bfloat16 number = {value != value ? (coterie_u16)0x7fc0
                                              : (coterie_u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
    return number;
}

// ----------------------------------------------------------------------------------------------- atomics of 16 bits
// coterie_atomic_add and coterie_atomic_fetch_add: the sum of two floats is rounded to the type. A compare-and-swap of
// the 4 bytes around the number fails if any of them has changed, so what lies beside it is never written back old.

namespace coterie_detail {

template <>
struct number<coterie_half> {
    typedef coterie_u16 word;
    enum { is_integer = 0, add = COTERIE_ATOMIC_ADD_FLOATING };
    static COTERIE_DEVICE word bits(coterie_half value) { return value.bits; }
    static COTERIE_DEVICE coterie_half of(word bits) { return {bits}; }
    static COTERIE_DEVICE word sum(word a, word b) {
        return coterie_to_half(coterie_to_float(of(a)) + coterie_to_float(of(b))).bits;
    }
};

template <>
struct number<coterie_bfloat16> {
    typedef coterie_u16 word;
    enum { is_integer = 0, add = COTERIE_ATOMIC_ADD_BFLOAT16 };
    static COTERIE_DEVICE word bits(coterie_bfloat16 value) { return value.bits; }
    static COTERIE_DEVICE coterie_bfloat16 of(word bits) { return {bits}; }
    static COTERIE_DEVICE word sum(word a, word b) {
        return coterie_to_bfloat16(coterie_to_float(of(a)) + coterie_to_float(of(b))).bits;
    }
};

template <typename T>
struct narrow_update {
    static COTERIE_DEVICE coterie_u16 apply_at(coterie_u64 address, int, coterie_u16 operand, coterie_u16) {
        coterie_u32 *around = (coterie_u32 *)(address & ~(coterie_u64)3);
        unsigned shift = (unsigned)(address & 2) * 8;
        coterie_u32 found = load_fresh(around);
        while (true) {
            coterie_u16 before = (coterie_u16)(found >> shift);
            coterie_u32 after = (coterie_u32)number<T>::sum(before, operand) << shift;
            coterie_u32 seen = swap_if(around, found, (found & ~(0xffffu << shift)) | after);
            if (seen == found) {
                return before;
            }
            found = seen;
        }
    }
};

template <>
struct update<coterie_half> : narrow_update<coterie_half> {};

template <>
struct update<coterie_bfloat16> : narrow_update<coterie_bfloat16> {};

// ------------------------------------------------------------------------------------------------------ reductions

// How an element lies in memory, and as what it is combined.
template <typename T>
struct reduced {
    typedef T raw;
    typedef T wide;
    static COTERIE_DEVICE wide widen(raw value) { return value; }
    static COTERIE_DEVICE raw narrow(wide value) { return value; }
};

template <>
struct reduced<coterie_half> {
    typedef coterie_u16 raw;
    typedef float wide;
    static COTERIE_DEVICE wide widen(raw value) {
        coterie_half number = {value};
        return coterie_to_float(number);
    }
    static COTERIE_DEVICE raw narrow(wide value) { return coterie_to_half(value).bits; }
};

template <>
struct reduced<coterie_bfloat16> {
    typedef coterie_u16 raw;
    typedef float wide;
    static COTERIE_DEVICE wide widen(raw value) {
        coterie_bfloat16 number = {value};
        return coterie_to_float(number);
    }
    static COTERIE_DEVICE raw narrow(wide value) { return coterie_to_bfloat16(value).bits; }
};

// Integers wrap around, also signed ones; numbers with a fraction have the order of Java's Math.min and Math.max: a NaN
// wins, and -0 is less than +0, which the sign of the reciprocal tells.
template <typename T, bool isInteger = ((T)1 / (T)2 == (T)0)>
struct arithmetic {
    static COTERIE_DEVICE T sum(T a, T b) { return (T)((coterie_u64)a + (coterie_u64)b); }
    static COTERIE_DEVICE T product(T a, T b) { return (T)((coterie_u64)a * (coterie_u64)b); }
    static COTERIE_DEVICE T least(T a, T b) { return a < b ? a : b; }
    static COTERIE_DEVICE T greatest(T a, T b) { return a > b ? a : b; }
};

template <typename T>
struct arithmetic<T, false> {
    static COTERIE_DEVICE T sum(T a, T b) { return a + b; }
    static COTERIE_DEVICE T product(T a, T b) { return a * b; }
    static COTERIE_DEVICE T least(T a, T b) {
        if (a != a) {
            return a;
        }
        if (a == (T)0 && b == (T)0) {
            return (T)1 / a < (T)0 ? a : b;
        }
        return a <= b ? a : b;
    }
    static COTERIE_DEVICE T greatest(T a, T b) {
        if (a != a) {
            return a;
        }
        if (a == (T)0 && b == (T)0) {
            return (T)1 / a < (T)0 ? b : a;
        }
        return a >= b ? a : b;
    }
};

}  // namespace coterie_detail

// ------------------------------------------------------------------------------------------------------ operators
// A program may have others: what takes two numbers and returns one. Those of 16 bits come as float.

struct coterie_sum {
    template <typename T>
    COTERIE_DEVICE T operator()(T a, T b) const {
        return coterie_detail::arithmetic<T>::sum(a, b);
    }
};

struct coterie_product {
    template <typename T>
    COTERIE_DEVICE T operator()(T a, T b) const {
        return coterie_detail::arithmetic<T>::product(a, b);
    }
};

struct coterie_min {
    template <typename T>
    COTERIE_DEVICE T operator()(T a, T b) const {
        return coterie_detail::arithmetic<T>::least(a, b);
    }
};

struct coterie_max {
    template <typename T>
    COTERIE_DEVICE T operator()(T a, T b) const {
        return coterie_detail::arithmetic<T>::greatest(a, b);
    }
};

// -------------------------------------------------------------------------------------------------------- the loop

namespace coterie_detail {

struct places {
    const coterie_location *list;
    int count;
};

// The address of a location that has been checked.
COTERIE_DEVICE coterie_u64 address_of(const coterie_team *team, const coterie_location &place) {
    return place.memory == ADDRESS ? place.offset : base_of(team, place.memory, place.pe) + place.offset;
}

COTERIE_CALLED int refuse_place(const coterie_team *team, const coterie_location &place, coterie_u64 bytes,
                                coterie_u64 width) {
    if (place.memory != ADDRESS) {
        return unreachable(team, COTERIE_OP_REDUCE, place.memory, place.offset, place.pe, bytes);
    }
    return fail(team, place.offset == 0 ? COTERIE_BAD_POINTER : COTERIE_MISALIGNED, COTERIE_OP_REDUCE, 0, place.offset,
                team->pe, bytes, place.offset, width);
}

// Checks a list for a group: how many, where, and that the device reaches it by loads and stores. `all` collects the
// bits of the addresses, which say how they are aligned.
template <typename Scope>
COTERIE_DEVICE int check_places(const coterie_team *team, places of, coterie_u64 bytes, coterie_u64 width,
                                coterie_u64 *all) {
    bool leads = Scope::index() == 0;
    if (of.count < 1) {
        return Scope::agree(leads ? fail(team, COTERIE_BAD_COUNT, COTERIE_OP_REDUCE, 0, 0, team->pe, bytes,
                                         (coterie_u64)(long long)of.count)
                                  : COTERIE_OK);
    }
    int status = check_pointer<Scope>(team, COTERIE_OP_REDUCE, of.list,
                                      (coterie_u64)of.count * sizeof(coterie_location));
#pragma unroll 1
    for (int i = 0; i < of.count && status == COTERIE_OK; i++) {
        coterie_location place = of.list[i];
        if (place.memory != ADDRESS) {
            status = check<Scope>(team, COTERIE_OP_REDUCE, place.memory, place.offset, bytes, place.pe, width);
        }
        coterie_u64 address = place.memory == ADDRESS ? place.offset : base_of(team, place.memory, place.pe);
        bool isWrong = place.memory == ADDRESS ? place.offset % width != 0 || (place.offset == 0 && bytes != 0)
                                               : address == 0;
        if (status == COTERIE_OK && isWrong) {
            status = Scope::agree(leads ? refuse_place(team, place, bytes, width) : COTERIE_OK);
        }
        *all |= address | place.offset;
    }
    return status;
}

// What a thread loads at once: as many elements as 16 bytes have, or one.
template <typename T>
union pack {
    typedef typename reduced<T>::raw raw;
    pair bits;
    raw elements[16 / sizeof(raw)];
};

template <typename T, bool isPack>
struct unit {
    typedef typename reduced<T>::raw raw;
    enum { bytes = isPack ? 16 : sizeof(raw), length = bytes / sizeof(raw) };
    static COTERIE_DEVICE void load(coterie_u64 address, raw *values) {
        if (isPack) {
            pack<T> loaded;
            loaded.bits = load_fresh((const pair *)address);
#pragma unroll
            for (int k = 0; k < length; k++) {
                values[k] = loaded.elements[k];
            }
        } else {
            values[0] = load_fresh((const raw *)address);
        }
    }
    static COTERIE_DEVICE void store(coterie_u64 address, const raw *values) {
        if (isPack) {
            pack<T> stored;
#pragma unroll
            for (int k = 0; k < length; k++) {
                stored.elements[k] = values[k];
            }
            *(pair *)address = stored.bits;
        } else {
            *(raw *)address = values[0];
        }
    }
};

// Reduces `depth` units of a thread, `step` units apart, from a byte on. All sources are read before a target is
// written, so that a target may be a source. An element of one source alone stays as it is.
template <typename T, bool isPack, int depth, typename Operator>
COTERIE_DEVICE void reduce_units(const coterie_team *team, places sources, places targets, coterie_u64 at,
                                 coterie_u64 step, Operator combine) {
    typedef unit<T, isPack> U;
    typedef reduced<T> R;
    typename R::raw values[depth][U::length];
    coterie_u64 first = address_of(team, sources.list[0]) + at;
#pragma unroll
    for (int d = 0; d < depth; d++) {
        U::load(first + d * step * U::bytes, values[d]);
    }
    if (sources.count > 1) {
        typename R::wide results[depth][U::length];
#pragma unroll
        for (int d = 0; d < depth; d++) {
#pragma unroll
            for (int k = 0; k < U::length; k++) {
                results[d][k] = R::widen(values[d][k]);
            }
        }
#pragma unroll 1
        for (int s = 1; s < sources.count; s++) {
            coterie_u64 source = address_of(team, sources.list[s]) + at;
#pragma unroll
            for (int d = 0; d < depth; d++) {
                U::load(source + d * step * U::bytes, values[d]);
            }
#pragma unroll
            for (int d = 0; d < depth; d++) {
#pragma unroll
                for (int k = 0; k < U::length; k++) {
                    results[d][k] = combine(results[d][k], R::widen(values[d][k]));
                }
            }
        }
#pragma unroll
        for (int d = 0; d < depth; d++) {
#pragma unroll
            for (int k = 0; k < U::length; k++) {
                values[d][k] = R::narrow(results[d][k]);
            }
        }
    }
#pragma unroll 1
    for (int t = 0; t < targets.count; t++) {
        coterie_u64 target = address_of(team, targets.list[t]) + at;
#pragma unroll
        for (int d = 0; d < depth; d++) {
            U::store(target + d * step * U::bytes, values[d]);
        }
    }
}

// Reduces what a thread has of `count` units from a byte on.
template <typename T, bool isPack, int depth, typename Operator>
COTERIE_DEVICE void reduce_share(const coterie_team *team, places sources, places targets, coterie_u64 at,
                                 coterie_u64 count, coterie_u64 index, coterie_u64 step, Operator combine) {
    const coterie_u64 bytes = unit<T, isPack>::bytes;
    coterie_u64 i = index;
#pragma unroll 1
    for (; depth > 1 && i + (depth - 1) * step < count; i += depth * step) {
        reduce_units<T, isPack, depth>(team, sources, targets, at + i * bytes, step, combine);
    }
#pragma unroll 1
    for (; i < count; i += step) {
        reduce_units<T, isPack, 1>(team, sources, targets, at + i * bytes, step, combine);
    }
}

template <typename Scope, typename T, typename Operator>
COTERIE_DEVICE int reduce_copy(const coterie_team *team, const coterie_location *from, int sources_count,
                               const coterie_location *to, int targets_count, coterie_u64 count, Operator combine) {
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "1, 2, 4 or 8 bytes");
    places sources = {from, sources_count}, targets = {to, targets_count};
    coterie_u64 bytes = count >> 60 == 0 ? count * sizeof(T) : ~0ull, all = 0;
    Scope::sync();
    int status = check_places<Scope>(team, sources, bytes, sizeof(T), &all);
    if (status == COTERIE_OK) {
        status = check_places<Scope>(team, targets, bytes, sizeof(T), &all);
    }
    if (status != COTERIE_OK) {
        return status;
    }
    coterie_u64 packs = all % 16 == 0 ? bytes / 16 : 0, done = packs * 16;
    reduce_share<T, true, 2>(team, sources, targets, 0, packs, Scope::index(), Scope::count(), combine);
    reduce_share<T, false, 1>(team, sources, targets, done, (bytes - done) / sizeof(T), Scope::index(),
                              Scope::count(), combine);
    Scope::sync();
    return COTERIE_OK;
}

}  // namespace coterie_detail

// Combines element i of all sources, in their order, and stores the result to element i of all targets, for i below
// `count`. A target may be a source, if it begins where the source does. All threads of the group read the lists; other
// PEs see the results as they see puts. T is an integer, float, double, coterie_half or coterie_bfloat16.
#define COTERIE_SCOPED(suffix, scope)                                                                                \
    template <typename T, typename Operator>                                                                         \
    COTERIE_DEVICE int coterie_reduce_copy##suffix(const coterie_team *team, const coterie_location *sources,        \
                                                   int sources_count, const coterie_location *targets,               \
                                                   int targets_count, coterie_u64 count, Operator combine) {         \
        return coterie_detail::reduce_copy<coterie_detail::scope, T>(team, sources, sources_count, targets,          \
                                                                     targets_count, count, combine);                 \
    }

COTERIE_SCOPED(, thread_scope)
COTERIE_SCOPED(_warp, warp_scope)
COTERIE_SCOPED(_block, block_scope)
#undef COTERIE_SCOPED

#endif

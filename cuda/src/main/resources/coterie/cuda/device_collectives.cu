// SPDX-License-Identifier: Apache-2.0
//
// Reductions over the parts of several members' memory, for coterie.cuda.KernelEngine. Each kernel reduces element
// i of all sources, in the order of the members, and writes the result to element i of all targets. One thread does
// an element: it reads all sources before it writes, so that a target may be a source.

#define COTERIE_DEVICE static __device__ inline

// The members' addresses; as many as KernelEngine.MAX_MEMBERS.
#define COTERIE_PARTS 64

struct coterie_parts {
    unsigned long long address[COTERIE_PARTS];
};

// Arithmetic of C++ turns short numbers into int, where a product of two unsigned ones may overflow; this is an
// unsigned type.
COTERIE_DEVICE unsigned int coterie_wide(unsigned char x) { return x; }
COTERIE_DEVICE unsigned int coterie_wide(unsigned short x) { return x; }
COTERIE_DEVICE unsigned int coterie_wide(unsigned int x) { return x; }
COTERIE_DEVICE unsigned long long coterie_wide(unsigned long long x) { return x; }
COTERIE_DEVICE float coterie_wide(float x) { return x; }
COTERIE_DEVICE double coterie_wide(double x) { return x; }

template <class T> COTERIE_DEVICE T coterie_sum(T a, T b) { return (T) (coterie_wide(a) + coterie_wide(b)); }
template <class T> COTERIE_DEVICE T coterie_product(T a, T b) { return (T) (coterie_wide(a) * coterie_wide(b)); }
template <class T> COTERIE_DEVICE T coterie_and(T a, T b) { return (T) (a & b); }
template <class T> COTERIE_DEVICE T coterie_or(T a, T b) { return (T) (a | b); }
template <class T> COTERIE_DEVICE T coterie_xor(T a, T b) { return (T) (a ^ b); }
template <class T> COTERIE_DEVICE T coterie_min(T a, T b) { return a < b ? a : b; }
template <class T> COTERIE_DEVICE T coterie_max(T a, T b) { return a > b ? a : b; }

// Floating-point numbers have the order of Java's Math.min and Math.max: a number that is none wins, and -0 is
// smaller than +0, which the sign of the reciprocal tells.
template <class T> COTERIE_DEVICE T coterie_fmin(T a, T b) {
    if (a != a) {
        return a;
    }
    if (a == (T) 0 && b == (T) 0) {
        return (T) 1 / a < (T) 0 ? a : b;
    }
    return a <= b ? a : b;
}

template <class T> COTERIE_DEVICE T coterie_fmax(T a, T b) {
    if (a != a) {
        return a;
    }
    if (a == (T) 0 && b == (T) 0) {
        return (T) 1 / a < (T) 0 ? b : a;
    }
    return a >= b ? a : b;
}

// A sum of all members is the result, or is divided by their number: once, and rounded to the nearest.
template <class T> COTERIE_DEVICE T coterie_whole(T x, int) { return x; }
COTERIE_DEVICE float coterie_mean(float sum, int members) { return __fdiv_rn(sum, (float) members); }
COTERIE_DEVICE double coterie_mean(double sum, int members) { return __ddiv_rn(sum, (double) members); }

#define COTERIE_REDUCTION(name, type, operation, finish)                                                              \
    extern "C" __global__ void coterie_reduce_##name(                                                                 \
            coterie_parts sources, coterie_parts targets, int members, int written, unsigned long long count) {       \
        unsigned long long step = gridDim.x * (unsigned long long) blockDim.x;                                        \
        unsigned long long first = blockIdx.x * (unsigned long long) blockDim.x + threadIdx.x;                        \
        for (unsigned long long i = first; i < count; i += step) {                                                    \
            type result = ((const type *) sources.address[0])[i];                                                     \
            for (int member = 1; member < members; member++) {                                                        \
                result = operation<type>(result, ((const type *) sources.address[member])[i]);                        \
            }                                                                                                         \
            result = finish(result, members);                                                                         \
            for (int member = 0; member < written; member++) {                                                        \
                ((type *) targets.address[member])[i] = result;                                                       \
            }                                                                                                         \
        }                                                                                                             \
    }

// 16-bit numbers are reduced as float, and rounded once; a number that is none is one and the same. The conversions are
// exact one way, and round to the nearest, to the even of two, the other way.
COTERIE_DEVICE float coterie_of_f16(unsigned short bits) {
    float number;
    asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(bits));
    return number;
}

COTERIE_DEVICE unsigned short coterie_to_f16(float number) {
    if (number != number) {
        return 0x7E00;
    }
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(number));
    return bits;
}

COTERIE_DEVICE float coterie_of_bf16(unsigned short bits) { return __uint_as_float((unsigned int) bits << 16); }

COTERIE_DEVICE unsigned short coterie_to_bf16(float number) {
    if (number != number) {
        return 0x7FC0;
    }
    unsigned int bits = __float_as_uint(number);
    return (unsigned short) ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

#define COTERIE_SHORT_REDUCTION(name, format, operation, finish)                                                      \
    extern "C" __global__ void coterie_reduce_##name##_##format(                                                      \
            coterie_parts sources, coterie_parts targets, int members, int written, unsigned long long count) {       \
        unsigned long long step = gridDim.x * (unsigned long long) blockDim.x;                                        \
        unsigned long long first = blockIdx.x * (unsigned long long) blockDim.x + threadIdx.x;                        \
        for (unsigned long long i = first; i < count; i += step) {                                                    \
            unsigned short bits = ((const unsigned short *) sources.address[0])[i];                                   \
            if (members > 1) {                                                                                        \
                float result = coterie_of_##format(bits);                                                             \
                for (int member = 1; member < members; member++) {                                                    \
                    bits = ((const unsigned short *) sources.address[member])[i];                                     \
                    result = operation<float>(result, coterie_of_##format(bits));                                     \
                }                                                                                                     \
                bits = coterie_to_##format(finish(result, members));                                                  \
            }                                                                                                         \
            for (int member = 0; member < written; member++) {                                                        \
                ((unsigned short *) targets.address[member])[i] = bits;                                               \
            }                                                                                                         \
        }                                                                                                             \
    }

#define COTERIE_UNSIGNED(name, operation)                                                                             \
    COTERIE_REDUCTION(name##_u8, unsigned char, operation, coterie_whole)                                             \
    COTERIE_REDUCTION(name##_u16, unsigned short, operation, coterie_whole)                                           \
    COTERIE_REDUCTION(name##_u32, unsigned int, operation, coterie_whole)                                             \
    COTERIE_REDUCTION(name##_u64, unsigned long long, operation, coterie_whole)

#define COTERIE_SIGNED(name, operation)                                                                               \
    COTERIE_REDUCTION(name##_s8, signed char, operation, coterie_whole)                                               \
    COTERIE_REDUCTION(name##_s16, short, operation, coterie_whole)                                                    \
    COTERIE_REDUCTION(name##_s32, int, operation, coterie_whole)                                                      \
    COTERIE_REDUCTION(name##_s64, long long, operation, coterie_whole)

#define COTERIE_FLOATING(name, operation, finish)                                                                     \
    COTERIE_SHORT_REDUCTION(name, f16, operation, finish)                                                             \
    COTERIE_SHORT_REDUCTION(name, bf16, operation, finish)                                                            \
    COTERIE_REDUCTION(name##_f32, float, operation, finish)                                                           \
    COTERIE_REDUCTION(name##_f64, double, operation, finish)

COTERIE_UNSIGNED(sum, coterie_sum)
COTERIE_FLOATING(sum, coterie_sum, coterie_whole)
COTERIE_FLOATING(average, coterie_sum, coterie_mean)
COTERIE_UNSIGNED(product, coterie_product)
COTERIE_FLOATING(product, coterie_product, coterie_whole)
COTERIE_UNSIGNED(min, coterie_min)
COTERIE_SIGNED(min, coterie_min)
COTERIE_FLOATING(min, coterie_fmin, coterie_whole)
COTERIE_UNSIGNED(max, coterie_max)
COTERIE_SIGNED(max, coterie_max)
COTERIE_FLOATING(max, coterie_fmax, coterie_whole)
COTERIE_UNSIGNED(and, coterie_and)
COTERIE_UNSIGNED(or, coterie_or)
COTERIE_UNSIGNED(xor, coterie_xor)

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

#define COTERIE_REDUCTION(name, type, operation)                                                                      \
    extern "C" __global__ void coterie_reduce_##name(                                                                 \
            coterie_parts sources, coterie_parts targets, int members, int written, unsigned long long count) {       \
        unsigned long long step = gridDim.x * (unsigned long long) blockDim.x;                                        \
        unsigned long long first = blockIdx.x * (unsigned long long) blockDim.x + threadIdx.x;                        \
        for (unsigned long long i = first; i < count; i += step) {                                                    \
            type result = ((const type *) sources.address[0])[i];                                                     \
            for (int member = 1; member < members; member++) {                                                        \
                result = operation<type>(result, ((const type *) sources.address[member])[i]);                        \
            }                                                                                                         \
            for (int member = 0; member < written; member++) {                                                        \
                ((type *) targets.address[member])[i] = result;                                                       \
            }                                                                                                         \
        }                                                                                                             \
    }

#define COTERIE_UNSIGNED(name, operation)                                                                             \
    COTERIE_REDUCTION(name##_u8, unsigned char, operation)                                                            \
    COTERIE_REDUCTION(name##_u16, unsigned short, operation)                                                          \
    COTERIE_REDUCTION(name##_u32, unsigned int, operation)                                                            \
    COTERIE_REDUCTION(name##_u64, unsigned long long, operation)

#define COTERIE_SIGNED(name, operation)                                                                               \
    COTERIE_REDUCTION(name##_s8, signed char, operation)                                                              \
    COTERIE_REDUCTION(name##_s16, short, operation)                                                                   \
    COTERIE_REDUCTION(name##_s32, int, operation)                                                                     \
    COTERIE_REDUCTION(name##_s64, long long, operation)

#define COTERIE_FLOATING(name, operation)                                                                             \
    COTERIE_REDUCTION(name##_f32, float, operation)                                                                   \
    COTERIE_REDUCTION(name##_f64, double, operation)

COTERIE_UNSIGNED(sum, coterie_sum)
COTERIE_FLOATING(sum, coterie_sum)
COTERIE_UNSIGNED(product, coterie_product)
COTERIE_FLOATING(product, coterie_product)
COTERIE_UNSIGNED(min, coterie_min)
COTERIE_SIGNED(min, coterie_min)
COTERIE_FLOATING(min, coterie_fmin)
COTERIE_UNSIGNED(max, coterie_max)
COTERIE_SIGNED(max, coterie_max)
COTERIE_FLOATING(max, coterie_fmax)
COTERIE_UNSIGNED(and, coterie_and)
COTERIE_UNSIGNED(or, coterie_or)
COTERIE_UNSIGNED(xor, coterie_xor)

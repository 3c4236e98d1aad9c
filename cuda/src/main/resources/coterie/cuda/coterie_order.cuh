// SPDX-License-Identifier: Apache-2.0
#ifndef COTERIE_ORDER_CUH
#define COTERIE_ORDER_CUH

// Memory order, atomics and thread groups. coterie.cuh includes this file.

#include "coterie_types.cuh"

#define COTERIE_DEVICE __device__ inline
#define COTERIE_CALLED __device__ __noinline__ inline  // slow paths: a kernel has them once

namespace coterie_detail {

struct alignas(16) pair {
    coterie_u64 low, high;
};

COTERIE_DEVICE coterie_u64 load_acquire(const coterie_u64 *word) {
    coterie_u64 value;
    asm volatile("ld.acquire.sys.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
    return value;
}

COTERIE_DEVICE coterie_u64 load_relaxed(const coterie_u64 *word) {
    coterie_u64 value;
    asm volatile("ld.relaxed.sys.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
    return value;
}

COTERIE_DEVICE void store_release(coterie_u64 *word, coterie_u64 value) {
    asm volatile("st.release.sys.u64 [%0], %1;" : : "l"(word), "l"(value) : "memory");
}

COTERIE_DEVICE void store_relaxed(coterie_u64 *word, coterie_u64 value) {
    asm volatile("st.relaxed.sys.u64 [%0], %1;" : : "l"(word), "l"(value) : "memory");
}

COTERIE_DEVICE void add_release(coterie_u64 *word, coterie_u64 value) {
    asm volatile("red.release.sys.add.u64 [%0], %1;" : : "l"(word), "l"(value) : "memory");
}

// A field that does not change while a kernel runs. The compiler knows that it does not, since nothing says that memory
// is read: it loads a field once, and keeps it through fences.
COTERIE_DEVICE int fixed(const int &field) {
    int value;
    asm("ld.global.nc.s32 %0, [%1];" : "=r"(value) : "l"(__cvta_generic_to_global(&field)));
    return value;
}

COTERIE_DEVICE coterie_u64 fixed(const coterie_u64 &field) {
    coterie_u64 value;
    asm("ld.global.nc.u64 %0, [%1];" : "=l"(value) : "l"(__cvta_generic_to_global(&field)));
    return value;
}

template <typename T>
COTERIE_DEVICE T *fixed(T *const &field) {
    return (T *)fixed((const coterie_u64 &)field);
}

// Orders what the thread has read and written before what it reads and writes later, for the whole system.
COTERIE_DEVICE void fence_system() { asm volatile("fence.acq_rel.sys;" : : : "memory"); }

// As fence_system, and also stores before later loads.
COTERIE_DEVICE void fence_full() { asm volatile("fence.sc.sys;" : : : "memory"); }

// Of words that the threads of this device alone use.
COTERIE_DEVICE coterie_u64 device_load(const coterie_u64 *word) {
    coterie_u64 value;
    asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
    return value;
}

// Finds at least what is ordered before it, and acquires nothing.
COTERIE_DEVICE coterie_u64 device_peek(const coterie_u64 *word) {
    coterie_u64 value;
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
    return value;
}

COTERIE_DEVICE void device_store(coterie_u64 *word, coterie_u64 value) {
    asm volatile("st.release.gpu.u64 [%0], %1;" : : "l"(word), "l"(value) : "memory");
}

COTERIE_DEVICE coterie_u64 device_add(coterie_u64 *word, coterie_u64 value) { return atomicAdd(word, value); }

COTERIE_DEVICE void device_max(coterie_u64 *word, coterie_u64 value) {
    __threadfence();
    atomicMax(word, value);
}

COTERIE_DEVICE coterie_u64 device_swap_if(coterie_u64 *word, coterie_u64 expected, coterie_u64 value) {
    return atomicCAS(word, expected, value);
}

COTERIE_DEVICE coterie_u64 now_nanos() {
    coterie_u64 nanos;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanos));
    return nanos;
}

COTERIE_DEVICE void pause(unsigned polls) {
    if (polls > 16) {
        __nanosleep(polls < 1024 ? 64 : 512);
    }
}

template <typename T>
COTERIE_DEVICE T load_fresh(const T *source) {
    return *(const volatile T *)source;
}

// A load that finds no stale copy in a cache of the multiprocessor.
COTERIE_DEVICE pair load_fresh(const pair *source) {
    pair value;
    asm volatile("ld.volatile.v2.u64 {%0, %1}, [%2];" : "=l"(value.low), "=l"(value.high) : "l"(source) : "memory");
    return value;
}

COTERIE_DEVICE coterie_u64 fetch_add(coterie_u64 *word, coterie_u64 value) { return atomicAdd_system(word, value); }
COTERIE_DEVICE coterie_u32 fetch_add(coterie_u32 *word, coterie_u32 value) { return atomicAdd_system(word, value); }
COTERIE_DEVICE coterie_u64 fetch_and(coterie_u64 *word, coterie_u64 value) { return atomicAnd_system(word, value); }
COTERIE_DEVICE coterie_u32 fetch_and(coterie_u32 *word, coterie_u32 value) { return atomicAnd_system(word, value); }
COTERIE_DEVICE coterie_u64 fetch_or(coterie_u64 *word, coterie_u64 value) { return atomicOr_system(word, value); }
COTERIE_DEVICE coterie_u32 fetch_or(coterie_u32 *word, coterie_u32 value) { return atomicOr_system(word, value); }
COTERIE_DEVICE coterie_u64 fetch_xor(coterie_u64 *word, coterie_u64 value) { return atomicXor_system(word, value); }
COTERIE_DEVICE coterie_u32 fetch_xor(coterie_u32 *word, coterie_u32 value) { return atomicXor_system(word, value); }
COTERIE_DEVICE coterie_u64 exchange(coterie_u64 *word, coterie_u64 value) { return atomicExch_system(word, value); }
COTERIE_DEVICE coterie_u32 exchange(coterie_u32 *word, coterie_u32 value) { return atomicExch_system(word, value); }

COTERIE_DEVICE coterie_u64 swap_if(coterie_u64 *word, coterie_u64 expected, coterie_u64 value) {
    return atomicCAS_system(word, expected, value);
}

COTERIE_DEVICE coterie_u32 swap_if(coterie_u32 *word, coterie_u32 expected, coterie_u32 value) {
    return atomicCAS_system(word, expected, value);
}

// Of numbers, given and returned as their bits.
COTERIE_DEVICE coterie_u64 fetch_add_floating(coterie_u64 *word, coterie_u64 value) {
    return (coterie_u64)__double_as_longlong(
        atomicAdd_system((double *)word, __longlong_as_double((long long)value)));
}

COTERIE_DEVICE coterie_u32 fetch_add_floating(coterie_u32 *word, coterie_u32 value) {
    return __float_as_uint(atomicAdd_system((float *)word, __uint_as_float(value)));
}

// A group of threads that call an operation together, with the same arguments. `agree` gives all of them the status of
// thread 0, the leader, where the others pass 0, and synchronises them. `agree_any` gives them the status of any thread
// that has one, of two the one that is not COTERIE_POISONED, and `give` the value of the thread `root`.
struct thread_scope {
    static COTERIE_DEVICE unsigned index() { return 0; }
    static COTERIE_DEVICE unsigned count() { return 1; }
    static COTERIE_DEVICE void sync() {}
    static COTERIE_DEVICE int agree(int status) { return status; }
    static COTERIE_DEVICE int agree_any(int status) { return status; }
    static COTERIE_DEVICE coterie_u64 give(coterie_u64 value, unsigned) { return value; }
};

struct warp_scope {
    static COTERIE_DEVICE unsigned index() {
        unsigned lane;
        asm("mov.u32 %0, %%laneid;" : "=r"(lane));
        return lane;
    }
    static COTERIE_DEVICE unsigned count() { return 32; }
    static COTERIE_DEVICE void sync() { __syncwarp(); }
    static COTERIE_DEVICE int agree(int status) {
        int agreed = __shfl_sync(0xffffffffu, status, 0);
        __syncwarp();  // a shuffle orders no memory
        return agreed;
    }
    static COTERIE_DEVICE int agree_any(int status) {
        int agreed = status == COTERIE_OK ? 0x7fffffff : status;  // of those of waits the greatest is COTERIE_POISONED
#pragma unroll 1
        for (int distance = 16; distance > 0; distance /= 2) {
            int other = __shfl_xor_sync(0xffffffffu, agreed, distance);
            agreed = other < agreed ? other : agreed;
        }
        __syncwarp();
        return agreed == 0x7fffffff ? COTERIE_OK : agreed;
    }
    static COTERIE_DEVICE coterie_u64 give(coterie_u64 value, unsigned root) {
        coterie_u64 given = __shfl_sync(0xffffffffu, value, (int)root);
        __syncwarp();
        return given;
    }
};

struct block_scope {
    static COTERIE_DEVICE unsigned index() {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    static COTERIE_DEVICE unsigned count() { return blockDim.x * blockDim.y * blockDim.z; }
    static COTERIE_DEVICE void sync() { __syncthreads(); }
    static COTERIE_DEVICE int agree(int status) {
        __shared__ int agreed;
        if (__syncthreads_or(status) == 0) {  // which knows whether there is one, and not which
            return COTERIE_OK;
        }
        if (index() == 0) {
            agreed = status;
        }
        sync();
        return agreed;  // all threads have read it before the next agreement: its question synchronises them
    }
    static COTERIE_DEVICE int agree_any(int status) {
        __shared__ int any;
        if (__syncthreads_or(status) == 0) {
            return COTERIE_OK;
        }
        if (status != COTERIE_OK) {
            any = status;
        }
        sync();
        if (status != COTERIE_OK && status != COTERIE_POISONED) {
            any = status;
        }
        sync();
        return any;
    }
    static COTERIE_DEVICE coterie_u64 give(coterie_u64 value, unsigned root) {
        __shared__ coterie_u64 given;
        sync();  // all threads have read what the last call has given
        if (index() == root) {
            given = value;
        }
        sync();
        return given;
    }
};

}  // namespace coterie_detail

#endif

// SPDX-License-Identifier: Apache-2.0
#ifndef COTERIE_ORDER_CUH
#define COTERIE_ORDER_CUH

// Memory order, atomics and thread groups: for devices by PTX, for threads of a CPU by a compiler's atomics.
// coterie.cuh includes this file.

#include "coterie_types.cuh"

#if !COTERIE_CUDA
#include <sched.h>
#include <time.h>
#endif

namespace coterie_detail {

struct alignas(16) pair {
    coterie_u64 low, high;
};

#if COTERIE_CUDA

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

// A group of threads that call an operation together, with the same arguments. `agree` gives all of them the status of
// thread 0, the leader, where the others pass 0, and synchronises them.
struct thread_scope {
    static COTERIE_DEVICE unsigned index() { return 0; }
    static COTERIE_DEVICE unsigned count() { return 1; }
    static COTERIE_DEVICE void sync() {}
    static COTERIE_DEVICE int agree(int status) { return status; }
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
};

struct block_threads {
    static COTERIE_DEVICE unsigned index() {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    static COTERIE_DEVICE unsigned count() { return blockDim.x * blockDim.y * blockDim.z; }
    static COTERIE_DEVICE void sync() { __syncthreads(); }
    // Returns not 0 if a thread passes anything but 0: no status, since the instruction knows predicates alone.
    static COTERIE_DEVICE int any(int condition) { return __syncthreads_or(condition); }
    static COTERIE_DEVICE int *agreed() {
        __shared__ int status;
        return &status;
    }
};

#else

COTERIE_DEVICE coterie_u64 load_acquire(const coterie_u64 *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
COTERIE_DEVICE coterie_u64 load_relaxed(const coterie_u64 *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }

COTERIE_DEVICE void store_release(coterie_u64 *word, coterie_u64 value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

COTERIE_DEVICE void store_relaxed(coterie_u64 *word, coterie_u64 value) {
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

COTERIE_DEVICE void add_release(coterie_u64 *word, coterie_u64 value) {
    __atomic_fetch_add(word, value, __ATOMIC_RELEASE);
}

COTERIE_DEVICE void fence_system() { __atomic_thread_fence(__ATOMIC_ACQ_REL); }
COTERIE_DEVICE void fence_full() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
COTERIE_DEVICE coterie_u64 device_load(const coterie_u64 *word) { return load_acquire(word); }
COTERIE_DEVICE void device_store(coterie_u64 *word, coterie_u64 value) { store_release(word, value); }

COTERIE_DEVICE coterie_u64 device_add(coterie_u64 *word, coterie_u64 value) {
    return __atomic_fetch_add(word, value, __ATOMIC_RELAXED);
}

COTERIE_DEVICE coterie_u64 device_swap_if(coterie_u64 *word, coterie_u64 expected, coterie_u64 value) {
    __atomic_compare_exchange_n(word, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}

COTERIE_DEVICE void device_max(coterie_u64 *word, coterie_u64 value) {
    coterie_u64 seen = load_acquire(word);
    while (seen < value) {
        coterie_u64 before = device_swap_if(word, seen, value);
        if (before == seen) {
            return;
        }
        seen = before;
    }
}

COTERIE_DEVICE coterie_u64 now_nanos() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (coterie_u64)time.tv_sec * 1000000000ull + (coterie_u64)time.tv_nsec;
}

COTERIE_DEVICE void pause(unsigned polls) {
    if (polls > 16) {
        sched_yield();
    }
}

template <typename T>
COTERIE_DEVICE T load_fresh(const T *source) {
    return *source;
}

template <typename T>
COTERIE_DEVICE T fetch_add(T *word, T value) {
    return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
}

template <typename T>
COTERIE_DEVICE T fetch_and(T *word, T value) {
    return __atomic_fetch_and(word, value, __ATOMIC_SEQ_CST);
}

template <typename T>
COTERIE_DEVICE T fetch_or(T *word, T value) {
    return __atomic_fetch_or(word, value, __ATOMIC_SEQ_CST);
}

template <typename T>
COTERIE_DEVICE T fetch_xor(T *word, T value) {
    return __atomic_fetch_xor(word, value, __ATOMIC_SEQ_CST);
}

template <typename T>
COTERIE_DEVICE T exchange(T *word, T value) {
    return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
}

template <typename T>
COTERIE_DEVICE T swap_if(T *word, T expected, T value) {
    __atomic_compare_exchange_n(word, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}

struct thread_scope {
    static unsigned index() { return 0; }
    static unsigned count() { return 1; }
    static void sync() {}
    static int agree(int status) { return status; }
};

// On a CPU a warp or a block is a group of threads, of which each has said which one it is.
struct host_group {
    coterie_u64 arrived;
    coterie_u64 generation;
    coterie_u64 some;    // 1 if a thread has passed anything but 0 to the question under way
    coterie_u64 answer;  // to the last question
    unsigned count;
    int status;
};

struct host_member {
    host_group *group;
    unsigned index;
    int status;  // of a thread without a group
};

inline host_member &host_self() {
    static thread_local host_member self = {nullptr, 0, 0};
    return self;
}

struct block_threads {
    static unsigned index() { return host_self().index; }
    static unsigned count() { return host_self().group == nullptr ? 1 : host_self().group->count; }
    static void sync() { any(0); }
    // As the device's instruction, which tells 0 from the rest alone.
    static int any(int condition) {
        host_group *group = host_self().group;
        if (group == nullptr) {
            return condition != 0;
        }
        coterie_u64 generation = load_acquire(&group->generation);
        __atomic_fetch_or(&group->some, condition != 0 ? 1 : 0, __ATOMIC_ACQ_REL);
        if (__atomic_fetch_add(&group->arrived, 1, __ATOMIC_ACQ_REL) + 1 == group->count) {
            store_relaxed(&group->answer, load_acquire(&group->some));
            store_relaxed(&group->some, 0);
            store_relaxed(&group->arrived, 0);
            store_release(&group->generation, generation + 1);
        }
        for (unsigned polls = 0; load_acquire(&group->generation) == generation; polls++) {
            pause(polls);
        }
        return (int)load_relaxed(&group->answer);
    }
    static int *agreed() { return host_self().group == nullptr ? &host_self().status : &host_self().group->status; }
};

#endif

struct block_scope : block_threads {
    static COTERIE_DEVICE int agree(int status) {
        if (any(status) == 0) {
            return COTERIE_OK;
        }
        if (index() == 0) {
            *agreed() = status;
        }
        sync();
        return *agreed();  // all threads have read it before the next agreement: its question synchronises them
    }
};

#if !COTERIE_CUDA
// A warp and a block are the same group: all threads that have entered it.
typedef block_scope warp_scope;

#endif

}  // namespace coterie_detail

#endif

// SPDX-License-Identifier: Apache-2.0
#ifndef COTERIE_CUH
#define COTERIE_CUH

// One-sided operations of Coterie for CUDA kernels. docs/gpu.md is the manual.
//
// A kernel gets the address of a coterie_team, which coterie.cuda.DeviceTeam makes. (memory, offset, pe) names a
// location: the index of a block of memory in the team, a byte offset in it, and a member of the team. Where the
// device maps the member's part of the block, an operation is loads and stores; elsewhere it is a descriptor in a
// ring in host memory, which the JVM of the PE executes.
//
// The header needs no other library. NVCC and NVRTC compile it.

#include "coterie_order.cuh"

namespace coterie_detail {

// ------------------------------------------------------------------------------------------- errors and waits

// Records the first error of the team's kernels, and returns the status.
COTERIE_CALLED int fail(const coterie_team *team, int status, int operation, int memory, coterie_u64 offset, int pe,
                        coterie_u64 bytes = 0, coterie_u64 found = 0, coterie_u64 expected = 0) {
    if (status != COTERIE_POISONED && device_swap_if(&team->counters->failed, 0, (coterie_u64)status) == 0) {
        coterie_error *error = team->error;
        store_relaxed(&error->operation, (coterie_u64)operation);
        store_relaxed(&error->memory, (coterie_u64)memory);
        store_relaxed(&error->pe, (coterie_u64)(long long)pe);
        store_relaxed(&error->offset, offset);
        store_relaxed(&error->bytes, bytes);
        store_relaxed(&error->found, found);
        store_relaxed(&error->expected, expected);
        store_release(&error->code, (coterie_u64)status);
    }
    return status;
}

// The end of a wait other than by what it waits for. A wait asks after each poll.
struct wait_limit {
    const coterie_team *team;
    coterie_u64 begin;
    unsigned polls;

    COTERIE_DEVICE explicit wait_limit(const coterie_team *of) : team(of), begin(0), polls(0) {}

    // Returns COTERIE_OK if the wait is to go on.
    COTERIE_DEVICE int next() {
        pause(++polls);
        if (polls % 32 != 0) {
            return COTERIE_OK;
        }
        if (load_relaxed(team->abort_word) != 0) {
            return COTERIE_ABORTED;
        }
        if (device_load(&team->counters->failed) != 0) {
            return COTERIE_POISONED;
        }
        if (team->deadline_nanos != 0) {
            coterie_u64 now = now_nanos();
            if (begin == 0) {
                begin = now;
            } else if (now - begin > team->deadline_nanos) {
                return COTERIE_TIMEOUT;
            }
        }
        return COTERIE_OK;
    }
};

// ------------------------------------------------------------------------------------------------------ locations

COTERIE_DEVICE bool is_known(const coterie_team *team, int memory, int pe) {
    return memory >= 0 && memory < fixed(team->memories_count) && pe >= 0 && pe < fixed(team->size);
}

// The number itself, or 0 in place of one that `check` refuses. So the following need no branch, and the compiler may
// load what they need early, and once for several operations.
COTERIE_DEVICE int index_or_0(int number, int count) { return number >= 0 && number < count ? number : 0; }

COTERIE_DEVICE const coterie_memory *block_of(const coterie_team *team, int memory) {
    return fixed(team->memories) + index_or_0(memory, fixed(team->memories_count));
}

// The address of a member's part of a block, or 0 where the device does not map it.
COTERIE_DEVICE coterie_u64 base_of(const coterie_team *team, int memory, int pe) {
    return fixed(fixed(block_of(team, memory)->bases)[index_or_0(pe, fixed(team->size))]);
}

// The same, or 0 where this device's atomics are not atomic for all other writers.
COTERIE_DEVICE coterie_u64 atomic_base_of(const coterie_team *team, int memory, int pe) {
    return fixed(fixed(block_of(team, memory)->atomics)[index_or_0(pe, fixed(team->size))]);
}

COTERIE_DEVICE bool is_in_ring(const coterie_team *team, int memory) {
    return fixed(block_of(team, memory)->in_ring) != 0;
}

// Records what is wrong with a location, and returns it.
COTERIE_CALLED int refuse(const coterie_team *team, int operation, int memory, coterie_u64 offset, coterie_u64 bytes,
                          int pe, coterie_u64 alignment) {
    if (memory < 0 || memory >= team->memories_count) {
        return fail(team, COTERIE_BAD_MEMORY, operation, memory, offset, pe, bytes, (coterie_u64)(long long)memory,
                    (coterie_u64)team->memories_count);
    }
    if (pe < 0 || pe >= team->size) {
        return fail(team, COTERIE_BAD_PE, operation, memory, offset, pe, bytes, (coterie_u64)(long long)pe,
                    (coterie_u64)team->size);
    }
    coterie_u64 size = team->memories[memory].bytes;
    if (bytes > size || offset > size - bytes) {
        return fail(team, COTERIE_BAD_RANGE, operation, memory, offset, pe, bytes, offset, size);
    }
    return fail(team, COTERIE_MISALIGNED, operation, memory, offset, pe, bytes, offset, alignment);
}

COTERIE_CALLED int unreachable(const coterie_team *team, int operation, int memory, coterie_u64 offset, int pe,
                               coterie_u64 bytes) {
    return fail(team, COTERIE_UNREACHABLE, operation, memory, offset, pe, bytes);
}

// Checks a location for a group. All its threads find the same, and the leader records it.
template <typename Scope>
COTERIE_DEVICE int check(const coterie_team *team, int operation, int memory, coterie_u64 offset, coterie_u64 bytes,
                         int pe, coterie_u64 alignment) {
    coterie_u64 size = fixed(block_of(team, memory)->bytes);
    if (is_known(team, memory, pe) && bytes <= size && offset <= size - bytes && offset % alignment == 0) {
        return COTERIE_OK;
    }
    return Scope::agree(Scope::index() == 0 ? refuse(team, operation, memory, offset, bytes, pe, alignment)
                                            : COTERIE_OK);
}

// Checks the address of bytes of the caller's own.
template <typename Scope>
COTERIE_DEVICE int check_pointer(const coterie_team *team, int operation, const void *own, coterie_u64 bytes) {
    return own != nullptr || bytes == 0
               ? COTERIE_OK
               : Scope::agree(Scope::index() == 0 ? fail(team, COTERIE_BAD_POINTER, operation, 0, 0, team->pe, bytes)
                                                  : COTERIE_OK);
}

// ----------------------------------------------------------------------------------------------------- the ring

struct descriptor {
    coterie_u8 operation, code, width, answer;
    int memory, signal_memory, pe;
    coterie_u64 offset, local, bytes, signal_offset, value;
};

COTERIE_DEVICE descriptor describe(int operation, int memory, coterie_u64 offset, int pe) {
    descriptor made = {(coterie_u8)operation, 0, 1, 0, memory, 0, pe, offset, 0, 0, 0, 0};
    return made;
}

// Takes a ticket, waits until the ticket's slot is free, writes the descriptor, and publishes it by a release store
// of the sequence word. Source: the bounded queue of D. Vyukov, with a cursor in place of a word for each free slot.
COTERIE_CALLED int post(const coterie_team *team, const descriptor &what, coterie_u64 *ticket) {
    coterie_counters *counters = team->counters;
    if (device_load(&counters->failed) != 0) {
        return COTERIE_POISONED;
    }
    coterie_u64 mine = device_add(&counters->tail, 1);
    if (mine >= device_load(&counters->freed) + team->capacity) {
        wait_limit limit(team);
        coterie_u64 freed = load_acquire(&team->published->freed);
        while (mine >= freed + team->capacity) {
            int status = limit.next();
            if (status != COTERIE_OK) {
                return fail(team, status, COTERIE_OP_RING_SPACE, what.memory, what.offset, what.pe, team->capacity,
                            freed, mine + 1 - team->capacity);
            }
            freed = load_acquire(&team->published->freed);
        }
        device_max(&counters->freed, freed);
    }
    coterie_u64 *slot = &team->slots[mine & (team->capacity - 1)].sequence;
    coterie_u64 head = (coterie_u64)what.operation | (coterie_u64)what.code << 8 | (coterie_u64)what.width << 16 |
                       (coterie_u64)what.answer << 24 | (coterie_u64)(coterie_u16)what.memory << 32 |
                       (coterie_u64)(coterie_u16)what.signal_memory << 48;
    store_relaxed(slot + 1, head);
    store_relaxed(slot + 2, (coterie_u64)(coterie_u32)what.pe);
    store_relaxed(slot + 3, what.offset);
    store_relaxed(slot + 4, what.local);
    store_relaxed(slot + 5, what.bytes);
    store_relaxed(slot + 6, what.signal_offset);
    store_relaxed(slot + 7, what.value);
    store_release(slot, mine + 1);  // after what the whole group has written to the source: they have synchronised
    *ticket = mine;
    return COTERIE_OK;
}

// Waits until the host has completed a descriptor: its source may change, its target has the bytes of a get.
COTERIE_CALLED int await(const coterie_team *team, const descriptor &what, coterie_u64 ticket) {
    wait_limit limit(team);
    coterie_u64 completed = load_acquire(&team->published->completed);
    while (completed <= ticket) {
        int status = limit.next();
        if (status != COTERIE_OK) {
            return fail(team, status, COTERIE_OP_COMPLETION, what.memory, what.offset, what.pe, what.operation,
                        completed, ticket + 1);
        }
        completed = load_acquire(&team->published->completed);
    }
    return COTERIE_OK;
}

COTERIE_DEVICE int post_and_await(const coterie_team *team, const descriptor &what) {
    coterie_u64 ticket;
    int status = post(team, what, &ticket);
    return status != COTERIE_OK ? status : await(team, what, ticket);
}

// As post_and_await; the host's answer is the former value of the word.
COTERIE_CALLED int ask(const coterie_team *team, descriptor &what, coterie_u64 *answer) {
    what.answer = 1;
    coterie_u64 ticket;
    int status = post(team, what, &ticket);
    if (status == COTERIE_OK) {
        status = await(team, what, ticket);
    }
    if (status == COTERIE_OK) {
        coterie_slot *slot = &team->slots[ticket & (team->capacity - 1)];
        *answer = load_relaxed(&slot->value);
        store_release(&slot->sequence, ticket + 2);  // the host frees the slot
    }
    return status;
}

// --------------------------------------------------------------------------------------------- order, completion

// Orders or completes the descriptors before a ticket. `done` counts those for which a thread has already done so.
COTERIE_CALLED int settle_ring(const coterie_team *team, int operation, coterie_u64 *done, coterie_u64 tail) {
    if (device_load(done) < tail) {
        descriptor what = describe(operation, 0, 0, team->pe);
        coterie_u64 ticket;
        int status = post(team, what, &ticket);
        if (status == COTERIE_OK) {
            status = await(team, what, ticket);
        }
        if (status != COTERIE_OK) {
            return status;
        }
        device_max(done, ticket + 1);
    }
    fence_system();  // the host's stores, which the wait or `done` has acquired, before the caller's next ones
    return COTERIE_OK;
}

// The tickets of the ring that are taken, among them all those of the caller.
COTERIE_DEVICE coterie_u64 tickets(const coterie_team *team) { return device_peek(&fixed(team->counters)->tail); }

COTERIE_DEVICE int fence(const coterie_team *team) {
    coterie_u64 tail = tickets(team);
    fence_system();
    return tail == 0 ? COTERIE_OK : settle_ring(team, COTERIE_OP_FENCE, &team->counters->fenced, tail);
}

COTERIE_DEVICE int quiet(const coterie_team *team) {
    coterie_u64 tail = tickets(team);
    fence_full();
    return tail == 0 ? COTERIE_OK : settle_ring(team, COTERIE_OP_QUIET, &team->counters->quiet, tail);
}

// Waits until the host has completed the descriptors before a ticket, as far as it must for their producers.
COTERIE_CALLED int settle_sources(const coterie_team *team, coterie_u64 tail) {
    return await(team, describe(COTERIE_OP_FLUSH, 0, 0, team->pe), tail - 1);
}

COTERIE_DEVICE int flush(const coterie_team *team) {
    coterie_u64 tail = tickets(team);
    return tail == 0 ? COTERIE_OK : settle_sources(team, tail);
}

// --------------------------------------------------------------------------------------------------------- copies

// Copies elements of one width, spread over the threads of a group. A thread has `depth` loads under way at a time.
// More of them need more registers, and those limit the threads of a kernel's blocks.
template <typename T, int depth>
COTERIE_DEVICE void copy_elements(coterie_u64 target, coterie_u64 source, coterie_u64 count, coterie_u64 index,
                                  coterie_u64 step) {
    T *to = (T *)target;
    const T *from = (const T *)source;
    coterie_u64 i = index;
#pragma unroll 1
    for (; i + (depth - 1) * step < count; i += depth * step) {
        T values[depth];
#pragma unroll
        for (int k = 0; k < depth; k++) {
            values[k] = load_fresh(from + i + k * step);
        }
#pragma unroll
        for (int k = 0; k < depth; k++) {
            to[i + k * step] = values[k];
        }
    }
#pragma unroll 1
    for (; i < count; i += step) {
        to[i] = load_fresh(from + i);
    }
}

// Copies in elements to which both addresses can be aligned, with single bytes at the ends.
template <typename T>
COTERIE_DEVICE void copy_aligned(coterie_u64 target, coterie_u64 source, coterie_u64 bytes, unsigned index,
                                 unsigned step) {
    coterie_u64 head = (0 - target) & (sizeof(T) - 1);
    head = head < bytes ? head : bytes;
    coterie_u64 count = (bytes - head) / sizeof(T), body = count * sizeof(T);
    copy_elements<coterie_u8, 1>(target, source, head, index, step);
    copy_elements<T, 4>(target + head, source + head, count, index, step);
    copy_elements<coterie_u8, 1>(target + head + body, source + head + body, bytes - head - body, index, step);
}

COTERIE_CALLED void copy_unaligned(coterie_u64 target, coterie_u64 source, coterie_u64 bytes, unsigned index,
                                   unsigned step) {
    coterie_u64 distance = target ^ source;
    if (distance % 16 == 0) {
        copy_aligned<pair>(target, source, bytes, index, step);
    } else if (distance % 8 == 0) {
        copy_aligned<coterie_u64>(target, source, bytes, index, step);
    } else if (distance % 4 == 0) {
        copy_aligned<coterie_u32>(target, source, bytes, index, step);
    } else {
        copy_elements<coterie_u8, 4>(target, source, bytes, index, step);
    }
}

// Copies what the thread with this index does of `step` threads. Small copies take elements of one width.
COTERIE_CALLED void copy(coterie_u64 target, coterie_u64 source, coterie_u64 bytes, unsigned index, unsigned step) {
    coterie_u64 all = target | source | bytes;
    if (all % 16 == 0) {
        copy_elements<pair, 8>(target, source, bytes / 16, index, step);
    } else if (all % 8 == 0 && bytes <= 512) {
        copy_elements<coterie_u64, 4>(target, source, bytes / 8, index, step);
    } else if (all % 4 == 0 && bytes <= 256) {
        copy_elements<coterie_u32, 4>(target, source, bytes / 4, index, step);
    } else {
        copy_unaligned(target, source, bytes, index, step);
    }
}

// -------------------------------------------------------------------------------------------------------- signals

struct signal_update {
    int operation;  // NO_SIGNAL: none
    int memory;
    coterie_u64 offset, value;
};

enum { NO_SIGNAL = -0x7fffffff };

// The operation that a caller passes, which is never the one that says that there is no signal.
COTERIE_DEVICE int given(int operation) { return operation == NO_SIGNAL ? 0 : operation; }

COTERIE_CALLED int refuse_operation(const coterie_team *team, int operation, int memory, coterie_u64 offset, int pe) {
    return fail(team, COTERIE_BAD_OPERATION, COTERIE_OP_SIGNAL, memory, offset, pe, 8,
                (coterie_u64)(long long)operation);
}

// Checks all of a signal before its put stores a byte: what it does, where, and that the device or the ring reaches it.
template <typename Scope>
COTERIE_DEVICE int check_signal(const coterie_team *team, const signal_update &signal, int pe) {
    bool sets = signal.operation == COTERIE_SIGNAL_SET;
    if (sets || signal.operation == COTERIE_SIGNAL_ADD) {
        int status = check<Scope>(team, COTERIE_OP_SIGNAL, signal.memory, signal.offset, 8, pe, 8);
        coterie_u64 base = sets ? base_of(team, signal.memory, pe) : atomic_base_of(team, signal.memory, pe);
        if (status != COTERIE_OK || base != 0 || is_in_ring(team, signal.memory)) {
            return status;
        }
        return Scope::agree(Scope::index() == 0
                                ? unreachable(team, COTERIE_OP_SIGNAL, signal.memory, signal.offset, pe, 8)
                                : COTERIE_OK);
    }
    return Scope::agree(Scope::index() == 0
                            ? refuse_operation(team, signal.operation, signal.memory, signal.offset, pe)
                            : COTERIE_OK);
}

// Posts the update of a signal word that the ring reaches, and the device does not.
COTERIE_CALLED int post_signal(const coterie_team *team, int operation, int memory, coterie_u64 offset,
                               coterie_u64 value, int pe) {
    descriptor what = describe(COTERIE_OP_SIGNAL, memory, offset, pe);
    what.code = (coterie_u8)operation;
    what.width = 8;
    what.value = value;
    coterie_u64 ticket;
    return post(team, what, &ticket);
}

// Updates a signal word after all that the thread, and what it has synchronised with, has stored. Sets are stores;
// adds are the host's where this device's atomics are not atomic for the host.
template <typename Scope>
COTERIE_DEVICE int update_signal(const coterie_team *team, const signal_update &signal, int pe) {
    bool leads = Scope::index() == 0, sets = signal.operation == COTERIE_SIGNAL_SET;
    coterie_u64 base = sets ? base_of(team, signal.memory, pe) : atomic_base_of(team, signal.memory, pe);
    if (base == 0) {
        return Scope::agree(leads ? post_signal(team, signal.operation, signal.memory, signal.offset, signal.value, pe)
                                  : COTERIE_OK);
    }
    coterie_u64 *word = (coterie_u64 *)(base + signal.offset);
    if (leads && sets) {
        store_release(word, signal.value);
    } else if (leads) {
        add_release(word, signal.value);
    }
    Scope::sync();
    return COTERIE_OK;
}

COTERIE_DEVICE bool holds(int comparison, coterie_u64 word, coterie_u64 operand) {
    switch (comparison) {
        case COTERIE_EQ:
            return word == operand;
        case COTERIE_NE:
            return word != operand;
        case COTERIE_GT:
            return word > operand;
        case COTERIE_GE:
            return word >= operand;
        case COTERIE_LT:
            return word < operand;
        default:
            return word <= operand;
    }
}

struct outcome {
    int status;
    coterie_u64 found;  // what the word was last
};

// Waits on for a word of the caller's own that was `found`.
COTERIE_CALLED outcome wait_on(const coterie_team *team, int operation, int memory, coterie_u64 offset, int comparison,
                               coterie_u64 operand, coterie_u64 found) {
    const coterie_u64 *word = (const coterie_u64 *)(base_of(team, memory, team->pe) + offset);
    wait_limit limit(team);
    int status = COTERIE_OK;
    while (status == COTERIE_OK && !holds(comparison, found, operand)) {
        status = limit.next();
        if (status != COTERIE_OK) {
            fail(team, status, operation, memory, offset, team->pe, (coterie_u64)comparison, found, operand);
        } else {
            found = load_acquire(word);
        }
    }
    outcome last = {status, found};
    return last;
}

// Waits for a word of the caller's own, and acquires what was ordered before its value.
COTERIE_DEVICE outcome wait_word(const coterie_team *team, int operation, int memory, coterie_u64 offset,
                                 int comparison, coterie_u64 operand) {
    outcome first = {COTERIE_OK, load_acquire((const coterie_u64 *)(base_of(team, memory, fixed(team->pe)) + offset))};
    return holds(comparison, first.found, operand)
               ? first
               : wait_on(team, operation, memory, offset, comparison, operand, first.found);
}

// Posts a put, with the signal that follows it. Waits for it only if the caller must reuse its source.
COTERIE_CALLED int post_signalled(const coterie_team *team, descriptor &what, const signal_update &signal,
                                  bool awaits = false) {
    bool takes = signal.operation != NO_SIGNAL && is_in_ring(team, signal.memory);
    if (takes) {
        what.code = (coterie_u8)signal.operation;
        what.signal_memory = signal.memory;
        what.signal_offset = signal.offset;
        what.value = signal.value;
    }
    coterie_u64 ticket;
    int status = post(team, what, &ticket);
    if (status == COTERIE_OK && signal.operation != NO_SIGNAL && !takes) {  // a word in device memory
        status = quiet(team);
        return status != COTERIE_OK ? status : update_signal<thread_scope>(team, signal, what.pe);
    }
    return status == COTERIE_OK && awaits ? await(team, what, ticket) : status;
}

COTERIE_CALLED int post_put(const coterie_team *team, int memory, coterie_u64 offset, const void *source,
                            coterie_u64 bytes, int pe, const signal_update &signal, bool awaits) {
    if (!is_in_ring(team, memory)) {
        return unreachable(team, COTERIE_OP_PUT, memory, offset, pe, bytes);
    }
    descriptor what = describe(COTERIE_OP_PUT, memory, offset, pe);
    what.local = (coterie_u64)source;
    what.bytes = bytes;
    return post_signalled(team, what, signal, awaits);
}

COTERIE_CALLED int post_get(const coterie_team *team, int memory, coterie_u64 offset, void *target, coterie_u64 bytes,
                            int pe, bool awaits) {
    if (!is_in_ring(team, memory)) {
        return unreachable(team, COTERIE_OP_GET, memory, offset, pe, bytes);
    }
    descriptor what = describe(COTERIE_OP_GET, memory, offset, pe);
    what.local = (coterie_u64)target;
    what.bytes = bytes;
    coterie_u64 ticket;
    int status = post(team, what, &ticket);
    return status == COTERIE_OK && awaits ? await(team, what, ticket) : status;
}

// ------------------------------------------------------------------------------------------- operations of a group
// All threads of the group call them with the same arguments, and get the same status. Each synchronises the group
// before it copies or posts, so that it sees what the threads have written, and after it, so that they may reuse their
// memory. What the leader releases comes after what all of them did before, and what it acquires is there for all of
// them after: PTX's causality order goes through the group's barriers, so that one fence of the leader is enough.

template <typename Scope>
COTERIE_DEVICE int put(const coterie_team *team, int memory, coterie_u64 offset, const void *source, coterie_u64 bytes,
                       int pe, const signal_update &signal, bool awaits) {
    coterie_u64 base = base_of(team, memory, pe);
    Scope::sync();
    int status = check<Scope>(team, COTERIE_OP_PUT, memory, offset, bytes, pe, 1);
    if (status == COTERIE_OK) {
        status = check_pointer<Scope>(team, COTERIE_OP_PUT, source, bytes);
    }
    if (status == COTERIE_OK && signal.operation != NO_SIGNAL) {
        status = check_signal<Scope>(team, signal, pe);
    }
    if (status != COTERIE_OK) {
        return status;
    }
    if (base == 0) {
        return Scope::agree(
            Scope::index() == 0 ? post_put(team, memory, offset, source, bytes, pe, signal, awaits) : COTERIE_OK);
    }
    copy(base + offset, (coterie_u64)source, bytes, Scope::index(), Scope::count());
    Scope::sync();
    return signal.operation == NO_SIGNAL ? COTERIE_OK : update_signal<Scope>(team, signal, pe);
}

// An element in the low bytes of a word, as descriptors have it.
template <typename T>
union element {
    coterie_u64 bits;
    T value;
};

template <typename Scope, typename T>
COTERIE_DEVICE T give_value(T value, unsigned root) {
    static_assert(sizeof(T) <= 8, "8 bytes at most");
    element<T> given = {0};
    given.value = value;
    given.bits = Scope::give(given.bits, root % Scope::count());
    return given.value;
}

template <typename T>
COTERIE_DEVICE int put_value(const coterie_team *team, int memory, coterie_u64 offset, T value, int pe,
                             signal_update signal) {
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "1, 2, 4 or 8 bytes");
    int status = check<thread_scope>(team, COTERIE_OP_PUT_VALUE, memory, offset, sizeof(T), pe, sizeof(T));
    if (status == COTERIE_OK && signal.operation != NO_SIGNAL) {
        status = check_signal<thread_scope>(team, signal, pe);
    }
    if (status != COTERIE_OK) {
        return status;
    }
    coterie_u64 base = base_of(team, memory, pe);
    if (base != 0) {
        *(volatile T *)(base + offset) = value;
        return signal.operation == NO_SIGNAL ? COTERIE_OK : update_signal<thread_scope>(team, signal, pe);
    }
    if (!is_in_ring(team, memory)) {
        return unreachable(team, COTERIE_OP_PUT_VALUE, memory, offset, pe, sizeof(T));
    }
    descriptor what = describe(COTERIE_OP_PUT_VALUE, memory, offset, pe);
    what.width = (coterie_u8)sizeof(T);
    element<T> operand = {0};
    operand.value = value;
    what.local = operand.bits;
    return post_signalled(team, what, signal);
}

template <typename Scope>
COTERIE_DEVICE int get(const coterie_team *team, int memory, coterie_u64 offset, void *target, coterie_u64 bytes,
                       int pe, bool awaits) {
    coterie_u64 base = base_of(team, memory, pe);
    Scope::sync();
    int status = check<Scope>(team, COTERIE_OP_GET, memory, offset, bytes, pe, 1);
    if (status == COTERIE_OK) {
        status = check_pointer<Scope>(team, COTERIE_OP_GET, target, bytes);
    }
    if (status != COTERIE_OK) {
        return status;
    }
    if (base == 0) {
        return Scope::agree(
            Scope::index() == 0 ? post_get(team, memory, offset, target, bytes, pe, awaits) : COTERIE_OK);
    }
    copy((coterie_u64)target, base + offset, bytes, Scope::index(), Scope::count());
    Scope::sync();
    return COTERIE_OK;
}

// --------------------------------------------------------------------------------------------- elements at strides

// How many bytes `count` elements reach over; more than any block has if that is no number of 64 bits.
COTERIE_DEVICE coterie_u64 reach_of(coterie_u64 count, coterie_u64 stride, coterie_u64 width) {
    if (count == 0) {
        return 0;
    }
    coterie_u64 last = (count - 1) * stride;
    return __umul64hi(count - 1, stride) != 0 || last >> 60 != 0 ? ~0ull : (last + 1) * width;
}

template <typename T>
COTERIE_DEVICE void copy_strided(T *to, coterie_u64 to_stride, const T *from, coterie_u64 from_stride,
                                 coterie_u64 count, coterie_u64 index, coterie_u64 step) {
    coterie_u64 i = index;
#pragma unroll 1
    for (; i + 3 * step < count; i += 4 * step) {
        T values[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            values[k] = load_fresh(from + (i + k * step) * from_stride);
        }
#pragma unroll
        for (int k = 0; k < 4; k++) {
            to[(i + k * step) * to_stride] = values[k];
        }
    }
#pragma unroll 1
    for (; i < count; i += step) {
        to[i * to_stride] = load_fresh(from + i * from_stride);
    }
}

// One descriptor for each element. A descriptor of a put has the element in it, so that its source may be reused.
template <typename T>
COTERIE_CALLED int post_strided(const coterie_team *team, int operation, int memory, coterie_u64 offset,
                                coterie_u64 stride, T *own, coterie_u64 own_stride, coterie_u64 count, int pe,
                                coterie_u64 index, coterie_u64 step) {
    descriptor what = describe(operation, memory, offset, pe);
    coterie_u64 ticket = 0;
    int status = COTERIE_OK;
    for (coterie_u64 i = index; i < count && status == COTERIE_OK; i += step) {
        what.offset = offset + i * stride * sizeof(T);
        if (operation == COTERIE_OP_PUT_VALUE) {
            element<T> operand = {0};
            operand.value = load_fresh(own + i * own_stride);
            what.width = (coterie_u8)sizeof(T);
            what.local = operand.bits;
        } else {
            what.local = (coterie_u64)(own + i * own_stride);
            what.bytes = sizeof(T);
        }
        status = post(team, what, &ticket);
    }
    return status == COTERIE_OK && operation == COTERIE_OP_GET && index < count ? await(team, what, ticket) : status;
}

// Checks the strides, the place and the caller's own elements. `operation` is COTERIE_OP_PUT or COTERIE_OP_GET.
template <typename Scope, typename T>
COTERIE_DEVICE int check_strided(const coterie_team *team, int operation, int memory, coterie_u64 offset,
                                 coterie_u64 stride, const T *own, coterie_u64 own_stride, coterie_u64 count, int pe) {
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "1, 2, 4 or 8 bytes");
    coterie_u64 bytes = reach_of(count, stride, sizeof(T));
    int status = check<Scope>(team, operation, memory, offset, bytes, pe, sizeof(T));
    if (status == COTERIE_OK) {
        status = check_pointer<Scope>(team, operation, own, count * sizeof(T));
    }
    if (status == COTERIE_OK && (stride == 0 || own_stride == 0)) {
        status = Scope::agree(Scope::index() == 0
                                  ? fail(team, COTERIE_BAD_STRIDE, operation, memory, offset, pe, bytes)
                                  : COTERIE_OK);
    }
    if (status == COTERIE_OK && base_of(team, memory, pe) == 0 && !is_in_ring(team, memory)) {
        status = Scope::agree(Scope::index() == 0 ? unreachable(team, operation, memory, offset, pe, bytes)
                                                  : COTERIE_OK);
    }
    return status;
}

template <typename Scope, typename T>
COTERIE_DEVICE int put_strided(const coterie_team *team, int memory, coterie_u64 offset, const T *source,
                               coterie_u64 stride, coterie_u64 own_stride, coterie_u64 count, int pe) {
    Scope::sync();
    int status = check_strided<Scope>(team, COTERIE_OP_PUT, memory, offset, stride, source, own_stride, count, pe);
    if (status != COTERIE_OK) {
        return status;
    }
    if (stride == 1 && own_stride == 1) {
        signal_update none = {NO_SIGNAL, 0, 0, 0};
        return put<Scope>(team, memory, offset, source, count * sizeof(T), pe, none, true);
    }
    coterie_u64 base = base_of(team, memory, pe);
    if (base == 0) {
        return Scope::agree_any(post_strided<T>(team, COTERIE_OP_PUT_VALUE, memory, offset, stride, (T *)source,
                                                own_stride, count, pe, Scope::index(), Scope::count()));
    }
    copy_strided((T *)(base + offset), stride, source, own_stride, count, Scope::index(), Scope::count());
    Scope::sync();
    return COTERIE_OK;
}

template <typename Scope, typename T>
COTERIE_DEVICE int get_strided(const coterie_team *team, int memory, coterie_u64 offset, T *target,
                               coterie_u64 own_stride, coterie_u64 stride, coterie_u64 count, int pe) {
    Scope::sync();
    int status = check_strided<Scope>(team, COTERIE_OP_GET, memory, offset, stride, target, own_stride, count, pe);
    if (status != COTERIE_OK) {
        return status;
    }
    if (stride == 1 && own_stride == 1) {
        return get<Scope>(team, memory, offset, target, count * sizeof(T), pe, true);
    }
    coterie_u64 base = base_of(team, memory, pe);
    if (base == 0) {
        return Scope::agree_any(post_strided<T>(team, COTERIE_OP_GET, memory, offset, stride, target, own_stride,
                                                count, pe, Scope::index(), Scope::count()));
    }
    copy_strided(target, own_stride, (const T *)(base + offset), stride, count, Scope::index(), Scope::count());
    Scope::sync();
    return COTERIE_OK;
}

// ---------------------------------------------------------------------------------------------------------- waits

template <typename Scope>
COTERIE_DEVICE int check_comparison(const coterie_team *team, int memory, coterie_u64 offset, int comparison) {
    return comparison >= COTERIE_EQ && comparison <= COTERIE_LE
               ? COTERIE_OK
               : Scope::agree(Scope::index() == 0
                                  ? fail(team, COTERIE_BAD_COMPARISON, COTERIE_OP_SIGNAL_WAIT, memory, offset, team->pe,
                                         8, (coterie_u64)(long long)comparison)
                                  : COTERIE_OK);
}

template <typename Scope>
COTERIE_DEVICE int wait_signal(const coterie_team *team, int memory, coterie_u64 offset, int comparison,
                               coterie_u64 operand, coterie_u64 *value) {
    int status = check<Scope>(team, COTERIE_OP_SIGNAL_WAIT, memory, offset, 8, fixed(team->pe), 8);
    if (status == COTERIE_OK) {
        status = check_comparison<Scope>(team, memory, offset, comparison);
    }
    if (status != COTERIE_OK) {
        return status;
    }
    if (Scope::index() == 0) {
        outcome word = wait_word(team, COTERIE_OP_SIGNAL_WAIT, memory, offset, comparison, operand);
        status = word.status;
        if (value != nullptr) {
            *value = word.found;
        }
    }
    return Scope::agree(status);
}

// Words of the caller's own that follow each other; not those whose entry in `skip`, if there is one, is not 0.
struct words {
    int memory;
    coterie_u64 offset, count;
    const int *skip;
    int comparison;
    coterie_u64 operand;

    COTERIE_DEVICE bool has(coterie_u64 i) const { return skip == nullptr || skip[i] == 0; }
};

template <typename Scope>
COTERIE_DEVICE int check_words(const coterie_team *team, const words &all) {
    coterie_u64 bytes = all.count >> 60 == 0 ? all.count * 8 : ~0ull;
    int status = check<Scope>(team, COTERIE_OP_SIGNAL_WAIT, all.memory, all.offset, bytes, fixed(team->pe), 8);
    return status != COTERIE_OK ? status : check_comparison<Scope>(team, all.memory, all.offset, all.comparison);
}

// Waits until one of the words compares, and leaves the indices of those that do, of no more than `most` of them. Waits
// for nothing if there are no words. Each round loads all words again, so that none is missed.
COTERIE_CALLED int wait_for_some(const coterie_team *team, const words &all, coterie_u64 most, coterie_u64 *indices,
                                 coterie_u64 *count) {
    const coterie_u64 *first = (const coterie_u64 *)(base_of(team, all.memory, team->pe) + all.offset);
    wait_limit limit(team);
    coterie_u64 met = 0;
    int status = COTERIE_OK;
    while (status == COTERIE_OK) {
        coterie_u64 unmet = all.count, found = 0;  // the first word that does not compare
        for (coterie_u64 i = 0; i < all.count && met < most; i++) {
            if (all.has(i)) {
                coterie_u64 word = load_relaxed(first + i);
                if (holds(all.comparison, word, all.operand)) {
                    indices[met++] = i;
                } else if (unmet == all.count) {
                    unmet = i;
                    found = word;
                }
            }
        }
        if (met > 0 || unmet == all.count) {
            break;
        }
        status = limit.next();
        if (status != COTERIE_OK) {
            fail(team, status, COTERIE_OP_SIGNAL_WAIT, all.memory, all.offset + 8 * unmet, team->pe,
                 (coterie_u64)all.comparison, found, all.operand);
        }
    }
    fence_system();  // acquires what was ordered before the values
    *count = met;
    return status;
}

template <typename Scope>
COTERIE_DEVICE int wait_any(const coterie_team *team, const words &all, coterie_u64 *index) {
    Scope::sync();
    int status = check_words<Scope>(team, all);
    if (status == COTERIE_OK) {
        status = check_pointer<Scope>(team, COTERIE_OP_SIGNAL_WAIT, index, 8);
    }
    if (status != COTERIE_OK) {
        return status;
    }
    coterie_u64 which = COTERIE_NO_INDEX;
    if (Scope::index() == 0) {
        coterie_u64 met;
        status = wait_for_some(team, all, 1, &which, &met);
    }
    status = Scope::agree(status);
    which = Scope::give(which, 0);
    if (status == COTERIE_OK) {
        *index = which;
    }
    return status;
}

template <typename Scope>
COTERIE_DEVICE int wait_some(const coterie_team *team, const words &all, coterie_u64 *indices, coterie_u64 *count) {
    Scope::sync();
    int status = check_words<Scope>(team, all);
    if (status == COTERIE_OK) {
        status = check_pointer<Scope>(team, COTERIE_OP_SIGNAL_WAIT, indices, all.count * 8);
    }
    if (status == COTERIE_OK) {
        status = check_pointer<Scope>(team, COTERIE_OP_SIGNAL_WAIT, count, 8);
    }
    if (status != COTERIE_OK) {
        return status;
    }
    coterie_u64 met = 0;
    if (Scope::index() == 0) {
        status = wait_for_some(team, all, all.count, indices, &met);
    }
    status = Scope::agree(status);
    met = Scope::give(met, 0);
    if (status == COTERIE_OK) {
        *count = met;
    }
    return status;
}

// The threads of the group share the words.
template <typename Scope>
COTERIE_DEVICE int wait_all(const coterie_team *team, const words &all) {
    Scope::sync();
    int status = check_words<Scope>(team, all);
    if (status != COTERIE_OK) {
        return status;
    }
    for (coterie_u64 i = Scope::index(); i < all.count && status == COTERIE_OK; i += Scope::count()) {
        if (all.has(i)) {
            status = wait_word(team, COTERIE_OP_SIGNAL_WAIT, all.memory, all.offset + 8 * i, all.comparison,
                               all.operand)
                         .status;
        }
    }
    return Scope::agree_any(status);
}

COTERIE_DEVICE int check_barrier(const coterie_team *team, int index) {
    return index >= 0 && index < fixed(team->barriers)
               ? COTERIE_OK
               : fail(team, COTERIE_BAD_INDEX, COTERIE_OP_BARRIER, 0, 0, team->pe, 0, (coterie_u64)(long long)index,
                      (coterie_u64)team->barriers);
}

// A dissemination barrier: in round k a member notifies the member 2^k after it. Its words only grow, so that a
// member in a later barrier does no harm. Source: Hensgen, Finkel, Manber, "Two algorithms for barrier
// synchronization", 1988.
template <typename Scope>
COTERIE_CALLED int sync(const coterie_team *team, int index) {
    Scope::sync();
    int status = COTERIE_OK;
    if (Scope::index() == 0) {
        status = check_barrier(team, index);
        if (status == COTERIE_OK) {
            coterie_u64 round = device_load(&team->rounds[index]) + 1;
            device_store(&team->rounds[index], round);
            coterie_u64 word = (coterie_u64)index * COTERIE_BARRIER_WORDS * 8;
            for (long long distance = 1; distance < team->size && status == COTERIE_OK; distance *= 2, word += 8) {
                signal_update notice = {COTERIE_SIGNAL_SET, 0, word, round};
                status = update_signal<thread_scope>(team, notice, (int)((team->pe + distance) % team->size));
                if (status == COTERIE_OK) {
                    status = wait_word(team, COTERIE_OP_BARRIER, 0, word, COTERIE_GE, round).status;
                }
            }
        }
    }
    return Scope::agree(status);
}

template <typename Scope>
COTERIE_DEVICE int group_fence(const coterie_team *team) {
    Scope::sync();
    return Scope::agree(Scope::index() == 0 ? fence(team) : COTERIE_OK);
}

template <typename Scope>
COTERIE_DEVICE int group_flush(const coterie_team *team) {
    Scope::sync();
    return Scope::agree(Scope::index() == 0 ? flush(team) : COTERIE_OK);
}

template <typename Scope>
COTERIE_DEVICE int group_quiet(const coterie_team *team) {
    Scope::sync();
    return Scope::agree(Scope::index() == 0 ? quiet(team) : COTERIE_OK);
}

template <typename Scope>
COTERIE_DEVICE int barrier(const coterie_team *team, int index) {
    Scope::sync();
    int status = Scope::agree(Scope::index() == 0 ? check_barrier(team, index) : COTERIE_OK);
    if (status == COTERIE_OK) {
        status = group_quiet<Scope>(team);
    }
    return status != COTERIE_OK ? status : sync<Scope>(team, index);
}

// -------------------------------------------------------------------------------------------------------- atomics

template <unsigned Bytes>
struct bits_of;

template <>
struct bits_of<4> {
    typedef coterie_u32 type;
};

template <>
struct bits_of<8> {
    typedef coterie_u64 type;
};

// A number as the word that holds it. `add` is the operation that adds such numbers.
template <typename T>
struct number {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8,
                  "atomics take numbers of 4 and 8 bytes; add also takes coterie_half and coterie_bfloat16, by "
                  "coterie_reduce.cuh");
    typedef typename bits_of<sizeof(T)>::type word;
    enum { is_integer = (T)1 / (T)2 == (T)0, add = COTERIE_ATOMIC_ADD };
    static COTERIE_DEVICE word bits(T value) { return (word)value; }
    static COTERIE_DEVICE T of(word bits) { return (T)bits; }
};

template <>
struct number<float> {
    typedef coterie_u32 word;
    enum { is_integer = 0, add = COTERIE_ATOMIC_ADD_FLOATING };
    static COTERIE_DEVICE word bits(float value) { return __float_as_uint(value); }
    static COTERIE_DEVICE float of(word bits) { return __uint_as_float(bits); }
};

template <>
struct number<double> {
    typedef coterie_u64 word;
    enum { is_integer = 0, add = COTERIE_ATOMIC_ADD_FLOATING };
    static COTERIE_DEVICE word bits(double value) { return (word)__double_as_longlong(value); }
    static COTERIE_DEVICE double of(word bits) { return __longlong_as_double((long long)bits); }
};

template <typename U>
COTERIE_DEVICE U apply(U *word, int operation, U operand, U expected) {
    switch (operation) {
        case COTERIE_ATOMIC_SET:
        case COTERIE_ATOMIC_SWAP:
            return exchange(word, operand);
        case COTERIE_ATOMIC_ADD:
            return fetch_add(word, operand);
        case COTERIE_ATOMIC_AND:
            return fetch_and(word, operand);
        case COTERIE_ATOMIC_OR:
            return fetch_or(word, operand);
        case COTERIE_ATOMIC_XOR:
            return fetch_xor(word, operand);
        case COTERIE_ATOMIC_COMPARE_SWAP:
            return swap_if(word, expected, operand);
        case COTERIE_ATOMIC_ADD_FLOATING:
            return fetch_add_floating(word, operand);
        default:
            return fetch_add(word, (U)0);
    }
}

// Applies an operation to a number at an address, and returns the bits before.
template <typename T>
struct update {
    typedef typename number<T>::word word;
    static COTERIE_DEVICE word apply_at(coterie_u64 address, int operation, word operand, word expected) {
        return apply<word>((word *)address, operation, operand, expected);
    }
};

// Integers of 4 and 8 bytes, float and double; coterie_reduce.cuh adds sums of 16-bit numbers.
template <typename T>
COTERIE_DEVICE int atomic(const coterie_team *team, int operation, int memory, coterie_u64 offset, T operand,
                          T expected, int pe, T *former) {
    typedef number<T> N;
    typedef typename N::word U;
    static_assert(N::is_integer || N::add != COTERIE_ATOMIC_ADD, "atomics are of integers, float and double");
    int status = check<thread_scope>(team, COTERIE_OP_ATOMIC, memory, offset, sizeof(T), pe, sizeof(T));
    if (status != COTERIE_OK) {
        return status;
    }
    coterie_u64 base = atomic_base_of(team, memory, pe);
    if (base != 0) {
        U before = update<T>::apply_at(base + offset, operation, N::bits(operand), N::bits(expected));
        if (former != nullptr) {
            *former = N::of(before);
        }
        return COTERIE_OK;
    }
    if (!is_in_ring(team, memory)) {
        return unreachable(team, COTERIE_OP_ATOMIC, memory, offset, pe, sizeof(T));
    }
    descriptor what = describe(COTERIE_OP_ATOMIC, memory, offset, pe);
    what.code = (coterie_u8)operation;
    what.width = (coterie_u8)sizeof(T);
    what.local = N::bits(operand);
    what.bytes = N::bits(expected);
    coterie_u64 bits = 0;
    if (former == nullptr) {
        return post(team, what, &bits);
    }
    status = ask(team, what, &bits);
    if (status == COTERIE_OK) {
        *former = N::of((U)bits);
    }
    return status;
}

template <typename T>
COTERIE_DEVICE T fetching(const coterie_team *team, int operation, int memory, coterie_u64 offset, T operand,
                          T expected, int pe) {
    T former = T();
    atomic<T>(team, operation, memory, offset, operand, expected, pe, &former);
    return former;
}

}  // namespace coterie_detail

// ------------------------------------------------------------------------------------------------------- the team

// The caller's number in the team.
COTERIE_DEVICE int coterie_pe(const coterie_team *team) { return coterie_detail::fixed(team->pe); }

// The number of members.
COTERIE_DEVICE int coterie_size(const coterie_team *team) { return coterie_detail::fixed(team->size); }

// A member's number in the world, or -1.
COTERIE_DEVICE int coterie_world_pe(const coterie_team *team, int pe) {
    return pe < 0 || pe >= team->size ? -1 : team->pes[pe];
}

// The status of the first error of the team's kernels, or COTERIE_OK.
COTERIE_DEVICE int coterie_status_of(const coterie_team *team) {
    return (int)coterie_detail::device_load(&team->counters->failed);
}

// The address of a member's bytes, for plain loads and stores; null if the device does not map them.
COTERIE_DEVICE void *coterie_pointer(const coterie_team *team, int memory, coterie_u64 offset, int pe) {
    coterie_u64 base = coterie_detail::base_of(team, memory, pe);
    coterie_u64 bytes = coterie_detail::fixed(coterie_detail::block_of(team, memory)->bytes);
    bool isMapped = coterie_detail::is_known(team, memory, pe) && base != 0;
    return isMapped && offset < bytes ? (void *)(base + offset) : nullptr;
}

// The address of the caller's own bytes.
COTERIE_DEVICE void *coterie_local(const coterie_team *team, int memory, coterie_u64 offset) {
    return coterie_pointer(team, memory, offset, coterie_pe(team));
}

// ------------------------------------------------------------------------------------------------- order, by scope

// Orders what the caller has put before what it puts afterwards.
COTERIE_DEVICE int coterie_fence(const coterie_team *team) {
    return coterie_detail::group_fence<coterie_detail::thread_scope>(team);
}

// Completes what the caller has put, got and updated: the targets see it.
COTERIE_DEVICE int coterie_quiet(const coterie_team *team) {
    return coterie_detail::group_quiet<coterie_detail::thread_scope>(team);
}

// Waits until the sources of what the caller has put may be reused, and what it has got is there. The targets may see
// the bytes later: coterie_quiet waits for that, too.
COTERIE_DEVICE int coterie_flush(const coterie_team *team) {
    return coterie_detail::group_flush<coterie_detail::thread_scope>(team);
}

// -------------------------------------------------------------------------------------------- transfers, by scope
// Each function has three forms: coterie_put is a thread's, coterie_put_warp that of all 32 threads of a warp,
// coterie_put_block that of all threads of a block. The threads of a group call it together, with the same arguments.
// Sources and targets are in global memory, of the device or registered, since the JVM may have to copy them.
//
//   put             returns when the source may be reused
//   put_nbi         returns earlier; the source may be reused after coterie_flush or coterie_quiet
//   get             returns when the target has the bytes; get_nbi: after coterie_flush or coterie_quiet
//   put_signal      a put, after which a signal word of the same member is set or added to; put_signal_nbi as put_nbi
//   signal_wait     waits until a word of the caller's own compares with the operand
//   signal_wait_any, some, all
//                   wait for one, for one or more, for all of `count` words that follow each other; words whose entry
//                   in `skip` is not 0 don't count, and `skip` may be null. If no word counts, they return at once.
//   put_signal_counted
//                   a put, after which a word of the same member has grown by the number of bytes; with _nbi
//   signal_counted_wait, signal_counted_reset
//                   wait until a word of the caller's own is at least `least`; set it to 0, while no put is under way
//   iput, iget      put and get elements of 1, 2, 4 or 8 bytes at strides, in elements, from 1 on
//   sync            waits until all members have called it with this barrier; coterie_barrier after a quiet
#define COTERIE_SCOPED(suffix, scope)                                                                                \
    COTERIE_DEVICE int coterie_put##suffix(const coterie_team *team, int memory, coterie_u64 offset,                 \
                                           const void *source, coterie_u64 bytes, int pe) {                          \
        coterie_detail::signal_update none = {coterie_detail::NO_SIGNAL, 0, 0, 0};                                   \
        return coterie_detail::put<coterie_detail::scope>(team, memory, offset, source, bytes, pe, none, true);      \
    }                                                                                                                \
    COTERIE_DEVICE int coterie_put_nbi##suffix(const coterie_team *team, int memory, coterie_u64 offset,             \
                                               const void *source, coterie_u64 bytes, int pe) {                      \
        coterie_detail::signal_update none = {coterie_detail::NO_SIGNAL, 0, 0, 0};                                   \
        return coterie_detail::put<coterie_detail::scope>(team, memory, offset, source, bytes, pe, none, false);     \
    }                                                                                                                \
    COTERIE_DEVICE int coterie_put_signal##suffix(const coterie_team *team, int memory, coterie_u64 offset,          \
                                                  const void *source, coterie_u64 bytes, int signal_memory,          \
                                                  coterie_u64 signal_offset, int signal_operation,                   \
                                                  coterie_u64 value, int pe) {                                       \
        coterie_detail::signal_update signal = {coterie_detail::given(signal_operation), signal_memory,              \
                                                signal_offset, value};                                               \
        return coterie_detail::put<coterie_detail::scope>(team, memory, offset, source, bytes, pe, signal, true);    \
    }                                                                                                                \
    COTERIE_DEVICE int coterie_put_signal_nbi##suffix(const coterie_team *team, int memory, coterie_u64 offset,      \
                                                      const void *source, coterie_u64 bytes, int signal_memory,      \
                                                      coterie_u64 signal_offset, int signal_operation,               \
                                                      coterie_u64 value, int pe) {                                   \
        coterie_detail::signal_update signal = {coterie_detail::given(signal_operation), signal_memory,              \
                                                signal_offset, value};                                               \
        return coterie_detail::put<coterie_detail::scope>(team, memory, offset, source, bytes, pe, signal, false);   \
    }                                                                                                                \
    COTERIE_DEVICE int coterie_get##suffix(const coterie_team *team, int memory, coterie_u64 offset, void *target,   \
                                           coterie_u64 bytes, int pe) {                                              \
        return coterie_detail::get<coterie_detail::scope>(team, memory, offset, target, bytes, pe, true);            \
    }                                                                                                                \
    COTERIE_DEVICE int coterie_get_nbi##suffix(const coterie_team *team, int memory, coterie_u64 offset,             \
                                               void *target, coterie_u64 bytes, int pe) {                            \
        return coterie_detail::get<coterie_detail::scope>(team, memory, offset, target, bytes, pe, false);           \
    }                                                                                                                \
    COTERIE_DEVICE int coterie_signal_wait##suffix(const coterie_team *team, int memory, coterie_u64 offset,         \
                                                   int comparison, coterie_u64 operand) {                            \
        return coterie_detail::wait_signal<coterie_detail::scope>(team, memory, offset, comparison, operand,         \
                                                                  nullptr);                                          \
    }                                                                                                                \
    COTERIE_DEVICE int coterie_put_signal_counted##suffix(const coterie_team *team, int memory, coterie_u64 offset,  \
                                                          const void *source, coterie_u64 bytes,                     \
                                                          int signal_memory, coterie_u64 signal_offset, int pe) {    \
        return coterie_put_signal##suffix(team, memory, offset, source, bytes, signal_memory, signal_offset,         \
                                          COTERIE_SIGNAL_ADD, bytes, pe);                                            \
    }                                                                                                                \
    COTERIE_DEVICE int coterie_put_signal_counted_nbi##suffix(const coterie_team *team, int memory,                  \
                                                              coterie_u64 offset, const void *source,                \
                                                              coterie_u64 bytes, int signal_memory,                  \
                                                              coterie_u64 signal_offset, int pe) {                   \
        return coterie_put_signal_nbi##suffix(team, memory, offset, source, bytes, signal_memory, signal_offset,     \
                                              COTERIE_SIGNAL_ADD, bytes, pe);                                        \
    }                                                                                                                \
    COTERIE_DEVICE int coterie_signal_counted_wait##suffix(const coterie_team *team, int memory,                     \
                                                           coterie_u64 offset, coterie_u64 least) {                  \
        return coterie_signal_wait##suffix(team, memory, offset, COTERIE_GE, least);                                 \
    }                                                                                                                \
    COTERIE_DEVICE int coterie_signal_wait_any##suffix(const coterie_team *team, int memory, coterie_u64 offset,     \
                                                       coterie_u64 count, const int *skip, int comparison,           \
                                                       coterie_u64 operand, coterie_u64 *index) {                    \
        coterie_detail::words all = {memory, offset, count, skip, comparison, operand};                              \
        return coterie_detail::wait_any<coterie_detail::scope>(team, all, index);                                    \
    }                                                                                                                \
    COTERIE_DEVICE int coterie_signal_wait_some##suffix(const coterie_team *team, int memory, coterie_u64 offset,    \
                                                        coterie_u64 count, const int *skip, int comparison,          \
                                                        coterie_u64 operand, coterie_u64 *indices,                   \
                                                        coterie_u64 *met) {                                          \
        coterie_detail::words all = {memory, offset, count, skip, comparison, operand};                              \
        return coterie_detail::wait_some<coterie_detail::scope>(team, all, indices, met);                            \
    }                                                                                                                \
    COTERIE_DEVICE int coterie_signal_wait_all##suffix(const coterie_team *team, int memory, coterie_u64 offset,     \
                                                       coterie_u64 count, const int *skip, int comparison,           \
                                                       coterie_u64 operand) {                                        \
        coterie_detail::words all = {memory, offset, count, skip, comparison, operand};                              \
        return coterie_detail::wait_all<coterie_detail::scope>(team, all);                                           \
    }                                                                                                                \
    template <typename T>                                                                                            \
    COTERIE_DEVICE int coterie_iput##suffix(const coterie_team *team, int memory, coterie_u64 offset,                \
                                            const T *source, coterie_u64 target_stride,                              \
                                            coterie_u64 source_stride, coterie_u64 count, int pe) {                  \
        return coterie_detail::put_strided<coterie_detail::scope, T>(team, memory, offset, source, target_stride,    \
                                                                     source_stride, count, pe);                      \
    }                                                                                                                \
    template <typename T>                                                                                            \
    COTERIE_DEVICE int coterie_iget##suffix(const coterie_team *team, int memory, coterie_u64 offset, T *target,     \
                                            coterie_u64 target_stride, coterie_u64 source_stride,                    \
                                            coterie_u64 count, int pe) {                                             \
        return coterie_detail::get_strided<coterie_detail::scope, T>(team, memory, offset, target, target_stride,    \
                                                                     source_stride, count, pe);                      \
    }                                                                                                                \
    COTERIE_DEVICE int coterie_sync##suffix(const coterie_team *team, int barrier) {                                 \
        return coterie_detail::sync<coterie_detail::scope>(team, barrier);                                           \
    }                                                                                                                \
    COTERIE_DEVICE int coterie_barrier##suffix(const coterie_team *team, int barrier) {                              \
        return coterie_detail::barrier<coterie_detail::scope>(team, barrier);                                        \
    }

COTERIE_SCOPED(, thread_scope)
COTERIE_SCOPED(_warp, warp_scope)
COTERIE_SCOPED(_block, block_scope)
#undef COTERIE_SCOPED

COTERIE_DEVICE int coterie_fence_warp(const coterie_team *team) {
    return coterie_detail::group_fence<coterie_detail::warp_scope>(team);
}
COTERIE_DEVICE int coterie_fence_block(const coterie_team *team) {
    return coterie_detail::group_fence<coterie_detail::block_scope>(team);
}
COTERIE_DEVICE int coterie_flush_warp(const coterie_team *team) {
    return coterie_detail::group_flush<coterie_detail::warp_scope>(team);
}
COTERIE_DEVICE int coterie_flush_block(const coterie_team *team) {
    return coterie_detail::group_flush<coterie_detail::block_scope>(team);
}
COTERIE_DEVICE int coterie_quiet_warp(const coterie_team *team) {
    return coterie_detail::group_quiet<coterie_detail::warp_scope>(team);
}
COTERIE_DEVICE int coterie_quiet_block(const coterie_team *team) {
    return coterie_detail::group_quiet<coterie_detail::block_scope>(team);
}

// --------------------------------------------------------------------------------------------- within a group
// The value of one thread, for all threads of the group: of the thread `root`, counted on a circle of them. T has 8
// bytes at most.

template <typename T>
COTERIE_DEVICE T coterie_broadcast_warp(T value, unsigned root) {
    return coterie_detail::give_value<coterie_detail::warp_scope>(value, root);
}

template <typename T>
COTERIE_DEVICE T coterie_broadcast_block(T value, unsigned root) {
    return coterie_detail::give_value<coterie_detail::block_scope>(value, root);
}

// ---------------------------------------------------------------------------------------- signals, single elements

// Updates a member's signal word; ordered after what the thread has put by a fence alone.
COTERIE_DEVICE int coterie_signal(const coterie_team *team, int memory, coterie_u64 offset, int operation,
                                  coterie_u64 value, int pe) {
    coterie_detail::signal_update signal = {operation, memory, offset, value};
    int status = coterie_detail::check_signal<coterie_detail::thread_scope>(team, signal, pe);
    return status != COTERIE_OK ? status
                                : coterie_detail::update_signal<coterie_detail::thread_scope>(team, signal, pe);
}

// Sets a word that puts count in to 0; no put with it may be under way.
COTERIE_DEVICE int coterie_signal_counted_reset(const coterie_team *team, int memory, coterie_u64 offset) {
    return coterie_signal(team, memory, offset, COTERIE_SIGNAL_SET, 0, coterie_pe(team));
}

// Loads a signal word of the caller's own, and acquires what was ordered before its value; 0 after an error.
COTERIE_DEVICE coterie_u64 coterie_signal_fetch(const coterie_team *team, int memory, coterie_u64 offset) {
    int status = coterie_detail::check<coterie_detail::thread_scope>(team, COTERIE_OP_SIGNAL_WAIT, memory, offset, 8,
                                                                     coterie_pe(team), 8);
    const coterie_u64 *word = (const coterie_u64 *)coterie_local(team, memory, offset);
    return status != COTERIE_OK ? 0 : coterie_detail::load_acquire(word);
}

// As coterie_signal_wait; *value is the value for which the comparison held.
COTERIE_DEVICE int coterie_signal_wait_value(const coterie_team *team, int memory, coterie_u64 offset, int comparison,
                                             coterie_u64 operand, coterie_u64 *value) {
    return coterie_detail::wait_signal<coterie_detail::thread_scope>(team, memory, offset, comparison, operand,
                                                                     value);
}

// Stores one element, of 1, 2, 4 or 8 bytes. Returns at once, since the caller has nothing to reuse.
template <typename T>
COTERIE_DEVICE int coterie_put_value(const coterie_team *team, int memory, coterie_u64 offset, T value, int pe) {
    coterie_detail::signal_update none = {coterie_detail::NO_SIGNAL, 0, 0, 0};
    return coterie_detail::put_value<T>(team, memory, offset, value, pe, none);
}

// Loads one element; 0 after an error, which coterie_status_of has.
template <typename T>
COTERIE_DEVICE T coterie_get_value(const coterie_team *team, int memory, coterie_u64 offset, int pe) {
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "1, 2, 4 or 8 bytes");
    T value = 0;
    int status = coterie_detail::check<coterie_detail::thread_scope>(team, COTERIE_OP_GET, memory, offset, sizeof(T),
                                                                     pe, sizeof(T));
    if (status != COTERIE_OK) {
        return value;
    }
    coterie_u64 base = coterie_detail::base_of(team, memory, pe);
    if (base != 0) {
        return *(const volatile T *)(base + offset);
    }
    if (!coterie_detail::is_in_ring(team, memory)) {
        coterie_detail::unreachable(team, COTERIE_OP_GET, memory, offset, pe, sizeof(T));
        return value;
    }
    coterie_detail::descriptor what = coterie_detail::describe(COTERIE_OP_GET, memory, offset, pe);
    what.width = (coterie_u8)sizeof(T);
    what.bytes = sizeof(T);
    coterie_detail::element<T> answer = {0};
    if (coterie_detail::ask(team, what, &answer.bits) == COTERIE_OK) {
        value = answer.value;
    }
    return value;
}

// -------------------------------------------------------------------------------------------------------- atomics
// On integers of 4 and 8 bytes, float and double; and, or, xor on integers alone; add and fetch_add also on
// coterie_half and coterie_bfloat16, of coterie_reduce.cuh. A fetching form returns the former value, or 0 after an
// error, which coterie_status_of has. The other forms complete at the next quiet. A comparison of compare_swap is of
// bits.

template <typename T>
COTERIE_DEVICE T coterie_atomic_fetch(const coterie_team *team, int memory, coterie_u64 offset, int pe) {
    static_assert(sizeof(T) != 2, "of atomics, numbers of 16 bits have add and fetch_add alone");
    return coterie_detail::fetching<T>(team, COTERIE_ATOMIC_FETCH, memory, offset, 0, 0, pe);
}

template <typename T>
COTERIE_DEVICE T coterie_atomic_swap(const coterie_team *team, int memory, coterie_u64 offset, T value, int pe) {
    static_assert(sizeof(T) != 2, "of atomics, numbers of 16 bits have add and fetch_add alone");
    return coterie_detail::fetching<T>(team, COTERIE_ATOMIC_SWAP, memory, offset, value, 0, pe);
}

template <typename T>
COTERIE_DEVICE T coterie_atomic_compare_swap(const coterie_team *team, int memory, coterie_u64 offset, T expected,
                                             T value, int pe) {
    static_assert(sizeof(T) != 2, "of atomics, numbers of 16 bits have add and fetch_add alone");
    return coterie_detail::fetching<T>(team, COTERIE_ATOMIC_COMPARE_SWAP, memory, offset, value, expected, pe);
}

template <typename T>
COTERIE_DEVICE int coterie_atomic_set(const coterie_team *team, int memory, coterie_u64 offset, T value, int pe) {
    static_assert(sizeof(T) != 2, "of atomics, numbers of 16 bits have add and fetch_add alone");
    return coterie_detail::atomic<T>(team, COTERIE_ATOMIC_SET, memory, offset, value, 0, pe, nullptr);
}

template <typename T>
COTERIE_DEVICE int coterie_atomic_add(const coterie_team *team, int memory, coterie_u64 offset, T operand, int pe) {
    return coterie_detail::atomic<T>(team, coterie_detail::number<T>::add, memory, offset, operand, T(), pe, nullptr);
}

template <typename T>
COTERIE_DEVICE T coterie_atomic_fetch_add(const coterie_team *team, int memory, coterie_u64 offset, T operand,
                                          int pe) {
    return coterie_detail::fetching<T>(team, coterie_detail::number<T>::add, memory, offset, operand, T(), pe);
}

#define COTERIE_ATOMIC(name, operation)                                                                              \
    template <typename T>                                                                                            \
    COTERIE_DEVICE int coterie_atomic_##name(const coterie_team *team, int memory, coterie_u64 offset, T operand,    \
                                             int pe) {                                                               \
        static_assert(coterie_detail::number<T>::is_integer, "operations on bits are of integers");                  \
        return coterie_detail::atomic<T>(team, operation, memory, offset, operand, 0, pe, nullptr);                  \
    }                                                                                                                \
    template <typename T>                                                                                            \
    COTERIE_DEVICE T coterie_atomic_fetch_##name(const coterie_team *team, int memory, coterie_u64 offset,           \
                                                 T operand, int pe) {                                                \
        static_assert(coterie_detail::number<T>::is_integer, "operations on bits are of integers");                  \
        return coterie_detail::fetching<T>(team, operation, memory, offset, operand, 0, pe);                         \
    }

COTERIE_ATOMIC(and, COTERIE_ATOMIC_AND)
COTERIE_ATOMIC(or, COTERIE_ATOMIC_OR)
COTERIE_ATOMIC(xor, COTERIE_ATOMIC_XOR)
#undef COTERIE_ATOMIC

#endif

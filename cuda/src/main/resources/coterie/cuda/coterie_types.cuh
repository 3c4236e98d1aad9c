// SPDX-License-Identifier: Apache-2.0
#ifndef COTERIE_TYPES_CUH
#define COTERIE_TYPES_CUH

// The constants and structures that kernels share with the JVM. coterie.cuh includes this file.

#define COTERIE_VERSION 1u

typedef unsigned long long coterie_u64;
typedef unsigned int coterie_u32;
typedef unsigned short coterie_u16;
typedef unsigned char coterie_u8;

// ---------------------------------------------------------------------------------------------------- constants

// What an operation returns. The first error of a team's kernels stays in its error record, which the host reads;
// after it, every operation that would wait or use the ring returns COTERIE_POISONED.
enum coterie_status {
    COTERIE_OK = 0,
    COTERIE_BAD_PE = 1,       // not in [0, size)
    COTERIE_BAD_MEMORY = 2,   // not in [0, number of blocks)
    COTERIE_BAD_RANGE = 3,    // leaves the block
    COTERIE_MISALIGNED = 4,   // an offset that is no multiple of the element's size
    COTERIE_UNREACHABLE = 5,  // device memory of a member that this device does not map
    COTERIE_TIMEOUT = 6,      // the deadline of a wait has passed
    COTERIE_ABORTED = 7,      // the host has set the abort word
    COTERIE_POISONED = 8,     // an earlier operation has failed
    COTERIE_BAD_INDEX = 9,    // of a barrier, a signal, a counter or a context
    COTERIE_BAD_OPERATION = 10,  // neither COTERIE_SIGNAL_SET nor COTERIE_SIGNAL_ADD
    COTERIE_BAD_COMPARISON = 11,  // none of coterie_comparison
    COTERIE_BAD_BITS = 12,        // of a signal, not in [1, 64], or of a counter, not in [1, 56]
    COTERIE_BAD_POINTER = 13,     // null, where bytes are read or written
    COTERIE_BAD_STRIDE = 14,      // 0
    COTERIE_BAD_COUNT = 15        // no sources or no targets of a reduction
};

// As coterie.Comparison numbers them; words and operands are unsigned.
enum coterie_comparison {
    COTERIE_EQ = 0,
    COTERIE_NE = 1,
    COTERIE_GT = 2,
    COTERIE_GE = 3,
    COTERIE_LT = 4,
    COTERIE_LE = 5
};

enum coterie_signal_operation { COTERIE_SIGNAL_SET = 1, COTERIE_SIGNAL_ADD = 2 };

// Operations, in the descriptors of the ring and in the error record.
enum coterie_operation {
    COTERIE_OP_PUT = 1,
    COTERIE_OP_PUT_VALUE = 2,
    COTERIE_OP_GET = 3,
    COTERIE_OP_ATOMIC = 4,
    COTERIE_OP_SIGNAL = 5,
    COTERIE_OP_FENCE = 6,
    COTERIE_OP_QUIET = 7,
    COTERIE_OP_COUNT = 8,
    // the following occur in the error record alone
    COTERIE_OP_SIGNAL_WAIT = 16,
    COTERIE_OP_BARRIER = 17,
    COTERIE_OP_RING_SPACE = 18,
    COTERIE_OP_COMPLETION = 19,
    COTERIE_OP_FLUSH = 20,
    COTERIE_OP_REDUCE = 21,
    COTERIE_OP_ALL_TO_ALL = 22
};

enum coterie_atomic_operation {
    COTERIE_ATOMIC_FETCH = 0,
    COTERIE_ATOMIC_SET = 1,
    COTERIE_ATOMIC_SWAP = 2,
    COTERIE_ATOMIC_ADD = 3,
    COTERIE_ATOMIC_AND = 4,
    COTERIE_ATOMIC_OR = 5,
    COTERIE_ATOMIC_XOR = 6,
    COTERIE_ATOMIC_COMPARE_SWAP = 7,
    COTERIE_ATOMIC_ADD_FLOATING = 8,  // of coterie_half, float or double, as the width says
    COTERIE_ATOMIC_ADD_BFLOAT16 = 9
};

// ------------------------------------------------------------------------------------------------------ layouts
// coterie.cuda.device.DeviceLayouts has the same structures; a test compares the two.

// A block of memory that every member has. The two tables may be the same one.
struct coterie_memory {
    coterie_u64 bytes;           // on each member
    const coterie_u64 *bases;    // device addresses of the members' parts; 0: the device does not map it
    const coterie_u64 *atomics;  // as bases, where this device's atomics are atomic for all other writers; or 0
    coterie_u64 in_ring;         // 1: the ring reaches it; 0: it is device memory
};

// What the threads of one device share; in device memory, zero at first.
struct coterie_counters {
    coterie_u64 tail;    // tickets that producers have taken
    coterie_u64 freed;   // a copy of coterie_published.freed, perhaps an older one
    coterie_u64 fenced;  // tickets up to here are ordered before whatever follows
    coterie_u64 quiet;   // tickets up to here are complete at their targets
    coterie_u64 failed;  // the status of the first error, or 0
    coterie_u64 reserved[3];
};

// Where the host publishes the progress of the ring; in host memory.
struct coterie_published {
    coterie_u64 completed;  // descriptors that are complete for their producers, in order of their tickets
    coterie_u64 freed;      // descriptors whose slots may be written again
    coterie_u64 reserved[6];
};

// A descriptor in the ring; in host memory.
struct coterie_slot {
    coterie_u64 sequence;  // ticket + 1: written; ticket + 2: the producer has taken the answer
    coterie_u8 operation;
    coterie_u8 code;    // an atomic operation, or the signal operation that follows a put, or 0
    coterie_u8 width;   // bytes of an element
    coterie_u8 answer;  // 1: the host leaves the former value in `value`
    coterie_u16 memory;
    coterie_u16 signal_memory;
    int pe;
    coterie_u32 reserved;
    coterie_u64 offset;
    coterie_u64 local;          // device address of the caller's bytes; the operand of an atomic; a value
    coterie_u64 bytes;          // or what a compare-and-swap expects
    coterie_u64 signal_offset;
    coterie_u64 value;          // of the signal; the answer
};

// The first error; in host memory. The device stores `code` last.
struct coterie_error {
    coterie_u64 code;
    coterie_u64 operation;
    coterie_u64 memory;
    coterie_u64 pe;
    coterie_u64 offset;
    coterie_u64 bytes;     // or the comparison of a wait
    coterie_u64 found;
    coterie_u64 expected;
};

struct coterie_team {
    coterie_u32 version;
    int pe;    // the caller's number in the team
    int size;  // members
    int memories_count;
    const int *pes;  // the members' numbers in the world
    const coterie_memory *memories;
    coterie_counters *counters;
    coterie_slot *slots;
    coterie_u64 capacity;  // slots, a power of two
    coterie_published *published;
    const coterie_u64 *abort_word;
    coterie_error *error;
    coterie_u64 deadline_nanos;  // of each wait; 0: none
    // block 0 has the words of the team's barriers, and then the signals of GIN
    coterie_u64 signals_offset;
    coterie_u64 *rounds;          // of each barrier; private to the device
    coterie_u64 *counted;         // GIN's counters: what the device has counted
    const coterie_u64 *completions;  // GIN's counters: what the host has counted
    coterie_u64 *shadows;         // of GIN's signals; private to the device
    int barriers;
    int contexts;
    int signals;   // of each context
    int counters_count;  // of each context
};

#define COTERIE_NO_INDEX 0xffffffffffffffffull  // of none of the words of a wait

#define COTERIE_BARRIER_WORDS 32  // a dissemination barrier has that many rounds at most

#endif

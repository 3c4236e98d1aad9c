// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static coterie.cuda.device.DeviceLayouts.offset;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// The ring by which kernels hand operations to the JVM: a power of two of slots, 64 bytes each, in host memory.
///
/// ```
///  ticket t = tail++            device memory; t's slot is t mod capacity
///  wait until t < freed + capacity
///  words 1 … 7 of the slot, then sequence = t + 1 (release)        │ the consumer takes descriptors in order
///                                                                  │ completed = t + 1 (release): source reusable,
///                                                                  │     target and answer have their bytes
///  only if it has asked for an answer: reads it, sequence = t + 2  │ freed = t + 1 (release): t's slot is free,
///                                                                  │     with an answer only after that
/// ```
///
/// Words are little-endian and aligned, and only their acquire loads and release stores order the others. A kernel
/// and a JVM thus need no atomic on the same word: `tail` belongs to the device, the two cursors to the consumer.
final class RingLayout {
    /// The words are aligned: `MemorySegment`s of host memory are.
    static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    static final long SLOT_BYTES = DeviceLayouts.SLOT.byteSize();

    static final long SEQUENCE = offset(DeviceLayouts.SLOT, "sequence");
    static final long OPERATION = offset(DeviceLayouts.SLOT, "operation");
    static final long CODE = offset(DeviceLayouts.SLOT, "code");
    static final long WIDTH = offset(DeviceLayouts.SLOT, "width");
    static final long ANSWER = offset(DeviceLayouts.SLOT, "answer");
    static final long MEMORY = offset(DeviceLayouts.SLOT, "memory");
    static final long SIGNAL_MEMORY = offset(DeviceLayouts.SLOT, "signal_memory");
    static final long PE = offset(DeviceLayouts.SLOT, "pe");
    static final long OFFSET = offset(DeviceLayouts.SLOT, "offset");
    static final long LOCAL = offset(DeviceLayouts.SLOT, "local");
    static final long BYTES = offset(DeviceLayouts.SLOT, "bytes");
    static final long SIGNAL_OFFSET = offset(DeviceLayouts.SLOT, "signal_offset");
    static final long VALUE = offset(DeviceLayouts.SLOT, "value");

    static final long COMPLETED = offset(DeviceLayouts.PUBLISHED, "completed");
    static final long FREED = offset(DeviceLayouts.PUBLISHED, "freed");

    // enum coterie_operation
    static final int PUT = 1;
    static final int PUT_VALUE = 2;
    static final int GET = 3;
    static final int ATOMIC = 4;
    static final int SIGNAL = 5;
    static final int FENCE = 6;
    static final int QUIET = 7;
    static final int COUNT = 8;
    static final int SIGNAL_WAIT = 16;
    static final int BARRIER = 17;
    static final int RING_SPACE = 18;
    static final int COMPLETION = 19;
    static final int FLUSH = 20;
    static final int REDUCE = 21;
    static final int ALL_TO_ALL = 22;

    // enum coterie_signal_operation
    static final int SIGNAL_SET = 1;
    static final int SIGNAL_ADD = 2;

    // enum coterie_atomic_operation
    static final int ATOMIC_FETCH = 0;
    static final int ATOMIC_SET = 1;
    static final int ATOMIC_SWAP = 2;
    static final int ATOMIC_ADD = 3;
    static final int ATOMIC_AND = 4;
    static final int ATOMIC_OR = 5;
    static final int ATOMIC_XOR = 6;
    static final int ATOMIC_COMPARE_SWAP = 7;
    static final int ATOMIC_ADD_FLOATING = 8;
    static final int ATOMIC_ADD_BFLOAT16 = 9;

    private RingLayout() {}

    /// Returns the name of an operation, for messages.
    static String name(long operation) {
        return switch ((int) operation) {
            case PUT -> "put";
            case PUT_VALUE -> "put of a value";
            case GET -> "get";
            case ATOMIC -> "atomic";
            case SIGNAL -> "signal";
            case FENCE -> "fence";
            case QUIET -> "quiet";
            case COUNT -> "counter";
            case SIGNAL_WAIT -> "signal wait";
            case BARRIER -> "barrier";
            case RING_SPACE -> "wait for a slot of the ring";
            case COMPLETION -> "wait for the host";
            case FLUSH -> "flush";
            case REDUCE -> "reduction";
            case ALL_TO_ALL -> "all-to-all";
            default -> "operation " + operation;
        };
    }

    static long acquire(MemorySegment memory, long offset) {
        return (long) WORD.getAcquire(memory, offset);
    }

    static void release(MemorySegment memory, long offset, long value) {
        WORD.setRelease(memory, offset, value);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.loopback;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.AtomicOperation;
import coterie.spi.Conduit.Region;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/// The memory of this PE that peers reach, and what their requests do to it. A remote place is the base of its
/// region plus an offset.
///
/// The program may access the same words by the processor's instructions, so all updates are such instructions.
/// Java has no atomics of 1 and 2 bytes: they are a compare-and-swap of the 4 bytes around them.
final class OwnMemory {
    static final long HEAP_BASE = 1L << 61;
    static final long SYNC_BASE = 1L << 62;

    private static final VarHandle LONG = JAVA_LONG.varHandle();
    private static final VarHandle INT = JAVA_INT.varHandle();

    final MemorySegment sync;

    @Nullable
    MemorySegment heap;

    OwnMemory(MemorySegment sync) {
        this.sync = sync;
    }

    static long base(Region region) {
        return region == Region.SYNC ? SYNC_BASE : HEAP_BASE;
    }

    MemorySegment segment(long remote) {
        MemorySegment found = remote >= SYNC_BASE ? sync : heap;
        if (found == null) {
            throw new IllegalStateException("a peer uses the heap before it exists");
        }
        return found;
    }

    static long offset(long remote) {
        return remote - (remote >= SYNC_BASE ? SYNC_BASE : HEAP_BASE);
    }

    /// Returns a word, zero-extended.
    long load(long remote, int bytes) {
        return update(remote, bytes, word -> word);
    }

    void store(long remote, int bytes, long word) {
        update(remote, bytes, before -> word);
    }

    /// Returns the word before.
    long apply(AtomicOperation operation, long operand, long remote, int bytes) {
        return update(remote, bytes, word -> switch (operation) {
            case FETCH -> word;
            case SWAP -> operand;
            case ADD -> word + operand;
            case AND -> word & operand;
            case OR -> word | operand;
            case XOR -> word ^ operand;
        });
    }

    /// Returns the word before.
    long compareAndSwap(long expected, long value, long remote, int bytes) {
        long mask = mask(bytes);
        return update(remote, bytes, word -> word == (expected & mask) ? value : word);
    }

    private long update(long remote, int bytes, LongUnaryOperator next) {
        MemorySegment memory = segment(remote);
        long offset = offset(remote);
        if (bytes == Long.BYTES) {
            while (true) {
                long before = (long) LONG.getVolatile(memory, offset);
                if (LONG.compareAndSet(memory, offset, before, next.applyAsLong(before))) {
                    return before;
                }
            }
        }
        long container = offset & -Integer.BYTES;
        int position = (int) (offset - container) * Byte.SIZE; // little-endian: the runtime runs on no other machine
        long mask = mask(bytes);
        while (true) {
            int before = (int) INT.getVolatile(memory, container);
            long word = (before >>> position) & mask;
            long after = next.applyAsLong(word) & mask;
            int others = (int) (before & ~(mask << position));
            if (INT.compareAndSet(memory, container, before, others | (int) (after << position))) {
                return word;
            }
        }
    }

    private static long mask(int bytes) {
        return bytes == Long.BYTES ? -1 : (1L << (bytes * Byte.SIZE)) - 1;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import coterie.AtomicOperation;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/// Words of a PE that a conduit updates on behalf of peers, by the processor's atomic instructions: the PE and the
/// peers on its node update the same words by such instructions, too.
///
/// Every update is a compare-and-swap of the 4 or 8 bytes around the word, since Java has no atomics of 1 and
/// 2 bytes, and a message costs a hundred times more than the loop. What a thread has stored before an update is
/// visible before it. Words of 1 to 8 bytes travel in the low bits of a `long`; what is read is zero-extended.
///
/// Threads: any, several at the same time.
public final class TargetWords {
    private static final VarHandle LONG = JAVA_LONG.varHandle();
    private static final VarHandle INT = JAVA_INT.varHandle();

    private TargetWords() {}

    /// Applies an operation. Returns the word before.
    ///
    /// @param memory native, from a multiple of 8 on
    /// @param offset of the word, a multiple of `bytes`
    /// @param bytes 1, 2, 4 or 8
    /// @throws IndexOutOfBoundsException if the word is not in the memory
    public static long apply(AtomicOperation operation, MemorySegment memory, long offset, int bytes, long operand) {
        Objects.requireNonNull(operation, "apply: operation is null");
        Objects.requireNonNull(memory, "apply: memory is null");
        if (bytes == Long.BYTES) {
            long before = (long) LONG.getAcquire(memory, offset);
            while (true) {
                long found = (long) LONG.compareAndExchange(memory, offset, before, next(operation, before, operand));
                if (found == before) {
                    return before;
                }
                before = found;
            }
        }
        long container = container(offset);
        int position = position(offset);
        long mask = mask(bytes);
        int before = (int) INT.getAcquire(memory, container);
        while (true) {
            long word = before >>> position & mask;
            long after = next(operation, word, operand) & mask;
            int found =
                    (int) INT.compareAndExchange(memory, container, before, replaced(before, mask, position, after));
            if (found == before) {
                return word;
            }
            before = found;
        }
    }

    /// Stores a word if it holds the low bits of `expected`. Returns the word before.
    ///
    /// @param memory native, from a multiple of 8 on
    /// @param offset of the word, a multiple of `bytes`
    /// @param bytes 1, 2, 4 or 8
    /// @throws IndexOutOfBoundsException if the word is not in the memory
    public static long compareAndSwap(MemorySegment memory, long offset, int bytes, long expected, long value) {
        Objects.requireNonNull(memory, "compareAndSwap: memory is null");
        if (bytes == Long.BYTES) {
            return (long) LONG.compareAndExchange(memory, offset, expected, value);
        }
        long container = container(offset);
        int position = position(offset);
        long mask = mask(bytes);
        int before = (int) INT.getAcquire(memory, container);
        while (true) {
            long word = before >>> position & mask;
            if (word != (expected & mask)) {
                return word;
            }
            int after = replaced(before, mask, position, value & mask);
            int found = (int) INT.compareAndExchange(memory, container, before, after);
            if (found == before) {
                return word;
            }
            before = found;
        }
    }

    /// Stores the low bytes of a word into a result of the program, aligned or not.
    ///
    /// @param bytes 1, 2, 4 or 8
    public static void copy(long word, int bytes, MemorySegment result, long offset) {
        Objects.requireNonNull(result, "copy: result is null");
        switch (bytes) {
            case Long.BYTES -> result.set(JAVA_LONG_UNALIGNED, offset, word);
            case Integer.BYTES -> result.set(JAVA_INT_UNALIGNED, offset, (int) word);
            case Short.BYTES -> result.set(JAVA_SHORT_UNALIGNED, offset, (short) word);
            default -> result.set(JAVA_BYTE, offset, (byte) word);
        }
    }

    private static long next(AtomicOperation operation, long word, long operand) {
        return switch (operation) {
            case FETCH -> word;
            case SWAP -> operand;
            case ADD -> word + operand;
            case AND -> word & operand;
            case OR -> word | operand;
            case XOR -> word ^ operand;
        };
    }

    private static long container(long offset) {
        return offset & -Integer.BYTES;
    }

    /// Bits below the word in its container, on a little-endian machine: the runtime runs on no other.
    private static int position(long offset) {
        return (int) (offset & Integer.BYTES - 1) * Byte.SIZE;
    }

    private static long mask(int bytes) {
        return (1L << (bytes * Byte.SIZE)) - 1;
    }

    private static int replaced(int container, long mask, int position, long word) {
        return (int) ((container & ~(mask << position)) | (word << position));
    }
}

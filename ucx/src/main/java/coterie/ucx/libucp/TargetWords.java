// SPDX-License-Identifier: Apache-2.0
package coterie.ucx.libucp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import coterie.AtomicOperation;
import java.lang.foreign.MemorySegment;

/// Words of this PE that peers update, by the processor's atomic instructions: the PE and the peers on its
/// node update the same words by such instructions, too.
///
/// Every update is a compare-and-swap of the 4 or 8 bytes around the word, since Java has no atomics of 1 and
/// 2 bytes, and a message costs a hundred times more than the loop.
public final class TargetWords {
    private TargetWords() {}

    /// Stores a word; all that this thread has stored before is visible before it. Returns the word before.
    ///
    /// @param address a multiple of `bytes`
    /// @param bytes 1, 2, 4 or 8
    public static long store(long address, int bytes, long word) {
        return apply(AtomicOperation.SWAP, address, bytes, word);
    }

    /// Applies an operation. Returns the word before.
    public static long apply(AtomicOperation operation, long address, int bytes, long operand) {
        if (bytes == Long.BYTES) {
            long before = NativeMemory.getLongAcquire(address);
            while (true) {
                long found = NativeMemory.compareAndExchangeLong(address, before, next(operation, before, operand));
                if (found == before) {
                    return before;
                }
                before = found;
            }
        }
        long container = container(address);
        int position = position(address);
        long mask = mask(bytes);
        int before = NativeMemory.getIntAcquire(container);
        while (true) {
            long word = before >>> position & mask;
            long after = next(operation, word, operand) & mask;
            int found = NativeMemory.compareAndExchangeInt(container, before, replaced(before, mask, position, after));
            if (found == before) {
                return word;
            }
            before = found;
        }
    }

    /// Stores a word if it holds the low bits of `expected`. Returns the word before.
    public static long compareAndSwap(long address, int bytes, long expected, long value) {
        if (bytes == Long.BYTES) {
            return NativeMemory.compareAndExchangeLong(address, expected, value);
        }
        long container = container(address);
        int position = position(address);
        long mask = mask(bytes);
        int before = NativeMemory.getIntAcquire(container);
        while (true) {
            long word = before >>> position & mask;
            if (word != (expected & mask)) {
                return word;
            }
            int after = replaced(before, mask, position, value & mask);
            int found = NativeMemory.compareAndExchangeInt(container, before, after);
            if (found == before) {
                return word;
            }
            before = found;
        }
    }

    /// Stores the low bytes of a word into a result of the program, aligned or not.
    public static void copy(long word, int bytes, MemorySegment result, long offset) {
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

    private static long container(long address) {
        return address & -Integer.BYTES;
    }

    /// Bits below the word in its container, on a little-endian machine: the runtime runs on no other.
    private static int position(long address) {
        return (int) (address & Integer.BYTES - 1) * Byte.SIZE;
    }

    private static long mask(int bytes) {
        return (1L << (bytes * Byte.SIZE)) - 1;
    }

    private static int replaced(int container, long mask, int position, long word) {
        return (int) ((container & ~(mask << position)) | (word << position));
    }
}

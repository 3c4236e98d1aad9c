// SPDX-License-Identifier: Apache-2.0
package coterie.internal.mapped;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import coterie.AtomicOperation;
import coterie.internal.posix.AddressSpace;
import java.lang.foreign.MemorySegment;

/// Single words of mapped memory, of 1, 2, 4 or 8 bytes: loads, stores and atomics at absolute, aligned addresses.
///
/// A word travels in the low bits of a `long`; what is read is zero-extended. Widths are given as *shifts*, the
/// binary logarithm of the bytes.
///
/// Atomics of 1 and 2 bytes, which Java has not, are a compare-and-swap of the 4 bytes around them. It
/// fails if any of these has changed meanwhile, so what lies beside the word is never written back old.
public final class MappedWords {
    private static final int LONG = 3;
    private static final int INT = 2;
    private static final int SHORT = 1;

    private MappedWords() {}

    /// Loads a word, with opaque access.
    public static long load(long address, int shift) {
        return switch (shift) {
            case LONG -> AddressSpace.getLongOpaque(address);
            case INT -> Integer.toUnsignedLong(AddressSpace.getIntOpaque(address));
            case SHORT -> Short.toUnsignedLong(AddressSpace.getShortOpaque(address));
            default -> Byte.toUnsignedLong(AddressSpace.getByteOpaque(address));
        };
    }

    /// Loads a word, and with it what was ordered before it.
    public static long loadAcquire(long address, int shift) {
        return switch (shift) {
            case LONG -> AddressSpace.getLongAcquire(address);
            case INT -> Integer.toUnsignedLong(AddressSpace.getIntAcquire(address));
            case SHORT -> Short.toUnsignedLong(AddressSpace.getShortAcquire(address));
            default -> Byte.toUnsignedLong(AddressSpace.getByteAcquire(address));
        };
    }

    /// Stores the low bits of a word, with opaque access.
    public static void store(long address, int shift, long word) {
        switch (shift) {
            case LONG -> AddressSpace.setLongOpaque(address, word);
            case INT -> AddressSpace.setIntOpaque(address, (int) word);
            case SHORT -> AddressSpace.setShortOpaque(address, (short) word);
            default -> AddressSpace.setByteOpaque(address, (byte) word);
        }
    }

    /// Stores the low bits of a word into any memory, aligned or not.
    public static void store(MemorySegment target, long offset, int shift, long word) {
        switch (shift) {
            case LONG -> target.set(JAVA_LONG_UNALIGNED, offset, word);
            case INT -> target.set(JAVA_INT_UNALIGNED, offset, (int) word);
            case SHORT -> target.set(JAVA_SHORT_UNALIGNED, offset, (short) word);
            default -> target.set(JAVA_BYTE, offset, (byte) word);
        }
    }

    /// Does an atomic operation. Returns the word before.
    public static long apply(AtomicOperation operation, long address, int shift, long operand) {
        return switch (shift) {
            case LONG -> applyLong(operation, address, operand);
            case INT -> Integer.toUnsignedLong(applyInt(operation, address, (int) operand));
            default ->
                operation == AtomicOperation.FETCH
                        ? loadAcquire(address, shift)
                        : applyNarrow(operation, address, shift, (int) operand);
        };
    }

    /// Stores a word if it holds the low bits of `expected`. Returns the word before.
    public static long compareAndSwap(long address, int shift, long expected, long value) {
        return switch (shift) {
            case LONG -> AddressSpace.compareAndExchangeLong(address, expected, value);
            case INT ->
                Integer.toUnsignedLong(AddressSpace.compareAndExchangeInt(address, (int) expected, (int) value));
            default -> compareAndSwapNarrow(address, shift, (int) expected, (int) value);
        };
    }

    private static long applyLong(AtomicOperation operation, long address, long operand) {
        return switch (operation) {
            case FETCH -> AddressSpace.getLongAcquire(address);
            case SWAP -> AddressSpace.getAndSetLong(address, operand);
            case ADD -> AddressSpace.getAndAddLong(address, operand);
            case AND -> AddressSpace.getAndBitwiseAndLong(address, operand);
            case OR -> AddressSpace.getAndBitwiseOrLong(address, operand);
            case XOR -> AddressSpace.getAndBitwiseXorLong(address, operand);
        };
    }

    private static int applyInt(AtomicOperation operation, long address, int operand) {
        return switch (operation) {
            case FETCH -> AddressSpace.getIntAcquire(address);
            case SWAP -> AddressSpace.getAndSetInt(address, operand);
            case ADD -> AddressSpace.getAndAddInt(address, operand);
            case AND -> AddressSpace.getAndBitwiseAndInt(address, operand);
            case OR -> AddressSpace.getAndBitwiseOrInt(address, operand);
            case XOR -> AddressSpace.getAndBitwiseXorInt(address, operand);
        };
    }

    private static int applyNarrow(AtomicOperation operation, long address, int shift, int operand) {
        long container = address & -Integer.BYTES;
        int position = position(address);
        int mask = mask(shift) << position;
        int before = AddressSpace.getIntAcquire(container);
        while (true) {
            int old = (before & mask) >>> position;
            int next = switch (operation) {
                case FETCH -> old;
                case SWAP -> operand;
                case ADD -> old + operand;
                case AND -> old & operand;
                case OR -> old | operand;
                case XOR -> old ^ operand;
            };
            int found = AddressSpace.compareAndExchangeInt(
                    container, before, (before & ~mask) | ((next << position) & mask));
            if (found == before) {
                return old;
            }
            before = found;
        }
    }

    private static int compareAndSwapNarrow(long address, int shift, int expected, int value) {
        long container = address & -Integer.BYTES;
        int position = position(address);
        int mask = mask(shift) << position;
        int before = AddressSpace.getIntAcquire(container);
        while (true) {
            int old = (before & mask) >>> position;
            if (old != (expected & mask(shift))) {
                return old;
            }
            int found = AddressSpace.compareAndExchangeInt(
                    container, before, (before & ~mask) | ((value << position) & mask));
            if (found == before) {
                return old;
            }
            before = found;
        }
    }

    /// Bits below the word in the 4 bytes around it, on a little-endian machine: there is no other that runs this.
    private static int position(long address) {
        return (int) (address & Integer.BYTES - 1) * Byte.SIZE;
    }

    private static int mask(int shift) {
        return shift == SHORT ? 0xFFFF : 0xFF;
    }
}

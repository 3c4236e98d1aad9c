// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.internal.posix.AddressSpace;

/// How the bits of a word that is waited for are taken.
///
/// Words are compared in a *normal* form: a `long` in which the order of signed numbers is the order of the type's
/// values. So one comparison serves all types, and a polling loop needs no other.
///
/// ```
///  signed            sign-extended             value = normal
///  unsigned, < 64    zero-extended             value = normal
///  unsigned, 64      top bit flipped           value = normal with the top bit flipped back
/// ```
public enum WordType {
    BYTE(Byte.BYTES, -1, 0),
    UNSIGNED_BYTE(Byte.BYTES, 0xFF, 0),
    SHORT(Short.BYTES, -1, 0),
    UNSIGNED_SHORT(Short.BYTES, 0xFFFF, 0),
    INT(Integer.BYTES, -1, 0),
    UNSIGNED_INT(Integer.BYTES, 0xFFFF_FFFFL, 0),
    LONG(Long.BYTES, -1, 0),
    UNSIGNED_LONG(Long.BYTES, -1, Long.MIN_VALUE);

    private final int byteSize;

    /// Distance of the word's top bit from a long's.
    private final int shift;

    /// What stays of a sign-extended word.
    private final long mask;

    private final long flip;

    WordType(int byteSize, long mask, long flip) {
        this.byteSize = byteSize;
        this.shift = Long.SIZE - byteSize * Byte.SIZE;
        this.mask = mask;
        this.flip = flip;
    }

    /// Returns whether the numbers have no sign.
    public boolean isUnsigned() {
        return mask != -1 || flip != 0;
    }

    /// Bytes of a word.
    public int byteSize() {
        return byteSize;
    }

    /// Loads a word with acquire order.
    ///
    /// @param address a multiple of [#byteSize]
    /// @return its normal form
    public long loadAcquire(long address) {
        return normal(
                switch (byteSize) {
                    case Byte.BYTES -> AddressSpace.getByteAcquire(address);
                    case Short.BYTES -> AddressSpace.getShortAcquire(address);
                    case Integer.BYTES -> AddressSpace.getIntAcquire(address);
                    default -> AddressSpace.getLongAcquire(address);
                });
    }

    /// What turns a word of 8 bytes into its normal form, and back, by exclusive or.
    long flip() {
        return flip;
    }

    /// The normal form of an operand, of whose bits those count that the type has.
    public long normal(long operand) {
        return (operand << shift >> shift & mask) ^ flip;
    }

    /// The value behind a normal form: sign- or zero-extended.
    public long value(long normal) {
        return normal ^ flip;
    }

    /// The value behind a normal form, for people.
    public String print(long normal) {
        return flip == 0 ? Long.toString(normal) : Long.toUnsignedString(value(normal));
    }
}

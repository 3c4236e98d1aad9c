// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

/// 64 bits that stand for a sequence of numbers and names: FNV-1a (Fowler, Noll and Vo, 1991), then mixed as
/// MurmurHash3 ends (Appleby, 2010), so that a difference anywhere reaches all bits. The same in every JVM.
final class Digest {
    private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private long state = OFFSET_BASIS;

    void add(long number) {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            addByte((int) (number >>> shift));
        }
    }

    /// @param name how long it is counts too, so that names next to each other don't run together
    void add(String name) {
        add(name.length());
        for (int index = 0; index < name.length(); index++) {
            addByte(name.charAt(index) >>> Byte.SIZE);
            addByte(name.charAt(index));
        }
    }

    private void addByte(int low) {
        state = (state ^ (low & 0xFF)) * PRIME;
    }

    long value() {
        long mixed = (state ^ state >>> 33) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ mixed >>> 33;
    }
}

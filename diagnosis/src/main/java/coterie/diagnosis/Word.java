// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

/// A word of symmetric memory.
///
/// @param pe whose it is, a number of the world
/// @param offset in bytes, in the PE's heap
public record Word(int pe, long offset) {
    @Override
    public String toString() {
        return "word 0x" + Long.toHexString(offset) + " of PE " + pe;
    }
}

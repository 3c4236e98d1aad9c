// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// Comparison of numbers of a few bits on a circle: `least ≤ value` if the way from `least` up to `value` is
/// shorter than half of the circle.
///
/// ```
///  bits = 8     0 ≤ 127      the way is 127 of 256
///               0 ≰ 128      the way is 128, and so is the way back: 128 ≰ 0
///             250 ≤ 4        the way is 10
/// ```
final class RollingComparison {
    private RollingComparison() {}

    /// Returns the mask of the low bits.
    ///
    /// @param bits in `[1, 64]`
    static long mask(int bits) {
        return -1L >>> (Long.SIZE - bits);
    }

    /// Returns whether `least ≤ value`.
    ///
    /// @param mask of the bits that count
    static boolean isAtMost(long least, long value, long mask) {
        return Long.compareUnsigned((value - least) & mask, mask >>> 1) <= 0;
    }

    /// Returns how far a value has to go up until `least ≤ value` holds again, at least 1 if it does not hold.
    static long distance(long least, long value, long mask) {
        return (least - value) & mask;
    }
}

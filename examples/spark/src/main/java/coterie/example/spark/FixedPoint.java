// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

/// Real numbers as multiples of a power of two in a `long`. Their sums are exact, and so the same in any order, on
/// any number of PEs; a difference of sums is exact too.
///
/// @param scale a power of two: a number is `scale` times itself
record FixedPoint(double scale) {
    /// Returns the finest numbers whose sums do not overflow.
    ///
    /// @param limit of the absolute value of a number, a power of two
    /// @param count how many numbers a sum has, at least 1
    static FixedPoint forSums(double limit, long count) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(count); // count < 2^bits
        return new FixedPoint(0x1p62 / Math.scalb(limit, bits));
    }

    long of(double value) {
        return (long) Math.rint(value * scale);
    }

    double toDouble(long sum) {
        return sum / scale;
    }
}

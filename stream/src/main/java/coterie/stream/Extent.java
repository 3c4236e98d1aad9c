// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

/// The size of a grid in blocks or of a block in threads, or a place in one of them.
/// @counterpart `dim3`
/// @param x the dimension in which numbers run fastest
public record Extent(int x, int y, int z) {
    public Extent {
        if (x < 0 || y < 0 || z < 0) {
            throw new IllegalArgumentException("Extent (" + x + ", " + y + ", " + z + "): no dimension is negative");
        }
    }

    /// Returns an extent of one dimension.
    public static Extent of(int x) {
        return new Extent(x, 1, 1);
    }

    /// Returns an extent of two dimensions.
    public static Extent of(int x, int y) {
        return new Extent(x, y, 1);
    }

    /// Returns the number of places.
    ///
    /// @throws ArithmeticException if it is more than an `int` holds
    public int count() {
        return Math.multiplyExact(Math.multiplyExact(x, y), z);
    }

    /// Returns the number of places, or `Long.MAX_VALUE` if it is more than a `long` holds.
    long places() {
        long plane = (long) x * y;
        return z > 0 && plane > Long.MAX_VALUE / z ? Long.MAX_VALUE : plane * z;
    }

    /// Returns the place with a number.
    Extent place(int number) {
        return new Extent(number % x, number / x % y, number / x / y);
    }

    @Override
    public String toString() {
        return "(" + x + ", " + y + ", " + z + ")";
    }
}

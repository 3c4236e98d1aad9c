// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.util.Arrays;

/// The cobounds of a coarray: how cosubscripts name the images of a team. The first cosubscript varies fastest;
/// the last has no upper cobound of its own, since it follows from the number of images.
///
/// ```java
/// Cobounds.from(1)                        // [*]
/// Cobounds.range(2, 3).from(3)            // [2:3, 3:*]
/// Cobounds.range(1, 2).range(0, 1).from(0) // [1:2, 0:1, 0:*]
/// ```
public final class Cobounds {
    /// `[*]`: the cosubscript is the image.
    public static final Cobounds DEFAULT = from(1);

    private final int[] lower;
    private final int[] extents;

    private Cobounds(int[] lower, int[] extents) {
        this.lower = lower;
        this.extents = extents;
    }

    /// Returns the cobounds `[lower:*]`.
    public static Cobounds from(int lower) {
        return new Cobounds(new int[] {lower}, new int[0]);
    }

    /// Begins cobounds `[lower:upper, …]`.
    ///
    /// @param upper at least `lower`
    public static Ranges range(int lower, int upper) {
        return new Ranges(new int[0], new int[0]).range(lower, upper);
    }

    /// Cobounds without the last one.
    public static final class Ranges {
        private final int[] lower;
        private final int[] extents;

        private Ranges(int[] lower, int[] extents) {
            this.lower = lower;
            this.extents = extents;
        }

        /// Adds `lower:upper`.
        ///
        /// @param upper at least `lower`
        public Ranges range(int lower, int upper) {
            if (upper < lower) {
                throw new IllegalArgumentException("Cobounds.range: [" + lower + ":" + upper
                        + "] has no images; allowed are " + lower + " and more");
            }
            return new Ranges(with(this.lower, lower), with(extents, Math.toIntExact((long) upper - lower + 1)));
        }

        /// Adds `lower:*`, the last.
        public Cobounds from(int lower) {
            return new Cobounds(with(this.lower, lower), extents);
        }

        /// Returns a text such as "[2:3, 3:5, …]".
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder("[");
            for (int i = 0; i < extents.length; i++) {
                text.append(lower[i]).append(':').append(lower[i] + extents[i] - 1).append(", ");
            }
            return text.append("…]").toString();
        }
    }

    private static int[] with(int[] values, int value) {
        int[] more = Arrays.copyOf(values, values.length + 1);
        more[values.length] = value;
        return more;
    }

    /// Returns the number of cosubscripts.
    public int corank() {
        return lower.length;
    }

    /// Returns a lower cobound.
    /// @counterpart `lcobound(a, dim)`, `prif_lcobound`
    /// @param dim in `[1, corank()]`
    public int lower(int dim) {
        return lower[checked(dim)];
    }

    /// Returns an upper cobound in a team.
    /// @counterpart `ucobound(a, dim)`
    /// @param dim in `[1, corank()]`
    public int upper(int dim, int images) {
        return lower[checked(dim)] + extent(dim - 1, images) - 1;
    }

    /// Returns the number of cosubscripts of each dimension in a team.
    /// @counterpart `coshape`, `prif_coshape`
    public int[] shape(int images) {
        int[] shape = new int[lower.length];
        Arrays.setAll(shape, i -> extent(i, images));
        return shape;
    }

    private int extent(int i, int images) {
        return i < extents.length ? extents[i] : (images + stride(i) - 1) / stride(i);
    }

    private int stride(int i) {
        int stride = 1;
        for (int k = 0; k < i; k++) {
            stride = Math.multiplyExact(stride, extents[k]);
        }
        return stride;
    }

    private int checked(int dim) {
        if (dim < 1 || dim > lower.length) {
            throw new IndexOutOfBoundsException("Cobounds: dimension " + dim + " is outside [1, " + lower.length + "]");
        }
        return dim - 1;
    }

    /// Returns the image that cosubscripts name in a team, or 0 if they name none.
    /// @counterpart `image_index`
    /// @param subscripts one for each dimension
    public int index(int images, int... subscripts) {
        StatementChecks.notNull(subscripts, "Cobounds.index", "subscripts");
        if (subscripts.length != lower.length) {
            throw new IllegalArgumentException(StatementChecks.prefix("Cobounds.index") + subscripts.length
                    + " cosubscripts; the corank is " + lower.length);
        }
        long image = 0;
        for (int i = lower.length - 1; i >= 0; i--) {
            long place = (long) subscripts[i] - lower[i];
            if (place < 0 || (i < extents.length && place >= extents[i])) {
                return 0;
            }
            image = i < extents.length ? image * extents[i] + place : place;
            if (image >= images) {
                return 0;
            }
        }
        return (int) image + 1;
    }

    /// Returns the image that two cosubscripts name in a team, or 0 if they name none.
    int index(int images, int first, int second) {
        if (lower.length != 2) {
            return index(images, new int[] {first, second});
        }
        long place = (long) first - lower[0];
        long column = (long) second - lower[1];
        if (place < 0 || place >= extents[0] || column < 0) {
            return 0;
        }
        long image = column * extents[0] + place;
        return image < images ? (int) image + 1 : 0;
    }

    /// Returns the image that a cosubscript names in a team, or 0 if it names none.
    int index(int images, int only) {
        if (lower.length != 1) {
            return index(images, new int[] {only});
        }
        long image = (long) only - lower[0];
        return image >= 0 && image < images ? (int) image + 1 : 0;
    }

    /// Returns the cosubscripts of an image.
    /// @counterpart `this_image(a)`
    /// @param image at least 1
    public int[] subscripts(int image) {
        int[] subscripts = new int[lower.length];
        int rest = image - 1;
        for (int i = 0; i < lower.length; i++) {
            int place = i < extents.length ? rest % extents[i] : rest;
            rest = i < extents.length ? rest / extents[i] : 0;
            subscripts[i] = lower[i] + place;
        }
        return subscripts;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cobounds bounds
                && Arrays.equals(lower, bounds.lower)
                && Arrays.equals(extents, bounds.extents);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(lower) + Arrays.hashCode(extents);
    }

    /// Returns a text such as "[2:3, 3:*]".
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < extents.length; i++) {
            text.append(lower[i]).append(':').append(lower[i] + extents[i] - 1).append(", ");
        }
        return text.append(lower[lower.length - 1]).append(":*]").toString();
    }
}

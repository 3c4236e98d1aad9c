// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.ElementType;
import coterie.Reduction;

/// What a collective does to elements, in one word that members compare: the element type, the reduction if there
/// is one, and whether a single number is meant.
public final class ElementSignature {
    private static final long SCALAR = 1L << 16;
    private static final int BLOCK_SHIFT = 17;

    private ElementSignature() {}

    /// The word of a collective that only moves elements.
    public static long of(ElementType type) {
        return type.ordinal();
    }

    /// Returns the word of one that moves blocks of elements; for blocks of one, the same as [#of(ElementType)].
    public static long ofBlocks(ElementType type, long blockLength) {
        return (blockLength - 1) << BLOCK_SHIFT | type.ordinal();
    }

    /// The word of one that reduces them.
    public static long of(Reduction reduction, ElementType type) {
        return (1L + reduction.ordinal()) << 8 | type.ordinal();
    }

    /// The word of one that reduces a number of each member.
    public static long ofScalar(Reduction reduction, ElementType type) {
        return SCALAR | of(reduction, type);
    }

    /// For people: "SUM of DOUBLE (scalar)".
    static String text(long signature) {
        int reduction = (int) (signature >> 8 & 0xFF);
        String type = ElementType.values()[(int) (signature & 0xFF)].name();
        return (reduction == 0 ? type : Reduction.values()[reduction - 1] + " of " + type)
                + ((signature & SCALAR) != 0 ? " (scalar)" : "")
                + (signature >> BLOCK_SHIFT != 0 ? " in blocks of " + ((signature >> BLOCK_SHIFT) + 1) : "");
    }
}

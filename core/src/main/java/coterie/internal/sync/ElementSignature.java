// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.ElementType;
import coterie.ReductionOperator;
import coterie.spi.ReductionKind;
import org.jspecify.annotations.Nullable;

/// What a collective does to elements, in one word that members compare: the element type, the reduction if there
/// is one, and whether a single number is meant.
public final class ElementSignature {
    private static final long SCALAR = 1L << 16;
    private static final int BLOCK_SHIFT = 17;

    /// Begins the words of collectives that run as requests.
    private static final long ASKED = 1L << 62;

    private static final int CUSTOM_SHIFT = 24;

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
    public static long of(ReductionKind reduction, ElementType type) {
        return (1L + reduction.ordinal()) << 8 | type.ordinal();
    }

    /// The word of one that reduces a number of each member.
    public static long ofScalar(ReductionKind reduction, ElementType type) {
        return SCALAR | of(reduction, type);
    }

    /// The word of one that runs as a request; a program's own reduction is known by its name and size.
    ///
    /// @param operator null where nothing is reduced
    public static long ofRequest(@Nullable ReductionOperator<?> operator, ElementType type) {
        return ASKED
                | (KnownOperators.own(operator) << CUSTOM_SHIFT)
                | ((long) KnownOperators.number(operator) << 8)
                | type.ordinal();
    }

    private static String textOfRequest(long signature) {
        int reduction = (int) (signature >> 8 & 0xFF);
        String type = ElementType.values()[(int) (signature & 0xFF)].name();
        String name = reduction == 0
                ? ""
                : reduction < KnownOperators.CUSTOM
                        ? KnownOperators.name(reduction)
                        : "custom reduction " + Long.toHexString((signature & ~ASKED) >>> CUSTOM_SHIFT);
        return (name.isEmpty() ? type : name + " of " + type) + " as a request";
    }

    /// For people: "SUM of DOUBLE (scalar)".
    static String text(long signature) {
        if ((signature & ASKED) != 0) {
            return textOfRequest(signature);
        }
        int reduction = (int) (signature >> 8 & 0xFF);
        String type = ElementType.values()[(int) (signature & 0xFF)].name();
        return (reduction == 0 ? type : ReductionKind.values()[reduction - 1] + " of " + type)
                + ((signature & SCALAR) != 0 ? " (scalar)" : "")
                + (signature >> BLOCK_SHIFT != 0 ? " in blocks of " + ((signature >> BLOCK_SHIFT) + 1) : "");
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.vector;

import coterie.internal.kernel.ReductionLoop;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// The one loop of all reductions and types. The compiler makes instructions of it only if it sees both as
/// constants: so [VectorLoops] defines this class anew for each pair, and it is never used under its own name.
final class VectorLoop implements ReductionLoop {
    /// The bytes are taken as the processor would.
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private static final Kind KIND = kind();
    private static final VectorOperators.Binary OPERATION = KIND.operation();

    @SuppressWarnings("unchecked") // what the lanes are makes no difference here
    private static final VectorSpecies<Object> SPECIES = (VectorSpecies<Object>) KIND.species();

    private static final int STEP = SPECIES.vectorByteSize();

    /// A constant of each class that is made of this one.
    record Kind(VectorOperators.Binary operation, VectorSpecies<?> species) {}

    VectorLoop() {}

    private static Kind kind() {
        try {
            return MethodHandles.classData(MethodHandles.lookup(), "_", Kind.class);
        } catch (IllegalAccessException e) {
            throw new AssertionError("a class may read its own data", e);
        }
    }

    /// Short, and with no method of ours in it, so that the compiler makes the same of it whatever it has seen; it
    /// repeats the body by itself. For 512 bytes that takes 9 ns, and 18 with a `long` counter; four vectors at a
    /// time, and the rest one by one, took 28.
    @Override
    public int fold(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            int length) {
        int at = 0;
        for (; at <= length - STEP; at += STEP) {
            SPECIES.fromMemorySegment(left, leftFrom + at, ORDER)
                    .lanewise(OPERATION, SPECIES.fromMemorySegment(right, rightFrom + at, ORDER))
                    .intoMemorySegment(target, to + at, ORDER);
        }
        return at;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.vector;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// The one loop of all reductions and types. The compiler makes instructions of it only if it sees both as
/// constants: so [VectorLoops] defines this class anew for each pair, and it is never used under its own name.
final class VectorLoop implements Loop {
    /// The bytes are taken as the processor would.
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private static final Kind KIND = kind();
    private static final VectorOperators.Binary OPERATION = KIND.operation();

    @SuppressWarnings("unchecked") // what the lanes are makes no difference here
    private static final VectorSpecies<Object> SPECIES = (VectorSpecies<Object>) KIND.species();

    private static final long STEP = SPECIES.vectorByteSize();

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

    /// Four vectors at a time hide that a load takes some cycles, and the rest one by one.
    @Override
    public long fold(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        long at = 0;
        for (; at <= length - 4 * STEP; at += 4 * STEP) {
            Vector<Object> first = folded(left, leftFrom + at, right, rightFrom + at);
            Vector<Object> second = folded(left, leftFrom + at + STEP, right, rightFrom + at + STEP);
            Vector<Object> third = folded(left, leftFrom + at + 2 * STEP, right, rightFrom + at + 2 * STEP);
            Vector<Object> fourth = folded(left, leftFrom + at + 3 * STEP, right, rightFrom + at + 3 * STEP);
            first.intoMemorySegment(target, to + at, ORDER);
            second.intoMemorySegment(target, to + at + STEP, ORDER);
            third.intoMemorySegment(target, to + at + 2 * STEP, ORDER);
            fourth.intoMemorySegment(target, to + at + 3 * STEP, ORDER);
        }
        for (; at <= length - STEP; at += STEP) {
            folded(left, leftFrom + at, right, rightFrom + at).intoMemorySegment(target, to + at, ORDER);
        }
        return at;
    }

    private static Vector<Object> folded(MemorySegment left, long leftAt, MemorySegment right, long rightAt) {
        return SPECIES.fromMemorySegment(left, leftAt, ORDER)
                .lanewise(OPERATION, SPECIES.fromMemorySegment(right, rightAt, ORDER));
    }
}

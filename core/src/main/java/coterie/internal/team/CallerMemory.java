// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.DoubleView;
import coterie.ElementType;
import coterie.ElementView;
import coterie.FloatView;
import coterie.IntView;
import coterie.LongView;
import coterie.internal.sync.Membership;
import coterie.internal.wait.OperationKind;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Memory of the caller that is nowhere symmetric: an array of `double`, `float`, `long` or `int`, or a
/// segment. Checks it, and copies it to and from staging memory.
final class CallerMemory {
    private final Membership membership;

    CallerMemory(Membership membership) {
        this.membership = membership;
    }

    /// Returns an argument that is not null.
    <T> T given(OperationKind kind, String role, @Nullable T argument) {
        if (argument == null) {
            throw missing(kind, role);
        }
        return argument;
    }

    private NullPointerException missing(OperationKind kind, String role) {
        return new NullPointerException(membership.messagePrefix(kind.label()) + role + " is null");
    }

    /// Returns the number of elements; a segment has only whole ones.
    long length(OperationKind kind, String role, @Nullable Object memory, ElementType type) {
        return switch (memory) {
            case null -> throw missing(kind, role);
            case double[] doubles -> doubles.length;
            case float[] floats -> floats.length;
            case long[] longs -> longs.length;
            case int[] ints -> ints.length;
            case MemorySegment segment -> {
                checkReachable(kind, role, segment);
                long bytes = segment.byteSize();
                if (bytes % type.byteSize() != 0) {
                    throw illegal(
                            kind,
                            "the " + role + " segment has " + bytes + " bytes; allowed are multiples of "
                                    + type.byteSize() + ", the size of " + type);
                }
                yield bytes / type.byteSize();
            }
            default -> throw new AssertionError(memory.getClass());
        };
    }

    /// Returns the number of elements of memory that a collective writes.
    long writable(OperationKind kind, String role, @Nullable Object memory, ElementType type) {
        long length = length(kind, role, memory, type);
        if (memory instanceof MemorySegment segment && segment.isReadOnly()) {
            throw illegal(kind, "the " + role + " segment is read-only; pass a writable segment");
        }
        return length;
    }

    private void checkReachable(OperationKind kind, String role, MemorySegment segment) {
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException(
                    membership.messagePrefix(kind.label()) + "the arena of the " + role + " segment was closed");
        }
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException(membership.messagePrefix(kind.label()) + "the arena of the " + role
                    + " segment is confined to another thread than the caller, \""
                    + Thread.currentThread().getName() + "\"");
        }
    }

    /// Refuses memory that is not as long as its blocks.
    ///
    /// @param blocks 0 if there is no such memory
    void checkLength(OperationKind kind, String role, long length, int blocks, long count) {
        if (blocks > 0 && (length % blocks != 0 || length / blocks != count)) {
            throw illegal(
                    kind,
                    "the " + role + " has " + length + " elements; required are " + blocks
                            + (blocks == 1 ? " block" : " blocks, one for each member,") + " of " + count);
        }
    }

    /// Refuses a block that cuts what an operator combines as one.
    void checkWhole(OperationKind kind, long count, int unit) {
        if (count % unit != 0) {
            throw illegal(
                    kind,
                    "blocks of " + count + " elements are not a multiple of the reduction's " + unit + " elements");
        }
    }

    private IllegalArgumentException illegal(OperationKind kind, String what) {
        return new IllegalArgumentException(membership.messagePrefix(kind.label()) + what);
    }

    /// Copies elements to a view.
    void load(ElementView view, long index, @Nullable Object source, long sourceIndex, long count) {
        switch (source) {
            case double[] doubles -> ((DoubleView) view).set(index, doubles, sourceIndex, count);
            case float[] floats -> ((FloatView) view).set(index, floats, sourceIndex, count);
            case long[] longs -> ((LongView) view).set(index, longs, sourceIndex, count);
            case int[] ints -> ((IntView) view).set(index, ints, sourceIndex, count);
            case MemorySegment segment -> view.set(index, segment, sourceIndex, count);
            case null, default -> throw new AssertionError("checked before");
        }
    }

    /// Copies elements from a view.
    void store(ElementView view, long index, @Nullable Object target, long targetIndex, long count) {
        switch (target) {
            case double[] doubles -> ((DoubleView) view).get(index, doubles, targetIndex, count);
            case float[] floats -> ((FloatView) view).get(index, floats, targetIndex, count);
            case long[] longs -> ((LongView) view).get(index, longs, targetIndex, count);
            case int[] ints -> ((IntView) view).get(index, ints, targetIndex, count);
            case MemorySegment segment -> view.get(index, segment, targetIndex, count);
            case null, default -> throw new AssertionError("checked before");
        }
    }
}

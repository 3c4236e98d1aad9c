// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.LongView;
import java.lang.foreign.MemoryLayout;
import org.jspecify.annotations.Nullable;

/// The allocations of a [TeamScope].
abstract sealed class CoarrayAllocator permits TeamScope {
    CoarrayAllocator() {}

    abstract ImageTeam team();

    abstract ImageRuntime runtime();

    /// Throws if this is not the caller's current scope, or has ended.
    abstract void checkCurrent(String operation);

    /// Allocates on all images of the team.
    ///
    /// @param shape null for one dimension from 0
    /// @param bytes of all elements; negative if the arguments are not allowed, which all images refuse together
    /// @param described what the images of the team must agree on, in words
    abstract CoarrayNumbering.Placement allocate(
            StatementKind kind, @Nullable Shape shape, long count, long bytes, String described);

    /// Allocates `count` 64-bit integers on each image of the team, zeroed: an `allocate` statement. All images of
    /// the team allocate the same elements and count, and none returns before all have called.
    /// @counterpart `prif_allocate_coarray`; and its kind
    /// @param count at least 0
    /// @throws IllegalArgumentException if it is less; the other images get a StatementException
    /// @throws StatementException on all images, if elements or counts differ, which it names by image, or an
    ///     image has no memory; its outcome is a Fault
    /// @throws IllegalStateException if this is not the current scope
    public final IntegerCoarray allocateLongs(long count) {
        return longs(allocate(StatementKind.LONGS, null, count, Long.BYTES));
    }

    /// Allocates 64-bit integers with bounds and cobounds, as [#allocateLongs(long)]; all images pass the same
    /// ones.
    /// @counterpart `allocate(a(8, 4)[2, *])`
    public final IntegerCoarray allocateLongs(Shape shape) {
        return longs(allocate(StatementKind.LONGS, shape, Long.BYTES));
    }

    private static IntegerCoarray longs(CoarrayNumbering.Placement placement) {
        return new IntegerCoarray(placement, placement.block().memory().longs());
    }

    /// Allocates 32-bit integers as [#allocateLongs(long)].
    public final IntegerCoarray allocateInts(long count) {
        return ints(allocate(StatementKind.INTS, null, count, Integer.BYTES));
    }

    /// Allocates 32-bit integers as [#allocateLongs(Shape)].
    public final IntegerCoarray allocateInts(Shape shape) {
        return ints(allocate(StatementKind.INTS, shape, Integer.BYTES));
    }

    private static IntegerCoarray ints(CoarrayNumbering.Placement placement) {
        return new IntegerCoarray(placement, placement.block().memory().ints());
    }

    /// Allocates 16-bit integers as [#allocateLongs(long)].
    public final IntegerCoarray allocateShorts(long count) {
        return shorts(allocate(StatementKind.SHORTS, null, count, Short.BYTES));
    }

    /// Allocates 16-bit integers as [#allocateLongs(Shape)].
    public final IntegerCoarray allocateShorts(Shape shape) {
        return shorts(allocate(StatementKind.SHORTS, shape, Short.BYTES));
    }

    private static IntegerCoarray shorts(CoarrayNumbering.Placement placement) {
        return new IntegerCoarray(placement, placement.block().memory().shorts());
    }

    /// Allocates bytes as [#allocateLongs(long)].
    public final IntegerCoarray allocateBytes(long count) {
        return bytes(allocate(StatementKind.BYTES, null, count, Byte.BYTES));
    }

    /// Allocates bytes as [#allocateLongs(Shape)].
    public final IntegerCoarray allocateBytes(Shape shape) {
        return bytes(allocate(StatementKind.BYTES, shape, Byte.BYTES));
    }

    private static IntegerCoarray bytes(CoarrayNumbering.Placement placement) {
        return new IntegerCoarray(placement, placement.block().memory().bytes());
    }

    /// Allocates `float`s as [#allocateLongs(long)].
    public final FloatCoarray allocateFloats(long count) {
        return floats(allocate(StatementKind.FLOATS, null, count, Float.BYTES));
    }

    /// Allocates `float`s as [#allocateLongs(Shape)].
    public final FloatCoarray allocateFloats(Shape shape) {
        return floats(allocate(StatementKind.FLOATS, shape, Float.BYTES));
    }

    private static FloatCoarray floats(CoarrayNumbering.Placement placement) {
        return new FloatCoarray(placement, placement.block().memory().floats());
    }

    /// Allocates `double`s as [#allocateLongs(long)].
    public final DoubleCoarray allocateDoubles(long count) {
        return doubles(allocate(StatementKind.DOUBLES, null, count, Double.BYTES));
    }

    /// Allocates `double`s as [#allocateLongs(Shape)].
    public final DoubleCoarray allocateDoubles(Shape shape) {
        return doubles(allocate(StatementKind.DOUBLES, shape, Double.BYTES));
    }

    private static DoubleCoarray doubles(CoarrayNumbering.Placement placement) {
        return new DoubleCoarray(placement, placement.block().memory().doubles());
    }

    private CoarrayNumbering.Placement allocate(StatementKind kind, Shape shape, int byteSize) {
        StatementChecks.notNull(shape, "allocate", "shape");
        return allocate(kind, shape, shape.size(), byteSize);
    }

    private CoarrayNumbering.Placement allocate(StatementKind kind, @Nullable Shape shape, long count, long byteSize) {
        String text = count + " " + kind.elements() + (shape == null ? "" : " " + shape);
        return allocate(kind, shape, count, bytes(count, byteSize), text);
    }

    /// Returns the bytes of elements, or −1 if there can't be so many.
    private static long bytes(long count, long byteSize) {
        boolean isAllowed = count >= 0 && byteSize > 0 && count <= Long.MAX_VALUE / byteSize;
        return isAllowed ? count * byteSize : -1;
    }

    /// Allocates records as [#allocateLongs(long)]; all images pass the same layout.
    /// @counterpart `prif_allocate_coarray` of records
    /// @param layout of a record; its size is at least 1
    public final RecordCoarray allocateRecords(MemoryLayout layout, long count) {
        StatementChecks.notNull(layout, "allocate", "layout");
        long bytes = bytes(count, layout.byteSize());
        CoarrayNumbering.Placement placement =
                allocate(StatementKind.RECORDS, null, count, bytes, count + " record " + layout);
        return new RecordCoarray(placement, placement.block().memory().bytes(), layout);
    }

    /// Allocates records with bounds and cobounds, as [#allocateRecords(MemoryLayout, long)].
    public final RecordCoarray allocateRecords(MemoryLayout layout, Shape shape) {
        StatementChecks.notNull(layout, "allocate", "layout");
        StatementChecks.notNull(shape, "allocate", "shape");
        long count = shape.size();
        CoarrayNumbering.Placement placement = allocate(
                StatementKind.RECORDS,
                shape,
                count,
                bytes(count, layout.byteSize()),
                count + " record " + shape + " " + layout);
        return new RecordCoarray(placement, placement.block().memory().bytes(), layout);
    }

    /// Allocates events as [#allocateLongs(long)], each with count 0.
    public final EventCoarray allocateEvents(long count) {
        CoarrayNumbering.Placement placement = allocate(StatementKind.EVENTS, null, count, Long.BYTES);
        return new EventCoarray(placement, placement.block().memory().longs());
    }

    /// Allocates notifications as [#allocateLongs(long)], each with count 0.
    public final NotifyCoarray allocateNotifications(long count) {
        CoarrayNumbering.Placement placement = allocate(StatementKind.NOTIFICATIONS, null, count, Long.BYTES);
        return new NotifyCoarray(placement, placement.block().memory().longs());
    }

    /// Allocates locks as [#allocateLongs(long)], which no image has.
    public final LockCoarray allocateLocks(int count) {
        int images = team().numImages();
        long bytes = bytes(LockCoarray.words(count, images), Long.BYTES);
        CoarrayNumbering.Placement placement = allocate(StatementKind.LOCKS, null, count, bytes, count + " lock");
        LongView words = placement.block().memory().longs();
        LockCoarray.Held held = new LockCoarray.Held(words, count, images);
        placement.block().hasLocks(held);
        return new LockCoarray(placement, words, count, held);
    }

    /// Allocates memory for saved states, see [Checkpoint]; collective as [#allocateLongs(long)], in the team that
    /// outlives the failures: the initial one.
    ///
    /// @param byteSize that an image can save, at least 0; each image takes six times as much
    public final Checkpoint allocateCheckpoint(long byteSize) {
        long bytes = byteSize < 0 ? -1 : bytes(Checkpoint.words(byteSize), Long.BYTES);
        String text = "checkpoint of " + byteSize + " bytes";
        return new Checkpoint(
                allocate(StatementKind.CHECKPOINT, null, byteSize, bytes, text).block(), byteSize);
    }

    /// Makes a critical construct; collective as [#allocateLongs(long)].
    ///
    /// @throws IllegalStateException if this is not the scope of the initial team: the construct is the program's
    public final Critical allocateCritical() {
        checkCurrent("allocate");
        if (team().depth() != 0) {
            throw new IllegalStateException(runtime().prefix("allocate") + "the current team is " + team().path()
                    + "; a critical construct belongs to the initial team");
        }
        return new Critical(
                allocate(StatementKind.CRITICAL, null, 1, Long.BYTES).block());
    }
}

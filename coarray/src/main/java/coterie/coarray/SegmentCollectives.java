// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.DoubleView;
import coterie.ElementType;
import coterie.FloatView;
import coterie.IntView;
import coterie.LongView;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.Team;
import java.lang.foreign.MemorySegment;

/// The collectives of an [ImageTeam] on what is no coarray: arrays and segments of the caller. All images of the
/// team pass the same number of elements, which they compare; the elements go through staging memory of the
/// team, see [coterie.ArrayCollectives].
abstract sealed class SegmentCollectives extends ImageSynchronization permits TeamCollectives {
    SegmentCollectives() {}

    /// Returns the team of core.
    abstract Team core();

    abstract int pe(String operation, int image);

    /// Replaces the elements of an array by their sums over all images.
    /// @counterpart `co_sum` of an array that is no coarray
    /// @throws StatementException if the outcome is not Ok; a [Fault][Outcome.Fault#MISMATCH] that names each
    ///     image if images pass different numbers of elements
    public final void sum(double[] values) {
        reduce(StatementKind.SUM, Reduction.SUM, ElementType.DOUBLE, segment(values, "sum"));
    }

    /// Replaces elements as [#sum(double[])].
    public final void sum(float[] values) {
        reduce(StatementKind.SUM, Reduction.SUM, ElementType.FLOAT, segment(values, "sum"));
    }

    /// Replaces elements as [#sum(double[])].
    public final void sum(long[] values) {
        reduce(StatementKind.SUM, Reduction.SUM, ElementType.LONG, segment(values, "sum"));
    }

    /// Replaces elements as [#sum(double[])].
    public final void sum(int[] values) {
        reduce(StatementKind.SUM, Reduction.SUM, ElementType.INT, segment(values, "sum"));
    }

    /// Replaces the elements of an array by their least ones over all images.
    /// @counterpart `co_min` of an array that is no coarray
    /// @throws StatementException if the outcome is not Ok; a [Fault][Outcome.Fault#MISMATCH] that names each
    ///     image if images pass different numbers of elements
    public final void min(double[] values) {
        reduce(StatementKind.MIN, Reduction.MIN, ElementType.DOUBLE, segment(values, "min"));
    }

    /// Replaces elements as [#min(double[])].
    public final void min(float[] values) {
        reduce(StatementKind.MIN, Reduction.MIN, ElementType.FLOAT, segment(values, "min"));
    }

    /// Replaces elements as [#min(double[])].
    public final void min(long[] values) {
        reduce(StatementKind.MIN, Reduction.MIN, ElementType.LONG, segment(values, "min"));
    }

    /// Replaces elements as [#min(double[])].
    public final void min(int[] values) {
        reduce(StatementKind.MIN, Reduction.MIN, ElementType.INT, segment(values, "min"));
    }

    /// Replaces the elements of an array by their greatest ones over all images.
    /// @counterpart `co_max` of an array that is no coarray
    /// @throws StatementException if the outcome is not Ok; a [Fault][Outcome.Fault#MISMATCH] that names each
    ///     image if images pass different numbers of elements
    public final void max(double[] values) {
        reduce(StatementKind.MAX, Reduction.MAX, ElementType.DOUBLE, segment(values, "max"));
    }

    /// Replaces elements as [#max(double[])].
    public final void max(float[] values) {
        reduce(StatementKind.MAX, Reduction.MAX, ElementType.FLOAT, segment(values, "max"));
    }

    /// Replaces elements as [#max(double[])].
    public final void max(long[] values) {
        reduce(StatementKind.MAX, Reduction.MAX, ElementType.LONG, segment(values, "max"));
    }

    /// Replaces elements as [#max(double[])].
    public final void max(int[] values) {
        reduce(StatementKind.MAX, Reduction.MAX, ElementType.INT, segment(values, "max"));
    }

    /// Replaces the elements of an array by their reduction over all images, in the order of the images.
    /// @counterpart `co_reduce` of an array that is no coarray
    /// @throws StatementException if the outcome is not Ok, see [#sum(double[])]
    public final void reduce(ReductionOperator<? super DoubleView> operator, double[] values) {
        reduce(StatementKind.REDUCE, operator, ElementType.DOUBLE, segment(values, "reduce"));
    }

    /// Replaces elements as [#reduce(ReductionOperator, double[])].
    public final void reduce(ReductionOperator<? super FloatView> operator, float[] values) {
        reduce(StatementKind.REDUCE, operator, ElementType.FLOAT, segment(values, "reduce"));
    }

    /// Replaces elements as [#reduce(ReductionOperator, double[])].
    public final void reduce(ReductionOperator<? super LongView> operator, long[] values) {
        reduce(StatementKind.REDUCE, operator, ElementType.LONG, segment(values, "reduce"));
    }

    /// Replaces elements as [#reduce(ReductionOperator, double[])].
    public final void reduce(ReductionOperator<? super IntView> operator, int[] values) {
        reduce(StatementKind.REDUCE, operator, ElementType.INT, segment(values, "reduce"));
    }

    /// Replaces the elements of a segment by their reduction over all images, in the order of the images.
    /// @counterpart `prif_co_reduce_cptr`
    /// @param operator a [coterie.CustomReduction] for records
    /// @param type of an element, [ElementType#BYTE] for records
    /// @throws StatementException if the outcome is not Ok, see [#sum(double[])]
    public final void reduce(ReductionOperator<?> operator, ElementType type, MemorySegment values) {
        reduce(StatementKind.REDUCE, operator, type, values);
    }

    /// Reduces as [#reduce(ReductionOperator, ElementType, MemorySegment)].
    /// @counterpart `stat=`
    public final Outcome tryReduce(ReductionOperator<?> operator, ElementType type, MemorySegment values) {
        return tryReduce(StatementKind.REDUCE, operator, type, values);
    }

    private void reduce(StatementKind kind, ReductionOperator<?> operator, ElementType type, MemorySegment values) {
        StatementException.unlessOk(kind.operation(), tryReduce(kind, operator, type, values), self());
    }

    final Outcome tryReduce(StatementKind kind, ReductionOperator<?> operator, ElementType type, MemorySegment values) {
        String operation = kind.operation();
        StatementChecks.notNull(operator, operation, "operator");
        StatementChecks.notNull(type, operation, "type");
        long bytes = StatementChecks.notNull(values, operation, "values").byteSize();
        checkStatement(operation);
        int width = operator.width(type);
        if (bytes % width != 0) {
            throw new IllegalArgumentException(StatementChecks.prefix(operation) + bytes + " bytes; allowed are"
                    + " multiples of " + width + ", the bytes of an element");
        }
        long arguments = CollectiveArguments.of(type, operator);
        return statements()
                .staged(
                        kind,
                        self(),
                        bytes / type.byteSize(),
                        arguments,
                        () -> core().allReduce(operator, type, values));
    }

    /// Replaces the elements of an array by those of one image.
    /// @counterpart `co_broadcast` of an array that is no coarray
    /// @throws StatementException if the outcome is not Ok, see [#sum(double[])]
    public final void broadcast(double[] values, int sourceImage) {
        broadcast(segment(values, "broadcast"), ElementType.DOUBLE, sourceImage);
    }

    /// Replaces elements as [#broadcast(double[], int)].
    public final void broadcast(float[] values, int sourceImage) {
        broadcast(segment(values, "broadcast"), ElementType.FLOAT, sourceImage);
    }

    /// Replaces elements as [#broadcast(double[], int)].
    public final void broadcast(long[] values, int sourceImage) {
        broadcast(segment(values, "broadcast"), ElementType.LONG, sourceImage);
    }

    /// Replaces elements as [#broadcast(double[], int)].
    public final void broadcast(int[] values, int sourceImage) {
        broadcast(segment(values, "broadcast"), ElementType.INT, sourceImage);
    }

    /// Replaces elements as [#broadcast(double[], int)].
    public final void broadcast(byte[] values, int sourceImage) {
        broadcast(segment(values, "broadcast"), ElementType.BYTE, sourceImage);
    }

    /// Replaces the bytes of a segment by those of one image.
    /// @counterpart `prif_co_broadcast_cptr`
    /// @throws StatementException if the outcome is not Ok, see [#sum(double[])]
    public final void broadcast(MemorySegment values, int sourceImage) {
        broadcast(values, ElementType.BYTE, sourceImage);
    }

    private void broadcast(MemorySegment values, ElementType type, int sourceImage) {
        StatementException.unlessOk("broadcast", tryBroadcast(values, type, sourceImage), self());
    }

    /// Broadcasts as [#broadcast(MemorySegment, int)].
    /// @counterpart `stat=`
    public final Outcome tryBroadcast(MemorySegment values, int sourceImage) {
        return tryBroadcast(values, ElementType.BYTE, sourceImage);
    }

    final Outcome tryBroadcast(MemorySegment values, ElementType type, int sourceImage) {
        long bytes = StatementChecks.notNull(values, "broadcast", "values").byteSize();
        checkStatement("broadcast");
        pe("broadcast", sourceImage);
        long arguments = CollectiveArguments.with(CollectiveArguments.of(type), sourceImage);
        return statements()
                .staged(
                        StatementKind.BROADCAST,
                        self(),
                        bytes / type.byteSize(),
                        arguments,
                        () -> core().broadcast(ElementType.BYTE, values, sourceImage - 1));
    }

    private static MemorySegment segment(double[] values, String operation) {
        return MemorySegment.ofArray(StatementChecks.notNull(values, operation, "values"));
    }

    private static MemorySegment segment(float[] values, String operation) {
        return MemorySegment.ofArray(StatementChecks.notNull(values, operation, "values"));
    }

    private static MemorySegment segment(long[] values, String operation) {
        return MemorySegment.ofArray(StatementChecks.notNull(values, operation, "values"));
    }

    private static MemorySegment segment(int[] values, String operation) {
        return MemorySegment.ofArray(StatementChecks.notNull(values, operation, "values"));
    }

    private static MemorySegment segment(byte[] values, String operation) {
        return MemorySegment.ofArray(StatementChecks.notNull(values, operation, "values"));
    }
}

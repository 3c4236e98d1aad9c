// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.ArrayCollectives;
import coterie.DoubleView;
import coterie.ElementType;
import coterie.FloatView;
import coterie.IntView;
import coterie.LongView;
import coterie.RecordLayout;
import coterie.ReductionOperator;
import coterie.internal.wait.OperationKind;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/// The collectives of a team on arrays, segments and records, in their types: all are one to [StagedCollectives].
abstract class PeArrayCollectives implements ArrayCollectives {

    /// Returns what does them.
    abstract StagedCollectives staged();

    /// Returns what does those of records.
    abstract StagedRecords records();

    @Override
    public final void allReduce(ReductionOperator<? super DoubleView> reduction, double[] values) {
        staged().run(OperationKind.ALL_REDUCE, reduction, ElementType.DOUBLE, values, values, 0);
    }

    @Override
    public final void allReduce(ReductionOperator<? super FloatView> reduction, float[] values) {
        staged().run(OperationKind.ALL_REDUCE, reduction, ElementType.FLOAT, values, values, 0);
    }

    @Override
    public final void allReduce(ReductionOperator<? super LongView> reduction, long[] values) {
        staged().run(OperationKind.ALL_REDUCE, reduction, ElementType.LONG, values, values, 0);
    }

    @Override
    public final void allReduce(ReductionOperator<? super IntView> reduction, int[] values) {
        staged().run(OperationKind.ALL_REDUCE, reduction, ElementType.INT, values, values, 0);
    }

    @Override
    public final void allReduce(ReductionOperator<?> reduction, ElementType elements, MemorySegment values) {
        staged().run(OperationKind.ALL_REDUCE, reduction, elements, values, values, 0);
    }

    @Override
    public final void reduce(ReductionOperator<? super DoubleView> reduction, double[] values, int root) {
        staged().run(OperationKind.REDUCE, reduction, ElementType.DOUBLE, values, values, root);
    }

    @Override
    public final void reduce(ReductionOperator<? super FloatView> reduction, float[] values, int root) {
        staged().run(OperationKind.REDUCE, reduction, ElementType.FLOAT, values, values, root);
    }

    @Override
    public final void reduce(ReductionOperator<? super LongView> reduction, long[] values, int root) {
        staged().run(OperationKind.REDUCE, reduction, ElementType.LONG, values, values, root);
    }

    @Override
    public final void reduce(ReductionOperator<? super IntView> reduction, int[] values, int root) {
        staged().run(OperationKind.REDUCE, reduction, ElementType.INT, values, values, root);
    }

    @Override
    public final void reduce(ReductionOperator<?> reduction, ElementType elements, MemorySegment values, int root) {
        staged().run(OperationKind.REDUCE, reduction, elements, values, values, root);
    }

    @Override
    public final void broadcast(double[] values, int root) {
        staged().run(OperationKind.BROADCAST, null, ElementType.DOUBLE, values, values, root);
    }

    @Override
    public final void broadcast(float[] values, int root) {
        staged().run(OperationKind.BROADCAST, null, ElementType.FLOAT, values, values, root);
    }

    @Override
    public final void broadcast(long[] values, int root) {
        staged().run(OperationKind.BROADCAST, null, ElementType.LONG, values, values, root);
    }

    @Override
    public final void broadcast(int[] values, int root) {
        staged().run(OperationKind.BROADCAST, null, ElementType.INT, values, values, root);
    }

    @Override
    public final void broadcast(ElementType elements, MemorySegment values, int root) {
        staged().run(OperationKind.BROADCAST, null, elements, values, values, root);
    }

    @Override
    public final void reduceScatter(ReductionOperator<? super DoubleView> reduction, double[] target, double[] source) {
        staged().run(OperationKind.REDUCE_SCATTER, reduction, ElementType.DOUBLE, target, source, 0);
    }

    @Override
    public final void reduceScatter(ReductionOperator<? super FloatView> reduction, float[] target, float[] source) {
        staged().run(OperationKind.REDUCE_SCATTER, reduction, ElementType.FLOAT, target, source, 0);
    }

    @Override
    public final void reduceScatter(ReductionOperator<? super LongView> reduction, long[] target, long[] source) {
        staged().run(OperationKind.REDUCE_SCATTER, reduction, ElementType.LONG, target, source, 0);
    }

    @Override
    public final void reduceScatter(ReductionOperator<? super IntView> reduction, int[] target, int[] source) {
        staged().run(OperationKind.REDUCE_SCATTER, reduction, ElementType.INT, target, source, 0);
    }

    @Override
    public final void reduceScatter(
            ReductionOperator<?> reduction, ElementType elements, MemorySegment target, MemorySegment source) {
        staged().run(OperationKind.REDUCE_SCATTER, reduction, elements, target, source, 0);
    }

    @Override
    public final void allGather(double[] target, double[] source) {
        staged().run(OperationKind.ALL_GATHER, null, ElementType.DOUBLE, target, source, 0);
    }

    @Override
    public final void allGather(float[] target, float[] source) {
        staged().run(OperationKind.ALL_GATHER, null, ElementType.FLOAT, target, source, 0);
    }

    @Override
    public final void allGather(long[] target, long[] source) {
        staged().run(OperationKind.ALL_GATHER, null, ElementType.LONG, target, source, 0);
    }

    @Override
    public final void allGather(int[] target, int[] source) {
        staged().run(OperationKind.ALL_GATHER, null, ElementType.INT, target, source, 0);
    }

    @Override
    public final void allGather(ElementType elements, MemorySegment target, MemorySegment source) {
        staged().run(OperationKind.ALL_GATHER, null, elements, target, source, 0);
    }

    @Override
    public final void gather(double @Nullable [] target, double[] source, int root) {
        staged().run(OperationKind.GATHER, null, ElementType.DOUBLE, target, source, root);
    }

    @Override
    public final void gather(float @Nullable [] target, float[] source, int root) {
        staged().run(OperationKind.GATHER, null, ElementType.FLOAT, target, source, root);
    }

    @Override
    public final void gather(long @Nullable [] target, long[] source, int root) {
        staged().run(OperationKind.GATHER, null, ElementType.LONG, target, source, root);
    }

    @Override
    public final void gather(int @Nullable [] target, int[] source, int root) {
        staged().run(OperationKind.GATHER, null, ElementType.INT, target, source, root);
    }

    @Override
    public final void gather(ElementType elements, @Nullable MemorySegment target, MemorySegment source, int root) {
        staged().run(OperationKind.GATHER, null, elements, target, source, root);
    }

    @Override
    public final void scatter(double[] target, double @Nullable [] source, int root) {
        staged().run(OperationKind.SCATTER, null, ElementType.DOUBLE, target, source, root);
    }

    @Override
    public final void scatter(float[] target, float @Nullable [] source, int root) {
        staged().run(OperationKind.SCATTER, null, ElementType.FLOAT, target, source, root);
    }

    @Override
    public final void scatter(long[] target, long @Nullable [] source, int root) {
        staged().run(OperationKind.SCATTER, null, ElementType.LONG, target, source, root);
    }

    @Override
    public final void scatter(int[] target, int @Nullable [] source, int root) {
        staged().run(OperationKind.SCATTER, null, ElementType.INT, target, source, root);
    }

    @Override
    public final void scatter(ElementType elements, MemorySegment target, @Nullable MemorySegment source, int root) {
        staged().run(OperationKind.SCATTER, null, elements, target, source, root);
    }

    @Override
    public final void allToAll(double[] target, double[] source) {
        staged().run(OperationKind.ALL_TO_ALL, null, ElementType.DOUBLE, target, source, 0);
    }

    @Override
    public final void allToAll(float[] target, float[] source) {
        staged().run(OperationKind.ALL_TO_ALL, null, ElementType.FLOAT, target, source, 0);
    }

    @Override
    public final void allToAll(long[] target, long[] source) {
        staged().run(OperationKind.ALL_TO_ALL, null, ElementType.LONG, target, source, 0);
    }

    @Override
    public final void allToAll(int[] target, int[] source) {
        staged().run(OperationKind.ALL_TO_ALL, null, ElementType.INT, target, source, 0);
    }

    @Override
    public final void allToAll(ElementType elements, MemorySegment target, MemorySegment source) {
        staged().run(OperationKind.ALL_TO_ALL, null, elements, target, source, 0);
    }

    @Override
    public final <R extends Record> R broadcast(RecordLayout<R> layout, R value, int root) {
        return records().broadcast(layout, value, root);
    }

    @Override
    public final <R extends Record> List<R> allGather(RecordLayout<R> layout, R value) {
        return records().allGather(layout, value);
    }

    @Override
    public final <R extends Record> R allReduce(RecordLayout<R> layout, BinaryOperator<R> operator, R value) {
        return records().allReduce(layout, operator, value);
    }
}

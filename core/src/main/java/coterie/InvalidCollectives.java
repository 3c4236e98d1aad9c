// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/// The collectives of [Team#INVALID] on arrays, segments and records.
abstract class InvalidCollectives implements ArrayCollectives {
    @Override
    public void allReduce(ReductionOperator<? super DoubleView> reduction, double[] values) {
        throw notMember("allReduce");
    }

    @Override
    public void allReduce(ReductionOperator<? super FloatView> reduction, float[] values) {
        throw notMember("allReduce");
    }

    @Override
    public void allReduce(ReductionOperator<? super LongView> reduction, long[] values) {
        throw notMember("allReduce");
    }

    @Override
    public void allReduce(ReductionOperator<? super IntView> reduction, int[] values) {
        throw notMember("allReduce");
    }

    @Override
    public void allReduce(ReductionOperator<?> reduction, ElementType elements, MemorySegment values) {
        throw notMember("allReduce");
    }

    @Override
    public void reduce(ReductionOperator<? super DoubleView> reduction, double[] values, int root) {
        throw notMember("reduce");
    }

    @Override
    public void reduce(ReductionOperator<? super FloatView> reduction, float[] values, int root) {
        throw notMember("reduce");
    }

    @Override
    public void reduce(ReductionOperator<? super LongView> reduction, long[] values, int root) {
        throw notMember("reduce");
    }

    @Override
    public void reduce(ReductionOperator<? super IntView> reduction, int[] values, int root) {
        throw notMember("reduce");
    }

    @Override
    public void reduce(ReductionOperator<?> reduction, ElementType elements, MemorySegment values, int root) {
        throw notMember("reduce");
    }

    @Override
    public void broadcast(double[] values, int root) {
        throw notMember("broadcast");
    }

    @Override
    public void broadcast(float[] values, int root) {
        throw notMember("broadcast");
    }

    @Override
    public void broadcast(long[] values, int root) {
        throw notMember("broadcast");
    }

    @Override
    public void broadcast(int[] values, int root) {
        throw notMember("broadcast");
    }

    @Override
    public void broadcast(ElementType elements, MemorySegment values, int root) {
        throw notMember("broadcast");
    }

    @Override
    public void reduceScatter(ReductionOperator<? super DoubleView> reduction, double[] target, double[] source) {
        throw notMember("reduceScatter");
    }

    @Override
    public void reduceScatter(ReductionOperator<? super FloatView> reduction, float[] target, float[] source) {
        throw notMember("reduceScatter");
    }

    @Override
    public void reduceScatter(ReductionOperator<? super LongView> reduction, long[] target, long[] source) {
        throw notMember("reduceScatter");
    }

    @Override
    public void reduceScatter(ReductionOperator<? super IntView> reduction, int[] target, int[] source) {
        throw notMember("reduceScatter");
    }

    @Override
    public void reduceScatter(
            ReductionOperator<?> reduction, ElementType elements, MemorySegment target, MemorySegment source) {
        throw notMember("reduceScatter");
    }

    @Override
    public void allGather(double[] target, double[] source) {
        throw notMember("allGather");
    }

    @Override
    public void allGather(float[] target, float[] source) {
        throw notMember("allGather");
    }

    @Override
    public void allGather(long[] target, long[] source) {
        throw notMember("allGather");
    }

    @Override
    public void allGather(int[] target, int[] source) {
        throw notMember("allGather");
    }

    @Override
    public void allGather(ElementType elements, MemorySegment target, MemorySegment source) {
        throw notMember("allGather");
    }

    @Override
    public void gather(double @Nullable [] target, double[] source, int root) {
        throw notMember("gather");
    }

    @Override
    public void gather(float @Nullable [] target, float[] source, int root) {
        throw notMember("gather");
    }

    @Override
    public void gather(long @Nullable [] target, long[] source, int root) {
        throw notMember("gather");
    }

    @Override
    public void gather(int @Nullable [] target, int[] source, int root) {
        throw notMember("gather");
    }

    @Override
    public void gather(ElementType elements, @Nullable MemorySegment target, MemorySegment source, int root) {
        throw notMember("gather");
    }

    @Override
    public void scatter(double[] target, double @Nullable [] source, int root) {
        throw notMember("scatter");
    }

    @Override
    public void scatter(float[] target, float @Nullable [] source, int root) {
        throw notMember("scatter");
    }

    @Override
    public void scatter(long[] target, long @Nullable [] source, int root) {
        throw notMember("scatter");
    }

    @Override
    public void scatter(int[] target, int @Nullable [] source, int root) {
        throw notMember("scatter");
    }

    @Override
    public void scatter(ElementType elements, MemorySegment target, @Nullable MemorySegment source, int root) {
        throw notMember("scatter");
    }

    @Override
    public void allToAll(double[] target, double[] source) {
        throw notMember("allToAll");
    }

    @Override
    public void allToAll(float[] target, float[] source) {
        throw notMember("allToAll");
    }

    @Override
    public void allToAll(long[] target, long[] source) {
        throw notMember("allToAll");
    }

    @Override
    public void allToAll(int[] target, int[] source) {
        throw notMember("allToAll");
    }

    @Override
    public void allToAll(ElementType elements, MemorySegment target, MemorySegment source) {
        throw notMember("allToAll");
    }

    @Override
    public <R extends Record> R broadcast(RecordLayout<R> layout, R value, int root) {
        throw notMember("broadcast");
    }

    @Override
    public <R extends Record> List<R> allGather(RecordLayout<R> layout, R value) {
        throw notMember("allGather");
    }

    @Override
    public <R extends Record> R allReduce(RecordLayout<R> layout, BinaryOperator<R> operator, R value) {
        throw notMember("allReduce");
    }

    static IllegalStateException notMember(String operation) {
        return new IllegalStateException(
                operation + " on Team.INVALID: this PE is not a member of the team; call isValid() first");
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.BinaryOperator;

/// The collectives of a [Team] on arrays, segments and records, which need not be symmetric:
///
/// ```java
/// double[] gradient = backward(batch);
/// team.allReduce(Reduction.SUM, gradient); // in place, on all members
/// ```
///
/// Each moves or reduces all elements of its arguments; for a part take a slice of a segment, and for a part of
/// an array [MemorySegment#ofArray(double[])]. Lengths have the form that each method names, and are the same
/// on all members. The rules of [Team] hold, and those of [ViewCollectives] on order, results, and members that
/// pass other arguments. Source and target are different memory, but in allToAll, which may have one array
/// twice.
///
/// The elements go through *staging memory*: symmetric memory that the team allocates, with all members, in its
/// first such collective, and that ends with the team. The setting `coterie.staging.kib` has its size; longer
/// arrays go in pieces of whole elements of the reduction. After an exception of the team, such as a
/// [PeFailedException], some pieces of the target may have their results; after all others nothing has changed.
/// Once warm, calls allocate nothing; of reduce, gather and scatter those that repeat the latest one's root and
/// length.
///
/// If the team's first such collective finds no room for the staging memory on one member, all members get a
/// [SymmetricMemoryException].
///
/// Only Coterie implements it.
public interface ArrayCollectives {

    /// Reduces arrays of one length: element `i` of each becomes the reduction of element `i` of all.
    /// @counterpart `ncclAllReduce`, `MPI_Allreduce` of MPI with `MPI_IN_PLACE`
    void allReduce(ReductionOperator<? super DoubleView> reduction, double[] values);

    /// Does the same with arrays of `float`.
    void allReduce(ReductionOperator<? super FloatView> reduction, float[] values);

    /// Does the same with arrays of `long`.
    void allReduce(ReductionOperator<? super LongView> reduction, long[] values);

    /// Does the same with arrays of `int`.
    void allReduce(ReductionOperator<? super IntView> reduction, int[] values);

    /// Does the same with the elements of segments, of any type.
    ///
    /// @param elements the type; the segments' sizes are multiples of its size
    void allReduce(ReductionOperator<?> reduction, ElementType elements, MemorySegment values);

    /// Reduces arrays of one length as [#allReduce(Reduction, double[])] does, in the root's; those of other
    /// members stay unchanged. The runtime may group the operands.
    /// @counterpart `MPI_Reduce` of MPI
    /// @param root a member, in `[0, size())`
    void reduce(ReductionOperator<? super DoubleView> reduction, double[] values, int root);

    /// Does the same with arrays of `float`.
    void reduce(ReductionOperator<? super FloatView> reduction, float[] values, int root);

    /// Does the same with arrays of `long`.
    void reduce(ReductionOperator<? super LongView> reduction, long[] values, int root);

    /// Does the same with arrays of `int`.
    void reduce(ReductionOperator<? super IntView> reduction, int[] values, int root);

    /// Does the same with the elements of segments, of any type.
    ///
    /// @param elements the type; the segments' sizes are multiples of its size
    void reduce(ReductionOperator<?> reduction, ElementType elements, MemorySegment values, int root);

    /// Copies the elements of the root's array to those of all members, which have its length.
    /// @counterpart `ncclBroadcast`, `MPI_Bcast` of MPI
    /// @param root a member, in `[0, size())`
    void broadcast(double[] values, int root);

    /// Does the same with arrays of `float`.
    void broadcast(float[] values, int root);

    /// Does the same with arrays of `long`.
    void broadcast(long[] values, int root);

    /// Does the same with arrays of `int`.
    void broadcast(int[] values, int root);

    /// Does the same with the elements of segments, of any type.
    ///
    /// @param elements the type; the segments' sizes are multiples of its size
    void broadcast(ElementType elements, MemorySegment values, int root);

    /// Reduces sources of `size() * target.length` elements, and gives each member the block with its number.
    /// @counterpart `ncclReduceScatter`, `MPI_Reduce_scatter_block` of MPI
    void reduceScatter(ReductionOperator<? super DoubleView> reduction, double[] target, double[] source);

    /// Does the same with arrays of `float`.
    void reduceScatter(ReductionOperator<? super FloatView> reduction, float[] target, float[] source);

    /// Does the same with arrays of `long`.
    void reduceScatter(ReductionOperator<? super LongView> reduction, long[] target, long[] source);

    /// Does the same with arrays of `int`.
    void reduceScatter(ReductionOperator<? super IntView> reduction, int[] target, int[] source);

    /// Does the same with the elements of segments, of any type.
    ///
    /// @param elements the type; the segments' sizes are multiples of its size
    void reduceScatter(
            ReductionOperator<?> reduction, ElementType elements, MemorySegment target, MemorySegment source);

    /// Copies the sources of all members to the target of each, in their order: `size() * source.length`
    /// elements.
    /// @counterpart `ncclAllGather`, `MPI_Allgather` of MPI
    void allGather(double[] target, double[] source);

    /// Does the same with arrays of `float`.
    void allGather(float[] target, float[] source);

    /// Does the same with arrays of `long`.
    void allGather(long[] target, long[] source);

    /// Does the same with arrays of `int`.
    void allGather(int[] target, int[] source);

    /// Does the same with the elements of segments, of any type.
    ///
    /// @param elements the type; the segments' sizes are multiples of its size
    void allGather(ElementType elements, MemorySegment target, MemorySegment source);

    /// Copies the sources of all members to the root's target, in their order: `size() * source.length`
    /// elements.
    /// @counterpart `MPI_Gather` of MPI
    /// @param target may be null on members other than the root, where it is ignored
    /// @param root a member, in `[0, size())`
    void gather(double[] target, double[] source, int root);

    /// Does the same with arrays of `float`.
    void gather(float[] target, float[] source, int root);

    /// Does the same with arrays of `long`.
    void gather(long[] target, long[] source, int root);

    /// Does the same with arrays of `int`.
    void gather(int[] target, int[] source, int root);

    /// Does the same with the elements of segments, of any type.
    ///
    /// @param elements the type; the segments' sizes are multiples of its size
    void gather(ElementType elements, MemorySegment target, MemorySegment source, int root);

    /// Copies the blocks of the root's source, of `size() * target.length` elements, to the members in their
    /// order.
    /// @counterpart `MPI_Scatter` of MPI
    /// @param source may be null on members other than the root, where it is ignored
    /// @param root a member, in `[0, size())`
    void scatter(double[] target, double[] source, int root);

    /// Does the same with arrays of `float`.
    void scatter(float[] target, float[] source, int root);

    /// Does the same with arrays of `long`.
    void scatter(long[] target, long[] source, int root);

    /// Does the same with arrays of `int`.
    void scatter(int[] target, int[] source, int root);

    /// Does the same with the elements of segments, of any type.
    ///
    /// @param elements the type; the segments' sizes are multiples of its size
    void scatter(ElementType elements, MemorySegment target, MemorySegment source, int root);

    /// Exchanges blocks: block `j` of the source of member `i` becomes block `i` of the target of member `j`.
    /// Both arrays have `size()` blocks of one length.
    /// @counterpart `ncclAlltoAll`, `MPI_Alltoall` of MPI
    void allToAll(double[] target, double[] source);

    /// Does the same with arrays of `float`.
    void allToAll(float[] target, float[] source);

    /// Does the same with arrays of `long`.
    void allToAll(long[] target, long[] source);

    /// Does the same with arrays of `int`.
    void allToAll(int[] target, int[] source);

    /// Does the same with the elements of segments, of any type.
    ///
    /// @param elements the type; the segments' sizes are multiples of its size
    void allToAll(ElementType elements, MemorySegment target, MemorySegment source);

    /// Returns the root's record on all members. Allocates, as the other collectives of records do; for many
    /// records broadcast the segment of [RecordLayout#pack].
    ///
    /// ```java
    /// record Step(long number, double rate) {}
    /// Step step = team.broadcast(RecordLayout.of(Step.class), mine, 0);
    /// ```
    /// @param value may be null on members other than the root, where it is ignored
    /// @param root a member, in `[0, size())`
    /// @throws CollectiveMismatchException if the member's layout has other components than the root's;
    ///     on all members, if the sizes differ, too
    <R extends Record> R broadcast(RecordLayout<R> layout, R value, int root);

    /// Returns the records of all members, in their order.
    ///
    /// @throws CollectiveMismatchException on all members, if they pass layouts of different components
    <R extends Record> List<R> allGather(RecordLayout<R> layout, R value);

    /// Returns what the records of all members come to, on all of them: each combines all, one after the other in
    /// the order of the members, so all get equal results if the operator depends on its arguments alone.
    ///
    /// @param operator runs on the caller's thread, after the collective
    /// @throws CollectiveMismatchException on all members, if they pass layouts of different components
    <R extends Record> R allReduce(RecordLayout<R> layout, BinaryOperator<R> operator, R value);
}

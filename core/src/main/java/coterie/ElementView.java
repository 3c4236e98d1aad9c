// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemorySegment;

/// A view of a block of symmetric memory as elements of one type, which the caller reads and writes on any PE.
///
/// [SymmetricMemory] makes views. A view costs nothing beside the block, may be kept, and ends with the block. Its
/// operations go through one context, at first the default context of the world. PE numbers are those of the
/// context's team.
///
/// Indices, counts and strides are in elements, on both sides. The side that is not symmetric is any
/// [MemorySegment]: an array's, native memory, the caller's own part of a block. A copy promises nothing about
/// order or indivisibility of single elements. If source and target overlap, the copy acts as if it had read the
/// whole source first.
///
/// | form | source reusable, data in target | visible at the other PE |
/// |---|---|---|
/// | `put` | on return | after the caller's next [Context#quiet] or barrier |
/// | `putNbi` | after the caller's next [Context#quiet] | after the caller's next [Context#quiet] or barrier |
/// | `get` | on return | – |
/// | `getNbi` | after the caller's next [Context#quiet]; a fence is not enough | – |
///
/// Every operation, also one of count 0, checks its arguments before it touches memory, and throws
///
/// - [IndexOutOfBoundsException] for a PE outside the context's team, or a range that leaves the block or the
///   segment;
/// - [IllegalArgumentException] for a stride or a block that is too short;
/// - [IllegalStateException] for memory that is freed or belongs to another world, and for a closed context;
/// - [WrongThreadException] for a private context of another thread.
///
/// Only a strided copy to the caller itself allocates, if its two sides overlap. Threads: see [Context].
public interface ElementView {

    /// Returns the type of the elements.
    ElementType type();

    /// Returns the number of whole elements that the block has on each PE.
    long length();

    /// Returns the block.
    SymmetricMemory memory();

    /// Returns the caller's own part of the block, for plain loads and stores: same as `memory().segment()`.
    MemorySegment segment();

    /// Returns the context that the operations go through.
    Context context();

    /// Returns a view of the same elements through another context of the same world.
    ElementView through(Context context);

    /// Copies `count` elements of the caller into a PE's `[index, index + count)`. Answers to `shmem_put`,
    /// `shmem_putmem`.
    ///
    /// @param source the elements `[sourceIndex, sourceIndex + count)`, counted from the segment's start
    /// @param count 0 is a no-op
    void put(long index, MemorySegment source, long sourceIndex, long count, int pe);

    /// Starts a [#put]; the source must not change until the next [Context#quiet]. Answers to `shmem_put_nbi`.
    void putNbi(long index, MemorySegment source, long sourceIndex, long count, int pe);

    /// Copies a PE's `[index, index + count)` to the caller. Answers to `shmem_get`, `shmem_getmem`.
    ///
    /// @param target writable; the elements `[targetIndex, targetIndex + count)`
    void get(long index, MemorySegment target, long targetIndex, long count, int pe);

    /// Starts a [#get]; the target has the elements after the next [Context#quiet]. Answers to `shmem_get_nbi`.
    void getNbi(long index, MemorySegment target, long targetIndex, long count, int pe);

    /// Copies `blocks` blocks of `blockLength` elements each: block `i` from the caller's `sourceIndex + i *
    /// sourceStride` to the PE's `index + i * stride`. Elements between the blocks stay unchanged. Block length 1
    /// answers to `shmem_iput`, any other to `shmem_ibput`.
    ///
    /// @param stride from the start of one block to the start of the next, `blockLength ≤ stride`
    /// @param sourceStride the stride in the source, `blockLength ≤ sourceStride`
    /// @param blockLength `1 ≤ blockLength`
    /// @param blocks `0 ≤ blocks`
    void putStrided(
            long index,
            long stride,
            MemorySegment source,
            long sourceIndex,
            long sourceStride,
            long blockLength,
            long blocks,
            int pe);

    /// Copies blocks in the opposite direction of [#putStrided]. Block length 1 answers to `shmem_iget`, any other
    /// to `shmem_ibget`.
    void getStrided(
            long index,
            long stride,
            MemorySegment target,
            long targetIndex,
            long targetStride,
            long blockLength,
            long blocks,
            int pe);

    /// Puts elements like [#put], and then updates a signal of the same PE. A reader that sees the update sees
    /// these elements; earlier puts need a fence. Count 0 updates the signal alone. Answers to `shmem_put_signal`.
    ///
    /// @param update of a signal word of the same PE outside the elements that are put; see [SignalWord#setting]
    ///     and [SignalWord#adding]
    void putSignal(long index, MemorySegment source, long sourceIndex, long count, int pe, SignalUpdate update);

    /// Starts a [#putSignal]; the source must not change until the next [Context#quiet]. Answers to
    /// `shmem_put_signal_nbi`.
    void putSignalNbi(long index, MemorySegment source, long sourceIndex, long count, int pe, SignalUpdate update);
}
